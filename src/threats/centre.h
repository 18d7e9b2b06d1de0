// How near a cell is to the centre of the board: where agents play when nothing else distinguishes cells, as Levin et
// al. (section 3.3, opening book) say most players do with their first stone.
#pragma once

#include "game/board.h"

// Twice the larger of the distances in columns and in rows, negative: higher is nearer. The smaller one decides among
// equals, as in the bottom row under gravity.
static inline double centre_nearness(const Rules *rules, Cell cell)
{
    int dx = 2 * (int)cell_column(cell) - (rules->width - 1), dy = 2 * (int)cell_row(cell) - (rules->height - 1);
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx > dy ? -dx - dy / 256.0 : -dy - dx / 256.0;
}
