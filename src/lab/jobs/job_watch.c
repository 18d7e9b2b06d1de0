// Polls a submitted job until its end, with retries while the server is unreachable.
#include "lab/jobs/job_watch.h"

#include "base/clock.h"

#include <stdio.h>

static const double poll_seconds = 0.25;

static bool is_stopped(const JobWatch *watch)
{
    return watch->stop != NULL && atomic_load(watch->stop);
}

static bool take_state(void *context, const DatabaseJob *job)
{
    JobWatch *watch = context;
    watch->state = job->state;
    watch->done = job->done;
    watch->aside = job->aside;
    (void)snprintf(watch->reason, sizeof watch->reason, "%s", job->reason != NULL ? job->reason : "");
    return true;
}

// Reads the whole job only at its end, or if counts are wanted: it may have a million units.
static Status read_state(JobWatch *watch, Error *error)
{
    bool found = false;
    Status status = database_close_jobs(watch->db, error);
    if (status == STATUS_OK)
        status = database_job_state(watch->db, watch->id, &watch->state, &found, error);
    bool is_over = watch->state == JOB_DONE || watch->state == JOB_CANCELLED;
    if (status == STATUS_OK && found && (watch->counts || is_over))
        status = database_look_at_job(watch->db, watch->id, take_state, watch, error);
    if (status == STATUS_OK && !found)
        status = error_set(error, STATUS_FAILED, "job %lld no longer exists", (long long)watch->id);
    return status;
}

// Polls once: collects results, and finds out whether more can come.
static Status poll_job(JobWatch *watch, bool *is_enough, Error *error)
{
    // The state is read first, so that all results from before the end of the job are collected.
    Status status = read_state(watch, error);
    bool has_ended = watch->state == JOB_DONE || watch->state == JOB_CANCELLED, is_settled = true;
    if (status == STATUS_OK && watch->verifier != NULL)
        status = job_verify_step(watch->verifier, &is_settled, error);
    has_ended = has_ended && (is_settled || watch->state == JOB_CANCELLED);
    if (status == STATUS_OK)
        status = watch->collect(watch->context, has_ended, is_enough, error);
    // Marks the job as done if nothing of it is left.
    if (status == STATUS_OK && *is_enough && !has_ended)
        status = read_state(watch, error);
    *is_enough = *is_enough || has_ended;
    return status;
}

static void pause_before_retry(const JobWatch *watch, const Error *error, unsigned *tries)
{
    const double longest = 30;
    double pause = 0.5;
    if (*tries == 0)
        reporter_note(watch->reporter, "%s; trying again", error->text);
    for (unsigned i = 0; i < *tries && pause < longest; i++)
        pause *= 2;
    ++*tries;
    double end = clock_seconds() + pause;
    while (clock_seconds() < end && !is_stopped(watch))
        clock_sleep(0.05);
}

Status job_watch_cancelled(const JobWatch *watch, Error *error)
{
    return error_set(error, STATUS_FAILED, "job %lld was cancelled; run 'krow jobs retry %lld' to continue it",
                     (long long)watch->id, (long long)watch->id);
}

Status job_watch_set_aside(const JobWatch *watch, int64_t count, const char *things, Error *error)
{
    return error_set(error, STATUS_FAILED, "%lld %s were set aside: %s; run 'krow jobs retry %lld' to requeue them",
                     (long long)count, things, watch->reason, (long long)watch->id);
}

Status job_watch(JobWatch *watch, Error *error)
{
    unsigned tries = 0;
    reporter_note(watch->reporter, "Submitted job %lld to the workers of '%s'.", (long long)watch->id,
                  database_path(watch->db));
    Status status = database_listen(watch->db, "krow_results", error);
    if (status != STATUS_OK)
        return status;
    for (;;) {
        if (is_stopped(watch))
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        bool is_enough = false, was_notified = false;
        status = poll_job(watch, &is_enough, error);
        if (status == STATUS_OK && is_enough)
            return STATUS_OK;
        if (status == STATUS_OK)
            status = database_wait(watch->db, poll_seconds, &was_notified, error);
        if (status == STATUS_IO)
            pause_before_retry(watch, error, &tries);
        else if (status != STATUS_OK)
            return status;
        else
            tries = 0;
    }
}
