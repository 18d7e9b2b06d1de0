// Threads that work through queues, below the priority of the thread that serves connections.
//
// Each lane has its own threads, so that work of one lane never delays another. Jobs of a lane run in the order of
// arrival, so long work that returns as a series of small jobs alternates with the others. Jobs of the same key (a
// session) run one after another, and only a few of them may wait: one user cannot fill a lane.
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct WebPool WebPool;

typedef enum {
    WEB_LANE_TURNS,     // turns of agents
    WEB_LANE_QUESTIONS, // about a second: hints, turns to be judged; slow requests
    WEB_LANE_PROOFS,    // a few seconds: forced wins
    WEB_LANE_LONG,      // slices of long work: analysis, scans
    WEB_LANES,
} WebLane;

enum { WEB_KEY_WAITING = 3 }; // jobs of a key that may wait in a lane

typedef struct {
    void (*run)(void *context);
    void *context;
    uint64_t key; // 0: none
} WebJob;

// `threads` of each lane. `niceness`: as of nice(1), for these threads alone. `limit`: jobs that may wait in each lane.
Status web_pool_open(WebPool **result, const unsigned threads[WEB_LANES], int niceness, unsigned limit, Error *error);

// Runs all waiting jobs and ends the threads; nothing can be added after this. NULL is allowed.
void web_pool_finish(WebPool *pool);

// Also releases the pool.
void web_pool_close(WebPool *pool);

// False, and the job will not run, when the lane or the key has too many waiting jobs, the pool has finished, or `pool`
// is NULL.
bool web_pool_add(WebPool *pool, WebLane lane, WebJob job);

unsigned web_pool_waiting(WebPool *pool, WebLane lane);

// The key of a text, such as the id of a session.
uint64_t web_pool_key(const char *text);
