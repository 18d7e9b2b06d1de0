// A process that has submitted a job waits here until it has ended: it looks at the job again and again and takes in
// what has come. The server may be gone for a while; workers and job do not mind.
#pragma once

#include "store/db/jobs/database_jobs.h"
#include "view/progress.h"

#include <stdatomic.h>

typedef struct {
    Database *db;
    int64_t id;
    const atomic_bool *stop; // raised by a caller that does not want to wait any longer; NULL: never
    Reporter *reporter;      // NULL: nothing is shown
    bool
        counts; // `done` and what follows it are also filled while the job is unfinished: each look reads all its units
    // Takes in what has come. `is_last`: the job has ended, and nothing more comes. `is_enough` is false before and
    // ends the waiting where it is set.
    Status (*collect)(void *context, bool is_last, bool *is_enough, Error *error);
    void *context;
    // What the job came to, filled.
    JobState state;
    int64_t done, aside;
    char reason[200];
} JobWatch;

// STATUS_INTERRUPTED when `stop` was raised: the workers continue.
Status job_watch(JobWatch *watch, Error *error);

// What is said when the waiting begins.
void job_watch_tell(const JobWatch *watch);
