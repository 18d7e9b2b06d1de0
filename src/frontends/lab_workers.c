#include "frontends/lab_workers.h"

#include "base/clock.h"
#include "frontends/build_identity.h"
#include "frontends/job_watch.h"
#include "frontends/worker_job.h"

#include <stdio.h>
#include <stdlib.h>

// Games read in one go.
enum { READ_MOST = 2000 };

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

static void write_title(const Lab *lab, Text *title)
{
    const Event *event = &lab->event;
    char game[RULES_TEXT_SIZE];
    rules_format(&event->rules, game);
    if (lab->title != NULL)
        text_add(title, "%s", lab->title);
    else if (event->agent_count == 2)
        text_add(title, "%s, %s against %s", game, event->agents[0], event->agents[1]);
    else
        text_add(title, "%s, %u agents", game, event->agent_count);
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
static Status put_up(Lab *lab, const LabWorkers *how, int64_t *id, bool *is_found, Error *error)
{
    *id = 0;
    Status status = lab->is_found ? database_find_job(lab->db, lab->match, id, error) : STATUS_OK;
    *is_found = *id != 0;
    if (status != STATUS_OK || *is_found)
        return status;
    Text spec = {0}, openings = {0}, title = {0};
    char build[BUILD_IDENTITY_SIZE];
    event_write(&lab->event, NULL, &spec);
    write_title(lab, &title);
    worker_job_write_openings(&lab->openings, &openings);
    build_identity(build_signature(), &lab->event.rules, build);
    DatabaseJob job = {.match = lab->match,
                       .title = title.data,
                       .spec = spec.data,
                       .openings = openings.data,
                       .build = build,
                       .unit = how->unit,
                       .lease = lease_ms(lab, how)};
    status = spec.failed || openings.failed || title.failed
                 ? error_set(error, STATUS_NO_MEMORY, "no memory for the job")
                 : add_job(lab, &job, id, error);
    text_close(&spec);
    text_close(&openings);
    text_close(&title);
    return status;
}

// --- Looking on ---

typedef struct {
    Lab *lab;
    int64_t job;
    unsigned next; // the next game to be counted
    bool skips;    // nothing more comes: games that are missing are passed over
    bool has_new;
} Collecting;

static bool is_decided(const Lab *lab)
{
    return lab->has_sprt && lab_sprt(lab).verdict != SPRT_RUNNING;
}

static bool is_complete(const Lab *lab)
{
    return lab->results.games == schedule_games(&lab->results.schedule);
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
    return !is_decided(lab) && !is_complete(lab);
}

// Counts what has come in, in order.
static Status count_games(Collecting *collecting, Error *error)
{
    Lab *lab = collecting->lab;
    Status status = STATUS_OK;
    do {
        collecting->has_new = false;
        status =
            database_each_game_from(lab->db, lab->match, collecting->next, READ_MOST, take_game, collecting, error);
    } while (status == STATUS_OK && collecting->has_new && !is_decided(lab) && !is_complete(lab));
    char words[128];
    lab_words(lab, words, sizeof words);
    progress_show(&lab->progress, lab->results.games, words);
    return status;
}

static Status collect(void *context, bool is_last, bool *is_enough, Error *error)
{
    Collecting *collecting = context;
    collecting->skips = is_last;
    Status status = count_games(collecting, error);
    if (status == STATUS_OK && is_decided(collecting->lab) && !is_last) {
        status = database_change_job(collecting->lab->db, collecting->job, JOB_CANCEL, error);
        status = status == STATUS_FAILED ? STATUS_OK : status; // it has come to its end in this moment
    }
    // The job may be for more games than the part that is wanted here.
    *is_enough = is_decided(collecting->lab) || is_complete(collecting->lab);
    return status;
}

static Status judge(const Lab *lab, const JobWatch *watch, Error *error)
{
    if (is_decided(lab) || is_complete(lab))
        return STATUS_OK;
    if (watch->aside > 0)
        return error_set(error, STATUS_FAILED, "%lld games were set aside: %s; krow jobs retry %lld tries them again",
                         (long long)watch->aside, watch->reason, (long long)watch->id);
    return error_set(error, STATUS_FAILED, "job %lld was cancelled; krow jobs retry %lld goes on", (long long)watch->id,
                     (long long)watch->id);
}

// One job. `goes_on` tells that it was somebody else's, for fewer games than are wanted here, and that it is done.
static Status run_job(Lab *lab, const LabWorkers *how, bool *goes_on, Error *error)
{
    bool is_found = false;
    Collecting collecting = {.lab = lab};
    JobWatch watch = {.db = lab->db,
                      .stop = lab->stop,
                      .quiet = lab->quiet,
                      .collect = collect,
                      .context = &collecting,
                      .state = JOB_DONE};
    *goes_on = false;
    Status status = put_up(lab, how, &watch.id, &is_found, error);
    collecting.job = watch.id;
    if (status != STATUS_OK || watch.id == 0)
        return status;
    job_watch_tell(&watch);
    status = job_watch(&watch, error);
    *goes_on = status == STATUS_OK && is_found && watch.state == JOB_DONE && watch.aside == 0 && !is_complete(lab);
    return status == STATUS_OK && !*goes_on ? judge(lab, &watch, error) : status;
}

Status lab_put_up(Lab *lab, const LabWorkers *how, Error *error)
{
    int64_t id = 0;
    bool is_found = false;
    return put_up(lab, how, &id, &is_found, error);
}

Status lab_run_by_workers(Lab *lab, const LabWorkers *how, Error *error)
{
    progress_begin(&lab->progress, schedule_games(&lab->results.schedule), lab->results.games, lab->quiet);
    if (lab->resumed > 0 && !lab->quiet)
        (void)fprintf(stderr, "%u games were played before.\n", lab->resumed);
    Status status = STATUS_OK;
    for (bool goes_on = !is_decided(lab); goes_on && status == STATUS_OK;)
        status = run_job(lab, how, &goes_on, error);
    char words[128];
    lab_words(lab, words, sizeof words);
    progress_end(&lab->progress, lab->results.games, words);
    bool whole = lab->results.schedule.games == lab->event.games;
    return status == STATUS_OK && whole ? database_finish_match(lab->db, lab->match, clock_unix_ms(), error) : status;
}
