// Load on a database of jobs: the operations of workers without playing. Several connections claim units and submit
// artificial games, send heartbeats, or poll for work that does not exist, as fast as possible. tools/measure-units
// runs loads and measures their cost on the server. Use a separate database: the load does not remove its data.
#pragma once

#include "agents/options.h"

#include <stdatomic.h>

typedef struct {
    int64_t job;              // the job used; another load can continue it
    uint64_t operations;      // units, heartbeats, polls
    uint64_t games;           // stored
    uint64_t misses;          // claims without a unit, because others had locked all open ones
    double seconds;           // from the first operation to the last
    double median_ms, p99_ms; // of an operation, measured by its connection
} UnitLoad;

// The options of a load, for options_parse.
extern const AgentOption unit_load_options[];

Status unit_load_run(const char *db, const OptionValues *options, const atomic_bool *stop, UnitLoad *load,
                     Error *error);
