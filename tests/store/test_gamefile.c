// Tests of game files.
#include "base/file.h"
#include "base/rng.h"
#include "game/diagram.h"
#include "store/files/gamefile.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_written(const GameFile *file, const char *expected)
{
    Text text = {0};
    gamefile_write(file, &text);
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void assert_round_trip(const GameFile *file)
{
    Text text = {0};
    gamefile_write(file, &text);
    GameFile read;
    Error error = {0};
    assert_done(gamefile_read((Span){text.data, text.length}, &read, &error), error);
    assert_same_board(&read.game.board, &file->game.board);
    assert_int_equal(read.game.played, file->game.played);
    assert_memory_equal(read.game.stones, file->game.stones, file->game.played * sizeof(Cell));
    assert_true(read.game.start.turn == file->game.start.turn);
    assert_string_equal(read.first, file->first);
    assert_string_equal(read.second, file->second);
    assert_string_equal(read.reason, file->reason);
    assert_int_equal(read.is_set_up, file->is_set_up);
    assert_written(&read, text.data);
    text_close(&text);
}

static void test_a_plain_game(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    play_text(&game, "j10 k10 k11");
    GameFile file;
    gamefile_init(&file, &game);
    (void)snprintf(file.first, sizeof file.first, "human");
    (void)snprintf(file.second, sizeof file.second, "adjacent:reach=2");
    assert_false(file.is_set_up);
    assert_written(&file, "# krow game\ngame 19x19:k=6,p=2,q=1\nfirst human\nsecond adjacent:reach=2\n"
                          "stones j10 k10 k11\n");
    assert_round_trip(&file);
    file.result = RESULT_SECOND;
    (void)snprintf(file.reason, sizeof file.reason, "resigned");
    assert_round_trip(&file);
}

static void test_a_game_from_a_drawing(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "4x2:k=3,p=2,q=1", "X.X.\n..O.\nturn O 1\n");
    play_text(&game, "b2 a1");
    GameFile file;
    gamefile_init(&file, &game);
    assert_true(file.is_set_up);
    assert_written(&file, "# krow game\ngame 4x2:k=3,p=2,q=1\nrow X . X .\nrow . . O .\nturn O 1\n"
                          "stones b2 a1\n");
    assert_round_trip(&file);
    // A set-up position without a stone played, and an empty board with another turn.
    read_drawing(&game, "4x2:k=3", "X...\n....\n");
    gamefile_init(&file, &game);
    assert_round_trip(&file);
    read_drawing(&game, "4x2:k=3", "....\n....\nturn O 1\n");
    gamefile_init(&file, &game);
    assert_true(file.is_set_up);
    assert_round_trip(&file);
    read_drawing(&game, "4x2:k=3,p=2,q=2", "....\n....\nturn X 1\n");
    gamefile_init(&file, &game);
    assert_true(file.is_set_up);
    assert_round_trip(&file);
}

static void test_random_games(void **state)
{
    (void)state;
    static const char *const rules[] = {"connect4", "5x5:k=4,p=2,q=3", "64x2:k=4", "3x3:k=3,p=9,q=9", "1x1:k=1"};
    Rng rng = rng_make(3);
    for (size_t i = 0; i < 50; i++) {
        Game game;
        begin_game(&game, rules[i % 5]);
        unsigned stones = rng_below(&rng, game.board.cells + 1u);
        for (unsigned n = 0; n < stones && !game_is_over(&game); n++) {
            Cell cells[RULES_CELLS_MAX];
            game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
        }
        GameFile file;
        gamefile_init(&file, &game);
        file.result = result_of_board(&game.board);
        assert_round_trip(&file);
    }
}

static void test_results(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "tictactoe");
    assert_int_equal(result_of_board(&game.board), RESULT_NONE);
    play_text(&game, "a1 a2 b1 b2 c1");
    assert_int_equal(result_of_board(&game.board), RESULT_FIRST);
    begin_game(&game, "tictactoe");
    play_text(&game, "a1 b1 a2 b2 c1 b3");
    assert_int_equal(result_of_board(&game.board), RESULT_SECOND);
    begin_game(&game, "tictactoe");
    play_text(&game, "a1 b1 c1 a2 c2 b2 a3 c3 b3");
    assert_int_equal(result_of_board(&game.board), RESULT_DRAW);
    assert_null(result_name(RESULT_NONE));
    assert_string_equal(result_name(RESULT_FIRST), "first");
    assert_string_equal(result_name(RESULT_SECOND), "second");
    assert_string_equal(result_name(RESULT_DRAW), "draw");
}

// What a person might write: order free, blanks, comments, presets, no names, the result left to the board.
static void test_reading_by_hand(void **state)
{
    (void)state;
    GameFile file;
    Error error = {0};
    Span text = span_of("\n # mine\r\n  result   draw \nreason by  agreement\ngame connect4\n\tfirst me \nstones 4453");
    assert_done(gamefile_read(text, &file, &error), error);
    assert_int_equal(file.result, RESULT_DRAW);
    assert_string_equal(file.reason, "by  agreement");
    assert_string_equal(file.first, "me");
    assert_string_equal(file.second, "");
    assert_stones(&file.game, "d1 d2 e1 c1");
    assert_done(gamefile_read(span_of("game tictactoe\nstones a1 a2 b1 b2 c1"), &file, &error), error);
    assert_int_equal(file.result, RESULT_FIRST);
    assert_done(gamefile_read(span_of("game 3x1:k=3\nrow X.O\nstones b1"), &file, &error), error);
    assert_int_equal(file.result, RESULT_DRAW);
    assert_true(file.is_set_up);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "the line 'game' is missing"},
        {"# only a comment\n", "the line 'game' is missing"},
        {"first me\n", "the line 'game' is missing"},
        {"game tictactoe\n", "the line 'stones' is missing; the file may be cut off"},
        {"game tictactoe\nstone",
         "line 2: 'stone' is not one of: game, first, second, row, turn, stones, result, reason"},
        {"stones a1\n", "line 1: 'stones' comes before 'game'"},
        {"row ...\n", "line 1: 'row' comes before 'game'"},
        {"game tictactoe\ngame tictactoe\n", "line 2: 'game' is repeated"},
        {"# x\ngame chess\n", "line 2: game 'chess', character 1: 'chess' is not a preset"},
        {"game\n", "line 1: no game is given"},
        {"game tictactoe\nstones a1 d1\n", "line 2: stone 2, 'd1', at character 4: 'd1' is outside"},
        {"game tictactoe\nstones a1\nstones a2\n", "line 3: 'stones' comes after 'stones'"},
        {"game tictactoe\nstones a1\nrow ...\n", "line 3: 'row' comes after 'stones'"},
        {"game tictactoe\nstones a1\nresult lost\n", "line 3: 'lost' is not one of: first, second, draw"},
        {"game 3x1:k=3\nrow XX\nstones\n", "line 3: the set-up position: line 1: 2 cells, but a row has 3"},
        {"game 3x1:k=3\nrow XX.\nstones\n", "the set-up position: 2 X and 0 O"},
        {"game tictactoe\nstones a1 a2 b1 b2 c1\nresult second\n",
         "the result is 'second', but on the board it is 'first'"},
        {"game 1x1:k=1\nstones a1\nresult draw\n", "the result is 'draw', but on the board it is 'first'"},
        {"game 2x1:k=2\nstones a1 b1\nresult first\n", "the result is 'first', but on the board it is 'draw'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        GameFile file;
        Error error = {0};
        assert_refused(gamefile_read(span_of(bad[i][0]), &file, &error), error, bad[i][1]);
    }
}

static void test_long_names(void **state)
{
    (void)state;
    char text[400] = "reason ";
    GameFile file;
    Error error = {0};
    memset(text + 7, 'r', 64);
    assert_refused(gamefile_read(span_of(text), &file, &error), error, "line 1: the text is longer than 63 characters");
    memcpy(text, "first  ", 7);
    memset(text + 7, 'n', 256);
    assert_refused(gamefile_read(span_of(text), &file, &error), error,
                   "line 1: the text is longer than 255 characters");
    memcpy(text, "second ", 7);
    text[7 + 255] = '\0';
    assert_refused(gamefile_read(span_of(text), &file, &error), error, "the line 'game' is missing");
    assert_int_equal(strlen(file.second), 255);
}

// Names are arbitrary user input; a name must not become a separate line.
static void test_names_with_line_breaks(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "tictactoe");
    play_text(&game, "a1");
    GameFile file, read;
    gamefile_init(&file, &game);
    (void)snprintf(file.first, sizeof file.first, "a\nresult second\r\n# b");
    (void)snprintf(file.reason, sizeof file.reason, "c\nstones b2");
    Text text = {0};
    Error error = {0};
    gamefile_write(&file, &text);
    assert_done(gamefile_read((Span){text.data, text.length}, &read, &error), error);
    text_close(&text);
    assert_string_equal(read.first, "a result second  # b");
    assert_string_equal(read.reason, "c stones b2");
    assert_int_equal(read.result, RESULT_NONE);
    assert_stones(&read.game, "a1");
}

static void test_names_with_zero_bytes(void **state)
{
    (void)state;
    static const char text[] = "game tictactoe\nfirst a \0b\nstones a1\n";
    GameFile file;
    Error error = {0};
    assert_refused(gamefile_read((Span){text, sizeof text - 1}, &file, &error), error,
                   "line 2: the text has a zero byte");
}

static void test_save_and_load(void **state)
{
    (void)state;
    char folder[] = "/tmp/krow-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/game", folder);
    Game game;
    begin_game(&game, "connect4");
    play_text(&game, "4453");
    GameFile file, loaded;
    Error error = {0};
    gamefile_init(&file, &game);
    assert_done(gamefile_save(&file, path, &error), error);
    assert_done(gamefile_load(path, &loaded, &error), error);
    assert_same_board(&loaded.game.board, &game.board);
    assert_done(file_write(path, span_of("game chess\n"), &error), error);
    assert_refused(gamefile_load(path, &loaded, &error), error, "/game': line 1: game 'chess'");
    assert_int_equal(unlink(path), 0);
    assert_failed(gamefile_load(path, &loaded, &error), STATUS_IO, error, "No such file");
    assert_failed(gamefile_save(&file, folder, &error), STATUS_IO, error, "is not a regular file");
    assert_int_equal(rmdir(folder), 0);
}

TEST_GROUP(gamefile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plain_game),
        cmocka_unit_test(test_a_game_from_a_drawing),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_reading_by_hand),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_names_with_line_breaks),
        cmocka_unit_test(test_names_with_zero_bytes),
        cmocka_unit_test(test_save_and_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
