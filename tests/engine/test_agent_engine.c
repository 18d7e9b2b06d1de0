// Tests of the agent `engine`: exact values, the book, and limits. The quality of its search is tested elsewhere
// (test_search*.c).
#include "match/referee.h"
#include "solver/exact.h"
#include "support/check.h"

#include <string.h>

// Small tables, since it is opened for each turn.
#define ENGINE "engine:memory=2"

static uint64_t count_of(const Decision *decision, const char *name)
{
    for (unsigned i = 0; i < decision->counts; i++)
        if (strcmp(decision->count_list[i].name, name) == 0)
            return decision->count_list[i].value;
    fail_msg("'%s' is not counted", name);
    return 0;
}

// --- Exact values ---

static void check_keeps(Game *game, uint64_t seed)
{
    int value = true_value(&game->board);
    unsigned empty = game->board.cells - board_count(&game->board);
    Decision decision;
    decide_turn(ENGINE, game, seed, (Budget){0}, &decision);
    if (count_of(&decision, "solved") > 0) {
        assert_int_equal(decision.proven, proven_of(value));
        assert_true(decision.distance <= (int)empty);
        assert_true(value > 0 ? decision.score > 0 : value < 0 ? decision.score < 0 : decision.score == 0);
    }
    assert_int_equal(count_of(&decision, "unsolved"), 0);
    play_keeping(game, &decision, value);
}

// Turns larger than the search takes, and positions in the middle of turns, are among them.
static void test_keeps_the_value(void **state)
{
    (void)state;
    static const char *const games[] = {
        "3x3:k=3",         "4x4:k=3,p=2,q=1",     "5x4:k=4,p=3,q=2", "5x5:k=4,exact",         "8x8:k=5",
        "3x3:k=1",         "2x2:k=2,p=4,q=3",     "4x4:k=3,q=2",     "4x4:k=4,gravity,exact", "64x1:k=30",
        "4x4:k=3,gravity", "4x4:k=3,p=2,gravity", "5x5:k=4,gravity", "7x6:k=4,gravity",       "5x5:k=4,p=9,q=9",
    };
    Rng rng = rng_make(41);
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++)
        for (unsigned long step = 0; step < test_steps() / 4000 + 3; step++) {
            Game game;
            if (begin_near_the_end(&game, games[i], 6, &rng))
                check_keeps(&game, step);
        }
}

// Openings of Connect Four are looked up, while the search has too few nodes to see far: its choice counts only where
// it keeps the score, and a loss is as long as it can be.
static void test_keeps_the_score_with_few_nodes(void **state)
{
    (void)state;
    Rules rules = rules_of("connect4");
    Agent agent;
    Exact *exact = NULL;
    ExactOptions options = {.megabytes = 1, .openings = true};
    Error error = {0};
    assert_done(agent_open(&agent, span_of(ENGINE), &rules, &error), error);
    assert_done(exact_open(&exact, &options, &rules, &error), error);
    Rng rng = rng_make(43);
    unsigned choices = 0;
    for (unsigned step = 0; step < 200; step++) {
        Board board;
        ExactCells cells;
        if (!scatter_stones(&board, &rules, 1 + step % 6, &rng))
            continue;
        Game game;
        Decision decision;
        AgentTask task = {.budget = {.nodes = 40}, .rng = &rng};
        game_init_from(&game, &board);
        agent_decide(&agent, &game, &task, &decision);
        assert_true(exact_best(exact, &board, EXACT_SCORE, &(Limits){0}, &cells));
        assert_true(exact_lists(&cells, decision.stones[0]));
        assert_int_equal(decision.proven, proven_of(cells.list[0].low));
        choices += cells.count > 1 && cells.list[0].low <= 0;
    }
    assert_in_range(choices, 10, 200);
    exact_close(exact);
    agent_close(&agent);
}

// From further away, where the solver has the nodes of the turn to find the value.
static void test_keeps_the_value_of_whole_boards(void **state)
{
    (void)state;
    static const char *const games[] = {"3x3:k=3", "4x3:k=3,gravity", "3x3:k=3,p=2,q=1", "4x3:k=4", "5x2:k=2,p=1"};
    Rng rng = rng_make(42);
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++)
        for (unsigned long step = 0; step < test_steps() / 20000 + 2; step++) {
            Game game;
            if (begin_near_the_end(&game, games[i], 9, &rng))
                check_keeps(&game, step);
        }
}

static void test_opening_table(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect4");
    decide_turn(ENGINE, &game, 1, (Budget){0}, &decision);
    assert_int_equal(count_of(&decision, "solved"), 1);
    assert_int_equal(decision.stones[0], cell_of(&game.board.rules, "d1"));
    assert_int_equal(decision.line[0], decision.stones[0]);
    assert_int_equal(decision.nodes, 0);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 41);
    decide_turn(ENGINE ",exact=0", &game, 1, (Budget){0}, &decision);
    assert_int_equal(count_of(&decision, "solved") + count_of(&decision, "unsolved"), 0);
    assert_int_equal(decision.proven, PROVEN_NOTHING);
    assert_true(decision.nodes > 0);
}

// After c1 several stones keep the draw. Which of them is hardest to answer is thought about with half of the nodes.
static void test_draws_are_thought_about(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect4");
    play_text(&game, "c1");
    decide_turn(ENGINE, &game, 1, (Budget){.nodes = 4000}, &decision);
    assert_int_equal(decision.proven, PROVEN_DRAW);
    assert_int_equal(count_of(&decision, "solved"), 1);
    assert_in_range(decision.nodes, 2000, 4000);
}

// Somebody who may look only a stone ahead does not know how the game ends.
static void test_depth_is_kept(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "4x4:k=3");
    decide_turn(ENGINE ",depth=1", &game, 1, (Budget){0}, &decision);
    assert_int_equal(count_of(&decision, "solved") + count_of(&decision, "unsolved"), 0);
    assert_int_equal(decision.depth, 1);
    decide_turn(ENGINE, &game, 1, (Budget){.depth = 2}, &decision);
    assert_int_equal(decision.depth, 2);
    decide_turn(ENGINE ",depth=1", &game, 1, (Budget){.depth = 2}, &decision);
    assert_int_equal(decision.depth, 1);
    decide_turn(ENGINE, &game, 1, (Budget){0}, &decision);
    assert_int_equal(count_of(&decision, "solved"), 1);
}

static bool is_asked(const Decision *decision)
{
    return count_of(decision, "solved") + count_of(decision, "unsolved") > 0;
}

// A solver that did not end is left alone for four stones, and asked at once in another game.
static void test_patience(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=4,exact");
    Agent agent;
    Error error = {0};
    assert_done(agent_open(&agent, span_of(ENGINE), &game.board.rules, &error), error);
    Rng rng = rng_make(1);
    AgentTask task = {.budget = {.nodes = 9000}, .rng = &rng};
    Decision decision;
    for (unsigned i = 0; i < 5; i++) {
        agent_decide(&agent, &game, &task, &decision);
        assert_int_equal(is_asked(&decision), i % 4 == 0);
        game_play(&game, decision.stones[0]);
    }
    for (unsigned reported = 0; reported < 3; reported++) {
        begin_game(&game, "5x5:k=4,exact");
        if (reported == 1)
            agent_new_game(&agent);
        agent_decide(&agent, &game, &task, &decision);
        assert_int_equal(count_of(&decision, "unsolved"), 1);
    }
    agent_close(&agent);
}

// Far from the end, for the nodes there are, it is not asked at all.
static void test_not_asked_in_vain(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "7x6:k=5");
    decide_turn(ENGINE, &game, 1, (Budget){.nodes = 3000}, &decision);
    assert_false(is_asked(&decision));
    begin_game(&game, "8x8:k=5,gravity");
    decide_turn(ENGINE, &game, 1, (Budget){.nodes = 3000}, &decision);
    assert_false(is_asked(&decision));
}

// Where it would hardly come to an end with the nodes there are, the solver has an eighth of them and not half: this
// position takes it somewhat more than a thousand.
static void test_asked_with_caution(void **state)
{
    (void)state;
    static const struct {
        uint64_t nodes;
        unsigned solved, unsolved;
    } cases[] = {{700, 0, 0}, {3000, 0, 1}, {6000, 0, 1}, {20000, 1, 0}};
    Game game;
    begin_game(&game, "6x6:k=4,gravity");
    play_text(&game, "d1 b1 e1 d2 b2 b3 c1 f1 d3 b4 e2 d4 e3 e4");
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Decision decision;
        decide_turn(ENGINE, &game, 1, (Budget){.nodes = cases[i].nodes}, &decision);
        assert_int_equal(count_of(&decision, "solved"), cases[i].solved);
        assert_int_equal(count_of(&decision, "unsolved"), cases[i].unsolved);
    }
}

static void test_one_legal_stone(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "2x1:k=2");
    play_text(&game, "a1");
    decide_turn(ENGINE, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.stones[0], cell_of(&game.board.rules, "b1"));
    assert_int_equal(decision.nodes, 0);
}

// --- The book ---

static void test_book(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "gomoku");
    decide_turn(ENGINE, &game, 1, (Budget){0}, &decision);
    assert_int_equal(count_of(&decision, "book"), 1);
    assert_int_equal(decision.nodes, 0);
    assert_int_equal(decision.stones[0], cell_of(&game.board.rules, "h8"));
    assert_int_equal(decision.line[0], decision.stones[0]);
    decide_turn(ENGINE ",book=0", &game, 1, (Budget){.nodes = 100}, &decision);
    assert_int_equal(count_of(&decision, "book"), 0);
    assert_true(decision.nodes > 0);
}

// --- Limits ---

// The limit is for the solver and the search together, and for all stones of a turn; the options have a say in it.
static void test_nodes_are_kept(void **state)
{
    (void)state;
    static const char *const games[] = {"5x5:k=4",  "5x5:k=5,p=3,q=1", "6x6:k=4,gravity",  "9x9:k=5",
                                        "connect6", "9x9:k=9,p=9",     "12x12:k=4,gravity"};
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++)
        for (uint64_t nodes = 300; nodes <= 2400; nodes *= 2) {
            Game game;
            Decision decision;
            begin_game(&game, games[i]);
            play_text(&game, "a1");
            decide_turn(ENGINE ",nodes=1200", &game, 3, (Budget){.nodes = nodes}, &decision);
            assert_true(decision.nodes <= (nodes < 1200 ? nodes : 1200) + 64);
        }
}

// Where nothing limits it, a turn is cheap all the same.
static void test_moderate_without_limits(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 h9 i9");
    decide_turn(ENGINE ",book=0", &game, 3, (Budget){0}, &decision);
    assert_in_range(decision.nodes, 1000, 21000);
}

// A second game of the same agent is the same as the first, whatever it has learned.
static void test_games_repeat(void **state)
{
    (void)state;
    static const char *const games[] = {"5x5:k=4", "6x6:k=4,gravity", "4x4:k=4,p=2,q=1", "7x7:k=5"};
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++) {
        Game rounds[2];
        Agent agent;
        Error error = {0};
        Rules rules = rules_of(games[i]);
        assert_done(agent_open(&agent, span_of(ENGINE), &rules, &error), error);
        for (unsigned round = 0; round < 2; round++) {
            Game *game = &rounds[round];
            begin_game(game, games[i]);
            Rng rng = rng_make(5);
            AgentTask task = {.budget = {.nodes = 900}, .rng = &rng};
            agent_new_game(&agent);
            while (!game_is_over(game)) {
                Decision decision;
                agent_decide(&agent, game, &task, &decision);
                assert_done(referee_play(game, &decision, &error), error);
            }
        }
        agent_close(&agent);
        assert_int_equal(rounds[0].played, rounds[1].played);
        assert_memory_equal(rounds[0].stones, rounds[1].stones, rounds[0].played * sizeof(Cell));
    }
}

TEST_GROUP(agent_engine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_the_value),
        cmocka_unit_test(test_keeps_the_score_with_few_nodes),
        cmocka_unit_test(test_keeps_the_value_of_whole_boards),
        cmocka_unit_test(test_opening_table),
        cmocka_unit_test(test_draws_are_thought_about),
        cmocka_unit_test(test_depth_is_kept),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_not_asked_in_vain),
        cmocka_unit_test(test_asked_with_caution),
        cmocka_unit_test(test_one_legal_stone),
        cmocka_unit_test(test_book),
        cmocka_unit_test(test_nodes_are_kept),
        cmocka_unit_test(test_moderate_without_limits),
        cmocka_unit_test(test_games_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
