// Jobs and workers as JSON, for `krow jobs` and the web board.
#pragma once

#include "store/db/jobs/database_jobs.h"

#include <jansson.h>

// What made it, such as "match", "tournament" or "solve"; and what is counted of it: "games", "positions" or "pieces".
const char *job_word(const DatabaseJob *job);
const char *job_things(const DatabaseJob *job);

// Games that are neither finished nor set aside.
int64_t job_left(const DatabaseJob *job);

// Games finished in a second: in the last minute, or since the job was submitted, if that is shorter. `now` as
// clock_unix_ms.
double job_speed(const DatabaseJob *job, int64_t now);

// Seconds until it is done at this speed; negative if not known.
double job_seconds_left(const DatabaseJob *job, int64_t now);

// Texts of the database that are no UTF-8 are mended, and very long ones cut.
json_t *job_json(const DatabaseJob *job, int64_t now);
json_t *worker_json(const DatabaseWorker *worker);
