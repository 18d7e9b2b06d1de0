// Implements AgentPatterns in memory, for runs that store nothing.
#include "lab/learn/pattern_memory.h"

#include "base/memory.h"

#include <stdlib.h>

// Calls the sink with the lock held: it must not learn.
static Status each(void *context, const AgentPatternRange *range, AgentPatternSink *sink, void *sink_context,
                   Error *error)
{
    PatternMemory *memory = context;
    (void)error;
    (void)pthread_mutex_lock(&memory->lock);
    for (int64_t i = range->after > 0 ? range->after : 0; i < memory->count; i++)
        if (!sink(sink_context, i + 1, &memory->list[i]))
            break;
    (void)pthread_mutex_unlock(&memory->lock);
    return STATUS_OK;
}

// Whether a known pattern, in any symmetry, is a part of this one.
static bool is_known(const PatternMemory *memory, const Pattern *pattern)
{
    Pattern versions[PATTERN_VERSIONS_MAX];
    unsigned count = pattern_versions(pattern, versions);
    for (unsigned i = 0; i < memory->count; i++)
        for (unsigned j = 0; j < count; j++)
            if (pattern_is_part(&memory->list[i], &versions[j]))
                return true;
    return false;
}

// Stores the canonical orientation, as a database does: agents search for patterns in the order in which they read
// them, and the orientation of a pattern decides which of several equal matches they find first.
static Status learn(void *context, const AgentLearned *learned, bool *kept, Error *error)
{
    PatternMemory *memory = context;
    (void)error;
    (void)pthread_mutex_lock(&memory->lock);
    *kept = !is_known(memory, learned->pattern);
    if (*kept) {
        memory->list = array_grow(memory->list, &memory->capacity, memory->count + 1, sizeof *memory->list);
        pattern_canonical(learned->pattern, &memory->list[memory->count++]);
    }
    (void)pthread_mutex_unlock(&memory->lock);
    return STATUS_OK;
}

void pattern_memory_open(PatternMemory *memory)
{
    *memory = (PatternMemory){.lent = {.context = memory, .each = each, .learn = learn}};
    (void)pthread_mutex_init(&memory->lock, NULL);
}

void pattern_memory_close(PatternMemory *memory)
{
    free(memory->list);
    (void)pthread_mutex_destroy(&memory->lock);
}
