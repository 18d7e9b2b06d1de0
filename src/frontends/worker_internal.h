// What the slots of a worker share.
#pragma once

#include "frontends/lab.h"
#include "frontends/worker.h"
#include "frontends/worker_job.h"

#include <pthread.h>

typedef struct Worker Worker;

// Games that are played and not yet handed in.
typedef struct {
    DatabaseGame *games;
    GameRecord *records;
    char (*reasons)[LAB_REASON_SIZE];
    size_t count, capacity;
} PlayedGames;

// The fields are the slot's own, but for those the lock stands for.
typedef struct {
    Worker *worker;
    pthread_t thread;
    WorkerJob job; // the last one it worked on
    double pace;   // games of it a second; 0: not known yet
    bool is_late;  // there was work, but others were faster
    PlayedGames played;
    DatabaseUnit unit;   // in hand, under the worker's lock
    atomic_bool stop;    // the games under way are given up
    atomic_ullong turns; // played in the unit
    atomic_bool is_idle;
} Slot;

struct Worker {
    const WorkerOptions *options;
    Database *db;
    int64_t id;
    uint64_t signature;
    AllowList engines;
    unsigned slot_count;
    Slot *slots;
    atomic_bool ends;     // no new units
    atomic_ullong games;  // handed in
    pthread_mutex_t lock; // of what follows, and of the units
    pthread_cond_t woken;
    int64_t *refused; // jobs that are not for this worker
    size_t refused_count;
    char words[ERROR_TEXT_SIZE]; // why the last one is not
};

// Waits before the next try after the connection was lost, longer each time; false when the worker ends.
bool worker_pause(Worker *worker, const Error *error, unsigned *tries);

// What a slot's thread does; the context is the slot.
void *worker_slot(void *context);
