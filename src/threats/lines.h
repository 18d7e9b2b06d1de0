// Lines of the board: their cells, and whether a side can still complete a row.
#pragma once

#include "game/board.h"

// The cells of a line (board.h numbers the lines) as bits of its words.
uint64_t lines_mask(const Board *board, unsigned line);

Cell lines_cell(const Board *board, unsigned line, unsigned bit);

// Stones that fill these empty cells of a line under gravity: each column must be filled up to the highest of them.
unsigned lines_stones_to_fill(const Board *board, unsigned line, uint64_t empty);

// The lowest bits of all windows of a line whose cells are all in `cells`.
static inline uint64_t lines_windows(const Board *board, uint64_t cells)
{
    for (unsigned i = 0; i < board->shift_count; i++)
        cells &= cells >> board->shift[i];
    return cells;
}

// Neither side can complete a line any more: the game can only be a draw.
bool lines_are_dead(const Board *board);

// Whether a side that places up to `stones` stones now can complete a row, as if it were to move. Under gravity the
// stones that it must place below count; under `exact` an overline is no row.
bool lines_can_complete(const Board *board, Side side, unsigned stones);
