// krow jobs: lists and controls the jobs of workers.
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/books.h"
#include "lab/jobs/jobs_view.h"
#include "lab/match_games.h"
#include "store/db/jobs/database_verify.h"
#include "view/json_view.h"

#include <stdio.h>
#include <string.h>

// Seconds between two lists of `krow jobs watch`.
static const double watch_seconds = 2;

static bool add_job_json(void *context, const DatabaseJob *job)
{
    return json_array_append_new(context, job_json(job, clock_unix_ms())) == 0;
}

static bool add_worker_json(void *context, const DatabaseWorker *worker)
{
    return json_array_append_new(context, worker_json(worker)) == 0;
}

static bool print_job(void *context, const DatabaseJob *job)
{
    if (*(const bool *)context && job->finished != 0)
        return true;
    int64_t now = clock_unix_ms();
    double left = job_seconds_left(job, now);
    (void)printf("%5lld  %-10s %-9s %8lld of %8lld %s, %6lld in hand, %8.1f a second", (long long)job->id,
                 job_word(job), job_state_name(job->state), (long long)job->done, (long long)job->games,
                 job_things(job), (long long)job->held, job_speed(job, now));
    unsigned long wait = left > 0 ? (unsigned long)left : 0;
    if (wait > 0)
        (void)printf(", %lu:%02lu:%02lu left", wait / 3600, wait / 60 % 60, wait % 60);
    if (job->aside > 0)
        (void)printf(", %lld set aside", (long long)job->aside);
    if (job->verify > 0)
        (void)printf(", %lld verified, %lld to verify", (long long)job->agreed, (long long)job->pending);
    (void)printf("; %s\n", job->title);
    if (job->reason != NULL)
        (void)printf("       %lld failures, one of them: %s\n", (long long)job->failures, job->reason);
    return true;
}

static bool print_worker(void *context, const DatabaseWorker *worker)
{
    (void)context;
    (void)printf("worker %-30s %3u at once, %8lld done, %6lld in hand%s%s%s%s\n", worker->name, worker->slots,
                 (long long)worker->games, (long long)worker->held, worker->words[0] != '\0' ? "; " : "", worker->words,
                 worker->quarantine != NULL ? "; in quarantine: " : "",
                 worker->quarantine != NULL ? worker->quarantine : "");
    return true;
}

static Status list(Database *db, bool json, bool only_live, Error *error)
{
    Status status = STATUS_OK;
    if (!json) {
        status = database_each_job(db, print_job, &only_live, error);
        return status == STATUS_OK ? database_each_worker(db, false, print_worker, NULL, error) : status;
    }
    json_t *jobs = json_array(), *workers = json_array();
    status = database_each_job(db, add_job_json, jobs, error);
    if (status == STATUS_OK)
        status = database_each_worker(db, false, add_worker_json, workers, error);
    json_t *object = json_pack("{s:o, s:o}", "jobs", jobs, "workers", workers);
    if (status == STATUS_OK)
        return output_json(object, error);
    json_decref(object);
    return status;
}

static Status run_list(const void *options, Error *error)
{
    const CommandLine *args = options;
    Database *db = NULL;
    Status status = database_for("jobs", args->db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = list(db, args->json, false, error);
    database_close(db);
    return status;
}

static bool count_live(void *context, const DatabaseJob *job)
{
    *(unsigned *)context += job->finished == 0;
    return true;
}

// Lists the jobs until no work is left.
static Status watch(Database *db, const CommandLine *args, Error *error)
{
    unsigned live = 0;
    bool was_notified = false;
    Status status = database_listen(db, "krow_results", error);
    do {
        if (status == STATUS_OK)
            status = database_close_jobs(db, error);
        if (status == STATUS_OK)
            status = list(db, args->json, true, error);
        (void)fflush(stdout);
        live = 0;
        if (status == STATUS_OK)
            status = database_each_job(db, count_live, &live, error);
        if (status == STATUS_OK && live > 0)
            status = database_wait(db, watch_seconds, &was_notified, error);
    } while (status == STATUS_OK && live > 0 && !atomic_load(interrupt_flag()));
    return status;
}

static Status run_watch(const void *options, Error *error)
{
    const CommandLine *args = options;
    Database *db = NULL;
    (void)interrupt_catch();
    Status status = database_for("jobs", args->db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = watch(db, args, error);
    database_close(db);
    return status;
}

static bool take_json(void *context, const DatabaseJob *job)
{
    *(json_t **)context = job_json(job, clock_unix_ms());
    return true;
}

static Status run_change(const void *options, Error *error)
{
    const CommandLine *args = options;
    int64_t id = 0;
    if (!span_to_int(span_of(args->words[0]), 1, INT64_MAX, &id))
        return error_set(error, STATUS_BAD_INPUT, "'%s' is not the number of a job", args->words[0]);
    Database *db = NULL;
    json_t *object = NULL;
    Status status = database_for("jobs", args->db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = database_change_job(db, id, (JobChange)args->change, error);
    if (status == STATUS_OK)
        status = database_read_job(db, id, take_json, &object, error);
    database_close(db);
    if (status == STATUS_OK && args->json)
        return output_json(object, error);
    if (status == STATUS_OK)
        (void)printf("job %lld is %s\n", (long long)id, json_string_value(json_object_get(object, "state")));
    json_decref(object);
    return status;
}

// --- Quarantine ---

static bool add_quarantine_json(void *context, const DatabaseQuarantine *quarantine)
{
    return json_array_append_new(context, json_pack("{s:o, s:I, s:o}", "worker", view_text(quarantine->label), "since",
                                                    (json_int_t)quarantine->since, "reason",
                                                    view_text(quarantine->reason))) == 0;
}

static bool print_quarantine(void *context, const DatabaseQuarantine *quarantine)
{
    char date[MATCH_DATE_SIZE];
    (void)context;
    (void)printf("worker %s, since %s: %s\n", quarantine->label, match_date(quarantine->since, date),
                 quarantine->reason);
    return true;
}

static Status list_quarantined(Database *db, bool json, Error *error)
{
    if (!json)
        return database_each_quarantine(db, print_quarantine, NULL, error);
    json_t *list = json_array();
    Status status = database_each_quarantine(db, add_quarantine_json, list, error);
    json_t *object = json_pack("{s:o}", "quarantined", list);
    if (status == STATUS_OK)
        return output_json(object, error);
    json_decref(object);
    return status;
}

static Status run_quarantined(const void *options, Error *error)
{
    const CommandLine *args = options;
    Database *db = NULL;
    Status status = database_for("jobs", args->db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = list_quarantined(db, args->json, error);
    database_close(db);
    return status;
}

static Status report_quarantine(const CommandLine *args, const char *state, Error *error)
{
    if (args->json)
        return output_json(json_pack("{s:o, s:s}", "worker", view_text(args->words[0]), "state", state), error);
    (void)printf("worker %s is %s\n", args->words[0], state);
    return STATUS_OK;
}

static Status run_quarantine(const void *options, Error *error)
{
    const CommandLine *args = options;
    Database *db = NULL;
    bool is_new = false;
    if (args->words[0][0] == '\0' || strlen(args->words[0]) >= DATABASE_LABEL_SIZE)
        return error_set(error, STATUS_BAD_INPUT, "'%.40s' is not the name of a worker", args->words[0]);
    Status status = database_for("jobs", args->db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = database_quarantine(db, args->words[0], "by 'krow jobs quarantine'", &is_new, error);
    if (status == STATUS_OK && !is_new)
        status = error_set(error, STATUS_FAILED, "the worker '%s' is in quarantine already", args->words[0]);
    database_close(db);
    return status == STATUS_OK ? report_quarantine(args, "in quarantine", error) : status;
}

static Status run_release(const void *options, Error *error)
{
    const CommandLine *args = options;
    Database *db = NULL;
    bool was_there = false;
    Status status = database_for("jobs", args->db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = database_lift_quarantine(db, args->words[0], &was_there, error);
    if (status == STATUS_OK && !was_there)
        status = error_set(error, STATUS_FAILED, "the worker '%s' is not in quarantine", args->words[0]);
    database_close(db);
    return status == STATUS_OK ? report_quarantine(args, "released", error) : status;
}

static const CliOption options[] = {
    CLI_OPTION(CommandLine, db, "db", CLI_DATABASE, "URL", "Database to use, such as postgresql://host/krow"),
    OPTION_JSON,
    CLI_END(CommandLine),
};

#define JOBS_PART(name_, words_, run_, summary_, ...)                                                                  \
    &(const Command)                                                                                                   \
    {                                                                                                                  \
        .name = (name_), .words = (words_), .summary = (summary_), .options = options, .run = (run_),                  \
        .about = __VA_ARGS__                                                                                           \
    }

static const Command *const parts[] = {
    JOBS_PART("list", NULL, run_list, "List jobs and workers",
              "Speed and remaining time are computed from the work of the last minute, or since the job was submitted. "
              "Work is counted in games, positions to solve, or parts of a paper's experiment."),
    JOBS_PART("watch", NULL, run_watch, "Print the list every two seconds until no work is left",
              "With --json, each list is one object."),
    JOBS_PART("pause", "JOB", run_change, "Stop handing out a job's work",
              "Workers finish the work that they have claimed.", .change = JOB_PAUSE),
    JOBS_PART("continue", "JOB", run_change, "Hand out a paused job's work again", "Workers claim its work again.",
              .change = JOB_CONTINUE),
    JOBS_PART("cancel", "JOB", run_change, "Cancel a job",
              "Finished work is kept. Workers drop the work that they have claimed.", .change = JOB_CANCEL),
    JOBS_PART("retry", "JOB", run_change, "Requeue failed work", "Also continues a cancelled job.",
              .change = JOB_RETRY),
    JOBS_PART("quarantined", NULL, run_quarantined, "List workers in quarantine",
              "Workers that submitted false results get no more work. They are found by --verify of the commands that "
              "submit jobs, and known by their name without the process number, as 'krow worker --name' sets it."),
    JOBS_PART(
        "quarantine", "WORKER", run_quarantine, "Put the workers of a name in quarantine",
        "Their units are handed out again. Waiting commands with --verify also discard the results of theirs that "
        "were not confirmed."),
    JOBS_PART("release", "WORKER", run_release, "End the quarantine of the workers of a name",
              "They get work again when they are started."),
    NULL,
};

const Command command_jobs = {
    .name = "jobs",
    .summary = "List and control the jobs of workers",
    .about = "Jobs come from 'krow match', 'tournament', 'tune', 'reproduce' and 'solve' with --workers; 'krow worker' "
             "does them.",
    .parts = parts,
};
