// Exact values of positions: what is asked, and what is known. The solvers and the interface in front of them
// (solver/exact.h) share these types.
//
// A value is seen from the side to move: above 0 it wins, at 0 it draws, below 0 it loses, with best play of both.
// Where stones fall it may be a score, which says how soon (solver/gravity/gravity_solver.h); elsewhere it is 1, 0 or
// -1.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "game/board.h"

typedef enum {
    EXACT_SCORE, // a score, where there are any
    EXACT_VALUE, // 1, 0 or -1
} ExactAim;

// What is known; the bounds are equal when it is everything.
typedef struct {
    int low, high;
    uint64_t nodes; // positions examined
    bool has_best;  // `best` is a stone that reaches at least `low`; not every solver finds one
    Cell best;
} ExactResult;

// Who is informed during searches; NULL: nothing.
typedef struct {
    void (*progress)(void *context, const ExactResult *so_far); // called now and then, by the thread that searches
    void *context;
    atomic_ullong *alive; // incremented now and then, so that other threads see that the search is under way
} ExactWatch;

// A legal cell, and what is known of a stone there, for the side that plays it.
typedef struct {
    Cell cell;
    int low, high;
} ExactCell;

typedef struct {
    unsigned count;
    ExactCell list[RULES_CELLS_MAX]; // row by row from a1
    uint64_t nodes;
} ExactCells;

// A position of a game that is not over, and what is asked about it.
typedef struct {
    const Board *board;
    ExactAim aim;
    const Limits *limits;
    const ExactResult *known; // of the position, or NULL; see exact_cells
} ExactQuery;

static inline bool exact_is_known(const ExactResult *result)
{
    return result->low == result->high;
}
