// Exact values: queries and results, shared by the solvers and their interface (solver/exact.h).
//
// A value is for the side to move under best play of both: above 0 it wins, at 0 it draws, below 0 it loses. In gravity
// games it may be a score, which tells how soon (solver/gravity/gravity_solver.h); elsewhere it is 1, 0 or -1.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "game/board.h"

typedef enum {
    EXACT_SCORE, // a score, if the game has scores
    EXACT_VALUE, // 1, 0 or -1
} ExactAim;

// Bounds of the value; equal if it is known.
typedef struct {
    int low, high;
    uint64_t nodes; // positions examined
    bool has_best;  // `best` reaches at least `low`; not every solver finds one
    Cell best;
} ExactResult;

// Callbacks during searches; may be NULL.
typedef struct {
    void (*progress)(void *context, const ExactResult *so_far); // called regularly by the searching thread
    void *context;
    atomic_ullong *alive; // incremented regularly as a sign of life for other threads
} ExactWatch;

// A legal cell and the bounds of a stone there, for the side that plays it.
typedef struct {
    Cell cell;
    int low, high;
} ExactCell;

typedef struct {
    unsigned count;
    ExactCell list[RULES_CELLS_MAX]; // row by row from a1
    uint64_t nodes;
} ExactCells;

// A query: a position of a game that is not over, and the aim.
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
