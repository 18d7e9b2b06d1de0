// Tests of the opening table of Connect Four: published values, mirror images, scores one stone apart, and samples
// solved again. The tests do not depend on the number of stones of its positions.
#include "game/symmetry.h"
#include "solver/gravity/gravity_openings.h"
#include "solver/gravity/gravity_solver.h"
#include "support/check.h"

enum { CELLS = 42 };

static GravityOpenings *open_openings(void)
{
    Error error = {0};
    GravityOpenings *openings = NULL;
    assert_done(gravity_openings_open(&openings, &error), error);
    return openings;
}

static int score_in(const GravityOpenings *openings, const Board *board)
{
    int score = CELLS;
    assert_true(gravity_openings_look_up(openings, board, &score));
    return score;
}

// A random position with that many stones.
static void scatter(Board *board, unsigned stones, Rng *rng)
{
    Rules rules = rules_of("connect4");
    while (!scatter_stones(board, &rules, stones, rng))
        continue;
}

static void test_suits(void **state)
{
    (void)state;
    static const char *const others[] = {"7x6:k=4",
                                         "6x7:k=4,gravity",
                                         "7x6:k=5,gravity",
                                         "7x6:k=4,p=2,gravity",
                                         "7x6:k=4,q=2,gravity",
                                         "7x6:k=4,gravity,exact",
                                         "8x6:k=4,gravity",
                                         "7x7:k=4,gravity"};
    Rules rules = rules_of("connect4");
    assert_true(gravity_openings_suits(&rules));
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        rules = rules_of(others[i]);
        assert_false(gravity_openings_suits(&rules));
    }
    gravity_openings_close(NULL);
}

// The first player wins from the middle with its last stone (L. V. Allis, A Knowledge-based Approach of Connect-Four,
// 1988); the scores of the columns are widely known.
static void test_published(void **state)
{
    (void)state;
    static const int columns[] = {-2, -1, 0, 1, 0, -1, -2};
    GravityOpenings *openings = open_openings();
    Rules rules = rules_of("connect4");
    Board board;
    board_init(&board, &rules);
    assert_int_equal(score_in(openings, &board), 1);
    for (unsigned column = 0; column < 7; column++) {
        BoardState before = board_play(&board, cell_at(column, 0));
        assert_int_equal(score_in(openings, &board), -columns[column]);
        board_undo(&board, cell_at(column, 0), before);
    }
    gravity_openings_close(openings);
}

// The table contains every position up to the last layer, with the score of its mirror image, and none beyond.
static void test_mirrored(void **state)
{
    (void)state;
    GravityOpenings *openings = open_openings();
    Rng rng = rng_make(31);
    for (unsigned long step = 0; step < test_steps() / 100 + 1; step++) {
        Board board, mirrored;
        scatter(&board, rng_below(&rng, gravity_openings_stones() + 1), &rng);
        int score = score_in(openings, &board);
        assert_int_equal(symmetry_count(&board.rules), 2);
        symmetry_board(&board, 1, &mirrored);
        assert_int_equal(score_in(openings, &mirrored), score);
        scatter(&board, gravity_openings_stones() + 1, &rng);
        assert_false(gravity_openings_look_up(openings, &board, &score));
    }
    gravity_openings_close(openings);
}

// The best of the scores a stone further, seen from the other side; a row that is completed counts by its stones.
static int score_by_next(const GravityOpenings *openings, Board *board)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    int best = -CELLS;
    for (unsigned i = 0; i < count; i++) {
        int win = (int)(CELLS + 1 - board_count(board)) / 2;
        BoardState before = board_play(board, cells[i]);
        int score = board_winner(board) != WINNER_NONE ? win : -score_in(openings, board);
        board_undo(board, cells[i], before);
        best = score > best ? score : best;
    }
    return best;
}

static void test_a_stone_apart(void **state)
{
    (void)state;
    GravityOpenings *openings = open_openings();
    Rng rng = rng_make(32);
    for (unsigned long step = 0; step < test_steps() / 100 + 1; step++) {
        Board board;
        scatter(&board, rng_below(&rng, gravity_openings_stones()), &rng);
        assert_int_equal(score_in(openings, &board), score_by_next(openings, &board));
    }
    gravity_openings_close(openings);
}

// Positions of the last layer, which the file itself has, solved again: what is found out within a number of positions
// that takes little time never speaks against the table, and of some it is who wins.
static void test_samples(void **state)
{
    (void)state;
    enum { SAMPLES = 3, NODES = 2000000 };
    GravityOpenings *openings = open_openings();
    GravitySolver *solver = NULL;
    Limits limits = {.nodes = test_is_long() ? 0 : NODES};
    Rules rules = rules_of("connect4");
    Error error = {0};
    Rng rng = rng_make(33);
    unsigned decided = 0;
    assert_done(gravity_solver_open(&solver, &rules, 4, 1, &error), error);
    for (unsigned i = 0; i < SAMPLES; i++) {
        Board board;
        ExactResult result;
        scatter(&board, gravity_openings_stones(), &rng);
        int score = score_in(openings, &board);
        assert_done(gravity_solver_run(solver, &(ExactQuery){&board, EXACT_SCORE, &limits, NULL}, &result, &error),
                    error);
        if (score < result.low || score > result.high)
            print_board(&board);
        assert_in_range(score + CELLS, result.low + CELLS, result.high + CELLS);
        decided += result.low == result.high || result.low > 0 || result.high < 0;
    }
    assert_true(decided > 0);
    gravity_solver_close(solver);
    gravity_openings_close(openings);
}

// The side to move cannot win sooner than with its next stone, nor lose sooner than with the one after.
#define OPENINGS_STONES(stones, positions) enum { STONES = (stones), POSITIONS = (positions) };
#define OPENINGS(text)
#include "solver/gravity/gravity_openings.def"
#undef OPENINGS_STONES
#undef OPENINGS

static void test_letters(void **state)
{
    (void)state;
#define OPENINGS_STONES(stones, positions)
#define OPENINGS(text) text,
    static const char *const lines[] = {
#include "solver/gravity/gravity_openings.def"
    };
    size_t count = 0;
    assert_int_equal(gravity_openings_stones(), STONES);
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        for (const char *letter = lines[i]; *letter != '\0'; letter++, count++) {
            int score = *letter - '0' - CELLS / 2;
            assert_true(score >= -((CELLS - STONES) / 2) && score <= (CELLS + 1 - STONES) / 2);
        }
    assert_int_equal(count, POSITIONS);
}

// Positions that were set up: the side that has fewer stones or as many is to move, or the table does not have them.
static void test_set_up(void **state)
{
    (void)state;
    GravityOpenings *openings = open_openings();
    Rules rules = rules_of("connect4");
    Board board;
    int score = 0;
    board_init(&board, &rules);
    assert_int_equal(board_set_turn(&board, SIDE_SECOND, 1), 0);
    assert_int_equal(score_in(openings, &board), 1);
    board_put(&board, cell_of(&rules, "d1"), SIDE_SECOND);
    assert_int_equal(board_set_turn(&board, SIDE_SECOND, 1), 0);
    assert_false(gravity_openings_look_up(openings, &board, &score));
    assert_int_equal(board_set_turn(&board, SIDE_FIRST, 1), 0);
    assert_int_equal(score_in(openings, &board), -1);
    board_init(&board, &rules);
    board_put(&board, cell_of(&rules, "d2"), SIDE_FIRST);
    assert_int_equal(board_set_turn(&board, SIDE_SECOND, 1), 0);
    assert_false(gravity_openings_look_up(openings, &board, &score));
    gravity_openings_close(openings);
}

TEST_GROUP(gravity_openings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suits),         cmocka_unit_test(test_published), cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_a_stone_apart), cmocka_unit_test(test_samples),   cmocka_unit_test(test_letters),
        cmocka_unit_test(test_set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
