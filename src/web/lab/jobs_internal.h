// What the parts of jobs share: a look at the database, and a change of it.
#pragma once

#include "store/db/jobs/database_jobs.h"
#include "web/lab/jobs.h"

// The answer of GET /jobs (jobs, workers and totals) without "at" and "error". All is empty without a database
// (NULL): one that has not been made yet, or where there shall be none.
Status jobs_look(Database *db, bool has_database, json_t **result, Error *error);

// A requested change of a job, and its outcome.
typedef struct JobOrder JobOrder;
struct JobOrder {
    JobOrder *next;
    int64_t id;
    JobChange change;
    enum { ORDER_WAITS, ORDER_RUNS, ORDER_DONE } state;
    bool is_abandoned; // no request waits for it any more
    json_t *job;       // as it is now, unless it failed
    unsigned http;     // of a failure, 0: there was none
    Error error;
};

// Carries it out; `db` may be NULL.
void jobs_change(Database *db, JobOrder *order);
