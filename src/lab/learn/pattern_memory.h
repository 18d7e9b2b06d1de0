// Learned patterns in memory, for runs that store nothing: one set for all names and rules.
#pragma once

#include "agents/agent.h"

#include <pthread.h>

typedef struct {
    AgentPatterns lent; // for an AgentHost
    pthread_mutex_t lock;
    unsigned count;
    size_t capacity;
    Pattern *list; // numbered from 1
} PatternMemory;

void pattern_memory_open(PatternMemory *memory);
void pattern_memory_close(PatternMemory *memory);
