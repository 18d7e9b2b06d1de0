// What is near: cells within some steps of a stone, steps in eight directions.
#pragma once

#include "game/board.h"

// The columns of a row that have a stone within `reach` steps, those of the stones included.
static inline uint64_t near_stones_row(const Board *board, unsigned row, unsigned reach)
{
    unsigned low = row > reach ? row - reach : 0;
    unsigned high = row + reach < board->rules.height ? row + reach : board->rules.height - 1u;
    uint64_t near = 0;
    for (unsigned y = low; y <= high; y++)
        near |= bits_spread(board_occupied_row(board, y), reach);
    return near;
}
