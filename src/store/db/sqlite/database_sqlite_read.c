// Opens a SQLite file without write permission.
//
// SQLite reads a database in WAL mode by means of two files next to it: the log, PATH-wal, and shared memory, PATH-shm.
// If these cannot be created, there are two cases.
//
// With a log, or the journal of a writer without WAL, the file alone is not the database. SQLite opens it normally: it
// needs PATH-shm, or a folder in which it can create it.
//
// Without them the file is the whole database. It is opened as immutable: without locks and without checks for changes.
// Another program may still change it, so its size and time are stored and compared after every statement, and rows
// count only if nothing has changed.
#include "store/db/sqlite/database_sqlite_internal.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether a file exists, and whether it and its folder are writable.
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
        slash[slash == folder] = '\0'; // keeps the slash of "/krow.db"
    bool is_writable = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
                       faccessat(AT_FDCWD, slash != NULL ? folder : ".", W_OK, AT_EACCESS) == 0;
    free(folder);
    bool is_empty = S_ISREG(about.st_mode) && about.st_size == 0; // no database has been created in it yet
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

// Whether a file that is not empty exists next to the database.
static bool has_beside(const Database *db, const char *ending)
{
    Text path = {0};
    text_add(&path, "%s%s", db->path, ending);
    bool is_there = stamp_of(path.data).size > 0;
    text_close(&path);
    return is_there;
}

// The file as a URI, which SQLite needs for the option.
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

// Reads the stamp first: later changes are noticed by it, and a program that began before has left a log.
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
        error_prefix(error, "the write-ahead log has changes that are not in the file; open the database once with "
                            "write permission: ");
    return status;
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
        if (status == STATUS_IO) // it must be migrated first
            error_prefix(error, "the database is of an older krow; open it once with write permission to migrate it: ");
    }
    return status;
}
