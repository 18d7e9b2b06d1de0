// Which agents a job may name: those of krow, as long as they neither start programs nor read files nor learn, and
// engines by a name, exec:@NAME, which a worker knows from a list of its own. A command never comes from a database.
#pragma once

#include "match/tournament.h"

// A list has a name and a command a line; # begins a comment.
typedef struct {
    char *name, *command; // owned
} AllowedEngine;

typedef struct {
    AllowedEngine *list; // owned
    unsigned count;
} AllowList;

Status allow_list_parse(AllowList *list, Span text, Error *error);
Status allow_list_read(AllowList *list, const char *path, Error *error);
void allow_list_close(AllowList *list);

// Whether a job may name this agent, whatever a worker has.
Status job_agent_check(const char *agent, Error *error);

// The same agent as this machine opens it; the caller frees it.
Status job_agent_resolve(const AllowList *list, const char *agent, char **resolved, Error *error);

// tournament_check for an event that workers play: engines are not started here.
Status job_event_check(const Tournament *event, const AgentHost *host, Error *error);
