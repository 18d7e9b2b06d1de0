// One result of a benchmark.
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
