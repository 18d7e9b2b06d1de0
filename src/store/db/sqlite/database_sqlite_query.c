// Statements of SQLite.
#include "store/db/sqlite/database_sqlite_internal.h"

#include "base/clock.h"
#include "store/db/database_tables_internal.h"

#include <assert.h>

int sqlite_prepare(Database *db, const char *sql, QueryName kept, void **statement)
{
    unsigned flags = kept != QUERY_COUNT ? SQLITE_PREPARE_PERSISTENT : 0;
    sqlite3_stmt *made = NULL;
    int code = sqlite3_prepare_v3(sqlite_of(db)->handle, sql, -1, flags, &made, NULL);
    *statement = made;
    return code;
}

void sqlite_finalize(void *statement)
{
    (void)sqlite3_finalize(statement);
}

// NULL is what an unbound parameter is.
int sqlite_bind_null(void *statement, int place, ColumnType type)
{
    (void)statement;
    (void)place;
    (void)type;
    return SQLITE_OK;
}

int sqlite_bind_int(void *statement, int place, int64_t value)
{
    return sqlite3_bind_int64(statement, place, value);
}

int sqlite_bind_real(void *statement, int place, double value)
{
    return sqlite3_bind_double(statement, place, value);
}

int sqlite_bind_text(void *statement, int place, Span text, bool is_copied)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): SQLite's own constant
    return sqlite3_bind_text64(statement, place, text.at, text.length, is_copied ? SQLITE_TRANSIENT : SQLITE_STATIC,
                               SQLITE_UTF8);
}

int sqlite_bind_blob(void *statement, int place, Span bytes)
{
    return sqlite3_bind_blob64(statement, place, bytes.at, bytes.length, SQLITE_STATIC);
}

int sqlite_step(Database *db, void *statement, int bound, bool *has_row)
{
    (void)db;
    assert(bound == sqlite3_bind_parameter_count(statement));
    (void)bound;
    int code = sqlite3_step(statement);
    *has_row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

void sqlite_reset(void *statement)
{
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
}

// The functions of SQLite that read a column may convert it, so they want a statement that is not const. Nothing that
// is asked for here is converted: every column is read as what it was declared.
static sqlite3_stmt *row_of(const void *statement)
{
    union {
        const void *borrowed;
        sqlite3_stmt *row;
    } same = {statement};
    return same.row;
}

bool sqlite_is_null(const void *statement, int column)
{
    return sqlite3_column_type(row_of(statement), column) == SQLITE_NULL;
}

int64_t sqlite_column_int(const void *statement, int column)
{
    return sqlite3_column_int64(row_of(statement), column);
}

double sqlite_column_real(const void *statement, int column)
{
    return sqlite3_column_double(row_of(statement), column);
}

Span sqlite_column_bytes(const void *statement, int column)
{
    const char *at = sqlite3_column_blob(row_of(statement), column);
    int length = sqlite3_column_bytes(row_of(statement), column);
    return at != NULL ? (Span){at, (size_t)length} : (Span){"", 0};
}

const char *sqlite_column_text(const void *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(row_of(statement), column);
    return text != NULL ? (const char *)text : "";
}

static int is_time_over(void *context)
{
    const Database *db = context;
    return clock_seconds() > db->deadline;
}

void sqlite_set_deadline(Database *db)
{
    enum { STEPS = 2000 }; // of SQLite's machine between two looks at the clock, some ten microseconds
    sqlite3_progress_handler(sqlite_of(db)->handle, STEPS, db->deadline > 0 ? is_time_over : NULL, db);
}

// --- Many rows ---

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

static void bind_column(Query *load, const Query *row, int column, ColumnType type)
{
    if (query_is_null(row, column))
        query_bind_null(load, type);
    else if (type == COLUMN_INT)
        query_bind_int(load, query_int(row, column));
    else if (type == COLUMN_REAL)
        query_bind_real(load, query_real(row, column));
    else if (type == COLUMN_TEXT)
        query_bind_span(load, query_bytes(row, column));
    else
        query_bind_blob(load, query_bytes(row, column));
}

Status sqlite_load_row(Database *db, const StoreTable *table, const Query *row, Error *error)
{
    Query *load = &sqlite_of(db)->load;
    load->bound = 0;
    for (unsigned i = 0; i < table_width(table); i++)
        bind_column(load, row, (int)i, table_type(table, i));
    (void)query_row(load);
    if (load->code != 0)
        return sqlite_explain(db, load->code, error);
    sqlite_reset(load->statement);
    return STATUS_OK;
}

Status sqlite_load_end(Database *db, Status status, Error *error)
{
    Query *load = &sqlite_of(db)->load;
    if (load->statement == NULL)
        return status;
    load->code = 0; // a failure of a row has been reported
    Status ended = query_end(load, status == STATUS_OK ? error : NULL);
    return status != STATUS_OK ? status : ended;
}
