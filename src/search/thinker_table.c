// The transposition table. Four entries of 16 bytes share a line of the cache. An entry is two words, and the key is
// kept exclusive-or'ed with the data: two threads that write at once leave something that fits no key, so no lock is
// needed.
#include "search/thinker_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4 };

typedef struct {
    _Atomic uint64_t check; // key ^ data
    _Atomic uint64_t data;
} Slot;

typedef struct {
    Slot slot[BUCKET];
} Bucket;

struct ThinkerTable {
    void *memory;    // zeroed when it is taken, so that what is never used costs nothing
    Bucket *buckets; // within it, from the beginning of a line of the cache
    uint64_t mask;
    unsigned age; // 0 to 3
    bool is_used; // since it was opened or cleared
};

// A word: score 16, value 16, depth 8 … see pack. Cells are 12 bits (row and column of 6), CELL_NONE is all ones where
// 4095 would be the last cell of a board of 64x64, which is then not kept.
enum { NO_CELL = 0xfff, DEPTH_OFFSET = 8, DEPTH_LIMIT = 63 };

// Bits: 0-15 score, 16-29 value / 4 with an offset, 30-35 depth + 8, 36-37 bound, 38-49 move, 50-61 second, 62-63 age.
static uint64_t pack(const TableEntry *entry, unsigned age)
{
    unsigned depth = (unsigned)(entry->depth + DEPTH_OFFSET);
    uint64_t value = entry->value == THINKER_NO_VALUE ? 0 : (uint64_t)((entry->value + 32768) / 4) & 0x3fff;
    uint64_t move = entry->move == CELL_NONE ? NO_CELL : entry->move;
    uint64_t second = entry->second == CELL_NONE ? NO_CELL : entry->second;
    return (uint16_t)entry->score | value << 16 | (uint64_t)(depth > DEPTH_LIMIT ? DEPTH_LIMIT : depth) << 30 |
           (uint64_t)entry->bound << 36 | move << 38 | second << 50 | (uint64_t)(age & 3) << 62;
}

static Cell unpack_cell(uint64_t bits)
{
    return (bits & 0xfff) == NO_CELL ? (Cell)CELL_NONE : (Cell)(bits & 0xfff);
}

static int depth_of(uint64_t data)
{
    return (int)(data >> 30 & 63) - DEPTH_OFFSET;
}

static TableEntry unpack(uint64_t data)
{
    int value = (int)(data >> 16 & 0x3fff);
    return (TableEntry){
        .score = (int16_t)(data & 0xffff),
        .value = value == 0 ? THINKER_NO_VALUE : value * 4 - 32768,
        .depth = depth_of(data),
        .bound = (Bound)(data >> 36 & 3),
        .move = unpack_cell(data >> 38),
        .second = unpack_cell(data >> 50),
    };
}

Status thinker_table_open(ThinkerTable **table, size_t megabytes, Error *error)
{
    size_t count = 1;
    while (count * 2 * sizeof(Bucket) <= megabytes << 20)
        count *= 2;
    *table = calloc(1, sizeof **table);
    if (*table != NULL)
        (*table)->memory = calloc(count + 1, sizeof(Bucket));
    if (*table == NULL || (*table)->memory == NULL) {
        thinker_table_close(*table);
        *table = NULL;
        return error_set(error, STATUS_NO_MEMORY, "no memory for a table of %zu MB", megabytes);
    }
    size_t skipped = -(uintptr_t)(*table)->memory % sizeof(Bucket);
    (*table)->buckets = (void *)((char *)(*table)->memory + skipped);
    (*table)->mask = count - 1;
    return STATUS_OK;
}

void thinker_table_close(ThinkerTable *table)
{
    if (table != NULL)
        free(table->memory);
    free(table);
}

void thinker_table_clear(ThinkerTable *table)
{
    if (table->is_used)
        memset((void *)table->buckets, 0, (table->mask + 1) * sizeof(Bucket));
    table->age = 0;
    table->is_used = false;
}

void thinker_table_age(ThinkerTable *table)
{
    table->age = (table->age + 1) & 3;
    table->is_used = true;
}

static Bucket *bucket_of(const ThinkerTable *table, uint64_t key)
{
    return &table->buckets[key & table->mask];
}

void thinker_table_prefetch(const ThinkerTable *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

bool thinker_table_find(const ThinkerTable *table, uint64_t key, TableEntry *entry)
{
    Bucket *bucket = bucket_of(table, key);
    for (unsigned i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&bucket->slot[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&bucket->slot[i].check, memory_order_relaxed);
        if ((check ^ data) == key && (data >> 36 & 3) != BOUND_NONE) {
            *entry = unpack(data);
            return true;
        }
    }
    return false;
}

// What it costs to lose an entry: little if it is shallow or from an earlier search.
static int worth(const ThinkerTable *table, uint64_t data)
{
    return (data >> 36 & 3) == BOUND_NONE ? -1000 : depth_of(data) - ((data >> 62) == (table->age & 3) ? 0 : 16);
}

void thinker_table_keep(ThinkerTable *table, uint64_t key, const TableEntry *entry)
{
    Bucket *bucket = bucket_of(table, key);
    Slot *chosen = NULL;
    int least = INT32_MAX;
    TableEntry kept = *entry;
    for (unsigned i = 0; i < BUCKET; i++) {
        Slot *slot = &bucket->slot[i];
        uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
        if ((check ^ data) == key) {
            // The same position: a deeper result stays, unless this one is exact; and a move that is known is kept.
            if (entry->bound != BOUND_EXACT && depth_of(data) > entry->depth + 2 && (data >> 62) == (table->age & 3))
                return;
            if (kept.move == CELL_NONE) {
                kept.move = unpack_cell(data >> 38);
                kept.second = unpack_cell(data >> 50);
            }
            chosen = slot;
            break;
        }
        int cost = worth(table, data);
        if (cost < least)
            least = cost, chosen = slot;
    }
    uint64_t data = pack(&kept, table->age);
    atomic_store_explicit(&chosen->data, data, memory_order_relaxed);
    atomic_store_explicit(&chosen->check, key ^ data, memory_order_relaxed);
}
