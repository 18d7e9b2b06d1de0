// Tests of the notation of cells and games.
#include "game/notation.h"
#include "support/check.h"

#include <string.h>

static void test_names_of_cells(void **state)
{
    (void)state;
    static const struct {
        unsigned column, row;
        const char *name;
    } cells[] = {
        {0, 0, "a1"},   {7, 7, "h8"},   {25, 0, "z1"},  {26, 0, "aa1"},   {27, 11, "ab12"},
        {51, 0, "az1"}, {52, 0, "ba1"}, {63, 0, "bl1"}, {63, 63, "bl64"}, {0, 63, "a64"},
    };
    Rules rules = rules_of("64x64:k=5");
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char text[CELL_TEXT_SIZE];
        Cell cell = cell_at(cells[i].column, cells[i].row);
        cell_format(cell, text);
        assert_string_equal(text, cells[i].name);
        assert_int_equal(cell_of(&rules, cells[i].name), cell);
    }
    char column[CELL_TEXT_SIZE];
    column_format(25, column);
    assert_string_equal(column, "z");
    column_format(63, column);
    assert_string_equal(column, "bl");
}

static void test_every_cell_is_read_back(void **state)
{
    (void)state;
    Rules rules = rules_of("64x64:k=5");
    for (unsigned column = 0; column < 64; column++)
        for (unsigned row = 0; row < 64; row++) {
            char text[CELL_TEXT_SIZE];
            cell_format(cell_at(column, row), text);
            assert_int_equal(cell_of(&rules, text), cell_at(column, row));
        }
    assert_int_equal(cell_of(&rules, "AB12"), cell_of(&rules, "ab12"));
}

static void test_bad_cells(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "'' is no cell; cells go from a1 to g6"},
        {"a", "'a' is no cell"},
        {"1", "'1' is no cell"},
        {"1a", "'1a' is no cell"},
        {"a1b", "'a1b' is no cell"},
        {"a-1", "'a-1' is no cell"},
        {"a+1", "'a+1' is no cell"},
        {"a 1", "'a 1' is no cell"},
        {"a99999999999999999999", "'a99999999999999999999' is no cell"},
        {"a0", "'a0' is outside the 7x6 board; cells go from a1 to g6"},
        {"a7", "'a7' is outside the 7x6 board"},
        {"h1", "'h1' is outside the 7x6 board"},
        {"aa1", "'aa1' is outside the 7x6 board"},
        {"aaa1", "'aaa1' is outside the 7x6 board"},
    };
    Rules rules = rules_of("7x6:k=4");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Cell cell = 42;
        Error error = {0};
        assert_refused(cell_parse(span_of(bad[i][0]), &rules, &cell, &error), error, bad[i][1]);
        assert_int_equal(cell, 42);
    }
}

static void test_games_of_cells(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    play_text(&game, " j10,k10 K11\tj9 ,, i9\nh8\r\n");
    assert_stones(&game, "j10 k10 k11 j9 i9 h8");
    assert_int_equal(board_side(&game.board), SIDE_SECOND);
    assert_int_equal(board_stones_left(&game.board), 1);
    play_text(&game, "");
    play_text(&game, " ,\n");
    assert_int_equal(game_read(&game, (Span){0}, NULL), STATUS_OK);
    assert_int_equal(game.played, 6);
}

static void test_games_of_columns(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect4");
    play_text(&game, "4453");
    assert_stones(&game, "d1 d2 e1 c1");
    play_text(&game, "dD ec, d5 7 g");
    assert_stones(&game, "d1 d2 e1 c1 d3 d4 e2 c2 d5 g1 g2");
}

// "12" is not one column: each digit is a column, even on wider boards.
static void test_digits_are_single_columns(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "12x4:k=4,gravity");
    play_text(&game, "12 l");
    assert_stones(&game, "a1 b1 l1");
}

// With more than 26 columns, "ab" is one column, not two.
static void test_wide_boards(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "64x4:k=4,gravity");
    play_text(&game, "a ab AB bl 9 ab3");
    assert_stones(&game, "a1 ab1 ab2 bl1 i1 ab3");
    Error error = {0};
    assert_refused(game_read(&game, span_of("bm"), &error), error, "there is no column 'bm'; the board has 64");
    assert_refused(game_read(&game, span_of("aaa"), &error), error, "there is no column 'aaa'");
    begin_game(&game, "26x4:k=4,gravity");
    play_text(&game, "az");
    assert_stones(&game, "a1 z1");
    begin_game(&game, "27x4:k=4,gravity");
    play_text(&game, "aa a");
    assert_stones(&game, "aa1 a1");
}

typedef struct {
    const char *rules, *moves, *words, *played;
} BadGame;

static const BadGame bad_games[] = {
    {"tictactoe", "a1 d1", "stone 2, 'd1', at character 4: 'd1' is outside the 3x3 board; cells go from a1 to c3",
     "a1"},
    {"tictactoe", "a1 b2 a1", "stone 3, 'a1', at character 7: a1 is taken by X", "a1 b2"},
    {"tictactoe", "a1,b2,b2", "stone 3, 'b2', at character 7: b2 is taken by O", "a1 b2"},
    {"tictactoe", "a1 12", "stone 2, '12', at character 4: '12' is no cell", "a1"},
    {"tictactoe", "a1 b", "stone 2, 'b', at character 4: 'b' is no cell", "a1"},
    {"tictactoe", "a1 a2 b1 b2 c1 c2", "stone 6, 'c2', at character 16: the game is over: the first player has won",
     "a1 a2 b1 b2 c1"},
    {"tictactoe", "a1 b1 a2 b2 c1 b3 c3", "the game is over: the second player has won", "a1 b1 a2 b2 c1 b3"},
    {"tictactoe", "a1 b1 c1 a2 c2 b2 a3 c3 b3 a1", "the game is over: the board is full, a draw",
     "a1 b1 c1 a2 c2 b2 a3 c3 b3"},
    {"connect4", "44 d2", "stone 3, 'd2', at character 4: d2 is taken by O; the next stone of its column falls to d3",
     "d1 d2"},
    {"connect4", "d1 d1", "d1 is taken by X; the next stone of its column falls to d2", "d1"},
    {"connect4", "4 e2", "stone 2, 'e2', at character 3: e2 would float: a stone in column e falls to e1", "d1"},
    {"connect4", "4 d6", "d6 would float: a stone in column d falls to d2", "d1"},
    {"connect4", "4444444", "stone 7, '4444444', at character 1: column '4' is full", "d1 d2 d3 d4 d5 d6"},
    {"connect4", "dddddd d", "stone 7, 'd', at character 8: column 'd' is full", "d1 d2 d3 d4 d5 d6"},
    {"connect4", "dddddd d6", "d6 is taken, and column d is full", "d1 d2 d3 d4 d5 d6"},
    {"connect4", "48", "stone 2, '48', at character 1: there is no column '8'; the board has 7", "d1"},
    {"connect4", "40", "there is no column '0'; columns count from 1", "d1"},
    {"connect4", "4h", "'4h' is no cell", ""},
    {"connect4", "h", "there is no column 'h'", ""},
    {"connect4", "1213141 5", "stone 8, '5', at character 9: the game is over: the first player has won",
     "a1 b1 a2 c1 a3 d1 a4"},
    {"2x2:k=2,gravity", "a a b a", "the game is over: the first player has won", "a1 a2 b1"},
    {"1x2:k=2,gravity", "aa a", "the game is over: the board is full, a draw", "a1 a2"},
};

static void test_bad_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_games / sizeof bad_games[0]; i++) {
        Game game;
        Error error = {0};
        begin_game(&game, bad_games[i].rules);
        assert_refused(game_read(&game, span_of(bad_games[i].moves), &error), error, bad_games[i].words);
        assert_stones(&game, bad_games[i].played);
    }
}

TEST_GROUP(notation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_cells),   cmocka_unit_test(test_every_cell_is_read_back),
        cmocka_unit_test(test_bad_cells),        cmocka_unit_test(test_games_of_cells),
        cmocka_unit_test(test_games_of_columns), cmocka_unit_test(test_digits_are_single_columns),
        cmocka_unit_test(test_wide_boards),      cmocka_unit_test(test_bad_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
