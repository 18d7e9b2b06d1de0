// What the slots of a worker share.
#pragma once

#include "lab/jobs/worker_job.h"
#include "lab/match_run.h"
#include "lab/workers/worker.h"
#include "store/db/jobs/database_verify.h"

#include <pthread.h>

typedef struct Worker Worker;

// Finished games that are not yet submitted.
typedef struct {
    DatabaseGame *games;
    GameRecord *records;
    char (*reasons)[MATCH_RUN_REASON_SIZE];
    size_t count, capacity;
} PlayedGames;

// Answers that are not yet submitted.
typedef struct {
    char **list; // list and texts are owned
    size_t count, capacity;
} FoundAnswers;

// The slot's thread owns these fields; `unit` is protected by the worker's lock.
typedef struct {
    Worker *worker;
    pthread_t thread;
    WorkerJob job;  // the last one it worked on
    double pace;    // games or questions of it per second; 0: not known yet
    bool is_late;   // other workers took the available work
    unsigned lates; // number of times since its last unit
    PlayedGames played;
    FoundAnswers answers;
    DatabaseUnit unit;   // the unit it holds
    atomic_bool stop;    // abandon the games in progress
    atomic_ullong turns; // turns played in the unit, or another measure of progress
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
    atomic_bool ends;     // take no new units
    atomic_uint revivals; // number of times the connection was restored
    atomic_ullong games;  // number of games and answers submitted
    atomic_bool has_answered;
    pthread_mutex_t lock; // protects the following fields, and the slots' units
    pthread_cond_t woken;
    int64_t *refused; // jobs that this worker cannot play; owned
    size_t refused_count;
    unsigned all_slots;          // of all workers, as counted when a unit was claimed; 0: not yet
    double counted;              // time of that count, clock_seconds
    char words[ERROR_TEXT_SIZE]; // why the last job was refused
    char label[DATABASE_LABEL_SIZE];
};

// Waits before the next try after the connection was lost: longer each time, at most until it is restored. False if the
// worker ends.
bool worker_pause(Worker *worker, const Error *error, unsigned *tries);

// Reports that the server has answered after `tries` failures, which are reset.
void worker_resume(Worker *worker, unsigned *tries);

// Plays the games of a slot's unit, or answers its questions, until all are done or the slot is stopped. Finished ones
// are in `played` or `answers`.
Status worker_play_unit(Slot *slot, Error *error);
Status worker_answer_unit(Slot *slot, Error *error);

// Empties `played` and `answers`; the second also frees their memory.
void worker_forget_done(Slot *slot);
void worker_close_done(Slot *slot);

// The thread of a slot, which is the context.
void *worker_slot(void *context);
