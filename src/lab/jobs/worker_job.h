// A job as its worker needs it: an event with its openings, or questions.
#pragma once

#include "lab/jobs/job_items.h"
#include "store/db/jobs/database_jobs.h"

// For questions, only `items` and `state` are used.
typedef struct {
    int64_t id, match;
    const JobItemKind *items; // NULL: games
    void *state;              // of the items
    Tournament event;
    Openings openings;
    Schedule schedule;
    char **agents; // owned; resolved for this machine
} WorkerJob;

// Reads a job. STATUS_FAILED or STATUS_BAD_INPUT, with the reason, if this worker cannot play it or would play it
// differently; STATUS_IO if the database cannot be reached.
Status worker_job_open(WorkerJob *job, Database *db, int64_t id, const JobWorld *world, Error *error);
void worker_job_close(WorkerJob *job); // zeroed is fine

// The openings as text, one per line.
void worker_job_write_openings(const Openings *openings, Text *text);
