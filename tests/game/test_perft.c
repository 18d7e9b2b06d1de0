// Perft: known numbers of stone sequences.
#include "game/perft.h"
#include "support/check.h"

#include <string.h>

static void assert_counts(const char *rules, const uint64_t *expected, unsigned depths)
{
    Rules parsed = rules_of(rules);
    // Every depth up to 4, because a separate loop counts the last stones; above 4, only the final depth.
    for (unsigned depth = 1; depth <= depths; depth += depth < 4 || depths - depth == 0 ? 1 : depths - depth) {
        Board board, before;
        Perft perft;
        board_init(&board, &parsed);
        board_copy(&before, &board);
        assert_true(perft_run(&board, depth, NULL, &perft));
        assert_same_board(&board, &before);
        assert_int_equal(perft.counts[0], 1);
        for (unsigned d = 1; d <= PERFT_DEPTH_MAX; d++)
            assert_int_equal(perft.counts[d], d <= depth ? expected[d - 1] : 0);
    }
}

static void test_connect_four(void **state)
{
    (void)state;
    static const uint64_t counts[] = {7, 49, 343, 2401, 16807, 117649, 823536};
    assert_counts("connect4", counts, 7);
}

static void test_tictactoe(void **state)
{
    (void)state;
    static const uint64_t counts[] = {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
    assert_counts("tictactoe", counts, 9);
}

// 255168 games: 131184 won by the first, 77904 by the second, 46080 drawn.
static void test_games_of_tictactoe(void **state)
{
    (void)state;
    Rules rules = rules_of("tictactoe");
    Board board;
    Perft perft;
    board_init(&board, &rules);
    assert_true(perft_run(&board, 9, NULL, &perft));
    uint64_t first = 0, second = 0;
    for (unsigned depth = 1; depth <= 9; depth++)
        *(depth % 2 == 1 ? &first : &second) += perft.wins[depth];
    assert_int_equal(first, 131184);
    assert_int_equal(second, 77904);
    assert_int_equal(perft.counts[9] - perft.wins[9], 46080);
}

static void test_small_ones_by_hand(void **state)
{
    (void)state;
    static const uint64_t single[] = {1, 0, 0};
    assert_counts("1x1:k=1", single, 3);
    static const uint64_t first_wins[] = {6, 0};
    assert_counts("3x2:k=1,p=2,q=2", first_wins, 2);
    // Two adjacent cells, two in a row: X O fills the board.
    static const uint64_t pair[] = {2, 2, 0};
    assert_counts("2x1:k=2", pair, 3);
    // All stones are the first player's: 3 cells, won as soon as two adjacent stones exist.
    static const uint64_t three[] = {3, 6, 2, 0};
    assert_counts("3x1:k=2,p=1,q=3", three, 4);
    // Exact: the same, but filling the gap makes three, which does not count as two.
    assert_counts("3x1:k=2,p=1,q=3,exact", three, 4);
}

static void test_from_a_position_that_is_over(void **state)
{
    (void)state;
    Game game;
    Perft perft;
    read_drawing(&game, "tictactoe", "XXX\nOO.\n...\n");
    assert_true(perft_run(&game.board, 3, NULL, &perft));
    assert_int_equal(perft.counts[0], 1);
    assert_int_equal(perft.counts[1], 0);
}

static void test_stopping(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Board board, before;
    Perft perft;
    atomic_bool stop = true;
    board_init(&board, &rules);
    board_copy(&before, &board);
    assert_false(perft_run(&board, 6, &stop, &perft));
    assert_same_board(&board, &before);
}

TEST_GROUP(perft)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connect_four),
        cmocka_unit_test(test_tictactoe),
        cmocka_unit_test(test_games_of_tictactoe),
        cmocka_unit_test(test_small_ones_by_hand),
        cmocka_unit_test(test_from_a_position_that_is_over),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
