// A job of the database between a laboratory and its workers: an event and its openings as texts, and back.
#pragma once

#include "frontends/job_agents.h"
#include "store/database_jobs.h"

// A job as a worker plays it.
typedef struct {
    int64_t id, match;
    Event event;
    Openings openings;
    Schedule schedule;
    char **agents; // owned; as they are opened here
} WorkerJob;

// Reads a job. STATUS_FAILED or STATUS_BAD_INPUT, with the reason in words, where this worker cannot play it or would
// play it differently; STATUS_IO where the database cannot be reached.
Status worker_job_open(WorkerJob *job, Database *db, int64_t id, uint64_t signature, const AllowList *engines,
                       Error *error);
void worker_job_close(WorkerJob *job); // zeroed is fine

// The openings as text, a line each.
void worker_job_write_openings(const Openings *openings, Text *text);
