// The exact value of games with gravity and one stone a turn: Connect Four, and every board of the family that fits
// words of 128 bits with a spare row, (height + 1) * width <= 128.
//
// A score is a number seen from the side to move: 0 for a draw; with best play on both sides a win is worth the stones
// the winner has not yet placed before the winning one, that one included, and a loss the same with a minus. So a
// sooner win is worth more: (cells + 1 - stones) / 2 for a win with the next stone, `stones` being on the board.
//
// Positions need not have been played: any stones that do not float, and either side to move.
#pragma once

#include "base/status.h"
#include "rules/board.h"

#include <stdatomic.h>

typedef struct {
    size_t megabytes; // of the table; 0 is enough for everything but very long searches
    unsigned threads; // that search one position together, over one table; 0 is 1
} DropSolverOptions;

// What is known of a score. Bounds are equal when it has been found.
typedef struct {
    int low, high;
    uint64_t nodes; // positions looked at
} DropSolverResult;

// What a search may cost; 0 and NULL are no limit.
typedef struct {
    double deadline; // clock_seconds
    uint64_t nodes;
    const atomic_bool *stop;
    // Told whenever the bounds have become narrower, by the thread that asked.
    void (*progress)(void *context, const DropSolverResult *so_far);
    void *context;
    atomic_ullong *alive; // counted up now and then as long as there is a search; NULL: nobody looks
} DropSolverLimits;

typedef enum {
    DROP_SOLVER_STRONG, // the score
    DROP_SOLVER_WEAK,   // who wins: the bounds are those of 1, 0, -1
} DropSolverAim;

typedef struct DropSolver DropSolver;

// Whether the solver is for these rules; the error says what does not suit.
Status drop_solver_check(const Rules *rules, Error *error);

// Takes all memory that searches need. What has been found out stays in the table for the next search.
Status drop_solver_open(DropSolver **solver, const DropSolverOptions *options, const Rules *rules, Error *error);

// The score of a position, or as much as was found out within the limits. Refuses a position that is none of the rules:
// other rules, stones that float, a game that is over.
Status drop_solver_run(DropSolver *solver, const Board *board, DropSolverAim aim, const DropSolverLimits *limits,
                       DropSolverResult *result, Error *error);

// The score of every column, seen from the side that drops a stone there: results[column], in the order of `legal` (one
// bit a column). The limits are for all of them together.
Status drop_solver_columns(DropSolver *solver, const Board *board, DropSolverAim aim, const DropSolverLimits *limits,
                           DropSolverResult results[RULES_SIDE_MAX], uint64_t *legal, Error *error);

// Best play from a position on, to the end of the game, into `line`, which has room for all empty cells. Shorter when a
// limit was reached.
Status drop_solver_line(DropSolver *solver, const Board *board, const DropSolverLimits *limits, Cell *line,
                        unsigned *count, Error *error);

// Forgets everything.
void drop_solver_clear(DropSolver *solver);

void drop_solver_close(DropSolver *solver); // NULL is fine
