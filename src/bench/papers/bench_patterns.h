// Winning patterns: how long it takes to find those that a stone completes among 700, and to prove one.
#pragma once

#include "bench/common/bench_result.h"
#include "papers/patterns/pattern_index.h"

// Fills an index with proved patterns of gomoku, of which none is part of another: random stones and empty cells on
// rows that meet. The same seed gives the same ones. False when `stop` is raised.
bool bench_patterns_make(PatternIndex *index, unsigned count, uint64_t seed, const atomic_bool *stop);

enum { BENCH_PATTERNS_RESULTS = 3 };

// About `seconds`, for every stone of boards of gomoku with 40 stones, from games that the agent `windows` played
// against itself. Returns how many results there are, 0 when `stop` is raised.
unsigned bench_patterns(double seconds, const atomic_bool *stop, BenchResult results[BENCH_PATTERNS_RESULTS]);
