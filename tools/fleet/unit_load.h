// Load for a database of jobs: what workers do to it, without the games. Several connections claim units and hand in
// made-up games, or send signs of life, or look for work where there is none, as fast as they can. What this costs the
// server is seen there; tools/measure-units puts both together. For databases made for it: what it stores stays.
#pragma once

#include "agents/options.h"

#include <stdatomic.h>

typedef struct {
    int64_t job;              // it worked on; another load can go on with it
    uint64_t operations;      // units, signs of life, looks
    uint64_t games;           // stored
    uint64_t misses;          // claims that got nothing, since others had locked what is open
    double seconds;           // from the first operation to the last
    double median_ms, p99_ms; // of an operation, as its connection sees it
} UnitLoad;

// What can be said of a load, for options_parse.
extern const AgentOption unit_load_options[];

Status unit_load_run(const char *db, const OptionValues *options, const atomic_bool *stop, UnitLoad *load,
                     Error *error);
