// Submits games of a match until all of them are there and verified; only then they count.
#include "lab/submit/verified_run.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "lab/damaged.h"
#include "lab/jobs/job_agents.h"
#include "lab/jobs/job_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Games per read.
enum { JOBS_MAX = 100, READ_MOST = 2000 };

// A game that a worker cannot have submitted in good faith.
typedef struct {
    int64_t id, number;
    char reason[ERROR_TEXT_SIZE];
} FalseGame;

typedef struct {
    MatchRun *run;
    MatchRun counted; // a copy of the run that counts games before they are verified: for the progress and the SPRT
    unsigned next;    // the next game of `counted`
    bool has_new;
    bool skips;      // count games after a missing one too
    bool is_dropped; // the rest of the job
    int64_t job;
    JobVerifier verifier;
    FalseGame *list; // owned
    size_t count, capacity;
} Verified;

// --- Games before they are verified ---

static void close_counted(Verified *verified)
{
    results_close(&verified->counted.results);
    free(verified->counted.faults);
    verified->counted.faults = NULL;
}

static void restart_counted(Verified *verified)
{
    close_counted(verified);
    verified->counted.fault_count = 0;
    verified->next = 0;
    results_open(&verified->counted.results, &verified->run->results.schedule);
}

static void open_counted(Verified *verified)
{
    verified->counted = *verified->run;
    verified->counted.results = (Results){0};
    verified->counted.faults = NULL;
    verified->counted.on_game = NULL;
    verified->counted.keeps_sgf = verified->counted.notes_games = false;
    restart_counted(verified);
}

static void add_false(Verified *verified, int64_t id, int64_t number, const char *reason)
{
    for (size_t i = 0; i < verified->count; i++)
        if (verified->list[i].id == id)
            return;
    verified->list = array_grow(verified->list, &verified->capacity, verified->count + 1, sizeof *verified->list);
    FalseGame *game = &verified->list[verified->count++];
    *game = (FalseGame){.id = id, .number = number};
    (void)snprintf(game->reason, sizeof game->reason, "%s", reason);
}

// Somebody has changed a game that does not have its checksum: its worker is not to blame.
static void take_damage(void *context, const DatabaseDamage *damage)
{
    add_false(context, damage->id, damage->was_changed ? -1 : damage->number, damage->reason);
}

// Texts of the database are read without characters that are not safe to show.
static bool is_name(const char *stored, const char *name)
{
    char *copy = memory_copy_text(name);
    utf8_clean_line(copy);
    bool is_same = strcmp(stored, copy) == 0;
    free(copy);
    return is_same;
}

// What the schedule says about a game, which does not depend on how it was played; NULL: it is as planned.
static const char *difference_from_plan(const MatchRun *run, const DatabaseGame *game)
{
    if (game->record->result == RESULT_NONE)
        return "it has no result";
    ScheduledGame plan = schedule_game(&run->results.schedule, (unsigned)game->number);
    char *const *names = run->event.names;
    if (!is_name(game->first, names[plan.reversed ? plan.b : plan.a]) ||
        !is_name(game->second, names[plan.reversed ? plan.a : plan.b]))
        return "it has other players than planned";
    if (game->seed != rng_derive(run->event.seed, (uint64_t)game->number))
        return "it has another seed than planned";
    const Opening *opening = run->openings.count > 0 ? &run->openings.list[plan.opening] : NULL;
    unsigned stones = opening != NULL ? opening->count : 0;
    bool is_same = game->opening == stones && game->record->count >= stones;
    for (unsigned i = 0; i < stones && is_same; i++)
        is_same = game->record->stones[i].cell == opening->stones[i];
    return is_same ? NULL : "it has another opening than planned";
}

// By the games without a gap.
static bool is_decided(const Verified *verified)
{
    return !verified->skips && match_run_is_decided(&verified->counted);
}

static bool take_game(void *context, const DatabaseGame *game)
{
    Verified *verified = context;
    unsigned games = schedule_games(&verified->run->results.schedule);
    if (game->number < 0 || game->number >= games) // of a larger part of the match
        return true;
    if (game->number > verified->next && !verified->skips)
        return false;
    const char *difference = difference_from_plan(verified->run, game);
    if (difference != NULL)
        add_false(verified, game->id, game->number, difference);
    else
        match_run_count_stored(&verified->counted, game);
    verified->next = (unsigned)game->number + 1;
    verified->has_new = true;
    // As in one process, the SPRT is decided by the first games without a gap.
    return !is_decided(verified);
}

// Counts the games from `next` on until the first one that is missing, or all of them.
static Status count_games(Verified *verified, bool is_all, Error *error)
{
    MatchRun *run = verified->run;
    Status status = STATUS_OK;
    verified->skips = is_all;
    if (is_all)
        verified->next = 0;
    database_on_damage(run->db, take_damage, verified);
    do {
        verified->has_new = false;
        status = database_each_game_from(run->db, &(DatabaseGameRange){run->match, verified->next, READ_MOST},
                                         take_game, verified, error);
    } while (status == STATUS_OK && verified->has_new && !is_decided(verified));
    database_on_damage(run->db, NULL, NULL);
    return status;
}

// --- Games that cannot be right ---

static Status blame(Verified *verified, const FalseGame *game, Error *error)
{
    char reason[ERROR_TEXT_SIZE];
    int64_t worker = 0;
    Status status = database_submitter(verified->run->db, verified->run->match, game->number, &worker, error);
    (void)snprintf(reason, sizeof reason, "game %lld of match %lld is false: %.200s", (long long)game->number + 1,
                   (long long)verified->run->match, game->reason);
    return status == STATUS_OK ? job_verify_blame(&verified->verifier, worker, reason, error) : status;
}

// Deletes them, so that they are played again.
static Status remove_false(Verified *verified, Error *error)
{
    Status status = STATUS_OK;
    uint64_t removed = 0;
    for (size_t i = 0; i < verified->count && status == STATUS_OK; i++) {
        const FalseGame *game = &verified->list[i];
        if (game->number >= 0)
            status = blame(verified, game, error);
        else
            reporter_note(verified->run->reporter, "game %lld of the database is damaged and played again: %s",
                          (long long)game->id, game->reason);
        if (status == STATUS_OK)
            status = database_remove_games(verified->run->db, &game->id, 1, &removed, error);
    }
    verified->count = 0;
    return status;
}

// --- Verification ---

typedef struct {
    unsigned number;
    Text *text;
    bool is_found;
} Wanted;

static bool take_outcome(void *context, const DatabaseGame *game)
{
    Wanted *wanted = context;
    wanted->is_found = game->number == wanted->number;
    if (wanted->is_found)
        match_game_outcome(game, wanted->text);
    return false;
}

static Status read_outcome(void *context, unsigned number, Text *text, bool *is_found, Error *error)
{
    Verified *verified = context;
    Wanted wanted = {.number = number, .text = text};
    database_on_damage(verified->run->db, take_damage, verified);
    Status status = database_each_game_from(verified->run->db, &(DatabaseGameRange){verified->run->match, number, 1},
                                            take_outcome, &wanted, error);
    database_on_damage(verified->run->db, NULL, NULL);
    *is_found = wanted.is_found;
    return status == STATUS_OK ? remove_false(verified, error) : status;
}

typedef struct {
    const MatchRun *run;
    Text *text;
    bool is_done;
} Replay;

static Status take_duel(void *context, const Duel *duel, Error *error)
{
    Replay *replay = context;
    GameRecord record = {0};
    DatabaseGame game;
    char reason[MATCH_RUN_REASON_SIZE];
    Status status = match_run_game_of(duel, (const char *const *)replay->run->event.names, replay->run->match, &record,
                                      reason, &game, error);
    if (status == STATUS_OK)
        match_game_outcome(&game, replay->text);
    replay->is_done = status == STATUS_OK;
    record_close(&record);
    return status;
}

static Status play_again(void *context, unsigned number, Text *text, bool *is_done, Error *error)
{
    const MatchRun *run = ((Verified *)context)->run;
    Replay replay = {.run = run, .text = text};
    RunnerConfig config = {.rules = run->event.rules,
                           .agents = (const char *const *)run->event.agents,
                           .schedule = run->results.schedule,
                           .openings = &run->openings,
                           .limits = run->event.limits,
                           .seed = run->event.seed,
                           .from = number,
                           .to = number + 1,
                           .jobs = 1,
                           .host = run->host,
                           .stop = run->stop};
    RunnerSink sink = {.context = &replay, .finished = take_duel};
    Status status = runner_run(&config, &sink, error);
    *is_done = replay.is_done;
    return status;
}

static bool are_equal(void *context, const char *a, const char *b)
{
    (void)context;
    return strcmp(a, b) == 0;
}

static void begin_verification(Verified *verified)
{
    MatchRun *run = verified->run;
    run->verification.varies = !job_event_is_repeatable(&run->event);
    verified->verifier = (JobVerifier){.db = run->db,
                                       .share = run->verification.varies ? 0 : run->verify,
                                       .thing = "game",
                                       .reporter = run->reporter,
                                       .found = &run->verification,
                                       .context = verified,
                                       .stored = read_outcome,
                                       .compute = play_again,
                                       .agrees = are_equal};
    job_verify_begin(&verified->verifier);
    run->verification.share = run->verify;
}

// --- Jobs ---

static Status collect(void *context, bool is_last, bool *is_enough, Error *error)
{
    Verified *verified = context;
    *is_enough = false;
    Status status = count_games(verified, is_last, error);
    if (status == STATUS_OK)
        status = remove_false(verified, error);
    if (status == STATUS_OK && !verified->is_dropped && is_decided(verified)) {
        verified->is_dropped = true;
        status = database_drop_rest(verified->run->db, verified->job, error);
    }
    match_run_show(&verified->counted);
    return status;
}

static Status watch_job(Verified *verified, int64_t job, Error *error)
{
    MatchRun *run = verified->run;
    JobWatch watch = {.db = run->db,
                      .id = job,
                      .stop = run->stop,
                      .reporter = run->reporter,
                      .collect = collect,
                      .context = verified,
                      .verifier = &verified->verifier,
                      .state = JOB_DONE};
    verified->job = verified->verifier.job = job;
    verified->is_dropped = false;
    Status status = job_watch(&watch, error);
    if (status == STATUS_OK && watch.state == JOB_CANCELLED)
        return job_watch_cancelled(&watch, error);
    if (status == STATUS_OK && watch.aside > 0)
        return job_watch_set_aside(&watch, watch.aside, "games", error);
    return status;
}

// The next job to wait for: one whose units are not settled, or a new one with the missing games.
static Status next_job(Verified *verified, const LabWorkers *how, LabSubmit *submit, int64_t *job, Error *error)
{
    bool is_found = false;
    restart_counted(verified);
    Status status = database_unsettled_job(verified->run->db, verified->run->match, job, error);
    if (status == STATUS_OK && *job == 0)
        status = database_find_job(verified->run->db, verified->run->match, job, error);
    if (status != STATUS_OK || *job != 0)
        return status;
    status = count_games(verified, false, error);
    if (status != STATUS_OK || (verified->count == 0 && is_decided(verified)))
        return status;
    status = count_games(verified, true, error);
    if (status == STATUS_OK)
        status = remove_false(verified, error);
    return status == STATUS_OK ? submit(&verified->counted, how, job, &is_found, error) : status;
}

static Status play_jobs(Verified *verified, const LabWorkers *how, LabSubmit *submit, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned jobs = 0; status == STATUS_OK; jobs++) {
        int64_t job = 0;
        status = next_job(verified, how, submit, &job, error);
        if (status != STATUS_OK || job == 0)
            return status;
        status = jobs < JOBS_MAX
                     ? watch_job(verified, job, error)
                     : error_set(error, STATUS_FAILED, "workers keep storing games that cannot be replayed");
    }
    return status;
}

static bool count_verified(void *context, const DatabaseGame *game)
{
    MatchRun *run = context;
    match_run_count_stored(run, game);
    return !match_run_is_decided(run);
}

Status verified_submit(MatchRun *run, const LabWorkers *how, LabSubmit *submit, Error *error)
{
    Verified verified = {.run = run};
    int64_t job = 0;
    open_counted(&verified);
    begin_verification(&verified);
    Status status = next_job(&verified, how, submit, &job, error);
    close_counted(&verified);
    free(verified.list);
    return status;
}

Status verified_play(MatchRun *run, const LabWorkers *how, LabSubmit *submit, Error *error)
{
    Verified verified = {.run = run};
    open_counted(&verified);
    begin_verification(&verified);
    match_run_begin(&verified.counted);
    Status status = play_jobs(&verified, how, submit, error);
    run->progress = verified.counted.progress;
    run->has_begun = true;
    close_counted(&verified);
    free(verified.list);
    if (status == STATUS_OK)
        status = database_each_game(run->db, &(DatabaseFilter){.match = run->match}, count_verified, run, error);
    job_verification_note(&run->verification, "games", run->reporter);
    return match_run_end(run, status, error);
}
