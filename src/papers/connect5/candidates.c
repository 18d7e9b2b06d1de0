// The move generators of Kulev and Wu, computed with one word per row.
#include "papers/connect5/candidates.h"

#include "threats/centre.h"

// The columns of the stones, and those `step` to the left and right.
static uint64_t three_ways(uint64_t stones, unsigned step)
{
    return stones | stones << step | stones >> step;
}

static uint64_t occupied(const Board *board, int row)
{
    return row >= 0 && row < board->rules.height ? board_occupied_row(board, (unsigned)row) : 0;
}

static uint64_t near_row(const Board *board, CandidatesKind kind, int row)
{
    uint64_t same = occupied(board, row), one = occupied(board, row - 1) | occupied(board, row + 1),
             two = occupied(board, row - 2) | occupied(board, row + 2);
    if (kind == CANDIDATES_RADIUS2)
        return bits_spread(same | one | two, 2);
    // A stone one row away is on a line with its own and the adjacent columns; two columns away is a knight's move.
    return bits_spread(same, 2) | three_ways(one, 1) | three_ways(two, 2);
}

unsigned candidates_list(const Board *board, CandidatesKind kind, Cell cells[RULES_CELLS_MAX])
{
    assert(!board_is_over(board));
    if (kind != CANDIDATES_ALL && board_count(board) == 0)
        return centre_cells(board, cells);
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++) {
        uint64_t bits = board_legal_row(board, row);
        if (kind != CANDIDATES_ALL)
            bits &= near_row(board, kind, (int)row);
        for (; bits != 0; bits &= bits - 1)
            cells[count++] = cell_at(bits_lowest(bits), row);
    }
    assert(count > 0);
    return count;
}
