// Schema versions and migrations.
#include "store/db/database_driver_internal.h"

Status database_read_version(Database *db, int64_t *version, Error *error)
{
    database_lock(db);
    Status status = db->driver->read_version(db, version, error);
    database_unlock(db);
    return status;
}

Status database_refuse_version(const Database *db, int64_t version, int known, Error *error)
{
    if (version < 0)
        return error_set(error, STATUS_FAILED,
                         "the database '%s' is an unfinished copy; run the same 'krow db copy' again to continue",
                         db->path);
    return error_set(error, STATUS_FAILED,
                     "the database '%s' has version %lld, made by a newer krow; this krow supports versions up to %d",
                     db->path, (long long)version, known);
}

static Status apply(Database *db, Span step, int version, Error *error)
{
    Text text = {0};
    dialect_expand(db->driver, step, &text);
    Status status = db->driver->execute(db, text.data, error);
    text_close(&text);
    if (status == STATUS_OK)
        status = db->driver->write_version(db, version + 1, error);
    if (status != STATUS_OK)
        error_prefix(error, "migration from version %d to %d: ", version, version + 1);
    return status;
}

static Status make_all(Database *db, int64_t mark, Error *error)
{
    int64_t now = 0;
    Status status = transaction_lock(db, LOCK_TABLES, error);
    if (status == STATUS_OK)
        status = db->driver->read_version(db, &now, error);
    if (status == STATUS_OK && now != 0)
        return error_set(error, STATUS_FAILED, "another program has just started to use the database '%s'", db->path);
    for (int next = 0; status == STATUS_OK && next < migration_count(); next++)
        status = apply(db, migrations[next], next, error);
    return status == STATUS_OK ? db->driver->write_version(db, mark, error) : status;
}

Status database_make_tables(Database *db, int64_t mark, Error *error)
{
    return IN_TRANSACTION(db, make_all(db, mark, error), error);
}

// Another program may have applied the step since the version was read.
static Status migrate_one(Database *db, Span step, int version, Error *error)
{
    int64_t now = 0;
    Status status = transaction_lock(db, LOCK_TABLES, error);
    if (status == STATUS_OK)
        status = db->driver->read_version(db, &now, error);
    return status == STATUS_OK && now == version ? apply(db, step, version, error) : status;
}

Status database_migrate(Database *db, const Span *steps, int count, Error *error)
{
    int64_t version = 0;
    Status status = database_read_version(db, &version, error);
    if (status == STATUS_OK && (version > count || version < 0))
        return database_refuse_version(db, version, count, error);
    for (int next = (int)version; status == STATUS_OK && next < count; next++)
        status = IN_TRANSACTION(db, migrate_one(db, steps[next], next, error), error);
    return status;
}
