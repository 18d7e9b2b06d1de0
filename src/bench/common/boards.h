// A fast function and a plain one, compared on the same boards: what games of an agent against itself look like after
// some stones.
#pragma once

#include "agents/agent.h"
#include "bench/common/bench_result.h"
#include "bench/common/slices.h"

typedef struct {
    const char *game, *agent; // whose games against itself give the boards
    unsigned stones, count;   // on each board, and boards
    bool is_time;             // the value is the microseconds of one, otherwise how many there are a second
    SliceWork *fast, *plain;
    BenchResult results[2]; // without values: of the fast one, and how many times the plain one's speed that is
} BoardsBench;

// The rules of a game by its name or specification, which are right.
Rules bench_rules(const char *game);

// Plays the boards and measures; returns the number of results, 0 when `stop` was raised. `work` is given to both
// functions and begins with an array of `count` games, which become undecided ones of so many stones.
unsigned bench_boards(const BoardsBench *bench, void *work, double seconds, const atomic_bool *stop,
                      BenchResult results[2]);
