// Tests of diagrams: positions drawn as text.
#include "game/diagram.h"
#include "game/playout.h"
#include "support/check.h"

#include <string.h>

static void assert_drawn(const Board *board, const char *expected)
{
    Text text = {0};
    diagram_write(board, &text);
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void test_reading_and_writing(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "4x3:k=3", "# a comment\n\n..xO\r\n . X .\t.\n\nXO..\n");
    assert_drawn(&game.board, ". . X O\n. X . .\nX O . .\nturn O 1\n");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    assert_int_equal(game.played, 0);
    assert_int_equal(board_stone(&game.board, cell_at(0, 0)), STONE_FIRST);
    assert_int_equal(board_stone(&game.board, cell_at(3, 2)), STONE_SECOND);
    assert_int_equal(board_stone(&game.board, cell_at(3, 0)), STONE_NONE);
}

static void test_the_turn_follows_from_the_stones(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *drawing;
        Side side;
        unsigned left;
    } cases[] = {
        {"5x1:k=3", ".....", SIDE_FIRST, 1},
        {"5x1:k=3", "X....", SIDE_SECOND, 1},
        {"5x1:k=3", "XO...", SIDE_FIRST, 1},
        {"5x1:k=3,p=2,q=1", ".....", SIDE_FIRST, 1},
        {"5x1:k=3,p=2,q=1", "X....", SIDE_SECOND, 2},
        {"5x1:k=3,p=2,q=1", "XO...", SIDE_SECOND, 1},
        {"5x1:k=3,p=2,q=1", "XOO..", SIDE_FIRST, 2},
        {"5x1:k=5,p=2,q=1", "XOOX.", SIDE_FIRST, 1},
        {"7x1:k=5,p=1,q=3", "XX.....", SIDE_FIRST, 1},
        {"7x1:k=5,p=1,q=3", "XXX....", SIDE_SECOND, 1},
        {"7x1:k=5,p=1,q=3", "XXXO...", SIDE_FIRST, 1},
        {"7x1:k=5,p=3,q=2", "XX.....", SIDE_SECOND, 3},
        {"7x1:k=5,p=3,q=2", "XXOO...", SIDE_SECOND, 1},
        {"7x1:k=5,p=3,q=2", "XXOOO..", SIDE_FIRST, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Game game;
        read_drawing(&game, cases[i].rules, cases[i].drawing);
        assert_int_equal(board_side(&game.board), cases[i].side);
        assert_int_equal(board_stones_left(&game.board), cases[i].left);
    }
}

static void test_a_turn_line_sets_up_any_stones(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "5x1:k=3", "XX.X.\nturn X 1\n");
    assert_int_equal(board_side(&game.board), SIDE_FIRST);
    play_text(&game, "c1");
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    read_drawing(&game, "5x1:k=3,p=2,q=1", "X....\n TURN o\n");
    assert_int_equal(board_side(&game.board), SIDE_SECOND);
    assert_int_equal(board_stones_left(&game.board), 2);
    // Only the first turn of the game may be longer than the others.
    read_drawing(&game, "5x1:k=5,p=1,q=3", "X....\nturn X 3\n");
    assert_int_equal(board_stones_left(&game.board), 3);
    // Nearly full: the turn ends when the board is full.
    read_drawing(&game, "5x1:k=5,p=3,q=3", "XOXX.\nturn O 3\n");
    assert_int_equal(board_stones_left(&game.board), 1);
}

typedef struct {
    const char *rules, *drawing, *words;
} Bad;

static const Bad bad_drawings[] = {
    {"3x2:k=3", "", "the diagram ends after 0 rows, but the board has 2"},
    {"3x2:k=3", "...\n", "the diagram ends after 1 rows, but the board has 2"},
    {"3x2:k=3", "...\n...\n...\n", "line 3: more than the 2 rows of the board"},
    {"3x2:k=3", "...\n..\n", "line 2: 2 cells, but a row has 3"},
    {"3x2:k=3", "...\n\n. . . .\n", "line 3, column 7: more than the 3 cells of a row"},
    {"3x2:k=3", "..A\n...\n", "line 1, column 3: 'A' is none of '.', 'X' and 'O'"},
    {"3x2:k=3", "...\n 0..\n", "line 2, column 1: '0' is none of '.', 'X' and 'O' (write the letter O)"},
    {"3x2:k=3", "..\x01\n...\n", "line 1, column 3: '?' is none of"},
    {"3x2:k=3", "..\xc3\n...\n", "line 1, column 3: '?' is none of"},
    {"3x2:k=3", "...\nturn X 1\n...\n", "line 2: the turn comes after 2 rows, but there are only 1"},
    {"3x2:k=3", "...\n...\nturn X 1\n...\n", "line 4: nothing may follow the turn"},
    {"3x2:k=3", "...\n...\nturn X 1\nturn X 1\n", "line 4: nothing may follow the turn"},
    {"3x2:k=3", "...\n...\nturn\n", "line 3: the turn is written 'turn X 1' or 'turn O 2'"},
    {"3x2:k=3", "...\n...\nturn Z\n", "line 3: the turn is written"},
    {"3x2:k=3", "...\n...\nturn X one\n", "line 3: the turn is written"},
    {"3x2:k=3", "...\n...\nturn X -1\n", "line 3: the turn is written"},
    {"3x2:k=3", "...\n...\nturn X 1 1\n", "line 3: the turn is written"},
    {"3x2:k=3", "...\n...\nturn X 0\n", "line 3: 0 stones left, but a turn of these rules has 1 to 1"},
    {"3x2:k=3", "...\n...\nturn X 2\n", "line 3: 2 stones left, but a turn of these rules has 1 to 1"},
    {"3x2:k=3,p=1,q=2", "...\n...\nturn O 2\n", "2 stones left, but a turn of these rules has 1 to 1"},
    {"3x2:k=3,p=1,q=2", "O..\n...\nturn X 2\n", "2 stones left, but a turn of these rules has 1 to 1"},
    {"3x2:k=3", "XX.\n...\n", "2 X and 0 O: after 2 stones of a game with p=1, q=1 there are 1 X and 1 O"},
    {"3x2:k=3", "O..\n...\n", "0 X and 1 O: after 1 stones"},
    {"3x2:k=3,p=2,q=1", "XO.\nX..\n", "2 X and 1 O: after 3 stones of a game with p=2, q=1 there are 1 X and 2 O"},
    {"3x2:k=3,gravity", "X..\n...\n", "the stone on a2 floats: a1 below it is empty"},
    {"3x3:k=3,gravity", "..X\n...\n..O\nturn X 1\n", "the stone on c3 floats: c2 below it is empty"},
    {"3x2:k=3", "XXX\nOOO\n", "both X and O have 3 in a row"},
    {"3x2:k=3", "XXX\nOOO\nturn X 1\n", "both X and O have 3 in a row"},
    {"3x3:k=3", "XXX\nOO.\nO..\n", "X has 3 in a row, but by the numbers of stones O placed the last one"},
    {"3x3:k=3", "OOO\nXX.\nX.X\n", "O has 3 in a row, but by the numbers of stones X placed the last one"},
};

static void test_bad_drawings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_drawings / sizeof bad_drawings[0]; i++) {
        const Bad *bad = &bad_drawings[i];
        Rules rules = rules_of(bad->rules);
        Game game, before;
        begin_game(&game, "tictactoe");
        play_text(&game, "b2");
        game_copy(&before, &game);
        Error error = {0};
        assert_refused(diagram_read(span_of(bad->drawing), &rules, &game, &error), error, bad->words);
        assert_same_board(&game.board, &before.board);
        assert_stones(&game, "b2");
    }
}

static void test_a_zero_byte_is_no_end(void **state)
{
    (void)state;
    Rules rules = rules_of("3x1:k=3");
    Game game;
    Error error = {0};
    assert_refused(diagram_read((Span){"..\0", 3}, &rules, &game, &error), error, "line 1, column 3: '?' is none of");
}

// Writes and reads every position of random games.
static void test_round_trips(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "tictactoe", "connect4",         "5x4:k=3,p=2,q=1",      "4x5:k=4,p=1,q=3", "6x6:k=3,p=3,q=2,gravity",
        "64x1:k=5",  "1x64:k=6,p=2,q=3", "64x64:k=30,p=50,q=70", "9x9:k=3,exact",
    };
    Rng rng = rng_make(11);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        Game game, read;
        begin_game(&game, rules[i]);
        for (bool more = true; more;) {
            Text text = {0};
            diagram_write(&game.board, &text);
            read_drawing(&read, rules[i], text.data);
            assert_same_board(&read.board, &game.board);
            text_close(&text);
            Cell cells[RULES_CELLS_MAX];
            unsigned count = board_legal_cells(&game.board, cells);
            more = count > 0;
            for (unsigned n = 0; n < 1 + game.board.cells / 100u && !game_is_over(&game); n++) {
                count = board_legal_cells(&game.board, cells);
                game_play(&game, cells[rng_below(&rng, count)]);
            }
        }
    }
}

TEST_GROUP(diagram)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_and_writing),
        cmocka_unit_test(test_the_turn_follows_from_the_stones),
        cmocka_unit_test(test_a_turn_line_sets_up_any_stones),
        cmocka_unit_test(test_bad_drawings),
        cmocka_unit_test(test_a_zero_byte_is_no_end),
        cmocka_unit_test(test_round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
