// Tests of tuning: a known model is recovered, positions of games equal those of the pattern board, and results are
// reproducible.
#include "engine/eval/pattern_board.h"
#include "engine/tune/tune_internal.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- The model ---

// Samples of a logistic model with three weights; no sample has the third, and shares its part with the first.
enum { SAMPLES = 20000 };

typedef struct {
    double x[SAMPLES][2];
    bool won[SAMPLES];
} Known;

static double known_loss(void *context, Model *model, uint32_t sample, bool learn)
{
    const Known *known = context;
    const double *x = known->x[sample];
    double value = x[0] * model->weight[0].value + x[1] * model->weight[1].value;
    double expected = 1 / (1 + exp(-value)), error = expected - known->won[sample];
    for (unsigned i = 0; i < 2 && learn; i++)
        model->weight[i].slope += x[i] * error;
    return -log(known->won[sample] ? expected : 1 - expected);
}

static double unit(Rng *rng)
{
    return (double)rng_below(rng, 1u << 30) / (1u << 30);
}

static void test_known_model(void **state)
{
    (void)state;
    static const double TRUE[] = {0.8, -0.5};
    Known *known = malloc(sizeof *known);
    uint32_t *list = malloc(SAMPLES * sizeof *list);
    assert_non_null(known);
    assert_non_null(list);
    Rng rng = rng_make(3);
    for (unsigned i = 0; i < SAMPLES; i++) {
        list[i] = i;
        known->x[i][0] = 4 * unit(&rng) - 2;
        known->x[i][1] = 4 * unit(&rng) - 2;
        double value = TRUE[0] * known->x[i][0] + TRUE[1] * known->x[i][1];
        known->won[i] = unit(&rng) < 1 / (1 + exp(-value));
    }
    Model model;
    model_open(&model, 3, 2);
    for (unsigned i = 0; i < 3; i++) {
        model.weight[i].count = 1;
        model.weight[i].part[0] = (uint16_t)(i % 2);
        model.weight[i].is_met = i < 2;
        model.part[i % 2].spread = 1;
    }
    model.weight[2].base = 2;
    ModelSplit split = {list, list + SAMPLES * 9 / 10, SAMPLES * 9 / 10, SAMPLES / 10};
    ModelLoss loss = {"test", known, known_loss};
    TuneOptions options = tune_options();
    TuneLoss report = model_fit(&model, &loss, &split, &options);
    assert_true(fabs(model.weight[0].value - TRUE[0]) < 0.05 && fabs(model.weight[1].value - TRUE[1]) < 0.05);
    assert_true(fabs(model.weight[2].value - model.weight[0].value - 2) < 1e-9);
    assert_true(fabs(report.before - log(2)) < 1e-9 && report.after < 0.6);

    // A strong pull leaves little of it.
    for (unsigned i = 0; i < 2; i++)
        model.part[i] = (ModelPart){.spread = 1e-6};
    (void)model_fit(&model, &loss, &split, &options);
    assert_true(fabs(model.weight[0].value) < 0.05);
    model_close(&model);
    free(known);
    free(list);
}

// Codes that have line patterns in common have parts in common, each has one of its own, and so have situations.
static void test_parts(void **state)
{
    (void)state;
    Model model;
    model_open(&model, WEIGHTS_CODES + WEIGHTS_SITUATIONS, MODEL_CODE_PARTS + MODEL_SITUATION_PARTS);
    model_share_codes(&model, 0, 0);
    model_share_situations(&model, WEIGHTS_CODES, MODEL_CODE_PARTS);
    unsigned *sharing = calloc(model.parts, sizeof *sharing);
    assert_non_null(sharing);
    for (unsigned i = 0; i < model.weights; i++) {
        const ModelWeight *weight = &model.weight[i];
        assert_int_equal(weight->count, i < WEIGHTS_CODES ? 11 : 3);
        unsigned last = weight->part[weight->count - 1];
        for (unsigned j = 0; j < weight->count; j++) {
            assert_in_range(weight->part[j], 0, model.parts - 1);
            sharing[weight->part[j]]++;
        }
        assert_int_equal(sharing[last], 1);
    }
    for (unsigned i = 0; i < model.parts; i++)
        assert_true(sharing[i] > 0 && model.part[i].spread > 0);
    // A line pattern of 16 stands in C(16 + 2, 3) codes at least once, and 4 * 3876 / 16 times in all.
    assert_int_equal(sharing[5], WEIGHTS_CODES / 4);
    free(sharing);
    model_close(&model);
}

// --- Games ---

static void play_randomly(Game *game, const Rules *rules, Rng *rng)
{
    Cell cells[RULES_CELLS_MAX];
    game_init(game, rules);
    while (!game_is_over(game))
        game_play(game, cells[rng_below(rng, board_legal_cells(&game->board, cells))]);
}

static double score_of(const Game *game)
{
    Winner winner = board_winner(&game->board);
    return winner == WINNER_FIRST ? 1 : winner == WINNER_SECOND ? 0 : 0.5;
}

static void add_games(Tuner *tuner, const char *text, unsigned count, uint64_t seed)
{
    static Game game;
    Rules rules = rules_of(text);
    Rng rng = rng_make(seed);
    Error error = {0};
    for (unsigned i = 0; i < count; i++) {
        play_randomly(&game, &rules, &rng);
        assert_done(tune_add(tuner, &(TuneGame){&game, 2, score_of(&game), i}, &error), error);
    }
}

static void fit_games(const char *text, unsigned count, Weights *weights, TuneReport *report)
{
    Rules rules = rules_of(text);
    Tuner *tuner = NULL;
    Error error = {0};
    TuneOptions options = tune_options();
    options.epochs = 5;
    options.fits_moves = true;
    assert_done(tune_open(&tuner, &rules, &error), error);
    add_games(tuner, text, count, 9);
    assert_done(tune_run(tuner, &options, weights, report, &error), error);
    tune_close(tuner);
}

// Games of all kinds of rules can be fitted, get more likely by it, and always in the same way.
static void test_games(void **state)
{
    (void)state;
    static const char *const games[] = {"9x9:k=4", "7x6:k=4,gravity", "9x9:k=5,p=2,q=1", "8x8:k=5,exact",
                                        "9x9:k=6,p=2,q=2,gravity"};
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++) {
        Weights weights, again;
        TuneReport report, second;
        fit_games(games[i], 200, &weights, &report);
        assert_int_equal(report.games, 200);
        assert_true(report.value.after <= report.value.before && report.move.after < report.move.before);
        assert_true(report.value.samples > 5 * report.value.held_out && report.value.held_out > 0);
        fit_games(games[i], 200, &again, &second);
        assert_memory_equal(&weights, &again, sizeof weights);
        assert_memory_equal(&report, &second, sizeof report);
    }
}

// Whether a row can be completed in this turn or in the next one, or with an open four in the one after.
static bool is_quiet(const PatternBoard *patterns)
{
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (unsigned column = 0; column < patterns->rules.width; column++) {
            Cell cell = cell_at(column, row);
            if (!pattern_board_is_empty(patterns, cell))
                continue;
            if (pattern_board_cell_pattern(patterns, cell, SIDE_FIRST) == CELL_COMPLETES ||
                pattern_board_cell_pattern(patterns, cell, SIDE_SECOND) == CELL_COMPLETES ||
                pattern_board_cell_pattern(patterns, cell, pattern_board_side(patterns)) == CELL_OPEN_FOUR)
                return false;
        }
    return true;
}

// The loss of a pattern board with these weights over the quiet positions of games that are held out.
typedef struct {
    double sum;
    unsigned count;
} Loss;

static void add_loss(Loss *loss, PatternBoard *patterns, const Game *game, unsigned from, double score)
{
    Game before;
    game_init(&before, &game->board.rules);
    for (unsigned i = 0; i < game->played; i++) {
        pattern_board_set(patterns, &before.board);
        double target = pattern_board_side(patterns) == SIDE_FIRST ? score : 1 - score;
        double chance = 1 / (1 + exp(-(double)pattern_board_value(patterns) / WEIGHTS_UNIT));
        if (i >= from && i > 0 && is_quiet(patterns)) {
            loss->sum -= target * log(chance) + (1 - target) * log(1 - chance);
            loss->count++;
        }
        game_play(&before, game->stones[i]);
    }
}

static Loss loss_of(const Weights *weights, const Rules *rules, unsigned games, Tuner *tuner)
{
    static Game game;
    PatternTables *tables = NULL;
    PatternBoard patterns;
    Error error = {0};
    Loss loss = {0, 0};
    assert_done(pattern_tables_open(&tables, rules, weights, &error), error);
    pattern_board_open(&patterns, tables, rules);
    Rng rng = rng_make(4);
    for (unsigned i = 0; i < games; i++) {
        play_randomly(&game, rules, &rng);
        if (tuner != NULL)
            assert_done(tune_add(tuner, &(TuneGame){&game, i % 3, score_of(&game), i}, &error), error);
        if (i % 10 == 9)
            add_loss(&loss, &patterns, &game, i % 3, score_of(&game));
    }
    pattern_board_close(&patterns);
    pattern_tables_close(tables);
    return loss;
}

// The losses that are reported are those of a pattern board: by the formula, and with the weights written and read
// again, but for their rounding.
static void test_positions(void **state)
{
    (void)state;
    Rules rules = rules_of("10x9:k=5");
    Tuner *tuner = NULL;
    Weights weights;
    TuneReport report;
    Text text = {0};
    Error error = {0};
    assert_done(tune_open(&tuner, &rules, &error), error);
    weights_formula(&weights, tune_line_patterns(tuner));
    Loss before = loss_of(&weights, &rules, 200, tuner);
    TuneOptions options = tune_options();
    assert_done(tune_run(tuner, &options, &weights, &report, &error), error);
    assert_int_equal(report.value.held_out, before.count);
    assert_int_equal(weights.code[weights_unordered(0)], 0);
    assert_true(fabs(report.value.before - before.sum / before.count) < 1e-6);
    weights_format(&weights, tune_line_patterns(tuner), &rules, span_of(""), &text);
    assert_done(weights_parse(&weights, tune_line_patterns(tuner), &rules, (Span){text.data, text.length}, &error),
                error);
    Loss after = loss_of(&weights, &rules, 200, NULL);
    assert_true(report.value.after < report.value.before);
    assert_true(fabs(report.value.after - after.sum / after.count) < 0.002);
    // The tuned values of situations are part of the gain.
    Weights formula, mixed = weights;
    weights_formula(&formula, tune_line_patterns(tuner));
    memcpy(mixed.situation, formula.situation, sizeof mixed.situation);
    assert_true(after.sum < loss_of(&mixed, &rules, 200, NULL).sum);
    text_close(&text);
    tune_close(tuner);
}

// Who always plays in a corner is found out: the order of moves then has it first.
static void test_moves(void **state)
{
    (void)state;
    static Game game;
    Rules rules = rules_of("9x9:k=4");
    Tuner *tuner = NULL;
    Weights weights;
    TuneReport report;
    Error error = {0};
    assert_done(tune_open(&tuner, &rules, &error), error);
    Rng rng = rng_make(8);
    Cell cells[RULES_CELLS_MAX], corners[] = {cell_at(0, 0), cell_at(8, 0), cell_at(0, 8), cell_at(8, 8)};
    for (unsigned i = 0; i < 300; i++) {
        game_init(&game, &rules);
        for (unsigned j = 0; j < 4; j++)
            game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
        for (unsigned j = 0; j < 4; j++)
            if (board_is_legal(&game.board, corners[(i + j) % 4]))
                game_play(&game, corners[(i + j) % 4]);
        assert_done(tune_add(tuner, &(TuneGame){&game, 4, 0.5, i}, &error), error);
    }
    TuneOptions options = tune_options();
    options.fits_moves = true;
    assert_done(tune_run(tuner, &options, &weights, &report, &error), error);
    assert_true(report.first_before < 0.1 && report.first_after > 0.5);
    options.fits_moves = false;
    Weights formula;
    weights_formula(&formula, tune_line_patterns(tuner));
    assert_done(tune_run(tuner, &options, &weights, &report, &error), error);
    assert_memory_equal(weights.move, formula.move, sizeof formula.move);
    tune_close(tuner);
}

static void test_too_few_games(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=4");
    Tuner *tuner = NULL;
    Weights weights;
    TuneReport report;
    Error error = {0};
    TuneOptions options = tune_options();
    assert_done(tune_open(&tuner, &rules, &error), error);
    assert_failed(tune_run(tuner, &options, &weights, &report, &error), STATUS_FAILED, error, "too few games");
    add_games(tuner, "9x9:k=4", 9, 1);
    assert_failed(tune_run(tuner, &options, &weights, &report, &error), STATUS_FAILED, error, "too few games");
    // Boards of other sizes belong to the same family.
    add_games(tuner, "12x7:k=4", 10, 1);
    assert_done(tune_run(tuner, &options, &weights, &report, &error), error);
    assert_int_equal(report.games, 19);
    tune_close(tuner);
}

// Stopped before it begins, it leaves everything as the formula has it.
static void test_stopped(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=4");
    Tuner *tuner = NULL;
    Weights weights, formula;
    TuneReport report;
    Error error = {0};
    atomic_bool stop = true;
    TuneOptions options = tune_options();
    options.stop = &stop;
    assert_done(tune_open(&tuner, &rules, &error), error);
    add_games(tuner, "9x9:k=4", 20, 1);
    assert_done(tune_run(tuner, &options, &weights, &report, &error), error);
    weights_formula(&formula, tune_line_patterns(tuner));
    assert_memory_equal(&weights, &formula, sizeof formula);
    assert_int_equal(report.value.epochs, 0);
    tune_close(tuner);
}

TEST_GROUP(tune)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_model), cmocka_unit_test(test_parts), cmocka_unit_test(test_games),
        cmocka_unit_test(test_positions),   cmocka_unit_test(test_moves), cmocka_unit_test(test_too_few_games),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
