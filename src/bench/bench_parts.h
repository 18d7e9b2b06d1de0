// The benchmarks of this folder. Each runs about `seconds` per measurement and returns the number of its results, 0 or
// fewer of them if `stop` is raised.
#pragma once

#include "bench/common/bench_result.h"
#include "game/board.h"

// Opening books: building and look-up, with generated games.
unsigned bench_book(double seconds, const atomic_bool *stop, BenchResult *results);

// The pattern board of the engine: updates against a computation from scratch.
unsigned bench_pattern_board(double seconds, const atomic_bool *stop, BenchResult *results);

// The search of the engine: positions per second, with one thread and with two.
unsigned bench_search(double seconds, const atomic_bool *stop, BenchResult *results);

// Exact scores of Connect Four: positions per second, against a plain alpha-beta search.
unsigned bench_solve(double seconds, const atomic_bool *stop, BenchResult *results);

// The plain search: the score of a position (solver/gravity/gravity_solver.h) by the rules alone, within the bounds;
// the game may be over.
int bench_solve_plain(Board *board, int alpha, int beta);
