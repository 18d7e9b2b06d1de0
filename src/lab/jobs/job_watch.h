// Waits until a submitted job has ended: polls the job and collects the results that have arrived. The server may be
// unreachable for a while.
#pragma once

#include "store/db/jobs/database_jobs.h"
#include "view/progress.h"

#include <stdatomic.h>

typedef struct {
    Database *db;
    int64_t id;
    const atomic_bool *stop; // raised by a caller that does not want to wait any longer; NULL: never
    Reporter *reporter;      // NULL: nothing is shown
    bool counts;             // fill `done`, `aside` and `reason` also before the end: each look reads all units
    // Takes in what has come. `is_last`: the job has ended, and nothing more comes. `is_enough` is false before and
    // ends the waiting where it is set.
    Status (*collect)(void *context, bool is_last, bool *is_enough, Error *error);
    void *context;
    // What the job came to, filled.
    JobState state;
    int64_t done, aside;
    char reason[200];
} JobWatch;

// Reports the number of the job and waits. STATUS_INTERRUPTED when `stop` was raised: the workers continue.
Status job_watch(JobWatch *watch, Error *error);

// The errors for a job without all its results: it was cancelled, or workers failed on this many of its `things`.
Status job_watch_cancelled(const JobWatch *watch, Error *error);
Status job_watch_set_aside(const JobWatch *watch, int64_t count, const char *things, Error *error);
