// The field of the engine: how long a stone placed and taken back takes with the shapes of all cells kept up to date,
// and how that compares with finding them anew.
#pragma once

#include "bench/bench.h"

enum { BENCH_FIELD_RESULTS = 4 };

// About `seconds` for each game, on boards from the middle of games that an agent played against itself. Returns how
// many results there are, 0 when `stop` is raised or there is no memory.
unsigned bench_field(double seconds, const atomic_bool *stop, BenchResult results[BENCH_FIELD_RESULTS]);
