#include "analysis/fitting_internal.h"

#include "analysis/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOLD_OUT = 10,   // a group of so many is held out
    MOVE_UNIT = 200, // of the order of moves: as that of values
    EPOCHS = 200,
};

// Positions of a game have one result: so many say as much as one alone.
static const double ALIKE = 10;

// --- Samples ---

// How often a code is met in a position, for the side to move less for the other.
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

// Cells of a position which are alike for the order of moves.
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

struct Fitting {
    FieldTables *tables;
    Rules rules; // of `field`
    Field field;
    bool has_field;
    unsigned games;
    List terms, positions, choices, turns;
};

static Status list_reserve(List *list, size_t more, size_t size, Error *error)
{
    if (list->count + more <= list->capacity)
        return STATUS_OK;
    size_t capacity = 2 * list->capacity + more;
    void *data = capacity < UINT32_MAX ? realloc(list->data, capacity * size) : NULL;
    if (data == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for more positions");
    list->data = data;
    list->capacity = capacity;
    return STATUS_OK;
}

// --- Memory ---

Status fitting_open(Fitting **fitting, const Rules *rules, Error *error)
{
    *fitting = calloc(1, sizeof **fitting);
    if (*fitting == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for fitting");
    Status status = field_tables_open(&(*fitting)->tables, rules, NULL, error);
    if (status != STATUS_OK) {
        free(*fitting);
        *fitting = NULL;
    }
    return status;
}

void fitting_close(Fitting *fitting)
{
    if (fitting == NULL)
        return;
    if (fitting->has_field)
        field_close(&fitting->field);
    field_tables_close(fitting->tables);
    free(fitting->terms.data);
    free(fitting->positions.data);
    free(fitting->choices.data);
    free(fitting->turns.data);
    free(fitting);
}

const Shapes *fitting_shapes(const Fitting *fitting)
{
    return &fitting->tables->shapes;
}

// Boards of one size mostly come one after another.
static Status use_board(Fitting *fitting, const Rules *rules, Error *error)
{
    if (fitting->has_field && rules_equal(&fitting->rules, rules))
        return STATUS_OK;
    if (fitting->has_field)
        field_close(&fitting->field);
    Status status = field_open(&fitting->field, fitting->tables, rules, error);
    fitting->has_field = status == STATUS_OK;
    fitting->rules = *rules;
    return status;
}

// --- Positions of a game ---

// Whether a side could complete a row within a turn, for all that the shapes tell.
static bool is_at_hand(const Field *field, Side side)
{
    CellKind last = field->rules.p == 1 ? CELL_COMPLETES : CELL_DOUBLE_THREE;
    for (unsigned row = 0; row < field->rules.height; row++)
        for (uint64_t cells = field_legal_row(field, row); cells != 0; cells &= cells - 1)
            if (field_kind(field, cell_at(bits_lowest(cells), row), side) <= last)
                return true;
    return false;
}

// With one stone a turn and no gravity an open four wins next turn.
static bool is_quiet(const Field *field)
{
    Side side = field_side(field);
    if (is_at_hand(field, side) || is_at_hand(field, side_other(side)))
        return false;
    return field->rules.p > 1 || field->rules.gravity || field_count(field, side, CELL_OPEN_FOUR) == 0;
}

static Status add_position(Fitting *fitting, double target, unsigned group, Error *error)
{
    const Field *field = &fitting->field;
    int16_t times[WEIGHTS_CODES] = {0};
    uint16_t met[2 * RULES_CELLS_MAX];
    unsigned met_count = 0;
    for (unsigned row = 0; row < field->rules.height; row++)
        for (uint64_t cells = field_empty_row(field, row); cells != 0; cells &= cells - 1)
            for (Side side = SIDE_FIRST; side <= SIDE_SECOND; side++) {
                unsigned code = field_code(field, cell_at(bits_lowest(cells), row), side);
                met[met_count] = field->tables->unordered[code];
                int16_t *count = &times[met[met_count++]];
                *count = (int16_t)(side == field_side(field) ? *count + 1 : *count - 1);
            }
    Status status = list_reserve(&fitting->terms, met_count, sizeof(Term), error);
    if (status == STATUS_OK)
        status = list_reserve(&fitting->positions, 1, sizeof(Position), error);
    if (status != STATUS_OK)
        return status;
    Position position = {.first = (uint32_t)fitting->terms.count, .group = group, .target = (float)target};
    position.situation = (uint16_t)field_situation(field);
    for (unsigned i = 0; i < met_count; i++)
        if (times[met[i]] != 0) {
            ((Term *)fitting->terms.data)[fitting->terms.count++] = (Term){met[i], times[met[i]]};
            times[met[i]] = 0;
        }
    position.count = (uint32_t)fitting->terms.count - position.first;
    ((Position *)fitting->positions.data)[fitting->positions.count++] = position;
    return STATUS_OK;
}

// --- Stones that were chosen ---

static Choice choice_at(const Field *field, Cell cell)
{
    Side side = field_side(field);
    const uint16_t *unordered = field->tables->unordered;
    return (Choice){unordered[field_code(field, cell, side)], unordered[field_code(field, cell, side_other(side))], 1};
}

static int compare_choices(const void *a, const void *b)
{
    const Choice *x = a, *y = b;
    return x->own != y->own ? x->own - y->own : x->other - y->other;
}

// All cells, those that are alike as one. Returns how many.
static uint32_t collect_choices(const Field *field, Choice *choices)
{
    unsigned count = 0, kept = 0;
    for (unsigned row = 0; row < field->rules.height; row++)
        for (uint64_t cells = field_legal_row(field, row); cells != 0; cells &= cells - 1)
            choices[count++] = choice_at(field, cell_at(bits_lowest(cells), row));
    qsort(choices, count, sizeof *choices, compare_choices);
    for (unsigned i = 0; i < count; i++) {
        if (kept > 0 && compare_choices(&choices[kept - 1], &choices[i]) == 0)
            choices[kept - 1].times++;
        else
            choices[kept++] = choices[i];
    }
    return kept;
}

// The stones of the turn that begins at a position: each as a choice from all of its cells.
static Status add_turn(Fitting *fitting, const Cell *stones, unsigned count, unsigned group, Error *error)
{
    const Field *field = &fitting->field;
    Status status = list_reserve(&fitting->choices, field->cells, sizeof(Choice), error);
    if (status == STATUS_OK)
        status = list_reserve(&fitting->turns, count, sizeof(Turn), error);
    if (status != STATUS_OK)
        return status;
    uint32_t first = (uint32_t)fitting->choices.count;
    Choice *choices = (Choice *)fitting->choices.data + first;
    uint32_t kept = collect_choices(field, choices);
    fitting->choices.count += kept;
    for (unsigned i = 0; i < count; i++) {
        Choice wanted = choice_at(field, stones[i]);
        const Choice *found =
            field_is_empty(field, stones[i]) ? bsearch(&wanted, choices, kept, sizeof wanted, compare_choices) : NULL;
        // Under gravity the second stone of a turn may stand on the first.
        if (found != NULL)
            ((Turn *)fitting->turns.data)[fitting->turns.count++] =
                (Turn){first, kept, group, (uint32_t)(found - choices)};
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

static Status add_if_quiet(Fitting *fitting, const Game *game, unsigned at, double score, unsigned group, Error *error)
{
    const Field *field = &fitting->field;
    Side side = field_side(field);
    if (field->state.turn_left != field->rules.p || field->state.count == 0 || !is_quiet(field))
        return STATUS_OK;
    Status status = add_position(fitting, side == SIDE_FIRST ? score : 1 - score, group, error);
    return status == STATUS_OK ? add_turn(fitting, game->stones + at, turn_length(game, at), group, error) : status;
}

Status fitting_add(Fitting *fitting, const Game *game, unsigned from, double score, unsigned group, Error *error)
{
    Status status = use_board(fitting, &game->board.rules, error);
    if (status != STATUS_OK)
        return status;
    Game *before = malloc(sizeof *before);
    if (before == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a game");
    game_copy(before, game);
    while (before->played > from)
        (void)game_undo(before);
    field_set(&fitting->field, &before->board);
    for (unsigned i = before->played; i < game->played && status == STATUS_OK; i++) {
        status = add_if_quiet(fitting, game, i, score, group, error);
        field_play(&fitting->field, game->stones[i]);
    }
    free(before);
    fitting->games++;
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
    const Fitting *fitting = context;
    const Position *position = (const Position *)fitting->positions.data + sample;
    const Term *terms = (const Term *)fitting->terms.data + position->first;
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

// Weights of the model: codes as one's own, then as the other's.
static double choice_value(const Model *model, const Choice *choice)
{
    return model->weight[choice->own].value + model->weight[WEIGHTS_CODES + choice->other].value;
}

static double turn_loss(void *context, Model *model, uint32_t sample, bool learn)
{
    const Fitting *fitting = context;
    const Turn *turn = (const Turn *)fitting->turns.data + sample;
    const Choice *choices = (const Choice *)fitting->choices.data + turn->first;
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

// The share of stones held out that no cell stands before.
static double first_share(const Fitting *fitting, const Model *model, const ModelSplit *split)
{
    unsigned first = 0;
    for (unsigned i = 0; i < split->held_count; i++) {
        const Turn *turn = (const Turn *)fitting->turns.data + split->held[i];
        const Choice *choices = (const Choice *)fitting->choices.data + turn->first;
        bool is_first = true;
        for (uint32_t j = 0; j < turn->count; j++)
            is_first &= choice_value(model, &choices[j]) <= choice_value(model, &choices[turn->chosen]);
        first += is_first;
    }
    return (double)first / split->held_count;
}

// --- The whole ---

FittingOptions fitting_options(void)
{
    return (FittingOptions){.pull = 1, .epochs = EPOCHS, .seed = 1};
}

static Status split_open(ModelSplit *split, unsigned count, Error *error)
{
    *split = (ModelSplit){malloc((count + 1) * sizeof(uint32_t)), malloc((count + 1) * sizeof(uint32_t)), 0, 0};
    return split->learned != NULL && split->held != NULL ? STATUS_OK
                                                         : error_set(error, STATUS_NO_MEMORY, "no memory for fitting");
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
                     "too few games to fit weights: %u quiet positions to learn from, %u to check",
                     split->learned_count, split->held_count);
}

static int16_t rounded(double value, double unit, int limit)
{
    double scaled = value * unit;
    scaled = scaled > limit ? limit : scaled < -limit ? -limit : scaled;
    return (int16_t)lrint(scaled);
}

static Status fit_values(Fitting *fitting, const FittingOptions *options, Weights *weights, FittingReport *report,
                         Error *error)
{
    Model model = {0};
    ModelSplit split = {0};
    const Position *positions = fitting->positions.data;
    const Term *terms = fitting->terms.data;
    Status status =
        model_open(&model, WEIGHTS_CODES + WEIGHTS_SITUATIONS, MODEL_CODE_PARTS + MODEL_SITUATION_PARTS, error);
    if (status == STATUS_OK)
        status = split_open(&split, (unsigned)fitting->positions.count, error);
    if (status == STATUS_OK) {
        model.alike = ALIKE;
        model_share_codes(&model, 0, 0);
        model_share_situations(&model, WEIGHTS_CODES, MODEL_CODE_PARTS);
        for (unsigned i = 0; i < WEIGHTS_CODES; i++)
            model.weight[i].base = (double)weights->code[i] / WEIGHTS_UNIT;
        for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++)
            model.weight[WEIGHTS_CODES + i].base = (double)weights->situation[i] / WEIGHTS_UNIT;
        for (uint32_t i = 0; i < fitting->positions.count; i++) {
            split_add(&split, i, positions[i].group);
            model.weight[WEIGHTS_CODES + positions[i].situation].is_met = true;
        }
        for (size_t i = 0; i < fitting->terms.count; i++)
            model.weight[terms[i].code].is_met = true;
        status = split_check(&split, error);
    }
    if (status == STATUS_OK) {
        ModelLoss loss = {fitting, position_loss};
        status = model_fit(&model, &loss, &split, options, "values", &report->value, error);
        // Both sides have a code on every empty cell, so what all codes have in common is nothing: let dead ones be 0.
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

static Status fit_moves(Fitting *fitting, const FittingOptions *options, Weights *weights, FittingReport *report,
                        Error *error)
{
    Model model = {0};
    ModelSplit split = {0};
    const Turn *turns = fitting->turns.data;
    const Choice *choices = fitting->choices.data;
    Status status = model_open(&model, 2 * WEIGHTS_CODES, 2 * MODEL_CODE_PARTS, error);
    if (status == STATUS_OK)
        status = split_open(&split, (unsigned)fitting->turns.count, error);
    if (status == STATUS_OK) {
        model_share_codes(&model, 0, 0);
        model_share_codes(&model, WEIGHTS_CODES, MODEL_CODE_PARTS);
        for (unsigned i = 0; i < WEIGHTS_CODES; i++) {
            model.weight[i].base = (double)weights->move[i].own / MOVE_UNIT;
            model.weight[WEIGHTS_CODES + i].base = (double)weights->move[i].block / MOVE_UNIT;
        }
        for (uint32_t i = 0; i < fitting->turns.count; i++)
            split_add(&split, i, turns[i].group);
        for (size_t i = 0; i < fitting->choices.count; i++) {
            model.weight[choices[i].own].is_met = true;
            model.weight[WEIGHTS_CODES + choices[i].other].is_met = true;
        }
        status = split_check(&split, error);
    }
    if (status == STATUS_OK) {
        ModelLoss loss = {fitting, turn_loss};
        model_set_values(&model);
        report->first_before = first_share(fitting, &model, &split);
        status = model_fit(&model, &loss, &split, options, "moves", &report->move, error);
        report->first_after = first_share(fitting, &model, &split);
        for (unsigned i = 0; i < WEIGHTS_CODES; i++) {
            weights->move[i].own = rounded(model.weight[i].value, MOVE_UNIT, WEIGHTS_MOVE_MAX);
            weights->move[i].block = rounded(model.weight[WEIGHTS_CODES + i].value, MOVE_UNIT, WEIGHTS_MOVE_MAX);
        }
    }
    split_close(&split);
    model_close(&model);
    return status;
}

Status fitting_run(Fitting *fitting, const FittingOptions *options, Weights *weights, FittingReport *report,
                   Error *error)
{
    *report = (FittingReport){.games = fitting->games};
    weights_law(weights, &fitting->tables->shapes);
    Status status = fit_values(fitting, options, weights, report, error);
    if (status == STATUS_OK && options->fits_moves)
        status = fit_moves(fitting, options, weights, report, error);
    // What no cell can have is not told from the law.
    Weights law;
    weights_law(&law, &fitting->tables->shapes);
    for (unsigned code = weights_next_code(0); code != 0; code = weights_next_code(code))
        if (code >> 12 >= fitting->tables->shapes.count) {
            unsigned number = weights_unordered(code);
            weights->code[number] = law.code[number];
            weights->move[number] = law.move[number];
        }
    return status;
}
