// Stop flags of requests that think: a flag is raised as soon as the client closes its connection, the session of the
// request is removed, or the server ends.
#pragma once

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct WebStops WebStops;

// One request, from the start of its wait for a thread to its answer. Any thread may read the flag.
typedef struct WebStop WebStop;
struct WebStop {
    atomic_bool is_raised;
    int fd;       // of the connection; -1: unknown
    uint64_t key; // of the session, as in pool.h; 0: none
    uint64_t number;
    WebStop *next;
};

Status web_stops_open(WebStops **result, Error *error);
void web_stops_close(WebStops *stops); // NULL is allowed; no request may be left

// Begins and ends the watch over a request. The connection must stay open until the end.
void web_stops_add(WebStops *stops, WebStop *stop, int fd, uint64_t key);
void web_stops_remove(WebStops *stops, WebStop *stop);

// Raises the flags of all requests of a session. NULL is allowed.
void web_stops_raise(WebStops *stops, uint64_t key);

// Raises all flags, also those of later requests: the server ends.
void web_stops_end(WebStops *stops);
