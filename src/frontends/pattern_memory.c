#include "frontends/pattern_memory.h"

#include <stdlib.h>

// The sink is called with the lock: it must not learn.
static Status each(void *context, const char *set, const Rules *rules, int64_t after,
                   bool (*sink)(void *sink_context, int64_t number, const Pattern *pattern), void *sink_context,
                   Error *error)
{
    PatternMemory *memory = context;
    (void)set;
    (void)rules;
    (void)error;
    (void)pthread_mutex_lock(&memory->lock);
    for (int64_t i = after > 0 ? after : 0; i < memory->count; i++)
        if (!sink(sink_context, i + 1, &memory->list[i]))
            break;
    (void)pthread_mutex_unlock(&memory->lock);
    return STATUS_OK;
}

// Whether a known pattern, turned in some way, is a part of this one.
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

static Status keep(PatternMemory *memory, const Pattern *pattern, Error *error)
{
    Pattern *list = realloc(memory->list, (memory->count + 1) * sizeof *list);
    if (list == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for patterns");
    memory->list = list;
    memory->list[memory->count++] = *pattern;
    return STATUS_OK;
}

static Status learn(void *context, const char *set, const Rules *rules, const Pattern *pattern, bool *kept,
                    Error *error)
{
    PatternMemory *memory = context;
    (void)set;
    (void)rules;
    (void)pthread_mutex_lock(&memory->lock);
    *kept = !is_known(memory, pattern);
    Status status = *kept ? keep(memory, pattern, error) : STATUS_OK;
    (void)pthread_mutex_unlock(&memory->lock);
    return status;
}

Status pattern_memory_open(PatternMemory *memory, Error *error)
{
    *memory = (PatternMemory){.lent = {.context = memory, .each = each, .learn = learn}};
    if (pthread_mutex_init(&memory->lock, NULL) != 0)
        return error_set(error, STATUS_NO_MEMORY, "no memory for patterns");
    return STATUS_OK;
}

void pattern_memory_close(PatternMemory *memory)
{
    free(memory->list);
    (void)pthread_mutex_destroy(&memory->lock);
}
