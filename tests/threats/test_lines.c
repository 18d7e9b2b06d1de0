// Tests of lines: which are open, which side can complete one; compared with brute force on small boards.
#include "support/check.h"

#include "base/rng.h"
#include "threats/lines.h"

static const char *const games[] = {
    "3x3:k=3",
    "4x4:k=3",
    "4x3:k=3,gravity",
    "5x2:k=4",
    "3x4:k=3,p=2,q=1",
    "4x4:k=4,p=2,q=2",
    "4x3:k=2,exact",
    "4x4:k=3,exact",
    "4x4:k=3,gravity,p=2",
    "2x5:k=4,p=3,q=1",
    "5x3:k=3,exact,gravity",
    "1x4:k=3",
};

enum { GAMES = sizeof games / sizeof games[0] };

static void random_position(Board *board, const Rules *rules, unsigned stones, Rng *rng)
{
    board_init(board, rules);
    for (unsigned i = 0; i < stones && !board_is_over(board); i++) {
        Cell cells[RULES_CELLS_MAX];
        (void)board_play(board, cells[rng_below(rng, board_legal_cells(board, cells))]);
    }
}

// Whether `side` can win by placing up to `stones` own stones now; tries all cells.
static bool can_win(Board *board, Side side, unsigned stones)
{
    if (stones == 0)
        return false;
    Cell cells[RULES_CELLS_MAX];
    uint64_t turn = board->state.turn;
    // As if the side were to move, with enough stones left in the turn.
    board->state.turn = (uint64_t)side << 32 | (uint64_t)board_count(board) << 16 | 100;
    unsigned count = board_legal_cells(board, cells);
    bool wins = false;
    for (unsigned i = 0; i < count && !wins; i++) {
        BoardState before = board_play(board, cells[i]);
        wins = board_winner(board) != WINNER_NONE || can_win(board, side, stones - 1);
        board_undo(board, cells[i], before);
    }
    board->state.turn = turn;
    return wins;
}

static void test_who_can_complete_a_row(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    for (unsigned round = 0; round < 3000; round++) {
        Rules rules = rules_of(games[round % GAMES]);
        // Under exact and gravity, a stone below may lengthen another row, so the answer may be too optimistic.
        bool sharp = !(rules.exact && rules.gravity);
        Board board;
        random_position(&board, &rules, rng_below(&rng, rules_cells(&rules)), &rng);
        if (board_is_over(&board))
            continue;
        for (unsigned stones = 1; stones <= 3; stones++)
            for (int side = 0; side < 2; side++) {
                bool claimed = lines_can_complete(&board, (Side)side, stones);
                bool true_one = can_win(&board, (Side)side, stones);
                assert_true(sharp ? claimed == true_one : claimed || !true_one);
            }
    }
}

// Whether any continuation of the game has a winner.
static bool somebody_can_win(Board *board)
{
    if (board_winner(board) != WINNER_NONE)
        return true;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool can = false;
    for (unsigned i = 0; i < count && !can; i++) {
        BoardState before = board_play(board, cells[i]);
        can = somebody_can_win(board);
        board_undo(board, cells[i], before);
    }
    return can;
}

static void test_a_dead_board_is_a_draw(void **state)
{
    (void)state;
    Rng rng = rng_make(4);
    unsigned dead = 0, drawn = 0;
    for (unsigned round = 0; round < 4000; round++) {
        Rules rules = rules_of(games[round % GAMES]);
        unsigned cells = rules_cells(&rules);
        Board board;
        random_position(&board, &rules, cells - rng_below(&rng, 8), &rng);
        if (board_is_over(&board))
            continue;
        bool open = somebody_can_win(&board), claimed = lines_are_dead(&board);
        assert_false(claimed && open);
        dead += claimed;
        drawn += !open;
    }
    // Most draws are recognised, not all.
    assert_true(dead > 100 && dead * 2 > drawn);
}

static void test_masks(void **state)
{
    (void)state;
    for (size_t i = 0; i < GAMES; i++) {
        Rules rules = rules_of(games[i]);
        Board board;
        board_init(&board, &rules);
        uint64_t expected[BOARD_LINES_MAX] = {0};
        for (unsigned x = 0; x < rules.width; x++)
            for (unsigned y = 0; y < rules.height; y++) {
                Cell cell = cell_at(x, y);
                CellLines at = board_lines_of(&board, cell);
                expected[at.row] |= cell_bit_in_row(cell);
                expected[at.column] |= cell_bit_in_column(cell);
                expected[at.rising] |= cell_bit_in_row(cell);
                expected[at.falling] |= cell_bit_in_row(cell);
            }
        for (unsigned line = 0; line < board.line_count; line++)
            assert_true(lines_mask(&board, line) == expected[line]);
    }
}

TEST_GROUP(lines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_who_can_complete_a_row),
        cmocka_unit_test(test_a_dead_board_is_a_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
