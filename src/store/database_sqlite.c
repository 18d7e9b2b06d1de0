// The connection to SQLite: opening, its settings, versions of the tables, checks.
#include "store/database_internal.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
        if (db->is_frozen)
            return error_set(error, STATUS_IO, "the database '%s' was changed while it was read; try again", db->path);
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
        return error_set(error, STATUS_IO, "cannot %s the database '%s'%s: %s", db->is_to_read ? "read" : "open",
                         db->path, db->is_to_read ? "" : " for writing",
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

static Status is_newer(const Database *db, int64_t version, int known, Error *error)
{
    return error_set(error, STATUS_FAILED,
                     "the database '%s' was made by a newer krow: it has version %lld, and this krow knows versions up "
                     "to %d",
                     db->path, (long long)version, known);
}

Status database_migrate(Database *db, const char *const *steps, int count, Error *error)
{
    int64_t version = 0;
    database_lock(db);
    Status status = ask(db, "PRAGMA user_version", &version, error);
    database_unlock(db);
    if (status == STATUS_OK && (version > count || version < 0))
        return is_newer(db, version, count, error);
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

// Without a connection; NULL after an error.
static Database *make_database(const char *path, Error *error)
{
    if (path[0] == '\0') {
        (void)error_set(error, STATUS_BAD_INPUT, "the path of the database is empty");
        return NULL;
    }
    Database *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    if (made == NULL || copy == NULL || pthread_mutex_init(&made->lock, NULL) != 0) {
        free(copy);
        free(made);
        (void)error_set(error, STATUS_NO_MEMORY, "no memory for a database");
        return NULL;
    }
    made->path = copy;
    return made;
}

Status database_connect(const char *path, Database **db, Error *error)
{
    Database *made = make_database(path, error);
    *db = NULL;
    if (made == NULL)
        return path[0] == '\0' ? STATUS_BAD_INPUT : STATUS_NO_MEMORY;
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

// --- Opening without the right to write ---
//
// SQLite reads a database in WAL mode by means of two files beside it: the log, PATH-wal, and what readers and writers
// share, PATH-shm. Where these cannot be made, there are two cases.
//
// With a log, or the journal of a writer without WAL, the file alone is not the database. SQLite is left to find its
// way: it needs PATH-shm to be there, or a folder in which it can be made.
//
// Without them the file is the whole database, and it is opened as immutable: without locks and without looking for
// changes. Somebody who can write may change it meanwhile, so its size and time are kept and compared after every
// statement: what was read is used only if nothing had changed until then.

Status database_access(const char *path, DatabaseAccess *access, Error *error)
{
    struct stat about;
    *access = DATABASE_MISSING;
    if (path[0] == '\0')
        return error_set(error, STATUS_BAD_INPUT, "the path of the database is empty");
    if (stat(path, &about) != 0) {
        bool is_missing = errno == ENOENT || errno == ENOTDIR;
        return is_missing ? STATUS_OK
                          : error_set(error, STATUS_IO, "cannot read the database '%s': %s", path, strerror(errno));
    }
    char *folder = strdup(path), *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (folder == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a path");
    if (slash != NULL)
        slash[slash == folder] = '\0'; // of "/krow.db" the stroke stays
    bool is_writable = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
                       faccessat(AT_FDCWD, slash != NULL ? folder : ".", W_OK, AT_EACCESS) == 0;
    free(folder);
    bool is_empty = S_ISREG(about.st_mode) && about.st_size == 0; // nobody has made the database yet
    *access = is_writable ? DATABASE_WRITABLE : is_empty ? DATABASE_MISSING : DATABASE_READABLE;
    return STATUS_OK;
}

static DatabaseStamp stamp_of(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return (DatabaseStamp){-1, -1};
    return (DatabaseStamp){about.st_size, (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec};
}

bool database_has_changed(const Database *db)
{
    DatabaseStamp now = stamp_of(db->path);
    return now.size != db->stamp.size || now.changed != db->stamp.changed;
}

// Whether there is a file with something in it beside the database.
static bool has_beside(const Database *db, const char *ending)
{
    Text path = {0};
    text_add(&path, "%s%s", db->path, ending);
    bool is_there = path.failed || stamp_of(path.data).size > 0;
    text_close(&path);
    return is_there;
}

// The name of the file as SQLite wants it with an option behind it.
static Status immutable_name(const Database *db, Text *name, Error *error)
{
    char *whole = realpath(db->path, NULL);
    if (whole == NULL)
        return error_set(error, STATUS_IO, "cannot read the database '%s': %s", db->path, strerror(errno));
    text_add(name, "file://");
    for (const char *at = whole; *at != '\0'; at++)
        if (strchr("%?#", *at) != NULL)
            text_add(name, "%%%02X", (unsigned char)*at);
        else
            text_add(name, "%c", *at);
    text_add(name, "?immutable=1");
    free(whole);
    return name->failed ? error_set(error, STATUS_NO_MEMORY, "no memory for a path") : STATUS_OK;
}

// The stamp first: whoever changes the file from now on is noticed, and whoever was about it has left a log.
static Status open_file_to_read(Database *db, Error *error)
{
    Text name = {0};
    db->is_to_read = true;
    db->stamp = stamp_of(db->path);
    bool has_log = has_beside(db, "-wal") || has_beside(db, "-journal");
    db->is_frozen = !has_log;
    Status status = STATUS_OK;
    if (has_log)
        text_add(&name, "%s", db->path);
    else
        status = immutable_name(db, &name, error);
    if (status == STATUS_OK) {
        int flags =
            SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (has_log ? 0 : SQLITE_OPEN_URI);
        int code = sqlite3_open_v2(name.data, &db->connection, flags, NULL);
        if (code != SQLITE_OK)
            status = db->connection != NULL ? database_failed(db, code, error)
                                            : error_set(error, STATUS_NO_MEMORY, "no memory for a database");
    }
    text_close(&name);
    if (status != STATUS_OK)
        return status;
    (void)sqlite3_busy_timeout(db->connection, BUSY_MS);
    status = recognise(db, error);
    if (status == STATUS_IO && has_log)
        error_prefix(error,
                     "there are changes in a log beside it, which somebody who can write there has to take in: ");
    return status == STATUS_OK ? execute(db, "PRAGMA trusted_schema = OFF", error) : status;
}

static Status check_version(Database *db, int version, bool *is_current, Error *error)
{
    int64_t there = 0;
    Status status = ask(db, "PRAGMA user_version", &there, error);
    *is_current = there == version;
    return status == STATUS_OK && there > version ? is_newer(db, there, version, error) : status;
}

Status database_connect_to_read(const char *path, int version, Database **db, bool *is_current, Error *error)
{
    Database *made = make_database(path, error);
    *db = NULL;
    *is_current = false;
    if (made == NULL)
        return path[0] == '\0' ? STATUS_BAD_INPUT : STATUS_NO_MEMORY;
    Status status = open_file_to_read(made, error);
    if (status == STATUS_OK)
        status = check_version(made, version, is_current, error);
    if (status == STATUS_OK && *is_current)
        *db = made;
    else
        database_close(made);
    return status;
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
