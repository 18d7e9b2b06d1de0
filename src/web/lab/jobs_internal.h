// Shared by the parts of jobs: reading and changing jobs in the database.
#pragma once

#include "store/db/jobs/database_jobs.h"
#include "web/lab/jobs.h"

// The answer of GET /jobs (jobs, workers and totals) without "at" and "error". Empty without a database (NULL), which
// was not created yet or is disabled.
Status jobs_look(Database *db, bool has_database, json_t **result, Error *error);

// A requested change of a job, and its outcome.
typedef struct JobOrder JobOrder;
struct JobOrder {
    JobOrder *next;
    int64_t id;
    JobChange change;
    enum { ORDER_WAITS, ORDER_RUNS, ORDER_DONE } state;
    bool is_abandoned; // no request waits for it
    json_t *job;       // after the change, unless it failed
    unsigned http;     // of a failure, 0: none
    Error error;
};

// Carries it out; `db` may be NULL.
void jobs_change(Database *db, JobOrder *order);
