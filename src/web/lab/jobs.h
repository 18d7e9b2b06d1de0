// Jobs and workers on the web board: what is to be played, how fast it goes and when it will be done; and steering.
//
// One thread looks at the database, about once a second and only while somebody wants to know; it also makes the
// changes that are asked for. A request gets what it saw last, or waits a few seconds at most: a server of
// PostgreSQL that is gone holds up this thread only.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_jobs_routes[];

// `db` as --db says it, borrowed until the end of the program: NULL for the usual database, "none" for none.
Status web_jobs_open(WebJobs **result, const char *db, Error *error);

// To be called a few times a second: tells listeners when the database has not answered for a while.
void web_jobs_tick(WebJobs *jobs);

// Does not wait for a database that does not answer: what still waits for it is left alone. NULL is fine.
void web_jobs_close(WebJobs *jobs);
