// The transposition table of the df-pn solver.
#include "solver/dfpn/dfpn_internal.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = SOLVER_BUCKET * sizeof(SolverEntry) };

Status solver_table_open(SolverTable *table, size_t bytes, Error *error)
{
    size_t count = 1;
    while (count * 2 * CACHE_LINE <= bytes)
        count *= 2;
    void *memory = calloc(count + 1, CACHE_LINE);
    if (memory == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for a table of %zu MB", bytes >> 20);
    size_t skipped = (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) % CACHE_LINE;
    void *begin = (char *)memory + skipped;
    *table = (SolverTable){.memory = memory, .entries = begin, .mask = count - 1};
    return STATUS_OK;
}

void solver_table_close(SolverTable *table)
{
    free(table->memory);
    *table = (SolverTable){0};
}

void solver_table_clear(SolverTable *table)
{
    memset(table->entries, 0, (table->mask + 1) * CACHE_LINE);
}

static unsigned question_of(const SolverPosition *position, unsigned attacker)
{
    return 1u | (unsigned)position->side << 1 | attacker << 2;
}

// Compares whole positions, so that none is mistaken for another.
static bool is_of(const SolverEntry *entry, const SolverPosition *position, unsigned question)
{
    return entry->stones[0] == position->stones[0] && entry->stones[1] == position->stones[1] &&
           entry->left == position->left && entry->question == question;
}

static SolverEntry *bucket_of(const SolverTable *table, const SolverPosition *position, unsigned question)
{
    uint64_t hash = position->stones[0] * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) + position->stones[1];
    hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 32) + ((uint64_t)position->left << 3) + question;
    hash *= UINT64_C(0x94d049bb133111eb);
    hash ^= hash >> 31;
    return &table->entries[(hash & table->mask) * SOLVER_BUCKET];
}

void solver_table_prefetch(const SolverTable *table, const SolverPosition *position, unsigned attacker)
{
    __builtin_prefetch(bucket_of(table, position, question_of(position, attacker)));
}

const SolverEntry *solver_table_find(const SolverTable *table, const SolverPosition *position, unsigned attacker)
{
    unsigned question = question_of(position, attacker);
    const SolverEntry *bucket = bucket_of(table, position, question);
    for (unsigned i = 0; i < SOLVER_BUCKET; i++)
        if (is_of(&bucket[i], position, question))
            return &bucket[i];
    return NULL;
}

// Replaces the entry of the same position, or the one with the least work.
void solver_table_put(SolverTable *table, const SolverChild *node, unsigned attacker, uint64_t work)
{
    const SolverPosition *position = &node->position;
    unsigned question = question_of(position, attacker);
    SolverEntry *bucket = bucket_of(table, position, question), *place = bucket;
    for (unsigned i = 0; i < SOLVER_BUCKET; i++) {
        if (is_of(&bucket[i], position, question)) {
            place = &bucket[i];
            work += place->work;
            break;
        }
        if (bucket[i].work < place->work)
            place = &bucket[i];
    }
    *place = (SolverEntry){
        .stones = {position->stones[0], position->stones[1]},
        .proof = node->proof,
        .disproof = node->disproof,
        .work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
        .left = position->left,
        .question = (uint8_t)question,
    };
}
