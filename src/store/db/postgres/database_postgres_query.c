// Statements of PostgreSQL. A statement runs completely at its first step, and its rows are held in memory until its
// end; large results are read in pages. Parameters and rows use the binary format of their types.
#include "store/db/postgres/database_postgres_internal.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MAX = 40 };

// Type OIDs of the server, which never change (pg_type.dat).
enum { TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_TEXT = 25, TYPE_FLOAT8 = 701 };

typedef struct {
    char *sql;           // with $1, $2 … for the question marks; owned
    char name[16];       // on the server; "" for a statement that is used once
    unsigned generation; // of the connection on which it is prepared; 0: none
    PGresult *result;    // NULL: not run
    int row;             // current row
    Oid types[PARAMETERS_MAX];
    const char *values[PARAMETERS_MAX];
    int lengths[PARAMETERS_MAX];
    int formats[PARAMETERS_MAX];
    char numbers[PARAMETERS_MAX][8]; // the bytes of numbers in `values`
    char *copies[PARAMETERS_MAX];    // the copied texts in `values`; owned
    unsigned copy_count;
} Statement;

// Numbers the question marks outside of quotes.
static void number_marks(const char *sql, Text *text)
{
    unsigned count = 0;
    bool is_quoted = false;
    for (const char *at = sql; *at != '\0'; at++) {
        is_quoted ^= *at == '\'';
        if (*at == '?' && !is_quoted)
            text_add(text, "$%u", ++count);
        else
            text_add_span(text, (Span){at, 1});
    }
}

static int prepare(Database *db, const char *sql, QueryName kept, void **statement)
{
    (void)db;
    Text text = {0};
    Statement *made = memory_new(1, sizeof *made);
    number_marks(sql, &text);
    made->sql = text.data;
    if (kept != QUERY_COUNT)
        (void)snprintf(made->name, sizeof made->name, "krow%d", (int)kept);
    *statement = made;
    return 0;
}

static void reset(void *statement)
{
    Statement *own = statement;
    PQclear(own->result);
    own->result = NULL;
    for (unsigned i = 0; i < own->copy_count; i++)
        free(own->copies[i]);
    own->copy_count = 0;
}

static void finalize(void *statement)
{
    Statement *own = statement;
    if (own == NULL)
        return;
    reset(own);
    free(own->sql);
    free(own);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void postgres_write_number(char bytes[8], uint64_t number)
{
    for (int i = 7; i >= 0; i--, number >>= 8)
        bytes[i] = (char)(uint8_t)number;
}

static int bind(void *statement, int place, const Value *value)
{
    static const Oid types[] = {
        [COLUMN_INT] = TYPE_INT8, [COLUMN_REAL] = TYPE_FLOAT8, [COLUMN_TEXT] = TYPE_TEXT, [COLUMN_BLOB] = TYPE_BYTEA};
    Statement *own = statement;
    assert(place >= 1 && place <= PARAMETERS_MAX);
    int i = place - 1;
    bool is_number = value->type == COLUMN_INT || value->type == COLUMN_REAL;
    Span bytes = is_number ? (Span){own->numbers[i], 8} : value->bytes;
    if (is_number)
        postgres_write_number(own->numbers[i],
                              value->type == COLUMN_INT ? (uint64_t)value->number : bits_of(value->real));
    if (value->is_copied)
        bytes.at = own->copies[own->copy_count++] = memory_copy(bytes.at, bytes.length);
    own->types[i] = types[value->type];
    own->values[i] = value->is_null ? NULL : bytes.length > 0 ? bytes.at : "";
    own->lengths[i] = value->is_null ? 0 : (int)bytes.length;
    own->formats[i] = 1;
    return 0;
}

static void set_deadline(Database *db)
{
    Postgres *postgres = postgres_of(db);
    if (db->deadline > 0 || postgres->timeout <= 0)
        return; // run() sets it before each statement, to the time that is left
    PQclear(PQexec(postgres->link, "SET statement_timeout = 0"));
    postgres->timeout = 0;
}

// Lets the server cancel the next statement at the deadline.
static int set_timeout(Database *db)
{
    Postgres *postgres = postgres_of(db);
    char sql[64];
    double left = db->deadline - clock_seconds();
    if (left <= 0)
        return SQLSTATE('5', '7', '0', '1', '4');
    (void)snprintf(sql, sizeof sql, "SET statement_timeout = %d", left < 3600 ? (int)(left * 1000) + 1 : 3600000);
    postgres->timeout = left;
    return postgres_done(postgres, PQexec(postgres->link, sql));
}

static int send_kept(Postgres *postgres, Statement *statement, int bound)
{
    if (statement->generation == postgres->generation)
        return 0;
    int code =
        postgres_done(postgres, PQprepare(postgres->link, statement->name, statement->sql, bound, statement->types));
    if (code == 0)
        statement->generation = postgres->generation;
    return code;
}

static int run(Database *db, Statement *statement, int bound)
{
    Postgres *postgres = postgres_of(db);
    int code = postgres_revive(db);
    if (code == 0 && db->deadline > 0)
        code = set_timeout(db);
    if (code == 0 && statement->name[0] != '\0')
        code = send_kept(postgres, statement, bound);
    if (code != 0)
        return code;
    statement->result = statement->name[0] != '\0'
                            ? PQexecPrepared(postgres->link, statement->name, bound, statement->values,
                                             statement->lengths, statement->formats, 1)
                            : PQexecParams(postgres->link, statement->sql, bound, statement->types, statement->values,
                                           statement->lengths, statement->formats, 1);
    statement->row = -1;
    return postgres_code(postgres, statement->result);
}

static int step(Database *db, void *statement, int bound, bool *has_row)
{
    Statement *own = statement;
    int code = own->result == NULL ? run(db, own, bound) : 0;
    *has_row = code == 0 && ++own->row < PQntuples(own->result);
    return code;
}

static uint64_t read_number(Span bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes.length && i < 8; i++)
        number = number << 8 | (uint8_t)bytes.at[i];
    return number;
}

static Value column_value(const void *statement, int column, ColumnType type)
{
    const Statement *own = statement;
    // Empty for NULL. libpq puts a zero byte after every value, also in binary format.
    Span bytes = {PQgetvalue(own->result, own->row, column), (size_t)PQgetlength(own->result, own->row, column)};
    Value value = {.type = type, .is_null = PQgetisnull(own->result, own->row, column) != 0, .bytes = bytes};
    uint64_t number = type == COLUMN_INT || type == COLUMN_REAL ? read_number(bytes) : 0;
    if (type == COLUMN_INT)
        value.number = bytes.length == 4 ? (int32_t)(uint32_t)number : (int64_t)number;
    if (type == COLUMN_REAL)
        memcpy(&value.real, &number, sizeof value.real);
    return value;
}

const DriverStatements postgres_statements = {
    .prepare = prepare,
    .finalize = finalize,
    .bind = bind,
    .step = step,
    .reset = reset,
    .column = column_value,
    .set_deadline = set_deadline,
};
