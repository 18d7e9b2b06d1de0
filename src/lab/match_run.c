// Runs a match or tournament: resumes a stored match, plays, stores and counts games.
#include "lab/match_run.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/damaged.h"
#include "lab/jobs/job_agents.h"
#include "lab/match_openings.h"
#include "view/json_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

// Openings, unless the caller has set them, and empty results.
static Status set_up_games(MatchRun *run, Error *error)
{
    const Tournament *event = &run->event;
    Status status = run->openings.count == 0 ? match_openings_get(run, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    // The first games of an event do not depend on its length if they are whole pairs.
    assert(run->part % 2 == 0 && run->part <= event->games);
    Schedule schedule = {.format = event->format,
                         .agents = event->agent_count,
                         .games = run->part > 0 ? run->part : event->games,
                         .openings = run->openings.count};
    results_open(&run->results, &schedule);
    return STATUS_OK;
}

// --- The database ---

// The counts of a stored game; its times are those of its stones.
static GameCounts counts_of_stored(const DatabaseGame *stored, Game *game)
{
    const GameRecord *record = stored->record;
    GameCounts counts = {
        .number = (unsigned)stored->number, .result = record->result, .fault = stored->fault, .faulty = stored->faulty};
    counts.by_score = strcmp(stored->reason, reason_text(REASON_RESIGNED)) == 0 ||
                      strcmp(stored->reason, reason_text(REASON_AGREED)) == 0;
    counts.ended = stored->ended;
    counts.length = results_length(&record->rules, record->count);
    for (int side = 0; side < 2; side++)
        counts.own[side] = stored->own[side];
    game_init(game, &record->rules);
    Side last = SIDE_SECOND;
    for (unsigned i = 0; i < record->count; i++) {
        Side side = game_side_of(game, i);
        bool begins = i == stored->opening || side != last;
        last = side;
        if (i < stored->opening || !begins || record->stones[i].ms < 0)
            continue;
        double seconds = record->stones[i].ms / 1000.0;
        counts.turns[side]++;
        counts.seconds[side] += seconds;
        counts.slowest[side] = seconds > counts.slowest[side] ? seconds : counts.slowest[side];
    }
    return counts;
}

static void note_fault(MatchRun *run, const GameCounts *counts, const char *reason)
{
    if (counts->fault == FAULT_NONE || run->fault_count == MATCH_FAULTS_MAX)
        return;
    if (run->faults == NULL)
        run->faults = memory_new(MATCH_FAULTS_MAX, sizeof *run->faults);
    ScheduledGame game = schedule_game(&run->results.schedule, counts->number);
    bool second = counts->faulty == SIDE_SECOND;
    MatchFault *fault = &run->faults[run->fault_count++];
    *fault = (MatchFault){.game = counts->number, .agent = second == game.reversed ? game.a : game.b};
    (void)snprintf(fault->reason, sizeof fault->reason, "%s", reason);
}

static void count(MatchRun *run, const GameCounts *counts, const char *reason)
{
    results_add(&run->results, counts);
    note_fault(run, counts, reason);
    if (run->on_game != NULL)
        run->on_game(run->on_game_context, &run->results, counts);
}

void match_run_count_stored(MatchRun *run, const DatabaseGame *stored)
{
    Game game;
    unsigned games = schedule_games(&run->results.schedule);
    if (stored->number < 0 || stored->number >= games || stored->record->result == RESULT_NONE)
        return;
    GameCounts counts = counts_of_stored(stored, &game);
    if (results_has(&run->results, counts.number))
        return;
    count(run, &counts, stored->reason);
    match_game_keep(run, stored);
    // Games of an earlier run are read before the beginning of this one.
    if (run->notes_games && run->has_begun)
        match_game_note(run, stored);
}

static bool take_stored(void *context, const DatabaseGame *stored)
{
    MatchRun *run = context;
    unsigned before = run->results.games;
    run->beyond += stored->number >= schedule_games(&run->results.schedule);
    match_run_count_stored(run, stored);
    run->resumed += run->results.games - before;
    return true;
}

static Status count_stored(MatchRun *run, Error *error)
{
    DatabaseFilter filter = {.match = run->match};
    // Somebody else, or a fault of the disk, has changed a game that cannot be replayed: it is played again.
    DamagedGames damaged;
    damaged_watch(&damaged, run->db, run->reporter);
    Status status = database_each_game(run->db, &filter, take_stored, run, error);
    if (status == STATUS_OK)
        status = damaged_remove(&damaged, run->db, error);
    damaged_close(&damaged, run->db);
    return status;
}

// Continues a match. Games that workers are to be verified for count when that is done; a match that was submitted like
// that stays so.
static Status read_games(MatchRun *run, int64_t match, Error *error)
{
    double share = 0;
    run->match = match;
    run->is_found = true;
    Status status = run->by_workers ? database_share_of_match(run->db, match, &share, error) : STATUS_OK;
    run->verify = run->verify > 0 ? run->verify : share;
    return status == STATUS_OK && run->verify <= 0 ? count_stored(run, error) : status;
}

typedef struct {
    const char *spec;
    bool is_found, is_same;
} SpecCheck;

static bool compare_spec(void *context, const DatabaseMatch *match)
{
    SpecCheck *check = context;
    check->is_found = true;
    check->is_same = strcmp(check->spec, match->spec) == 0;
    return true;
}

// Continues the match with this id, whose games must be those of the event.
static Status continue_match(MatchRun *run, const char *spec, int64_t match, Error *error)
{
    SpecCheck check = {.spec = spec};
    Status status = database_read_match(run->db, match, compare_spec, &check, error);
    if (status == STATUS_OK && !check.is_found)
        return error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)match);
    if (status == STATUS_OK && !check.is_same)
        return error_set(error, STATUS_FAILED, "match %lld cannot be resumed: its openings were not stored",
                         (long long)match);
    return status == STATUS_OK ? read_games(run, match, error) : status;
}

// The settings of the SPRT as text, with enough digits to restore the numbers.
static const char *write_sprt(const MatchRun *run, char text[DATABASE_SPRT_SIZE])
{
    (void)snprintf(text, DATABASE_SPRT_SIZE, "%.17g %.17g %.17g %.17g%s", run->sprt.elo0, run->sprt.elo1,
                   run->sprt.alpha, run->sprt.beta, run->sprt.is_logistic ? " logistic" : "");
    return run->has_sprt ? text : NULL;
}

static bool count_games_of(void *context, const DatabaseMatch *match)
{
    *(int64_t *)context = match->games;
    return true;
}

// The games of the same settings would be the same games, and would count twice.
static Status refuse_repetition(const MatchRun *run, int64_t before, DatabaseKind kind, Error *error)
{
    int64_t games = 0;
    Status status = database_read_match(run->db, before, count_games_of, &games, error);
    if (status != STATUS_OK)
        return status;
    unsigned all = schedule_games(&run->results.schedule);
    return error_set(
        error, STATUS_FAILED,
        "%s %lld has the same settings, with %lld of %u game%s; use --resume to continue it, or --again to "
        "play it with a new seed",
        kind == DATABASE_MATCH ? "match" : "tournament", (long long)before, (long long)games, all, view_plural(all));
}

// A seed that no other match has used, in all likelihood.
static Status choose_seed(MatchRun *run, Error *error)
{
    uint32_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return error_set(error, STATUS_FAILED, "no random seed available");
    run->event.seed = seed;
    reporter_note(run->reporter, "The same match is stored already; playing it with --seed %u.", (unsigned)seed);
    results_close(&run->results);
    if (run->event.openings > 0 && run->event.openings_file == NULL)
        openings_close(&run->openings);
    return set_up_games(run, error);
}

// The newest match with the settings of the run; 0 if there is none.
static Status find_same(MatchRun *run, int64_t *match, Text *spec, Error *error)
{
    text_close(spec);
    tournament_write(&run->event, &run->openings, spec);
    return database_find_match(run->db, spec->data, match, error);
}

// Continues a stored match, or creates one.
static Status begin_match(MatchRun *run, DatabaseKind kind, const MatchRunStore *store, Text *spec, Error *error)
{
    int64_t before = 0;
    Status status = find_same(run, &before, spec, error);
    if (status == STATUS_OK && store->match != 0)
        return continue_match(run, spec->data, store->match, error);
    if (status == STATUS_OK && before != 0) {
        switch (store->repeat) {
        case MATCH_ONCE:
            return refuse_repetition(run, before, kind, error);
        case MATCH_RESUME:
            return read_games(run, before, error);
        case MATCH_AGAIN:
            status = choose_seed(run, error);
            if (status == STATUS_OK)
                status = find_same(run, &before, spec, error);
            break;
        case MATCH_REPEAT:
            break;
        }
    }
    if (status != STATUS_OK)
        return status;
    char sprt[DATABASE_SPRT_SIZE];
    DatabaseMatch match = {.kind = kind,
                           .rules = run->event.rules,
                           .spec = spec->data,
                           .sprt = write_sprt(run, sprt),
                           .origin = store->origin,
                           .created = clock_unix_ms()};
    return database_begin_match(run->db, &match, &run->match, error);
}

static Status open_database(MatchRun *run, const MatchRunStore *store, DatabaseKind kind, Error *error)
{
    if (store->path != NULL && strcmp(store->path, "none") == 0) {
        if (store->repeat == MATCH_RESUME)
            return error_set(error, STATUS_BAD_INPUT, "--resume needs a database; --db is none");
        return STATUS_OK;
    }
    Text spec = {0};
    Status status = database_open(store->path, &run->db, error);
    if (status == STATUS_OK)
        status = begin_match(run, kind, store, &spec, error);
    text_close(&spec);
    return status;
}

// --- Names ---

// The names for tables: the second agent of the same name is "name#2".
static void make_names(MatchRun *run)
{
    unsigned n = run->event.agent_count;
    run->names = memory_new(n, sizeof *run->names);
    for (unsigned i = 0; i < n; i++) {
        Text name = {0};
        unsigned same = 1;
        for (unsigned j = 0; j < i; j++)
            same += strcmp(run->event.names[i], run->event.names[j]) == 0;
        text_add(&name, "%s", run->event.names[i]);
        if (same > 1)
            text_add(&name, "#%u", same);
        run->names[i] = name.data;
    }
}

Status match_run_set_up(MatchRun *run, Error *error)
{
    make_names(run);
    return set_up_games(run, error);
}

Status match_run_open_event(MatchRun *run, const MatchRunStore *store, DatabaseKind kind, Error *error)
{
    Status status = run->by_workers ? job_event_check(&run->event, &run->host, error)
                                    : tournament_check(&run->event, &run->host, error);
    if (status == STATUS_OK)
        status = match_run_set_up(run, error);
    return status == STATUS_OK ? open_database(run, store, kind, error) : status;
}

void match_run_close(MatchRun *run)
{
    for (unsigned i = 0; run->names != NULL && i < run->event.agent_count; i++)
        free(run->names[i]);
    free(run->names);
    free(run->faults);
    job_verification_close(&run->verification);
    for (unsigned i = 0; run->sgf != NULL && i < schedule_games(&run->results.schedule); i++)
        text_close(&run->sgf[i]);
    free(run->sgf);
    tournament_close(&run->event);
    openings_close(&run->openings);
    results_close(&run->results);
    database_close(run->db);
    *run = (MatchRun){0};
}

// --- Playing ---

static bool is_played(void *context, unsigned number)
{
    return results_has(&((MatchRun *)context)->results, number);
}

static void write_reason(const Duel *duel, char reason[MATCH_RUN_REASON_SIZE])
{
    (void)snprintf(reason, MATCH_RUN_REASON_SIZE, "%s%s%s", reason_text(duel->reason),
                   duel->words[0] != '\0' ? ": " : "", duel->words);
}

Status match_run_game_of(const Duel *duel, const char *const *agents, int64_t match, GameRecord *record,
                         char reason[MATCH_RUN_REASON_SIZE], DatabaseGame *game, Error *error)
{
    Status status = record_from_game(record, &duel->game, error);
    if (status != STATUS_OK)
        return status;
    record->result = duel->result;
    for (unsigned i = 0; i < record->count; i++)
        record->stones[i].ms = duel->ms[i];
    int64_t now = duel->ended;
    write_reason(duel, reason);
    *game = (DatabaseGame){.match = match,
                           .number = duel->number,
                           .first = agents[duel->agents[0]],
                           .second = agents[duel->agents[1]],
                           .reason = reason,
                           .opening = duel->opening_stones,
                           .seed = duel->seed,
                           .fault = duel->fault,
                           .faulty = duel->faulty,
                           .started = now - (int64_t)((duel->seconds[0] + duel->seconds[1]) * 1000),
                           .ended = now,
                           .own = {duel->own[0], duel->own[1]},
                           .record = record};
    return STATUS_OK;
}

typedef struct {
    const DatabaseGame *game;
    bool is_same;
} Comparison;

static bool compare_stored(void *context, const DatabaseGame *stored)
{
    Comparison *comparison = context;
    const GameRecord *own = comparison->game->record, *other = stored->record;
    bool is_same = stored->number == comparison->game->number && stored->seed == comparison->game->seed &&
                   own->result == other->result && own->count == other->count;
    for (unsigned i = 0; i < own->count && is_same; i++)
        is_same = own->stones[i].cell == other->stones[i].cell;
    comparison->is_same = is_same;
    return false;
}

// Whether the same game is stored already. That is not an error: the server may store a game just when the program that
// played it is killed, after its successor has read the stored games.
static bool is_there_already(const MatchRun *run, const DatabaseGame *game)
{
    Comparison comparison = {.game = game};
    return database_each_game_from(run->db, &(DatabaseGameRange){run->match, game->number, 1}, compare_stored,
                                   &comparison, NULL) == STATUS_OK &&
           comparison.is_same;
}

static Status keep_game(void *context, const Duel *duel, Error *error)
{
    MatchRun *run = context;
    if (run->db == NULL)
        return STATUS_OK;
    GameRecord record = {0};
    DatabaseGame game;
    char reason[MATCH_RUN_REASON_SIZE];
    Status status =
        match_run_game_of(duel, (const char *const *)run->event.names, run->match, &record, reason, &game, error);
    if (status == STATUS_OK)
        status = database_add_game(run->db, &game, error);
    if (status == STATUS_FAILED && is_there_already(run, &game))
        status = STATUS_OK;
    record_close(&record);
    return status;
}

static void write_progress(const MatchRun *run, Text *text)
{
    text_add(text, "%s", "");
    if (run->event.agent_count != 2)
        return;
    const HeadToHead *pair = &run->results.pairs[0];
    Estimate elo = stats_elo(pair);
    text_add(text, "score %.1f %%", 100 * tally_score(pair->games));
    if (isfinite(elo.value) && isfinite(elo.error))
        text_add(text, ", Elo %+.0f ± %.0f", elo.value, elo.error);
    if (run->has_sprt)
        text_add(text, ", LLR %.2f", match_run_sprt(run).llr);
}

void match_run_begin(MatchRun *run)
{
    run->has_begun = true;
    progress_begin(&run->progress, run->reporter, schedule_games(&run->results.schedule), run->results.games);
    if (run->resumed > 0)
        reporter_note(run->reporter, "%u game%s played before.", run->resumed, run->resumed == 1 ? " was" : "s were");
}

void match_run_show(MatchRun *run)
{
    Text text = {0};
    write_progress(run, &text);
    progress_show(&run->progress, run->results.games, text.data);
    text_close(&text);
}

Status match_run_end(MatchRun *run, Status status, Error *error)
{
    Text text = {0};
    write_progress(run, &text);
    progress_end(&run->progress, run->results.games, text.data);
    text_close(&text);
    bool whole = run->results.schedule.games == run->event.games;
    return status == STATUS_OK && run->db != NULL && whole
               ? database_finish_match(run->db, run->match, clock_unix_ms(), error)
               : status;
}

SprtState match_run_sprt(const MatchRun *run)
{
    return sprt_state(&run->sprt, &run->results.pairs[0]);
}

bool match_run_is_decided(const MatchRun *run)
{
    return run->has_sprt && match_run_sprt(run).verdict != SPRT_RUNNING;
}

static void report_game(MatchRun *run, const Duel *duel)
{
    GameRecord record = {0};
    DatabaseGame game;
    char reason[MATCH_RUN_REASON_SIZE];
    if (match_run_game_of(duel, (const char *const *)run->event.names, run->match, &record, reason, &game, NULL) ==
        STATUS_OK) {
        match_game_keep(run, &game);
        if (run->notes_games)
            match_game_note(run, &game);
    }
    record_close(&record);
}

static bool count_game(void *context, const Duel *duel)
{
    MatchRun *run = context;
    GameCounts counts = results_counts_of(duel);
    char reason[MATCH_RUN_REASON_SIZE];
    write_reason(duel, reason);
    count(run, &counts, reason);
    if (run->notes_games || run->keeps_sgf)
        report_game(run, duel);
    match_run_show(run);
    return match_run_is_decided(run);
}

Status match_run_play(MatchRun *run, Error *error)
{
    RunnerConfig config = {
        .rules = run->event.rules,
        .agents = (const char *const *)run->event.agents,
        .schedule = run->results.schedule,
        .openings = &run->openings,
        .limits = run->event.limits,
        .seed = run->event.seed,
        .jobs = run->jobs,
        .host = run->host,
        .stop = run->stop,
        .watch = run->watch,
    };
    RunnerSink sink = {.context = run, .is_played = is_played, .finished = keep_game, .published = count_game};
    match_run_begin(run);
    Status status = match_run_is_decided(run) ? STATUS_OK : runner_run(&config, &sink, error);
    return match_run_end(run, status, error);
}
