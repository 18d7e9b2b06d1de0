// Exact values of positions, through one interface: solver/gravity/gravity_solver.h for gravity games with one stone
// per turn, solver/dfpn/dfpn.h for small games of every other kind. solver/common/exact_value.h defines values.
#pragma once

#include "solver/common/exact_value.h"

typedef struct {
    size_t megabytes; // of the transposition table; 0: EXACT_MEGABYTES
    unsigned threads; // to search one position, if the solver supports several; 0 means 1
    bool openings;    // use the opening table, if there is one (solver/gravity/gravity_openings.h)
} ExactOptions;

enum { EXACT_MEGABYTES = 128 };

typedef struct Exact Exact;

// Whether there is a solver for these rules; otherwise the error gives the reason. It may still not finish in useful
// time.
Status exact_check(const Rules *rules, Error *error);

// Whether EXACT_SCORE says more than EXACT_VALUE.
bool exact_has_scores(const Rules *rules);

// Allocates all memory for searches of positions of these rules, which must pass exact_check. Results help later
// searches.
Status exact_open(Exact **exact, const ExactOptions *options, const Rules *rules, Error *error);
void exact_close(Exact *exact); // NULL is fine

// Discards all results. NULL is fine.
void exact_clear(Exact *exact);

// Sets the callbacks for later searches.
void exact_watch(Exact *exact, ExactWatch watch);

// The value of a position, or bounds within the limits. Fails on impossible positions, such as floating stones.
Status exact_run(Exact *exact, const ExactQuery *query, ExactResult *result, Error *error);

// The same for each legal cell, with common limits. If the value of the position is known and there are no scores, it
// only finds which cells keep the value (low == known->low), which takes far less time.
Status exact_cells(Exact *exact, const ExactQuery *query, ExactCells *cells, Error *error);

// Finds the cells that are certainly as good as every other one; false, with an undefined list, if the limits are
// reached first. With scores, EXACT_SCORE finds all best cells, even if others are not fully known; EXACT_VALUE takes
// far less time and may miss some cells that keep the value.
bool exact_best(Exact *exact, const Board *board, ExactAim aim, const Limits *limits, ExactCells *cells);

bool exact_lists(const ExactCells *cells, Cell cell);

// Whether every cell of this position is in the opening table, so that its score needs no search.
bool exact_looks_up(const Exact *exact, const Board *board);

// Stones until the end of a won or lost game with this score under best play. Only for scores of gravity games, not 0.
unsigned exact_distance(const Board *board, int score);
