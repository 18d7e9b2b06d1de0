// The alpha-beta laboratory: nodes a second, and what its move orderings save.
#pragma once

#include "bench/bench.h"

enum { BENCH_ALPHABETA_RESULTS = 3 };

// About `seconds` for the speed, a second or two for the orderings; returns how many results there are, fewer when
// `stop` is raised or there is no memory.
unsigned bench_alphabeta(double seconds, const atomic_bool *stop, BenchResult results[BENCH_ALPHABETA_RESULTS]);
