// A fast function and a plain one, compared on the same boards.
#pragma once

#include "agents/agent.h"
#include "bench/common/slices.h"
#include "bench/papers/bench_papers.h"

typedef struct {
    const char *game, *agent; // whose games against itself give the boards
    unsigned stones, count;   // on each board, and boards
    bool is_time;             // the value is the microseconds of one, otherwise how many there are a second
    SliceWork *fast, *plain;
    BenchResult results[2]; // without values: of the fast one, and how many times the plain one's speed that is
} BoardsBench;

// Plays the boards and measures. `work` is given to both functions and begins with an array of `count` games.
unsigned bench_boards(const BoardsBench *bench, void *work, double seconds, const atomic_bool *stop,
                      BenchResult results[2]);
