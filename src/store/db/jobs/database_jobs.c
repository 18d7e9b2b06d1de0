// Jobs and workers as people see and steer them; database_units.c is what workers do.
#include "store/db/jobs/database_jobs.h"
#include "store/db/database_internal.h"
#include "store/db/jobs/unit_law.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {
    [JOB_OPEN] = "open", [JOB_PAUSED] = "paused", [JOB_CANCELLED] = "cancelled", [JOB_DONE] = "done"};

static const char *const kind_names[] = {[JOB_GAMES] = "games", [JOB_SOLVE] = "solve", [JOB_PAPER] = "paper"};

const char *job_state_name(JobState state)
{
    return state_names[state];
}

const char *job_kind_name(JobKind kind)
{
    return kind_names[kind];
}

static JobKind kind_of_name(const char *name)
{
    for (JobKind kind = JOB_GAMES; kind < JOB_KINDS; kind++)
        if (strcmp(kind_names[kind], name) == 0)
            return kind;
    return JOB_GAMES;
}

static JobState state_of_name(const char *name)
{
    for (JobState state = JOB_OPEN; state < JOB_STATES; state++)
        if (strcmp(state_names[state], name) == 0)
            return state;
    return JOB_DONE;
}

// --- Adding ---

static Status add_unit(Database *db, int64_t job, unsigned first, unsigned games, Error *error)
{
    Query query = query_use(db, QUERY_UNIT_ADD);
    query_bind_int(&query, job);
    query_bind_int(&query, first);
    query_bind_int(&query, games);
    query_bind_int(&query, 0);
    return query_run(&query, error);
}

// Pairs of games stay together.
static Status add_units(Database *db, int64_t job, JobKind kind, const DatabaseJobUnits *units, Error *error)
{
    const DatabaseRange *ranges = units->ranges;
    size_t count = units->count;
    unsigned step = kind == JOB_GAMES ? 2 : 1;
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += ranges[i].games;
    unsigned most = (unsigned)(all / UNIT_FIRST_UNITS / step * step + step);
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        for (unsigned done = 0; done < ranges[i].games && status == STATUS_OK; done += most) {
            unsigned left = ranges[i].games - done;
            status = add_unit(db, job, ranges[i].first + done, left < most ? left : most, error);
        }
    return status;
}

static Status insert_job(Database *db, const DatabaseJob *job, int64_t *id, Error *error)
{
    Query query = query_use(db, QUERY_JOB_ADD);
    query_bind_text(&query, kind_names[job->work]);
    query_bind_id(&query, job->match);
    query_bind_int(&query, job->unit);
    query_bind_int(&query, job->lease);
    query_bind_text(&query, job->build);
    query_bind_text(&query, job->title != NULL ? job->title : "");
    query_bind_text(&query, job->spec);
    query_bind_text(&query, job->openings);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    Status status = query_run(&query, error);
    if (status == STATUS_OK && *id == 0)
        status = error_set(error, STATUS_FAILED, "match %lld has a job that goes on", (long long)job->match);
    return status;
}

static Status add_agents(Database *db, const char *const *agents, unsigned count, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = database_add_agent(db, agents[i], false, error);
    return status;
}

static Status add_job(Database *db, const DatabaseJob *job, const DatabaseJobUnits *units, int64_t *id, Error *error)
{
    Status status = insert_job(db, job, id, error);
    if (status == STATUS_OK)
        status = add_agents(db, units->agents, units->agent_count, error);
    if (status == STATUS_OK)
        status = add_units(db, *id, job->work, units, error);
    return status == STATUS_OK ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_add_job(Database *db, const DatabaseJob *job, const DatabaseJobUnits *units, int64_t *id, Error *error)
{
    assert((job->match != 0) == (job->work == JOB_GAMES) && job->lease > 0);
    int64_t made = 0;
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, add_job(db, job, units, &made, error), error);
    *id = status == STATUS_OK ? made : 0;
    return status;
}

// --- Reading ---

static Status ask_for(Database *db, QueryName name, int64_t parameter, int64_t *number, Error *error)
{
    database_lock(db);
    Query query = query_use(db, name);
    query_bind_int(&query, parameter);
    *number = query_row(&query) ? query_int(&query, 0) : 0;
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

Status database_find_job(Database *db, int64_t match, int64_t *id, Error *error)
{
    return ask_for(db, QUERY_JOB_FIND, match, id, error);
}

Status database_find_same_job(Database *db, const DatabaseJob *job, int64_t *id, Error *error)
{
    database_lock(db);
    Query query = query_use(db, QUERY_JOB_FIND_SAME);
    query_bind_text(&query, kind_names[job->work]);
    query_bind_text(&query, job->build);
    query_bind_text(&query, job->spec);
    query_bind_text(&query, job->openings);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

Status database_next_job(Database *db, int64_t after, int64_t *id, Error *error)
{
    return ask_for(db, QUERY_JOB_NEXT, after, id, error);
}

Status database_job_state(Database *db, int64_t id, JobState *state, bool *found, Error *error)
{
    database_lock(db);
    Query query = query_use(db, QUERY_JOB_STATE);
    query_bind_int(&query, id);
    *found = query_row(&query);
    *state = *found ? state_of_name(query_text(&query, 0)) : JOB_DONE;
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

typedef struct {
    DatabaseJob job;
    Text spec, openings, build, reason, title;
} JobReader;

static const char *keep_text(Text *text, const Query *query, int column)
{
    text->length = 0;
    text_add_span(text, span_of(query_text(query, column)));
    return query_is_null(query, column) ? NULL : text->data;
}

static void close_reader(JobReader *reader)
{
    text_close(&reader->spec);
    text_close(&reader->openings);
    text_close(&reader->build);
    text_close(&reader->reason);
    text_close(&reader->title);
}

// In the order of the columns of QUERY_JOB.
static void read_row(JobReader *reader, const Query *row)
{
    DatabaseJob *job = &reader->job;
    job->match = query_int(row, 0);
    job->spec = keep_text(&reader->spec, row, 1);
    job->openings = keep_text(&reader->openings, row, 2);
    job->build = keep_text(&reader->build, row, 3);
    job->unit = (unsigned)query_int(row, 4);
    job->lease = query_int(row, 5);
    job->kind = strcmp(query_text(row, 6), "tournament") == 0 ? DATABASE_TOURNAMENT : DATABASE_MATCH;
    job->state = state_of_name(query_text(row, 7));
    job->created = query_int(row, 8);
    job->finished = query_int(row, 9);
    job->games = query_int(row, 10);
    job->done = query_int(row, 11);
    job->held = query_int(row, 12);
    job->aside = query_int(row, 13);
    job->units = query_int(row, 14);
    job->failures = query_int(row, 15);
    job->recent = query_int(row, 16);
    job->reason = keep_text(&reader->reason, row, 17);
    job->work = kind_of_name(query_text(row, 18));
    job->title = keep_text(&reader->title, row, 19);
}

// The id is 0 afterwards if there is no such job.
static Status read_job(Database *db, int64_t id, bool is_whole, JobReader *reader, Error *error)
{
    reader->job = (DatabaseJob){0};
    database_lock(db);
    Query query = query_use(db, QUERY_JOB);
    query_bind_int(&query, is_whole);
    query_bind_int(&query, id);
    if (query_row(&query)) {
        reader->job.id = id;
        read_row(reader, &query);
    }
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

// Takes the reader.
static Status pass_job(JobReader *reader, Status status, DatabaseJobSink *sink, void *context)
{
    if (status == STATUS_OK && reader->job.id != 0)
        (void)sink(context, &reader->job);
    close_reader(reader);
    return status;
}

Status database_read_job(Database *db, int64_t id, DatabaseJobSink *sink, void *context, Error *error)
{
    JobReader reader = {0};
    return pass_job(&reader, read_job(db, id, true, &reader, error), sink, context);
}

Status database_look_at_job(Database *db, int64_t id, DatabaseJobSink *sink, void *context, Error *error)
{
    JobReader reader = {0};
    return pass_job(&reader, read_job(db, id, false, &reader, error), sink, context);
}

// Takes the query, and the lock that was held for it.
static Status walk_jobs(Database *db, Query *query, DatabaseJobSink *sink, void *context, Error *error)
{
    Numbers ids = {0};
    JobReader reader = {0};
    Status status = query_numbers(query, &ids, error);
    database_unlock(db);
    for (size_t i = 0; i < ids.count && status == STATUS_OK; i++) {
        status = read_job(db, ids.list[i], false, &reader, error);
        if (status == STATUS_OK && reader.job.id != 0 && !sink(context, &reader.job))
            break;
    }
    free(ids.list);
    close_reader(&reader);
    return status;
}

Status database_each_job(Database *db, DatabaseJobSink *sink, void *context, Error *error)
{
    database_lock(db);
    Query query = query_use(db, QUERY_JOB_IDS);
    return walk_jobs(db, &query, sink, context, error);
}

Status database_newest_jobs(Database *db, unsigned most, DatabaseJobSink *sink, void *context, Error *error)
{
    database_lock(db);
    Query query = query_use(db, QUERY_JOB_IDS_NEWEST);
    query_bind_int(&query, most);
    return walk_jobs(db, &query, sink, context, error);
}

Status database_each_answer_from(Database *db, const DatabaseAnswerRange *range, DatabaseAnswerSink *sink,
                                 void *context, Error *error)
{
    bool goes_on = true;
    database_lock(db);
    Query row = query_use(db, QUERY_ANSWERS_FROM);
    query_bind_int(&row, range->job);
    query_bind_int(&row, range->from);
    query_bind_int(&row, range->most);
    while (goes_on && query_row(&row))
        goes_on = sink(context, (unsigned)query_int(&row, 0), query_text(&row, 1));
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

// --- Steering ---

// From either of two states to another one.
static const struct {
    JobState from[2], to;
    const char *word;
} changes[] = {
    [JOB_PAUSE] = {{JOB_OPEN, JOB_OPEN}, JOB_PAUSED, "paused"},
    [JOB_CONTINUE] = {{JOB_PAUSED, JOB_PAUSED}, JOB_OPEN, "continued"},
    [JOB_CANCEL] = {{JOB_OPEN, JOB_PAUSED}, JOB_CANCELLED, "cancelled"},
    [JOB_RETRY] = {{JOB_DONE, JOB_CANCELLED}, JOB_OPEN, "tried again"},
};

static Status change_state(Database *db, int64_t id, JobChange change, bool *changed, Error *error)
{
    JobState to = changes[change].to;
    Query query = query_use(db, QUERY_JOB_CHANGE);
    query_bind_text(&query, state_names[to]);
    query_bind_int(&query, to == JOB_CANCELLED || to == JOB_DONE);
    query_bind_int(&query, id);
    query_bind_text(&query, state_names[changes[change].from[0]]);
    query_bind_text(&query, state_names[changes[change].from[1]]);
    *changed = query_row(&query);
    return query_run(&query, error);
}

static Status change_units(Database *db, int64_t id, QueryName name, bool *any, Error *error)
{
    Query query = query_use(db, name);
    query_bind_int(&query, id);
    *any = query_row(&query);
    return query_run(&query, error);
}

static Status change_job(Database *db, int64_t id, JobChange change, Error *error)
{
    bool changed = false, any = false;
    Status status = change_state(db, id, change, &changed, error);
    if (status == STATUS_OK && change == JOB_CANCEL)
        status = change_units(db, id, QUERY_UNITS_DROP, &any, error);
    // What was set aside may be tried again while the rest goes on.
    if (status == STATUS_OK && change == JOB_RETRY)
        status = change_units(db, id, QUERY_UNITS_RETRY, &any, error);
    if (status == STATUS_OK && (change == JOB_RETRY ? !any : !changed))
        status = error_set(error, STATUS_FAILED, "job %lld cannot be %s", (long long)id, changes[change].word);
    return status == STATUS_OK ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_change_job(Database *db, int64_t id, JobChange change, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, change_job(db, id, change, error), error);
    return status;
}

static Status close_jobs(Database *db, Error *error)
{
    Query query = query_use(db, QUERY_JOBS_CLOSE);
    bool any = query_row(&query);
    Status status = query_run(&query, error);
    return status == STATUS_OK && any ? transaction_notify(db, "krow_results", error) : status;
}

Status database_close_jobs(Database *db, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, close_jobs(db, error), error);
    return status;
}

// --- Workers ---

static Status add_worker(Database *db, const DatabaseWorker *worker, int64_t *id, Error *error)
{
    Query query = query_use(db, QUERY_WORKER_ADD);
    query_bind_text(&query, worker->name);
    query_bind_int(&query, worker->slots);
    query_bind_text(&query, worker->build);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    return query_run(&query, error);
}

Status database_add_worker(Database *db, const DatabaseWorker *worker, int64_t *id, Error *error)
{
    int64_t made = 0;
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, add_worker(db, worker, &made, error), error);
    *id = status == STATUS_OK ? made : 0;
    return status;
}

static Status end_worker(Database *db, int64_t id, Error *error)
{
    Query query = query_use(db, QUERY_WORKER_END);
    query_bind_int(&query, id);
    return query_run(&query, error);
}

Status database_end_worker(Database *db, int64_t id, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, end_worker(db, id, error), error);
    return status;
}

// Takes the query, with the columns of WORKER_COLUMNS, and the lock that was held for it.
static Status walk_workers(Database *db, Query *row, DatabaseWorkerSink *sink, void *context, Error *error)
{
    Text name = {0}, build = {0}, words = {0};
    bool goes_on = true;
    while (goes_on && query_row(row)) {
        DatabaseWorker worker = {.id = query_int(row, 0),
                                 .name = keep_text(&name, row, 1),
                                 .slots = (unsigned)query_int(row, 2),
                                 .build = keep_text(&build, row, 3),
                                 .words = keep_text(&words, row, 4),
                                 .games = query_int(row, 5),
                                 .started = query_int(row, 6),
                                 .seen = query_int(row, 7),
                                 .ended = query_int(row, 8),
                                 .held = query_int(row, 9),
                                 .is_alive = query_int(row, 10) != 0};
        goes_on = sink(context, &worker);
    }
    Status status = query_end(row, error);
    database_unlock(db);
    text_close(&name);
    text_close(&build);
    text_close(&words);
    return status;
}

Status database_each_worker(Database *db, bool all, DatabaseWorkerSink *sink, void *context, Error *error)
{
    database_lock(db);
    Query row = query_use(db, QUERY_WORKERS);
    query_bind_int(&row, all);
    return walk_workers(db, &row, sink, context, error);
}

Status database_newest_workers(Database *db, const DatabaseWorkerRange *range, DatabaseWorkerSink *sink, void *context,
                               Error *error)
{
    database_lock(db);
    Query row = query_use(db, QUERY_WORKERS_NEWEST);
    query_bind_int(&row, range->within);
    query_bind_int(&row, range->most);
    return walk_workers(db, &row, sink, context, error);
}
