// The agent `sequences`: the cells that it rates best on drawn boards.
#include "agents/agent.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- The agent ---

static void rate_position(Agent *agent, const Game *game, Ratings *ratings)
{
    ratings->count = 0;
    ratings->value = NAN;
    agent->kind->rate(agent->state, game, ratings);
}

static double utility_of(const Ratings *ratings, const Rules *rules, const char *name)
{
    Cell cell = cell_of(rules, name);
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].cell == cell)
            return ratings->cells[i].utility;
    fail_msg("%s is not rated", name);
    return 0;
}

static double best_of(const Ratings *ratings)
{
    double best = -INFINITY;
    for (unsigned i = 0; i < ratings->count; i++)
        best = ratings->cells[i].utility > best ? ratings->cells[i].utility : best;
    return best;
}

// The best cells, row by row from a1.
static void name_best(const Ratings *ratings, char *text)
{
    double best = best_of(ratings);
    text[0] = '\0';
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].utility == best)
            (void)sprintf(text + strlen(text), " %c%u", 'a' + (char)cell_column(ratings->cells[i].cell),
                          cell_row(ratings->cells[i].cell) + 1);
}

// What the agent says about a drawn board; its best cells must be these.
static void rate_drawing(const char *name, const char *rules, const char *drawing, const char *best, Ratings *ratings)
{
    Game game;
    Agent agent;
    Error error = {0};
    char text[4096];
    read_drawing(&game, rules, drawing);
    assert_done(agent_open(&agent, span_of(name), &game.board.rules, &error), error);
    rate_position(&agent, &game, ratings);
    name_best(ratings, text);
    assert_string_equal(text, best);
    agent_close(&agent);
}

static void test_squares_decide_where_nothing_presses(void **state)
{
    (void)state;
    static Ratings ratings;
    Rules rules = rules_of("3x3:k=3");
    rate_drawing("sequences:c=2", "3x3:k=3", "...\n...\n...\n", " b2", &ratings);
    assert_true(ratings.value == 0);
    assert_true(utility_of(&ratings, &rules, "b2") == 4);
    assert_true(utility_of(&ratings, &rules, "a1") == 3);
    assert_true(utility_of(&ratings, &rules, "b1") == 2);
    // O in a corner has a row and a column, X keeps three windows; on an edge O has one, X keeps three.
    rate_drawing("sequences:c=2", "3x3:k=3", "...\n.X.\n...\n", " a1 c1 a3 c3", &ratings);
    assert_true(ratings.value == -2 * 4);
    assert_true(utility_of(&ratings, &rules, "a1") == 2 - 2 * 3);
    assert_true(utility_of(&ratings, &rules, "b1") == 1 - 2 * 3);
}

static const char CONNECT6[] = "9x9:k=6,p=2,q=1";

static void test_a_win_in_this_turn_comes_first(void **state)
{
    (void)state;
    static Ratings ratings;
    Rules rules = rules_of(CONNECT6);
    // Two stones of four cells each complete a row of six; O's four do not matter.
    rate_drawing("sequences", CONNECT6,
                 ".........\n"
                 ".........\n"
                 "..OOOO...\n"
                 ".........\n"
                 "..XXXX...\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 "turn X 2\n",
                 " a5 b5 g5 h5", &ratings);
    assert_true(ratings.value == best_of(&ratings));
    // With one stone left four are too few, and O has to be stopped: its two threats take two stones.
    rate_drawing("sequences", CONNECT6,
                 ".........\n"
                 ".........\n"
                 "..OOOO...\n"
                 ".........\n"
                 "..XXXX...\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 "turn X 1\n",
                 " g7", &ratings);
    // A stone that completes the row is better than one that leaves it for the next.
    rate_drawing("sequences", CONNECT6,
                 ".........\n"
                 ".........\n"
                 "..OOOO...\n"
                 ".........\n"
                 ".OXXXXX..\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 "turn X 2\n",
                 " h5", &ratings);
    assert_true(utility_of(&ratings, &rules, "a1") == ratings.value);
    assert_true(utility_of(&ratings, &rules, "a1") < best_of(&ratings));
}

// Cells whose utility is above the one given.
static unsigned above(const Ratings *ratings, double utility)
{
    unsigned count = 0;
    for (unsigned i = 0; i < ratings->count; i++)
        count += ratings->cells[i].utility > utility;
    return count;
}

static void test_threats_of_the_opponent_are_met(void **state)
{
    (void)state;
    static Ratings ratings;
    Rules rules = rules_of(CONNECT6);
    // The one threat of O is stopped at a5 or d5, better at d5, between its stones. X's own three can wait.
    rate_drawing("sequences", CONNECT6,
                 ".........\n"
                 ".......X.\n"
                 ".......X.\n"
                 ".......X.\n"
                 ".OO.OOX..\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 "turn X 2\n",
                 " d5", &ratings);
    assert_int_equal(above(&ratings, -1e10), 2);
    assert_true(utility_of(&ratings, &rules, "a5") > -1e6);
    assert_true(ratings.value < -1e10);
    // Two threats, and one stone for them: less harm with one left than with two.
    rate_drawing("sequences", CONNECT6,
                 ".........\n"
                 "XOO.OOX..\n"
                 ".........\n"
                 ".........\n"
                 ".OO.OOX..\n"
                 ".........\n"
                 ".........\n"
                 ".OO.OOX..\n"
                 ".........\n"
                 "turn X 1\n",
                 " d5", &ratings);
    double one = utility_of(&ratings, &rules, "d5"), two = utility_of(&ratings, &rules, "h1");
    assert_true(one < -1e10 && two < 1.9 * one);
    assert_int_equal(above(&ratings, 1.5 * one), 4);
}

static void test_many_threats_of_ones_own(void **state)
{
    (void)state;
    static Ratings ratings;
    static const char game[] = "11x11:k=6,p=2,q=1";
    // f6 makes four in a row and in a column, open at all ends: four threats, of which O can meet two.
    static const char below[] = "...........\n"
                                "...........\n"
                                "...........\n"
                                "...........\n"
                                "..XXX......\n"
                                ".....X.....\n"
                                ".....X.....\n"
                                ".....X.....\n"
                                "...........\n"
                                "O...O.O...O\n";
    Rules rules = rules_of(game);
    char text[512];
    (void)snprintf(text, sizeof text, "...........\n%sturn X 1\n", below);
    rate_drawing("sequences", game, text, " f6", &ratings);
    assert_true(utility_of(&ratings, &rules, "f6") > 1e11 && fabs(utility_of(&ratings, &rules, "k11")) < 1e6);
    // With two stones a row is not within reach either; the same.
    (void)snprintf(text, sizeof text, "...........\n%sturn X 2\n", below);
    rate_drawing("sequences", game, text, " f6", &ratings);
    // But O, with a threat of its own, would be first.
    (void)snprintf(text, sizeof text, ".OO.OO.....\n%sturn X 1\n", below);
    rate_drawing("sequences", game, text, " d11", &ratings);
    assert_true(ratings.value < -1e10);
    // p + 1 threats, no fewer: with p = 1 two, which a1 does not make.
    Rules line = rules_of("9x1:k=5");
    rate_drawing("sequences", "9x1:k=5", "..XXX....\nturn X 1\n", " f1", &ratings);
    assert_true(utility_of(&ratings, &line, "b1") > 1e11 && utility_of(&ratings, &line, "a1") < 1e6);
}

TEST_GROUP(agent_sequences)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squares_decide_where_nothing_presses),
        cmocka_unit_test(test_a_win_in_this_turn_comes_first),
        cmocka_unit_test(test_threats_of_the_opponent_are_met),
        cmocka_unit_test(test_many_threats_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
