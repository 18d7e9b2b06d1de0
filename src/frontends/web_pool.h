// Threads that work through a queue, below the priority of the thread that serves connections.
//
// Jobs of a lane run in the order in which they came, so whoever comes back with a small job each time takes turns with
// the others. No lane may take all threads, so that long jobs of one never keep the other waiting.
#pragma once

#include "base/status.h"

#include <stdbool.h>

typedef struct WebPool WebPool;

typedef enum {
    WEB_LANE_TURNS, // somebody waits for it: turns of agents, hints, slow requests
    WEB_LANE_LONG,  // slices of long work: analysis, scans
    WEB_LANES,
} WebLane;

// `niceness`: as of nice(1), for these threads alone. `limit`: jobs that may wait in each lane.
Status web_pool_open(WebPool **result, unsigned threads, int niceness, unsigned limit, Error *error);

// Runs all jobs that wait, and ends the threads; from now on nothing can be added. NULL is fine.
void web_pool_finish(WebPool *pool);

// The same, and releases the pool.
void web_pool_close(WebPool *pool);

// False: too many wait already, or it has finished, or there is none (NULL). Nothing is run then.
bool web_pool_add(WebPool *pool, WebLane lane, void (*run)(void *context), void *context);

// Jobs of a lane that wait.
unsigned web_pool_waiting(WebPool *pool, WebLane lane);
