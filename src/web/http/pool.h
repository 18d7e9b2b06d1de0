// Threads that work through a queue, below the priority of the thread that serves connections.
//
// Jobs of a lane run in the order of arrival, so long work that returns as a series of small jobs alternates with the
// others. No lane may use all threads, so that long jobs of one lane never block the other.
#pragma once

#include "base/status.h"

#include <stdbool.h>

typedef struct WebPool WebPool;

typedef enum {
    WEB_LANE_TURNS, // short work that a user waits for: turns of agents, hints, slow requests
    WEB_LANE_LONG,  // slices of long work: analysis, scans
    WEB_LANES,
} WebLane;

// `niceness`: as of nice(1), for these threads alone. `limit`: jobs that may wait in each lane.
Status web_pool_open(WebPool **result, unsigned threads, int niceness, unsigned limit, Error *error);

// Runs all waiting jobs and ends the threads; nothing can be added after this. NULL is allowed.
void web_pool_finish(WebPool *pool);

// Also releases the pool.
void web_pool_close(WebPool *pool);

// False, and the job will not run, when the lane is full, the pool has finished, or `pool` is NULL.
bool web_pool_add(WebPool *pool, WebLane lane, void (*run)(void *context), void *context);

unsigned web_pool_waiting(WebPool *pool, WebLane lane);
