// Learned patterns in memory alone, for runs that keep nothing: one set, whatever name and rules it is asked for.
#pragma once

#include "agents/agent.h"

#include <pthread.h>

typedef struct {
    AgentPatterns lent; // what goes into an AgentHost
    pthread_mutex_t lock;
    unsigned count;
    size_t capacity;
    Pattern *list; // numbered from 1
} PatternMemory;

void pattern_memory_open(PatternMemory *memory);
void pattern_memory_close(PatternMemory *memory);
