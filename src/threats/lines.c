// Cells of lines, and whether a row is still possible.
#include "threats/lines.h"

#include "threats/windows.h"

uint64_t lines_mask(const Board *board, unsigned line)
{
    int width = board->rules.width, height = board->rules.height, index = (int)line;
    if (index < height)
        return board->row_mask;
    if (index < height + width)
        return bits_low(board->rules.height);
    // A diagonal has one bit per column that it crosses.
    int low = 0, high = 0;
    if (index < board->falling_lines) {
        int difference = index - board->rising_lines; // column minus row
        low = difference > 0 ? difference : 0;
        high = height + difference < width ? height + difference : width;
    } else {
        int sum = index - board->falling_lines; // column plus row
        low = sum - (height - 1) > 0 ? sum - (height - 1) : 0;
        high = sum + 1 < width ? sum + 1 : width;
    }
    return bits_low((unsigned)high) & ~bits_low((unsigned)low);
}

// Stones that a side will still place if the board is filled.
static unsigned stones_to_come(const Board *board, Side side)
{
    unsigned empty = board->cells - board_count(board), left = (unsigned)(board->state.turn & 0xffff);
    unsigned mover = left < empty ? left : empty, after = empty - mover, p = board->rules.p;
    // After this turn the other side places p stones, then the side to move p, and so on.
    unsigned rounds = after / (2 * p), beyond = after % (2 * p);
    unsigned others = rounds * p + (beyond < p ? beyond : p);
    return side == board_side(board) ? empty - others : others;
}

static bool has_window(const Board *board, uint64_t starts, uint64_t own, unsigned stones)
{
    uint64_t window = bits_low(board->rules.k);
    for (; starts != 0; starts &= starts - 1)
        if (board->rules.k - bits_count(own & window << bits_lowest(starts)) <= stones)
            return true;
    return false;
}

// Whether a side may still get k in a row, however the game continues: a row of k cells without an opposing stone that
// needs no more stones than the side will still place. With gravity or `exact` true may be too optimistic.
static bool are_open(const Board *board, Side side)
{
    unsigned stones = stones_to_come(board, side);
    for (unsigned i = 0; i < board->line_count; i++) {
        uint64_t free = lines_mask(board, i) & ~board->line[i][side_other(side)];
        if (has_window(board, lines_windows(board, free), board->line[i][side], stones))
            return true;
    }
    return false;
}

bool lines_are_dead(const Board *board)
{
    return !are_open(board, SIDE_FIRST) && !are_open(board, SIDE_SECOND);
}

Cell lines_cell(const Board *board, unsigned line, unsigned bit)
{
    if (line < board->column_lines)
        return cell_at(bit, line);
    if (line < board->column_lines + (unsigned)board->rules.width)
        return cell_at(line - board->column_lines, bit);
    if (line < board->falling_lines)
        return cell_at(bit, bit + board->rising_lines - line);
    return cell_at(bit, line - board->falling_lines - bit);
}

unsigned lines_stones_to_fill(const Board *board, unsigned line, uint64_t empty)
{
    unsigned stones = 0;
    uint8_t filled[RULES_SIDE_MAX] = {0};
    for (; empty != 0; empty &= empty - 1) {
        Cell cell = lines_cell(board, line, bits_lowest(empty));
        unsigned column = cell_column(cell), bottom = board_drop_row(board, column);
        unsigned needed = cell_row(cell) + 1 - bottom;
        if (needed > filled[column]) {
            stones += needed - filled[column];
            filled[column] = (uint8_t)needed;
        }
    }
    return stones;
}

bool lines_can_complete(const Board *board, Side side, unsigned stones)
{
    for (unsigned line = 0; line < board->line_count; line++) {
        uint64_t free = lines_mask(board, line) & ~board->line[line][side_other(side)];
        for (uint64_t starts = lines_windows(board, free); starts != 0; starts &= starts - 1)
            if (window_can_complete(board, (Window){(uint16_t)line, (uint8_t)bits_lowest(starts)}, side, stones))
                return true;
    }
    return false;
}
