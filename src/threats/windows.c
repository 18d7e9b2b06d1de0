// All windows of a board, and the cells of a window.
#include "threats/windows.h"

#include "threats/lines.h"

#include <string.h>

// Columns are read from the top; row 0 is at the bottom.
static bool is_read_downwards(const Board *board, unsigned line)
{
    return line >= board->column_lines && line < board->column_lines + (unsigned)board->rules.width;
}

static unsigned add_windows(const Board *board, unsigned from, unsigned to, Window *windows)
{
    unsigned count = 0, k = board->rules.k;
    for (unsigned line = from; line < to; line++) {
        uint64_t mask = lines_mask(board, line);
        unsigned low = mask != 0 ? bits_lowest(mask) : 0, length = bits_count(mask);
        unsigned in_line = length >= k ? length - k + 1 : 0;
        for (unsigned i = 0; i < in_line; i++) {
            unsigned at = is_read_downwards(board, line) ? in_line - 1 - i : i;
            windows[count++] = (Window){(uint16_t)line, (uint8_t)(low + at)};
        }
    }
    return count;
}

unsigned windows_all(const Board *board, Window windows[WINDOWS_MAX])
{
    unsigned rising = board->column_lines + board->rules.width;
    unsigned count = add_windows(board, 0, rising, windows);
    count += add_windows(board, board->falling_lines, board->line_count, windows + count);
    return count + add_windows(board, rising, board->falling_lines, windows + count);
}

static unsigned direction_of(const Board *board, unsigned line)
{
    unsigned rising = board->column_lines + board->rules.width;
    return line < board->column_lines ? 0 : line < rising ? 1 : line >= board->falling_lines ? 2 : 3;
}

void windows_through(const Board *board, const Window *windows, unsigned count,
                     WindowRange through[RULES_CELLS_MAX][WINDOW_DIRECTIONS])
{
    memset(through, 0, RULES_CELLS_MAX * sizeof through[0]);
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX] = {0};
        unsigned direction = direction_of(board, windows[i].line);
        unsigned length = window_cells(board, windows[i].line, window_bits(board, windows[i]), cells);
        for (unsigned j = 0; j < length; j++) {
            WindowRange *range = &through[cells[j]][direction];
            if (range->count++ == 0)
                range->first = (uint16_t)i;
        }
    }
}

bool window_can_complete(const Board *board, Window window, Side side, unsigned stones)
{
    uint64_t bits = window_bits(board, window), own = board->line[window.line][side];
    if ((board->line[window.line][side_other(side)] & bits) != 0 || bits_count(bits & ~own) > stones ||
        !row_window_wins(&board->rules, own, bits))
        return false;
    return !board->rules.gravity || lines_stones_to_fill(board, window.line, bits & ~own) <= stones;
}

unsigned window_cells(const Board *board, unsigned line, uint64_t bits, Cell cells[RULES_SIDE_MAX])
{
    unsigned count = bits_count(bits);
    bool downwards = is_read_downwards(board, line);
    for (unsigned i = 0; bits != 0; bits &= bits - 1, i++)
        cells[downwards ? count - 1 - i : i] = lines_cell(board, line, bits_lowest(bits));
    return count;
}
