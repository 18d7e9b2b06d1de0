// Jobs and workers, for the programs that submit and control them; database_units.c is for workers.
#include "store/db/jobs/database_jobs.h"
#include "store/db/database_internal.h"
#include "store/db/jobs/unit_policy.h"

#include <assert.h>
#include <math.h>
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

// Units contain whole pairs of games.
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
            Value first = value_int(ranges[i].first + done), games = value_int(left < most ? left : most);
            status = query_execute(db, QUERY_UNIT_ADD, VALUES(value_int(job), first, games, value_int(0), value_id(0)),
                                   NULL, error);
        }
    return status;
}

// In millionths.
static int64_t share_to_int(double share)
{
    return llround(share * 1e6);
}

static Status insert_job(Database *db, const DatabaseJob *job, int64_t *id, Error *error)
{
    Status status = query_execute(db, QUERY_JOB_ADD,
                                  VALUES(value_text(kind_names[job->work]), value_id(job->match), value_int(job->unit),
                                         value_int(job->lease), value_text(job->build),
                                         value_text(job->title != NULL ? job->title : ""), value_text(job->spec),
                                         value_text(job->openings), value_id(share_to_int(job->verify))),
                                  id, error);
    if (status == STATUS_OK && *id == 0)
        status = error_set(error, STATUS_FAILED, "match %lld has an unfinished job", (long long)job->match);
    return status;
}

static Status add_job(Database *db, const DatabaseJob *job, const DatabaseJobUnits *units, int64_t *id, Error *error)
{
    Status status = insert_job(db, job, id, error);
    for (unsigned i = 0; i < units->agent_count && status == STATUS_OK; i++)
        status = database_add_agent(db, units->agents[i], false, error);
    if (status == STATUS_OK)
        status = add_units(db, *id, job->work, units, error);
    return status == STATUS_OK ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_add_job(Database *db, const DatabaseJob *job, const DatabaseJobUnits *units, int64_t *id, Error *error)
{
    assert((job->match != 0) == (job->work == JOB_GAMES) && job->lease > 0);
    int64_t made = 0;
    Status status = IN_TRANSACTION(db, add_job(db, job, units, &made, error), error);
    *id = status == STATUS_OK ? made : 0;
    return status;
}

// --- Reading ---

Status database_find_job(Database *db, int64_t match, int64_t *id, Error *error)
{
    return database_get(db, QUERY_JOB_FIND, VALUES(value_int(match)), id, error);
}

Status database_find_same_job(Database *db, const DatabaseJob *job, int64_t *id, Error *error)
{
    return database_get(db, QUERY_JOB_FIND_SAME,
                        VALUES(value_text(kind_names[job->work]), value_text(job->build), value_text(job->spec),
                               value_text(job->openings)),
                        id, error);
}

Status database_next_job(Database *db, int64_t worker, int64_t after, int64_t *id, Error *error)
{
    return database_get(db, QUERY_JOB_NEXT, VALUES(value_int(after), value_int(worker), value_int(worker)), id, error);
}

Status database_job_state(Database *db, int64_t id, JobState *state, bool *found, Error *error)
{
    database_lock(db);
    Query query = query_with(db, QUERY_JOB_STATE, VALUES(value_int(id)));
    *found = query_row(&query);
    *state = *found ? state_of_name(query_text(&query, 0)) : JOB_DONE;
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

typedef struct {
    DatabaseJob job;
    RowTexts texts;
} JobReader;

// In the order of the columns of QUERY_JOB.
static void read_row(JobReader *reader, const Query *row)
{
    DatabaseJob *job = &reader->job;
    reader->texts.count = 0;
    job->match = query_int(row, 0);
    job->spec = row_text(&reader->texts, row, 1);
    job->openings = row_text(&reader->texts, row, 2);
    job->build = row_text(&reader->texts, row, 3);
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
    job->reason = row_line(&reader->texts, row, 17);
    job->work = kind_of_name(query_text(row, 18));
    job->title = row_line(&reader->texts, row, 19);
    job->verify = (double)query_int(row, 20) / 1e6;
    job->agreed = query_int(row, 21);
    job->pending = query_int(row, 22);
}

// The id is 0 afterwards if there is no such job.
static Status read_job(Database *db, int64_t id, bool is_whole, JobReader *reader, Error *error)
{
    reader->job = (DatabaseJob){0};
    database_lock(db);
    Query query = query_with(db, QUERY_JOB, VALUES(value_int(is_whole), value_int(id)));
    if (query_row(&query)) {
        reader->job.id = id;
        read_row(reader, &query);
    }
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}

static Status pass_job(Database *db, int64_t id, bool is_whole, DatabaseJobSink *sink, void *context, Error *error)
{
    JobReader reader = {0};
    Status status = read_job(db, id, is_whole, &reader, error);
    if (status == STATUS_OK && reader.job.id != 0)
        (void)sink(context, &reader.job);
    row_texts_close(&reader.texts);
    return status;
}

Status database_read_job(Database *db, int64_t id, DatabaseJobSink *sink, void *context, Error *error)
{
    return pass_job(db, id, true, sink, context, error);
}

Status database_look_at_job(Database *db, int64_t id, DatabaseJobSink *sink, void *context, Error *error)
{
    return pass_job(db, id, false, sink, context, error);
}

// Ends the query and unlocks.
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
    row_texts_close(&reader.texts);
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
    Query query = query_with(db, QUERY_JOB_IDS_NEWEST, VALUES(value_int(most)));
    return walk_jobs(db, &query, sink, context, error);
}

Status database_each_answer_from(Database *db, const DatabaseAnswerRange *range, DatabaseAnswerSink *sink,
                                 void *context, Error *error)
{
    bool has_more = true;
    database_lock(db);
    Query row = query_with(db, QUERY_ANSWERS_FROM,
                           VALUES(value_int(range->job), value_int(range->from), value_int(range->most)));
    while (has_more && query_row(&row))
        has_more = sink(context, (unsigned)query_int(&row, 0), query_text(&row, 1));
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

// --- Control ---

// Allowed source states (two, possibly equal) and the resulting state.
static const struct {
    JobState from[2], to;
    const char *word;
} changes[] = {
    [JOB_PAUSE] = {{JOB_OPEN, JOB_OPEN}, JOB_PAUSED, "paused"},
    [JOB_CONTINUE] = {{JOB_PAUSED, JOB_PAUSED}, JOB_OPEN, "continued"},
    [JOB_CANCEL] = {{JOB_OPEN, JOB_PAUSED}, JOB_CANCELLED, "cancelled"},
    [JOB_RETRY] = {{JOB_DONE, JOB_CANCELLED}, JOB_OPEN, "retried"},
};

// Inside a transaction.
static Status refuse_change(Database *db, int64_t id, const char *word, Error *error)
{
    Query query = query_with(db, QUERY_JOB_STATE, VALUES(value_int(id)));
    const char *state = query_row(&query) ? state_names[state_of_name(query_text(&query, 0))] : NULL;
    Status status = query_end(&query, error);
    if (status != STATUS_OK)
        return status;
    if (state == NULL)
        return error_set(error, STATUS_FAILED, "there is no job %lld", (long long)id);
    return error_set(error, STATUS_FAILED, "job %lld cannot be %s: it is %s", (long long)id, word, state);
}

static Status change_job(Database *db, int64_t id, JobChange change, Error *error)
{
    int64_t changed = 0, retried = 0;
    JobState to = changes[change].to;
    const JobState *from = changes[change].from;
    Status status =
        query_execute(db, QUERY_JOB_CHANGE,
                      VALUES(value_text(state_names[to]), value_int(to == JOB_CANCELLED || to == JOB_DONE),
                             value_int(id), value_text(state_names[from[0]]), value_text(state_names[from[1]])),
                      &changed, error);
    if (status == STATUS_OK && change == JOB_CANCEL)
        status = query_execute(db, QUERY_UNITS_DROP, VALUES(value_int(id)), NULL, error);
    // Units that were set aside can be retried while others are being played.
    if (status == STATUS_OK && change == JOB_RETRY)
        status = query_execute(db, QUERY_UNITS_RETRY, VALUES(value_int(id)), &retried, error);
    if (status == STATUS_OK && (change == JOB_RETRY ? retried : changed) == 0)
        status = refuse_change(db, id, changes[change].word, error);
    return status == STATUS_OK ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_change_job(Database *db, int64_t id, JobChange change, Error *error)
{
    return IN_TRANSACTION(db, change_job(db, id, change, error), error);
}

static Status close_jobs(Database *db, Error *error)
{
    int64_t closed = 0;
    Status status = query_execute(db, QUERY_JOBS_CLOSE, NO_VALUES, &closed, error);
    return status == STATUS_OK && closed != 0 ? transaction_notify(db, "krow_results", error) : status;
}

Status database_close_jobs(Database *db, Error *error)
{
    return IN_TRANSACTION(db, close_jobs(db, error), error);
}

// --- Workers ---

Status database_add_worker(Database *db, const DatabaseWorker *worker, int64_t *id, Error *error)
{
    return database_change(db, QUERY_WORKER_ADD,
                           VALUES(value_text(worker->name), value_int(worker->slots), value_text(worker->build),
                                  value_text(worker->label)),
                           id, error);
}

Status database_end_worker(Database *db, int64_t id, Error *error)
{
    return database_change(db, QUERY_WORKER_END, VALUES(value_int(id)), NULL, error);
}

// Ends the query, which has the columns of WORKER_COLUMNS, and unlocks.
static Status walk_workers(Database *db, Query *row, DatabaseWorkerSink *sink, void *context, Error *error)
{
    RowTexts texts = {0};
    bool has_more = true;
    while (has_more && query_row(row)) {
        texts.count = 0;
        DatabaseWorker worker = {.id = query_int(row, 0),
                                 .name = row_line(&texts, row, 1),
                                 .slots = (unsigned)query_int(row, 2),
                                 .build = row_line(&texts, row, 3),
                                 .words = row_text(&texts, row, 4),
                                 .games = query_int(row, 5),
                                 .started = query_int(row, 6),
                                 .seen = query_int(row, 7),
                                 .ended = query_int(row, 8),
                                 .held = query_int(row, 9),
                                 .is_alive = query_int(row, 10) != 0,
                                 .label = row_line(&texts, row, 11),
                                 .quarantine = row_line(&texts, row, 12)};
        has_more = sink(context, &worker);
    }
    Status status = query_end(row, error);
    database_unlock(db);
    row_texts_close(&texts);
    return status;
}

Status database_each_worker(Database *db, bool all, DatabaseWorkerSink *sink, void *context, Error *error)
{
    database_lock(db);
    Query row = query_with(db, QUERY_WORKERS, VALUES(value_int(all)));
    return walk_workers(db, &row, sink, context, error);
}

Status database_newest_workers(Database *db, const DatabaseWorkerRange *range, DatabaseWorkerSink *sink, void *context,
                               Error *error)
{
    database_lock(db);
    Query row = query_with(db, QUERY_WORKERS_NEWEST, VALUES(value_int(range->within), value_int(range->most)));
    return walk_workers(db, &row, sink, context, error);
}
