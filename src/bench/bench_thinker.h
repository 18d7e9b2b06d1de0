// The search of the engine: positions a second, with one thread and with two, and a signature of what it finds.
#pragma once

#include "bench/bench.h"

enum { BENCH_THINKER_RESULTS = 4 };

// About `seconds` for each game, on boards from games that an agent played against itself. Returns how many results
// there are, 0 when `stop` is raised or there is no memory.
unsigned bench_thinker(double seconds, const atomic_bool *stop, BenchResult results[BENCH_THINKER_RESULTS]);

// A number made of the turns, scores and nodes of games of several kinds that the thinker plays against itself with
// budgets of nodes. A change that should not change its play leaves it alone; tests/unit/test_signature.c knows it.
uint64_t bench_thinker_signature(void);
