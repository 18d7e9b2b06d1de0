// Compares a fast function with a plain one on the same boards: games of an agent against itself after some stones.
#pragma once

#include "agents/agent.h"
#include "bench/common/bench_result.h"
#include "bench/common/slices.h"

typedef struct {
    const char *game, *agent; // the agent plays against itself
    unsigned stones, count;   // on each board, and boards
    bool is_time;             // the value is microseconds per item, otherwise items per second
    SliceWork *fast, *plain;
    BenchResult results[2]; // names and units: speed of the fast version, and its ratio to the plain one
} BoardsBench;

// The rules of a valid name or specification.
Rules bench_rules(const char *game);

// Plays the boards and measures; returns the number of results, 0 if `stop` was raised. `work` is passed to both
// functions and begins with an array of `count` games, which become undecided games of `stones` stones.
unsigned bench_boards(const BoardsBench *bench, void *work, double seconds, const atomic_bool *stop,
                      BenchResult results[2]);
