// Reads jobs and workers from the database, and changes jobs.
#include "web/lab/jobs_internal.h"

#include "base/clock.h"
#include "lab/jobs/jobs_view.h"
#include "match/tournament.h"
#include "store/db/connection.h"
#include "view/json_view.h"

#include <string.h>

enum {
    JOBS_MOST = 50,
    WORKERS_MOST = 200,
    WORKERS_WITHIN = 3600000, // ms; workers not seen for longer are not reported
};

typedef struct {
    json_t *jobs, *workers;
    int64_t now;
    double speed;    // games per second of all jobs
    int64_t left;    // games left of the jobs in progress
    bool is_settled; // a job has no games left but is not marked as finished
} Look;

// Game, format and agents of the job's event, or nulls without an event.
static void add_event(json_t *object, const DatabaseJob *job)
{
    Tournament event;
    tournament_init(&event);
    bool is_event =
        job->match != 0 && tournament_read(&event, span_of(job->spec), NULL) == STATUS_OK && event.has_rules;
    json_t *agents = is_event ? json_array() : json_null();
    for (unsigned i = 0; is_event && i < event.agent_count; i++)
        (void)json_array_append_new(agents, view_text(event.names[i]));
    const char *format = job->kind == DATABASE_MATCH ? "match" : tournament_format_name(event.format);
    (void)json_object_set_new(object, "game", is_event ? view_rules(&event.rules) : json_null());
    (void)json_object_set_new(object, "format", is_event ? json_string(format) : json_null());
    (void)json_object_set_new(object, "agents", agents);
    tournament_close(&event);
}

// The moment in that many seconds; below 0: unknown.
static json_t *end_json(int64_t now, double seconds)
{
    return seconds >= 0 ? json_integer(now + (int64_t)(seconds * 1000)) : json_null();
}

static json_t *whole_job(const DatabaseJob *job, int64_t now)
{
    double seconds = job_seconds_left(job, now);
    json_t *object = job_json(job, now);
    (void)json_object_set_new(object, "left", json_integer((json_int_t)job_left(job)));
    (void)json_object_set_new(object, "ends", end_json(now, job->finished == 0 ? seconds : -1));
    add_event(object, job);
    return object;
}

static bool take_job(void *context, const DatabaseJob *job)
{
    Look *look = context;
    (void)json_array_append_new(look->jobs, whole_job(job, look->now));
    if (job->finished == 0)
        look->speed += job_speed(job, look->now);
    if (job->state == JOB_OPEN)
        look->left += job_left(job);
    look->is_settled = look->is_settled || (job->finished == 0 && job_left(job) == 0);
    return true;
}

static bool take_worker(void *context, const DatabaseWorker *worker)
{
    (void)json_array_append_new(((Look *)context)->workers, worker_json(worker));
    return true;
}

Status jobs_look(Database *db, bool has_database, json_t **result, Error *error)
{
    const double longest = 5; // seconds for all statements together
    Look look = {.jobs = json_array(), .workers = json_array(), .now = clock_unix_ms()};
    Status status = STATUS_OK;
    if (db != NULL) {
        database_set_deadline(db, clock_seconds() + longest);
        status = database_newest_jobs(db, JOBS_MOST, take_job, &look, error);
        if (status == STATUS_OK)
            status = database_newest_workers(db, &(DatabaseWorkerRange){WORKERS_WITHIN, WORKERS_MOST}, take_worker,
                                             &look, error);
        database_set_deadline(db, 0);
    }
    // The program that submitted a job marks its end, but may have exited. A read-only database stays unchanged.
    if (status == STATUS_OK && look.is_settled)
        (void)database_close_jobs(db, NULL);
    bool is_cut = json_array_size(look.jobs) == JOBS_MOST || json_array_size(look.workers) == WORKERS_MOST;
    double seconds = look.left > 0 && look.speed > 0 ? (double)look.left / look.speed : -1;
    const char *engine = has_database ? "SQLite" : NULL; // a database that does not exist yet is a file
    if (db != NULL && connection_is_text(database_path(db)))
        engine = "PostgreSQL";
    *result = json_pack("{s:s?, s:o, s:o, s:b, s:{s:f, s:I, s:o, s:o}}", "engine", engine, "jobs", look.jobs, "workers",
                        look.workers, "truncated", is_cut, "total", "games_per_second", look.speed, "left",
                        (json_int_t)look.left, "seconds_left", seconds >= 0 ? json_real(seconds) : json_null(), "ends",
                        end_json(look.now, seconds));
    if (status != STATUS_OK) {
        json_decref(*result);
        *result = NULL;
    }
    return status;
}

static bool take_one(void *context, const DatabaseJob *job)
{
    *(json_t **)context = whole_job(job, clock_unix_ms());
    return true;
}

static Status read_one(Database *db, int64_t id, json_t **job, Error *error)
{
    *job = NULL;
    return db != NULL ? database_look_at_job(db, id, take_one, job, error) : STATUS_OK;
}

static const char *state_of(const json_t *job)
{
    return json_string_value(json_object_get(job, "state"));
}

// A rejected change left the job unchanged.
static bool is_same(const json_t *before, const json_t *after)
{
    return after != NULL && strcmp(state_of(before), state_of(after)) == 0 &&
           json_equal(json_object_get(before, "aside"), json_object_get(after, "aside"));
}

// The job exists. A change whose connection was lost may have been stored, so the job is read again.
static void change(Database *db, JobOrder *order, const json_t *before)
{
    Error error = {0};
    Status status = database_change_job(db, order->id, order->change, &order->error);
    if (read_one(db, order->id, &order->job, &error) != STATUS_OK) {
        order->http = 503;
        (void)error_set(&order->error, STATUS_IO, "Check whether the job has changed: %.400s", error.text);
    } else if (status != STATUS_OK && is_same(before, order->job)) {
        order->http = 409;
        error_prefix(&order->error, "The job is %s: ", state_of(before));
    }
}

void jobs_change(Database *db, JobOrder *order)
{
    json_t *before = NULL;
    if (read_one(db, order->id, &before, &order->error) != STATUS_OK) {
        order->http = 503;
        error_prefix(&order->error, "The database cannot be read, and nothing was changed: ");
    } else if (before == NULL) {
        order->http = 404;
        (void)error_set(&order->error, STATUS_FAILED, "The job does not exist.");
    } else {
        change(db, order, before);
    }
    json_decref(before);
}
