// Accuracy of the threat table of Liu and Lin (papers/kagami/line_keys.h), reported as benchmark results.
#pragma once

#include "bench/common/bench_result.h"
#include "papers/kagami/line_keys.h"

enum { BENCH_LINE_KEYS_RESULTS = LINE_CASES + 2 };

// The shares for each case of the correction and over all, as results of a benchmark: always the same numbers. Returns
// how many there are, 0 when `stop` is raised.
unsigned bench_line_keys(double seconds, const atomic_bool *stop, BenchResult results[BENCH_LINE_KEYS_RESULTS]);
