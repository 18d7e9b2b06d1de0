// Tests of time budgets: limits per turn, clocks, and both together.
#include "agents/budget.h"
#include "base/clock.h"
#include "support/check.h"

#include <math.h>

static void check_seconds(double seconds, double expected)
{
    if (seconds != expected && fabs(seconds - expected) > 1e-9)
        fail_msg("%.9f s, expected %.9f", seconds, expected);
}

static void test_shares(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        Budget budget;
        double usual, most;
    } cases[] = {
        {"gomoku", {.nodes = 5}, INFINITY, INFINITY},
        {"gomoku", {.seconds = 1}, 0.978, 0.978},      // 2 ms and 2 %
        {"gomoku", {.seconds = 30}, 29.698, 29.698},   // 2 ms and at most 300
        {"gomoku", {.seconds = 0.002}, 0.001, 0.001},  // never more than half is kept back
        {"gomoku", {.seconds = 1e-6}, 0.0005, 0.0005}, // but something is left
        {"gomoku", {.clock = {100, 1}}, 99.698 / 20, 3 * 99.698 / 20},
        {"gomoku", {.seconds = 100, .clock = {100, 1}}, 99.698 / 20, 3 * 99.698 / 20}, // no limit of its own
        {"gomoku", {.seconds = 8, .clock = {100, 1}}, 99.698 / 20, 7.838},             // the smaller one counts
        {"gomoku", {.seconds = 2, .clock = {100, 1}}, 1.958, 1.958},
        {"gomoku", {.clock = {100, 1}, .increment = 1}, 99.698 / 20 + 0.8, 3 * (99.698 / 20 + 0.8)},
        {"gomoku", {.clock = {0.1, 1}, .increment = 5}, 0.096, 0.096}, // no more than there is
        {"tictactoe", {.clock = {100, 1}}, 99.698 / 5, 0.3 * 99.698},  // a good part of the clock is left
        {"connect6", {.clock = {100, 1}}, 99.698 / 20, 3 * 99.698 / 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rules rules = rules_of(cases[i].game);
        Board board;
        board_init(&board, &rules);
        BudgetSeconds seconds = budget_seconds(&cases[i].budget, &board);
        check_seconds(seconds.usual, cases[i].usual);
        check_seconds(seconds.most, cases[i].most);
    }
}

// The clock is that of the side to move, and shared by fewer turns when several stones make one.
static void test_side_and_turns(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "4x4:k=4,p=2,q=1");
    play_text(&game, "a1");
    Budget budget = {.clock = {100, 10}};
    check_seconds(budget_seconds(&budget, &game.board).usual, (10 - 0.202) / 4); // 15 cells, four turns
    play_text(&game, "b1 c1");
    check_seconds(budget_seconds(&budget, &game.board).usual, 99.698 / 4); // 13 cells
}

// A clock without increment outlasts every game: each turn takes a part of what is left, also the longest one.
static void test_a_clock_lasts(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Board board;
    board_init(&board, &rules);
    for (int longest = 0; longest < 2; longest++) {
        double clock = 1;
        for (unsigned turn = 0; turn < 113; turn++) {
            Budget budget = {.clock = {clock, 1}};
            BudgetSeconds seconds = budget_seconds(&budget, &board);
            double took = longest ? seconds.most : seconds.usual;
            assert_true(took < clock || took <= BUDGET_LEAST);
            assert_true(seconds.usual <= seconds.most);
            clock = fmax(clock - took, 1e-3);
        }
    }
}

static void test_deadline(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Board board;
    board_init(&board, &rules);
    assert_true(budget_deadline(&(Budget){.nodes = 5, .depth = 1}, &board) == 0);
    double before = clock_seconds();
    double deadline = budget_deadline(&(Budget){.seconds = 1e6}, &board);
    double after = clock_seconds();
    assert_true(deadline >= before + 1e6 - 0.302 && deadline <= after + 1e6 - 0.302);
}

TEST_GROUP(budget)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_side_and_turns),
        cmocka_unit_test(test_a_clock_lasts),
        cmocka_unit_test(test_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
