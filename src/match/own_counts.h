// What an agent counts about its own turns (Decision.count_list), added up over a game. The names are kept with the
// numbers, so that they outlive the agent and can come from a database.
#pragma once

#include "agents/agent.h"

enum { OWN_COUNT_NAME_SIZE = 24 };

typedef struct {
    char name[OWN_COUNT_NAME_SIZE];
    uint64_t value;
} OwnCount;

// Zeroed is empty. By name, each once: the same whichever turn reported it first.
typedef struct {
    unsigned count;
    OwnCount list[DECISION_COUNTS_MAX];
} OwnCounts;

// Adds a number to what is there under this name. False where the name is too long or there are too many names, which
// no agent of krow has.
bool own_counts_add(OwnCounts *counts, const char *name, uint64_t value);

// What is there under a name, 0 where nothing is.
uint64_t own_counts_value(const OwnCounts *counts, const char *name);
