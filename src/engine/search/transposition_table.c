// The transposition table, shared by all threads without locks. Four entries of 16 bytes share a cache line. An entry
// is two words, the data and the key exclusive-or'ed with the data: if two threads write at the same time, the result
// matches no key.
#include "engine/search/search_internal.h"

#include "base/memory.h"

#include <assert.h>
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

struct TranspositionTable {
    void *memory;    // from calloc, so that unused pages cost nothing
    Bucket *buckets; // within it, aligned to a cache line
    uint64_t mask;
    unsigned age; // 0 to AGE_MASK
    bool is_used; // since it was opened or cleared
};

// The data word, from the lowest bit on. Values are stored in steps of VALUE_STEP with an offset, depths with an
// offset; a value of 0 stands for SEARCH_NO_VALUE. The last cell of a 64x64 board has the number NO_CELL and is stored
// as none.
enum {
    SCORE_BITS = 16,
    VALUE_BITS = 14,
    DEPTH_BITS = 6,
    BOUND_BITS = 2,
    CELL_BITS = 12,
    AGE_BITS = 2,

    VALUE_SHIFT = SCORE_BITS,
    DEPTH_SHIFT = VALUE_SHIFT + VALUE_BITS,
    BOUND_SHIFT = DEPTH_SHIFT + DEPTH_BITS,
    MOVE_SHIFT = BOUND_SHIFT + BOUND_BITS,
    SECOND_SHIFT = MOVE_SHIFT + CELL_BITS,
    AGE_SHIFT = SECOND_SHIFT + CELL_BITS,

    SCORE_MASK = (1 << SCORE_BITS) - 1,
    VALUE_MASK = (1 << VALUE_BITS) - 1,
    DEPTH_MASK = (1 << DEPTH_BITS) - 1,
    BOUND_MASK = (1 << BOUND_BITS) - 1,
    CELL_MASK = (1 << CELL_BITS) - 1,
    AGE_MASK = (1 << AGE_BITS) - 1,

    NO_CELL = CELL_MASK,
    DEPTH_OFFSET = 8,
    VALUE_STEP = 4,
    VALUE_OFFSET = 1 << 15,
    OLD_COST = 16, // an entry of an earlier search is worth this many depths less
};
static_assert(AGE_SHIFT + AGE_BITS == 64, "the fields fill the word");

static uint64_t pack(const TtEntry *entry, unsigned age)
{
    unsigned depth = (unsigned)(entry->depth + DEPTH_OFFSET);
    uint64_t value =
        entry->value == SEARCH_NO_VALUE ? 0 : (uint64_t)((entry->value + VALUE_OFFSET) / VALUE_STEP) & VALUE_MASK;
    uint64_t move = entry->move == CELL_NONE ? NO_CELL : entry->move;
    uint64_t second = entry->second == CELL_NONE ? NO_CELL : entry->second;
    return (uint16_t)entry->score | value << VALUE_SHIFT |
           (uint64_t)(depth > DEPTH_MASK ? DEPTH_MASK : depth) << DEPTH_SHIFT | (uint64_t)entry->bound << BOUND_SHIFT |
           move << MOVE_SHIFT | second << SECOND_SHIFT | (uint64_t)(age & AGE_MASK) << AGE_SHIFT;
}

static Cell unpack_cell(uint64_t bits)
{
    return (bits & CELL_MASK) == NO_CELL ? (Cell)CELL_NONE : (Cell)(bits & CELL_MASK);
}

static Bound bound_of(uint64_t data)
{
    return (Bound)(data >> BOUND_SHIFT & BOUND_MASK);
}

static int depth_of(uint64_t data)
{
    return (int)(data >> DEPTH_SHIFT & DEPTH_MASK) - DEPTH_OFFSET;
}

static TtEntry unpack(uint64_t data)
{
    int value = (int)(data >> VALUE_SHIFT & VALUE_MASK);
    return (TtEntry){
        .score = (int16_t)(data & SCORE_MASK),
        .value = value == 0 ? SEARCH_NO_VALUE : value * VALUE_STEP - VALUE_OFFSET,
        .depth = depth_of(data),
        .bound = bound_of(data),
        .move = unpack_cell(data >> MOVE_SHIFT),
        .second = unpack_cell(data >> SECOND_SHIFT),
    };
}

Status tt_open(TranspositionTable **table, size_t megabytes, Error *error)
{
    size_t count = 1;
    while (count * 2 * sizeof(Bucket) <= megabytes << 20)
        count *= 2;
    *table = memory_new(1, sizeof **table);
    (*table)->memory = calloc(count + 1, sizeof(Bucket));
    if ((*table)->memory == NULL) {
        tt_close(*table);
        *table = NULL;
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for a transposition table of %zu MB", megabytes);
    }
    size_t skipped = -(uintptr_t)(*table)->memory % sizeof(Bucket);
    (*table)->buckets = (void *)((char *)(*table)->memory + skipped);
    (*table)->mask = count - 1;
    return STATUS_OK;
}

void tt_close(TranspositionTable *table)
{
    if (table != NULL)
        free(table->memory);
    free(table);
}

void tt_clear(TranspositionTable *table)
{
    if (table->is_used)
        memset((void *)table->buckets, 0, (table->mask + 1) * sizeof(Bucket));
    table->age = 0;
    table->is_used = false;
}

void tt_age(TranspositionTable *table)
{
    table->age = (table->age + 1) & AGE_MASK;
    table->is_used = true;
}

static Bucket *bucket_of(const TranspositionTable *table, uint64_t key)
{
    return &table->buckets[key & table->mask];
}

void tt_prefetch(const TranspositionTable *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

bool tt_probe(const TranspositionTable *table, uint64_t key, TtEntry *entry)
{
    Bucket *bucket = bucket_of(table, key);
    for (unsigned i = 0; i < BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&bucket->slot[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&bucket->slot[i].check, memory_order_relaxed);
        if ((check ^ data) == key && bound_of(data) != BOUND_NONE) {
            *entry = unpack(data);
            return true;
        }
    }
    return false;
}

// The cost of losing an entry: low if it is shallow or from an earlier search.
static int worth(const TranspositionTable *table, uint64_t data)
{
    return bound_of(data) == BOUND_NONE ? -1000 : depth_of(data) - ((data >> AGE_SHIFT) == table->age ? 0 : OLD_COST);
}

void tt_store(TranspositionTable *table, uint64_t key, const TtEntry *entry)
{
    Bucket *bucket = bucket_of(table, key);
    Slot *chosen = NULL;
    int least = INT32_MAX;
    TtEntry kept = *entry;
    for (unsigned i = 0; i < BUCKET; i++) {
        Slot *slot = &bucket->slot[i];
        uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
        if ((check ^ data) == key) {
            // The same position: a deeper result stays unless this one is exact; a known move is kept.
            if (entry->bound != BOUND_EXACT && depth_of(data) > entry->depth + 2 && (data >> AGE_SHIFT) == table->age)
                return;
            if (kept.move == CELL_NONE) {
                kept.move = unpack_cell(data >> MOVE_SHIFT);
                kept.second = unpack_cell(data >> SECOND_SHIFT);
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
