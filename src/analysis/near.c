#include "analysis/near.h"

// A row of bits with each of them spread to both sides.
static uint64_t spread(uint64_t row, unsigned reach)
{
    uint64_t wide = row;
    for (unsigned i = 0; i < reach; i++)
        wide |= wide << 1 | wide >> 1;
    return wide;
}

uint64_t near_stones_row(const Board *board, unsigned row, unsigned reach)
{
    unsigned low = row > reach ? row - reach : 0;
    unsigned high = row + reach < board->rules.height ? row + reach : board->rules.height - 1u;
    uint64_t near = 0;
    for (unsigned y = low; y <= high; y++)
        near |= spread(board_occupied_row(board, y), reach);
    return near;
}
