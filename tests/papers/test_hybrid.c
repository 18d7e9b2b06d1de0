// Tests of the agents of Vasilchenko and Johnson: each step of `hybrid` in the paper's order on drawn boards, and the
// limits of both agents.
#include "agents/agent.h"
#include "match/referee.h"
#include "support/check.h"

#include <string.h>

// The counts of a turn: detected without a search, by threes alone, and blocks among these, which do not win.
static void check_counts(const Decision *decision, unsigned detected, unsigned threes)
{
    assert_int_equal(decision->counts, 4);
    assert_string_equal(decision->count_list[0].name, "turns");
    assert_string_equal(decision->count_list[1].name, "detected");
    assert_string_equal(decision->count_list[2].name, "threes");
    assert_string_equal(decision->count_list[3].name, "blocks");
    assert_int_equal(decision->count_list[0].value, 1);
    assert_int_equal(decision->count_list[1].value, detected);
    assert_int_equal(decision->count_list[2].value, threes);
    assert_int_equal(decision->count_list[3].value, threes && decision->proven == PROVEN_NOTHING ? 1 : 0);
    assert_int_equal(decision->nodes == 0, detected);
}

enum { LOTS = 120 };

// Over many seeds the agent plays exactly the cells of the list, "a4 c1", each about equally often.
static void check_list(const char *agent, const char *rules, const char *drawing, const char *list, unsigned threes)
{
    Game game;
    Decision decision;
    unsigned counts[16] = {0}, total = 0, cells = 0;
    read_drawing(&game, rules, drawing);
    for (uint64_t seed = 0; seed < LOTS; seed++) {
        decide_turn(agent, &game, seed, (Budget){0}, &decision);
        check_counts(&decision, 1, threes);
        assert_int_equal(decision.count, 1);
        cells = 0;
        for (Span rest = span_of(list), name; span_next_part(&rest, ' ', &name); cells++) {
            char text[8] = {0};
            memcpy(text, name.at, name.length);
            bool hit = decision.stones[0] == cell_of(&game.board.rules, text);
            counts[cells] += hit;
            total += hit;
        }
    }
    assert_int_equal(total, LOTS);
    for (unsigned i = 0; i < cells; i++)
        assert_in_range(counts[i], LOTS / cells * 2 / 3 - 3, LOTS);
}

// --- The steps of section 1a ---

static void test_a_three_is_completed_first(void **state)
{
    (void)state;
    // Both sides have a three that can be completed, and twos besides.
    const char *both = ".......\n.......\n.......\nX.....O\nX.....O\nXX...OO\nturn X 1\n";
    check_list("hybrid", "connect4", both, "a4", 1);
    Game game;
    Decision decision;
    read_drawing(&game, "connect4", both);
    decide_turn("hybrid", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 1);
    assert_true(decision.score == 1);
    // Either of two cells.
    check_list("hybrid", "connect4", ".......\n.......\n.......\n.......\n.......\n.XXX.OO\nturn X 1\n", "a1 e1", 1);
}

static void test_a_three_is_blocked_before_twos(void **state)
{
    (void)state;
    const char *board = ".......\n.......\n.......\n......O\n.X....O\n.X....O\nturn X 1\n";
    check_list("hybrid", "connect4", board, "g4", 1);
    // The list R: both ends of a three, one of another, no twos.
    check_list("hybrid", "connect4", ".......\n.......\n.......\nO......\nO......\nO.OOO.X\nturn X 1\n", "a4 b1 f1", 1);
    // A three whose end hangs in the air is none: only twos are left, the own one and two of O's.
    check_list("hybrid", "connect4", ".......\n.......\n.......\n.......\n...OOO.\nX..XXO.\nturn X 1\n", "c1 d3 f3", 0);
}

static void test_twos_by_lot(void **state)
{
    (void)state;
    // The list W: X's pair is extended, O's pair blocked on either side.
    check_list("hybrid", "connect4", ".......\n.......\n.......\n.......\nX......\nX..OO..\nturn X 1\n", "a3 c1 f1", 0);
    // A cell with two reasons is there once.
    check_list("hybrid", "connect4", ".......\n.......\n.......\n.......\nX......\nX.OO.XX\nturn X 1\n", "a3 b1 e1", 0);
}

static void test_a_search_where_there_are_no_chains(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.......\nX..O..X\nturn O 1\n");
    decide_turn("hybrid", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 0, 0);
    assert_int_equal(decision.depth, 5);
    assert_true(decision.score == 0);
    // A win that is not consecutive is found by the search alone.
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.......\nX.X.X..\nturn X 1\n");
    decide_turn("hybrid", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 0, 0);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, -1);
    assert_true(decision.score == 1);
    decide_turn("hybrid:sooner=1", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.distance, 3);
    // Without detection a plain three is searched as well.
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.......\n.XXX.OO\nturn X 1\n");
    decide_turn("hybrid:detect=0,sooner=1", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 0, 0);
    assert_int_equal(decision.distance, 1);
}

// Fig. 5, as its text describes it: one of three twos, of which only c1 stops a three with a gap.
static void test_gaps(void **state)
{
    (void)state;
    const char *figure = ".......\n.......\n.......\nX......\nX......\nOO.OO..\nturn X 1\n";
    check_list("hybrid", "connect4", figure, "a4 c1 f1", 0);
    check_list("hybrid:gaps=1", "connect4", figure, "c1", 1);
    // The own one is completed first.
    const char *own = ".......\n.......\n.......\n......O\n......O\nXX.X..O\nturn X 1\n";
    check_list("hybrid", "connect4", own, "g4", 1);
    check_list("hybrid:gaps=1", "connect4", own, "c1", 1);
}

// The related work: "if there are no three-in-a-rows to extend or block, our algorithm performs a search".
static void test_threes_alone(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    check_list("hybrid:twos=0", "connect4", ".......\n.......\n.......\nO......\nO......\nO.OOO.X\nturn X 1\n",
               "a4 b1 f1", 1);
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\nX......\nX..OO..\nturn X 1\n");
    decide_turn("hybrid:twos=0", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 0, 0);
    assert_int_equal(decision.depth, 5);
}

// --- Sarhan ---

// Over many seeds the agent plays each of these cells, and no others.
static void check_cells(const char *agent, const char *drawing, const char *list)
{
    Game game;
    Decision decision;
    uint64_t expected = 0, played = 0;
    read_drawing(&game, "connect4", drawing);
    for (Span rest = span_of(list), name; span_next_part(&rest, ' ', &name);) {
        char text[8] = {0};
        memcpy(text, name.at, name.length);
        Cell cell = cell_of(&game.board.rules, text);
        expected |= UINT64_C(1) << (cell_row(cell) * 7 + cell_column(cell));
    }
    for (uint64_t seed = 0; seed < LOTS; seed++) {
        decide_turn(agent, &game, seed, (Budget){0}, &decision);
        played |= UINT64_C(1) << (cell_row(decision.stones[0]) * 7 + cell_column(decision.stones[0]));
    }
    assert_true(played == expected);
}

static void test_sarhan(void **state)
{
    (void)state;
    const char *both = ".......\n.......\n.......\nX.....O\nX.....O\nXX...OO\nturn X 1\n";
    check_cells("sarhan", both, "a4");
    check_cells("sarhan", ".......\n.......\n.......\nO......\nO......\nO.OOO.X\nturn X 1\n", "a4 b1 f1");
    const char *twos = ".......\n.......\n.......\n.......\nX......\nX..OO..\nturn X 1\n";
    check_cells("sarhan", twos, "a3 b1 c1 d2 e2 f1 g1");
    check_cells("sarhan:twos=1", twos, "a3 c1 f1");
    check_cells("sarhan:twos=1", ".......\n.......\n.......\n.......\n.......\nX..O..X\nturn O 1\n",
                "a2 b1 c1 d2 e1 f1 g2");
}

// --- Other games ---

static void test_other_lengths(void **state)
{
    (void)state;
    // k = 5: fours and threes, without gravity; pairs are nothing.
    const char *three = ".........\n.........\n...XXX...\n.........\n.OO......\n.........\nturn O 1\n";
    check_list("hybrid", "9x6:k=5", three, "c4 g4", 0);
    const char *four = ".........\n.........\n..XXXX...\n.........\nOOO......\n.........\nturn O 1\n";
    check_list("hybrid", "9x6:k=5", four, "b4 g4", 1);
    // k = 3: a single stone is a two of the paper.
    check_list("hybrid", "5x4:k=3,gravity", ".....\n.....\n.....\nX....\nturn O 1\n", "a2 b1", 0);
    // Under exact, a stone that makes the row too long completes nothing.
    check_list("hybrid", "9x1:k=4,exact", ".XXX.X.O.\nturn X 1\n", "a1", 1);
}

static void test_several_stones(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    // Connect6: a four becomes six within the turn, and is completed although five of O are to be blocked.
    read_drawing(&game, "9x5:k=6,p=2,q=1", ".........\n.OOOOO...\n.........\n..XXXX...\n.........\nturn X 2\n");
    for (uint64_t seed = 0; seed < 30; seed++) {
        decide_turn("hybrid", &game, seed, (Budget){0}, &decision);
        check_counts(&decision, 1, 1);
        assert_int_equal(decision.proven, PROVEN_WIN);
        assert_int_equal(decision.distance, 2);
    }
    // With one stone left it is not, and the five is blocked.
    read_drawing(&game, "9x5:k=6,p=2,q=1", ".........\nXOOOOO...\n.........\n..XXXX...\n.........\nturn X 1\n");
    for (uint64_t seed = 0; seed < 30; seed++) {
        decide_turn("hybrid", &game, seed, (Budget){0}, &decision);
        check_counts(&decision, 1, 1);
        assert_int_equal(decision.stones[0], cell_at(6, 3));
    }
    // What O can complete in a whole turn is blocked, although one stone of X is left.
    read_drawing(&game, "9x5:k=6,p=2,q=1", ".........\nX.OOOO...\n.........\n..XXX....\n.........\nturn X 1\n");
    for (uint64_t seed = 0; seed < 30; seed++) {
        decide_turn("hybrid", &game, seed, (Budget){0}, &decision);
        check_counts(&decision, 1, 1);
        assert_true(decision.stones[0] == cell_at(1, 3) || decision.stones[0] == cell_at(6, 3));
    }
    // A three is a two of the paper: both stones of the turn go on with it, or block.
    read_drawing(&game, "9x5:k=6,p=2,q=1", ".........\n.........\n..XXX....\n.........\n.........\nturn X 2\n");
    decide_turn("hybrid", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 1, 0);
    assert_int_equal(decision.count, 2);
    assert_int_equal(cell_row(decision.stones[0]), 2);
    assert_int_equal(cell_row(decision.stones[1]), 2);
    // The first stone is searched for, and the second one extends it: not a turn without a search.
    begin_game(&game, "9x9:k=4,p=2,q=2");
    decide_turn("hybrid:depth=1", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 0, 0);
    assert_int_equal(decision.count, 2);
    assert_int_equal(decision.nodes, 82);
    // A turn that is long enough wins on an empty board.
    begin_game(&game, "4x4:k=3,p=3,q=3");
    decide_turn("hybrid", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.proven, PROVEN_WIN);
}

// --- Both, and their limits ---

static void test_limits(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect4");
    // No side wins within five stones: all positions, and fewer with pruning.
    decide_turn("chain:pruning=0", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.nodes, 1 + 7 + 49 + 343 + 2401 + 16807);
    decide_turn("hybrid:pruning=0", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.nodes, 1 + 7 + 49 + 343 + 2401 + 16807);
    decide_turn("chain", &game, 1, (Budget){0}, &decision);
    assert_in_range(decision.nodes, 100, 10000);
    assert_int_equal(decision.depth, 5);
    decide_turn("chain:depth=3", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.depth, 3);
    decide_turn("chain", &game, 1, (Budget){.depth = 2}, &decision);
    assert_int_equal(decision.depth, 2);
    decide_turn("chain", &game, 1, (Budget){.nodes = 300}, &decision);
    assert_int_equal(decision.nodes, 301);
    decide_turn("chain", &game, 1, (Budget){.seconds = 1000}, &decision);
    assert_int_equal(decision.depth, 5);
    // Where five stones are too many, the agent's own limit counts.
    begin_game(&game, "gomoku");
    decide_turn("chain:nodes=2000", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.nodes, 2001);
    assert_in_range(decision.depth, 1, 3);
    decide_turn("hybrid:nodes=2000", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.nodes, 2001);
}

// The searches of a turn share its nodes; the result of the first one is reported.
static void test_several_searches_of_a_turn(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "9x9:k=6,p=3,q=3");
    decide_turn("chain:depth=2,pruning=0", &game, 1, (Budget){.nodes = 3000}, &decision);
    assert_int_equal(decision.count, 3);
    assert_in_range(decision.nodes, 3001, 3001 + 2 * 83);
    assert_int_equal(decision.line[0], decision.stones[0]);
}

// Pruning changes neither the value nor the stone.
static void test_pruning_is_safe(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"chain:depth=4", "chain:depth=4,pruning=0"},
                                           {"hybrid:depth=4,detect=0", "hybrid:depth=4,detect=0,pruning=0"}};
    Rng rng = rng_make(4);
    for (uint64_t i = 0; i < 60; i++) {
        Game game;
        Decision pruned, whole;
        Rules rules = rules_of(i % 3 == 0 ? "5x4:k=3,p=2,q=1,gravity" : "connect4");
        Board board;
        if (!scatter_stones(&board, &rules, rng_below(&rng, 16), &rng))
            continue;
        game_init_from(&game, &board);
        decide_turn(pairs[i % 2][0], &game, i, (Budget){0}, &pruned);
        decide_turn(pairs[i % 2][1], &game, i, (Budget){0}, &whole);
        assert_true(pruned.score == whole.score && pruned.nodes <= whole.nodes);
        assert_int_equal(pruned.stones[0], whole.stones[0]);
    }
}

// The chain agent takes a win at once, stops one that would come next, and sees an opponent's chain as the danger.
static void test_chain_plays(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "connect4", ".......\n.......\n.......\nO......\nO.....X\nOX.XX.X\nturn X 1\n");
    decide_turn("chain", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.stones[0], cell_at(2, 0));
    assert_int_equal(decision.distance, 1);
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n......X\nOO.O..X\nturn X 1\n");
    decide_turn("chain", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.stones[0], cell_at(2, 0));
    // One stone ahead: O's three (64, twice) outweighs two pairs of X that become threes.
    read_drawing(&game, "connect4", ".......\n.......\n.......\n..O....\n..O...X\nX.O...X\nturn X 1\n");
    decide_turn("chain:depth=1", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.stones[0], cell_at(2, 3));
    assert_true(decision.score == 16);
    // If the opponent's chains have no weight, an own three (64) is worth more.
    decide_turn("chain:depth=1,weight=0", &game, 1, (Budget){0}, &decision);
    assert_true(decision.stones[0] != cell_at(2, 3));
    assert_true(decision.score > 16);
}

// The weight of the opponent's chains; the paper doubles them.
static void test_chain_weight(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    Error error = {0};
    Agent agent = {0};
    // X extends its chain (16) or blocks the pair of O (16 times the weight).
    static const char *const drawing = ".......\n.......\n.......\n.......\n..O....\n..O...X\nturn X 1\n";
    static const struct {
        const char *agent;
        double score;
    } cases[] = {{"chain:depth=1,weight=0", 16}, {"chain:depth=1,weight=1", 0}, {"chain:depth=1,weight=4", 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_drawing(&game, "connect4", drawing);
        decide_turn(cases[i].agent, &game, 1, (Budget){0}, &decision);
        assert_true(decision.score == cases[i].score);
    }
    Rules rules = rules_of("connect4");
    assert_refused(agent_open(&agent, span_of("chain:weight=9"), &rules, &error), error, "weight");
}

TEST_GROUP(hybrid)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_three_is_completed_first),
        cmocka_unit_test(test_a_three_is_blocked_before_twos),
        cmocka_unit_test(test_twos_by_lot),
        cmocka_unit_test(test_a_search_where_there_are_no_chains),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_threes_alone),
        cmocka_unit_test(test_sarhan),
        cmocka_unit_test(test_other_lengths),
        cmocka_unit_test(test_several_stones),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_several_searches_of_a_turn),
        cmocka_unit_test(test_pruning_is_safe),
        cmocka_unit_test(test_chain_plays),
        cmocka_unit_test(test_chain_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
