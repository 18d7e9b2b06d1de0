// Exact scores of Connect Four: how many positions a second, and how that compares with a plain alpha-beta search that
// knows nothing but the rules.
#pragma once

#include "bench/common/bench_result.h"
#include "game/board.h"

enum { BENCH_SOLVE_RESULTS = 3 };

// The score of a position (solver/gravity/gravity_solver.h) by the rules alone, as far as the bounds allow; also of a
// game that is over.
int bench_solve_plain(Board *board, int alpha, int beta);

// About `seconds`, on positions of random games. Returns how many results there are, 0 when `stop` is raised.
unsigned bench_solve(double seconds, const atomic_bool *stop, BenchResult results[BENCH_SOLVE_RESULTS]);
