// PostgreSQL: integrity checks, sizes, counters of tables, notifications.
#include "store/db/postgres/database_postgres_internal.h"

#include "base/clock.h"
#include "store/db/database_tables_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static Status read_texts(Database *db, const char *sql, TextList *texts, Error *error)
{
    Query query = query_prepare(db, sql);
    return query_text_list(&query, texts, error);
}

// For each foreign key, a single column, a statement that finds its first broken reference: row number and both tables.
static const char references[] =
    "SELECT format('SELECT row_number, %L, %L FROM (SELECT row_number() OVER (), %I AS reference FROM %s) r"
    " WHERE reference IS NOT NULL AND NOT EXISTS (SELECT FROM %s t WHERE t.%I = r.reference) LIMIT 1',"
    "  c.conrelid::regclass, c.confrelid::regclass, a.attname, c.conrelid::regclass, c.confrelid::regclass, f.attname)"
    " FROM pg_catalog.pg_constraint c"
    " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]"
    " JOIN pg_catalog.pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]"
    " WHERE c.contype = 'f' AND c.connamespace = (SELECT oid FROM pg_catalog.pg_namespace"
    "  WHERE nspname = current_schema()) ORDER BY c.conrelid::regclass::text, a.attname";

// For each table a statement that reads every value: the server then finds damaged pages.
static const char tables[] = "SELECT format('SELECT count(t::text) FROM %s t', c.oid::regclass)" POSTGRES_RELATIONS
                             " AND c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1";

Status postgres_check(Database *db, Error *error)
{
    TextList texts = {0};
    int64_t count = 0;
    Status status = read_texts(db, tables, &texts, error);
    for (size_t i = 0; i < texts.count && status == STATUS_OK; i++)
        status = database_ask(db, texts.list[i], &count, error);
    text_list_close(&texts);
    if (status == STATUS_OK)
        status = read_texts(db, references, &texts, error);
    for (size_t i = 0; i < texts.count && status == STATUS_OK; i++)
        status = database_check_reference(db, texts.list[i], error);
    text_list_close(&texts);
    return status;
}

Status postgres_describe(Database *db, DatabaseAbout *about, Error *error)
{
    const char *version = PQparameterStatus(postgres_of(db)->link, "server_version");
    size_t length = version != NULL ? strcspn(version, " ") : 0; // without the name of the distribution
    (void)snprintf(about->engine_version, sizeof about->engine_version, "%.*s", (int)length,
                   version != NULL ? version : "");
    return database_ask(db,
                        "SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS BIGINT)" POSTGRES_RELATIONS
                        " AND c.relkind = 'r'",
                        &about->bytes, error);
}

Status postgres_read_counter(Database *db, const StoreTable *table, int64_t *last, Error *error)
{
    Query query = query_prepare(db, "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, 'id') AS regclass))");
    query_bind(&query, value_text(table->name));
    return query_number(&query, last, error);
}

Status postgres_write_counter(Database *db, const StoreTable *table, int64_t last, Error *error)
{
    if (last <= 0)
        return STATUS_OK;
    Query query = query_prepare(db, "SELECT setval(CAST(pg_get_serial_sequence(?, 'id') AS regclass), ?)");
    query_bind(&query, value_text(table->name));
    query_bind(&query, value_int(last));
    return query_run(&query, error);
}

// Channels consist of small letters and underscores, so they need no quotes.
static int listen_one(Postgres *postgres, const char *channel)
{
    char sql[POSTGRES_CHANNEL_SIZE + 16];
    (void)snprintf(sql, sizeof sql, "LISTEN %s", channel);
    return postgres_done(postgres, PQexec(postgres->link, sql));
}

int postgres_listen_again(Database *db)
{
    Postgres *postgres = postgres_of(db);
    int code = 0;
    for (unsigned i = 0; i < postgres->channel_count && code == 0; i++)
        code = listen_one(postgres, postgres->channels[i]);
    return code;
}

Status postgres_listen(Database *db, const char *channel, Error *error)
{
    Postgres *postgres = postgres_of(db);
    if (postgres->channel_count == POSTGRES_CHANNELS_MAX || strlen(channel) >= POSTGRES_CHANNEL_SIZE)
        return error_set(error, STATUS_FAILED, "too many channels, or too long a name: '%s'", channel);
    int code = postgres_revive(db);
    if (code == 0)
        code = listen_one(postgres, channel);
    if (code != 0)
        return database_failed(db, code, error);
    (void)snprintf(postgres->channels[postgres->channel_count++], POSTGRES_CHANNEL_SIZE, "%s", channel);
    return STATUS_OK;
}

// Discards the notifications that have arrived and returns whether there were any. The lock is held.
static bool take_notifications(Postgres *postgres)
{
    bool any = false;
    for (PGnotify *reported = PQnotifies(postgres->link); reported != NULL; reported = PQnotifies(postgres->link)) {
        any = true;
        PQfreemem(reported);
    }
    return any;
}

// Checks the connection for notifications, and returns its socket.
static Status poll_once(Database *db, int *socket, bool *was_notified, Error *error)
{
    Postgres *postgres = postgres_of(db);
    database_lock(db);
    int code = postgres_revive(db);
    if (code == 0 && PQconsumeInput(postgres->link) == 0)
        code = postgres_code(postgres, NULL);
    *was_notified = code == 0 && take_notifications(postgres);
    *socket = PQsocket(postgres->link);
    Status status = code != 0 ? database_failed(db, code, error) : STATUS_OK;
    database_unlock(db);
    return status;
}

// In intervals, since another thread that uses the connection may read a notification from the socket.
Status postgres_wait(Database *db, double seconds, bool *was_notified, Error *error)
{
    const double piece = 0.5;
    double end = clock_seconds() + seconds;
    for (;;) {
        int socket = -1;
        Status status = poll_once(db, &socket, was_notified, error);
        double left = end - clock_seconds();
        if (status != STATUS_OK || *was_notified || left <= 0)
            return status;
        struct pollfd waited = {.fd = socket, .events = POLLIN};
        if (poll(&waited, 1, (int)((left < piece ? left : piece) * 1000) + 1) < 0 && errno == EINTR)
            return STATUS_OK;
    }
}
