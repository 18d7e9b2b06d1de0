// The transposition table of the gravity solver.
#include "solver/gravity/gravity_solver_internal.h"

#include "base/memory.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

enum { GRAVITY_PAGE = 2 << 20 }; // bytes of a large page

// The number of bits for the numbers below `count`.
static unsigned bits_for(unsigned count)
{
    unsigned bits = 0;
    while (1u << bits < count)
        bits++;
    return bits;
}

// Accesses to the table are random: with small pages, address translation takes as long as the access.
static void ask_for_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (size >= GRAVITY_PAGE)
        (void)madvise(memory, size, MADV_HUGEPAGE); // optional: only slower without it
#else
    (void)memory;
    (void)size;
#endif
}

Status gravity_table_open(GravityTable *table, const Rules *rules, size_t bytes, Error *error)
{
    unsigned cells = rules_cells(rules), key_bits = (rules->height + 1u) * rules->width;
    size_t entry = key_bits <= 64 ? 8 : 16, bucket = 2 * entry;
    *table = (GravityTable){
        .key_bits = key_bits, .score_bits = bits_for(2 * ((cells + 1) / 2) + 1), .score_base = (int)(cells + 1) / 2};
    table->data_bits = 4 + 2 * table->score_bits;
    // The bucket index must determine the part of the key that an entry has no room for, but no more than the key has.
    while ((bucket << (table->bucket_bits + 1) <= bytes && table->bucket_bits + 1 < key_bits) ||
           key_bits - table->bucket_bits + table->data_bits > 8 * entry)
        table->bucket_bits++;
    size_t size = bucket << table->bucket_bits;
    table->words = memory_aligned(size < GRAVITY_PAGE ? size : GRAVITY_PAGE, size);
    if (table->words == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for a table of %zu MB", size >> 20);
    ask_for_large_pages(table->words, size);
    gravity_table_clear(table);
    return STATUS_OK;
}

void gravity_table_clear(GravityTable *table)
{
    size_t words = (size_t)(table->key_bits <= 64 ? 2 : 4) << table->bucket_bits;
    for (size_t i = 0; i < words; i++)
        atomic_store_explicit(&table->words[i], 0, memory_order_relaxed);
}

void gravity_table_close(GravityTable *table)
{
    memory_aligned_free(table->words);
    *table = (GravityTable){0};
}
