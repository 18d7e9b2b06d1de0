// Tests of levels: errors that careful levels never make, errors of careless ones, and error rates as planned.
#include "agents/levels.h"
#include "support/check.h"
#include "threats/holding.h"
#include "threats/lines.h"

#include <stdio.h>
#include <string.h>

static const char *const many_rules[] = {
    "tictactoe",
    "connect4",
    "9x9:k=5",
    "7x7:k=4,p=2",
    "6x6:k=4,p=3",
    "7x6:k=4,gravity,p=2",
    "8x8:k=5,exact",
    "connect6",
    "10x10:k=6,p=2,q=1",
    "5x5:k=3,p=2,gravity",
    "5x4:k=4,p=3,gravity",
    "6x6:k=4,p=2,q=4",
    "6x5:k=4,exact,gravity",
};
enum { RULES = sizeof many_rules / sizeof many_rules[0] };

// A game of random stones, somewhere in its middle; false when it ended before.
static bool begin_in_the_middle(Game *game, const char *text, Rng *rng)
{
    Rules rules = rules_of(text);
    game_init(game, &rules);
    unsigned cells = (unsigned)rules.width * rules.height, stones = 2 + rng_below(rng, (cells < 60 ? cells : 60) - 2);
    for (unsigned i = 0; i < stones && !game_is_over(game); i++) {
        Cell legal[RULES_CELLS_MAX];
        game_play(game, legal[rng_below(rng, board_legal_cells(&game->board, legal))]);
    }
    return !game_is_over(game);
}

static void play_decision(const Game *game, const Decision *decision, Board *after)
{
    board_copy(after, &game->board);
    for (unsigned i = 0; i < decision->count; i++)
        (void)board_play(after, decision->stones[i]);
}

static bool can_complete(const Board *board)
{
    return lines_can_complete(board, board_side(board), board_stones_left(board));
}

static bool some_turn_holds(const Board *board)
{
    Cell order[RULES_CELLS_MAX], stones[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, order);
    return holding_find(board, order, count, stones) > 0;
}

// However often it errs, a level above the careless ones leaves nothing to complete where a turn can prevent it, and
// one above the blind ones completes a row at hand.
static void check_care(const Game *game, unsigned level, uint64_t seed, unsigned *wins, unsigned *dangers)
{
    char text[64];
    (void)snprintf(text, sizeof text, "level:n=%u,slip=0.9", level);
    Decision decision;
    Board after, passed;
    // Care does not depend on how far the thinking came.
    static const Budget budgets[] = {{0}, {.nodes = 1}, {.depth = 1}};
    decide_turn(text, game, seed, budgets[seed % 3], &decision);
    play_decision(game, &decision, &after);
    Side side = board_side(&game->board);
    bool sees_wins = level > LEVELS_BLIND || level == levels_count(&game->board.rules);
    if (sees_wins && can_complete(&game->board)) {
        assert_int_equal(board_winner(&after), side + 1);
        ++*wins;
    } else if (some_turn_holds(&game->board)) {
        if (!holding_holds(&after))
            print_board(&game->board);
        assert_true(holding_holds(&after));
        board_copy(&passed, &game->board);
        (void)board_set_turn(&passed, side_other(side), game->board.rules.p);
        *dangers += can_complete(&passed);
    }
}

static void test_careful_levels_miss_neither_a_win_nor_a_loss_at_hand(void **state)
{
    (void)state;
    unsigned wins = 0, dangers = 0;
    Rng rng = rng_make(11);
    for (unsigned long step = 0; step < test_steps() / 200; step++) {
        Game game;
        if (!begin_in_the_middle(&game, many_rules[step % RULES], &rng))
            continue;
        unsigned count = levels_count(&game.board.rules);
        unsigned level = LEVELS_CARELESS + 1 + rng_below(&rng, count - LEVELS_CARELESS);
        check_care(&game, level, step, &wins, &dangers);
    }
    assert_true(wins > 3 && dangers > 3);
}

// For every underlying agent: a move of a blind agent that loses at once is replaced.
static void test_care_does_not_need_a_thinker_who_sees(void **state)
{
    (void)state;
    unsigned replaced = 0;
    Rng rng = rng_make(23);
    for (unsigned i = 0; i < 400; i++) {
        Game game;
        if (!begin_in_the_middle(&game, many_rules[i % RULES], &rng) || !some_turn_holds(&game.board))
            continue;
        Decision thought, decision;
        Board after;
        decide_turn("random", &game, i, (Budget){0}, &thought);
        decide_turn("level:n=3,slip=0,thinker=random", &game, i, (Budget){0}, &decision);
        play_decision(&game, &thought, &after);
        replaced += !holding_holds(&after);
        play_decision(&game, &decision, &after);
        assert_true(holding_holds(&after));
    }
    assert_true(replaced > 10);
}

// Nor does a row at hand: above the blind levels every underlying agent completes it.
static void test_wins_do_not_need_a_thinker_who_sees(void **state)
{
    (void)state;
    unsigned found = 0;
    Rng rng = rng_make(29);
    for (unsigned i = 0; i < 600; i++) {
        Game game;
        if (!begin_in_the_middle(&game, many_rules[i % RULES], &rng) || !can_complete(&game.board))
            continue;
        char text[64];
        unsigned count = levels_count(&game.board.rules), level = count > LEVELS_BLIND ? LEVELS_BLIND + 1 : count;
        (void)snprintf(text, sizeof text, "level:n=%u,slip=0.5,thinker=random", level);
        Decision decision;
        Board after;
        decide_turn(text, &game, i, (Budget){0}, &decision);
        play_decision(&game, &decision, &after);
        assert_int_equal(board_winner(&after), board_side(&game.board) + 1);
        found++;
    }
    assert_true(found > 10);
}

// Of the middle levels an error may pass over a win.
static void test_middle_levels_overlook_a_win_at_hand(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect4");
    play_text(&game, "d1 a1 d2 b1 d3 g1");
    Cell win = cell_of(&game.board.rules, "d4");
    unsigned missed = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Decision decision;
        decide_turn("level:n=6,slip=0.5", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.stones[0], win);
        decide_turn("level:n=5,slip=0.5", &game, seed, (Budget){0}, &decision);
        missed += decision.stones[0] != win;
    }
    assert_in_range(missed, 15, 45);
}

// The threat is seen by a level that errs nowhere and by a careful one, and overlooked by a careless one now and then.
static void test_careless_levels_overlook_a_loss_at_hand(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect4");
    play_text(&game, "d1 a1 d2 b1 d3");
    Cell block = cell_of(&game.board.rules, "d4");
    unsigned missed = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Decision decision;
        decide_turn("level:n=3,slip=0.5", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.stones[0], block);
        decide_turn("level:n=2,slip=0", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.stones[0], block);
        decide_turn("level:n=2,slip=0.5", &game, seed, (Budget){0}, &decision);
        missed += decision.stones[0] != block;
    }
    assert_in_range(missed, 15, 45);
}

static void test_without_slips_the_turn_is_what_was_thought(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    for (unsigned i = 0; i < 40; i++) {
        Game game;
        if (!begin_in_the_middle(&game, many_rules[1 + i % (RULES - 1)], &rng))
            continue;
        Decision thought, decision;
        Board after;
        decide_turn("sequences:depth=2", &game, i, (Budget){0}, &thought);
        decide_turn("level:n=1,slip=0,thinker=sequences:depth=2", &game, i, (Budget){0}, &decision);
        assert_int_equal(decision.count, thought.count);
        assert_memory_equal(decision.stones, thought.stones, thought.count * sizeof(Cell));
        assert_true(decision.score == thought.score && decision.depth == thought.depth);
        assert_int_equal(decision.count_list[0].value, 0);
        play_decision(&game, &decision, &after);
    }
}

// Stones that were passed over are counted, and are about as many as the probability says.
static void test_slips_are_counted(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 i9 g9");
    Decision thought, decision;
    unsigned slips = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        decide_turn("sequences:depth=1", &game, 1, (Budget){0}, &thought);
        decide_turn("level:n=5,slip=0.25,thinker=sequences:depth=1", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.counts, 1);
        assert_string_equal(decision.count_list[0].name, "slips");
        slips += (unsigned)decision.count_list[0].value;
        // Of an error nothing is claimed.
        assert_true(decision.count_list[0].value == 0 || (decision.line_count == 0 && decision.score == 0));
    }
    assert_in_range(slips, 30, 70);
}

// Errors are near the top of the list: the second choice is the most frequent one, and most are among the first five.
static void test_errors_are_plausible(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 i9 g9 f10 j9");
    Agent rater;
    Error error = {0};
    assert_done(agent_open(&rater, span_of("sequences"), &game.board.rules, &error), error);
    agent_rate(&rater, &game);
    unsigned errors = 0, near = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        Decision decision;
        decide_turn("level:n=5,slip=0.5,thinker=sequences", &game, seed, (Budget){0}, &decision);
        if (decision.count_list[0].value == 0)
            continue;
        double own = 0;
        unsigned better = 0;
        for (unsigned i = 0; i < rater.ratings->count; i++)
            own = rater.ratings->cells[i].cell == decision.stones[0] ? rater.ratings->cells[i].utility : own;
        for (unsigned i = 0; i < rater.ratings->count; i++)
            better += rater.ratings->cells[i].utility > own;
        errors++;
        near += better <= 5;
    }
    agent_close(&rater);
    assert_true(errors > 60 && near * 10 > errors * 8);
}

static void test_levels_that_are_not_there_are_refused(void **state)
{
    (void)state;
    Agent agent = {0};
    Error error = {0};
    Rules small = rules_of("tictactoe"), large = rules_of("gomoku");
    assert_int_equal(levels_count(&small), 3);
    assert_int_equal(levels_count(&large), LEVELS_MAX);
    assert_refused(agent_open(&agent, span_of("level:n=4"), &small, &error), error, "has levels 1 to 3, not 4");
    assert_refused(agent_open(&agent, span_of("level:n=11"), &large, &error), error, "n");
}

// Every plan of every kind of game opens, errs less than the one below or looks further, and the highest errs nowhere.
static void test_plans_rise(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RULES; i++) {
        Rules rules = rules_of(many_rules[i]);
        unsigned count = levels_count(&rules);
        LevelPlan below = levels_plan(&rules, 1);
        for (unsigned level = 2; level <= count; level++) {
            LevelPlan plan = levels_plan(&rules, level);
            bool same = strcmp(plan.agent, below.agent) == 0;
            bool more_care = level == LEVELS_CARELESS + 1 || level == LEVELS_BLIND + 1;
            assert_true(!same || more_care || plan.slip < below.slip);
            assert_true(plan.slip >= 0 && plan.slip < 1);
            below = plan;
        }
        assert_true(below.slip == 0);
    }
}

TEST_GROUP(level)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_careful_levels_miss_neither_a_win_nor_a_loss_at_hand),
        cmocka_unit_test(test_care_does_not_need_a_thinker_who_sees),
        cmocka_unit_test(test_wins_do_not_need_a_thinker_who_sees),
        cmocka_unit_test(test_middle_levels_overlook_a_win_at_hand),
        cmocka_unit_test(test_careless_levels_overlook_a_loss_at_hand),
        cmocka_unit_test(test_without_slips_the_turn_is_what_was_thought),
        cmocka_unit_test(test_slips_are_counted),
        cmocka_unit_test(test_errors_are_plausible),
        cmocka_unit_test(test_levels_that_are_not_there_are_refused),
        cmocka_unit_test(test_plans_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
