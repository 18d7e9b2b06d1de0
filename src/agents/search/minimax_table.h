// A transposition table of fixed size for search results by position key. A new entry replaces the old one of its slot.
#pragma once

#include "base/status.h"
#include "game/board.h"

typedef enum { BOUND_NONE, BOUND_EXACT, BOUND_LOWER, BOUND_UPPER } Bound;

typedef struct {
    uint64_t key;
    int64_t value;
    uint32_t age; // of the table when it was put there
    Cell best;
    uint8_t depth;     // stones looked ahead below the position
    uint8_t bound : 2; // a Bound: the true value is this one, at least this, at most this
    bool proven : 1;   // whether the value holds whatever was cut
} TableEntry;

typedef struct {
    TableEntry *entries;
    uint64_t mask; // number of entries, a power of two, less 1
    uint32_t age;
} Table;

// Opens a table of at most `bytes` bytes with at least one entry.
Status table_open(Table *table, size_t bytes, Error *error);

// The entry of a key, or NULL.
const TableEntry *table_find(const Table *table, uint64_t key);

// Stores an entry with the age of the table.
void table_put(Table *table, const TableEntry *entry);

void table_clear(Table *table);

// Safe on a zeroed table.
void table_close(Table *table);
