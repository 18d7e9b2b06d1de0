// Waits for the end of a submitted job: polls it and collects results as they arrive. Tolerates a server that is
// unreachable for a while.
#pragma once

#include "lab/jobs/job_verify.h"
#include "view/progress.h"

#include <stdatomic.h>

typedef struct {
    Database *db;
    int64_t id;
    const atomic_bool *stop; // ends the wait when raised; NULL: never
    Reporter *reporter;      // NULL: no output
    bool counts;             // also fill `done`, `aside` and `reason` before the end: each poll then reads all units
    // Collects new results. `is_last`: the job has ended. `is_enough` is false before; setting it ends the wait.
    Status (*collect)(void *context, bool is_last, bool *is_enough, Error *error);
    void *context;
    JobVerifier *verifier; // NULL: workers are not verified. Else `is_last` also means that all is verified
    // The state of the job, filled.
    JobState state;
    int64_t done, aside;
    char reason[200];
} JobWatch;

// Reports the job's number and waits. STATUS_INTERRUPTED if `stop` was raised: the workers continue.
Status job_watch(JobWatch *watch, Error *error);

// The errors for incomplete results: the job was cancelled, or `count` of its `things` were set aside.
Status job_watch_cancelled(const JobWatch *watch, Error *error);
Status job_watch_set_aside(const JobWatch *watch, int64_t count, const char *things, Error *error);
