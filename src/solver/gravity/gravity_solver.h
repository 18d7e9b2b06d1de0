// The exact value of games with gravity and one stone a turn: Connect Four, and every board of the family that fits
// words of 128 bits with a spare row, (height + 1) * width <= 128.
//
// A score is a number seen from the side to move: 0 for a draw; with best play on both sides a win is worth the stones
// the winner has not yet placed before the winning one, that one included, and a loss the same with a minus. So a
// sooner win is worth more: (cells + 1 - stones) / 2 for a win with the next stone, `stones` being on the board.
//
// Positions need not have been played: any stones that do not float, and either side to move.
#pragma once

#include "solver/common/exact_value.h"

typedef struct GravitySolver GravitySolver;

// Whether the solver is for these rules; the error says what does not suit.
Status gravity_solver_check(const Rules *rules, Error *error);

// Takes all memory that searches need. What has been found out stays in the table for the next search. The table is of
// so many megabytes: 0 is enough for everything but very long searches. So many threads search one position together,
// over one table; 0 is 1.
Status gravity_solver_open(GravitySolver **solver, const Rules *rules, size_t megabytes, unsigned threads,
                           Error *error);

// Who is informed during the searches from now on, whenever the bounds have become narrower. Not for single columns.
void gravity_solver_watch(GravitySolver *solver, ExactWatch watch);

// The score of a position, or with EXACT_VALUE who wins, or as much as was found out within the limits. Refuses a
// position that does not fit: other rules, stones that float, a game that is over.
Status gravity_solver_run(GravitySolver *solver, const ExactQuery *query, ExactResult *result, Error *error);

// The same for every legal cell, for the side that drops a stone there. The limits are for all of them together.
Status gravity_solver_cells(GravitySolver *solver, const ExactQuery *query, ExactCells *cells, Error *error);

// Forgets everything.
void gravity_solver_clear(GravitySolver *solver);

void gravity_solver_close(GravitySolver *solver); // NULL is fine
