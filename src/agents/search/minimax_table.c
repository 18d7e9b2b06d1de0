// The transposition table of minimax: one entry per slot, always replaced.
#include "agents/search/minimax_table.h"

#include <stdlib.h>

Status table_open(Table *table, size_t bytes, Error *error)
{
    uint64_t count = 1;
    while (count * 2 * sizeof(TableEntry) <= bytes)
        count *= 2;
    *table = (Table){.entries = calloc(count, sizeof(TableEntry)), .mask = count - 1};
    if (table->entries == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a table of %zu megabytes", bytes >> 20);
    return STATUS_OK;
}

const TableEntry *table_find(const Table *table, uint64_t key)
{
    const TableEntry *entry = &table->entries[key & table->mask];
    return entry->bound != BOUND_NONE && entry->age == table->age && entry->key == key ? entry : NULL;
}

void table_put(Table *table, const TableEntry *entry)
{
    TableEntry *place = &table->entries[entry->key & table->mask];
    *place = *entry;
    place->age = table->age;
}

void table_clear(Table *table)
{
    table->age++;
}

void table_close(Table *table)
{
    free(table->entries);
    *table = (Table){0};
}
