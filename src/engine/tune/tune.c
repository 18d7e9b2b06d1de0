// Tuning of the weights (Texel tuning): positions and turns of games, and the optimisation of values and move scores.
#include "engine/tune/tune_internal.h"

#include "base/memory.h"
#include "engine/eval/pattern_board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOLD_OUT = 10,   // one group in this many is held out
    MOVE_UNIT = 200, // unit of move scores, as that of values
    EPOCHS = 200,
};

// Positions of a game share one result: this many count as one sample.
static const double ALIKE = 10;

// --- Samples ---

// The number of occurrences of a code in a position, for the side to move minus the other.
typedef struct {
    uint16_t code;
    int16_t times;
} Term;

typedef struct {
    uint32_t first, count; // of terms
    uint32_t group;
    uint16_t situation;
    float target; // the result for the side to move, from 0 to 1
} Position;

// Cells of a position with the same codes, which move ordering cannot distinguish.
typedef struct {
    uint16_t own, other; // codes
    uint32_t times;
} Choice;

typedef struct {
    uint32_t first, count; // of choices
    uint32_t group;
    uint32_t chosen;
} Turn;

// Lists that grow. The elements are plain data.
typedef struct {
    void *data; // owned
    size_t count, capacity;
} List;

struct Tuner {
    PatternTables *tables;
    PatternBoard patterns; // zeroed before the first game
    unsigned games;
    List terms, positions, choices, turns;
};

static Status list_reserve(List *list, size_t more, size_t size, Error *error)
{
    size_t count = list->count + more; // below 2^32: elements refer to each other by 32-bit indices
    void *data = count < UINT32_MAX ? array_try_grow(list->data, &list->capacity, count, size) : NULL;
    if (data == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for more positions");
    list->data = data;
    return STATUS_OK;
}

// --- Memory ---

Status tune_open(Tuner **tuner, const Rules *rules, Error *error)
{
    *tuner = memory_new(1, sizeof **tuner);
    Status status = pattern_tables_open(&(*tuner)->tables, rules, NULL, error);
    if (status != STATUS_OK) {
        free(*tuner);
        *tuner = NULL;
    }
    return status;
}

void tune_close(Tuner *tuner)
{
    if (tuner == NULL)
        return;
    pattern_board_close(&tuner->patterns);
    pattern_tables_close(tuner->tables);
    free(tuner->terms.data);
    free(tuner->positions.data);
    free(tuner->choices.data);
    free(tuner->turns.data);
    free(tuner);
}

const LinePatterns *tune_line_patterns(const Tuner *tuner)
{
    return &tuner->tables->line_patterns;
}

// Consecutive games usually have the same board size.
static void use_board(Tuner *tuner, const Rules *rules)
{
    if (rules_equal(&tuner->patterns.rules, rules))
        return;
    pattern_board_close(&tuner->patterns);
    pattern_board_open(&tuner->patterns, tuner->tables, rules);
}

// --- Positions of a game ---

static Status add_position(Tuner *tuner, double target, unsigned group, Error *error)
{
    const PatternBoard *patterns = &tuner->patterns;
    int16_t times[WEIGHTS_CODES] = {0};
    uint16_t met[2 * RULES_CELLS_MAX];
    unsigned met_count = 0;
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t cells = pattern_board_empty_row(patterns, row); cells != 0; cells &= cells - 1)
            for (Side side = SIDE_FIRST; side <= SIDE_SECOND; side++) {
                unsigned code = pattern_board_code(patterns, cell_at(bits_lowest(cells), row), side);
                met[met_count] = patterns->tables->unordered[code];
                int16_t *count = &times[met[met_count++]];
                *count = (int16_t)(side == pattern_board_side(patterns) ? *count + 1 : *count - 1);
            }
    Status status = list_reserve(&tuner->terms, met_count, sizeof(Term), error);
    if (status == STATUS_OK)
        status = list_reserve(&tuner->positions, 1, sizeof(Position), error);
    if (status != STATUS_OK)
        return status;
    Position position = {.first = (uint32_t)tuner->terms.count, .group = group, .target = (float)target};
    position.situation = (uint16_t)pattern_board_situation(patterns);
    for (unsigned i = 0; i < met_count; i++)
        if (times[met[i]] != 0) {
            ((Term *)tuner->terms.data)[tuner->terms.count++] = (Term){met[i], times[met[i]]};
            times[met[i]] = 0;
        }
    position.count = (uint32_t)tuner->terms.count - position.first;
    ((Position *)tuner->positions.data)[tuner->positions.count++] = position;
    return STATUS_OK;
}

// --- Stones that were chosen ---

static Choice choice_at(const PatternBoard *patterns, Cell cell)
{
    Side side = pattern_board_side(patterns);
    const uint16_t *unordered = patterns->tables->unordered;
    return (Choice){unordered[pattern_board_code(patterns, cell, side)],
                    unordered[pattern_board_code(patterns, cell, side_other(side))], 1};
}

static int compare_choices(const void *a, const void *b)
{
    const Choice *x = a, *y = b;
    return x->own != y->own ? x->own - y->own : x->other - y->other;
}

// Collects all cells, equal ones as one choice. Returns the number of choices.
static uint32_t collect_choices(const PatternBoard *patterns, Choice *choices)
{
    unsigned count = 0, kept = 0;
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t cells = pattern_board_legal_row(patterns, row); cells != 0; cells &= cells - 1)
            choices[count++] = choice_at(patterns, cell_at(bits_lowest(cells), row));
    qsort(choices, count, sizeof *choices, compare_choices);
    for (unsigned i = 0; i < count; i++) {
        if (kept > 0 && compare_choices(&choices[kept - 1], &choices[i]) == 0)
            choices[kept - 1].times++;
        else
            choices[kept++] = choices[i];
    }
    return kept;
}

// Adds the stones of the turn that begins at a position, each as a choice among all its cells.
static Status add_turn(Tuner *tuner, const Cell *stones, unsigned count, unsigned group, Error *error)
{
    const PatternBoard *patterns = &tuner->patterns;
    Status status = list_reserve(&tuner->choices, patterns->cells, sizeof(Choice), error);
    if (status == STATUS_OK)
        status = list_reserve(&tuner->turns, count, sizeof(Turn), error);
    if (status != STATUS_OK)
        return status;
    uint32_t first = (uint32_t)tuner->choices.count;
    Choice *choices = (Choice *)tuner->choices.data + first;
    uint32_t kept = collect_choices(patterns, choices);
    tuner->choices.count += kept;
    for (unsigned i = 0; i < count; i++) {
        Choice wanted = choice_at(patterns, stones[i]);
        const Choice *found = pattern_board_is_empty(patterns, stones[i])
                                  ? bsearch(&wanted, choices, kept, sizeof wanted, compare_choices)
                                  : NULL;
        // Under gravity the second stone of a turn may stand on the first.
        if (found != NULL)
            ((Turn *)tuner->turns.data)[tuner->turns.count++] = (Turn){first, kept, group, (uint32_t)(found - choices)};
    }
    return STATUS_OK;
}

// The stones of a turn that begins with stone `at`.
static unsigned turn_length(const Game *game, unsigned at)
{
    unsigned count = 1;
    while (at + count < game->played && game_side_of(game, at + count) == game_side_of(game, at))
        count++;
    return count;
}

static Status add_if_quiet(Tuner *tuner, const TuneGame *from, unsigned at, Error *error)
{
    const Game *game = from->game;
    const PatternBoard *patterns = &tuner->patterns;
    Side side = pattern_board_side(patterns);
    if (patterns->state.turn_left != patterns->rules.p || patterns->state.count == 0 ||
        !pattern_board_is_quiet(patterns))
        return STATUS_OK;
    Status status = add_position(tuner, side == SIDE_FIRST ? from->score : 1 - from->score, from->group, error);
    return status == STATUS_OK ? add_turn(tuner, game->stones + at, turn_length(game, at), from->group, error) : status;
}

Status tune_add(Tuner *tuner, const TuneGame *from, Error *error)
{
    const Game *game = from->game;
    Status status = STATUS_OK;
    use_board(tuner, &game->board.rules);
    Game *before = memory_new(1, sizeof *before);
    game_copy(before, game);
    while (before->played > from->first)
        (void)game_undo(before);
    pattern_board_set(&tuner->patterns, &before->board);
    for (unsigned i = before->played; i < game->played && status == STATUS_OK; i++) {
        status = add_if_quiet(tuner, from, i, error);
        pattern_board_play(&tuner->patterns, game->stones[i]);
    }
    free(before);
    tuner->games++;
    return status;
}

// --- Losses ---

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

// Weights of the model: codes, then situations.
static double position_loss(void *context, Model *model, uint32_t sample, bool learn)
{
    const Tuner *tuner = context;
    const Position *position = (const Position *)tuner->positions.data + sample;
    const Term *terms = (const Term *)tuner->terms.data + position->first;
    ModelWeight *situation = &model->weight[WEIGHTS_CODES + position->situation];
    double value = situation->value;
    for (uint32_t i = 0; i < position->count; i++)
        value += terms[i].times * model->weight[terms[i].code].value;
    double expected = sigmoid(value), target = (double)position->target;
    if (learn) {
        situation->slope += expected - target;
        for (uint32_t i = 0; i < position->count; i++)
            model->weight[terms[i].code].slope += terms[i].times * (expected - target);
    }
    // log(1 + exp) without overflow; the loss is that of the target as a probability.
    double high = value > 0 ? value : 0;
    return high + log1p(exp(-fabs(value))) - target * value;
}

// Weights of the model: codes for the owner, then for the other side.
static double choice_value(const Model *model, const Choice *choice)
{
    return model->weight[choice->own].value + model->weight[WEIGHTS_CODES + choice->other].value;
}

static double turn_loss(void *context, Model *model, uint32_t sample, bool learn)
{
    const Tuner *tuner = context;
    const Turn *turn = (const Turn *)tuner->turns.data + sample;
    const Choice *choices = (const Choice *)tuner->choices.data + turn->first;
    double highest = -HUGE_VAL, sum = 0;
    for (uint32_t i = 0; i < turn->count; i++) {
        double value = choice_value(model, &choices[i]);
        highest = value > highest ? value : highest;
    }
    for (uint32_t i = 0; i < turn->count; i++)
        sum += choices[i].times * exp(choice_value(model, &choices[i]) - highest);
    for (uint32_t i = 0; i < turn->count && learn; i++) {
        double slope = choices[i].times * exp(choice_value(model, &choices[i]) - highest) / sum - (i == turn->chosen);
        model->weight[choices[i].own].slope += slope;
        model->weight[WEIGHTS_CODES + choices[i].other].slope += slope;
    }
    return highest + log(sum) - choice_value(model, &choices[turn->chosen]);
}

// The share of held-out stones that no cell is ordered before.
static double first_share(const Tuner *tuner, const Model *model, const ModelSplit *split)
{
    unsigned first = 0;
    for (unsigned i = 0; i < split->held_count; i++) {
        const Turn *turn = (const Turn *)tuner->turns.data + split->held[i];
        const Choice *choices = (const Choice *)tuner->choices.data + turn->first;
        bool is_first = true;
        for (uint32_t j = 0; j < turn->count; j++)
            is_first &= choice_value(model, &choices[j]) <= choice_value(model, &choices[turn->chosen]);
        first += is_first;
    }
    return (double)first / split->held_count;
}

// --- The whole ---

TuneOptions tune_options(void)
{
    return (TuneOptions){.pull = 1, .epochs = EPOCHS, .seed = 1};
}

static void split_open(ModelSplit *split, unsigned count)
{
    *split = (ModelSplit){memory_new(count + 1, sizeof(uint32_t)), memory_new(count + 1, sizeof(uint32_t)), 0, 0};
}

static void split_close(ModelSplit *split)
{
    free(split->learned);
    free(split->held);
}

static void split_add(ModelSplit *split, uint32_t sample, unsigned group)
{
    if (group % HOLD_OUT == HOLD_OUT - 1)
        split->held[split->held_count++] = sample;
    else
        split->learned[split->learned_count++] = sample;
}

static Status split_check(const ModelSplit *split, Error *error)
{
    if (split->learned_count > 0 && split->held_count > 0)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "too few games to tune weights: %u quiet positions to learn from, %u to check",
                     split->learned_count, split->held_count);
}

static int16_t rounded(double value, double unit, int limit)
{
    double scaled = value * unit;
    scaled = scaled > limit ? limit : scaled < -limit ? -limit : scaled;
    return (int16_t)lrint(scaled);
}

static Status fit_values(Tuner *tuner, const TuneOptions *options, Weights *weights, TuneReport *report, Error *error)
{
    Model model = {0};
    ModelSplit split = {0};
    const Position *positions = tuner->positions.data;
    const Term *terms = tuner->terms.data;
    model_open(&model, WEIGHTS_CODES + WEIGHTS_SITUATIONS, MODEL_CODE_PARTS + MODEL_SITUATION_PARTS);
    split_open(&split, (unsigned)tuner->positions.count);
    model.alike = ALIKE;
    model_share_codes(&model, 0, 0);
    model_share_situations(&model, WEIGHTS_CODES, MODEL_CODE_PARTS);
    for (unsigned i = 0; i < WEIGHTS_CODES; i++)
        model.weight[i].base = (double)weights->code[i] / WEIGHTS_UNIT;
    for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++)
        model.weight[WEIGHTS_CODES + i].base = (double)weights->situation[i] / WEIGHTS_UNIT;
    for (uint32_t i = 0; i < tuner->positions.count; i++) {
        split_add(&split, i, positions[i].group);
        model.weight[WEIGHTS_CODES + positions[i].situation].is_met = true;
    }
    for (size_t i = 0; i < tuner->terms.count; i++)
        model.weight[terms[i].code].is_met = true;
    Status status = split_check(&split, error);
    if (status == STATUS_OK) {
        ModelLoss loss = {"values", tuner, position_loss};
        report->value = model_fit(&model, &loss, &split, options);
        // Both sides have a code on every empty cell, so a constant added to all codes cancels: dead ones get 0.
        double common = model.weight[weights_unordered(0)].value;
        for (unsigned i = 0; i < WEIGHTS_CODES; i++)
            weights->code[i] = rounded(model.weight[i].value - common, WEIGHTS_UNIT, WEIGHTS_VALUE_MAX);
        for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++)
            weights->situation[i] = rounded(model.weight[WEIGHTS_CODES + i].value, WEIGHTS_UNIT, WEIGHTS_VALUE_MAX);
    }
    split_close(&split);
    model_close(&model);
    return status;
}

static Status fit_moves(Tuner *tuner, const TuneOptions *options, Weights *weights, TuneReport *report, Error *error)
{
    Model model = {0};
    ModelSplit split = {0};
    const Turn *turns = tuner->turns.data;
    const Choice *choices = tuner->choices.data;
    model_open(&model, 2 * WEIGHTS_CODES, 2 * MODEL_CODE_PARTS);
    split_open(&split, (unsigned)tuner->turns.count);
    model_share_codes(&model, 0, 0);
    model_share_codes(&model, WEIGHTS_CODES, MODEL_CODE_PARTS);
    for (unsigned i = 0; i < WEIGHTS_CODES; i++) {
        model.weight[i].base = (double)weights->move[i].own / MOVE_UNIT;
        model.weight[WEIGHTS_CODES + i].base = (double)weights->move[i].block / MOVE_UNIT;
    }
    for (uint32_t i = 0; i < tuner->turns.count; i++)
        split_add(&split, i, turns[i].group);
    for (size_t i = 0; i < tuner->choices.count; i++) {
        model.weight[choices[i].own].is_met = true;
        model.weight[WEIGHTS_CODES + choices[i].other].is_met = true;
    }
    Status status = split_check(&split, error);
    if (status == STATUS_OK) {
        ModelLoss loss = {"moves", tuner, turn_loss};
        model_set_values(&model);
        report->first_before = first_share(tuner, &model, &split);
        report->move = model_fit(&model, &loss, &split, options);
        report->first_after = first_share(tuner, &model, &split);
        for (unsigned i = 0; i < WEIGHTS_CODES; i++) {
            weights->move[i].own = rounded(model.weight[i].value, MOVE_UNIT, WEIGHTS_MOVE_MAX);
            weights->move[i].block = rounded(model.weight[WEIGHTS_CODES + i].value, MOVE_UNIT, WEIGHTS_MOVE_MAX);
        }
    }
    split_close(&split);
    model_close(&model);
    return status;
}

Status tune_run(Tuner *tuner, const TuneOptions *options, Weights *weights, TuneReport *report, Error *error)
{
    *report = (TuneReport){.games = tuner->games};
    weights_formula(weights, &tuner->tables->line_patterns);
    Status status = fit_values(tuner, options, weights, report, error);
    if (status == STATUS_OK && options->fits_moves)
        status = fit_moves(tuner, options, weights, report, error);
    // Impossible codes keep the values of the formula.
    Weights formula;
    weights_formula(&formula, &tuner->tables->line_patterns);
    for (unsigned code = weights_next_code(0); code != 0; code = weights_next_code(code))
        if (code >> 12 >= tuner->tables->line_patterns.count) {
            unsigned number = weights_unordered(code);
            weights->code[number] = formula.code[number];
            weights->move[number] = formula.move[number];
        }
    return status;
}
