// Exact values of gravity games with one stone per turn: Connect Four, and every board of the family that fits 128-bit
// words with a spare row, (height + 1) * width <= 128.
//
// A score is for the side to move under best play: 0 for a draw; for a win, the number of stones the winner has not yet
// placed before and including the winning one; for a loss, the negative of it. So a sooner win scores higher: (cells +
// 1 - stones) / 2 for a win with the next stone, with `stones` on the board.
//
// Positions need not result from play: any stones that do not float, and either side to move.
#pragma once

#include "solver/common/exact_value.h"

typedef struct GravitySolver GravitySolver;

// Whether the solver supports these rules; otherwise the error gives the reason.
Status gravity_solver_check(const Rules *rules, Error *error);

// Allocates all memory for searches. Results stay in the table for later searches. The table has `megabytes` MB; 0 is
// enough for all but very long searches. `threads` threads search one position over one table; 0 means 1.
Status gravity_solver_open(GravitySolver **solver, const Rules *rules, size_t megabytes, unsigned threads,
                           Error *error);

// Sets the callbacks for later searches, called whenever the bounds have narrowed; not for single columns.
void gravity_solver_watch(GravitySolver *solver, ExactWatch watch);

// The score of a position, or with EXACT_VALUE the winner, or bounds within the limits. Rejects unsuitable positions:
// other rules, floating stones, a finished game.
Status gravity_solver_run(GravitySolver *solver, const ExactQuery *query, ExactResult *result, Error *error);

// The same for every legal cell, for the side that drops a stone there, with common limits.
Status gravity_solver_cells(GravitySolver *solver, const ExactQuery *query, ExactCells *cells, Error *error);

// Discards all results.
void gravity_solver_clear(GravitySolver *solver);

void gravity_solver_close(GravitySolver *solver); // NULL is fine
