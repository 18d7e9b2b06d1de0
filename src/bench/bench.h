// Benchmarks of the parts of krow.
#pragma once

#include "bench/common/bench_result.h"

// Called after each benchmark, for progress.
typedef void (*BenchProgress)(void *context, const BenchResult *result);

// Runs all benchmarks, about `seconds` each; returns the number of results. Stops early if `stop` is raised. Every
// speed is the median of many short slices, and slices of the fast and the plain version alternate, so that their ratio
// is measured under the same conditions.
unsigned bench_run(double seconds, const atomic_bool *stop, BenchResult results[BENCH_RESULTS_MAX],
                   BenchProgress progress, void *context);
