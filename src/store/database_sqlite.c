// The connection to SQLite: opening, its settings, versions of the tables, checks.
#include "store/database_internal.h"

#include "base/clock.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
    APPLICATION_ID = 0x6b726f77, // "krow"; the first migration writes it
    BUSY_MS = 30000,             // how long to wait for another program that writes; a big import takes seconds
    WAL_TRIES = 300,             // of 10 ms
};

Status database_failed(Database *db, int code, Error *error)
{
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return error_set(error, STATUS_NO_MEMORY, "no memory for the database '%s'", db->path);
    case SQLITE_NOTADB:
        return error_set(error, STATUS_BAD_INPUT, "'%s' is no database", db->path);
    case SQLITE_BUSY:
        return error_set(error, STATUS_IO, "the database '%s' is in use by another program", db->path);
    case SQLITE_FULL:
    case SQLITE_IOERR: {
        int reason = sqlite3_system_errno(db->connection);
        return error_set(error, STATUS_IO, "the database '%s': %s (%s)", db->path, sqlite3_errstr(code),
                         reason != 0 ? strerror(reason) : sqlite3_errmsg(db->connection));
    }
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM: {
        int reason = sqlite3_system_errno(db->connection);
        return error_set(error, STATUS_IO, "cannot open the database '%s' for writing: %s", db->path,
                         reason != 0 ? strerror(reason) : sqlite3_errmsg(db->connection));
    }
    default:
        return error_set(error, STATUS_FAILED, "the database '%s': %s", db->path, sqlite3_errmsg(db->connection));
    }
}

static Status execute(Database *db, const char *sql, Error *error)
{
    int code = sqlite3_exec(db->connection, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : database_failed(db, code, error);
}

// The number a statement gives.
static Status ask(Database *db, const char *sql, int64_t *number, Error *error)
{
    Query query = query_prepare(db, sql);
    *number = query_row(&query) ? query_int(&query, 0) : 0;
    return query_end(&query, error);
}

// --- Versions ---

// One step in a transaction of its own. Another program may have done it since the version was read.
static Status migrate_one(Database *db, const char *step, int version, Error *error)
{
    char set_version[48];
    (void)sqlite3_snprintf(sizeof set_version, set_version, "PRAGMA user_version = %d", version + 1);
    Status status = transaction_begin(db, error);
    if (status != STATUS_OK)
        return status;
    int64_t now = 0;
    status = ask(db, "PRAGMA user_version", &now, error);
    if (status == STATUS_OK && now == version) {
        status = execute(db, step, error);
        if (status == STATUS_OK)
            status = execute(db, set_version, error);
        if (status != STATUS_OK)
            error_prefix(error, "from version %d to %d: ", version, version + 1);
    }
    return transaction_end(db, status, error);
}

Status database_migrate(Database *db, const char *const *steps, int count, Error *error)
{
    int64_t version = 0;
    database_lock(db);
    Status status = ask(db, "PRAGMA user_version", &version, error);
    database_unlock(db);
    if (status == STATUS_OK && (version > count || version < 0))
        return error_set(error, STATUS_FAILED,
                         "the database '%s' was made by a newer krow: it has version %lld, and this krow knows "
                         "versions up to %d",
                         db->path, (long long)version, count);
    for (int next = (int)version; status == STATUS_OK && next < count; next++)
        status = migrate_one(db, steps[next], next, error);
    return status;
}

// --- Opening ---

// Before anything is changed: the file is empty or a database of krow. Tables first: another program may be making them
// now, and whoever sees its tables sees its mark afterwards.
static Status recognise(Database *db, Error *error)
{
    int64_t application = 0, tables = 0;
    Status status = ask(db, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status == STATUS_OK)
        status = ask(db, "PRAGMA application_id", &application, error);
    if (status == STATUS_OK && application != APPLICATION_ID && (application != 0 || tables > 0))
        return error_set(error, STATUS_BAD_INPUT, "'%s' is a database, but not one of krow", db->path);
    return status;
}

// A writer does not disturb readers in WAL mode. Changing to it wants the file alone for a moment, and SQLite does not
// wait for that: when several programs make the same database, some are told to come back.
static Status use_wal(Database *db, bool *is_wal, Error *error)
{
    for (int tries = 0;; tries++) {
        Query query = query_prepare(db, "PRAGMA journal_mode = WAL");
        *is_wal = query_row(&query) && strcmp(query_text(&query, 0), "wal") == 0;
        bool again = (query.code & 0xff) == SQLITE_BUSY && tries < WAL_TRIES;
        Status status = query_end(&query, error);
        if (!again)
            return status;
        clock_sleep(0.01);
    }
}

// What survives what. In WAL mode a commit has been written to the file system when it returns, so the end of the
// program, by whatever signal, loses nothing: the pages are the kernel's. synchronous=FULL would also flush them to the
// disk at every commit, against a power cut; where this was measured a game of tic-tac-toe then took 0.9 ms to store
// instead of 0.1 ms. With NORMAL a power cut may cost the games of the last moments before it, which --resume plays
// again with the same seeds, but the database stays whole: the log is flushed before pages are copied from it. Without
// WAL (a file system that has no shared memory) only FULL is safe.
static Status configure(Database *db, Error *error)
{
    bool is_wal = false;
    Status status = use_wal(db, &is_wal, error);
    if (status == STATUS_OK)
        status = execute(db, is_wal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL", error);
    if (status == STATUS_OK)
        status = execute(db, "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF", error);
    return status;
}

static Status open_file(Database *db, Error *error)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(db->path, &db->connection, flags, NULL);
    if (code != SQLITE_OK)
        return db->connection != NULL ? database_failed(db, code, error)
                                      : error_set(error, STATUS_NO_MEMORY, "no memory for a database");
    (void)sqlite3_busy_timeout(db->connection, BUSY_MS);
    Status status = recognise(db, error);
    return status == STATUS_OK ? configure(db, error) : status;
}

Status database_connect(const char *path, Database **db, Error *error)
{
    *db = NULL;
    if (path[0] == '\0')
        return error_set(error, STATUS_BAD_INPUT, "the path of the database is empty");
    Database *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    if (made == NULL || copy == NULL || pthread_mutex_init(&made->lock, NULL) != 0) {
        free(copy);
        free(made);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a database");
    }
    made->path = copy;
    Status status = open_file(made, error);
    if (status == STATUS_OK)
        *db = made;
    else
        database_close(made);
    return status;
}

void database_close(Database *db)
{
    if (db == NULL)
        return;
    for (int i = 0; i < QUERY_COUNT; i++)
        (void)sqlite3_finalize(db->kept[i]);
    (void)sqlite3_close(db->connection);
    (void)pthread_mutex_destroy(&db->lock);
    free(db->path);
    free(db);
}

// --- Checks ---

static Status check_integrity(Database *db, Error *error)
{
    Query query = query_prepare(db, "PRAGMA integrity_check(1)");
    Status complaint = STATUS_FAILED;
    if (query_row(&query))
        complaint =
            strcmp(query_text(&query, 0), "ok") == 0
                ? STATUS_OK
                : error_set(error, STATUS_FAILED, "the database '%s' is damaged: %s", db->path, query_text(&query, 0));
    Status status = query_end(&query, error);
    return status != STATUS_OK ? status : complaint;
}

static Status check_references(Database *db, Error *error)
{
    Query query = query_prepare(db, "PRAGMA foreign_key_check");
    Status complaint = STATUS_OK;
    if (query_row(&query))
        complaint = error_set(error, STATUS_FAILED,
                              "the database '%s' is damaged: row %lld of %s refers to a row of %s that is not there",
                              db->path, (long long)query_int(&query, 1), query_text(&query, 0), query_text(&query, 2));
    Status status = query_end(&query, error);
    return status != STATUS_OK ? status : complaint;
}

Status database_check(Database *db, Error *error)
{
    database_lock(db);
    Status status = check_integrity(db, error);
    if (status == STATUS_OK)
        status = check_references(db, error);
    database_unlock(db);
    return status;
}
