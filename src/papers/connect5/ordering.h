// The move orderings of Kulev and Wu (section 3.3): the order in which a search examines cells.
//
// Where the paper is silent:
// - `simple`, "2^n points for playing in a line with n pieces in a row": for each of the four directions and each
//   player, n is the number of the player's stones that the cell continues or connects, without a gap. A cell between
//   two pairs of the same player counts as next to four in a row, since that is what it completes or prevents.
// - `history`: each side has its own counts, since the moves of chess, for which Schaeffer designed the table, belong
// to
//   a side. The counts last for one search with all its depths. Every finished node increments the count of its best
//   cell by one, whether it caused a cut-off or not.
// - Cells with equal ratings stay in the order of the generator.
#pragma once

#include "game/board.h"

typedef enum { ORDERING_NONE, ORDERING_SIMPLE, ORDERING_NEIGHBOR, ORDERING_HISTORY } OrderingKind;

enum { ORDERING_KINDS = ORDERING_HISTORY + 1, ORDERING_RUN_MAX = 24 };

typedef struct {
    OrderingKind kind;
    uint32_t history[2][RULES_CELLS_MAX]; // nodes in which a cell was the best, by side
} Ordering;

// Clears the history before a search.
void ordering_begin(Ordering *ordering);

// The rating of a legal cell for the side to move; higher is searched earlier.
uint32_t ordering_rate(const Ordering *ordering, const Board *board, Cell cell);

// Records the best cell of a side in a finished node.
static inline void ordering_mark(Ordering *ordering, Side side, Cell cell)
{
    ordering->history[side][cell]++;
}
