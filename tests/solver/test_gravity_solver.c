// Tests of the exact solver for gravity games: compared with a simple search, with published values and with itself:
// mirrored, interrupted, with several threads, with words of other sizes.
#include "bench/bench_parts.h"
#include "solver/gravity/gravity_solver_internal.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static GravitySolver *open_solver(const char *rules, unsigned threads)
{
    Error error = {0};
    GravitySolver *solver;
    Rules parsed = rules_of(rules);
    assert_done(gravity_solver_open(&solver, &parsed, 1, threads, &error), error);
    return solver;
}

static int score_of(GravitySolver *solver, const Board *board)
{
    Error error = {0};
    ExactResult result;
    Limits limits = {0};
    assert_done(gravity_solver_run(solver, &(ExactQuery){board, EXACT_SCORE, &limits, NULL}, &result, &error), error);
    assert_int_equal(result.low, result.high);
    return result.low;
}

static int weak_of(GravitySolver *solver, const Board *board)
{
    Error error = {0};
    ExactResult result;
    Limits limits = {0};
    assert_done(gravity_solver_run(solver, &(ExactQuery){board, EXACT_VALUE, &limits, NULL}, &result, &error), error);
    assert_int_equal(result.low, result.high);
    return result.low;
}

static int sign_of(int score)
{
    return (score > 0) - (score < 0);
}

// Boards of every kind: odd and even sides, flat, steep, rows that fit in some directions only, words of both sizes.
static const char *const boards[] = {
    "4x4:k=3,gravity",  "4x4:k=4,gravity",  "5x4:k=4,gravity",  "4x5:k=4,gravity",  "5x5:k=4,gravity",
    "5x5:k=3,gravity",  "6x4:k=4,gravity",  "4x6:k=4,gravity",  "4x7:k=4,gravity",  "7x5:k=5,gravity",
    "7x6:k=4,gravity",  "7x6:k=5,gravity",  "6x7:k=4,gravity",  "8x7:k=4,gravity",  "9x6:k=4,gravity",
    "3x9:k=4,gravity",  "9x3:k=4,gravity",  "12x1:k=3,gravity", "1x7:k=3,gravity",  "2x8:k=2,gravity",
    "3x3:k=1,gravity",  "6x5:k=6,gravity",  "9x7:k=4,gravity",  "10x8:k=5,gravity", "11x10:k=4,gravity",
    "16x7:k=4,gravity", "64x1:k=4,gravity", "32x1:k=3,gravity", "2x63:k=5,gravity", "1x64:k=3,gravity",
};

static void scores_equal_the_plain_ones(void **state)
{
    (void)state;
    Rng rng = rng_make(9);
    unsigned long tries = test_steps() / 200;
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        GravitySolver *solver = open_solver(boards[i], 1);
        for (unsigned long t = 0; t < tries; t++) {
            Game game;
            if (!begin_near_the_end(&game, boards[i], 11, &rng))
                continue;
            int cells = (int)game.board.cells, score = bench_solve_plain(&game.board, -cells, cells);
            if (score_of(solver, &game.board) != score)
                print_board(&game.board);
            assert_int_equal(score_of(solver, &game.board), score);
            assert_int_equal(weak_of(solver, &game.board), sign_of(score));
        }
        gravity_solver_close(solver);
    }
}

// Stones that were never played in turns, and either side to move.
static bool scatter_by_hand(Board *board, const Rules *rules, unsigned empty, Rng *rng)
{
    board_init(board, rules);
    while (board_count(board) + empty < board->cells) {
        unsigned column = rng_below(rng, rules->width), row = board_drop_row(board, column);
        if (row < rules->height)
            board_put(board, cell_at(column, row), (Side)rng_below(rng, 2));
    }
    return board_set_turn(board, (Side)rng_below(rng, 2), 1) == 0;
}

static void positions_set_up_by_hand_are_solved(void **state)
{
    (void)state;
    Rng rng = rng_make(10);
    static const char *const kinds[] = {"4x4:k=4,gravity", "5x5:k=4,gravity", "6x4:k=4,gravity", "7x6:k=4,gravity"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        GravitySolver *solver = open_solver(kinds[i], 1);
        Rules rules = rules_of(kinds[i]);
        // Most boards that are full of stones have a row already.
        for (unsigned long solved = 0; solved < test_steps() / 600;) {
            Board board;
            if (!scatter_by_hand(&board, &rules, 1 + rng_below(&rng, 10), &rng))
                continue;
            int cells = (int)board.cells;
            assert_int_equal(score_of(solver, &board), bench_solve_plain(&board, -cells, cells));
            solved++;
        }
        gravity_solver_close(solver);
    }
}

static void a_mirrored_position_is_worth_the_same(void **state)
{
    (void)state;
    Rng rng = rng_make(11);
    Rules rules = rules_of("connect4");
    for (unsigned long t = 0; t < test_steps() / 6000; t++) {
        Board board, mirrored;
        if (!scatter_stones(&board, &rules, 14 + rng_below(&rng, 12), &rng))
            continue;
        board_init(&mirrored, &rules);
        for (unsigned column = 0; column < rules.width; column++)
            for (unsigned row = 0; row < rules.height; row++)
                if (board_stone(&board, cell_at(column, row)) != STONE_NONE)
                    board_put(&mirrored, cell_at(rules.width - 1u - column, row),
                              (Side)board_stone(&board, cell_at(column, row)));
        assert_int_equal(board_set_turn(&mirrored, board_side(&board), 1), 0);
        GravitySolver *one = open_solver("connect4", 1), *other = open_solver("connect4", 1);
        int score = score_of(one, &board);
        assert_int_equal(score_of(other, &mirrored), score);
        assert_int_equal(score_of(one, &mirrored), score);
        gravity_solver_close(one);
        gravity_solver_close(other);
    }
}

// J. Tromp's table, what takes less than a second of it; 1, 0, -1 for the first player.
static void published_values(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        int value;
    } known[] = {
        {"4x4:k=4,gravity", 0}, {"5x4:k=4,gravity", 0}, {"6x4:k=4,gravity", -1}, {"7x4:k=4,gravity", 0},
        {"4x5:k=4,gravity", 0}, {"5x5:k=4,gravity", 0}, {"6x5:k=4,gravity", 0},  {"4x6:k=4,gravity", 0},
        {"5x6:k=4,gravity", 0}, {"4x7:k=4,gravity", 0}, {"4x8:k=4,gravity", 0},  {"5x7:k=4,gravity", 0},
        {"4x9:k=4,gravity", 0}, {"7x5:k=4,gravity", 0}, {"8x4:k=4,gravity", -1}, {"6x6:k=4,gravity", -1},
    };
    // The larger boards only in builds where steps are fast.
    size_t count = sizeof known / sizeof known[0] - (test_steps() < 60000 ? 6 : 0);
    for (size_t i = 0; i < count; i++) {
        GravitySolver *solver = open_solver(known[i].rules, 1);
        Game game;
        begin_game(&game, known[i].rules);
        assert_int_equal(weak_of(solver, &game.board), known[i].value);
        assert_int_equal(sign_of(score_of(solver, &game.board)), known[i].value);
        gravity_solver_close(solver);
    }
}

// --- Columns and lines ---

static void every_column_has_its_score(void **state)
{
    (void)state;
    Rng rng = rng_make(12);
    Error error = {0};
    for (unsigned long t = 0; t < test_steps() / 600; t++) {
        const char *rules = boards[rng_below(&rng, 22)];
        Game game;
        if (!begin_near_the_end(&game, rules, 11, &rng))
            continue;
        GravitySolver *solver = open_solver(rules, 1);
        ExactCells found;
        Limits limits = {0};
        assert_done(
            gravity_solver_cells(solver, &(ExactQuery){&game.board, EXACT_SCORE, &limits, NULL}, &found, &error),
            error);
        int best = -RULES_CELLS_MAX, cells = (int)game.board.cells;
        Cell legal[RULES_CELLS_MAX];
        assert_int_equal(found.count, board_legal_cells(&game.board, legal));
        for (unsigned i = 0; i < found.count; i++) {
            assert_int_equal(found.list[i].cell, legal[i]);
            game_play(&game, legal[i]);
            int score = -bench_solve_plain(&game.board, -cells, cells);
            game_undo(&game);
            assert_int_equal(found.list[i].low, score);
            assert_int_equal(found.list[i].high, score);
            best = score > best ? score : best;
        }
        assert_int_equal(score_of(solver, &game.board), best);
        gravity_solver_close(solver);
    }
}

// --- Limits ---

static void remember(void *context, const ExactResult *so_far)
{
    ExactResult *last = context;
    assert_true(so_far->low >= last->low && so_far->high <= last->high);
    *last = *so_far;
}

static void an_interrupted_search_has_sound_bounds(void **state)
{
    (void)state;
    Rng rng = rng_make(14);
    Error error = {0};
    Rules rules = rules_of("connect4");
    unsigned cut = 0;
    for (unsigned long t = 0; t < 20 + test_steps() / 2000; t++) {
        Board board;
        if (!scatter_stones(&board, &rules, 14 + rng_below(&rng, 8), &rng))
            continue;
        GravitySolver *solver = open_solver("connect4", 1);
        ExactResult last = {.low = -100, .high = 100}, result;
        Limits limits = {.nodes = 1 + rng_below(&rng, 2000)};
        gravity_solver_watch(solver, (ExactWatch){.progress = remember, .context = &last});
        assert_done(gravity_solver_run(solver, &(ExactQuery){&board, EXACT_SCORE, &limits, NULL}, &result, &error),
                    error);
        gravity_solver_watch(solver, (ExactWatch){0});
        assert_true(result.nodes <= limits.nodes);
        gravity_solver_watch(solver, (ExactWatch){0}); // the next search starts from wide bounds again
        int score = score_of(solver, &board);
        assert_true(result.low <= score && score <= result.high);
        assert_true(last.low <= score && score <= last.high);
        cut += result.low != result.high;
        ExactResult again;
        gravity_solver_clear(solver);
        assert_done(gravity_solver_run(solver, &(ExactQuery){&board, EXACT_SCORE, &limits, NULL}, &again, &error),
                    error);
        assert_true(again.low == result.low && again.high == result.high && again.nodes == result.nodes);
        assert_true(again.has_best == result.has_best && (!result.has_best || again.best == result.best));
        gravity_solver_close(solver);
    }
    assert_true(cut > 0);
}

static void a_raised_flag_ends_it_at_once(void **state)
{
    (void)state;
    Error error = {0};
    atomic_bool stop = true;
    for (unsigned threads = 1; threads <= 2; threads++) {
        GravitySolver *solver = open_solver("connect4", threads);
        Game game;
        begin_game(&game, "connect4");
        Limits limits = {.stop = &stop};
        ExactResult result;
        assert_done(gravity_solver_run(solver, &(ExactQuery){&game.board, EXACT_SCORE, &limits, NULL}, &result, &error),
                    error);
        assert_int_equal(result.low, -21);
        assert_int_equal(result.high, 21);
        ExactCells cells;
        assert_done(
            gravity_solver_cells(solver, &(ExactQuery){&game.board, EXACT_VALUE, &limits, NULL}, &cells, &error),
            error);
        assert_int_equal(cells.count, 7);
        assert_true(cells.list[3].low == -1 && cells.list[3].high == 1);
        gravity_solver_close(solver);
    }
}

static void a_single_node_is_a_limit_for_all_threads(void **state)
{
    (void)state;
    Error error = {0};
    Game game;
    begin_game(&game, "connect4");
    for (unsigned threads = 1; threads <= 3; threads++) {
        GravitySolver *solver = open_solver("connect4", threads);
        Limits limits = {.nodes = 1};
        ExactResult result;
        for (unsigned aim = EXACT_SCORE; aim <= EXACT_VALUE; aim++) {
            assert_done(
                gravity_solver_run(solver, &(ExactQuery){&game.board, (ExactAim)aim, &limits, NULL}, &result, &error),
                error);
            assert_true(result.nodes <= 1);
            assert_true(result.low < result.high);
        }
        gravity_solver_close(solver);
    }
}

static void threads_give_the_same_scores(void **state)
{
    (void)state;
    Rng rng = rng_make(15);
    static const char *const kinds[] = {"connect4", "6x5:k=4,gravity", "9x7:k=4,gravity"};
    static const unsigned empty[] = {24, 22, 18};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        GravitySolver *one = open_solver(kinds[i], 1), *many = open_solver(kinds[i], 3);
        Rules rules = rules_of(kinds[i]);
        for (unsigned long t = 0; t < test_steps() / 3000; t++) {
            Board board;
            if (!scatter_stones(&board, &rules, rules_cells(&rules) - empty[i], &rng))
                continue;
            assert_int_equal(score_of(many, &board), score_of(one, &board));
        }
        gravity_solver_close(one);
        gravity_solver_close(many);
    }
}

// --- Refusals ---

static void rules_that_do_not_suit_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"7x6:k=4", "with gravity"},
        {"7x6:k=4,p=2,q=1,gravity", "one stone per turn"},
        {"7x6:k=4,exact,gravity", "does not support 'exact'"},
        {"12x10:k=4,gravity", "too large"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Error error = {0};
        GravitySolver *solver;
        Rules rules = rules_of(wrong[i][0]);
        assert_refused(gravity_solver_open(&solver, &rules, 0, 0, &error), error, wrong[i][1]);
        assert_null(solver);
        gravity_solver_close(solver);
    }
}

static void positions_that_do_not_suit_are_refused(void **state)
{
    (void)state;
    Error error = {0};
    ExactResult result;
    Limits limits = {0};
    GravitySolver *solver = open_solver("connect4", 1);
    Game game;
    begin_game(&game, "7x6:k=5,gravity");
    assert_refused(gravity_solver_run(solver, &(ExactQuery){&game.board, EXACT_SCORE, &limits, NULL}, &result, &error),
                   error, "other rules");
    begin_game(&game, "connect4");
    play_text(&game, "1122334");
    assert_refused(gravity_solver_run(solver, &(ExactQuery){&game.board, EXACT_SCORE, &limits, NULL}, &result, &error),
                   error, "over");
    Board board;
    Rules rules = rules_of("connect4");
    board_init(&board, &rules);
    board_put(&board, cell_at(2, 1), SIDE_FIRST);
    assert_int_equal(board_set_turn(&board, SIDE_SECOND, 1), 0);
    assert_refused(gravity_solver_run(solver, &(ExactQuery){&board, EXACT_SCORE, &limits, NULL}, &result, &error),
                   error, "column 3");
    gravity_solver_close(solver);
}

TEST_GROUP(gravity_solver)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_equal_the_plain_ones),
        cmocka_unit_test(positions_set_up_by_hand_are_solved),
        cmocka_unit_test(a_mirrored_position_is_worth_the_same),
        cmocka_unit_test(published_values),
        cmocka_unit_test(every_column_has_its_score),
        cmocka_unit_test(an_interrupted_search_has_sound_bounds),
        cmocka_unit_test(a_raised_flag_ends_it_at_once),
        cmocka_unit_test(a_single_node_is_a_limit_for_all_threads),
        cmocka_unit_test(threads_give_the_same_scores),
        cmocka_unit_test(rules_that_do_not_suit_are_refused),
        cmocka_unit_test(positions_that_do_not_suit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
