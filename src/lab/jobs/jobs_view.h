// Jobs and workers as JSON, for `krow jobs` and the web board.
#pragma once

#include "store/db/jobs/database_jobs.h"

#include <jansson.h>

// The command that submitted it, such as "match" or "solve"; and its items: "games", "positions" or "pieces".
const char *job_word(const DatabaseJob *job);
const char *job_things(const DatabaseJob *job);

// Games neither finished nor set aside.
int64_t job_left(const DatabaseJob *job);

// Games finished per second in the last minute, or since the job was submitted if that is shorter. `now` is
// clock_unix_ms().
double job_speed(const DatabaseJob *job, int64_t now);

// Estimated seconds until the job is done; negative if unknown.
double job_seconds_left(const DatabaseJob *job, int64_t now);

// Invalid UTF-8 in the database's texts is replaced, and very long texts are truncated.
json_t *job_json(const DatabaseJob *job, int64_t now);
json_t *worker_json(const DatabaseWorker *worker);
