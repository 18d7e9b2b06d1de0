// The opening table of Connect Four: scores of all positions with few stones, to avoid the longest searches. `make
// book` rebuilds it with the solver.
//
// The file (solver/gravity/gravity_openings.def) has the scores of all positions with GRAVITY_OPENINGS stones in which
// neither side has won, a character each, '0' for the lowest. A position is two numbers: the stones, and those of the
// side to move, a bit a cell, column by column from the left and from below, each column with a spare bit. Of a
// position and its mirror image the lower counts, by the stones first; scores stand in that order. So no positions are
// in the file. Scores of positions with fewer stones follow from these by looking ahead.
#pragma once

#include "base/status.h"
#include "game/board.h"

typedef struct GravityOpenings GravityOpenings;

// Whether the table is for these rules: 7x6, four in a row, stones that fall.
bool gravity_openings_suits(const Rules *rules);

// Finds all positions of the table again, which takes some hundredths of a second.
Status gravity_openings_open(GravityOpenings **openings, Error *error);
void gravity_openings_close(GravityOpenings *openings); // NULL is fine

// The most stones a position of the table has.
unsigned gravity_openings_stones(void);

// The score of a position (solver/gravity/gravity_solver.h) of these rules, of a game that is not over; false if the
// table does not have it.
bool gravity_openings_look_up(const GravityOpenings *openings, const Board *board, int *score);
