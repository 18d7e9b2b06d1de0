// The description of the tables, for copies, counts and grants.
#pragma once

#include "store/db/database_driver_internal.h"
#include "store/db/database_tables.h"

enum { TABLE_KEY_MAX = 3 };

struct StoreTable {
    const char *name;
    const char *columns; // separated by commas, those of the key first
    const char *types;   // a letter for each: i, r, t or b for int, real, text and bytes
    unsigned key;        // number of columns of the key
    bool has_id;         // the database assigns the key, a number
    bool never_twice;    // and never reuses it: {counted id}
    const char *worker;  // rights of a worker, in the syntax of GRANT; NULL: none
};

// Each table after those it refers to.
extern const StoreTable store_tables[];
extern const unsigned store_table_count;

static inline ColumnType table_type(const StoreTable *table, unsigned column)
{
    return column_type_of(table->types[column]);
}

unsigned table_width(const StoreTable *table);

// Iterates over the rows of a table in key order, in pages. Zero all fields except the first two. The checksum is that
// of all rows passed.
typedef struct {
    Database *db;
    const StoreTable *table;
    uint64_t rows, checksum;
    // The key of the last row.
    int64_t numbers[TABLE_KEY_MAX];
    Text texts[TABLE_KEY_MAX];
} TableWalk;

enum { TABLE_PAGE = 1000 }; // rows

// Reads the next `most` rows, fewer at the end, and passes them to the sink unless it is NULL. After a failure the walk
// has not moved. The lock must be held.
typedef Status TableRowSink(void *context, const Query *row, Error *error);
Status table_walk_page(TableWalk *walk, unsigned most, TableRowSink *sink, void *context, Error *error);
void table_walk_close(TableWalk *walk);

// The number of rows of a table. The lock must be held.
Status table_count(Database *db, const StoreTable *table, uint64_t *count, Error *error);
