// Tests of the agent `learned`: its features compared with counts by the board alone, its files of weights, and
// training, which must improve the agent and be reproducible.
#include "agents/agent.h"
#include "match/referee.h"
#include "papers/learned/training.h"
#include "support/check.h"
#include "threats/windows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Features ---

// The value of a feature by its name.
static double value_of(const FeatureVector *vector, unsigned k, const char *wanted)
{
    char name[FEATURES_NAME_SIZE];
    for (unsigned i = 0; i < features_count(k); i++) {
        features_name(i, k, name);
        if (strcmp(name, wanted) == 0)
            return (double)vector->value[i];
    }
    fail_msg("no feature %s", wanted);
    return 0;
}

// Windows with n stones of a side and none of the other, counted on the board.
static unsigned count_windows(const Board *board, Side side, unsigned n)
{
    static Window windows[WINDOWS_MAX];
    unsigned total = windows_all(board, windows), count = 0;
    for (unsigned i = 0; i < total; i++) {
        uint64_t bits = window_bits(board, windows[i]);
        count += (bits & board->line[windows[i].line][side_other(side)]) == 0 &&
                 bits_count(bits & board->line[windows[i].line][side]) == n;
    }
    return count;
}

static void check_cell(Features *features, const Board *board, Cell cell)
{
    FeatureVector vector;
    Board after;
    char name[FEATURES_NAME_SIZE];
    unsigned k = board->rules.k;
    Side side = board_side(board);
    features_of(features, board, cell, &vector);
    board_copy(&after, board);
    (void)board_play(&after, cell);
    assert_int_equal(vector.wins, board_winner(&after) != WINNER_NONE);
    if (vector.wins)
        return;
    for (unsigned n = 1; n < k; n++) {
        (void)snprintf(name, sizeof name, "own%u", n);
        assert_true(value_of(&vector, k, name) == 0.25 * count_windows(&after, side, n));
        (void)snprintf(name, sizeof name, "opposing%u", n);
        assert_true(value_of(&vector, k, name) == 0.25 * count_windows(&after, side_other(side), n));
    }
    unsigned left = board_stones_left(board) - 1;
    assert_int_equal(vector.stage, left > 2 ? 2 : left);
}

static void test_features(void **state)
{
    (void)state;
    static const char *const games[] = {
        "connect4", "9x9:k=6,p=2,q=1", "8x8:k=5", "5x4:k=3,exact", "6x5:k=4,p=3,gravity",
        "1x1:k=1",  "64x2:k=40",       "4x4:k=2"};
    Features *features = malloc(sizeof *features);
    assert_non_null(features);
    Rng rng = rng_make(1);
    for (unsigned i = 0; i < 160; i++) {
        Rules rules = rules_of(games[i % 8]);
        Board board;
        if (!scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules)), &rng) || board_is_over(&board))
            continue;
        Cell cells[RULES_CELLS_MAX];
        features_init(features, &rules, GENERALISED_EXTENDED);
        features_read(features, &board);
        unsigned count = board_legal_cells(&board, cells);
        for (unsigned j = 0; j < count; j++)
            check_cell(features, &board, cells[j]);
    }
    free(features);
}

static void test_features_by_hand(void **state)
{
    (void)state;
    Features *features = malloc(sizeof *features);
    assert_non_null(features);
    FeatureVector vector;
    Game game;
    // X makes a three on row 1 that lacks e1, which O can occupy; a stone on a2 leaves nothing to O.
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.......\nO.XX..O\nturn X 1\n");
    features_init(features, &game.board.rules, GENERALISED_EXTENDED);
    features_read(features, &game.board);
    features_of(features, &game.board, cell_of(&game.board.rules, "e1"), &vector);
    assert_true(value_of(&vector, 4, "threats_own2") == 1 || value_of(&vector, 4, "threats_own1") == 1);
    assert_true(value_of(&vector, 4, "exposed") == 0);
    assert_true(value_of(&vector, 4, "row_own_good") > 0);
    assert_true(value_of(&vector, 4, "own3") > 0);
    // O's three on row 2 is completed on top of a stone at e1.
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.OOO...\n.XXO.X.\nturn X 1\n");
    features_read(features, &game.board);
    features_of(features, &game.board, cell_of(&game.board.rules, "e1"), &vector);
    assert_true(value_of(&vector, 4, "row_next") == 1);
    assert_true(value_of(&vector, 4, "exposed") == 1);
    features_of(features, &game.board, cell_of(&game.board.rules, "g1"), &vector);
    assert_true(value_of(&vector, 4, "row_next") == 0);
    free(features);
}

// --- Weights ---

static void test_weights(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=4,p=2,q=1"), other = rules_of("9x9:k=5");
    LearnedWeights *weights = calloc(2, sizeof *weights);
    assert_non_null(weights);
    Error error = {0};
    Text text = {0};
    learned_formula(&weights[0], &rules);
    learned_format(&weights[0], &rules, span_of("a test\nof two lines"), &text);
    assert_done(learned_parse(&weights[1], (Span){text.data, text.length}, &rules, &error), error);
    for (unsigned stage = 0; stage < FEATURES_STAGES; stage++)
        for (unsigned i = 0; i < features_count(rules.k); i++)
            assert_true(fabsf(weights[0].of[stage][i] - weights[1].of[stage][i]) <=
                        1e-4F * fabsf(weights[0].of[stage][i]));
    assert_refused(learned_parse(&weights[1], (Span){text.data, text.length}, &other, &error), error,
                   "line 3: these weights are for 'k=4,p=2', but the game has k=5");
    assert_refused(learned_parse(&weights[1], span_of("weight 0 bias 1\n"), &rules, &error), error,
                   "before the family");
    assert_refused(learned_parse(&weights[1], span_of("family k=4,p=2\nweight 3 bias 1\n"), &rules, &error), error,
                   "line 2: '3' is no stage");
    assert_refused(learned_parse(&weights[1], span_of("family k=4,p=2\nweight 0 own4 1\n"), &rules, &error), error,
                   "unknown feature 'own4'");
    assert_refused(learned_parse(&weights[1], span_of("family k=4,p=2\nweight 0 own3 x\n"), &rules, &error), error,
                   "'x' is no number");
    assert_refused(learned_parse(&weights[1], span_of("version 3\n"), &rules, &error), error, "unknown version");
    assert_refused(learned_parse(&weights[1], span_of("version 0\n"), &rules, &error), error, "unknown version");
    assert_refused(learned_parse(&weights[1], span_of("# nothing\n"), &rules, &error), error, "without a family");
    text_close(&text);
    free(weights);
}

// Weights of version 1 belong to contiguous windows, later ones to extended windows: in `O..XXX.O` with k = 6 only the
// latter rate the middle of the live window.
static void test_windows_by_version(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    LearnedWeights *weights = calloc(1, sizeof *weights);
    Features *features = malloc(sizeof *features);
    assert_true(weights != NULL && features != NULL);
    FeatureVector vector;
    read_drawing(&game, "8x1:k=6,p=2", "O..XXX.O\nturn X 2\n");
    for (unsigned version = 1; version <= 2; version++) {
        Text text = {0};
        text_add(&text, "version %u\nfamily k=6,p=2\nweight 0 build3 1\n", version);
        assert_done(learned_parse(weights, (Span){text.data, text.length}, &game.board.rules, &error), error);
        text_close(&text);
        features_init(features, &game.board.rules, weights->windows);
        features_read(features, &game.board);
        features_of(features, &game.board, cell_of(&game.board.rules, "c1"), &vector);
        assert_true(value_of(&vector, 6, "build3") == (version == 1 ? 0 : 1));
        features_of(features, &game.board, cell_of(&game.board.rules, "b1"), &vector);
        assert_true(value_of(&vector, 6, "build3") == 1);
    }
    free(weights);
    free(features);
}

// --- Learning ---

static const TrainingOptions usual = {.games = 60, .seed = 3, .lambda = 0.7, .rate = 0.1, .exploration = 0.05};

// The weights as text after all games; interrupted and restored after some of them, unless that is 0.
static void learn_text(const char *game, const TrainingOptions *options, unsigned interrupted, Text *text)
{
    Rules rules = rules_of(game);
    Training *training = training_open(&rules, options);
    LearnedWeights *weights = malloc(sizeof *weights);
    Error error = {0};
    assert_non_null(weights);
    while (training_step(training)) {
        if (training_report(training).games != interrupted)
            continue;
        Text stored = {0};
        training_save(training, &stored);
        training_close(training);
        training = training_open(&rules, options);
        assert_done(training_restore(training, (Span){stored.data, stored.length}, &error), error);
        text_close(&stored);
    }
    training_weights(training, weights);
    learned_format(weights, &rules, (Span){0}, text);
    free(weights);
    training_close(training);
}

static void test_learning_is_reproducible(void **state)
{
    (void)state;
    static const char *const games[] = {"6x6:k=4,p=2,q=1", "5x5:k=4,gravity"};
    for (unsigned i = 0; i < 2; i++) {
        Text once = {0}, again = {0}, other = {0};
        TrainingOptions options = usual;
        learn_text(games[i], &options, 0, &once);
        learn_text(games[i], &options, i == 0 ? 41 : 13, &again);
        options.seed = 4;
        learn_text(games[i], &options, 0, &other);
        assert_string_equal(once.data, again.data);
        assert_string_not_equal(once.data, other.data);
        text_close(&once);
        text_close(&again);
        text_close(&other);
    }
}

static void test_stored_states_are_checked(void **state)
{
    (void)state;
    Rules rules = rules_of("5x5:k=4,gravity"), other_rules = rules_of("5x5:k=4");
    TrainingOptions other_options = usual;
    other_options.lambda = 0.5;
    Training *training = training_open(&rules, &usual), *other_game = training_open(&other_rules, &usual),
             *other = training_open(&rules, &other_options);
    Error error = {0};
    Text stored = {0};
    assert_true(training_step(training));
    training_save(training, &stored);
    assert_refused(training_restore(other, (Span){stored.data, stored.length}, &error), error, "of other options");
    assert_refused(training_restore(other_game, (Span){stored.data, stored.length}, &error), error, "of another game");
    assert_refused(training_restore(training, (Span){stored.data, stored.length / 2}, &error), error, "damaged");
    training_close(training);
    training_close(other);
    training_close(other_game);
    text_close(&stored);
}

// Learned weights win most games against random play.
static void test_learning_helps(void **state)
{
    (void)state;
    Rules rules = rules_of("connect4");
    TrainingOptions options = usual;
    options.games = 200;
    Training *training = training_open(&rules, &options);
    LearnedWeights *weights = malloc(sizeof *weights);
    Features *features = malloc(sizeof *features);
    assert_true(weights != NULL && features != NULL);
    while (training_step(training))
        continue;
    training_weights(training, weights);
    features_init(features, &rules, GENERALISED_EXTENDED);
    unsigned won = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Board board;
        FeatureVector vector;
        Rng rng = rng_make(seed);
        board_init(&board, &rules);
        while (!board_is_over(&board)) {
            Cell cells[RULES_CELLS_MAX];
            unsigned count = board_legal_cells(&board, cells), best = rng_below(&rng, count);
            double highest = -INFINITY;
            features_read(features, &board);
            for (unsigned i = 0; i < count && (unsigned)board_side(&board) == seed % 2; i++) {
                features_of(features, &board, cells[i], &vector);
                double score = vector.wins ? 1e6 : learned_score(weights, &vector, features->count);
                best = score > highest ? i : best;
                highest = score > highest ? score : highest;
            }
            (void)board_play(&board, cells[best]);
        }
        won += board_winner(&board) == (seed % 2 == 0 ? WINNER_FIRST : WINNER_SECOND);
    }
    assert_in_range(won, 50, 60);
    TrainingReport report = training_report(training);
    assert_int_equal(report.games, 200);
    assert_true(report.loss > 0 && report.loss < 0.6931);
    free(weights);
    free(features);
    training_close(training);
}

// --- The agent ---

static void test_agent(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    Error error = {0};
    Agent agent = {0};
    // A row is completed, whatever the weights are, and a three of the opponent is blocked.
    read_drawing(&game, "connect4", ".......\n.......\n.......\n......O\n.X....O\n.XXX..O\nturn X 1\n");
    decide_turn("learned:weights=none", &game, 1, (Budget){0}, &decision);
    assert_true(decision.stones[0] == cell_at(0, 0) || decision.stones[0] == cell_at(4, 0));
    read_drawing(&game, "connect4", ".......\n.......\n.......\n......O\n.X....O\n.X.X..O\nturn X 1\n");
    decide_turn("learned:weights=none", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.stones[0], cell_at(6, 3));
    Rules rules = rules_of("connect4");
    assert_failed(agent_open(&agent, span_of("learned:weights=/nowhere"), &rules, &error), STATUS_IO, error,
                  "/nowhere");
}

TEST_GROUP(learned)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_features_by_hand),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_windows_by_version),
        cmocka_unit_test(test_learning_is_reproducible),
        cmocka_unit_test(test_stored_states_are_checked),
        cmocka_unit_test(test_learning_helps),
        cmocka_unit_test(test_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
