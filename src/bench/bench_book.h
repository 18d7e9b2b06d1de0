// Opening books: how fast they are built, and how long a position takes to look up. The games are made up.
#pragma once

#include "bench/common/bench_result.h"

enum { BENCH_BOOK_RESULTS = 2 };

// About `seconds` each; returns how many results there are, fewer when `stop` is raised.
unsigned bench_book(double seconds, const atomic_bool *stop, BenchResult results[BENCH_BOOK_RESULTS]);
