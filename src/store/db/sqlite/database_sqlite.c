// The SQLite driver: connection, settings, schema version, checks.
#include "store/db/sqlite/database_sqlite_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "store/db/database_tables_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x6b726f77, // "krow"; the first migration writes it
    WAL_TRIES = 300,             // at intervals of 10 ms
};

static const DialectWord dialect[] = {
    {"id", "INTEGER PRIMARY KEY"},
    {"counted id", "INTEGER PRIMARY KEY AUTOINCREMENT"},
    {"int", "INTEGER"},
    {"real", "REAL"},
    {"text", "TEXT"},
    {"bytes", "BLOB"},
    {"strict", " STRICT"},
    {"mark", "PRAGMA application_id = 1802661751;"}, // "krow"
    {"utc", "datetime("},
    {"of ms", " / 1000, 'unixepoch')"},
    {"now", "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"},
    // IMMEDIATE: a transaction that reads before it writes could not wait for another writer.
    {"begin", "BEGIN IMMEDIATE"},
    {"begin to read", "BEGIN"},
    {"skip locked", ""}, // there is one writer
    {NULL, NULL},
};

Status sqlite_explain(Database *db, int code, Error *error)
{
    const Sqlite *sqlite = sqlite_of(db);
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return error_set(error, STATUS_NO_MEMORY, "no memory for the database '%s'", db->path);
    case SQLITE_NOTADB:
        return error_set(error, STATUS_BAD_INPUT, "'%s' is not a database", db->path);
    case SQLITE_BUSY:
        if (sqlite->is_frozen)
            return error_set(error, STATUS_IO, "the database '%s' changed while it was being read; try again",
                             db->path);
        return error_set(error, STATUS_IO, "the database '%s' is in use by another program", db->path);
    case SQLITE_FULL:
    case SQLITE_IOERR: {
        int reason = sqlite3_system_errno(sqlite->handle);
        return error_set(error, STATUS_IO, "the database '%s': %s (%s)", db->path, sqlite3_errstr(code),
                         reason != 0 ? strerror(reason) : sqlite3_errmsg(sqlite->handle));
    }
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM: {
        int reason = sqlite3_system_errno(sqlite->handle);
        return error_set(error, STATUS_IO, "cannot %s the database '%s'%s: %s", sqlite->is_to_read ? "read" : "open",
                         db->path, sqlite->is_to_read ? "" : " for writing",
                         reason != 0 ? strerror(reason) : sqlite3_errmsg(sqlite->handle));
    }
    default:
        return error_set(error, STATUS_FAILED, "the database '%s': %s", db->path, sqlite3_errmsg(sqlite->handle));
    }
}

static Failure failure(int code)
{
    return code == SQLITE_CONSTRAINT_FOREIGNKEY ? FAILURE_ORPHAN
           : code == SQLITE_INTERRUPT           ? FAILURE_LATE
           : (code & 0xff) == SQLITE_READONLY   ? FAILURE_FORBIDDEN
                                                : FAILURE_OTHER;
}

Status sqlite_execute(Database *db, const char *sql, Error *error)
{
    int code = sqlite3_exec(sqlite_of(db)->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : sqlite_explain(db, code, error);
}

Status sqlite_read_version(Database *db, int64_t *version, Error *error)
{
    return database_ask(db, "PRAGMA user_version", version, error);
}

static Status write_version(Database *db, int64_t version, Error *error)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "PRAGMA user_version = %lld", (long long)version);
    return sqlite_execute(db, sql, error);
}

// Checks that the file is empty or a database of krow, before anything is changed. Reads the tables first: another
// program may be creating them now, and a process that sees its tables then also sees its application_id.
static Status recognise(Database *db, Error *error)
{
    int64_t application = 0, tables = 0;
    Status status = database_ask(db, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status == STATUS_OK)
        status = database_ask(db, "PRAGMA application_id", &application, error);
    if (status == STATUS_OK && application != APPLICATION_ID && (application != 0 || tables > 0))
        return error_set(error, STATUS_BAD_INPUT, "'%s' is a database of another program", db->path);
    return status;
}

// In WAL mode a writer does not disturb readers. The change to it needs the file exclusively for a moment, and SQLite
// does not wait for that: when several programs create the same database, some of them must retry.
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

// In WAL mode a commit has been written to the file system when it returns, so the end of the program, by whatever
// signal, loses nothing: the pages are the kernel's. synchronous=FULL would also flush them to the disk at every
// commit, against power cuts; storing a game of tic-tac-toe then took 0.9 ms instead of 0.1 ms. With NORMAL a power cut
// may cost the last games, which --resume plays again with the same seeds, but the database stays consistent: the log
// is flushed before pages are copied from it. Without WAL (a file system without shared memory) only FULL is safe.
static Status configure(Database *db, Error *error)
{
    bool is_wal = false;
    Status status = use_wal(db, &is_wal, error);
    if (status == STATUS_OK)
        status = sqlite_execute(db, is_wal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL", error);
    if (status == STATUS_OK)
        status = sqlite_execute(db, "PRAGMA foreign_keys = ON", error);
    return status;
}

Status sqlite_open_handle(Database *db, const char *name, int flags, Error *error)
{
    Sqlite *sqlite = sqlite_of(db);
    int code = sqlite3_open_v2(name, &sqlite->handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK)
        return sqlite->handle != NULL ? sqlite_explain(db, code, error)
                                      : error_set(error, STATUS_NO_MEMORY, "no memory for a database");
    (void)sqlite3_busy_timeout(sqlite->handle, SQLITE_BUSY_MS);
    // The file may have been made by anyone: SQL in it must not change how SQLite stores tables, and every page is
    // checked before it is used.
    (void)sqlite3_db_config(sqlite->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    (void)sqlite3_db_config(sqlite->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    Status status = sqlite_execute(db, "PRAGMA cell_size_check = ON", error);
    return status == STATUS_OK ? recognise(db, error) : status;
}

// Creates a missing file for its owner only. SQLite gives its log and journal the same permissions. A failure is
// reported by SQLite, which opens the file next.
static void create_private(const char *path)
{
    int fd = path[0] != '\0' && path[0] != ':' ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        (void)close(fd);
}

static Status open_database(Database *db, const char *where, Error *error)
{
    db->connection = memory_new(1, sizeof(Sqlite));
    create_private(where);
    Status status = sqlite_open_handle(db, where, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    return status == STATUS_OK ? configure(db, error) : status;
}

static void close_database(Database *db)
{
    if (db->connection != NULL)
        (void)sqlite3_close(sqlite_of(db)->handle);
    free(db->connection);
}

static bool is_in_transaction(const Database *db)
{
    return sqlite3_get_autocommit(sqlite_of(db)->handle) == 0;
}

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

static Status check(Database *db, Error *error)
{
    Status status = check_integrity(db, error);
    return status == STATUS_OK
               ? database_check_reference(db, "SELECT rowid, \"table\", parent FROM pragma_foreign_key_check", error)
               : status;
}

static Status describe(Database *db, DatabaseAbout *about, Error *error)
{
    int64_t pages = 0, size = 0;
    Status status = database_ask(db, "PRAGMA page_count", &pages, error);
    if (status == STATUS_OK)
        status = database_ask(db, "PRAGMA page_size", &size, error);
    (void)snprintf(about->engine_version, sizeof about->engine_version, "%s", sqlite3_libversion());
    about->bytes = pages * size;
    return status;
}

// Only tables with {counted id} have a counter; the others continue after their last row.
static Status read_counter(Database *db, const StoreTable *table, int64_t *last, Error *error)
{
    *last = 0;
    if (!table->never_twice)
        return STATUS_OK;
    Query query = query_prepare(db, "SELECT seq FROM sqlite_sequence WHERE name = ?");
    query_bind(&query, value_text(table->name));
    return query_number(&query, last, error);
}

static Status write_counter(Database *db, const StoreTable *table, int64_t last, Error *error)
{
    int64_t before = 0;
    if (!table->never_twice)
        return STATUS_OK;
    Status status = read_counter(db, table, &before, error);
    if (status != STATUS_OK || before >= last)
        return status;
    // sqlite_sequence has a row for a table that ever had a row.
    Query query = query_prepare(db, before > 0 ? "UPDATE sqlite_sequence SET seq = ? WHERE name = ?"
                                               : "INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)");
    query_bind(&query, value_int(last));
    query_bind(&query, value_text(table->name));
    return query_run(&query, error);
}

// Changes count from now on. The lock is held.
static Status listen_to(Database *db, const char *channel, Error *error)
{
    (void)channel;
    return database_ask(db, "PRAGMA data_version", &sqlite_of(db)->seen, error);
}

// Files send no notifications, but SQLite reports cheaply whether another connection has changed one.
static Status wait_for(Database *db, double seconds, bool *was_notified, Error *error)
{
    const double piece = 0.02;
    double end = clock_seconds() + seconds;
    *was_notified = false;
    for (;;) {
        int64_t state = 0;
        database_lock(db);
        Status status = database_ask(db, "PRAGMA data_version", &state, error);
        database_unlock(db);
        *was_notified = status == STATUS_OK && state != sqlite_of(db)->seen;
        if (*was_notified)
            sqlite_of(db)->seen = state;
        double left = end - clock_seconds();
        if (status != STATUS_OK || *was_notified || left <= 0)
            return status;
        clock_sleep(left < piece ? left : piece);
    }
}

const Driver driver_sqlite = {
    .name = "SQLite",
    .dialect = dialect,
    .has_one_writer = true,
    .open = open_database,
    .open_to_read = sqlite_open_to_read,
    .close = close_database,
    .explain = sqlite_explain,
    .failure = failure,
    .statements = &sqlite_statements,
    .execute = sqlite_execute,
    .is_in_transaction = is_in_transaction,
    .read_version = sqlite_read_version,
    .write_version = write_version,
    .check = check,
    .describe = describe,
    .read_counter = read_counter,
    .write_counter = write_counter,
    .load_begin = sqlite_load_begin,
    .load_row = sqlite_load_row,
    .load_end = sqlite_load_end,
    .listen = listen_to,
    .wait = wait_for,
};
