#include "frontends/lab.h"

#include "base/file.h"
#include "frontends/job_agents.h"
#include "store/database_jobs.h"
#include "store/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPENING_FILE_MAX = 64 << 20 };

// --- Openings ---

typedef struct {
    Openings *openings;
    const Rules *rules;
    Status status;
    Error error;
} OpeningSink;

static bool take_opening(void *context, const FormatItem *item)
{
    OpeningSink *sink = context;
    if (item->record == NULL)
        return true;
    const GameRecord *record = item->record;
    if (!rules_equal(&record->rules, sink->rules) || record->setup != NULL) {
        sink->status = error_set(&sink->error, STATUS_BAD_INPUT, "line %zu: an opening of another game", item->line);
        return false;
    }
    Cell stones[RULES_CELLS_MAX];
    for (unsigned i = 0; i < record->count; i++)
        stones[i] = record->stones[i].cell;
    sink->status = openings_add(sink->openings, stones, record->count, &sink->error);
    return sink->status == STATUS_OK;
}

static Status parse_openings(const char *path, const Format *format, Span text, const Rules *rules, Openings *openings,
                             Error *error)
{
    FormatOptions options = {.rules = rules};
    OpeningSink sink = {.openings = openings, .rules = rules};
    Status status = format != NULL ? STATUS_OK : format_guess(path, text, &format, error);
    if (status == STATUS_OK)
        status = formats_read(text, format, &options, take_opening, &sink, error);
    if (status == STATUS_OK && sink.status != STATUS_OK)
        status = error_set(error, sink.status, "%s", sink.error.text);
    // An opening must leave something to play.
    for (unsigned i = 0; status == STATUS_OK && i < openings->count; i++) {
        Game game;
        game_init(&game, rules);
        status = opening_play(&openings->list[i], &game, error);
        if (status != STATUS_OK)
            error_prefix(error, "opening %u: ", i + 1);
    }
    if (status == STATUS_OK && openings->count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "there is no opening in it");
    return status;
}

Status lab_read_openings(const char *path, const Rules *rules, Openings *openings, Error *error)
{
    Text text = {0};
    const Format *format = format_prefix(&path);
    Status status = file_read(path, OPENING_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = parse_openings(path, format, (Span){text.data, text.length}, rules, openings, error);
        if (status != STATUS_OK)
            error_prefix(error, "openings '%s': ", path);
    }
    text_close(&text);
    return status;
}

static Status get_openings(Lab *lab, Error *error)
{
    const Event *event = &lab->event;
    if (event->openings_file != NULL)
        return lab_read_openings(event->openings_file, &event->rules, &lab->openings, error);
    if (event->openings == 0)
        return STATUS_OK;
    OpeningRecipe recipe = opening_recipe(&event->rules, event->seed);
    recipe.stop = lab->stop;
    if (lab->opening_turns > 0)
        recipe.max_turns = lab->opening_turns;
    return openings_make(&recipe, &event->rules, event->openings, &lab->openings, error);
}

// --- The database ---

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// What a stored game tells for the tables: times are those of its stones.
static GameCounts counts_of_stored(const DatabaseGame *stored, Game *game)
{
    const GameRecord *record = stored->record;
    GameCounts counts = {
        .number = (unsigned)stored->number, .result = record->result, .fault = stored->fault, .faulty = stored->faulty};
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

static void count(Lab *lab, const GameCounts *counts)
{
    results_add(&lab->results, counts);
    if (lab->told != NULL)
        lab->told(lab->told_context, &lab->results, counts);
}

void lab_count_stored(Lab *lab, const DatabaseGame *stored)
{
    Game game;
    unsigned games = schedule_games(&lab->results.schedule);
    if (stored->number < 0 || stored->number >= games || stored->record->result == RESULT_NONE)
        return;
    GameCounts counts = counts_of_stored(stored, &game);
    if (!results_has(&lab->results, counts.number))
        count(lab, &counts);
}

static bool take_stored(void *context, const DatabaseGame *stored)
{
    Lab *lab = context;
    unsigned before = lab->results.games;
    lab->beyond += stored->number >= schedule_games(&lab->results.schedule);
    lab_count_stored(lab, stored);
    lab->resumed += lab->results.games - before;
    return true;
}

static Status read_games(Lab *lab, int64_t match, Error *error)
{
    DatabaseFilter filter = {.match = match};
    lab->match = match;
    lab->is_found = true;
    return database_each_game(lab->db, &filter, take_stored, lab, error);
}

static bool compare_spec(void *context, const DatabaseMatch *match)
{
    const char **spec = context;
    *spec = strcmp(*spec, match->spec) == 0 ? NULL : *spec;
    return true;
}

// This very match; its games must be those that the event would play.
static Status go_on(Lab *lab, const char *spec, int64_t match, Error *error)
{
    bool found = false;
    const char *differs = spec;
    Status status = database_read_match(lab->db, match, compare_spec, &differs, &found, error);
    if (status == STATUS_OK && !found)
        return error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)match);
    if (status == STATUS_OK && differs != NULL)
        return error_set(error, STATUS_FAILED, "it was begun with openings of its own, which are not kept");
    return status == STATUS_OK ? read_games(lab, match, error) : status;
}

// What was asked of a SPRT, as it is kept with a match: the same numbers come out again.
static const char *write_sprt(const Lab *lab, char text[DATABASE_SPRT_SIZE])
{
    (void)snprintf(text, DATABASE_SPRT_SIZE, "%.17g %.17g %.17g %.17g", lab->sprt.nelo0, lab->sprt.nelo1,
                   lab->sprt.alpha, lab->sprt.beta);
    return lab->has_sprt ? text : NULL;
}

// Goes on with a match that was begun, or begins one.
static Status begin_match(Lab *lab, const char *spec, DatabaseKind kind, const LabStore *store, Error *error)
{
    if (store->match != 0)
        return go_on(lab, spec, store->match, error);
    int64_t before = 0;
    Status status =
        database_find_match(lab->db, spec, store->resumes ? DATABASE_ANY : DATABASE_UNFINISHED, &before, error);
    if (status != STATUS_OK)
        return status;
    if (store->resumes && before != 0)
        return read_games(lab, before, error);
    if (before != 0 && !lab->quiet && kind == DATABASE_TOURNAMENT)
        (void)fprintf(stderr, "This was begun before and not finished; --resume would go on. Beginning anew.\n");
    char sprt[DATABASE_SPRT_SIZE];
    DatabaseMatch match = {.kind = kind,
                           .rules = lab->event.rules,
                           .spec = spec,
                           .sprt = write_sprt(lab, sprt),
                           .origin = store->origin,
                           .created = now_ms()};
    return database_begin_match(lab->db, &match, &lab->match, error);
}

static Status open_database(Lab *lab, const LabStore *store, DatabaseKind kind, Error *error)
{
    if (store->path != NULL && strcmp(store->path, "none") == 0) {
        if (store->resumes)
            return error_set(error, STATUS_BAD_INPUT, "--resume needs a database, and --db says none");
        return STATUS_OK;
    }
    Text spec = {0};
    Status status = database_open(store->path, &lab->db, error);
    if (status == STATUS_OK) {
        event_write(&lab->event, &lab->openings, &spec);
        status = spec.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the event")
                             : begin_match(lab, spec.data, kind, store, error);
    }
    text_close(&spec);
    return status;
}

// --- Names ---

// Names for tables: the second agent of the same name is "name#2".
static Status make_names(Lab *lab, Error *error)
{
    unsigned n = lab->event.agent_count;
    lab->names = calloc(n, sizeof *lab->names);
    bool good = lab->names != NULL;
    for (unsigned i = 0; good && i < n; i++) {
        unsigned same = 1;
        for (unsigned j = 0; j < i; j++)
            same += strcmp(lab->event.agents[i], lab->event.agents[j]) == 0;
        good = same == 1 ? (lab->names[i] = strdup(lab->event.agents[i])) != NULL
                         : asprintf(&lab->names[i], "%s#%u", lab->event.agents[i], same) >= 0;
    }
    return good ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "no memory for names");
}

Status lab_set_up(Lab *lab, Error *error)
{
    const Event *event = &lab->event;
    Status status = make_names(lab, error);
    if (status == STATUS_OK && lab->openings.count == 0)
        status = get_openings(lab, error);
    if (status != STATUS_OK)
        return status;
    // The first games of an event are the same, however many follow, as long as they are whole pairs.
    assert(lab->part % 2 == 0 && lab->part <= event->games);
    Schedule schedule = {.format = event->format,
                         .agents = event->agent_count,
                         .games = lab->part > 0 ? lab->part : event->games,
                         .openings = lab->openings.count};
    return results_open(&lab->results, &schedule, error);
}

Status lab_open_event(Lab *lab, const LabStore *store, DatabaseKind kind, Error *error)
{
    Status status =
        lab->by_workers ? job_event_check(&lab->event, &lab->host, error) : event_check(&lab->event, &lab->host, error);
    if (status == STATUS_OK)
        status = lab_set_up(lab, error);
    return status == STATUS_OK ? open_database(lab, store, kind, error) : status;
}

void lab_close(Lab *lab)
{
    for (unsigned i = 0; lab->names != NULL && i < lab->event.agent_count; i++)
        free(lab->names[i]);
    free(lab->names);
    event_close(&lab->event);
    openings_close(&lab->openings);
    results_close(&lab->results);
    database_close(lab->db);
    *lab = (Lab){0};
}

// --- Playing ---

static bool is_played(void *context, unsigned number)
{
    return results_has(&((Lab *)context)->results, number);
}

Status lab_game_of(const Duel *duel, const char *const *agents, int64_t match, GameRecord *record,
                   char reason[LAB_REASON_SIZE], DatabaseGame *game, Error *error)
{
    Status status = record_from_game(record, &duel->game, error);
    if (status != STATUS_OK)
        return status;
    record->result = duel->result;
    for (unsigned i = 0; i < record->count; i++)
        record->stones[i].ms = duel->ms[i];
    int64_t now = now_ms();
    (void)snprintf(reason, LAB_REASON_SIZE, "%s%s%s", reason_text(duel->reason), duel->words[0] != '\0' ? ": " : "",
                   duel->words);
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

// A game that is there already, and the same, is no fault: a server may keep it in the moment in which the program that
// played it is killed, after another one has looked at what there is.
static bool is_there_already(const Lab *lab, const DatabaseGame *game)
{
    Comparison comparison = {.game = game};
    return database_each_game_from(lab->db, lab->match, game->number, 1, compare_stored, &comparison, NULL) ==
               STATUS_OK &&
           comparison.is_same;
}

static Status keep_game(void *context, const Duel *duel, Error *error)
{
    Lab *lab = context;
    if (lab->db == NULL)
        return STATUS_OK;
    GameRecord record = {0};
    DatabaseGame game;
    char reason[LAB_REASON_SIZE];
    Status status =
        lab_game_of(duel, (const char *const *)lab->event.agents, lab->match, &record, reason, &game, error);
    if (status == STATUS_OK)
        status = database_add_game(lab->db, &game, error);
    if (status == STATUS_FAILED && is_there_already(lab, &game))
        status = STATUS_OK;
    record_close(&record);
    return status;
}

void lab_words(const Lab *lab, char *words, size_t size)
{
    words[0] = '\0';
    if (lab->event.agent_count != 2)
        return;
    const HeadToHead *pair = &lab->results.pairs[0];
    Estimate elo = stats_elo(pair);
    int length = snprintf(words, size, "score %.1f %%", 100 * tally_score(pair->games));
    if (isfinite(elo.value) && isfinite(elo.error) && length > 0 && (size_t)length < size)
        length += snprintf(words + length, size - (size_t)length, ", Elo %+.0f ± %.0f", elo.value, elo.error);
    if (lab->has_sprt && length > 0 && (size_t)length < size)
        (void)snprintf(words + length, size - (size_t)length, ", LLR %.2f", lab_sprt(lab).llr);
}

SprtState lab_sprt(const Lab *lab)
{
    return sprt_state(&lab->sprt, &lab->results.pairs[0]);
}

static bool count_game(void *context, const Duel *duel)
{
    Lab *lab = context;
    GameCounts counts = results_counts_of(duel);
    count(lab, &counts);
    char words[128];
    lab_words(lab, words, sizeof words);
    progress_show(&lab->progress, lab->results.games, words);
    return lab->has_sprt && lab_sprt(lab).verdict != SPRT_RUNNING;
}

Status lab_run(Lab *lab, Error *error)
{
    RunnerConfig config = {
        .rules = lab->event.rules,
        .agents = (const char *const *)lab->event.agents,
        .schedule = lab->results.schedule,
        .openings = &lab->openings,
        .limits = lab->event.limits,
        .seed = lab->event.seed,
        .jobs = lab->jobs,
        .host = lab->host,
        .stop = lab->stop,
        .watch = lab->watch,
    };
    RunnerSink sink = {.context = lab, .is_played = is_played, .finished = keep_game, .published = count_game};
    progress_begin(&lab->progress, schedule_games(&config.schedule), lab->results.games, lab->quiet);
    if (lab->resumed > 0 && !lab->quiet)
        (void)fprintf(stderr, "%u games were played before.\n", lab->resumed);
    bool enough = lab->has_sprt && lab_sprt(lab).verdict != SPRT_RUNNING;
    Status status = enough ? STATUS_OK : runner_run(&config, &sink, error);
    char words[128];
    lab_words(lab, words, sizeof words);
    progress_end(&lab->progress, lab->results.games, words);
    bool whole = config.schedule.games == lab->event.games;
    if (status == STATUS_OK && lab->db != NULL && whole)
        status = database_finish_match(lab->db, lab->match, now_ms(), error);
    return status;
}
