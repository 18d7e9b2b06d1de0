// The move generators of Kulev and Wu (section 3.4): the cells that a search examines.
//
// Where the paper is silent: on an empty board the candidates are the cells nearest to the centre. Under gravity only
// legal cells are candidates. There is at least one near some stone: on top of a column that has stones, or at the foot
// of a column next to a full one.
#pragma once

#include "game/board.h"

typedef enum {
    CANDIDATES_ALL,
    CANDIDATES_RADIUS2, // at most two columns and two rows from a stone
    CANDIDATES_LINE2,   // the same, and on a line with the stone: no knight's moves
} CandidatesKind;

enum { CANDIDATES_KINDS = CANDIDATES_LINE2 + 1 };

// The candidates of a board whose game is not over, row by row from a1; returns their number, at least one. They are
// computed anew from the bits of all rows, which costs less than an update with every stone.
unsigned candidates_list(const Board *board, CandidatesKind kind, Cell cells[RULES_CELLS_MAX]);
