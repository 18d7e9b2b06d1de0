// Cells near stones.
#include "threats/near.h"

uint64_t near_stones_row(const Board *board, unsigned row, unsigned reach)
{
    unsigned low = row > reach ? row - reach : 0;
    unsigned high = row + reach < board->rules.height ? row + reach : board->rules.height - 1u;
    uint64_t near = 0;
    for (unsigned y = low; y <= high; y++)
        near |= bits_spread(board_occupied_row(board, y), reach);
    return near;
}
