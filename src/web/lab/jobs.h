// Jobs and workers on the web board: progress, speed, remaining time, and control.
//
// One thread reads the database, about once a second and only while a client listens or asks. It also makes the
// requested changes. A request gets the newest result, or waits a few seconds at most: an unreachable PostgreSQL server
// delays only this thread.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_jobs_routes[];

// `db`: the value of --db, borrowed until the end of the program. NULL: the default database, "none": no database.
Status web_jobs_open(WebJobs **result, const char *db, Error *error);

// Call this a few times per second: informs listeners if the database does not answer.
void web_jobs_tick(WebJobs *jobs);

// Abandons the thread if the database does not answer. NULL is allowed.
void web_jobs_close(WebJobs *jobs);
