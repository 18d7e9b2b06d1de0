// The benchmarks of this folder. Each runs about `seconds` per measurement and returns the number of its results, 0 or
// fewer of them if `stop` is raised.
#pragma once

#include "bench/common/bench_result.h"
#include "game/board.h"

// Opening books: how fast they are built, and how long a position takes to look up. The games are made up.
unsigned bench_book(double seconds, const atomic_bool *stop, BenchResult *results);

// The pattern board of the engine: the time of a stone placed and taken back, beside a computation from scratch.
unsigned bench_pattern_board(double seconds, const atomic_bool *stop, BenchResult *results);

// The search of the engine: positions per second, with one thread and with two.
unsigned bench_search(double seconds, const atomic_bool *stop, BenchResult *results);

// Exact scores of Connect Four: positions per second, beside a plain alpha-beta search.
unsigned bench_solve(double seconds, const atomic_bool *stop, BenchResult *results);

// That plain search: the score of a position (solver/gravity/gravity_solver.h) by the rules alone, as far as the bounds
// allow; also of a game that is over.
int bench_solve_plain(Board *board, int alpha, int beta);
