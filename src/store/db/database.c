// Opens and closes databases; matches and agents.
#include "store/db/database.h"

#include "base/memory.h"
#include "store/db/connection.h"
#include "store/db/database_driver_internal.h"
#include "store/paths.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Opening ---

// The path of the user: $KROW_DB, or krow.db in the data folder.
static Status usual_path(bool is_to_read, Text *path, Error *error)
{
    const char *wanted = getenv("KROW_DB");
    if (wanted == NULL || wanted[0] == '\0')
        return is_to_read ? path_of_data_to_read("krow.db", path, error) : path_of_data("krow.db", path, error);
    text_add(path, "%s", wanted);
    return STATUS_OK;
}

// The driver for a place, and what people are shown of it; both follow from the text alone.
static Status make_for(const char *where, Database **db, Error *error)
{
    if (!connection_is_text(where))
        return database_make(&driver_sqlite, where, db, error);
    Text shown = {0};
    Status status = connection_show(where, &shown, error);
    if (status == STATUS_OK)
        status = database_make(&driver_postgres, shown.data, db, error);
    text_close(&shown);
    return status;
}

Status database_make(const Driver *driver, const char *shown, Database **db, Error *error)
{
    *db = NULL;
    if (shown[0] == '\0')
        return error_set(error, STATUS_BAD_INPUT, "the path of the database is empty");
    Database *made = memory_new(1, sizeof *made);
    (void)pthread_mutex_init(&made->lock, NULL);
    made->driver = driver;
    made->path = memory_copy_text(shown);
    *db = made;
    return STATUS_OK;
}

Status database_connect(const char *where, Database **db, Error *error)
{
    Status status = make_for(where, db, error);
    if (status == STATUS_OK && *db != NULL)
        status = (*db)->driver->open(*db, where, error);
    if (status != STATUS_OK) {
        database_close(*db);
        *db = NULL;
    }
    return status;
}

void database_close(Database *db)
{
    if (db == NULL)
        return;
    for (int i = 0; i < QUERY_COUNT; i++)
        db->driver->finalize(db->kept[i]);
    db->driver->close(db);
    (void)pthread_mutex_destroy(&db->lock);
    free(db->path);
    free(db);
}

Status database_open(const char *path, Database **db, Error *error)
{
    *db = NULL;
    Text usual = {0};
    Status status = path == NULL ? usual_path(false, &usual, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = database_connect(path == NULL ? usual.data : path, db, error);
    text_close(&usual);
    if (status == STATUS_OK)
        status = database_migrate(*db, migrations, migration_count, error);
    if (status != STATUS_OK) {
        database_close(*db);
        *db = NULL;
    }
    return status;
}

Status database_open_to_read(const char *path, Database **db, Error *error)
{
    *db = NULL;
    Text usual = {0};
    Status status = path == NULL ? usual_path(true, &usual, error) : STATUS_OK;
    if (path == NULL)
        path = usual.data;
    if (status == STATUS_OK)
        status = (connection_is_text(path) ? &driver_postgres : &driver_sqlite)->open_to_read(path, db, error);
    text_close(&usual);
    return status;
}

void database_set_deadline(Database *db, double deadline)
{
    database_lock(db);
    query_set_deadline(db, deadline);
    database_unlock(db);
}

const char *database_path(const Database *db)
{
    return db->path;
}

Status database_describe(Database *db, DatabaseAbout *about, Error *error)
{
    *about = (DatabaseAbout){.engine = db->driver->name};
    database_lock(db);
    Status status = db->driver->read_version(db, &about->version, error);
    if (status == STATUS_OK)
        status = db->driver->describe(db, about, error);
    database_unlock(db);
    return status;
}

Status database_check(Database *db, Error *error)
{
    database_lock(db);
    Status status = db->driver->check(db, error);
    database_unlock(db);
    return status;
}

Status database_listen(Database *db, const char *channel, Error *error)
{
    assert(channel[strspn(channel, "abcdefghijklmnopqrstuvwxyz_")] == '\0');
    database_lock(db);
    Status status = db->driver->listen(db, channel, error);
    database_unlock(db);
    return status;
}

Status database_wait(Database *db, double seconds, bool *was_notified, Error *error)
{
    return db->driver->wait(db, seconds, was_notified, error);
}

Status database_add_agent(Database *db, const char *name, bool is_foreign, Error *error)
{
    Query query = query_use(db, QUERY_AGENT_ADD);
    query_bind_text(&query, name);
    query_bind_int(&query, is_foreign);
    return query_run(&query, error);
}

// --- Matches ---

static const char *const kind_names[] = {[DATABASE_MATCH] = "match", [DATABASE_TOURNAMENT] = "tournament"};

static Status add_match(Database *db, const DatabaseMatch *match, int64_t *id, Error *error)
{
    Query query = query_use(db, QUERY_MATCH_ADD);
    query_bind_text(&query, kind_names[match->kind]);
    query_bind_rules(&query, &match->rules);
    query_bind_text(&query, match->spec);
    query_bind_int(&query, match->created);
    query_bind_id(&query, match->finished);
    query_bind_text(&query, match->sprt);
    query_bind_text(&query, match->origin);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    return query_run(&query, error);
}

Status database_begin_match(Database *db, const DatabaseMatch *match, int64_t *id, Error *error)
{
    assert(match->spec != NULL);
    int64_t made = 0;
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, add_match(db, match, &made, error), error);
    *id = status == STATUS_OK ? made : 0;
    return status;
}

Status database_find_match(Database *db, const char *spec, DatabaseSearch search, int64_t *id, Error *error)
{
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH_FIND);
    query_bind_text(&query, spec);
    query_bind_int(&query, search == DATABASE_ANY);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

static Status immediate_match(Database *db, int64_t id, int64_t finished, Error *error)
{
    Query query = query_use(db, QUERY_MATCH_FINISH);
    query_bind_int(&query, finished);
    query_bind_int(&query, id);
    bool found = query_row(&query);
    Status status = query_run(&query, error);
    if (status == STATUS_OK && !found)
        status = error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)id);
    return status;
}

Status database_finish_match(Database *db, int64_t id, int64_t finished, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, immediate_match(db, id, finished, error), error);
    return status;
}

// A match in memory of its own, so that the sink runs without the lock.
typedef struct {
    DatabaseMatch match;
    Text spec, sprt, origin;
} MatchReader;

static const char *keep_text(Text *text, const Query *query, int column)
{
    text->length = 0;
    text_add(text, "%s", query_text(query, column));
    return query_is_null(query, column) ? NULL : text->data;
}

static void close_reader(MatchReader *reader)
{
    text_close(&reader->spec);
    text_close(&reader->sprt);
    text_close(&reader->origin);
}

static Status read_match(Database *db, int64_t id, MatchReader *reader, bool *found, Error *error)
{
    DatabaseMatch *match = &reader->match;
    *match = (DatabaseMatch){.id = id};
    Status status = STATUS_OK;
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH);
    query_bind_int(&query, id);
    *found = query_row(&query);
    if (*found) {
        match->kind = strcmp(query_text(&query, 0), "match") == 0 ? DATABASE_MATCH : DATABASE_TOURNAMENT;
        status = rules_parse(span_of(query_text(&query, 1)), &match->rules, error);
        match->spec = keep_text(&reader->spec, &query, 2);
        match->created = query_int(&query, 3);
        match->finished = query_int(&query, 4);
        match->games = query_int(&query, 5);
        match->sprt = keep_text(&reader->sprt, &query, 6);
        match->origin = keep_text(&reader->origin, &query, 7);
    }
    Status ended = query_end(&query, status == STATUS_OK ? error : NULL);
    database_unlock(db);
    return status != STATUS_OK ? status : ended;
}

Status database_read_match(Database *db, int64_t id, DatabaseMatchSink *sink, void *context, Error *error)
{
    MatchReader reader = {0};
    bool found = false;
    Status status = read_match(db, id, &reader, &found, error);
    if (status == STATUS_OK && found)
        (void)sink(context, &reader.match);
    close_reader(&reader);
    return status;
}

// Takes the numbers.
static Status walk_matches(Database *db, Numbers *ids, DatabaseMatchSink *sink, void *context, Error *error)
{
    MatchReader reader = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < ids->count && status == STATUS_OK; i++) {
        bool found = false;
        status = read_match(db, ids->list[i], &reader, &found, error);
        if (status == STATUS_OK && found && !sink(context, &reader.match))
            break;
    }
    close_reader(&reader);
    free(ids->list);
    return status;
}

Status database_each_match(Database *db, DatabaseMatchSink *sink, void *context, Error *error)
{
    Numbers ids = {0};
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH_IDS);
    Status status = query_numbers(&query, &ids, error);
    database_unlock(db);
    Status walked = walk_matches(db, &ids, sink, context, error);
    return status != STATUS_OK ? status : walked;
}

Status database_newest_matches(Database *db, unsigned most, DatabaseMatchSink *sink, void *context, Error *error)
{
    Numbers ids = {0};
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH_IDS_NEWEST);
    query_bind_int(&query, most);
    Status status = query_numbers(&query, &ids, error);
    database_unlock(db);
    Status walked = walk_matches(db, &ids, sink, context, error);
    return status != STATUS_OK ? status : walked;
}
