// Tests of the referee: it plays a legal turn; an illegal one becomes an outcome with a reason.
#include "game/notation.h"
#include "match/referee.h"
#include "support/check.h"

#include <string.h>

static Decision decision_of(const Rules *rules, const char *cells)
{
    Decision decision = {0};
    Span rest = span_of(cells), word = {0};
    while (span_next_word(&rest, " ", &word)) {
        Cell cell = CELL_NONE;
        assert_int_equal(cell_parse(word, rules, &cell, NULL), STATUS_OK);
        decision.stones[decision.count++] = cell;
    }
    return decision;
}

static void test_right_turns(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=3,p=2,q=1");
    Error error = {0};
    static const char *const turns[] = {"c3", "a1 e5", "c4 e1", "a2 a3"};
    for (size_t i = 0; i < 4; i++) {
        Decision decision = decision_of(&game.board.rules, turns[i]);
        assert_done(referee_play(&game, &decision, &error), error);
    }
    assert_stones(&game, "c3 a1 e5 c4 e1 a2 a3");
    assert_int_equal(board_winner(&game.board), WINNER_SECOND);
}

static void test_a_turn_may_end_with_a_win(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=3,p=3,q=2");
    play_text(&game, "a1 b1 a5 b5 c4");
    Error error = {0};
    Decision decision = decision_of(&game.board.rules, "c1");
    assert_done(referee_play(&game, &decision, &error), error);
    assert_true(game_is_over(&game));
}

static void test_the_last_turn_is_as_long_as_the_board_allows(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "4x1:k=4,p=2,q=1");
    play_text(&game, "a1 b1 c1");
    Error error = {0};
    Decision decision = decision_of(&game.board.rules, "d1");
    assert_done(referee_play(&game, &decision, &error), error);
    assert_true(game_is_over(&game));
}

typedef struct {
    const char *rules, *before, *turn, *words, *after;
} FaultyTurn;

static const FaultyTurn faults[] = {
    {"5x5:k=5,p=2,q=1", "", "", "the turn has 0 stones instead of 1", ""},
    {"5x5:k=5,p=2,q=1", "", "a1 b1", "the turn has 2 stones instead of 1", "a1"},
    {"5x5:k=5,p=2,q=1", "a1", "b1", "the turn has 1 stones instead of 2", "a1 b1"},
    {"5x5:k=5,p=2,q=1", "a1", "b1 c1 d1", "the turn has 3 stones instead of 2", "a1 b1 c1"},
    {"5x5:k=5,p=2,q=1", "a1 b1", "c1 d1", "the turn has 2 stones instead of 1", "a1 b1 c1"},
    {"5x5:k=5,p=2,q=1", "a1", "a1 b1", "stone 1 of the turn: a1 is taken by X", "a1"},
    {"5x5:k=5,p=2,q=1", "a1", "b1 b1", "stone 2 of the turn: b1 is taken by O", "a1 b1"},
    {"5x5:k=5,gravity", "", "a2", "stone 1 of the turn: a2 would float: a stone in column a falls to a1", ""},
    {"5x5:k=3,p=3,q=2", "a1 b1 a5 b5 c4", "c1 d1", "the turn has 2 stones instead of 1", "a1 b1 a5 b5 c4 c1"},
    {"4x1:k=4,p=2,q=1", "a1 b1 c1", "d1 d1", "the turn has 2 stones instead of 1", "a1 b1 c1 d1"},
    {"3x1:k=1", "a1", "b1", "the turn has 1 stones instead of 0", "a1"},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        Game game;
        begin_game(&game, faults[i].rules);
        play_text(&game, faults[i].before);
        Error error = {0};
        Decision decision = decision_of(&game.board.rules, faults[i].turn);
        assert_refused(referee_play(&game, &decision, &error), error, faults[i].words);
        assert_stones(&game, faults[i].after);
    }
}

static void test_cells_that_are_none(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=5");
    Error error = {0};
    Decision decision = {.count = 1, .stones = {CELL_NONE}};
    assert_refused(referee_play(&game, &decision, &error), error, "stone 1 of the turn: the cell is outside");
    decision.stones[0] = cell_at(5, 0);
    assert_refused(referee_play(&game, &decision, &error), error, "outside the 5x5 board");
    decision.count = 1000000;
    decision.stones[0] = cell_at(0, 0);
    assert_refused(referee_play(&game, &decision, &error), error, "the turn has 1000000 stones instead of 1");
    assert_int_equal(referee_play(&game, &decision, NULL), STATUS_BAD_INPUT);
}

TEST_GROUP(referee)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_turns),
        cmocka_unit_test(test_a_turn_may_end_with_a_win),
        cmocka_unit_test(test_the_last_turn_is_as_long_as_the_board_allows),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_cells_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
