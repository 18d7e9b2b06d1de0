// Counts that an agent reports about its turns (Decision.count_list), summed over a game. The names are stored with the
// numbers, so that they outlive the agent and can be read from a database.
#pragma once

#include "agents/agent.h"

enum { OWN_COUNT_NAME_SIZE = 24 };

typedef struct {
    char name[OWN_COUNT_NAME_SIZE];
    uint64_t value;
} OwnCount;

// Sorted by name, each once, independent of the order of reports. Zeroed is empty.
typedef struct {
    unsigned count;
    OwnCount list[DECISION_COUNTS_MAX];
} OwnCounts;

// Adds a number to the sum of this name. False if the name is too long or there are too many names, which does not
// happen with krow's agents.
bool own_counts_add(OwnCounts *counts, const char *name, uint64_t value);

// The sum of a name, 0 if absent.
uint64_t own_counts_value(const OwnCounts *counts, const char *name);
