// The tables of a database as a whole: how many rows they have, and what workers may do with them.
#pragma once

#include "store/db/database.h"

typedef struct {
    const char *name;
    uint64_t rows;
    uint64_t checksum; // of all values in the order of the rows' keys, the same on both engines; 0 if not asked for
} DatabaseTable;

typedef bool DatabaseTableSink(void *context, const DatabaseTable *table);

// All tables, each after those it refers to, as they are at one moment. The sink may not use the database, and false
// ends the walk.
Status database_each_table(Database *db, bool with_checksums, DatabaseTableSink *sink, void *context, Error *error);

// SQL that makes a role of PostgreSQL, if there is none of this name, and gives it the rights that a worker uses, and
// no others.
Status database_grants(const char *role, Text *sql, Error *error);
