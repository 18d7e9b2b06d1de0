// What the slots of a worker share.
#pragma once

#include "lab/jobs/worker_job.h"
#include "lab/match_run.h"
#include "lab/workers/worker.h"

#include <pthread.h>

typedef struct Worker Worker;

// Games that are played and not yet handed in.
typedef struct {
    DatabaseGame *games;
    GameRecord *records;
    char (*reasons)[MATCH_RUN_REASON_SIZE];
    size_t count, capacity;
} PlayedGames;

// Answers that are found and not yet handed in.
typedef struct {
    char **list; // owned, and so are the texts
    size_t count, capacity;
} FoundAnswers;

// The pattern boards are the slot's own, but for those the lock stands for.
typedef struct {
    Worker *worker;
    pthread_t thread;
    WorkerJob job;  // the last one it worked on
    double pace;    // games of it a second, or questions; 0: not known yet
    bool is_late;   // there was work, but others were faster
    unsigned lates; // how often since its last unit
    PlayedGames played;
    FoundAnswers answers;
    DatabaseUnit unit;   // in hand, under the worker's lock
    atomic_bool stop;    // the games under way are given up
    atomic_ullong turns; // played in the unit, or what else shows that there is work
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
    atomic_uint revivals; // how often the connection was lost and found again
    atomic_ullong games;  // handed in, and answers
    atomic_bool has_answered;
    pthread_mutex_t lock; // of what follows, and of the units
    pthread_cond_t woken;
    int64_t *refused; // jobs that are not for this worker
    size_t refused_count;
    unsigned all_slots;          // of all workers, as counted when a unit was claimed; 0: not yet
    double counted;              // when
    char words[ERROR_TEXT_SIZE]; // why the last one is not
};

// Waits before the next try after the connection was lost, longer each time but no longer than until it is found again;
// false when the worker ends.
bool worker_pause(Worker *worker, const Error *error, unsigned *tries);

// The server has answered; `tries` are those that came before it.
void worker_resume(Worker *worker, unsigned *tries);

// Plays the games of a slot's unit, or answers its questions, until all are done or the slot is stopped: what is
// finished is in `played` or in `answers`.
Status worker_play_unit(Slot *slot, Error *error);
Status worker_answer_unit(Slot *slot, Error *error);

// Empties `played` and `answers`; the second also frees their memory.
void worker_forget_done(Slot *slot);
void worker_close_done(Slot *slot);

// What a slot's thread does; the context is the slot.
void *worker_slot(void *context);
