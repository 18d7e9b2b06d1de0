// A job of the database as its workers have it: an event and its openings read from texts, or questions of another
// kind.
#pragma once

#include "lab/jobs/job_items.h"
#include "store/db/jobs/database_jobs.h"

// A job as a worker plays it, or answers it: then there are items, and nothing of a match.
typedef struct {
    int64_t id, match;
    const JobItemKind *items; // NULL: games
    void *state;              // of the items
    Tournament event;
    Openings openings;
    Schedule schedule;
    char **agents; // owned; as they are opened here
} WorkerJob;

// Reads a job. STATUS_FAILED or STATUS_BAD_INPUT, with the reason, where this worker cannot play it or would
// play it differently; STATUS_IO where the database cannot be reached.
Status worker_job_open(WorkerJob *job, Database *db, int64_t id, const JobWorld *world, Error *error);
void worker_job_close(WorkerJob *job); // zeroed is fine

// The openings as text, a line each.
void worker_job_write_openings(const Openings *openings, Text *text);
