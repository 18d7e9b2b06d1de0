// Cells within some steps of a stone; a step goes in one of eight directions.
#pragma once

#include "game/board.h"

// The columns of a row that have a stone within `reach` steps, including the stones themselves.
static inline uint64_t near_stones_row(const Board *board, unsigned row, unsigned reach)
{
    unsigned low = row > reach ? row - reach : 0;
    unsigned high = row + reach < board->rules.height ? row + reach : board->rules.height - 1u;
    uint64_t near = 0;
    for (unsigned y = low; y <= high; y++)
        near |= bits_spread(board_occupied_row(board, y), reach);
    return near;
}

// The number of stones of a side on the eight cells around a cell.
static inline unsigned near_stones(const Board *board, Cell cell, Side side)
{
    uint64_t bit = cell_bit_in_row(cell), around = bits_spread(bit, 1);
    unsigned row = cell_row(cell), count = bits_count(board->line[row][side] & around & ~bit);
    count += row > 0 ? bits_count(board->line[row - 1][side] & around) : 0;
    return count + (row + 1 < board->rules.height ? bits_count(board->line[row + 1][side] & around) : 0);
}

// The empty cells in the eight cells around one.
static inline unsigned near_empty(const Board *board, Cell cell)
{
    uint64_t bit = cell_bit_in_row(cell), around = bits_spread(bit, 1) & board->row_mask;
    unsigned row = cell_row(cell), count = bits_count(around & ~bit & ~board_occupied_row(board, row));
    count += row > 0 ? bits_count(around & ~board_occupied_row(board, row - 1)) : 0;
    return count + (row + 1 < board->rules.height ? bits_count(around & ~board_occupied_row(board, row + 1)) : 0);
}
