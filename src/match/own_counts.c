// Counts that an agent reports about its turns.
#include "match/own_counts.h"

#include <string.h>

// The index of a name, or where to insert it.
static unsigned place_of(const OwnCounts *counts, const char *name)
{
    unsigned place = 0;
    while (place < counts->count && strcmp(counts->list[place].name, name) < 0)
        place++;
    return place;
}

bool own_counts_add(OwnCounts *counts, const char *name, uint64_t value)
{
    unsigned place = place_of(counts, name);
    OwnCount *at = &counts->list[place];
    if (place < counts->count && strcmp(at->name, name) == 0) {
        at->value += value;
        return true;
    }
    size_t size = strlen(name) + 1;
    if (counts->count == DECISION_COUNTS_MAX || size > sizeof at->name)
        return false;
    memmove(at + 1, at, (counts->count - place) * sizeof *at);
    *at = (OwnCount){.value = value};
    memcpy(at->name, name, size);
    counts->count++;
    return true;
}

uint64_t own_counts_value(const OwnCounts *counts, const char *name)
{
    unsigned place = place_of(counts, name);
    bool found = place < counts->count && strcmp(counts->list[place].name, name) == 0;
    return found ? counts->list[place].value : 0;
}
