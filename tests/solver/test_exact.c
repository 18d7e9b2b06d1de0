// Tests of the common interface of the solvers: both compared with a full search; limits, the opening table, refused
// positions.
#include "base/clock.h"
#include "solver/exact.h"
#include "solver/gravity/gravity_openings.h"
#include "support/check.h"

#include <stdlib.h>

enum { EMPTY_MAX = 6 };

static const Limits no_limits = {0};

// With scores, and without them.
static const char *const falling[] = {"4x4:k=3,gravity", "4x4:k=4,gravity", "5x4:k=4,gravity", "7x6:k=4,gravity",
                                      "3x9:k=4,gravity", "2x3:k=1,gravity", "9x7:k=4,gravity", "64x1:k=4,gravity"};
static const char *const others[] = {"3x3:k=3",     "4x4:k=3,p=2,q=1", "5x4:k=4,p=3,q=2",      "5x5:k=4,exact",
                                     "8x8:k=5",     "3x3:k=1",         "2x2:k=2,p=4,q=3",      "4x4:k=3,p=2,gravity",
                                     "4x4:k=3,q=2", "64x1:k=30",       "4x4:k=4,gravity,exact"};
enum { FALLING = sizeof falling / sizeof falling[0], OTHERS = sizeof others / sizeof others[0] };

static Exact *open_exact(const char *text, ExactOptions options)
{
    Error error = {0};
    Exact *exact = NULL;
    Rules rules = rules_of(text);
    options.megabytes = 1;
    assert_done(exact_open(&exact, &options, &rules, &error), error);
    return exact;
}

static ExactResult run(Exact *exact, const Board *board, ExactAim aim, const Limits *limits)
{
    Error error = {0};
    ExactResult result;
    assert_done(exact_run(exact, &(ExactQuery){board, aim, limits, NULL}, &result, &error), error);
    assert_true(result.low <= result.high);
    return result;
}

static void run_cells(Exact *exact, const Board *board, ExactAim aim, const ExactResult *known, const Limits *limits,
                      ExactCells *cells)
{
    Error error = {0};
    Cell legal[RULES_CELLS_MAX];
    assert_done(exact_cells(exact, &(ExactQuery){board, aim, limits, known}, cells, &error), error);
    assert_int_equal(cells->count, board_legal_cells(board, legal));
    for (unsigned i = 0; i < cells->count; i++) {
        assert_int_equal(cells->list[i].cell, legal[i]);
        assert_true(cells->list[i].low <= cells->list[i].high);
    }
}

static int value_of(Exact *exact, const Board *board, ExactAim aim)
{
    ExactResult result = run(exact, board, aim, &no_limits);
    assert_true(exact_is_known(&result));
    return result.low;
}

static int sign_of(int score)
{
    return (score > 0) - (score < 0);
}

// --- Against all play ---

// The score by the rules alone.
static int true_score(Board *board)
{
    int empty = (int)(board->cells - board_count(board)), best = -empty;
    if (board_is_over(board))
        return board_winner(board) == WINNER_NONE ? 0 : -(empty + 2) / 2;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        int score = -true_score(board);
        board_undo(board, cells[i], before);
        best = score > best ? score : best;
    }
    return best;
}

// What a stone is worth for the side that plays it.
static int worth_of(Board *board, Cell cell, ExactAim aim)
{
    Side side = board_side(board);
    BoardState before = board_play(board, cell);
    int value = aim == EXACT_SCORE ? true_score(board) : true_value(board);
    value = board_side(board) == side ? value : -value;
    board_undo(board, cell, before);
    return value;
}

static void check_cells(Exact *exact, Board *board, ExactAim aim)
{
    ExactCells cells;
    ExactAim truth = exact_has_scores(&board->rules) ? aim : EXACT_VALUE;
    run_cells(exact, board, aim, NULL, &no_limits, &cells);
    for (unsigned i = 0; i < cells.count; i++) {
        assert_int_equal(cells.list[i].low, worth_of(board, cells.list[i].cell, truth));
        assert_int_equal(cells.list[i].high, cells.list[i].low);
    }
}

// With the value known beforehand: which cells keep it is known, and the rest is sound.
static void check_keeping(Exact *exact, Board *board)
{
    ExactCells cells;
    ExactResult known = run(exact, board, EXACT_VALUE, &no_limits);
    unsigned keeping = 0;
    run_cells(exact, board, EXACT_VALUE, &known, &no_limits, &cells);
    for (unsigned i = 0; i < cells.count; i++) {
        int value = worth_of(board, cells.list[i].cell, EXACT_VALUE);
        assert_true(cells.list[i].low <= value && value <= cells.list[i].high);
        assert_int_equal(cells.list[i].low == known.low, value == known.low);
        keeping += value == known.low;
    }
    assert_true(keeping > 0);
}

// Unknown values are not reported: new solvers are asked for everything.
static void test_bounds_are_no_value(void **state)
{
    (void)state;
    static const char *const games[] = {"3x3:k=3", "4x4:k=4,gravity", "4x3:k=3,p=2"};
    for (unsigned i = 0; i < 3; i++) {
        Game game;
        ExactCells cells;
        ExactResult known = {.low = -1, .high = 1};
        begin_game(&game, games[i]);
        Exact *exact = open_exact(games[i], (ExactOptions){0});
        run_cells(exact, &game.board, EXACT_VALUE, &known, &no_limits, &cells);
        for (unsigned j = 0; j < cells.count; j++)
            assert_int_equal(cells.list[j].low, cells.list[j].high);
        exact_close(exact);
    }
}

static void check_rules(const char *text, Rng *rng)
{
    Exact *exact = open_exact(text, (ExactOptions){0});
    for (unsigned long step = 0; step < test_steps() / 4000 + 2; step++) {
        Game game;
        if (!begin_near_the_end(&game, text, EMPTY_MAX, rng))
            continue;
        Board *board = &game.board;
        int value = true_value(board);
        bool scores = exact_has_scores(&board->rules);
        assert_int_equal(value_of(exact, board, EXACT_VALUE), value);
        assert_int_equal(value_of(exact, board, EXACT_SCORE), scores ? true_score(board) : value);
        check_cells(exact, board, EXACT_VALUE);
        check_cells(exact, board, EXACT_SCORE);
        check_keeping(exact, board);
    }
    exact_close(exact);
}

static void test_against_all_play(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
    for (unsigned i = 0; i < FALLING; i++) {
        Rules rules = rules_of(falling[i]);
        assert_true(exact_has_scores(&rules));
        check_rules(falling[i], &rng);
    }
    for (unsigned i = 0; i < OTHERS; i++) {
        Rules rules = rules_of(others[i]);
        assert_false(exact_has_scores(&rules));
        check_rules(others[i], &rng);
    }
}

// --- Distances ---

// Stones that are placed when both sides always take a cell with the best score.
static unsigned play_best(Exact *exact, Game *game)
{
    unsigned stones = 0;
    for (; !game_is_over(game); stones++) {
        ExactCells cells;
        unsigned best = 0;
        run_cells(exact, &game->board, EXACT_SCORE, NULL, &no_limits, &cells);
        for (unsigned i = 1; i < cells.count; i++)
            best = cells.list[i].low > cells.list[best].low ? i : best;
        game_play(game, cells.list[best].cell);
    }
    return stones;
}

static void test_distances(void **state)
{
    (void)state;
    static const char *const games[] = {"4x4:k=3,gravity", "5x4:k=3,gravity", "5x5:k=4,gravity",
                                        "6x4:k=4,gravity", "4x5:k=3,gravity", "7x6:k=4,gravity"};
    Rng rng = rng_make(22);
    unsigned won = 0, lost = 0;
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++) {
        Exact *exact = open_exact(games[i], (ExactOptions){0});
        for (unsigned long step = 0; step < test_steps() / 4000 + test_count(5, 2); step++) {
            Game game;
            if (!begin_near_the_end(&game, games[i], 16, &rng))
                continue;
            int score = value_of(exact, &game.board, EXACT_SCORE);
            if (score == 0)
                continue;
            unsigned distance = exact_distance(&game.board, score);
            Side winner = score > 0 ? board_side(&game.board) : side_other(board_side(&game.board));
            assert_int_equal(play_best(exact, &game), distance);
            assert_int_equal(board_winner(&game.board), winner == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
            won += score > 0;
            lost += score < 0;
        }
        exact_close(exact);
    }
    assert_true(won > 0 && lost > 0);
}

// --- Limits ---

// With any limit, the bounds contain the true value.
static void check_bounds(const char *text, const char *moves, int score)
{
    Game game;
    begin_game(&game, text);
    play_text(&game, moves);
    for (unsigned aim = EXACT_SCORE; aim <= EXACT_VALUE; aim++) {
        int value = aim == EXACT_SCORE && exact_has_scores(&game.board.rules) ? score : sign_of(score);
        Exact *exact = open_exact(text, (ExactOptions){0});
        for (uint64_t nodes = 1; nodes < 5000; nodes *= 3) {
            Limits limits = {.nodes = nodes};
            ExactResult result = run(exact, &game.board, (ExactAim)aim, &limits);
            assert_true(result.low <= value && value <= result.high);
            ExactCells cells;
            run_cells(exact, &game.board, (ExactAim)aim, NULL, &limits, &cells);
            int low = cells.list[0].low, high = cells.list[0].high;
            for (unsigned i = 1; i < cells.count; i++) {
                low = cells.list[i].low > low ? cells.list[i].low : low;
                high = cells.list[i].high > high ? cells.list[i].high : high;
            }
            assert_true(low <= value && value <= high);
        }
        exact_close(exact);
    }
}

static void test_few_nodes(void **state)
{
    (void)state;
    check_bounds("connect4", "", 1);
    check_bounds("connect4", "44444", 2);
    check_bounds("5x5:k=4,gravity", "", 0);
    check_bounds("5x5:k=4", "", 0);
    check_bounds("6x6:k=4", "", 1);
    check_bounds("6x6:k=4,p=2,q=1", "", -1);
}

static void raise_flag(void *context, const ExactResult *so_far)
{
    assert_true(so_far->nodes > 0 && so_far->low <= so_far->high);
    atomic_store((atomic_bool *)context, true);
}

// Games far too large to be solved here: a search that does not stop is not to be missed.
static void test_stop(void **state)
{
    (void)state;
    static const char *const games[] = {"9x9:k=5,gravity", "8x8:k=5"};
    for (unsigned i = 0; i < 2; i++) {
        Game game;
        begin_game(&game, games[i]);
        Exact *exact = open_exact(games[i], (ExactOptions){0});
        atomic_bool stop = true;
        ExactCells cells;
        Limits limits = {.stop = &stop};
        ExactResult result = run(exact, &game.board, EXACT_SCORE, &limits);
        assert_false(exact_is_known(&result));
        run_cells(exact, &game.board, EXACT_SCORE, NULL, &limits, &cells);
        limits = (Limits){.deadline = clock_seconds()};
        result = run(exact, &game.board, EXACT_SCORE, &limits);
        assert_false(exact_is_known(&result));
        run_cells(exact, &game.board, EXACT_SCORE, NULL, &limits, &cells);
        // Set by a report during the search.
        stop = false;
        limits = (Limits){.stop = &stop};
        exact_watch(exact, (ExactWatch){.progress = raise_flag, .context = &stop});
        result = run(exact, &game.board, EXACT_SCORE, &limits);
        assert_true(stop);
        assert_true(result.nodes > 0 && !exact_is_known(&result));
        exact_close(exact);
    }
}

// Progress can be observed, and observation does not change the search.
static void test_signs_of_life(void **state)
{
    (void)state;
    static const char *const games[] = {"9x9:k=5,gravity", "6x5:k=4"};
    for (unsigned i = 0; i < 2; i++) {
        Game game;
        begin_game(&game, games[i]);
        Exact *exact = open_exact(games[i], (ExactOptions){.megabytes = 4});
        unsigned long long before = 0;
        for (uint64_t nodes = 5000; nodes <= 20000; nodes *= 4) {
            atomic_ullong alive = 0;
            Limits limits = {.nodes = nodes};
            exact_clear(exact);
            ExactResult unseen = run(exact, &game.board, EXACT_SCORE, &limits);
            exact_watch(exact, (ExactWatch){.alive = &alive});
            exact_clear(exact);
            ExactResult seen = run(exact, &game.board, EXACT_SCORE, &limits);
            assert_true(unseen.nodes == seen.nodes && unseen.low == seen.low && unseen.high == seen.high);
            assert_true(alive > before);
            exact_watch(exact, (ExactWatch){0});
            before = alive;
        }
        exact_close(exact);
    }
}

// Several threads find the same value; a second request is answered from the table.
static void test_threads_and_memory(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "6x5:k=4,gravity");
    Exact *one = open_exact("6x5:k=4,gravity", (ExactOptions){0});
    Exact *two = open_exact("6x5:k=4,gravity", (ExactOptions){.threads = 2});
    ExactResult first = run(one, &game.board, EXACT_VALUE, &no_limits);
    assert_int_equal(first.low, 0);
    assert_int_equal(value_of(two, &game.board, EXACT_VALUE), 0);
    assert_true(run(one, &game.board, EXACT_VALUE, &no_limits).nodes < first.nodes);
    exact_close(one);
    exact_close(two);
}

// --- The opening table ---

static void check_row(Exact *exact, const Game *game, ExactAim aim, const int *expected)
{
    ExactCells cells;
    run_cells(exact, &game->board, aim, NULL, &no_limits, &cells);
    for (unsigned i = 0; i < cells.count; i++) {
        assert_int_equal(cells.list[i].low, expected[i]);
        assert_int_equal(cells.list[i].high, expected[i]);
    }
    assert_int_equal(cells.nodes, 0);
}

static void test_openings(void **state)
{
    (void)state;
    static const int scores[] = {-2, -1, 0, 1, 0, -1, -2}, values[] = {-1, -1, 0, 1, 0, -1, -1};
    Exact *exact = open_exact("connect4", (ExactOptions){.openings = true});
    Game game;
    begin_game(&game, "connect4");
    assert_int_equal(value_of(exact, &game.board, EXACT_SCORE), 1);
    assert_int_equal(run(exact, &game.board, EXACT_SCORE, &no_limits).nodes, 0);
    check_row(exact, &game, EXACT_SCORE, scores);
    check_row(exact, &game, EXACT_VALUE, values);
    play_text(&game, "11");
    assert_int_equal(value_of(exact, &game.board, EXACT_VALUE), sign_of(value_of(exact, &game.board, EXACT_SCORE)));
    // Where the table ends the solver goes on: X wins with the next stone.
    play_text(&game, "2233");
    ExactCells cells;
    run_cells(exact, &game.board, EXACT_VALUE, NULL, &no_limits, &cells);
    assert_int_equal(cells.list[0].cell, cell_of(&game.board.rules, "d1"));
    assert_int_equal(cells.list[0].low, 1);
    assert_int_equal(value_of(exact, &game.board, EXACT_SCORE), (42 + 1 - 6) / 2);
    exact_close(exact);
}

// The table is for one game only, and asking for it elsewhere does no harm.
static void test_openings_elsewhere(void **state)
{
    (void)state;
    static const char *const games[] = {"5x4:k=4,gravity", "3x3:k=3"};
    for (unsigned i = 0; i < 2; i++) {
        Exact *exact = open_exact(games[i], (ExactOptions){.openings = true});
        Game game;
        begin_game(&game, games[i]);
        assert_int_equal(value_of(exact, &game.board, EXACT_SCORE), 0);
        exact_close(exact);
    }
}

// --- Refusals ---

static void test_check(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *words;
    } refused[] = {
        {"13x5:k=5", "65 cells are more than 64"},
        {"connect6", "361 cells"},
        {"12x10:k=4,gravity", "12 columns of 10 rows and a spare one are more than 128"},
        {"12x10:k=4,p=2,gravity", "120 cells"},
        {"12x10:k=4,gravity,exact", "120 cells"},
    };
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        Rules rules = rules_of(refused[i].rules);
        Error error = {0};
        assert_refused(exact_check(&rules, &error), error, refused[i].words);
        ExactOptions options = {0};
        Exact *exact = (Exact *)&options; // anything but NULL
        assert_refused(exact_open(&exact, &options, &rules, &error), error, refused[i].words);
        assert_null(exact);
        assert_int_not_equal(exact_check(&rules, NULL), STATUS_OK);
    }
    exact_close(NULL);
}

static void test_floating_stones(void **state)
{
    (void)state;
    for (unsigned openings = 0; openings < 2; openings++) {
        Exact *exact = open_exact("connect4", (ExactOptions){.openings = openings != 0});
        Rules rules = rules_of("connect4");
        Board board;
        board_init(&board, &rules);
        board_put(&board, cell_of(&rules, "c3"), SIDE_FIRST);
        assert_int_equal(board_set_turn(&board, SIDE_SECOND, 1), 0);
        ExactResult result;
        ExactCells cells;
        Error error = {0};
        ExactQuery query = {.board = &board, .aim = EXACT_SCORE, .limits = &no_limits};
        assert_refused(exact_run(exact, &query, &result, &error), error, "column 3");
        assert_refused(exact_cells(exact, &query, &cells, &error), error, "column 3");
        exact_close(exact);
    }
}

TEST_GROUP(exact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_play),
        cmocka_unit_test(test_bounds_are_no_value),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_few_nodes),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_signs_of_life),
        cmocka_unit_test(test_threads_and_memory),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_openings_elsewhere),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_floating_stones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
