// Nearness to the centre of the board. Agents play near the centre if no other criterion distinguishes cells, as most
// players do with their first stone (Levin et al., section 3.3, opening book).
#pragma once

#include "game/board.h"

// Minus twice the larger of the distances in columns and in rows: higher is nearer. The smaller distance breaks ties,
// as in the bottom row under gravity.
static inline double centre_nearness(const Rules *rules, Cell cell)
{
    int dx = 2 * (int)cell_column(cell) - (rules->width - 1), dy = 2 * (int)cell_row(cell) - (rules->height - 1);
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx > dy ? -dx - dy / 256.0 : -dy - dx / 256.0;
}

// The legal cells nearest to the centre; returns how many, 0 if the game is over.
static inline unsigned centre_cells(const Board *board, Cell cells[RULES_CELLS_MAX])
{
    unsigned legal = board_legal_cells(board, cells), count = 0;
    double best = -RULES_CELLS_MAX;
    for (unsigned i = 0; i < legal; i++) {
        double nearness = centre_nearness(&board->rules, cells[i]);
        count = nearness > best ? 0 : count;
        best = nearness > best ? nearness : best;
        if (nearness == best)
            cells[count++] = cells[i];
    }
    return count;
}
