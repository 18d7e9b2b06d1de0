// Opens and closes databases; matches and agents.
#include "store/db/database.h"

#include "base/memory.h"
#include "store/db/connection.h"
#include "store/db/database_driver_internal.h"
#include "store/paths.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The location of a database: as given, else $KROW_DB, else krow.db in the data folder.
static Status place_of(const char *given, PathPlace usual, Text *place, Error *error)
{
    const char *wanted = given != NULL ? given : getenv("KROW_DB");
    if (wanted == NULL || (given == NULL && wanted[0] == '\0'))
        return path_of(usual, "krow.db", place, error);
    text_add(place, "%s", wanted);
    return STATUS_OK;
}

static const Driver *driver_for(const char *where)
{
    return connection_is_text(where) ? &driver_postgres : &driver_sqlite;
}

static Status make_for(const char *where, Database **db, Error *error)
{
    const Driver *driver = driver_for(where);
    if (driver == &driver_sqlite)
        return database_make(driver, where, db, error);
    Text shown = {0};
    Status status = connection_show(where, &shown, error);
    if (status == STATUS_OK)
        status = database_make(driver, shown.data, db, error);
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
    if (status == STATUS_OK)
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
        db->driver->statements->finalize(db->kept[i]);
    db->driver->close(db);
    (void)pthread_mutex_destroy(&db->lock);
    free(db->path);
    free(db);
}

Status database_open(const char *path, Database **db, Error *error)
{
    *db = NULL;
    Text place = {0};
    Status status = place_of(path, PATH_DATA, &place, error);
    if (status == STATUS_OK)
        status = database_connect(place.data, db, error);
    text_close(&place);
    if (status == STATUS_OK)
        status = database_migrate(*db, migrations, migration_count(), error);
    if (status != STATUS_OK) {
        database_close(*db);
        *db = NULL;
    }
    return status;
}

Status database_open_to_read(const char *path, Database **db, Error *error)
{
    *db = NULL;
    Text place = {0};
    Status status = place_of(path, PATH_DATA_TO_READ, &place, error);
    if (status == STATUS_OK)
        status = driver_for(place.data)->open_to_read(place.data, db, error);
    text_close(&place);
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
    return query_execute(db, QUERY_AGENT_ADD, VALUES(value_text(name), value_int(is_foreign)), NULL, error);
}

static const char *const kind_names[] = {[DATABASE_MATCH] = "match", [DATABASE_TOURNAMENT] = "tournament"};

Status database_begin_match(Database *db, const DatabaseMatch *match, int64_t *id, Error *error)
{
    assert(match->spec != NULL);
    return database_change(db, QUERY_MATCH_ADD,
                           VALUES(value_text(kind_names[match->kind]), value_rules(&match->rules),
                                  value_text(match->spec), value_int(match->created), value_id(match->finished),
                                  value_text(match->sprt), value_text(match->origin)),
                           id, error);
}

Status database_find_match(Database *db, const char *spec, int64_t *id, Error *error)
{
    return database_get(db, QUERY_MATCH_FIND, VALUES(value_text(spec)), id, error);
}

static Status finish_match(Database *db, int64_t id, int64_t finished, Error *error)
{
    int64_t found = 0;
    Status status = query_execute(db, QUERY_MATCH_FINISH, VALUES(value_int(finished), value_int(id)), &found, error);
    if (status == STATUS_OK && found == 0)
        status = error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)id);
    return status;
}

Status database_finish_match(Database *db, int64_t id, int64_t finished, Error *error)
{
    return IN_TRANSACTION(db, finish_match(db, id, finished, error), error);
}

// A copy of a match, so that the sink runs without the lock.
typedef struct {
    DatabaseMatch match;
    RowTexts texts;
} MatchReader;

// In the order of the columns of QUERY_MATCH.
static Status read_row(MatchReader *reader, const Query *row, Error *error)
{
    DatabaseMatch *match = &reader->match;
    reader->texts.count = 0;
    match->kind = strcmp(query_text(row, 0), "match") == 0 ? DATABASE_MATCH : DATABASE_TOURNAMENT;
    match->spec = row_text(&reader->texts, row, 2);
    match->created = query_int(row, 3);
    match->finished = query_int(row, 4);
    match->games = query_int(row, 5);
    match->sprt = row_text(&reader->texts, row, 6);
    match->origin = row_text(&reader->texts, row, 7);
    return rules_parse(query_bytes(row, 1), &match->rules, error);
}

static Status read_match(Database *db, int64_t id, MatchReader *reader, bool *found, Error *error)
{
    reader->match = (DatabaseMatch){.id = id};
    database_lock(db);
    Query query = query_with(db, QUERY_MATCH, VALUES(value_int(id)));
    *found = query_row(&query);
    Status status = *found ? read_row(reader, &query, error) : STATUS_OK;
    status = query_end_after(&query, status, error);
    database_unlock(db);
    return status;
}

Status database_read_match(Database *db, int64_t id, DatabaseMatchSink *sink, void *context, Error *error)
{
    MatchReader reader = {0};
    bool found = false;
    Status status = read_match(db, id, &reader, &found, error);
    if (status == STATUS_OK && found)
        (void)sink(context, &reader.match);
    row_texts_close(&reader.texts);
    return status;
}

// Ends the query and unlocks.
static Status walk_matches(Database *db, Query *query, DatabaseMatchSink *sink, void *context, Error *error)
{
    Numbers ids = {0};
    MatchReader reader = {0};
    Status status = query_numbers(query, &ids, error);
    database_unlock(db);
    for (size_t i = 0; i < ids.count && status == STATUS_OK; i++) {
        bool found = false;
        status = read_match(db, ids.list[i], &reader, &found, error);
        if (status == STATUS_OK && found && !sink(context, &reader.match))
            break;
    }
    row_texts_close(&reader.texts);
    free(ids.list);
    return status;
}

Status database_each_match(Database *db, DatabaseMatchSink *sink, void *context, Error *error)
{
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH_IDS);
    return walk_matches(db, &query, sink, context, error);
}

Status database_newest_matches(Database *db, unsigned most, DatabaseMatchSink *sink, void *context, Error *error)
{
    database_lock(db);
    Query query = query_with(db, QUERY_MATCH_IDS_NEWEST, VALUES(value_int(most)));
    return walk_matches(db, &query, sink, context, error);
}
