// Random games as the agent `montecarlo` plays them, and the search under agents.
#pragma once

#include "bench/bench.h"

enum { BENCH_MONTECARLO_RESULTS = 5 };

// About `seconds` each; returns how many results there are, fewer when `stop` is raised or there is no memory.
unsigned bench_montecarlo(double seconds, const atomic_bool *stop, BenchResult results[BENCH_MONTECARLO_RESULTS]);
