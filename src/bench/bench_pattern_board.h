// The pattern board of the engine: how long a stone placed and taken back takes with the line patterns of all cells
// kept up to date, and how that compares with a computation from scratch.
#pragma once

#include "bench/common/bench_result.h"

enum { BENCH_PATTERN_BOARD_RESULTS = 4 };

// About `seconds` for each game, on boards from the middle of games that an agent played against itself. Returns how
// many results there are, 0 when `stop` is raised.
unsigned bench_pattern_board(double seconds, const atomic_bool *stop, BenchResult results[BENCH_PATTERN_BOARD_RESULTS]);
