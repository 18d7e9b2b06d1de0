// The agents that a job may name: krow's own, unless they start programs, read files or learn; and engines by name,
// exec:@NAME, from the worker's own list. A command is never read from a database.
#pragma once

#include "match/tournament.h"

// A list of engines: a name and a command per line; # begins a comment line.
typedef struct {
    char *name, *command; // owned
} AllowedEngine;

typedef struct {
    AllowedEngine *list; // owned
    unsigned count;
} AllowList;

Status allow_list_read(AllowList *list, const char *path, Error *error);
void allow_list_close(AllowList *list);

// The agent as this machine opens it, if a job may name it; the caller frees it.
Status job_agent_resolve(const AllowList *list, const char *agent, char **resolved, Error *error);

// Whether an agent, or all agents and limits of an event, play the same games with the same seed on every machine and
// at any time: without limits of time, several threads, external engines, and books or patterns of the database.
bool job_agent_is_repeatable(const char *agent);
bool job_event_is_repeatable(const Tournament *event);

// tournament_check for an event that workers play: engines are not started here.
Status job_event_check(const Tournament *event, const AgentHost *host, Error *error);
