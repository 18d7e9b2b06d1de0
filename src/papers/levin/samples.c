// A store of the results of random games by position.
#include "papers/levin/samples.h"

#include <stdlib.h>

Status samples_open(Samples *samples, size_t bytes, Error *error)
{
    uint64_t count = 1;
    while (count * 2 * sizeof(SampleEntry) <= bytes)
        count *= 2;
    // The age starts at 1, so that zeroed entries are not valid.
    *samples = (Samples){.entries = calloc(count, sizeof(SampleEntry)), .mask = count - 1, .age = 1};
    if (samples->entries == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for %zu megabytes of results", bytes >> 20);
    return STATUS_OK;
}

static bool is_of(const SampleEntry *entry, const Samples *samples, uint64_t key)
{
    return entry->age == samples->age && entry->key == key;
}

PlayoutSample samples_find(const Samples *samples, uint64_t key)
{
    const SampleEntry *entry = &samples->entries[key & samples->mask];
    return is_of(entry, samples, key) ? entry->sample : (PlayoutSample){0};
}

void samples_add(Samples *samples, uint64_t key, unsigned stones, unsigned now, PlayoutSample results)
{
    SampleEntry *entry = &samples->entries[key & samples->mask];
    if (!is_of(entry, samples, key)) {
        if (entry->age == samples->age && entry->stones > now && entry->sample.games > results.games)
            return;
        *entry = (SampleEntry){.key = key, .age = samples->age, .stones = (uint16_t)stones};
    }
    entry->sample.games += results.games;
    entry->sample.wins[0] += results.wins[0];
    entry->sample.wins[1] += results.wins[1];
}

void samples_clear(Samples *samples)
{
    samples->age++;
}

void samples_close(Samples *samples)
{
    free(samples->entries);
    *samples = (Samples){0};
}
