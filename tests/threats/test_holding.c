// Tests of holding turns, after which the opponent cannot complete a row at once, against all turns.
#include "support/check.h"
#include "threats/holding.h"

static const char *const many_rules[] = {
    "3x3:k=3",         "4x4:k=3",           "5x4:k=3,p=2",     "5x5:k=4,p=2",         "4x4:k=4,p=3",
    "6x5:k=4,exact",   "5x4:k=3,p=2,exact", "5x4:k=4,gravity", "5x4:k=3,p=2,gravity", "4x5:k=3,p=3,gravity",
    "4x4:k=2,gravity", "4x4:k=3,q=2",
};

// Whether a side can complete a row within the current turn, by trying all stones.
static bool can_win_now(Board *board, Side side)
{
    if (board_is_over(board) || board_side(board) != side)
        return board_winner(board) == (Winner)(side + 1);
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool wins = false;
    for (unsigned i = 0; i < count && !wins; i++) {
        BoardState before = board_play(board, cells[i]);
        wins = can_win_now(board, side);
        board_undo(board, cells[i], before);
    }
    return wins;
}

// Whether a turn exists after which the other side cannot complete a row.
static bool some_turn_holds(Board *board, Side side)
{
    if (board_is_over(board))
        return true;
    if (board_side(board) != side)
        return !can_win_now(board, side_other(side));
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool holds = false;
    for (unsigned i = 0; i < count && !holds; i++) {
        BoardState before = board_play(board, cells[i]);
        holds = some_turn_holds(board, side);
        board_undo(board, cells[i], before);
    }
    return holds;
}

static void shuffle(Cell *cells, unsigned count, Rng *rng)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned j = rng_below(rng, i);
        Cell swapped = cells[i - 1];
        cells[i - 1] = cells[j];
        cells[j] = swapped;
    }
}

// The result is a legal holding turn, complete or ended by a row.
static void check_turn(const Board *board, const Cell *stones, unsigned count)
{
    Board after;
    board_copy(&after, board);
    Side side = board_side(board);
    for (unsigned i = 0; i < count; i++) {
        assert_true(!board_is_over(&after) && board_side(&after) == side && board_is_legal(&after, stones[i]));
        (void)board_play(&after, stones[i]);
    }
    assert_true(board_is_over(&after) || board_side(&after) != side);
    assert_true(board_is_over(&after) || !can_win_now(&after, side_other(side)));
}

static void test_a_turn_that_holds_is_found_where_there_is_one(void **state)
{
    (void)state;
    unsigned found = 0, lost = 0;
    Rng rng = rng_make(5);
    for (unsigned long step = 0; step < test_steps() / 4; step++) {
        Rules rules = rules_of(many_rules[step % (sizeof many_rules / sizeof many_rules[0])]);
        Board board;
        unsigned cells = (unsigned)rules.width * rules.height;
        if (!scatter_stones(&board, &rules, 2 + rng_below(&rng, cells - 2), &rng) || board_is_over(&board))
            continue;
        Board trial;
        board_copy(&trial, &board);
        assert_int_equal(holding_holds(&board), !can_win_now(&trial, board_side(&board)));
        if (!holding_holds(&board))
            continue;
        Cell order[RULES_CELLS_MAX], stones[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&board, order);
        shuffle(order, count, &rng);
        unsigned turn = holding_find(&board, order, count, stones);
        bool expected = some_turn_holds(&trial, board_side(&board));
        if ((turn > 0) != expected)
            print_board(&board);
        assert_int_equal(turn > 0, expected);
        if (turn > 0)
            check_turn(&board, stones, turn);
        found += turn > 0;
        lost += turn == 0;
    }
    assert_true(found > 10 && lost > 10);
}

// Without threats, the turn consists of the first cells of the order.
static void test_the_order_decides(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=4,p=2");
    play_text(&game, "c3");
    Cell order[RULES_CELLS_MAX], stones[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game.board, order);
    Rng rng = rng_make(1);
    shuffle(order, count, &rng);
    assert_int_equal(holding_find(&game.board, order, count, stones), 2);
    assert_int_equal(stones[0], order[0]);
    assert_int_equal(stones[1], order[1]);
}

static void test_of_the_cells_in_the_way_the_first_is_taken(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "7x7:k=5", ".......\n.......\n.......\n.XX.X..\n.......\n.......\nOO....O\nturn X 1\n");
    play_text(&game, "d7 a7 a4"); // four of five, open only at d4
    Cell order[RULES_CELLS_MAX], stones[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game.board, order);
    assert_int_equal(holding_find(&game.board, order, count, stones), 1);
    assert_int_equal(stones[0], cell_of(&game.board.rules, "d4"));
}

static void test_a_game_that_is_over_has_no_turn(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "tictactoe");
    play_text(&game, "a1 a2 b1 b2 c1");
    Cell stones[RULES_CELLS_MAX];
    assert_int_equal(holding_find(&game.board, stones, 0, stones), 0);
    assert_true(holding_holds(&game.board));
}

TEST_GROUP(holding)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_turn_that_holds_is_found_where_there_is_one),
        cmocka_unit_test(test_the_order_decides),
        cmocka_unit_test(test_of_the_cells_in_the_way_the_first_is_taken),
        cmocka_unit_test(test_a_game_that_is_over_has_no_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
