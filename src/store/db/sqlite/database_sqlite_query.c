// Prepared statements and bulk inserts of SQLite.
#include "store/db/sqlite/database_sqlite_internal.h"

#include "base/clock.h"
#include "store/db/database_tables_internal.h"

#include <assert.h>

static int prepare(Database *db, const char *sql, QueryName kept, void **statement)
{
    unsigned flags = kept != QUERY_COUNT ? SQLITE_PREPARE_PERSISTENT : 0;
    sqlite3_stmt *made = NULL;
    int code = sqlite3_prepare_v3(sqlite_of(db)->handle, sql, -1, flags, &made, NULL);
    *statement = made;
    return code;
}

static void finalize(void *statement)
{
    (void)sqlite3_finalize(statement);
}

// Unbound parameters are NULL.
static int bind(void *statement, int place, const Value *value)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): SQLite's own constant
    sqlite3_destructor_type lifetime = value->is_copied ? SQLITE_TRANSIENT : SQLITE_STATIC;
    if (value->is_null)
        return SQLITE_OK;
    switch (value->type) {
    case COLUMN_INT:
        return sqlite3_bind_int64(statement, place, value->number);
    case COLUMN_REAL:
        return sqlite3_bind_double(statement, place, value->real);
    case COLUMN_TEXT:
        return sqlite3_bind_text64(statement, place, value->bytes.at, value->bytes.length, lifetime, SQLITE_UTF8);
    case COLUMN_BLOB:
        break;
    }
    return sqlite3_bind_blob64(statement, place, value->bytes.at, value->bytes.length, lifetime);
}

static int step(Database *db, void *statement, int bound, bool *has_row)
{
    (void)db;
    assert(bound == sqlite3_bind_parameter_count(statement));
    (void)bound;
    int code = sqlite3_step(statement);
    *has_row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static void reset(void *statement)
{
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
}

// SQLite's column functions may convert a value in place, so they need a statement that is not const. Here nothing is
// converted: every column is read with its declared type.
static sqlite3_stmt *row_of(const void *statement)
{
    union {
        const void *borrowed;
        sqlite3_stmt *row;
    } same = {statement};
    return same.row;
}

static Value column_value(const void *statement, int column, ColumnType type)
{
    sqlite3_stmt *row = row_of(statement);
    Value value = {.type = type, .is_null = sqlite3_column_type(row, column) == SQLITE_NULL, .bytes = {"", 0}};
    if (type == COLUMN_INT)
        value.number = sqlite3_column_int64(row, column);
    else if (type == COLUMN_REAL)
        value.real = sqlite3_column_double(row, column);
    else if (!value.is_null) {
        const void *at = type == COLUMN_TEXT ? sqlite3_column_text(row, column) : sqlite3_column_blob(row, column);
        size_t length = (size_t)sqlite3_column_bytes(row, column);
        value.bytes = at != NULL ? (Span){at, length} : value.bytes;
    }
    return value;
}

static int is_time_over(void *context)
{
    const Database *db = context;
    return clock_seconds() > db->deadline;
}

static void set_deadline(Database *db)
{
    enum { STEPS = 2000 }; // of SQLite's virtual machine between checks of the clock, about ten microseconds
    sqlite3_progress_handler(sqlite_of(db)->handle, STEPS, db->deadline > 0 ? is_time_over : NULL, db);
}

const DriverStatements sqlite_statements = {
    .prepare = prepare,
    .finalize = finalize,
    .bind = bind,
    .step = step,
    .reset = reset,
    .column = column_value,
    .settle = sqlite_settle,
    .set_deadline = set_deadline,
};

Status sqlite_load_begin(Database *db, const StoreTable *table, Error *error)
{
    Text sql = {0};
    text_add(&sql, "INSERT INTO %s (%s) VALUES (?", table->name, table->columns);
    for (unsigned i = 1; i < table_width(table); i++)
        text_add(&sql, ", ?");
    text_add(&sql, ")");
    Query *load = &sqlite_of(db)->load;
    *load = query_prepare(db, sql.data);
    text_close(&sql);
    return load->code == 0 ? STATUS_OK : query_end(load, error);
}

Status sqlite_load_row(Database *db, const StoreTable *table, const Query *row, Error *error)
{
    Query *load = &sqlite_of(db)->load;
    load->bound = 0;
    load->is_over = false;
    for (unsigned i = 0; i < table_width(table); i++)
        query_bind(load, query_value(row, (int)i, table_type(table, i)));
    (void)query_row(load);
    if (load->code != 0)
        return sqlite_explain(db, load->code, error);
    reset(load->statement);
    return STATUS_OK;
}

Status sqlite_load_end(Database *db, Status status, Error *error)
{
    Query *load = &sqlite_of(db)->load;
    if (load->statement == NULL)
        return status;
    load->code = 0; // the failure of a row has been reported
    return query_end_after(load, status, error);
}
