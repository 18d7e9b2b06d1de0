// The alpha-beta laboratory: nodes a second, and what its move orderings save.
#pragma once

#include "bench/common/bench_result.h"

enum { BENCH_ALPHABETA_RESULTS = 3 };

// About `seconds` for the speed, a second or two for the orderings; returns how many results there are, fewer when
// `stop` is raised.
unsigned bench_alphabeta(double seconds, const atomic_bool *stop, BenchResult results[BENCH_ALPHABETA_RESULTS]);
