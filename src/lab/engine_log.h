// The log of a match: a file with what krow and external engines say to each other.
//
//     2026-11-19 06:12:01.123 E[4711] > TURN 7,7
#pragma once

#include "agents/agent.h"

#include <pthread.h>
#include <stdbool.h>

// A zeroed log is closed.
typedef struct {
    bool is_open, has_failed;
    int file;
    pthread_mutex_t lock;
    AgentLog lent; // for AgentHost
} EngineLog;

// Appends to the file.
Status engine_log_open(EngineLog *log, const char *path, Error *error);

// Reports whether everything was written.
Status engine_log_close(EngineLog *log, Error *error);
