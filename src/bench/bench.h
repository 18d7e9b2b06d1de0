// Benchmarks: how fast the parts of krow are on this machine.
#pragma once

#include "bench/common/bench_result.h"

// Called after each benchmark, for progress.
typedef void (*BenchProgress)(void *context, const BenchResult *result);

// Runs all benchmarks, about `seconds` each; returns how many results there are. Stops early when `stop` is raised.
// Every speed is the median over many short slices, and each slice of the fast board stands beside one of the naive
// board, so that a ratio compares what the machine gave both in the same moments.
unsigned bench_run(double seconds, const atomic_bool *stop, BenchResult results[BENCH_RESULTS_MAX],
                   BenchProgress progress, void *context);
