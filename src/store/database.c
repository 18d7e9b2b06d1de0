#include "store/database.h"

#include "store/database_internal.h"
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
    return path->failed ? error_set(error, STATUS_NO_MEMORY, "no memory for a path") : STATUS_OK;
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

// Why an older database cannot be read: its tables have to be changed first.
static Status open_older(const char *path, Database **db, Error *error)
{
    Status status = database_open(path, db, error);
    if (status == STATUS_IO)
        error_prefix(error,
                     "the database is of an older krow and has to be brought up to date before it can be read: ");
    return status;
}

Status database_open_to_read(const char *path, Database **db, Error *error)
{
    *db = NULL;
    Text usual = {0};
    bool is_current = false;
    Status status = path == NULL ? usual_path(true, &usual, error) : STATUS_OK;
    if (path == NULL)
        path = usual.data;
    DatabaseAccess access = DATABASE_MISSING;
    if (status == STATUS_OK)
        status = database_access(path, &access, error);
    if (status == STATUS_OK && access == DATABASE_WRITABLE)
        status = database_open(path, db, error);
    if (status == STATUS_OK && access == DATABASE_READABLE) {
        status = database_connect_to_read(path, migration_count, db, &is_current, error);
        if (status == STATUS_OK && !is_current)
            status = open_older(path, db, error);
    }
    text_close(&usual);
    return status;
}

const char *database_path(const Database *db)
{
    return db->path;
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

Status database_begin_match(Database *db, const DatabaseMatch *match, int64_t *id, Error *error)
{
    assert(match->spec != NULL);
    *id = 0;
    Status status = transaction_begin(db, error);
    if (status != STATUS_OK)
        return status;
    Query query = query_use(db, QUERY_MATCH_ADD);
    query_bind_text(&query, kind_names[match->kind]);
    query_bind_rules(&query, &match->rules);
    query_bind_text(&query, match->spec);
    query_bind_int(&query, match->created);
    query_bind_id(&query, match->finished);
    int64_t made = query_row(&query) ? query_int(&query, 0) : 0;
    status = transaction_end(db, query_run(&query, error), error);
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

Status database_finish_match(Database *db, int64_t id, int64_t finished, Error *error)
{
    Status status = transaction_begin(db, error);
    if (status != STATUS_OK)
        return status;
    Query query = query_use(db, QUERY_MATCH_FINISH);
    query_bind_int(&query, finished);
    query_bind_int(&query, id);
    bool found = query_row(&query);
    status = query_run(&query, error);
    if (status == STATUS_OK && !found)
        status = error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)id);
    return transaction_end(db, status, error);
}

// Reads one match; what it points to is in `spec`.
static Status read_match(Database *db, int64_t id, DatabaseMatch *match, Text *spec, Error *error)
{
    *match = (DatabaseMatch){.id = id};
    spec->length = 0;
    Status status = STATUS_OK;
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH);
    query_bind_int(&query, id);
    if (query_row(&query)) {
        match->kind = strcmp(query_text(&query, 0), "match") == 0 ? DATABASE_MATCH : DATABASE_TOURNAMENT;
        status = rules_parse(span_of(query_text(&query, 1)), &match->rules, error);
        text_add(spec, "%s", query_text(&query, 2));
        match->created = query_int(&query, 3);
        match->finished = query_int(&query, 4);
        match->games = query_int(&query, 5);
    }
    Status ended = query_end(&query, status == STATUS_OK ? error : NULL);
    database_unlock(db);
    if (status == STATUS_OK && ended == STATUS_OK && spec->failed)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a match");
    match->spec = spec->data;
    return status != STATUS_OK ? status : ended;
}

Status database_each_match(Database *db, DatabaseMatchSink *sink, void *context, Error *error)
{
    Numbers ids = {0};
    Text spec = {0};
    DatabaseMatch match;
    database_lock(db);
    Query query = query_use(db, QUERY_MATCH_IDS);
    Status status = query_numbers(&query, &ids, error);
    database_unlock(db);
    for (size_t i = 0; i < ids.count && status == STATUS_OK; i++) {
        status = read_match(db, ids.list[i], &match, &spec, error);
        if (status == STATUS_OK && !sink(context, &match))
            break;
    }
    text_close(&spec);
    free(ids.list);
    return status;
}
