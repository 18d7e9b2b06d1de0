// Which cell a search looks at first: the move orderings of Kulev and Wu (section 3.3).
//
// Where the paper is silent:
// - `simple`, "2^n points for playing in a line with n pieces in a row": for each of the four directions and each
//   player, n is how many of his stones the cell stands beside or between, without a gap on either side. A cell between
//   two pairs of the same player counts as in a row of four, since that is what it makes or prevents.
// - `history`: each side has counts of its own, as the moves of chess for which Schaeffer made the table belong to a
//   side by themselves. They live as long as one search with all its depths. A best cell is marked in every node,
//   whether it was good enough for a cut or only the best of those that were too bad; each time counts one.
// - Cells that are ordered alike stay in the order of the generator.
#pragma once

#include "game/board.h"

typedef enum { ORDERING_NONE, ORDERING_SIMPLE, ORDERING_NEIGHBOR, ORDERING_HISTORY } OrderingKind;

enum { ORDERING_KINDS = ORDERING_HISTORY + 1, ORDERING_RUN_MAX = 24 };

typedef struct {
    OrderingKind kind;
    uint32_t history[2][RULES_CELLS_MAX]; // how often a cell was the best, by side
} Ordering;

// Forgets what earlier searches found.
void ordering_begin(Ordering *ordering);

// How early the side to move should search a legal cell: higher is earlier.
uint32_t ordering_rate(const Ordering *ordering, const Board *board, Cell cell);

// Says which cell was the best for a side in a node that is finished.
static inline void ordering_mark(Ordering *ordering, Side side, Cell cell)
{
    ordering->history[side][cell]++;
}
