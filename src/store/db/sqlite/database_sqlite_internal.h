// What the files of the SQLite driver share.
#pragma once

#include "store/db/database_driver_internal.h"

#include <sqlite3.h>

enum {
    SQLITE_BUSY_MS = 30000, // how long to wait for another writer; a big import takes seconds
};

// Identifies a state of a file.
typedef struct {
    int64_t size, changed; // in bytes; in nanoseconds
} FileStamp;

// The connection of a database.
typedef struct {
    sqlite3 *handle;
    bool is_to_read; // opened without write permission
    bool is_frozen;  // opened without locks: rows are valid only while the file has this stamp
    FileStamp stamp; // of a frozen one
    Query load;      // the statement of a bulk insert in progress
    int64_t seen;    // the data_version that wait_for saw last
} Sqlite;

static inline Sqlite *sqlite_of(const Database *db)
{
    return db->connection;
}

// --- database_sqlite.c ---

Status sqlite_explain(Database *db, int code, Error *error);
Status sqlite_execute(Database *db, const char *sql, Error *error);
// Opens a file by SQLite's name for it.
Status sqlite_open_handle(Database *db, const char *name, int flags, Error *error);
Status sqlite_read_version(Database *db, int64_t *version, Error *error);

// --- database_sqlite_read.c ---

Status sqlite_open_to_read(const char *where, Database **db, Error *error);
// A code: whether a frozen database has changed since it was opened.
int sqlite_settle(const Database *db);

// --- database_sqlite_query.c ---

extern const DriverStatements sqlite_statements;
Status sqlite_load_begin(Database *db, const StoreTable *table, Error *error);
Status sqlite_load_row(Database *db, const StoreTable *table, const Query *row, Error *error);
Status sqlite_load_end(Database *db, Status status, Error *error);
