// Tests of games: the order and owners of stones, undo, random play to the end.
#include "game/diagram.h"
#include "game/playout.h"
#include "support/check.h"

#include <string.h>

static void test_nothing_to_take_back(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    assert_false(game_undo(&game));
    assert_int_equal(game_last(&game), CELL_NONE);
    assert_int_equal(game_last_turn(&game), 0);
    read_drawing(&game, "3x1:k=3", "XO.");
    assert_false(game_undo(&game));
}

// Undoes a whole random game stone by stone; each board equals the earlier one.
static void take_back_a_game(const char *rules, const char *drawing, Rng *rng)
{
    enum { MOST = 64 };
    static Board before[MOST];
    Game game;
    begin_game(&game, rules);
    if (drawing != NULL)
        read_drawing(&game, rules, drawing);
    unsigned count = 0;
    for (; !game_is_over(&game) && count < MOST; count++) {
        Cell cells[RULES_CELLS_MAX], cell = cells[rng_below(rng, board_legal_cells(&game.board, cells))];
        board_copy(&before[count], &game.board);
        game_play(&game, cell);
        assert_int_equal(game_last(&game), cell);
    }
    while (count-- > 0) {
        assert_int_equal(game_side_of(&game, count), board_side(&before[count]));
        assert_true(game_undo(&game));
        assert_same_board(&game.board, &before[count]);
    }
    assert_false(game_undo(&game));
}

static void test_taking_back(void **state)
{
    (void)state;
    static const char *const games[][2] = {
        {"connect4", NULL},
        {"connect6", NULL},
        {"5x5:k=3,p=3,q=2,gravity", NULL},
        {"5x5:k=4,p=2,q=3,exact", NULL},
        {"4x4:k=4,p=5,q=9", NULL},
        {"4x4:k=3,p=3,q=1", "....\n.X..\n..O.\n....\nturn O 2\n"},
        {"4x4:k=4,p=1,q=3", "....\n.X..\n..X.\n....\nturn X 3\n"},
        {"4x4:k=4,p=2,q=1", "....\n.X..\n..O.\n....\n"},
    };
    Rng rng = rng_make(17);
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
            take_back_a_game(games[i][0], games[i][1], &rng);
}

static void test_the_last_turn(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "6x6:k=6,p=2,q=3");
    static const unsigned expected[] = {1, 2, 3, 1, 2, 1, 2, 1};
    for (unsigned i = 0; i < 8; i++) {
        game_play(&game, cell_at(i % 6, i / 6));
        assert_int_equal(game_last_turn(&game), expected[i]);
    }
}

static void test_a_refused_stone_changes_nothing(void **state)
{
    (void)state;
    Game game, before;
    begin_game(&game, "connect4");
    play_text(&game, "4453");
    game_copy(&before, &game);
    Error error = {0};
    assert_refused(game_try(&game, cell_at(6, 5), &error), error, "g6 would float");
    assert_refused(game_try(&game, cell_at(3, 0), &error), error, "d1 is taken by X");
    assert_refused(game_try(&game, cell_at(7, 0), &error), error, "the cell is outside the 7x6 board");
    assert_refused(game_try(&game, CELL_NONE, &error), error, "the cell is outside the 7x6 board");
    assert_int_equal(game_try(&game, CELL_NONE, NULL), STATUS_BAD_INPUT);
    assert_same_board(&game.board, &before.board);
    assert_int_equal(game.played, before.played);
}

static void test_words_for_sides(void **state)
{
    (void)state;
    assert_string_equal(side_name(SIDE_FIRST), "first");
    assert_string_equal(side_name(SIDE_SECOND), "second");
    assert_int_equal(side_letter(SIDE_FIRST), 'X');
    assert_int_equal(side_letter(SIDE_SECOND), 'O');
    assert_int_equal(side_other(SIDE_FIRST), SIDE_SECOND);
    assert_int_equal(side_other(SIDE_SECOND), SIDE_FIRST);
}

static void test_playouts_end_the_game(void **state)
{
    (void)state;
    static const char *const rules[] = {"tictactoe", "connect4",        "connect6",      "5x4:k=5,p=3,q=2",
                                        "64x1:k=64", "1x9:k=3,gravity", "8x8:k=3,exact", "1x1:k=1"};
    Rng rng = rng_make(4);
    for (int i = 0; i < 400; i++) {
        Game game;
        begin_game(&game, rules[i % 8]);
        uint64_t stones = 1000;
        Winner winner = playout_random(&game.board, &rng, &stones);
        assert_true(board_is_over(&game.board));
        assert_int_equal(winner, board_winner(&game.board));
        assert_int_equal(stones - 1000, board_count(&game.board));
        // The game is over.
        uint64_t key = board_key(&game.board);
        assert_int_equal(playout_random(&game.board, &rng, NULL), winner);
        assert_true(board_key(&game.board) == key);
    }
}

static void test_playouts_come_from_the_seed(void **state)
{
    (void)state;
    Game a, b;
    Rng first = rng_make(9), second = rng_make(9);
    begin_game(&a, "connect4");
    begin_game(&b, "connect4");
    (void)playout_random(&a.board, &first, NULL);
    (void)playout_random(&b.board, &second, NULL);
    assert_same_board(&a.board, &b.board);
}

// Tic-tac-toe at random: 737, 363 and 160 of 1260 end in a win, a loss and a draw (by counting all games, weighted).
static void test_playouts_are_fair(void **state)
{
    (void)state;
    enum { GAMES = 20000 };
    unsigned results[3] = {0};
    Rng rng = rng_make(2);
    for (int i = 0; i < GAMES; i++) {
        Game game;
        begin_game(&game, "tictactoe");
        results[playout_random(&game.board, &rng, NULL)]++;
    }
    assert_in_range(results[WINNER_FIRST], GAMES * 0.585 - 350, GAMES * 0.585 + 350);
    assert_in_range(results[WINNER_SECOND], GAMES * 0.288 - 350, GAMES * 0.288 + 350);
    assert_in_range(results[WINNER_NONE], GAMES * 0.127 - 350, GAMES * 0.127 + 350);
}

TEST_GROUP(game)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_take_back),
        cmocka_unit_test(test_taking_back),
        cmocka_unit_test(test_the_last_turn),
        cmocka_unit_test(test_a_refused_stone_changes_nothing),
        cmocka_unit_test(test_words_for_sides),
        cmocka_unit_test(test_playouts_end_the_game),
        cmocka_unit_test(test_playouts_come_from_the_seed),
        cmocka_unit_test(test_playouts_are_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
