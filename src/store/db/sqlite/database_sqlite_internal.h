// What the files of the SQLite driver share.
#pragma once

#include "store/db/database_driver_internal.h"

#include <sqlite3.h>

enum {
    SQLITE_BUSY_MS = 30000, // how long to wait for another program that writes; a big import takes seconds
};

// What a file looked like; after a change it looks otherwise.
typedef struct {
    int64_t size, changed; // in bytes; in nanoseconds
} FileStamp;

// The connection of a database.
typedef struct {
    sqlite3 *handle;
    bool is_to_read; // opened without the right to write
    bool is_frozen;  // read without locks: what was read counts only while the file has this stamp
    FileStamp stamp; // of a frozen one
    Query load;      // the statement that adds rows, if some are being added
    int64_t seen;    // the state of the file that wait_for saw last
} Sqlite;

static inline Sqlite *sqlite_of(const Database *db)
{
    return db->connection;
}

// --- database_sqlite.c ---

Status sqlite_explain(Database *db, int code, Error *error);
Status sqlite_execute(Database *db, const char *sql, Error *error);
// Before anything is changed: the file is empty or a database of krow.
Status sqlite_recognise(Database *db, Error *error);
// Opens a file by SQLite's name for it.
Status sqlite_open_handle(Database *db, const char *name, int flags, Error *error);
Status sqlite_read_version(Database *db, int64_t *version, Error *error);

// --- database_sqlite_read.c ---

Status sqlite_open_to_read(const char *where, Database **db, Error *error);
// Whether a frozen database is no longer what it was when it was opened, as a code.
int sqlite_settle(const Database *db);

// --- database_sqlite_query.c ---

extern const DriverStatements sqlite_statements;
Status sqlite_load_begin(Database *db, const StoreTable *table, Error *error);
Status sqlite_load_row(Database *db, const StoreTable *table, const Query *row, Error *error);
Status sqlite_load_end(Database *db, Status status, Error *error);
