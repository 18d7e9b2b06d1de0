// The potential of cells: how long a stone placed and taken back takes with all values kept up to date, and how that
// compares with a computation from scratch.
#pragma once

#include "bench/common/bench_result.h"
#include "papers/patterns/potential.h"

enum { BENCH_POTENTIAL_RESULTS = 2 };

// The formula as plainly as possible: every window through the cell, cell by cell. `power` says what a window of n
// stones adds.
double bench_potential_plain(const Board *board, Cell cell, Side side, const double power[RULES_SIDE_MAX + 1]);

// About `seconds`, on boards with 40 stones from games of Gomoku that the agent `constant` played against itself.
// Returns how many results there are, 0 when `stop` is raised.
unsigned bench_potential(double seconds, const atomic_bool *stop, BenchResult results[BENCH_POTENTIAL_RESULTS]);
