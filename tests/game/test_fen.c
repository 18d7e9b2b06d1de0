// Tests of positions in one line (FEN).
#include "support/check.h"

#include "base/rng.h"
#include "game/fen.h"

#include <string.h>

static void expect_fen(const char *rules, const char *moves, const char *expected)
{
    Game game, again;
    Text text = {0};
    begin_game(&game, rules);
    play_text(&game, moves);
    fen_write(&game.board, &text);
    assert_string_equal(text.data, expected);
    Error error = {0};
    Rules of = rules_of(rules);
    assert_done(fen_read((Span){text.data, text.length}, &of, &again, &error), error);
    assert_same_board(&game.board, &again.board);
    text_close(&text);
}

static void test_positions_go_round(void **state)
{
    (void)state;
    expect_fen("tictactoe", "", "3/3/3 X 1");
    expect_fen("tictactoe", "b2", "3/1X1/3 O 1");
    expect_fen("tictactoe", "a3 c1 a1", "X2/3/X1O O 1");
    expect_fen("19x2:k=6,p=2,q=1", "j2", "9X9/19 O 2");
    expect_fen("19x2:k=6,p=2,q=1", "j2 a1", "9X9/O18 O 1");
    expect_fen("connect4", "4453", "7/7/7/7/3O3/2OXX2 X 1");
}

static void test_random_positions_go_round(void **state)
{
    (void)state;
    static const char *const games[] = {"64x64:k=9", "7x5:k=4,gravity", "5x9:k=3,p=3,q=2,exact", "1x1:k=1"};
    Rng rng = rng_make(5);
    for (int round = 0; round < 200; round++) {
        Rules rules = rules_of(games[round % 4]);
        Game game, again;
        game_init(&game, &rules);
        for (unsigned stones = rng_below(&rng, 40); stones > 0 && !game_is_over(&game); stones--) {
            Cell cells[RULES_CELLS_MAX];
            game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
        }
        Text text = {0};
        Error error = {0};
        fen_write(&game.board, &text);
        assert_done(fen_read((Span){text.data, text.length}, &rules, &again, &error), error);
        assert_same_board(&game.board, &again.board);
        text_close(&text);
    }
}

static void expect_refused(const char *rules, const char *text, const char *words)
{
    Rules of = rules_of(rules);
    Game game;
    Error error = {0};
    assert_refused(fen_read(span_of(text), &of, &game, &error), error, words);
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused("tictactoe", "", "ROWS SIDE STONES");
    expect_refused("tictactoe", "3/3/3 X", "ROWS SIDE STONES");
    expect_refused("tictactoe", "3/3/3 X 1 more", "ROWS SIDE STONES");
    expect_refused("tictactoe", "3/4/3 X 1", "row 2: '4'");
    expect_refused("tictactoe", "3/1X2/3 X 1", "row 2 has more than 3");
    expect_refused("tictactoe", "3/X1/3 X 1", "row 2 has 2 cells");
    expect_refused("tictactoe", "3/3/1?1 X 1", "row 3, character 2");
    expect_refused("tictactoe", "3/3/3/3 X 1", "more than the 3 rows");
    expect_refused("tictactoe", "3/3 X 1", "there are only 2");
    expect_refused("tictactoe", "3/3/3 Z 1", "turn X 1");
    expect_refused("tictactoe", "3/3/3 X 9", "9 stones left");
    expect_refused("tictactoe", "XXX/OOO/3 X 1", "both");
    expect_refused("connect4", "7/7/7/7/X6/7 O 1", "floats");
    expect_refused("tictactoe", "99999999999999999999999/3/3 X 1", "row 1");
}

TEST_GROUP(fen)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_go_round),
        cmocka_unit_test(test_random_positions_go_round),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
