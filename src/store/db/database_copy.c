// Copies a database table by table, and verifies the copy by checksums.
#include "store/db/database_copy.h"

#include "base/memory.h"
#include "store/db/connection.h"
#include "store/db/database_tables_internal.h"

#include <stdlib.h>

// A copy in progress.
typedef struct {
    const DatabaseCopy *wanted;
    Database *from, *to;
    uint64_t done, total; // rows, in the current stage
} Copying;

static Status watch(Copying *copying, DatabaseCopyStage stage, const char *table, Error *error)
{
    DatabaseCopyStep step = {stage, table, copying->done, copying->total};
    bool is_wanted = copying->wanted->watch == NULL || copying->wanted->watch(copying->wanted->context, &step);
    return is_wanted ? STATUS_OK : error_set(error, STATUS_INTERRUPTED, "the copy was interrupted");
}

// Takes the lock that each page takes: the server may still process the last page of a copy that was killed.
static Status write_mark(Database *to, int64_t version, Error *error)
{
    Status status = transaction_lock(to, LOCK_TABLES, error);
    return status == STATUS_OK ? to->driver->write_version(to, version, error) : status;
}

// The mark of an unfinished copy is its negative version, which nothing else opens.
static Status mark_target(Database *to, int64_t version, Error *error)
{
    return IN_TRANSACTION(to, write_mark(to, version, error), error);
}

static Status count_all(Database *db, uint64_t *rows, Error *error)
{
    Status status = STATUS_OK;
    *rows = 0;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++) {
        uint64_t count = 0;
        status = table_count(db, &store_tables[i], &count, error);
        *rows += count;
    }
    return status;
}

static Status delete_all(Database *to, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = store_table_count; i-- > 0 && status == STATUS_OK;) {
        Text sql = {0};
        text_add(&sql, "DELETE FROM %s", store_tables[i].name);
        status = to->driver->execute(to, sql.data, error);
        text_close(&sql);
    }
    return status;
}

// Accepts no tables, an unfinished copy, or a complete database, which is not changed.
static Status prepare_target(Copying *copying, bool *is_whole, Error *error)
{
    Database *to = copying->to;
    int64_t version = 0;
    uint64_t rows = 0;
    *is_whole = false;
    Status status = database_read_version(to, &version, error);
    if (status == STATUS_OK && version == 0)
        return database_make_tables(to, -migration_count(), error);
    if (status != STATUS_OK)
        return status;
    if (version == -migration_count()) {
        status = mark_target(to, version, error);
        return status == STATUS_OK && copying->wanted->is_fresh ? IN_TRANSACTION(to, delete_all(to, error), error)
                                                                : status;
    }
    if (version != migration_count())
        return error_set(error, STATUS_FAILED, "'%s' is of another version of krow; copy to an empty database",
                         to->path);
    database_lock(to);
    status = count_all(to, &rows, error);
    database_unlock(to);
    *is_whole = rows > 0;
    return status == STATUS_OK && !*is_whole ? mark_target(to, -migration_count(), error) : status;
}

typedef struct {
    Database *to;
    const StoreTable *table;
} Loading;

static Status load_row(void *context, const Query *row, Error *error)
{
    const Loading *loading = context;
    return loading->to->driver->load_row(loading->to, loading->table, row, error);
}

// Within a transaction of the target.
static Status load_page(Database *to, TableWalk *walk, Error *error)
{
    Loading loading = {to, walk->table};
    Status status = transaction_lock(to, LOCK_TABLES, error);
    if (status == STATUS_OK)
        status = to->driver->load_begin(to, walk->table, error);
    if (status == STATUS_OK)
        status = table_walk_page(walk, TABLE_PAGE, load_row, &loading, error);
    return to->driver->load_end(to, status, error);
}

// Not retried, since a walk that has moved cannot go back. It moves only after a whole page was read; if the commit
// then has a conflict, the copy fails and can be continued by another one.
static Status write_table(Copying *copying, TableWalk *walk, Error *error)
{
    uint64_t read = TABLE_PAGE;
    Status status = STATUS_OK;
    while (status == STATUS_OK && read == TABLE_PAGE) {
        Attempt attempt = {0};
        uint64_t before = walk->rows;
        status = watch(copying, COPY_WRITING, walk->table->name, error);
        if (transaction_try(copying->to, &attempt, &status, error))
            status = transaction_end(copying->to, load_page(copying->to, walk, error), error);
        read = walk->rows - before;
        copying->done += status == STATUS_OK ? read : 0;
    }
    return status;
}

// Moves a walk to this number of rows.
static Status pass(Copying *copying, TableWalk *walk, uint64_t rows, DatabaseCopyStage stage, Error *error)
{
    uint64_t read = 1;
    Status status = STATUS_OK;
    while (status == STATUS_OK && read > 0 && walk->rows < rows) {
        uint64_t before = walk->rows, left = rows - before;
        status = watch(copying, stage, walk->table->name, error);
        if (status == STATUS_OK)
            status = table_walk_page(walk, left < TABLE_PAGE ? (unsigned)left : TABLE_PAGE, NULL, NULL, error);
        read = walk->rows - before;
        copying->done += status == STATUS_OK ? read : 0;
    }
    return status;
}

// Moves a walk over all rows of a target's table, and counts them.
static Status pass_target(Copying *copying, TableWalk *walk, uint64_t *rows, DatabaseCopyStage stage, Error *error)
{
    database_lock(copying->to);
    Status status = table_count(copying->to, walk->table, rows, error);
    if (status == STATUS_OK)
        status = pass(copying, walk, *rows, stage, error);
    database_unlock(copying->to);
    return status;
}

// The rows of an earlier copy must be the first rows of the source.
static Status compare_beginning(Copying *copying, TableWalk *walk, Error *error)
{
    TableWalk there = {.db = copying->to, .table = walk->table};
    uint64_t rows = 0;
    Status status = pass_target(copying, &there, &rows, COPY_COMPARING, error);
    if (status == STATUS_OK)
        status = pass(copying, walk, rows, COPY_COMPARING, error);
    if (status == STATUS_OK && (walk->rows != rows || there.rows != rows || walk->checksum != there.checksum))
        status = error_set(error, STATUS_FAILED,
                           "cannot continue the copy in '%s': its table %s differs from the source; --fresh starts the "
                           "copy again",
                           copying->to->path, walk->table->name);
    table_walk_close(&there);
    return status;
}

static Status copy_counter(Copying *copying, const StoreTable *table, Error *error)
{
    int64_t last = 0, highest = 0;
    Text sql = {0};
    text_add(&sql, "SELECT max(id) FROM %s", table->name);
    Status status = database_ask(copying->from, sql.data, &highest, error);
    text_close(&sql);
    if (status == STATUS_OK)
        status = copying->from->driver->read_counter(copying->from, table, &last, error);
    if (last < highest)
        last = highest;
    if (status != STATUS_OK)
        return status;
    Database *to = copying->to;
    return IN_TRANSACTION(to, to->driver->write_counter(to, table, last, error), error);
}

static Status verify_table(Copying *copying, const TableWalk *source, DatabaseTable *summaries, Error *error)
{
    TableWalk there = {.db = copying->to, .table = source->table};
    uint64_t rows = 0;
    Status status = pass_target(copying, &there, &rows, COPY_VERIFYING, error);
    *summaries = (DatabaseTable){.name = source->table->name, .rows = there.rows, .checksum = there.checksum};
    if (status == STATUS_OK && (there.rows != source->rows || rows != there.rows || there.checksum != source->checksum))
        status = error_set(error, STATUS_FAILED,
                           "table %s of '%s' differs from the source: %llu rows with checksum %016llx instead of %llu "
                           "with %016llx",
                           source->table->name, copying->to->path, (unsigned long long)there.rows,
                           (unsigned long long)there.checksum, (unsigned long long)source->rows,
                           (unsigned long long)source->checksum);
    table_walk_close(&there);
    return status;
}

static Status write_all(Copying *copying, TableWalk *walks, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++)
        status = compare_beginning(copying, &walks[i], error);
    copying->done = 0;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++)
        copying->done += walks[i].rows;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++)
        status = write_table(copying, &walks[i], error);
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++)
        if (store_tables[i].has_id)
            status = copy_counter(copying, &store_tables[i], error);
    return status;
}

// Reads the checksums of the source for a target that is complete already.
static Status read_all(Copying *copying, TableWalk *walks, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++)
        status = pass(copying, &walks[i], UINT64_MAX, COPY_COMPARING, error);
    return status;
}

static Status copy_tables(Copying *copying, DatabaseTable *summaries, Error *error)
{
    bool is_whole = false;
    TableWalk *walks = memory_new(store_table_count, sizeof *walks);
    for (unsigned i = 0; i < store_table_count; i++)
        walks[i] = (TableWalk){.db = copying->from, .table = &store_tables[i]};
    Status status = count_all(copying->from, &copying->total, error);
    if (status == STATUS_OK)
        status = prepare_target(copying, &is_whole, error);
    if (status == STATUS_OK)
        status = is_whole ? read_all(copying, walks, error) : write_all(copying, walks, error);
    copying->done = 0;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK; i++)
        status = verify_table(copying, &walks[i], &summaries[i], error);
    if (status == STATUS_FAILED && is_whole)
        error_prefix(error, "the target is not empty and has other content; copy to an empty database: ");
    if (status == STATUS_OK && !is_whole)
        status = mark_target(copying->to, migration_count(), error);
    for (unsigned i = 0; i < store_table_count; i++)
        table_walk_close(&walks[i]);
    free(walks);
    return status;
}

static Status copy_opened(Copying *copying, Error *error)
{
    DatabaseTable *summaries = memory_new(store_table_count, sizeof *summaries);
    Status status = IN_SNAPSHOT(copying->from, copy_tables(copying, summaries, error), error);
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK && copying->wanted->take_table != NULL; i++)
        if (!copying->wanted->take_table(copying->wanted->context, &summaries[i]))
            break;
    free(summaries);
    return status;
}

Status database_copy(const char *from, const char *to, const DatabaseCopy *copy, Error *error)
{
    Copying copying = {.wanted = copy};
    Status status = database_open_to_read(from, &copying.from, error);
    if (status == STATUS_OK && copying.from == NULL)
        status = error_set(error, STATUS_BAD_INPUT, "there is no database '%s' to copy",
                           connection_is_text(from) ? "of that connection" : from);
    if (status == STATUS_OK)
        status = database_connect(to, &copying.to, error);
    if (status == STATUS_OK)
        status = copy_opened(&copying, error);
    database_close(copying.to);
    database_close(copying.from);
    return status;
}
