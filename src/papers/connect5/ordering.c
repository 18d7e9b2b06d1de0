// The move orderings of Kulev and Wu that rate a cell by the stones around it.
#include "papers/connect5/ordering.h"

#include "threats/near.h"

#include <string.h>

void ordering_begin(Ordering *ordering)
{
    memset(ordering->history, 0, sizeof ordering->history);
}

static uint32_t row_points(uint64_t stones, unsigned at)
{
    unsigned n = bits_run_below(stones, at) + bits_run_above(stones, at);
    return n == 0 ? 0 : UINT32_C(1) << (n < ORDERING_RUN_MAX ? n : ORDERING_RUN_MAX);
}

static uint32_t rate_lines(const Board *board, Cell cell)
{
    CellLines at = board_lines_of(board, cell);
    unsigned column = cell_column(cell), row = cell_row(cell);
    uint32_t sum = 0;
    if ((near_stones_row(board, row, 1) & cell_bit_in_row(cell)) == 0)
        return 0; // most cells are not adjacent to any stone
    for (unsigned side = 0; side < 2; side++)
        sum += row_points(board->line[at.row][side], column) + row_points(board->line[at.column][side], row) +
               row_points(board->line[at.rising][side], column) + row_points(board->line[at.falling][side], column);
    return sum;
}

// One point for each adjacent opposing stone, minus one for each own stone; plus eight, so that no rating is negative.
static uint32_t rate_neighbours(const Board *board, Cell cell)
{
    Side side = board_side(board);
    return 8 + near_stones(board, cell, side_other(side)) - near_stones(board, cell, side);
}

uint32_t ordering_rate(const Ordering *ordering, const Board *board, Cell cell)
{
    switch (ordering->kind) {
    case ORDERING_SIMPLE:
        return rate_lines(board, cell);
    case ORDERING_NEIGHBOR:
        return rate_neighbours(board, cell);
    case ORDERING_HISTORY:
        return ordering->history[board_side(board)][cell];
    case ORDERING_NONE:
        break;
    }
    return 0;
}
