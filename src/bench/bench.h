// Measured work: how fast the parts of krow are on this machine, and a signature of what they compute.
#pragma once

#include "base/status.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    char name[48];
    double value;
    const char *unit;
    const char *about;
} BenchResult;

enum { BENCH_RESULTS_MAX = 64 };

// Called after each benchmark, for progress.
typedef void (*BenchProgress)(void *context, const BenchResult *result);

// Runs all benchmarks, about `seconds` each; returns how many results there are. Stops early when `stop` is raised.
// Every speed is the median over many short slices, and each slice of the fast board stands beside one of the naive
// board, so that a ratio compares what the machine gave both in the same moments.
unsigned bench_run(double seconds, const atomic_bool *stop, BenchResult results[BENCH_RESULTS_MAX],
                   BenchProgress progress, void *context);

// A number that depends on what rules, boards and agents do, and on nothing else: not on the machine, the compiler or
// the time. A change that should not change behaviour leaves it alone.
uint64_t bench_signature(void);
