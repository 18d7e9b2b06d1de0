// How far from the end of a game an exact solver is worth asking.
#pragma once

#include "solver/exact.h"

typedef enum {
    REACH_NONE,     // the position is too far from the end
    REACH_POSSIBLE, // a short trial: a few positions are easy
    REACH_LIKELY,
} SolverReach;

// `falls`: the solver is that of gravity games. `speed` is its measured speed in nodes per second.
SolverReach solver_reach(const Board *board, bool falls, const Limits *limits, double speed);

// The speed to expect before the solver has been measured.
double solver_reach_speed(const Rules *rules, bool falls);
