// The agents `alphabeta` and `connect5`: options, readings of EmptyNeighbors, budgets and limits, and long turns.
#include "match/referee.h"
#include "support/check.h"
#include "support/play.h"

#include <stdio.h>

// --- As agents ---

static void test_every_choice_plays(void **state)
{
    (void)state;
    static const char *const evals[] = {
        "random", "simple", "simpledef", "empty-neighbors-down", "empty-neighbors-up", "neighbors", "none", "chains"};
    static const char *const orders[] = {"none", "simple", "neighbor", "history"};
    static const char *const moves[] = {"all", "radius2", "line2"};
    Game game;
    Decision decision;
    read_drawing(&game, "9x9:k=5",
                 ".........\n.........\n..O......\n..XXXX...\n..O......\n.O.......\n.........\n.........\n.........\n"
                 "turn X 1\n");
    for (int e = 0; e < 8; e++)
        for (int o = 0; o < 4; o++)
            for (int m = 0; m < 3; m++) {
                char text[128];
                (void)snprintf(text, sizeof text, "alphabeta:eval=%s,order=%s,moves=%s,threats=%d,threes=%d,listing=%s",
                               evals[e], orders[o], moves[m], e * 10, o % 2, m == 0 ? "every" : "distinct");
                decide_turn(text, &game, 1, (Budget){.depth = 2}, &decision);
                assert_int_equal(decision.proven, PROVEN_WIN);
                assert_int_equal(decision.distance, 1);
                assert_int_equal(decision.count, 1);
            }
}

// EmptyNeighbors in both readings: after one stone each, the first side at the edge and the other in the middle, a
// leaf one stone deep is worth what its empty cells or its pairs make of it.
static void test_readings_of_empty_neighbors(void **state)
{
    (void)state;
    static const struct {
        const char *agent;
        double score;
    } cases[] = {
        // Down: a stone in the corner, 3 empty cells, against the one in the middle with 8: 8 - 5 - 3 = 0.
        {"alphabeta:eval=empty-neighbors-down,neighbors=empty", 0},
        {"alphabeta:eval=empty-neighbors-up,neighbors=empty", 5},
        // Pairs: next to the own stone, or anywhere else.
        {"alphabeta:eval=empty-neighbors-down,neighbors=pairs", 1},
        {"alphabeta:eval=empty-neighbors-up,neighbors=pairs", 0},
    };
    Game game;
    Decision decision;
    begin_game(&game, "9x9:k=5");
    play_text(&game, "a5 e5");
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        decide_turn(cases[i].agent, &game, 1, (Budget){.depth = 1}, &decision);
        assert_true(decision.score == cases[i].score);
    }
    // The name decides by default.
    decide_turn("alphabeta:eval=empty-neighbors-up", &game, 1, (Budget){.depth = 1}, &decision);
    assert_true(decision.score == 5);
}

// The settings of section 6.
static void test_connect5_is_alphabeta(void **state)
{
    (void)state;
    Game game;
    Decision a, b;
    begin_game(&game, "15x15:k=5");
    play_text(&game, "h8 i9 g9 i7 h7 h9");
    decide_turn("connect5", &game, 4, (Budget){.nodes = 3000}, &a);
    decide_turn("alphabeta:threats=150,eval=simple,order=simple,moves=line2,threes=0", &game, 4,
                (Budget){.nodes = 3000}, &b);
    assert_int_equal(a.stones[0], b.stones[0]);
    assert_int_equal(a.depth, b.depth);
    assert_true(a.score == b.score && a.nodes == b.nodes && a.nodes == 3001);
}

static void test_budgets_and_depth(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "9x9:k=5");
    play_text(&game, "e5 d4");
    decide_turn("alphabeta:depth=2", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.depth, 2);
    decide_turn("alphabeta:depth=3", &game, 1, (Budget){.depth = 2}, &decision);
    assert_int_equal(decision.depth, 2);
    decide_turn("alphabeta", &game, 1, (Budget){.depth = 2}, &decision);
    assert_int_equal(decision.depth, 2);
    // Without any limit a turn ends all the same.
    decide_turn("alphabeta:threats=5,threes=1", &game, 1, (Budget){0}, &decision);
    assert_true(decision.depth >= 2);
}

static uint64_t nodes_of_turn(const char *agent, const Game *game)
{
    Decision decision;
    decide_turn(agent, game, 1, (Budget){0}, &decision);
    return decision.nodes;
}

// Where a search for wins by threats does not run, it does not lower the default limit of nodes either.
static void test_limits_of_searches_that_do_not_run(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "13x13:k=6,p=2,q=1");
    play_text(&game, "g7");
    uint64_t nodes = nodes_of_turn("connect5:threats=0", &game);
    assert_true(nodes > 100000);
    assert_true(nodes_of_turn("connect5", &game) == nodes);
    assert_true(nodes_of_turn("connect5:threes=1", &game) == nodes);
    // Under gravity the forcing sequences run, and the search for threes does not.
    begin_game(&game, "9x7:k=5,gravity");
    play_text(&game, "e1 d1");
    nodes = nodes_of_turn("connect5", &game);
    assert_true(nodes > 10000 && nodes < 100000);
    assert_true(nodes_of_turn("connect5:threes=1", &game) == nodes);
}

// A turn longer than the search sees is searched again from where it ends, and one that wins early ends early.
static void test_long_turns(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "8x8:k=8,p=7,q=5");
    decide_turn("alphabeta:depth=2,moves=line2", &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.count, 5);
    assert_int_equal(decision.depth, 2);
    read_drawing(&game, "9x7:k=6,p=2,q=1",
                 ".........\n.........\n.OO......\n..XXXX...\n..O......\n.O.......\n.........\nturn X 2\n");
    decide_turn("connect5", &game, 1, (Budget){.depth = 2}, &decision);
    assert_int_equal(decision.count, 2);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 2);
    read_drawing(&game, "5x5:k=3,p=4,q=2", ".....\n.....\n.XX..\n.....\n.....\nturn X 4\n");
    decide_turn("alphabeta", &game, 1, (Budget){.depth = 3}, &decision);
    assert_int_equal(decision.count, 1);
}

TEST_GROUP(alphabeta_agent)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_choice_plays),
        cmocka_unit_test(test_readings_of_empty_neighbors),
        cmocka_unit_test(test_connect5_is_alphabeta),
        cmocka_unit_test(test_budgets_and_depth),
        cmocka_unit_test(test_limits_of_searches_that_do_not_run),
        cmocka_unit_test(test_long_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
