// Rows that a side can finish within a turn, and the cells that matter for them: what an agent that does not look ahead
// needs in order to pass over neither a win nor a loss at hand.
#pragma once

#include "threats/windows.h"

// The windows of a board, which depend on its rules alone: filled once (windows_all), used for every position.
typedef struct {
    unsigned count;
    Window window[WINDOWS_MAX];
} WindowList;

void immediate_windows(const Rules *rules, WindowList *list);

// For each legal cell the number of windows it takes part in; 0 elsewhere on the board.
typedef uint16_t FinishCells[RULES_CELLS_MAX];

// Cells that begin to finish a row: of all windows the side can complete with up to `stones` stones placed now, those
// that want the fewest. Returns how many stones these want, 0 when there are none. Under gravity a cell that cannot be
// reached yet counts for the lowest empty one of its column.
unsigned immediate_cells(const Board *board, const WindowList *list, Side side, unsigned stones, FinishCells cells);

// Cells that stand in the way: those in windows the side can complete in a turn of p stones. Returns how many windows
// have such a cell. Under gravity a cell that cannot be reached yet cannot be taken, and one below would only help.
unsigned immediate_blocks(const Board *board, const WindowList *list, Side side, FinishCells cells);
