// Exact values of positions behind one face: solver/gravity/gravity_solver.h where stones fall one a turn,
// solver/dfpn/dfpn.h for small games of every other kind.
// A value is what solver/common/exact_value.h says.
#pragma once

#include "solver/common/exact_value.h"

typedef struct {
    size_t megabytes; // of the table; 0: EXACT_MEGABYTES
    unsigned threads; // that search one position together, where the solver can use several; 0 is 1
    bool openings;    // look positions up in the opening table first, where there is one
                      // (solver/gravity/gravity_openings.h)
} ExactOptions;

enum { EXACT_MEGABYTES = 128 };

typedef struct Exact Exact;

// Whether there is a solver for these rules; the error says why not. That it comes to an end is another matter.
Status exact_check(const Rules *rules, Error *error);

// Whether EXACT_SCORE says more than EXACT_VALUE.
bool exact_has_scores(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must have passed the check. What has been
// found out helps the next search.
Status exact_open(Exact **exact, const ExactOptions *options, const Rules *rules, Error *error);
void exact_close(Exact *exact); // NULL is fine

// Forgets what has been found out, if anything. NULL is fine.
void exact_clear(Exact *exact);

// Who is informed during the searches from now on.
void exact_watch(Exact *exact, ExactWatch watch);

// The value of a position, or as much as the limits allow. Fails on a position that the rules do not allow, such as
// stones that float.
Status exact_run(Exact *exact, const ExactQuery *query, ExactResult *result, Error *error);

// The same for each legal cell, with limits for all of them together. If the value of the position is known and there
// are no scores, it only finds out which cells keep the value (low == known->low), which takes far less.
Status exact_cells(Exact *exact, const ExactQuery *query, ExactCells *cells, Error *error);

// Leaves those cells in the list that are surely as good as every other one; false, and any list, where the limits come
// before one of them is known. With scores, EXACT_SCORE leaves all of the best, though others need not be known to the
// end; EXACT_VALUE takes far less, and leaves those that were found to keep the value, which need not be all.
bool exact_best(Exact *exact, const Board *board, ExactAim aim, const Limits *limits, ExactCells *cells);

bool exact_lists(const ExactCells *cells, Cell cell);

// Whether every cell of this position is in the opening table, so that its score takes no search.
bool exact_looks_up(const Exact *exact, const Board *board);

// Stones until the end of a game with this score, 0 or more stones being on the board: of a win or loss with best play.
// For scores of a game with stones that fall, and not 0.
unsigned exact_distance(const Board *board, int score);
