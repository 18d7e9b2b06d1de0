// What the files of the PostgreSQL driver share.
#pragma once

#include "store/db/database_driver_internal.h"

#include <libpq-fe.h>

// A SQLSTATE as one number: five characters of six bits, as in PostgreSQL.
#define SQLSTATE_BITS(c) (((c) - '0') & 0x3f)
#define SQLSTATE(a, b, c, d, e)                                                                                        \
    (SQLSTATE_BITS(a) | SQLSTATE_BITS(b) << 6 | SQLSTATE_BITS(c) << 12 | SQLSTATE_BITS(d) << 18 |                      \
     SQLSTATE_BITS(e) << 24)
#define SQLSTATE_CLASS(code) ((code)&0xfff)

// SQL: the relations of the schema for new tables.
#define POSTGRES_RELATIONS                                                                                             \
    " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"                             \
    " WHERE n.nspname = current_schema()"

// krow's own codes, in addition to those of the server.
enum { POSTGRES_LOST = -1, POSTGRES_NO_MEMORY = -2 };

enum { POSTGRES_CHANNELS_MAX = 8, POSTGRES_CHANNEL_SIZE = 64 };

// The connection of a database.
typedef struct {
    PGconn *link;
    unsigned generation;           // counts connections: a new one has no prepared statements
    bool is_forbidden;             // the last failure was a missing privilege
    char message[ERROR_TEXT_SIZE]; // of the last failure, from the server or libpq
    double timeout;                // statement_timeout on the server, in seconds; 0: none
    bool is_loading;               // a bulk insert is in progress
    Text load;                     // its rows that are not sent yet
    unsigned channel_count;        // subscriptions, also after a lost connection
    char channels[POSTGRES_CHANNELS_MAX][POSTGRES_CHANNEL_SIZE];
} Postgres;

static inline Postgres *postgres_of(const Database *db)
{
    return db->connection;
}

// --- database_postgres.c ---

// Copies the message of a failed result (NULL: of the connection) and returns its code; 0 for success.
int postgres_code(Postgres *postgres, const PGresult *result);
// The same, and clears the result.
int postgres_done(Postgres *postgres, PGresult *result);

// Reconnects if the connection is lost and no transaction depends on it.
int postgres_revive(Database *db);

// --- database_postgres_care.c ---

Status postgres_check(Database *db, Error *error);
Status postgres_describe(Database *db, DatabaseAbout *about, Error *error);
Status postgres_read_counter(Database *db, const StoreTable *table, int64_t *last, Error *error);
Status postgres_write_counter(Database *db, const StoreTable *table, int64_t last, Error *error);
Status postgres_listen(Database *db, const char *channel, Error *error);
int postgres_listen_again(Database *db);
Status postgres_wait(Database *db, double seconds, bool *was_notified, Error *error);

// --- database_postgres_load.c ---

Status postgres_load_begin(Database *db, const StoreTable *table, Error *error);
Status postgres_load_row(Database *db, const StoreTable *table, const Query *row, Error *error);
Status postgres_load_end(Database *db, Status status, Error *error);

// --- database_postgres_query.c ---

// Big-endian, as in the server's binary format.
void postgres_write_number(char bytes[8], uint64_t number);

extern const DriverStatements postgres_statements;
