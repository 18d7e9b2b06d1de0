// Submits the missing games of a match or tournament as a job, and counts the games that workers return.
#include "lab/submit/lab_workers.h"

#include "base/memory.h"
#include "lab/damaged.h"
#include "lab/jobs/build_identity.h"
#include "lab/jobs/job_watch.h"
#include "lab/jobs/worker_job.h"
#include "lab/submit/verified_run.h"

#include <stdlib.h>

// Games per read.
enum { JOBS_MAX = 20, READ_MOST = 2000 };

// Generous, since a lease is not a clock: twice the longest turn, by default at least 30 s.
static int64_t lease_ms(const MatchRun *run, const LabWorkers *how)
{
    const double least = 30;
    const DuelLimits *limits = &run->event.limits;
    double turn = limits->turn_seconds > limits->clock_seconds ? limits->turn_seconds : limits->clock_seconds;
    double seconds = 2 * (turn + limits->increment) > least ? 2 * (turn + limits->increment) : least;
    return (int64_t)((how->lease > 0 ? how->lease : seconds) * 1000);
}

static void write_title(const MatchRun *run, Text *title)
{
    const Tournament *event = &run->event;
    char game[RULES_TEXT_SIZE];
    rules_format(&event->rules, game);
    if (run->title != NULL)
        text_add(title, "%s", run->title);
    else if (event->agent_count == 2)
        text_add(title, "%s, %s against %s", game, event->names[0], event->names[1]);
    else
        text_add(title, "%s, %u agents", game, event->agent_count);
}

// The missing games as ranges; the caller frees them.
static DatabaseRange *missing_games(const MatchRun *run, size_t *count)
{
    unsigned games = schedule_games(&run->results.schedule);
    size_t capacity = 0;
    DatabaseRange *ranges = NULL;
    *count = 0;
    for (unsigned n = 0; n < games; n++) {
        if (results_has(&run->results, n))
            continue;
        if (ranges == NULL || results_has(&run->results, n - 1)) {
            ranges = array_grow(ranges, &capacity, *count + 1, sizeof *ranges);
            ranges[(*count)++] = (DatabaseRange){.first = n};
        }
        ranges[*count - 1].games++;
    }
    return ranges;
}

static Status add_job(const MatchRun *run, const DatabaseJob *job, int64_t *id, Error *error)
{
    size_t count = 0;
    DatabaseRange *ranges = missing_games(run, &count);
    DatabaseJobUnits units = {ranges, count, (const char *const *)run->event.agents, run->event.agent_count};
    Status status = count > 0 ? database_add_job(run->db, job, &units, id, error) : STATUS_OK;
    free(ranges);
    return status;
}

// Finds the unfinished job of the match, or adds one. `id` is 0 if no game is missing.
static Status submit(MatchRun *run, const LabWorkers *how, int64_t *id, bool *is_found, Error *error)
{
    *id = 0;
    Status status = run->is_found ? database_find_job(run->db, run->match, id, error) : STATUS_OK;
    *is_found = *id != 0;
    if (status != STATUS_OK || *is_found)
        return status;
    Text spec = {0}, openings = {0}, title = {0};
    char build[BUILD_IDENTITY_SIZE];
    tournament_write(&run->event, NULL, &spec);
    write_title(run, &title);
    worker_job_write_openings(&run->openings, &openings);
    build_identity(build_signature(), &run->event.rules, build);
    DatabaseJob job = {.match = run->match,
                       .title = title.data,
                       .spec = spec.data,
                       .openings = openings.data,
                       .build = build,
                       .unit = how->unit,
                       .verify = run->verify,
                       .lease = lease_ms(run, how)};
    status = add_job(run, &job, id, error);
    text_close(&spec);
    text_close(&openings);
    text_close(&title);
    return status;
}

typedef struct {
    MatchRun *run;
    int64_t job;
    unsigned next; // the next game to count
    bool skips;    // the job has ended: missing games are skipped
    bool has_new;
} Collecting;

static bool is_complete(const MatchRun *run)
{
    return run->results.games == schedule_games(&run->results.schedule);
}

static bool take_game(void *context, const DatabaseGame *game)
{
    Collecting *collecting = context;
    MatchRun *run = collecting->run;
    // Skips games that were counted before.
    while (collecting->next < game->number && results_has(&run->results, collecting->next))
        collecting->next++;
    if (game->number > collecting->next && !collecting->skips)
        return false;
    match_run_count_stored(run, game);
    collecting->next = (unsigned)game->number + 1;
    collecting->has_new = true;
    return !match_run_is_decided(run) && !is_complete(run);
}

// Counts games that have arrived, in order.
static Status count_games(Collecting *collecting, Error *error)
{
    MatchRun *run = collecting->run;
    Status status = STATUS_OK;
    do {
        collecting->has_new = false;
        status = database_each_game_from(run->db, &(DatabaseGameRange){run->match, collecting->next, READ_MOST},
                                         take_game, collecting, error);
    } while (status == STATUS_OK && collecting->has_new && !match_run_is_decided(run) && !is_complete(run));
    match_run_show(run);
    return status;
}

static Status collect(void *context, bool is_last, bool *is_enough, Error *error)
{
    Collecting *collecting = context;
    collecting->skips = is_last;
    Status status = count_games(collecting, error);
    if (status == STATUS_OK && match_run_is_decided(collecting->run) && !is_last) {
        status = database_change_job(collecting->run->db, collecting->job, JOB_CANCEL, error);
        status = status == STATUS_FAILED ? STATUS_OK : status; // the job has ended in the meantime
    }
    // The job may have more games than this part of the match.
    *is_enough = match_run_is_decided(collecting->run) || is_complete(collecting->run);
    return status;
}

static Status judge(const MatchRun *run, const JobWatch *watch, Error *error)
{
    if (match_run_is_decided(run) || is_complete(run))
        return STATUS_OK;
    return watch->aside > 0 ? job_watch_set_aside(watch, watch->aside, "games", error)
                            : job_watch_cancelled(watch, error);
}

// Runs one job. `has_more`: another process submitted it for fewer games than are wanted here, and it is done.
static Status run_job(MatchRun *run, const LabWorkers *how, bool *has_more, Error *error)
{
    bool is_found = false;
    Collecting collecting = {.run = run};
    JobWatch watch = {.db = run->db,
                      .stop = run->stop,
                      .reporter = run->reporter,
                      .collect = collect,
                      .context = &collecting,
                      .state = JOB_DONE};
    *has_more = false;
    Status status = submit(run, how, &watch.id, &is_found, error);
    collecting.job = watch.id;
    if (status != STATUS_OK || watch.id == 0)
        return status;
    // Workers store games themselves. Only games that can be replayed count; the others are played again.
    DamagedGames damaged;
    damaged_watch(&damaged, run->db, run->reporter);
    status = job_watch(&watch, error);
    bool was_damaged = damaged.count > 0;
    if (status == STATUS_OK)
        status = damaged_remove(&damaged, run->db, error);
    damaged_close(&damaged, run->db);
    *has_more = status == STATUS_OK && (is_found || was_damaged) && watch.state == JOB_DONE && watch.aside == 0 &&
                !is_complete(run);
    return status == STATUS_OK && !*has_more ? judge(run, &watch, error) : status;
}

Status lab_play(MatchRun *run, const LabWorkers *how, Error *error)
{
    int64_t id = 0;
    bool is_found = false;
    if (!run->by_workers)
        return match_run_play(run, error);
    if (how->submit_only && run->verify > 0)
        return verified_submit(run, how, submit, error);
    if (how->submit_only)
        return submit(run, how, &id, &is_found, error);
    if (run->verify > 0)
        return verified_play(run, how, submit, error);
    match_run_begin(run);
    Status status = STATUS_OK;
    unsigned jobs = 0;
    for (bool has_more = !match_run_is_decided(run); has_more && status == STATUS_OK;)
        status = jobs++ < JOBS_MAX
                     ? run_job(run, how, &has_more, error)
                     : error_set(error, STATUS_FAILED, "workers keep storing games that cannot be replayed");
    return match_run_end(run, status, error);
}
