// Tests of immediate wins and of cells that stop them: drawn boards, and every answer checked by play.
#include "support/check.h"

#include "base/rng.h"
#include "threats/immediate.h"

static WindowList list;

static Game drawn(const char *rules, const char *drawing)
{
    Game game;
    read_drawing(&game, rules, drawing);
    immediate_windows(&game.board.rules, &list);
    return game;
}

static void expect_cells(const Game *game, const FinishCells cells, const unsigned *expected)
{
    unsigned width = game->board.rules.width;
    for (unsigned i = 0; i < rules_cells(&game->board.rules); i++)
        assert_int_equal(cells[cell_at(i % width, i / width)], expected[i]);
}

static void test_the_fewest_stones_win(void **state)
{
    (void)state;
    FinishCells cells;
    Game game = drawn("8x1:k=4,p=3", "XXX..X.O\nturn X 3\n");
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_FIRST, 3, cells), 1);
    expect_cells(&game, cells, (unsigned[]){0, 0, 0, 1, 0, 0, 0, 0});
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_SECOND, 3, cells), 0);
    expect_cells(&game, cells, (unsigned[]){0, 0, 0, 0, 0, 0, 0, 0});
    // A window that needs two stones is found before those that need one.
    game = drawn("8x1:k=4,p=3", "X..XXX.O\nturn X 3\n");
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_FIRST, 3, cells), 1);
    expect_cells(&game, cells, (unsigned[]){0, 0, 1, 0, 0, 0, 1, 0});
    game = drawn("8x1:k=4,p=3", ".XX..X.O\nturn X 3\n");
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_FIRST, 1, cells), 0);
    // Windows a to d, b to e and c to f want two stones, d to g three.
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_FIRST, 3, cells), 2);
    expect_cells(&game, cells, (unsigned[]){1, 0, 0, 3, 2, 0, 0, 0});
}

static void test_blocks(void **state)
{
    (void)state;
    FinishCells cells;
    Game game = drawn("8x1:k=4,p=2", "..XX...O\nturn O 2\n");
    assert_int_equal(immediate_blocks(&game.board, &list, SIDE_FIRST, cells), 3);
    expect_cells(&game, cells, (unsigned[]){1, 2, 0, 0, 2, 1, 0, 0});
    assert_int_equal(immediate_blocks(&game.board, &list, SIDE_SECOND, cells), 0);
    // A longer row does not count.
    game = drawn("8x1:k=4,exact", ".XXX.X..\nturn O 1\n");
    assert_int_equal(immediate_blocks(&game.board, &list, SIDE_FIRST, cells), 1);
    expect_cells(&game, cells, (unsigned[]){1, 0, 0, 0, 0, 0, 0, 0});
}

// c3 completes the row of X but is two stones above the ground: X with three stones left begins at c1; O cannot take
// c3.
static void test_gravity(void **state)
{
    (void)state;
    FinishCells cells;
    Game game = drawn("4x3:k=3,p=3,gravity", "XX..\nOO..\nXO..\nturn X 3\n");
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_FIRST, 2, cells), 0);
    assert_int_equal(immediate_cells(&game.board, &list, SIDE_FIRST, 3, cells), 3);
    assert_true(cells[cell_at(2, 0)] > 0);
    assert_int_equal(cells[cell_at(2, 2)], 0);
    game = drawn("4x3:k=3,p=1,gravity", "....\nXX..\nOXO.\nturn O 1\n");
    (void)immediate_blocks(&game.board, &list, SIDE_FIRST, cells);
    expect_cells(&game, cells, (unsigned[]){0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0});
    game = drawn("4x3:k=3,p=3,gravity", "XX..\nOO..\nXO..\nturn O 3\n");
    (void)immediate_blocks(&game.board, &list, SIDE_FIRST, cells);
    assert_int_equal(cells[cell_at(2, 2)], 0);
}

// A side that always takes one of the reported cells completes its row after the reported number of stones.
static void test_promises_are_kept(void **state)
{
    (void)state;
    static const char *const games[] = {"7x7:k=4,p=3,q=1", "6x5:k=4,p=4,q=2,gravity", "9x9:k=5,p=2,q=1,exact",
                                        "4x4:k=3", "5x4:k=3,p=20"};
    Rng rng = rng_make(4);
    unsigned kept = 0;
    for (unsigned long i = 0; i < test_steps() / 30; i++) {
        Board board;
        Rules rules = rules_of(games[i % 5]);
        Cell cells[RULES_CELLS_MAX];
        board_init(&board, &rules);
        immediate_windows(&rules, &list);
        for (unsigned stones = rng_below(&rng, rules_cells(&rules)); stones > 0 && !board_is_over(&board); stones--)
            (void)board_play(&board, cells[rng_below(&rng, board_legal_cells(&board, cells))]);
        Side side = board_side(&board);
        FinishCells finish;
        unsigned left = board_stones_left(&board);
        unsigned wanted = board_is_over(&board) ? 0 : immediate_cells(&board, &list, side, left, finish);
        bool promised = wanted > 0;
        kept += promised;
        for (; wanted > 0; wanted--) {
            assert_int_equal(immediate_cells(&board, &list, side, wanted, finish), wanted);
            unsigned count = board_legal_cells(&board, cells), good = 0;
            for (unsigned c = 0; c < count; c++)
                if (finish[cells[c]] > 0)
                    cells[good++] = cells[c];
            assert_true(good > 0);
            (void)board_play(&board, cells[rng_below(&rng, good)]);
        }
        assert_true(!promised || board_winner(&board) == (side == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND));
    }
    assert_true(kept > 10);
}

TEST_GROUP(immediate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_fewest_stones_win),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_promises_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
