// Which cells a search looks at: the generators of Kulev and Wu (section 3.4).
//
// Where the paper is silent: near an empty board there is nothing, and the cells nearest to the centre are the
// candidates. Under gravity only cells that can be reached count. There is always one near a stone then as well: on top
// of a column that has some, or at the foot of one beside a full one.
#pragma once

#include "game/board.h"

typedef enum {
    CANDIDATES_ALL,
    CANDIDATES_RADIUS2, // at most two columns and two rows from a stone
    CANDIDATES_LINE2,   // the same, and on a row, column or diagonal with it: without knight's moves
} CandidatesKind;

enum { CANDIDATES_KINDS = CANDIDATES_LINE2 + 1 };

// The candidates of a board whose game is not over, row by row from a1; returns how many, at least one. The bits of all
// rows are examined again each time: that costs less than the cells it finds, and nothing when a stone is placed.
unsigned candidates_list(const Board *board, CandidatesKind kind, Cell cells[RULES_CELLS_MAX]);
