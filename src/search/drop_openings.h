// The opening table of Connect Four: scores of all positions with few stones, so that nobody waits for the longest
// searches. `make book` makes it anew with the solver.
//
// The file (search/drop_openings.def) has the scores of all positions with DROP_OPENINGS stones in which nobody has
// won, a character each, '0' for the lowest. A position is two numbers: the stones, and those of the side to move, a
// bit a cell, column by column from the left and from below, each column with a spare bit. Of a position and its mirror
// image the lower counts, by the stones first; scores stand in that order. So no positions are in the file. Scores of
// positions with fewer stones follow from these by looking ahead.
#pragma once

#include "base/status.h"
#include "rules/board.h"

typedef struct DropOpenings DropOpenings;

// Whether the table is for these rules: 7x6, four in a row, stones that fall.
bool drop_openings_suits(const Rules *rules);

// Finds all positions of the table again, which takes some hundredths of a second.
Status drop_openings_open(DropOpenings **openings, Error *error);
void drop_openings_close(DropOpenings *openings); // NULL is fine

// The most stones a position of the table has.
unsigned drop_openings_stones(void);

// The score of a position (search/drop_solver.h) of these rules, of a game that is not over; false if the table does
// not have it.
bool drop_openings_look_up(const DropOpenings *openings, const Board *board, int *score);
