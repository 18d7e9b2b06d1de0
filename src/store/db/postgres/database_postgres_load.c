// Bulk inserts into a PostgreSQL table by COPY in binary format, about ten times as fast as a statement for each row.
#include "store/db/postgres/database_postgres_internal.h"

#include "store/db/database_tables_internal.h"

#include <string.h>

// The number of bytes that are collected before they are sent.
enum { BUFFER_MAX = 1 << 16 };

static void add_number(Text *buffer, uint64_t number, unsigned bytes)
{
    char all[8];
    postgres_write_number(all, number);
    text_add_span(buffer, (Span){all + 8 - bytes, bytes});
}

static void add_column(Text *buffer, Value value)
{
    if (value.is_null) {
        add_number(buffer, UINT32_MAX, 4); // a length of -1
    } else if (value.type == COLUMN_INT || value.type == COLUMN_REAL) {
        uint64_t bits = (uint64_t)value.number;
        if (value.type == COLUMN_REAL)
            memcpy(&bits, &value.real, sizeof bits);
        add_number(buffer, 8, 4);
        add_number(buffer, bits, 8);
    } else {
        add_number(buffer, value.bytes.length, 4);
        text_add_span(buffer, value.bytes);
    }
}

static Status send_buffer(Database *db, Error *error)
{
    Postgres *postgres = postgres_of(db);
    Text *buffer = &postgres->load;
    bool is_sent = buffer->length == 0 || PQputCopyData(postgres->link, buffer->data, (int)buffer->length) == 1;
    buffer->length = 0;
    return is_sent ? STATUS_OK : database_failed(db, postgres_code(postgres, NULL), error);
}

Status postgres_load_begin(Database *db, const StoreTable *table, Error *error)
{
    static const char header[] = "PGCOPY\n\377\r\n\0" // the signature
                                 "\0\0\0\0"           // no flags
                                 "\0\0\0";            // no extension; the last zero is the string's terminator
    Postgres *postgres = postgres_of(db);
    Text sql = {0};
    text_add(&sql, "COPY %s (%s) FROM STDIN (FORMAT binary)", table->name, table->columns);
    PGresult *result = PQexec(postgres->link, sql.data);
    text_close(&sql);
    postgres->is_loading = PQresultStatus(result) == PGRES_COPY_IN;
    int code = postgres->is_loading ? 0 : postgres_code(postgres, result);
    PQclear(result);
    postgres->load.length = 0;
    if (code == 0)
        text_add_span(&postgres->load, (Span){header, sizeof header});
    return code == 0 ? STATUS_OK : database_failed(db, code, error);
}

Status postgres_load_row(Database *db, const StoreTable *table, const Query *row, Error *error)
{
    Text *buffer = &postgres_of(db)->load;
    unsigned width = table_width(table);
    add_number(buffer, width, 2);
    for (unsigned i = 0; i < width; i++)
        add_column(buffer, query_value(row, (int)i, table_type(table, i)));
    return buffer->length > BUFFER_MAX ? send_buffer(db, error) : STATUS_OK;
}

Status postgres_load_end(Database *db, Status status, Error *error)
{
    Postgres *postgres = postgres_of(db);
    if (!postgres->is_loading)
        return status;
    add_number(&postgres->load, UINT16_MAX, 2); // the end: a row of -1 columns
    if (status == STATUS_OK)
        status = send_buffer(db, error);
    // After a failure the server discards the rows that follow.
    (void)PQputCopyEnd(postgres->link, status == STATUS_OK ? NULL : "cancelled");
    for (PGresult *result = PQgetResult(postgres->link); result != NULL; result = PQgetResult(postgres->link)) {
        int code = postgres_code(postgres, result);
        if (code != 0 && status == STATUS_OK)
            status = database_failed(db, code, error);
        PQclear(result);
    }
    postgres->is_loading = false;
    text_close(&postgres->load);
    return status;
}
