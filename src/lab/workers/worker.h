// `krow worker`: plays units of jobs until it is stopped. Each slot holds one unit at a time; all slots share a
// connection. The thread that calls worker_run sends a heartbeat with the slots' progress every few seconds.
#pragma once

#include "agents/agent.h"
#include "view/progress.h"

typedef struct {
    const char *db;      // as for --db
    unsigned slots;      // concurrent units, at least 1
    const char *engines; // file with the list of engines it may start; NULL: none
    const char *name;    // of the worker in lists and in quarantine; NULL: that of the machine
    double idle;         // seconds without work after which it ends; 0: never
    AgentHost host;
    bool quiet;              // report only refused jobs
    Reporter *reporter;      // NULL: no output
    const atomic_bool *stop; // ends the worker when raised
} WorkerOptions;

// Runs until `stop` is raised: then it abandons games in progress, submits finished ones and returns the rest.
Status worker_run(const WorkerOptions *options, Error *error);
