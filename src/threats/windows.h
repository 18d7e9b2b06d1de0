// Windows: k consecutive cells of a line, where a row can be completed. Levin et al. (section 2) count and score them;
// here for any rules of the family.
//
// Reading order: rows and diagonals from left to right, columns from the top down. Directions have the order of the
// paper's examples: rows, columns, then diagonals falling to the right and rising to the right.
#pragma once

#include "game/board.h"

// A window as its line and its lowest bit in the words of that line (board.h numbers lines and bits).
typedef struct {
    uint16_t line;
    uint8_t low;
} Window;

enum { WINDOWS_MAX = 4 * RULES_CELLS_MAX };

// Every window of a board in reading order; returns how many. Depends on the rules only.
unsigned windows_all(const Board *board, Window windows[WINDOWS_MAX]);

// The windows through one cell in one direction: consecutive in reading order, at most 32.
typedef struct {
    uint16_t first, count;
} WindowRange;

enum { WINDOW_DIRECTIONS = 4 }; // rows, columns, falling, rising

// The windows through every cell; `windows` are all of the board.
void windows_through(const Board *board, const Window *windows, unsigned count,
                     WindowRange through[RULES_CELLS_MAX][WINDOW_DIRECTIONS]);

// The cells of a window as bits of its line.
static inline uint64_t window_bits(const Board *board, Window window)
{
    return bits_low(board->rules.k) << window.low;
}

// Whether this side could complete the window with `stones` stones placed now: it has no opposing stone, it needs no
// more than `stones` stones (under gravity including those that must be placed below), and under `exact` the row would
// not be an overline. A complete window needs none.
bool window_can_complete(const Board *board, Window window, Side side, unsigned stones);

// A threat: the side could complete it in one turn of p stones.
static inline bool window_is_threat(const Board *board, Window window, Side side)
{
    return window_can_complete(board, window, side, board->rules.p);
}

// The empty cells of a window as bits of its line.
static inline uint64_t window_empty(const Board *board, Window window)
{
    return window_bits(board, window) & ~(board->line[window.line][0] | board->line[window.line][1]);
}

// The cells of some bits of a line in reading order; returns how many.
unsigned window_cells(const Board *board, unsigned line, uint64_t bits, Cell cells[RULES_SIDE_MAX]);
