// Tests of the agent that plays exact values: it keeps the value on every kind of small board, wins early and loses
// late if there are scores, and reports when it had to guess.
#include "solver/exact.h"
#include "support/check.h"

#include <string.h>

// A small table, since it is opened for each turn.
#define PERFECT "perfect:table=1,fallback=random"

// The counts of a turn.
static void check_counts(const Decision *decision, unsigned solved, unsigned guessed)
{
    assert_int_equal(decision->counts, 2);
    assert_string_equal(decision->count_list[0].name, "solved");
    assert_string_equal(decision->count_list[1].name, "guessed");
    assert_int_equal(decision->count_list[0].value, solved);
    assert_int_equal(decision->count_list[1].value, guessed);
}

// --- Values ---

static void check_turn(const char *agent, Game *game, uint64_t seed)
{
    int value = true_value(&game->board);
    Decision decision;
    decide_turn(agent, game, seed, (Budget){0}, &decision);
    check_counts(&decision, decision.count, 0);
    assert_int_equal(decision.proven, proven_of(value));
    play_keeping(game, &decision, value);
}

// Positions in the middle of turns are among them.
static void test_keeps_the_value(void **state)
{
    (void)state;
    static const char *const games[] = {
        "3x3:k=3",         "4x4:k=3,p=2,q=1",     "5x4:k=4,p=3,q=2", "5x5:k=4,exact",         "8x8:k=5",
        "3x3:k=1",         "2x2:k=2,p=4,q=3",     "4x4:k=3,q=2",     "4x4:k=4,gravity,exact", "64x1:k=30",
        "4x4:k=3,gravity", "4x4:k=3,p=2,gravity", "5x5:k=4,gravity", "7x6:k=4,gravity",       "9x7:k=4,gravity",
    };
    Rng rng = rng_make(41);
    unsigned in_turn = 0;
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++)
        for (unsigned long step = 0; step < test_steps() / 4000 + 4; step++) {
            Game game;
            if (!begin_near_the_end(&game, games[i], 6, &rng))
                continue;
            in_turn += game.played > 0 && game_side_of(&game, game.played - 1u) == board_side(&game.board);
            check_turn(PERFECT, &game, step);
        }
    assert_true(in_turn > 0);
}

// The default fallback chooses among the stones that keep the value; its other choices are ignored.
static void test_chosen_by_the_fallback(void **state)
{
    (void)state;
    Rng rng = rng_make(42);
    for (unsigned i = 0; i < 10; i++) {
        Game game;
        if (begin_near_the_end(&game, "4x4:k=3", 9, &rng))
            check_turn("perfect:table=1", &game, i);
    }
    Game game;
    Decision perfect, alone;
    begin_game(&game, "3x3:k=3");
    decide_turn("perfect:table=1,fallback=constant", &game, 1, (Budget){0}, &perfect);
    decide_turn("constant", &game, 1, (Budget){0}, &alone);
    assert_int_equal(perfect.stones[0], alone.stones[0]); // every cell of the empty board draws
    assert_true(perfect.nodes > alone.nodes);
    check_counts(&perfect, 1, 0);
}

// --- Scores ---

// With the agent on both sides, a game lasts exactly as long as the agent reports.
static void check_length(Game *game)
{
    Decision decision;
    decide_turn(PERFECT, game, 1, (Budget){0}, &decision);
    int distance = decision.distance;
    Proven proven = decision.proven;
    assert_int_equal(distance > 0, proven != PROVEN_DRAW);
    while (!game_is_over(game)) {
        decide_turn(PERFECT, game, (uint64_t)game->played, (Budget){0}, &decision);
        assert_int_equal(decision.distance, distance);
        assert_int_equal(decision.proven, proven);
        game_play(game, decision.stones[0]);
        distance = distance > 0 ? distance - 1 : distance;
        proven = proven == PROVEN_WIN ? PROVEN_LOSS : proven == PROVEN_LOSS ? PROVEN_WIN : PROVEN_DRAW;
    }
    assert_int_equal(distance, board_winner(&game->board) != WINNER_NONE ? 0 : -1);
}

static void test_wins_soon_and_loses_late(void **state)
{
    (void)state;
    static const char *const games[] = {"4x4:k=3,gravity", "5x5:k=4,gravity", "6x5:k=4,gravity", "7x6:k=4,gravity"};
    Rng rng = rng_make(43);
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++)
        for (unsigned long step = 0; step < test_steps() / 10000 + 3; step++) {
            Game game;
            if (begin_near_the_end(&game, games[i], 14, &rng))
                check_length(&game);
        }
}

// X wins with this stone; O cannot stop both ends.
static void test_drawn(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.OO....\n.XXX.O.\nturn X 1\n");
    decide_turn(PERFECT, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.distance, 1);
    assert_true(decision.score == 18); // (42 + 1 - 6) / 2
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\nX.OO...\nO.XXX..\nturn O 1\n");
    decide_turn(PERFECT, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.proven, PROVEN_LOSS);
    assert_int_equal(decision.distance, 2);
}

static void test_opening_table(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect4");
    decide_turn(PERFECT, &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 1, 0);
    assert_int_equal(decision.stones[0], cell_of(&game.board.rules, "d1"));
    assert_int_equal(decision.nodes, 0);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 41);
    decide_turn(PERFECT ",openings=0,nodes=1", &game, 1, (Budget){0}, &decision);
    check_counts(&decision, 0, 1);
    assert_int_equal(decision.proven, PROVEN_NOTHING);
}

// --- The fallback ---

static void check_same_turn(const Decision *a, const Decision *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->stones, b->stones, a->count * sizeof a->stones[0]);
    assert_true(a->score == b->score);
}

// Boards without a solver, and positions that take too many nodes.
static void test_guesses(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *agent;
        Budget budget;
    } known[] = {
        {"connect6", "perfect:fallback=random", {.nodes = 0}},
        {"12x12:k=4,gravity", "perfect:fallback=random", {.nodes = 0}},
        {"8x8:k=5", "perfect:fallback=random,table=1,nodes=100", {.nodes = 0}},
        {"8x8:k=5,p=2,q=1", "perfect:fallback=random,table=1", {.nodes = 100}},
        {"9x9:k=5,gravity", "perfect:fallback=random,table=1", {.nodes = 3}},
        {"8x8:k=5", "perfect:fallback=random,table=1", {.seconds = 1e-6}},
        {"9x9:k=5,gravity", "perfect:fallback=random,table=1", {.clock = {1e-6, 1e-6}}},
    };
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        Game game;
        Decision decision, alone;
        begin_game(&game, known[i].rules);
        decide_turn(known[i].agent, &game, 7, known[i].budget, &decision);
        decide_turn("random", &game, 7, known[i].budget, &alone);
        check_counts(&decision, 0, decision.count);
        check_same_turn(&decision, &alone);
        assert_int_equal(decision.proven, PROVEN_NOTHING);
        assert_int_equal(decision.distance, -1);
    }
}

// What the fallback says of its turn is passed on, and the nodes are those of both.
static void test_guess_as_told(void **state)
{
    (void)state;
    Game game;
    Decision decision, alone;
    begin_game(&game, "connect6");
    play_text(&game, "j10 k10 k11 j9 h8");
    decide_turn("perfect:fallback=threats:depth=2+width=4", &game, 7, (Budget){0}, &decision);
    decide_turn("threats:depth=2,width=4", &game, 7, (Budget){0}, &alone);
    check_same_turn(&decision, &alone);
    assert_int_equal(decision.depth, alone.depth);
    assert_int_equal(decision.nodes, alone.nodes);
    assert_int_equal(decision.line_count, alone.line_count);
    assert_memory_equal(decision.line, alone.line, alone.line_count * sizeof alone.line[0]);
}

// The limit is for the solver and the fallback together, and for all stones of a turn.
static void test_nodes_are_shared(void **state)
{
    (void)state;
    static const char *const games[] = {"8x8:k=5", "8x8:k=5,p=3,q=1", "9x9:k=5,gravity"};
    for (unsigned i = 0; i < 3; i++)
        for (uint64_t nodes = 500; nodes <= 4000; nodes *= 2) {
            Game game;
            Decision decision;
            begin_game(&game, games[i]);
            decide_turn("perfect:table=1", &game, 3, (Budget){.nodes = nodes}, &decision);
            assert_true(decision.nodes > nodes / 4);
            assert_true(decision.nodes <= nodes + 64);
        }
}

static void test_stopped(void **state)
{
    (void)state;
    Game game;
    Agent agent;
    Error error = {0};
    Decision decision;
    begin_game(&game, "8x8:k=5,p=2");
    assert_done(agent_open(&agent, span_of(PERFECT), &game.board.rules, &error), error);
    atomic_bool stop = true;
    Rng rng = rng_make(1);
    AgentTask task = {.rng = &rng, .stop = &stop};
    agent_decide(&agent, &game, &task, &decision);
    check_counts(&decision, 0, decision.count);
    agent_close(&agent);
}

static void test_same_seed_same_turn(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *moves;
        unsigned cells; // that are equally good, at least
    } known[] = {{"connect4", "4444", 1}, {"4x4:k=4", "", 3}, {"4x4:k=4,gravity", "", 2}, {"4x4:k=4,p=2,q=1", "a1", 2}};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        Game game;
        Decision one, two;
        uint64_t seen = 0;
        begin_game(&game, known[i].rules);
        play_text(&game, known[i].moves);
        for (uint64_t seed = 0; seed < 12; seed++) {
            decide_turn(PERFECT, &game, seed, (Budget){.nodes = 100000}, &one);
            decide_turn(PERFECT, &game, seed, (Budget){.nodes = 100000}, &two);
            check_same_turn(&one, &two);
            assert_int_equal(one.nodes, two.nodes);
            seen |= UINT64_C(1) << (cell_row(one.stones[0]) * 8 + cell_column(one.stones[0]));
        }
        assert_true(bits_count(seen) >= known[i].cells);
    }
}

static void test_refused(void **state)
{
    (void)state;
    Agent agent;
    Rules rules = rules_of("connect4");
    Error error = {0};
    assert_refused(agent_open(&agent, span_of("perfect:fallback=missing"), &rules, &error), error, "missing");
    assert_refused(agent_open(&agent, span_of("perfect:nodes=0"), &rules, &error), error, "nodes");
    assert_refused(agent_open(&agent, span_of("perfect:openings=2"), &rules, &error), error, "openings");
}

TEST_GROUP(agent_perfect)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_the_value),
        cmocka_unit_test(test_chosen_by_the_fallback),
        cmocka_unit_test(test_wins_soon_and_loses_late),
        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_opening_table),
        cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_guess_as_told),
        cmocka_unit_test(test_nodes_are_shared),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_same_seed_same_turn),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
