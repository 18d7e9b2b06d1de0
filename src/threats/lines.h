// Lines of the board as a whole: which cells they have, and whether a side can still complete one.
#pragma once

#include "game/board.h"

// The cells of a line of a board (board.h numbers them), as bits of its words.
uint64_t lines_mask(const Board *board, unsigned line);

// The cell of a bit of a line.
Cell lines_cell(const Board *board, unsigned line, unsigned bit);

// Stones it takes to fill these empty cells of a line when stones fall: all of each column up to the highest one.
unsigned lines_stones_to_fill(const Board *board, unsigned line, uint64_t empty);

// The first bits of all windows of a line whose cells are among these.
static inline uint64_t lines_windows(const Board *board, uint64_t cells)
{
    for (unsigned i = 0; i < board->shift_count; i++)
        cells &= cells >> board->shift[i];
    return cells;
}

// Neither side can complete a line any more: the game can only be a draw.
bool lines_are_dead(const Board *board);

// Whether a side that places up to `stones` stones now, one after another, can complete k in a row; under gravity the
// stones it has to put below are counted, under `exact` a row that would be longer is not one. The question is asked as
// if the side were to move.
bool lines_can_complete(const Board *board, Side side, unsigned stones);
