// Tests of the agents threats, windows and mesh of Levin et al. on drawn boards.
#include "support/check.h"

#include "agents/agent.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    Game game;
    Agent agent;
} Player;

static Player *opened(const char *text, const char *rules, const char *drawing)
{
    Player *player = malloc(sizeof *player);
    assert_non_null(player);
    Error error = {0};
    if (drawing != NULL)
        read_drawing(&player->game, rules, drawing);
    else
        begin_game(&player->game, rules);
    assert_done(agent_open(&player->agent, span_of(text), &player->game.board.rules, &error), error);
    player->agent.ratings->count = 0;
    player->agent.ratings->value = NAN;
    player->agent.kind->rate(player->agent.state, &player->game, player->agent.ratings);
    return player;
}

static void closed(Player *player)
{
    agent_close(&player->agent);
    free(player);
}

static double utility_of(const Player *player, const char *name)
{
    Cell cell = cell_of(&player->game.board.rules, name);
    const Ratings *ratings = player->agent.ratings;
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].cell == cell)
            return ratings->cells[i].utility;
    fail_msg("%s is not rated", name);
    return 0;
}

// The turn an agent takes, in any order; the first seed will do where there is one best turn.
static void expect_turn(const char *text, const char *rules, const char *drawing, const char *turn)
{
    Player *player = opened(text, rules, drawing);
    Rng rng = rng_make(1);
    AgentTask task = {.rng = &rng};
    Decision *decision = malloc(sizeof *decision);
    assert_non_null(decision);
    agent_decide(&player->agent, &player->game, &task, decision);
    Game after, expected;
    game_init_from(&after, &player->game.board);
    game_init_from(&expected, &player->game.board);
    for (unsigned i = 0; i < decision->count; i++)
        game_play(&after, decision->stones[i]);
    play_text(&expected, turn);
    assert_same_board(&after.board, &expected.board);
    free(decision);
    closed(player);
}

static void test_the_first_stone_is_in_the_centre(void **state)
{
    (void)state;
    static const char *const agents[] = {"threats", "threats:priority=0", "windows", "mesh", "mesh:tactics=1"};
    for (int i = 0; i < 5; i++) {
        expect_turn(agents[i], "connect6", NULL, "j10");
        expect_turn(agents[i], "connect4", NULL, "d1");
    }
}

// --- windows ---

// The board of the header.
static void test_windows_by_hand(void **state)
{
    (void)state;
    Player *player = opened("windows", "tictactoe", "..X\n.O.\nX..\nturn O 1\n");
    assert_int_equal(player->agent.ratings->count, 6);
    assert_true(utility_of(player, "a3") == 9 && utility_of(player, "c1") == 9);
    assert_true(utility_of(player, "a2") == 5 && utility_of(player, "b1") == 5);
    assert_true(utility_of(player, "b3") == 5 && utility_of(player, "c2") == 5);
    assert_true(player->agent.ratings->value == -13);
    closed(player);
}

static void test_windows_wins_and_blocks(void **state)
{
    (void)state;
    // The own row comes before the opponent's.
    expect_turn("windows", "9x2:k=4", "XXX......\nOOO......\nturn X 1\n", "d2");
    expect_turn("windows", "9x2:k=4", ".........\nOOO....X.\nturn X 1\n", "d1");
    expect_turn("windows", "8x2:k=4,p=2", "XX......\nOOO.....\nturn X 2\n", "c2 d2");
    // Two windows of three stones that would be longer rows of O under exact, and one that would not.
    expect_turn("windows", "8x1:k=4,exact", ".OOO.O.X\nturn X 1\n", "a1");
    // A window blocked for both sides has no value.
    Player *player = opened("windows", "5x1:k=4", "XO...\nturn X 1\n");
    assert_true(utility_of(player, "c1") == 4 && utility_of(player, "e1") == 4);
    closed(player);
    player = opened("windows:offence=1", "5x1:k=4", "XO...\nturn O 1\n");
    assert_true(utility_of(player, "c1") == 4 && player->agent.ratings->value == 4);
    closed(player);
}

// --- threats ---

static void test_threats_are_the_utility(void **state)
{
    (void)state;
    // The line of papers/levin/generalised.h.
    Player *player = opened("threats", "9x1:k=4", "..XX..O..\nturn O 1\n");
    assert_true(utility_of(player, "a1") == 64 && utility_of(player, "b1") == 128);
    assert_true(utility_of(player, "e1") == 65 && utility_of(player, "h1") == 0);
    assert_true(player->agent.ratings->value == -318);
    closed(player);
    player = opened("threats:c=2,defence=0.5", "9x1:k=4", "..XX..O..\nturn O 1\n");
    assert_true(utility_of(player, "a1") == 2 && utility_of(player, "b1") == 4 && utility_of(player, "e1") == 3);
    closed(player);
}

// Where the sums of large k are far beyond 2^53, the largest threat is still the largest.
static void test_threats_with_a_large_k(void **state)
{
    (void)state;
    Player *player = opened("threats", "64x2:k=30",
                            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXX...................................\n"
                            "OOOOOOOOOOOOOOOOOOOOOOOOOOOO....................................\nturn X 1\n");
    assert_true(utility_of(player, "ad2") > utility_of(player, "ac1"));
    assert_true(utility_of(player, "ac1") >= ldexp(1, 54));
    closed(player);
}

static void test_threats_with_priorities(void **state)
{
    (void)state;
    // Four X and two stones left, but the five O are the larger threat: plainly that is blocked first.
    expect_turn("threats", "12x2:k=6,p=2", "XXXX........\nOOOOO.......\nturn X 2\n", "e2 f2");
    Player *player = opened("threats:priority=0", "12x2:k=6,p=2", "XXXX........\nOOOOO.......\nturn X 2\n");
    assert_true(utility_of(player, "f1") > utility_of(player, "e2"));
    closed(player);
}

// --- mesh ---

static void test_mesh_fills_its_clump(void **state)
{
    (void)state;
    expect_turn("mesh", "7x7:k=5", ".......\n.......\n..XXX..\n..X.X..\n..XXX..\n.......\nO......\nturn X 1\n", "d4");
    // Without tactics a row at hand is passed over; with them it is finished, or blocked.
    static const char *const win = "XXXX.......\n...........\n...........\n...........\n......XXX..\n......X.X..\n"
                                   "......XXX..\n...........\nOOO.O......\nturn X 1\n";
    expect_turn("mesh", "11x9:k=5", win, "h4");
    expect_turn("mesh:tactics=1", "11x9:k=5", win, "e9");
    static const char *const loss = "XXX........\n...........\n...........\n...........\n......XXX..\n......X.X..\n"
                                    "......XXX..\n...........\nOOO.O......\nturn X 1\n";
    expect_turn("mesh:tactics=1", "11x9:k=5", loss, "d1");
}

static void test_mesh_has_no_utility_of_the_board(void **state)
{
    (void)state;
    Player *player = opened("mesh", "3x1:k=3", "X..\nturn X 1\n");
    assert_true(isnan(player->agent.ratings->value));
    assert_true(fabs(utility_of(player, "b1") - 16.0 / 495) < 2e-6);
    closed(player);
    player = opened("mesh:elasticity=0.5", "3x1:k=3", "X..\nturn X 1\n");
    assert_true(fabs(utility_of(player, "b1") - 32.0 / 2015) < 2e-6);
    closed(player);
    player = opened("mesh:elasticity=0,opponent=1", "3x1:k=3", "X..\nturn X 1\n");
    assert_true(utility_of(player, "b1") == 0 && utility_of(player, "c1") < 0);
    closed(player);
    player = opened("mesh:iterations=1,opponent=1", "3x1:k=3", "XO.\nturn X 1\n");
    assert_true(fabs(utility_of(player, "c1") - 1.0 / 16) < 1e-9);
    closed(player);
}

TEST_GROUP(levin)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_stone_is_in_the_centre),
        cmocka_unit_test(test_windows_by_hand),
        cmocka_unit_test(test_windows_wins_and_blocks),
        cmocka_unit_test(test_threats_are_the_utility),
        cmocka_unit_test(test_threats_with_a_large_k),
        cmocka_unit_test(test_threats_with_priorities),
        cmocka_unit_test(test_mesh_fills_its_clump),
        cmocka_unit_test(test_mesh_has_no_utility_of_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
