// Rows that a side can complete within a turn, and the cells that complete or block them. An agent without a search
// uses them to find an immediate win and to stop one.
#pragma once

#include "threats/windows.h"

// All windows of a board (windows_all). They depend on the rules only: filled once, used for every position.
typedef struct {
    unsigned count;
    Window window[WINDOWS_MAX];
} WindowList;

void immediate_windows(const Rules *rules, WindowList *list);

// For each legal cell the number of windows that it helps to complete or block; 0 elsewhere on the board.
typedef uint16_t FinishCells[RULES_CELLS_MAX];

// Cells that begin a row, in the windows that need the fewest of at most `stones` stones placed now. Returns that
// number of stones, 0 if there is no such window. Under gravity a cell that cannot be reached yet counts for the lowest
// empty cell of its column.
unsigned immediate_cells(const Board *board, const WindowList *list, Side side, unsigned stones, FinishCells cells);

// Cells that block: legal cells in windows that the side can complete in a turn of p stones. Returns how many windows
// have such a cell. Under gravity a stone below a cell that cannot be reached yet would only help the side.
unsigned immediate_blocks(const Board *board, const WindowList *list, Side side, FinishCells cells);
