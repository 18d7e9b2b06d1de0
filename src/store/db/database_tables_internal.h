// What the store knows about its tables, for copies, counts and grants.
#pragma once

#include "store/db/database_driver_internal.h"
#include "store/db/database_tables.h"

enum { TABLE_KEY_MAX = 3 };

struct StoreTable {
    const char *name;
    const char *columns; // with commas between them, those of the key first
    const char *types;   // a letter for each: i, r, t or b for int, real, text and bytes
    unsigned key;        // that many columns are the key
    bool has_id;         // the key is a number that the table gives
    bool never_twice;    // and never gives again: {counted id}
    const char *worker;  // rights of a worker, as GRANT has them; NULL: none
};

// Each table after those it refers to.
extern const StoreTable store_tables[];
extern const unsigned store_table_count;

static inline ColumnType table_type(const StoreTable *table, unsigned column)
{
    char letter = table->types[column];
    return letter == 'i' ? COLUMN_INT : letter == 'r' ? COLUMN_REAL : letter == 't' ? COLUMN_TEXT : COLUMN_BLOB;
}

unsigned table_width(const StoreTable *table);

// A walk over the rows of a table in the order of its key, in pages. Zeroed but for the first two; the checksum is that
// of all rows the walk has met.
typedef struct {
    Database *db;
    const StoreTable *table;
    uint64_t rows, checksum;
    // The key of the last row.
    int64_t numbers[TABLE_KEY_MAX];
    Text texts[TABLE_KEY_MAX];
} TableWalk;

enum { TABLE_PAGE = 1000 }; // rows

// Reads at most `most` rows from where the walk is, fewer at the end of the table. Each is given to the sink, if there
// is one. Where that fails the walk has not moved. The lock must be held.
typedef Status TableRowSink(void *context, const Query *row, Error *error);
Status table_walk_page(TableWalk *walk, unsigned most, TableRowSink *sink, void *context, Error *error);
void table_walk_close(TableWalk *walk);

// How many rows a table has. The lock must be held.
Status table_count(Database *db, const StoreTable *table, uint64_t *count, Error *error);
