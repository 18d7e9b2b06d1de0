// The opening table of Connect Four: scores of all positions with few stones, which would take the longest searches.
// `make book` rebuilds it with the solver.
//
// The file (solver/gravity/gravity_openings.def) has the scores of all positions with OPENINGS_STONES stones (7) in
// which neither side has won, one character each, '0' for the lowest. A position is two numbers: the stones, and those
// of the side to move, one bit per cell, column by column from the left and from below, each column with a spare bit.
// Of a position and its mirror image the smaller counts, compared by the stones first; the scores are in that order, so
// the file needs no positions. Scores of positions with fewer stones follow from these by search.
#pragma once

#include "base/status.h"
#include "game/board.h"

typedef struct GravityOpenings GravityOpenings;

// Whether the table is for these rules: 7x6, four in a row, gravity.
bool gravity_openings_suits(const Rules *rules);

// Opens the table and regenerates its positions, which takes some hundredths of a second.
Status gravity_openings_open(GravityOpenings **openings, Error *error);
void gravity_openings_close(GravityOpenings *openings); // NULL is fine

// The largest number of stones of a position in the table.
unsigned gravity_openings_stones(void);

// The score of a position of these rules (solver/gravity/gravity_solver.h) of a game that is not over; false if it is
// not in the table.
bool gravity_openings_look_up(const GravityOpenings *openings, const Board *board, int *score);
