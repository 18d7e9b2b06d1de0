// Tests of the board: turns, ends of games, the longest rows, exact rows.
#include "game/notation.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

// The sides that place the first stones of a game, as letters.
static void assert_order(const char *rules, const char *order)
{
    Game game;
    begin_game(&game, rules);
    for (size_t i = 0; order[i] != '\0'; i++) {
        Side side = order[i] == 'X' ? SIDE_FIRST : SIDE_SECOND;
        assert_int_equal(board_side(&game.board), side);
        unsigned same = 0;
        while (order[i + same] == order[i])
            same++;
        if (order[i + same] != '\0') // the last group may be incomplete
            assert_int_equal(board_stones_left(&game.board), same);
        assert_int_equal(game_side_of(&game, (unsigned)i), side);
        game_play(&game, cell_at((unsigned)i % 8, (unsigned)i / 8));
        assert_int_equal(board_count(&game.board), i + 1);
    }
}

static void test_turns(void **state)
{
    (void)state;
    assert_order("8x8:k=8", "XOXOXOXOXO");
    assert_order("8x8:k=8,p=1,q=2", "XXOXOXOXOX");
    assert_order("8x8:k=8,p=1,q=3", "XXXOXOXOXO");
    assert_order("8x8:k=8,p=2,q=1", "XOOXXOOXXO");
    assert_order("8x8:k=8,p=2,q=2", "XXOOXXOOXXO");
    assert_order("8x8:k=8,p=2,q=3", "XXXOOXXOOXX");
    assert_order("8x8:k=8,p=3,q=1", "XOOOXXXOOOX");
    assert_order("8x8:k=8,p=3,q=2", "XXOOOXXXOOOX");
    assert_order("8x8:k=8,p=3,q=3", "XXXOOOXXXOOO");
    assert_order("8x8:k=8,p=7,q=5", "XXXXXOOOOOOOXXXXXXX");
}

static void test_the_last_turn_may_be_short(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x1:k=5,p=3,q=1");
    assert_int_equal(board_stones_left(&game.board), 1);
    play_text(&game, "a1");
    assert_int_equal(board_stones_left(&game.board), 3);
    play_text(&game, "b1 c1 d1");
    assert_int_equal(board_side(&game.board), SIDE_FIRST);
    assert_int_equal(board_stones_left(&game.board), 1);
    play_text(&game, "e1");
    assert_true(game_is_over(&game));
    assert_int_equal(board_winner(&game.board), WINNER_NONE);
    assert_int_equal(board_stones_left(&game.board), 0);
    Cell cells[RULES_CELLS_MAX];
    assert_int_equal(board_legal_cells(&game.board, cells), 0);
    assert_int_equal(board_winning_cells(&game.board, cells), 0);
}

static void test_a_win_in_the_middle_of_a_turn(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x2:k=3,p=3,q=2");
    play_text(&game, "a1 b1 a2 b2 d2 c1");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    assert_true(game_is_over(&game));
    assert_int_equal(board_stones_left(&game.board), 0);
    assert_int_equal(game_last_turn(&game), 1);
    assert_true(game_undo(&game));
    assert_false(game_is_over(&game));
    assert_int_equal(board_side(&game.board), SIDE_FIRST);
    assert_int_equal(board_stones_left(&game.board), 3);
}

static void test_one_stone_wins(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "3x3:k=1,p=2,q=2");
    play_text(&game, "b2");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    begin_game(&game, "3x3:k=1,exact");
    play_text(&game, "c3");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    begin_game(&game, "1x1:k=1");
    play_text(&game, "a1");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
}

// 64 in a row on the largest board, in all four directions: 63 do not win, whichever stone is the last.
static void test_the_longest_rows(void **state)
{
    (void)state;
    static const int lines[][4] = {{0, 0, 1, 0}, {0, 63, 1, 0},  {0, 0, 0, 1},  {63, 0, 0, 1},
                                   {0, 0, 1, 1}, {0, 63, 1, -1}, {0, 31, 1, 0}, {31, 0, 0, 1}};
    static const char *const specs[] = {"64x64:k=64,p=1,q=64", "64x64:k=64,p=1,q=64,exact"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        for (int last = 0; last < 64; last += 21) {
            Game game;
            begin_game(&game, specs[(i + (size_t)last) % 2]);
            for (int n = 0; n < 64; n++) {
                int at = (last + 1 + n) % 64;
                assert_int_equal(board_winner(&game.board), WINNER_NONE);
                game_play(&game, cell_at((unsigned)(lines[i][0] + at * lines[i][2]),
                                         (unsigned)(lines[i][1] + at * lines[i][3])));
            }
            assert_int_equal(board_winner(&game.board), WINNER_FIRST);
            Cell cells[RULES_CELLS_MAX];
            assert_int_equal(board_winning_cells(&game.board, cells), 64);
        }
}

static void test_a_row_that_is_the_whole_board(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "64x1:k=64,p=1,q=64");
    for (unsigned i = 0; i < 64; i++) {
        assert_false(game_is_over(&game));
        game_play(&game, cell_at(63 - i, 0));
    }
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    begin_game(&game, "64x1:k=64,p=1,q=63");
    for (unsigned i = 0; i < 64; i++)
        game_play(&game, cell_at(i, 0));
    assert_true(game_is_over(&game));
    assert_int_equal(board_winner(&game.board), WINNER_NONE);
    begin_game(&game, "1x64:k=64,p=64,q=64,gravity");
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(board_drop_row(&game.board, 0), i);
        game_play(&game, cell_at(0, i));
    }
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    assert_int_equal(board_drop_row(&game.board, 0), 64);
}

// A row of `length` stones of the first player through the middle of a 15x15 board, the stone `last` placed last.
static Winner winner_of_row(const char *rules, int dx, int dy, int length, int last)
{
    Game game;
    begin_game(&game, rules);
    for (int n = 0; n < length; n++) {
        int at = (last + 1 + n) % length - length / 2;
        game_play(&game, cell_at((unsigned)(7 + at * dx), (unsigned)(7 + at * dy)));
        if (n + 1 < length && board_winner(&game.board) != WINNER_NONE)
            return WINNER_SECOND; // ended too early; no caller expects this value
    }
    return board_winner(&game.board);
}

static void test_exact_rows(void **state)
{
    (void)state;
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++) {
        int dx = directions[d][0], dy = directions[d][1];
        for (int last = 0; last < 5; last++) {
            assert_int_equal(winner_of_row("15x15:k=5,p=1,q=15,exact", dx, dy, 5, last), WINNER_FIRST);
            assert_int_equal(winner_of_row("15x15:k=5,p=1,q=15", dx, dy, 5, last), WINNER_FIRST);
            assert_int_equal(winner_of_row("15x15:k=5,p=1,q=15,exact", dx, dy, 4, last % 4), WINNER_NONE);
        }
        // Filling a gap makes six, seven, nine: nothing under exact, a win otherwise.
        for (int last = 1; last < 5; last++)
            assert_int_equal(winner_of_row("15x15:k=5,p=1,q=15,exact", dx, dy, 6, last), WINNER_NONE);
        assert_int_equal(winner_of_row("15x15:k=5,p=1,q=15,exact", dx, dy, 9, 4), WINNER_NONE);
        assert_int_equal(winner_of_row("15x15:k=5,p=1,q=15", dx, dy, 9, 4), WINNER_FIRST);
    }
}

// Six in one direction does not invalidate five in another.
static void test_exact_row_beside_a_longer_one(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "standard",
                 "...............\n...............\n...............\n...............\n...............\n"
                 "...............\n...............\n...............\n...............\n...............\n"
                 "...X...........\n...X...........\n...X...........\n...X...........\n.XX.XXX........\n"
                 "turn X 1\n");
    play_text(&game, "d1");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    Cell cells[RULES_CELLS_MAX];
    assert_int_equal(board_winning_cells(&game.board, cells), 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(cells[i], cell_at(3, i));
}

static void test_undo_gives_back_every_state(void **state)
{
    (void)state;
    Board board, before[16];
    BoardState states[16];
    Rules rules = rules_of("4x4:k=4,p=3,q=2");
    board_init(&board, &rules);
    for (unsigned i = 0; i < 16; i++) {
        before[i] = board;
        states[i] = board_play(&board, cell_at(i * 5 % 16 % 4, i * 5 % 16 / 4));
    }
    for (unsigned i = 16; i-- > 0;) {
        board_undo(&board, cell_at(i * 5 % 16 % 4, i * 5 % 16 / 4), states[i]);
        assert_same_board(&board, &before[i]);
    }
}

static void test_copies_hold_the_part_in_use(void **state)
{
    (void)state;
    Game game, copy;
    memset(&copy, 0xee, sizeof copy);
    begin_game(&game, "5x7:k=4");
    play_text(&game, "a1 b2 e7 a7");
    game_copy(&copy, &game);
    assert_same_board(&copy.board, &game.board);
    assert_stones(&copy, "a1 b2 e7 a7");
    play_text(&copy, "c3");
    assert_stones(&game, "a1 b2 e7 a7");
    assert_true(game_undo(&copy));
    assert_same_board(&copy.board, &game.board);
}

static void test_winners_of_a_position_set_up(void **state)
{
    (void)state;
    Rules rules = rules_of("3x3:k=2");
    Board board;
    board_init(&board, &rules);
    board_put(&board, cell_at(0, 0), SIDE_FIRST);
    board_put(&board, cell_at(1, 0), SIDE_FIRST);
    assert_int_equal(board_set_turn(&board, SIDE_SECOND, 1), 1);
    assert_int_equal(board_winner(&board), WINNER_FIRST);
    board_put(&board, cell_at(0, 2), SIDE_SECOND);
    board_put(&board, cell_at(1, 2), SIDE_SECOND);
    // Both sides have a row: no side is the winner; the caller decides what this means.
    assert_int_equal(board_set_turn(&board, SIDE_FIRST, 1), 3);
    assert_int_equal(board_winner(&board), WINNER_NONE);
    assert_int_equal(board_count(&board), 4);
}

static void test_keys_tell_turns_apart(void **state)
{
    (void)state;
    Rules rules = rules_of("4x4:k=4,p=3,q=3");
    uint64_t keys[6];
    for (unsigned i = 0; i < 6; i++) {
        Board board;
        board_init(&board, &rules);
        board_put(&board, cell_at(1, 1), SIDE_FIRST);
        assert_int_equal(board_set_turn(&board, i < 3 ? SIDE_FIRST : SIDE_SECOND, 1 + i % 3), 0);
        keys[i] = board_key(&board);
        for (unsigned j = 0; j < i; j++)
            assert_true(keys[i] != keys[j]);
    }
}

static void test_keys_do_not_depend_on_the_order(void **state)
{
    (void)state;
    Game a, b;
    begin_game(&a, "connect6");
    begin_game(&b, "connect6");
    play_text(&a, "j10 k10 k11 a1 b1");
    play_text(&b, "a1 k11 k10 b1 j10");
    assert_true(board_key(&a.board) == board_key(&b.board));
    play_text(&a, "c1");
    play_text(&b, "d1");
    assert_true(board_key(&a.board) != board_key(&b.board));
}

static void test_cells_outside_are_not_legal(void **state)
{
    (void)state;
    Board board;
    Rules rules = rules_of("7x6:k=4");
    board_init(&board, &rules);
    assert_false(board_is_legal(&board, CELL_NONE));
    assert_false(board_is_legal(&board, cell_at(7, 0)));
    assert_false(board_is_legal(&board, cell_at(0, 6)));
    assert_false(board_is_legal(&board, RULES_CELLS_MAX));
    assert_true(board_is_legal(&board, cell_at(6, 5)));
}

// Keys are stored in files and must never change. These are the keys of some stones from the formula of splitmix64.
static void test_keys_of_stones_are_fixed(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2u * RULES_CELLS_MAX; n++) {
        uint64_t z = ((uint64_t)n + 1) * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        assert_true(zobrist_stone[n / 2][n % 2] == (z ^ z >> 31));
    }
    Game game;
    begin_game(&game, "connect6");
    play_text(&game, "j10 k10");
    assert_true(game.board.state.stones_key == (zobrist_stone[9 * 64 + 9][0] ^ zobrist_stone[9 * 64 + 10][1]));
}

// The prediction for a cell that is still empty is what playing there does.
static void test_wins_at_an_empty_cell(void **state)
{
    (void)state;
    static const char *const games[] = {"gomoku", "standard", "9x9:k=3,p=2", "connect4"};
    unsigned wins = 0;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Game game;
        begin_game(&game, games[i]);
        Rng rng = rng_make(i);
        Cell cells[RULES_CELLS_MAX];
        for (unsigned count = 0; (count = board_legal_cells(&game.board, cells)) > 0;) {
            for (unsigned j = 0; j < count; j++) {
                Board trial = game.board;
                bool wins_there = board_wins_at(&trial, cells[j], board_side(&trial));
                (void)board_play(&trial, cells[j]);
                assert_int_equal(wins_there, board_winner(&trial) != WINNER_NONE);
                wins += wins_there;
            }
            game_play(&game, cells[rng_below(&rng, count)]);
        }
    }
    assert_true(wins > 0);
}

TEST_GROUP(board)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_the_last_turn_may_be_short),
        cmocka_unit_test(test_a_win_in_the_middle_of_a_turn),
        cmocka_unit_test(test_one_stone_wins),
        cmocka_unit_test(test_the_longest_rows),
        cmocka_unit_test(test_a_row_that_is_the_whole_board),
        cmocka_unit_test(test_exact_rows),
        cmocka_unit_test(test_exact_row_beside_a_longer_one),
        cmocka_unit_test(test_undo_gives_back_every_state),
        cmocka_unit_test(test_copies_hold_the_part_in_use),
        cmocka_unit_test(test_winners_of_a_position_set_up),
        cmocka_unit_test(test_keys_tell_turns_apart),
        cmocka_unit_test(test_keys_do_not_depend_on_the_order),
        cmocka_unit_test(test_cells_outside_are_not_legal),
        cmocka_unit_test(test_keys_of_stones_are_fixed),
        cmocka_unit_test(test_wins_at_an_empty_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
