// The search through forcing sequences: how long a call takes, and how that compares with the complete search through
// fours (threats/search/double_threat.h).
#pragma once

#include "bench/common/bench_result.h"

enum { BENCH_FORCING_RESULTS = 2 };

// About `seconds`, on boards of 13x13 with 30 stones, from games that the agent `defence` played against itself.
// Returns how many results there are, 0 when `stop` is raised.
unsigned bench_forcing(double seconds, const atomic_bool *stop, BenchResult results[BENCH_FORCING_RESULTS]);
