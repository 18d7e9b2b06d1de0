// `krow worker`: plays units of jobs until it is asked to end. Each slot holds one unit at a time and plays its games
// one after another; all share a connection. The thread that calls worker_run reports to the database every few seconds
// how far the slots are.
#pragma once

#include "agents/agent.h"
#include "view/progress.h"

typedef struct {
    const char *db;      // as --db says it
    unsigned slots;      // units at once, at least 1
    const char *engines; // a file, the list of engines it may start; NULL: none
    double idle;         // seconds without work after which it ends; 0: never
    AgentHost host;
    bool quiet;              // only refused jobs are noted
    Reporter *reporter;      // NULL: nothing is shown
    const atomic_bool *stop; // ends the worker when raised
} WorkerOptions;

// Runs until `stop` is raised: then games under way are given up, those that are finished are handed in and the rest is
// returned.
Status worker_run(const WorkerOptions *options, Error *error);
