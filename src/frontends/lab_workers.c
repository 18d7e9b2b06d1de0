#include "frontends/lab_workers.h"

#include "base/clock.h"
#include "frontends/build_identity.h"
#include "frontends/worker_job.h"

#include <stdio.h>
#include <stdlib.h>

// Games read in one go.
enum { READ_MOST = 2000 };

// Seconds between two looks at what has come in.
static const double look_seconds = 0.25;

// --- Putting it up ---

// The longest a turn can take, with which a worker must have got on: a lease is no clock, so it is generous.
static int64_t lease_ms(const Lab *lab, const LabWorkers *how)
{
    const double least = 30;
    const DuelLimits *limits = &lab->event.limits;
    double turn = limits->turn_seconds > limits->clock_seconds ? limits->turn_seconds : limits->clock_seconds;
    double seconds = 2 * (turn + limits->increment) > least ? 2 * (turn + limits->increment) : least;
    return (int64_t)((how->lease > 0 ? how->lease : seconds) * 1000);
}

// The games that are missing, as ranges; the caller frees them.
static Status missing_games(const Lab *lab, DatabaseRange **ranges, size_t *count, Error *error)
{
    unsigned games = schedule_games(&lab->results.schedule);
    size_t capacity = 0;
    for (unsigned n = 0; n < games; n++)
        capacity += !results_has(&lab->results, n) && (n == 0 || results_has(&lab->results, n - 1));
    *ranges = calloc(capacity > 0 ? capacity : 1, sizeof **ranges);
    *count = 0;
    if (*ranges == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the games that are missing");
    for (unsigned n = 0; n < games; n++) {
        if (results_has(&lab->results, n))
            continue;
        if (n == 0 || results_has(&lab->results, n - 1))
            (*ranges)[(*count)++].first = n;
        (*ranges)[*count - 1].games++;
    }
    return STATUS_OK;
}

static Status add_job(const Lab *lab, const DatabaseJob *job, int64_t *id, Error *error)
{
    DatabaseRange *ranges = NULL;
    size_t count = 0;
    Status status = missing_games(lab, &ranges, &count, error);
    if (status == STATUS_OK && count > 0)
        status = database_add_job(lab->db, job, ranges, count, (const char *const *)lab->event.agents,
                                  lab->event.agent_count, id, error);
    free(ranges);
    return status;
}

// The job of the match that goes on, or a new one. `id` is 0 where nothing is left to play.
static Status put_up(Lab *lab, const LabWorkers *how, int64_t *id, Error *error)
{
    *id = 0;
    Status status = lab->is_found ? database_find_job(lab->db, lab->match, id, error) : STATUS_OK;
    if (status != STATUS_OK || *id != 0)
        return status;
    Text spec = {0}, openings = {0};
    char build[BUILD_IDENTITY_SIZE];
    event_write(&lab->event, NULL, &spec);
    worker_job_write_openings(&lab->openings, &openings);
    build_identity(build_signature(), &lab->event.rules, build);
    DatabaseJob job = {.match = lab->match,
                       .spec = spec.data,
                       .openings = openings.data,
                       .build = build,
                       .unit = how->unit,
                       .lease = lease_ms(lab, how)};
    status = spec.failed || openings.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the job")
                                            : add_job(lab, &job, id, error);
    text_close(&spec);
    text_close(&openings);
    return status;
}

// --- Looking on ---

typedef struct {
    Lab *lab;
    unsigned next; // the next game to be counted
    bool skips;    // nothing more comes: games that are missing are passed over
    bool has_new;
} Collecting;

static bool is_decided(const Lab *lab)
{
    return lab->has_sprt && lab_sprt(lab).verdict != SPRT_RUNNING;
}

static bool take_game(void *context, const DatabaseGame *game)
{
    Collecting *collecting = context;
    Lab *lab = collecting->lab;
    // Those played before are counted already.
    while (collecting->next < game->number && results_has(&lab->results, collecting->next))
        collecting->next++;
    if (game->number > collecting->next && !collecting->skips)
        return false;
    lab_count_stored(lab, game);
    collecting->next = (unsigned)game->number + 1;
    collecting->has_new = true;
    return !is_decided(lab);
}

// Counts what has come in, in order.
static Status collect(Collecting *collecting, Error *error)
{
    Lab *lab = collecting->lab;
    Status status = STATUS_OK;
    do {
        collecting->has_new = false;
        status =
            database_each_game_from(lab->db, lab->match, collecting->next, READ_MOST, take_game, collecting, error);
    } while (status == STATUS_OK && collecting->has_new && !is_decided(lab));
    char words[128];
    lab_words(lab, words, sizeof words);
    progress_show(&lab->progress, lab->results.games, words);
    return status;
}

typedef struct {
    JobState state;
    int64_t aside;
    char reason[200];
} JobEnd;

static bool take_end(void *context, const DatabaseJob *job)
{
    JobEnd *end = context;
    end->state = job->state;
    end->aside = job->aside;
    (void)snprintf(end->reason, sizeof end->reason, "%s", job->reason != NULL ? job->reason : "");
    return true;
}

static Status look_at(Lab *lab, int64_t id, JobEnd *end, Error *error)
{
    bool found = false;
    Status status = database_close_jobs(lab->db, error);
    if (status == STATUS_OK)
        status = database_read_job(lab->db, id, take_end, end, &found, error);
    if (status == STATUS_OK && !found)
        status = error_set(error, STATUS_FAILED, "job %lld is gone", (long long)id);
    return status;
}

// One look: what has come in, and whether something can still come.
static Status look(Collecting *collecting, int64_t id, JobEnd *end, Error *error)
{
    Lab *lab = collecting->lab;
    // In this order: what came in before the end is counted after it was seen.
    Status status = look_at(lab, id, end, error);
    collecting->skips = status == STATUS_OK && (end->state == JOB_DONE || end->state == JOB_CANCELLED);
    if (status == STATUS_OK)
        status = collect(collecting, error);
    if (status == STATUS_OK && is_decided(lab) && !collecting->skips) {
        status = database_change_job(lab->db, id, JOB_CANCEL, error);
        collecting->skips = true;
    }
    return status;
}

// The server may be gone for a while; workers and job do not mind.
static void pause_before_retry(const Lab *lab, const Error *error, unsigned *tries)
{
    const double longest = 30;
    double pause = 0.5;
    if (*tries == 0 && !lab->quiet)
        (void)fprintf(stderr, "%s; trying again\n", error->text);
    for (unsigned i = 0; i < *tries && pause < longest; i++)
        pause *= 2;
    ++*tries;
    double end = clock_seconds() + pause;
    while (clock_seconds() < end && (lab->stop == NULL || !atomic_load(lab->stop)))
        clock_sleep(0.05);
}

static Status look_on(Lab *lab, int64_t id, JobEnd *end, Error *error)
{
    Collecting collecting = {.lab = lab};
    unsigned tries = 0;
    for (;;) {
        if (lab->stop != NULL && atomic_load(lab->stop))
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        Status status = look(&collecting, id, end, error);
        bool was_notified = false;
        if (status == STATUS_OK && collecting.skips)
            return STATUS_OK;
        if (status == STATUS_OK)
            status = database_wait(lab->db, look_seconds, &was_notified, error);
        if (status == STATUS_IO)
            pause_before_retry(lab, error, &tries);
        else if (status != STATUS_OK)
            return status;
        else
            tries = 0;
    }
}

static Status judge(const Lab *lab, int64_t id, const JobEnd *end, Error *error)
{
    if (is_decided(lab))
        return STATUS_OK;
    if (end->aside > 0)
        return error_set(error, STATUS_FAILED, "%lld games were set aside: %s; krow jobs retry %lld tries them again",
                         (long long)end->aside, end->reason, (long long)id);
    if (lab->results.games < schedule_games(&lab->results.schedule))
        return error_set(error, STATUS_FAILED, "job %lld was cancelled; krow jobs retry %lld goes on", (long long)id,
                         (long long)id);
    return STATUS_OK;
}

Status lab_run_by_workers(Lab *lab, const LabWorkers *how, Error *error)
{
    int64_t id = 0;
    JobEnd end = {.state = JOB_DONE};
    progress_begin(&lab->progress, schedule_games(&lab->results.schedule), lab->results.games, lab->quiet);
    if (lab->resumed > 0 && !lab->quiet)
        (void)fprintf(stderr, "%u games were played before.\n", lab->resumed);
    Status status = is_decided(lab) ? STATUS_OK : put_up(lab, how, &id, error);
    if (status == STATUS_OK && id != 0) {
        if (!lab->quiet)
            (void)fprintf(stderr, "Job %lld is for the workers of '%s'.\n", (long long)id, database_path(lab->db));
        status = database_listen(lab->db, "krow_results", error);
        if (status == STATUS_OK)
            status = look_on(lab, id, &end, error);
    }
    char words[128];
    lab_words(lab, words, sizeof words);
    progress_end(&lab->progress, lab->results.games, words);
    if (status == STATUS_OK)
        status = judge(lab, id, &end, error);
    return status == STATUS_OK ? database_finish_match(lab->db, lab->match, clock_unix_ms(), error) : status;
}
