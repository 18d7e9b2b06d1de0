// The transposition table, for one word size: included after gravity_kernel_internal.h.
//
// A key is scattered by invertible steps, so that the bucket index and the rest of the scattered key together determine
// the key. All threads read and write without locks. An entry of one word is always consistent. Of an entry of two
// words, the first is combined with a scattered copy of the second, so that halves of different entries do not match.
#pragma once

#include "solver/gravity/gravity_kernel_internal.h"

#include <stdatomic.h>

enum {
    ENTRY_WORDS = GRAVITY_BITS / 64,
    BUCKET_ENTRIES = 2,
    BUCKET_WORDS = BUCKET_ENTRIES * ENTRY_WORDS,
    WORK_MAX = 15
};

// The place of a key.
typedef struct {
    _Atomic uint64_t *bucket;
    Word rest; // the part of the key that the bucket does not determine
} Place;

// The high bits of a product with an odd number depend on the whole key; modulo 2^bits the product is invertible.
GRAVITY_HOT Word scatter(Word key, unsigned bits)
{
#if GRAVITY_BITS == 64
    const Word factor = UINT64_C(0x9e3779b97f4a7c15);
#else
    const Word factor = (Word)UINT64_C(0xd1342543de82ef95) << 64 | UINT64_C(0x9e3779b97f4a7c15);
#endif
    return key * factor << (GRAVITY_BITS - bits) >> (GRAVITY_BITS - bits);
}

GRAVITY_HOT Place table_place(const GravityTable *table, Word key)
{
    Word scattered = scatter(key, table->key_bits);
    unsigned rest_bits = table->key_bits - table->bucket_bits;
    uint64_t bucket = (uint64_t)(scattered >> rest_bits);
    return (Place){table->words + bucket * BUCKET_WORDS, scattered & (((Word)1 << rest_bits) - 1)};
}

GRAVITY_HOT Word entry_load(_Atomic uint64_t *entry)
{
#if GRAVITY_BITS == 64
    return atomic_load_explicit(entry, memory_order_relaxed);
#else
    uint64_t low = atomic_load_explicit(entry, memory_order_relaxed);
    uint64_t high = atomic_load_explicit(entry + 1, memory_order_relaxed);
    return (Word)(low ^ high * UINT64_C(0xd1342543de82ef95)) | (Word)high << 64;
#endif
}

GRAVITY_HOT void entry_store(_Atomic uint64_t *entry, Word value)
{
#if GRAVITY_BITS == 64
    atomic_store_explicit(entry, value, memory_order_relaxed);
#else
    uint64_t high = (uint64_t)(value >> 64);
    uint64_t low = (uint64_t)value ^ high * UINT64_C(0xd1342543de82ef95);
    atomic_store_explicit(entry, low, memory_order_relaxed);
    atomic_store_explicit(entry + 1, high, memory_order_relaxed);
#endif
}

// An entry is the rest of the key above its data: work and both bounds. The work of an empty entry is 0.
GRAVITY_HOT unsigned entry_work(Word entry)
{
    return (unsigned)(entry & WORK_MAX);
}

GRAVITY_HOT bool entry_is(const GravityTable *table, Word entry, Word rest)
{
    return entry >> table->data_bits == rest && entry_work(entry) != 0;
}

GRAVITY_HOT bool table_find(const GravityTable *table, const Place *place, GravityFound *found)
{
    Word entry = entry_load(place->bucket);
    if (!entry_is(table, entry, place->rest)) {
        entry = entry_load(place->bucket + ENTRY_WORDS);
        if (!entry_is(table, entry, place->rest))
            return false;
    }
    unsigned data = (unsigned)entry, scores = (1u << table->score_bits) - 1;
    found->low = (int)(data >> 4 & scores) - table->score_base;
    found->high = (int)(data >> (4 + table->score_bits) & scores) - table->score_base;
    return true;
}

GRAVITY_HOT void table_store(const GravityTable *table, const Place *place, const GravityFound *found)
{
    unsigned data = found->work | (unsigned)(found->low + table->score_base) << 4 |
                    (unsigned)(found->high + table->score_base) << (4 + table->score_bits);
    Word entry = place->rest << table->data_bits | data;
    Word first = entry_load(place->bucket);
    if (entry_is(table, first, place->rest)) {
        entry_store(place->bucket, entry);
    } else if (found->work >= entry_work(first)) {
        entry_store(place->bucket + ENTRY_WORDS, first);
        entry_store(place->bucket, entry);
    } else {
        entry_store(place->bucket + ENTRY_WORDS, entry);
    }
}
