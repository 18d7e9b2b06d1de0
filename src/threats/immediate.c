// Cells that complete or block a row within a turn.
#include "threats/immediate.h"

#include "threats/lines.h"

#include <string.h>

void immediate_windows(const Rules *rules, WindowList *list)
{
    Board board;
    board_init(&board, rules);
    list->count = windows_all(&board, list->window);
}

static void clear(const Board *board, FinishCells cells)
{
    memset(cells, 0, (size_t)board->rules.height * RULES_SIDE_MAX * sizeof cells[0]);
}

static unsigned stones_wanted(const Board *board, Window window)
{
    uint64_t empty = window_empty(board, window);
    return board->rules.gravity ? lines_stones_to_fill(board, window.line, empty) : bits_count(empty);
}

// Where a stone towards this cell is placed now.
static Cell reach(const Board *board, Cell cell)
{
    return board->rules.gravity ? cell_at(cell_column(cell), board_drop_row(board, cell_column(cell))) : cell;
}

unsigned immediate_cells(const Board *board, const WindowList *list, Side side, unsigned stones, FinishCells cells)
{
    unsigned fewest = 0;
    clear(board, cells);
    for (unsigned i = 0; i < list->count; i++) {
        Window window = list->window[i];
        if (!window_can_complete(board, window, side, fewest > 0 ? fewest : stones))
            continue;
        unsigned wanted = stones_wanted(board, window);
        if (wanted != fewest)
            clear(board, cells);
        fewest = wanted;
        for (uint64_t empty = window_empty(board, window); empty != 0; empty &= empty - 1)
            cells[reach(board, lines_cell(board, window.line, bits_lowest(empty)))]++;
    }
    return fewest;
}

unsigned immediate_blocks(const Board *board, const WindowList *list, Side side, FinishCells cells)
{
    unsigned windows = 0;
    clear(board, cells);
    for (unsigned i = 0; i < list->count; i++) {
        Window window = list->window[i];
        if (!window_is_threat(board, window, side))
            continue;
        bool blocked = false;
        for (uint64_t empty = window_empty(board, window); empty != 0; empty &= empty - 1) {
            Cell cell = lines_cell(board, window.line, bits_lowest(empty));
            if (!board_is_legal(board, cell))
                continue;
            cells[cell]++;
            blocked = true;
        }
        windows += blocked;
    }
    return windows;
}
