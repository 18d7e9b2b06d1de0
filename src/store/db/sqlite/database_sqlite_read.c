// A file of SQLite opened without the right to write.
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
#include "store/db/sqlite/database_sqlite_internal.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What can be done with a file: whether it is there, and whether it and its folder can be written.
typedef enum { FILE_MISSING, FILE_READABLE, FILE_WRITABLE } FileAccess;

static Status access_of(const char *path, FileAccess *access, Error *error)
{
    struct stat about;
    *access = FILE_MISSING;
    if (path[0] == '\0')
        return error_set(error, STATUS_BAD_INPUT, "the path of the database is empty");
    if (stat(path, &about) != 0) {
        bool is_missing = errno == ENOENT || errno == ENOTDIR;
        return is_missing ? STATUS_OK
                          : error_set(error, STATUS_IO, "cannot read the database '%s': %s", path, strerror(errno));
    }
    char *folder = memory_copy_text(path), *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0'; // of "/krow.db" the stroke stays
    bool is_writable = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
                       faccessat(AT_FDCWD, slash != NULL ? folder : ".", W_OK, AT_EACCESS) == 0;
    free(folder);
    bool is_empty = S_ISREG(about.st_mode) && about.st_size == 0; // the database has not been created yet
    *access = is_writable ? FILE_WRITABLE : is_empty ? FILE_MISSING : FILE_READABLE;
    return STATUS_OK;
}

static FileStamp stamp_of(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return (FileStamp){-1, -1};
    return (FileStamp){about.st_size, (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec};
}

int sqlite_settle(const Database *db)
{
    const Sqlite *sqlite = sqlite_of(db);
    if (!sqlite->is_frozen)
        return SQLITE_OK;
    FileStamp now = stamp_of(db->path);
    bool has_changed = now.size != sqlite->stamp.size || now.changed != sqlite->stamp.changed;
    return has_changed ? SQLITE_BUSY_SNAPSHOT : SQLITE_OK;
}

// Whether there is a file with something in it beside the database.
static bool has_beside(const Database *db, const char *ending)
{
    Text path = {0};
    text_add(&path, "%s%s", db->path, ending);
    bool is_there = stamp_of(path.data).size > 0;
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
    return STATUS_OK;
}

// The stamp first: a program that changes the file from now on is noticed, and one that began before has left a log.
static Status open_file_to_read(Database *db, Error *error)
{
    Text name = {0};
    Sqlite *sqlite = db->connection = memory_new(1, sizeof(Sqlite));
    sqlite->is_to_read = true;
    sqlite->stamp = stamp_of(db->path);
    bool has_log = has_beside(db, "-wal") || has_beside(db, "-journal");
    sqlite->is_frozen = !has_log;
    Status status = STATUS_OK;
    if (has_log)
        text_add(&name, "%s", db->path);
    else
        status = immutable_name(db, &name, error);
    if (status == STATUS_OK)
        status = sqlite_open_handle(db, name.data, SQLITE_OPEN_READONLY | (has_log ? 0 : SQLITE_OPEN_URI), error);
    text_close(&name);
    if (status == STATUS_IO && has_log)
        error_prefix(error,
                     "there are changes in a log beside it, which somebody who can write there has to take in: ");
    return status == STATUS_OK ? sqlite_execute(db, "PRAGMA trusted_schema = OFF", error) : status;
}

static Status check_version(Database *db, int version, bool *is_current, Error *error)
{
    int64_t there = 0;
    Status status = sqlite_read_version(db, &there, error);
    *is_current = there == version;
    return status == STATUS_OK && (there > version || there < 0) ? database_refuse_version(db, there, version, error)
                                                                 : status;
}

Status sqlite_connect_to_read(const char *path, int version, Database **db, bool *is_current, Error *error)
{
    Database *made = NULL;
    *db = NULL;
    *is_current = false;
    Status status = database_make(&driver_sqlite, path, &made, error);
    if (status == STATUS_OK)
        status = open_file_to_read(made, error);
    if (status == STATUS_OK)
        status = check_version(made, version, is_current, error);
    if (status == STATUS_OK && *is_current)
        *db = made;
    else
        database_close(made);
    return status;
}

Status sqlite_open_to_read(const char *where, Database **db, Error *error)
{
    FileAccess access = FILE_MISSING;
    bool is_current = false;
    Status status = access_of(where, &access, error);
    if (status == STATUS_OK && access == FILE_WRITABLE)
        status = database_open(where, db, error);
    if (status == STATUS_OK && access == FILE_READABLE) {
        status = sqlite_connect_to_read(where, migration_count(), db, &is_current, error);
        if (status != STATUS_OK || is_current)
            return status;
        status = database_open(where, db, error);
        if (status == STATUS_IO) // its tables have to be changed first
            error_prefix(error,
                         "the database is of an older krow and has to be brought up to date before it can be read: ");
    }
    return status;
}
