// The parts of the board that are not inlined: set-up, positions without play, winning cells.
#include "game/board.h"

#include <string.h>

void board_init(Board *board, const Rules *rules)
{
    assert(rules_check(rules, NULL) == STATUS_OK);
    unsigned width = rules->width, height = rules->height;
    *board = (Board){.rules = *rules};
    board->cells = (uint16_t)(width * height);
    board->column_lines = (uint16_t)height;
    board->rising_lines = (uint16_t)(height + width + height - 1);
    board->falling_lines = (uint16_t)(height + width + width + height - 1);
    board->line_count = (uint16_t)(height + width + 2 * (width + height - 1));
    board->row_mask = bits_low(width);
    board->next_turn = UINT64_C(1) << 32 | rules->p;
    board->state.turn = rules->q;
    // Runs of 1, 2, 4, … stones, and a last smaller step that ends at k; unused steps shift by 0 and have no effect.
    for (unsigned length = 1; length < rules->k;) {
        unsigned step = length < rules->k - length ? length : rules->k - length;
        board->shift[board->shift_count++] = (uint16_t)step;
        length += step;
    }
    board->needs_more = rules->k > 8 || row_has_limit(rules);
}

void board_copy(Board *to, const Board *from)
{
    memcpy(to, from, offsetof(Board, line) + from->line_count * sizeof from->line[0]);
}

unsigned board_differences(const Board *a, const Board *b)
{
    unsigned count = 0;
    for (unsigned row = 0; row < a->rules.height; row++)
        for (unsigned side = 0; side < 2; side++)
            count += bits_count(a->line[row][side] ^ b->line[row][side]);
    return count;
}

unsigned board_legal_cells(const Board *board, Cell cells[RULES_CELLS_MAX])
{
    if (board_is_over(board))
        return 0;
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            cells[count++] = cell_at(bits_lowest(legal), row);
    return count;
}

// Whether the row through the set bit `at` of a line wins.
static bool run_wins(const Board *board, uint64_t line, unsigned at)
{
    return row_wins(&board->rules, bits_run_below(line, at) + 1 + bits_run_above(line, at));
}

bool board_wins_at(const Board *board, Cell cell, Side side)
{
    CellLines at = board_lines_of(board, cell);
    unsigned column = cell_column(cell), row = cell_row(cell);
    return run_wins(board, board->line[at.row][side], column) || run_wins(board, board->line[at.column][side], row) ||
           run_wins(board, board->line[at.rising][side], column) ||
           run_wins(board, board->line[at.falling][side], column);
}

// Sets or clears the bits of a stone.
static void flip(Board *board, Cell cell, Side side)
{
    CellLines at = board_lines_of(board, cell);
    board->line[at.row][side] ^= cell_bit_in_row(cell);
    board->line[at.column][side] ^= cell_bit_in_column(cell);
    board->line[at.rising][side] ^= cell_bit_in_row(cell);
    board->line[at.falling][side] ^= cell_bit_in_row(cell);
    board->state.stones_key ^= zobrist_stone[cell][side];
}

void board_put(Board *board, Cell cell, Side side)
{
    assert(board_has(board, cell) && board_stone(board, cell) == STONE_NONE);
    flip(board, cell, side);
    board->state.turn += UINT64_C(1) << 16;
}

void board_take(Board *board, Cell cell, Side side)
{
    assert(board_has(board, cell) && board_stone(board, cell) == (Stone)side);
    flip(board, cell, side);
    board->state.turn -= UINT64_C(1) << 16;
}

static bool side_has_won(const Board *board, Side side)
{
    for (unsigned i = 0; i < board->line_count; i++) {
        FourLines lines = {board->line[i][side]};
        if (board_lines_win(board, &lines))
            return true;
    }
    return false;
}

unsigned board_set_turn(Board *board, Side side, unsigned stones_left)
{
    assert(stones_left >= 1 && stones_left <= RULES_CELLS_MAX);
    board->state.turn = (uint64_t)side << 32 | (uint64_t)board_count(board) << 16 | stones_left;
    unsigned won = (side_has_won(board, SIDE_FIRST) ? 1u : 0u) | (side_has_won(board, SIDE_SECOND) ? 2u : 0u);
    if (won != 3)
        board->state.turn |= (uint64_t)won << 33;
    return won;
}

uint64_t board_turn_after(const Board *board, uint64_t turn, unsigned stones)
{
    unsigned left = (unsigned)(turn & 0xffff), count = (unsigned)(turn >> 16 & 0xffff) + stones;
    uint64_t side = turn >> 32 & 1;
    if (stones < left) {
        left -= stones;
    } else {
        unsigned beyond = stones - left, p = board->rules.p;
        side ^= 1 ^ (beyond / p & 1);
        left = p - beyond % p;
    }
    return side << 32 | (uint64_t)count << 16 | left;
}

unsigned board_winning_cells(const Board *board, Cell cells[RULES_CELLS_MAX])
{
    Winner winner = board_winner(board);
    if (winner == WINNER_NONE)
        return 0;
    Side side = winner == WINNER_FIRST ? SIDE_FIRST : SIDE_SECOND;
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t stones = board->line[row][side]; stones != 0; stones &= stones - 1) {
            Cell cell = cell_at(bits_lowest(stones), row);
            if (board_wins_at(board, cell, side))
                cells[count++] = cell;
        }
    return count;
}
