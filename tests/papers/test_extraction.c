// Tests of pattern extraction: positions that can be checked by hand, and ties.
#include "support/check.h"

#include "papers/extraction_fixture.h"
#include "papers/patterns/pattern_proof.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static ExtractionResult run_drawing(Fixture *fixture, const char *rules, const char *drawing)
{
    Game game;
    read_drawing(&game, rules, drawing);
    ExtractionResult result;
    extraction_run(fixture->search, &game.board, &(ExtractionTask){fixture->index, &(Limits){0}, NULL, &fixture->rng},
                   &result);
    return result;
}

static void assert_pattern(const ExtractionResult *result, Side owner, unsigned tier, const char *text)
{
    char found[PATTERN_TEXT_SIZE];
    Pattern canonical;
    assert_true(result->has_pattern);
    assert_int_equal(result->owner, owner);
    assert_int_equal(result->pattern.tier, tier);
    pattern_canonical(&result->pattern, &canonical);
    pattern_format(&canonical, found);
    assert_string_equal(found, text);
}

// --- By hand ---

// X makes an open four. Whatever O does, one of the two ends is left.
static void test_open_four(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5");
    Fixture fixture = open_fixture(&usual, &rules);
    ExtractionResult result = run_drawing(&fixture, "9x9:k=5",
                                          ".........\n.........\n..O......\n.........\n...XXX...\n.........\n"
                                          ".....O...\n.O.......\n.........\nturn X 1\n");
    assert_pattern(&result, SIDE_FIRST, 1, ".xxxx.");
    assert_true(result.cell == cell_of(&rules, "c5") || result.cell == cell_of(&rules, "g5"));
    assert_true(fabs(result.score - 0.99 * 0.99 * 1e6 / 2 * 0.994) < 10000);
    close_fixture(&fixture);
}

// Where a longer row does not win, the pattern has the cells beside both rows, in which a stone would harm.
static void test_open_four_exact(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5,exact");
    Fixture fixture = open_fixture(&usual, &rules);
    ExtractionResult result = run_drawing(&fixture, "9x9:k=5,exact",
                                          ".........\n.........\n..O......\n.........\n...XXX...\n.........\n"
                                          ".....O...\n.O.......\n.........\nturn X 1\n");
    assert_pattern(&result, SIDE_FIRST, 1, "..xxxx..");
    close_fixture(&fixture);
}

// X cannot stop an open four of O: the pattern is learned from the position as it is, and it is O's.
static void test_loss(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5");
    Fixture fixture = open_fixture(&usual, &rules);
    ExtractionResult result = run_drawing(&fixture, "9x9:k=5",
                                          ".........\n.X.......\n.........\n....O....\n....O....\n....O....\n"
                                          "....O..X.\n.........\n.X.X.....\nturn X 1\n");
    assert_pattern(&result, SIDE_SECOND, 1, ".xxxx.");
    assert_true(result.score < -900000);
    close_fixture(&fixture);
}

// Known patterns carry the next ones: with the open four, two open threes of O are a loss of tier 2. Without it, three
// stones are not enough to see that.
static void test_two_threes(void **state)
{
    (void)state;
    static const char drawing[] = "...........\n.X.........\n.........X.\n...........\n.....O.....\n.....O.....\n"
                                  "...OOX.....\n...........\n.......X...\n.X.........\n...........\nturn X 1\n";
    static const char threes[] = "...........\n.X.........\n.........X.\n...........\n.....O.....\n.....O.....\n"
                                 "...OOO.....\n...........\n.........X.\n.X.........\n...........\nturn X 1\n";
    Rules rules = rules_of("11x11:k=5");
    Fixture fixture = open_fixture(&usual, &rules);
    ExtractionResult result = run_drawing(&fixture, "11x11:k=5", threes);
    assert_false(result.has_pattern);
    know(&fixture, ".xxxx.", 1);
    result = run_drawing(&fixture, "11x11:k=5", drawing);
    assert_false(result.has_pattern);
    result = run_drawing(&fixture, "11x11:k=5", threes);
    assert_true(result.has_pattern);
    assert_int_equal(result.owner, SIDE_SECOND);
    assert_int_equal(result.pattern.tier, 2);
    assert_true(result.matches > 0);

    PatternProof *proof = NULL;
    PatternProofResult proved;
    proof = pattern_proof_open(&rules);
    proved = pattern_proof_run(proof, &result.pattern, &(Limits){0});
    assert_int_equal(proved.verdict, PATTERN_PROVED);
    pattern_proof_close(proof);
    close_fixture(&fixture);
}

// A pattern of tier 2 does not count against a nearer one of tier 1 (Fig. 3 of the paper): X leaves the open threes of
// O alone and makes an open four.
static void test_tiers(void **state)
{
    (void)state;
    Rules rules = rules_of("11x11:k=5");
    Fixture fixture = open_fixture(&usual, &rules);
    know(&fixture, ".xxxx.", 1);
    ExtractionResult result =
        run_drawing(&fixture, "11x11:k=5",
                    "...........\n..XXX......\n...........\n...........\n.....O.....\n.....O.....\n"
                    "...OOO.....\n...........\n.........X.\n...........\n...........\nturn X 1\n");
    assert_true(result.cell == cell_of(&rules, "b10") || result.cell == cell_of(&rules, "f10"));
    assert_true(result.score > 400000);
    close_fixture(&fixture);
}

static bool hold_nothing(void *context, const Board *board, Side owner, const PatternMatch *match)
{
    (void)board;
    (void)owner;
    (void)match;
    ++*(unsigned *)context;
    return false;
}

// With a judge that rejects all patterns, known patterns have no effect.
static void test_judge(void **state)
{
    (void)state;
    Rules rules = rules_of("11x11:k=5");
    Fixture fixture = open_fixture(&usual, &rules);
    know(&fixture, ".xxxx.", 1);
    Game game;
    read_drawing(&game, "11x11:k=5",
                 "...........\n...........\n...........\n...........\n.....O.....\n.....O.....\n"
                 "...OOO.....\n...........\n.......X...\n.X.........\n...........\nturn X 1\n");
    unsigned asked = 0;
    ExtractionJudge judge = {hold_nothing, &asked};
    ExtractionResult result;
    extraction_run(fixture.search, &game.board, &(ExtractionTask){fixture.index, &(Limits){0}, &judge, &fixture.rng},
                   &result);
    assert_true(asked > 0);
    assert_false(result.has_pattern);
    assert_int_equal(result.matches, 0);
    close_fixture(&fixture);
}

static void test_limits(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5");
    Fixture fixture = open_fixture(&usual, &rules);
    Board board;
    board_init(&board, &rules);
    ExtractionResult result;
    for (unsigned nodes = 1; nodes < 6 * (1 + 6 + 36); nodes += 7) {
        Limits limits = {.nodes = nodes};
        extraction_run(fixture.search, &board, &(ExtractionTask){fixture.index, &limits, NULL, &fixture.rng}, &result);
        assert_int_equal(result.nodes, nodes);
        assert_true(board_is_legal(&board, result.cell));
    }
    atomic_bool stop = true;
    extraction_run(fixture.search, &board,
                   &(ExtractionTask){fixture.index, &(Limits){.stop = &stop}, NULL, &fixture.rng}, &result);
    assert_int_equal(result.nodes, 1);
    extraction_run(fixture.search, &board,
                   &(ExtractionTask){fixture.index, &(Limits){.deadline = 1e-9}, NULL, &fixture.rng}, &result);
    assert_true(result.nodes <= 16);
    extraction_run(fixture.search, &board, &(ExtractionTask){fixture.index, &(Limits){.depth = 2}, NULL, &fixture.rng},
                   &result);
    assert_int_equal(result.nodes, 6 * (1 + 6));
    assert_int_equal(result.depth, 2);
    extraction_run(fixture.search, &board, &(ExtractionTask){fixture.index, &(Limits){0}, NULL, &fixture.rng}, &result);
    assert_int_equal(result.nodes, 6 * (1 + 6 + 36));
    assert_true(board_is_legal(&board, result.cell));
    close_fixture(&fixture);
    extraction_close(NULL);
}

// A search that was cut short learns nothing, also where it has seen a pattern; nor does a first turn of two stones
// after the first of them.
static void test_nothing_to_learn(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5"), two = rules_of("9x9:k=3,q=2");
    Fixture fixture = open_fixture(&usual, &rules);
    Game game;
    ExtractionResult result;
    read_drawing(&game, "9x9:k=5",
                 ".........\n.........\n..O......\n.........\n...XXX...\n.........\n.....O...\n.O.......\n"
                 ".........\nturn X 1\n");
    extraction_run(fixture.search, &game.board,
                   &(ExtractionTask){fixture.index, &(Limits){.nodes = 100}, NULL, &fixture.rng}, &result);
    assert_false(result.has_pattern);
    close_fixture(&fixture);

    fixture = open_fixture(&usual, &two);
    Board board;
    board_init(&board, &two);
    extraction_run(fixture.search, &board, &(ExtractionTask){fixture.index, &(Limits){0}, NULL, &fixture.rng}, &result);
    assert_false(result.has_pattern);
    (void)board_play(&board, result.cell);
    extraction_run(fixture.search, &board, &(ExtractionTask){fixture.index, &(Limits){0}, NULL, &fixture.rng}, &result);
    assert_true(result.has_pattern);
    close_fixture(&fixture);
}

static void test_values(void **state)
{
    (void)state;
    ExtractionOptions options = usual;
    assert_true(fabs(extraction_pattern_value(&options, 0, 5) - 995000) < 1e-6);
    assert_true(fabs(extraction_pattern_value(&options, 1, 6) - 497000) < 1e-6);
    options.size_cost = 0;
    options.factor = 4;
    assert_true(fabs(extraction_pattern_value(&options, 2, 60) - 62500) < 1e-6);
    options.size_cost = 0.1;
    assert_true(fabs(extraction_pattern_value(&options, 0, 60) - 10000) < 1e-6);
}

// --- Higher tiers in the heuristic ---

// X can complete a five, and O can complete a large pattern of tier 2. The cell of the five stays the best candidate,
// unless the pattern counts by its own stones.
static void test_higher_tiers_leave_fives(void **state)
{
    (void)state;
    static const char drawing[] = "...........\n...........\n.O.O.O.....\n..O.O......\n.O.O.......\n...........\n"
                                  "...XXXX....\n...........\n.........X.\n.X.......X.\n...........\nturn X 1\n";
    Rules rules = rules_of("11x11:k=5");
    for (unsigned i = 0; i < 6; i++) {
        ExtractionOptions options = usual;
        options.in_branching = true;
        options.in_evaluation = i % 2 == 1;
        options.branching = i / 2 == 1 ? 6 : 1;
        options.by_product = i / 2 == 2;
        Fixture fixture = open_fixture(&options, &rules);
        know(&fixture, "x-x-x/-x-x-/x-x-x", 2);
        ExtractionResult result = run_drawing(&fixture, "11x11:k=5", drawing);
        bool completes = result.cell == cell_of(&rules, "c5") || result.cell == cell_of(&rules, "h5");
        assert_true(options.by_product ? result.cell == cell_of(&rules, "f7") : completes);
        close_fixture(&fixture);
    }
}

// --- Ties ---

enum { TIES_SEEDS = 2000 };

// How often each cell of an empty board of 15x15 is played with different seeds; returns the number of cells played.
static unsigned count_first_stones(const ExtractionOptions *options, unsigned seeds, unsigned played[RULES_CELLS_MAX])
{
    Rules rules = rules_of("15x15:k=5");
    Fixture fixture = open_fixture(options, &rules);
    Board board;
    board_init(&board, &rules);
    unsigned different = 0;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        Rng rng = rng_make(seed);
        ExtractionResult result;
        extraction_run(fixture.search, &board, &(ExtractionTask){fixture.index, &(Limits){0}, NULL, &rng}, &result);
        different += played[result.cell]++ == 0;
    }
    close_fixture(&fixture);
    return different;
}

// One stone deep, the 49 cells in the middle are equal: each is played about as often as the others. Chi-squared has 48
// degrees of freedom, and 93 is its 99.99 % point.
static void test_ties_are_random(void **state)
{
    (void)state;
    unsigned played[RULES_CELLS_MAX] = {0};
    ExtractionOptions options = usual;
    options.depth = 1;
    assert_int_equal(count_first_stones(&options, TIES_SEEDS, played), 49);
    double expected = TIES_SEEDS / 49.0, squares = 0;
    for (unsigned row = 4; row <= 10; row++)
        for (unsigned column = 4; column <= 10; column++) {
            double difference = played[cell_at(column, row)] - expected;
            squares += difference * difference / expected;
        }
    assert_true(squares < 93);
}

// A deeper search draws the candidates as well: no side of the board is preferred. Each half has 1000 of the stones in
// the mean, with a standard deviation of at most 22.
static void test_ties_prefer_no_side(void **state)
{
    (void)state;
    unsigned played[RULES_CELLS_MAX] = {0}, below = 0, left = 0;
    ExtractionOptions options = usual;
    assert_true(count_first_stones(&options, TIES_SEEDS, played) > 20);
    for (unsigned i = 0; i < 15 * 15; i++) {
        unsigned row = i / 15, column = i % 15, count = played[cell_at(column, row)];
        below += row < 7 ? 2 * count : row == 7 ? count : 0;
        left += column < 7 ? 2 * count : column == 7 ? count : 0;
    }
    assert_in_range(below / 2, TIES_SEEDS / 2 - 100, TIES_SEEDS / 2 + 100);
    assert_in_range(left / 2, TIES_SEEDS / 2 - 100, TIES_SEEDS / 2 + 100);
    options.takes_first = true;
    memset(played, 0, sizeof played);
    assert_int_equal(count_first_stones(&options, 5, played), 1);
}

TEST_GROUP(extraction)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_four),
        cmocka_unit_test(test_open_four_exact),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_two_threes),
        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nothing_to_learn),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_higher_tiers_leave_fives),
        cmocka_unit_test(test_ties_are_random),
        cmocka_unit_test(test_ties_prefer_no_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
