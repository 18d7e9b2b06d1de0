// Versions of the tables: the steps that lead to them.
#include "store/db/database_driver_internal.h"

Status database_refuse_version(const Database *db, int64_t version, int known, Error *error)
{
    if (version < 0)
        return error_set(
            error, STATUS_FAILED,
            "the database '%s' is a copy that is not finished; 'krow db copy' with the same source goes on", db->path);
    return error_set(error, STATUS_FAILED,
                     "the database '%s' was made by a newer krow: it has version %lld, and this krow knows versions up "
                     "to %d",
                     db->path, (long long)version, known);
}

static Status apply(Database *db, const char *step, int version, Error *error)
{
    Text text = {0};
    dialect_expand(db->driver, step, &text);
    Status status = db->driver->execute(db, text.data, error);
    text_close(&text);
    if (status == STATUS_OK)
        status = db->driver->write_version(db, version + 1, error);
    if (status != STATUS_OK)
        error_prefix(error, "from version %d to %d: ", version, version + 1);
    return status;
}

static Status make_all(Database *db, int64_t mark, Error *error)
{
    int64_t now = 0;
    Status status = db->driver->lock_tables(db, error);
    if (status == STATUS_OK)
        status = db->driver->read_version(db, &now, error);
    if (status == STATUS_OK && now != 0)
        return error_set(error, STATUS_FAILED, "another program has just begun to use the database '%s'", db->path);
    for (int next = 0; status == STATUS_OK && next < migration_count; next++)
        status = apply(db, migrations[next], next, error);
    return status == STATUS_OK ? db->driver->write_version(db, mark, error) : status;
}

Status database_make_tables(Database *db, int64_t mark, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, make_all(db, mark, error), error);
    return status;
}

// One step. Another program may have done it since the version was read.
static Status migrate_one(Database *db, const char *step, int version, Error *error)
{
    int64_t now = 0;
    Status status = db->driver->lock_tables(db, error);
    if (status == STATUS_OK)
        status = db->driver->read_version(db, &now, error);
    return status == STATUS_OK && now == version ? apply(db, step, version, error) : status;
}

Status database_migrate(Database *db, const char *const *steps, int count, Error *error)
{
    int64_t version = 0;
    database_lock(db);
    Status status = db->driver->read_version(db, &version, error);
    database_unlock(db);
    if (status == STATUS_OK && (version > count || version < 0))
        return database_refuse_version(db, version, count, error);
    for (int next = (int)version; status == STATUS_OK && next < count; next++)
        for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
            status = transaction_end(db, migrate_one(db, steps[next], next, error), error);
    return status;
}
