// Random games as the agent `montecarlo` plays them, and the search under agents.
#pragma once

#include "bench/common/bench_result.h"

enum { BENCH_MONTECARLO_RESULTS = 5 };

// About `seconds` each; returns how many results there are, fewer when `stop` is raised.
unsigned bench_montecarlo(double seconds, const atomic_bool *stop, BenchResult results[BENCH_MONTECARLO_RESULTS]);
