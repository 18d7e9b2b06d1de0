// The search of the engine: positions a second, with one thread and with two.
#pragma once

#include "bench/common/bench_result.h"

enum { BENCH_SEARCH_RESULTS = 4 };

// About `seconds` for each game, on boards from games that an agent played against itself. Returns how many results
// there are, 0 when `stop` is raised.
unsigned bench_search(double seconds, const atomic_bool *stop, BenchResult results[BENCH_SEARCH_RESULTS]);
