// The tables of a database as a whole: row counts, checksums, and the rights of workers.
#pragma once

#include "store/db/database.h"

typedef struct {
    const char *name;
    uint64_t rows;
    uint64_t checksum; // of all values in key order, equal on both engines; 0 if not requested
} DatabaseTable;

typedef bool DatabaseTableSink(void *context, const DatabaseTable *table);

// A snapshot of all tables, each after those it refers to. The sink may not use the database.
Status database_each_table(Database *db, bool with_checksums, DatabaseTableSink *sink, void *context, Error *error);

// SQL that creates a PostgreSQL role if necessary, and grants it exactly the rights that a worker uses.
Status database_grants(const char *role, Text *sql, Error *error);
