// Where matches come from: the body of a request, or the database.
#include "frontends/web_matches_internal.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Seconds a turn where nothing else is said: agents without a limit would think for ever.
static const double TURN_SECONDS = 0.2;

bool contest_has_database(const WebMatches *matches)
{
    return matches->context->db == NULL || strcmp(matches->context->db, "none") != 0;
}

unsigned contest_jobs_most(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > CONTEST_JOBS_MAX ? CONTEST_JOBS_MAX : (unsigned)count;
}

// One core is left to those who play.
static unsigned usual_jobs(void)
{
    return contest_jobs_most() > 1 ? contest_jobs_most() - 1 : 1;
}

// --- Callbacks of the laboratory ---

// A game was counted: also those that were there already when a match is resumed.
static void take_counts(void *context, const Results *results, const GameCounts *counts)
{
    Contest *contest = context;
    (void)pthread_mutex_lock(&contest->lock);
    if (!contest->is_open)
        contest->is_open = results_open(&contest->shown, &results->schedule, NULL) == STATUS_OK;
    if (contest->is_open && !results_has(&contest->shown, counts->number))
        results_add(&contest->shown, counts);
    contest->is_changed = true;
    (void)pthread_mutex_unlock(&contest->lock);
}

// A stone was placed in a game that is played now.
static void take_duel(void *context, unsigned slot, const Duel *duel, const double clock[2])
{
    Contest *contest = context;
    if (slot >= CONTEST_JOBS_MAX)
        return;
    (void)pthread_mutex_lock(&contest->lock);
    ContestBoard *board = &contest->boards[slot];
    *board = (ContestBoard){.is_used = true,
                            .is_changed = true,
                            .number = duel->number,
                            .agents = {duel->agents[0], duel->agents[1]},
                            .result = duel->result,
                            .reason = duel->reason,
                            .seconds = {duel->seconds[0], duel->seconds[1]},
                            .clock = {clock[0], clock[1]},
                            .has_clock = contest->lab.event.limits.clock_seconds > 0};
    board_copy(&board->board, &duel->game.board);
    unsigned last = game_last_turn(&duel->game);
    board->last_count = last < CONTEST_LAST_MAX ? last : CONTEST_LAST_MAX;
    memcpy(board->last, duel->game.stones + duel->game.played - board->last_count,
           board->last_count * sizeof board->last[0]);
    (void)pthread_mutex_unlock(&contest->lock);
}

// What does not come from the event.
static void equip(Contest *contest)
{
    Lab *lab = &contest->lab;
    contest->watch = (RunnerWatch){contest, take_duel};
    // A server that ends begins nothing.
    atomic_store(&contest->stop, atomic_load(&contest->matches->context->stop));
    lab->host = *contest->matches->context->host;
    lab->jobs = contest->jobs;
    lab->quiet = true;
    lab->stop = &contest->stop;
    lab->watch = &contest->watch;
    lab->told = take_counts;
    lab->told_context = contest;
}

// --- A body ---

static Status read_agents(const json_t *list, Contest *contest, WebReply *reply, Error *error)
{
    Event *event = &contest->lab.event;
    Status status = STATUS_OK;
    size_t i = 0;
    const json_t *item = NULL;
    json_array_foreach(list, i, item)
    {
        char text[WEB_AGENT_SIZE];
        const char *name = json_string_value(item);
        if (name == NULL || strlen(name) >= WEB_AGENT_SIZE || strpbrk(name, "\n\r\t #") != NULL)
            return web_fail(reply, 400, "agents", error,
                            "An agent is a text such as \"engine\" or \"threats:depth=4\".");
        status = web_agent_check(name, &event->rules, "agents", text, reply, error);
        if (status == STATUS_OK)
            status = event_add_agent(event, span_of(text), error);
        if (status != STATUS_OK)
            return status;
    }
    return event->agent_count >= 2 ? STATUS_OK : web_fail(reply, 400, "agents", error, "It takes at least two agents.");
}

static Status read_format(const char *format, Contest *contest, WebReply *reply, Error *error)
{
    static const char *const names[] = {"roundrobin", "gauntlet", "ladder"}; // in the order of the enum
    Event *event = &contest->lab.event;
    bool is_match = format == NULL ? event->agent_count == 2 : strcmp(format, "match") == 0;
    contest->kind = is_match ? DATABASE_MATCH : DATABASE_TOURNAMENT;
    if (is_match && event->agent_count != 2)
        return web_fail(reply, 400, "format", error, "A match has two agents, not %u.", event->agent_count);
    if (is_match || format == NULL)
        return STATUS_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(format, names[i]) == 0) {
            event->format = (ScheduleFormat)i;
            return STATUS_OK;
        }
    return web_fail(reply, 400, "format", error, "'%.20s' is none of match, roundrobin, gauntlet and ladder.", format);
}

static Status read_clock(const json_t *clock, DuelLimits *limits, WebReply *reply, Error *error)
{
    if (clock == NULL)
        return STATUS_OK;
    WebFields fields = web_fields(clock, "seconds increment", reply, error);
    web_field_need(&fields, "seconds");
    limits->clock_seconds = web_field_real(&fields, "seconds", 1, 3600, 60);
    limits->increment = web_field_real(&fields, "increment", 0, 60, 0);
    return fields.status;
}

static Status read_sprt(const json_t *sprt, Contest *contest, WebReply *reply, Error *error)
{
    if (sprt == NULL)
        return STATUS_OK;
    WebFields fields = web_fields(sprt, "elo0 elo1", reply, error);
    web_field_need(&fields, "elo0");
    web_field_need(&fields, "elo1");
    Lab *lab = &contest->lab;
    lab->sprt = (Sprt){.nelo0 = web_field_real(&fields, "elo0", -1000, 1000, 0),
                       .nelo1 = web_field_real(&fields, "elo1", -1000, 1000, 0),
                       .alpha = 0.05,
                       .beta = 0.05};
    if (fields.status != STATUS_OK)
        return fields.status;
    lab->has_sprt = true;
    if (contest->kind != DATABASE_MATCH)
        return web_fail(reply, 400, "sprt", error, "A SPRT compares two agents: it needs a match.");
    if (!sprt_is_valid(&lab->sprt))
        return web_fail(reply, 400, "sprt", error, "elo0 must be below elo1, such as 0 and 10.");
    return STATUS_OK;
}

static Status check_games(Contest *contest, WebReply *reply, Error *error)
{
    const Event *event = &contest->lab.event;
    Schedule schedule = {.format = event->format, .agents = event->agent_count, .games = event->games};
    uint64_t games = (uint64_t)schedule_pairs(&schedule) * event->games;
    if (games > CONTEST_GAMES_MAX)
        return web_fail(reply, 400, "games", error, "That would be %llu games; at most %d can be played from the page.",
                        (unsigned long long)games, CONTEST_GAMES_MAX);
    return STATUS_OK;
}

// The numbers of a body; unless a turn has some limit it gets one.
static void read_numbers(WebFields *fields, Contest *contest)
{
    Event *event = &contest->lab.event;
    DuelLimits *limits = &event->limits;
    event->games = (unsigned)web_field_int(fields, "games", 1, CONTEST_GAMES_MAX, 20);
    event->openings = (unsigned)web_field_int(fields, "openings", 0, CONTEST_OPENINGS_MAX, 0);
    event->seed = (uint64_t)web_field_int(fields, "seed", 0, INT64_MAX, 1);
    limits->turn_seconds = web_field_has(fields, "time") ? web_field_real(fields, "time", 0.01, 60, 1) : 0;
    limits->nodes = web_field_has(fields, "nodes") ? (uint64_t)web_field_int(fields, "nodes", 1, 1000000000, 1) : 0;
    limits->depth = web_field_has(fields, "depth") ? (unsigned)web_field_int(fields, "depth", 1, 64, 1) : 0;
    limits->max_turns =
        web_field_has(fields, "turns") ? (unsigned)web_field_int(fields, "turns", 1, RULES_CELLS_MAX, 1) : 0;
    contest->jobs = (unsigned)web_field_int(fields, "jobs", 1, contest_jobs_most(), usual_jobs());
    if (limits->turn_seconds <= 0 && limits->nodes == 0 && limits->depth == 0 && !web_field_has(fields, "clock"))
        limits->turn_seconds = TURN_SECONDS;
}

static Status read_body(const json_t *body, Contest *contest, WebReply *reply, Error *error)
{
    Event *event = &contest->lab.event;
    WebFields fields =
        web_fields(body, "game agents format games openings time nodes depth clock turns seed sprt jobs", reply, error);
    web_field_need(&fields, "game");
    web_field_need(&fields, "agents");
    const char *game = web_field_text(&fields, "game", RULES_TEXT_SIZE);
    const char *format = web_field_text(&fields, "format", 20);
    const json_t *agents = web_field_array(&fields, "agents", CONTEST_AGENTS_MAX);
    const json_t *clock = web_field_object(&fields, "clock"), *sprt = web_field_object(&fields, "sprt");
    read_numbers(&fields, contest);
    Status status = fields.status;
    if (status == STATUS_OK && rules_parse(span_of(game), &event->rules, error) != STATUS_OK)
        status = web_fail(reply, 400, "game", error, "%s", error->text);
    event->has_rules = true;
    if (status == STATUS_OK)
        status = read_agents(agents, contest, reply, error);
    if (status == STATUS_OK)
        status = read_format(format, contest, reply, error);
    if (status == STATUS_OK)
        status = read_clock(clock, &event->limits, reply, error);
    if (status == STATUS_OK)
        status = read_sprt(sprt, contest, reply, error);
    return status == STATUS_OK ? check_games(contest, reply, error) : status;
}

Status contest_from_body(WebMatches *matches, const json_t *body, Contest **result, WebReply *reply, Error *error)
{
    Contest *contest = contest_make(matches, error);
    *result = NULL;
    if (contest == NULL)
        return STATUS_NO_MEMORY;
    event_init(&contest->lab.event);
    Status status = read_body(body, contest, reply, error);
    if (status == STATUS_OK) {
        LabStore store = {.path = matches->context->db, .origin = "web"};
        equip(contest);
        contest->openings = contest->lab.event.openings;
        contest->created = clock_unix_ms();
        status = lab_open_event(&contest->lab, &store, contest->kind, error);
    }
    if (status == STATUS_OK)
        status = results_open(&contest->shown, &contest->lab.results.schedule, error);
    contest->is_open = status == STATUS_OK;
    contest->has_lab = status == STATUS_OK;
    contest->is_ours = true;
    contest->id = contest->lab.match;
    if (status != STATUS_OK) {
        contest_free(contest);
        return status;
    }
    *result = contest;
    return STATUS_OK;
}

// --- The database ---

// What stands behind the number of openings in a spec tells which they are, and is no part of an event.
Status contest_read_spec(const char *spec, Event *event, unsigned *openings, Error *error)
{
    Text text = {0};
    Span rest = span_of(spec), line = {0};
    while (span_next_part(&rest, '\n', &line)) {
        Span words = line, key = {0}, count = {0};
        bool is_openings = span_next_word(&words, " ", &key) && span_is(key, "openings");
        if (is_openings && span_next_word(&words, " ", &count))
            text_add(&text, "openings %.*s\n", SPAN_PRINT(count));
        else
            text_add(&text, "%.*s\n", (int)line.length, line.at);
    }
    event_init(event);
    Status status = text.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for a match")
                                : event_read(event, (Span){text.data, text.length}, error);
    text_close(&text);
    *openings = event->openings;
    return status;
}

// What a SPRT asked, as lab.c writes it.
static bool read_stored_sprt(const char *text, Sprt *sprt)
{
    Span rest = span_of(text), word[4];
    for (int i = 0; i < 4; i++)
        if (!span_next_word(&rest, " ", &word[i]))
            return false;
    return span_to_real(word[0], &sprt->nelo0) && span_to_real(word[1], &sprt->nelo1) &&
           span_to_real(word[2], &sprt->alpha) && span_to_real(word[3], &sprt->beta) && sprt_is_valid(sprt);
}

typedef struct {
    Contest *contest;
    Status status;
    Error *error;
} Loading;

static bool load_match(void *context, const DatabaseMatch *match)
{
    Loading *loading = context;
    Contest *contest = loading->contest;
    Lab *lab = &contest->lab;
    contest->id = match->id;
    contest->kind = match->kind;
    contest->created = match->created;
    contest->finished = match->finished;
    contest->is_ours = match->origin != NULL && strcmp(match->origin, "web") == 0;
    lab->has_sprt = match->sprt != NULL && read_stored_sprt(match->sprt, &lab->sprt);
    loading->status = contest_read_spec(match->spec, &lab->event, &contest->openings, loading->error);
    return true;
}

// The state of a match that is not played here.
static ContestState stored_state(const Contest *contest)
{
    Lab view = contest_view(contest);
    bool all = contest->shown.games >= schedule_games(&contest->shown.schedule);
    bool decided = view.has_sprt && view.event.agent_count == 2 && lab_sprt(&view).verdict != SPRT_RUNNING;
    if (contest->finished == 0)
        return contest->is_ours ? CONTEST_PAUSED : CONTEST_ELSEWHERE;
    return all || decided ? CONTEST_DONE : CONTEST_CANCELLED;
}

static bool add_score(void *context, const DatabaseScore *score)
{
    Contest *contest = context;
    contest->stored++;
    if (score->number < 0 || score->number >= schedule_games(&contest->shown.schedule) ||
        score->result == RESULT_NONE || results_has(&contest->shown, (unsigned)score->number))
        return true;
    GameCounts counts = {
        .number = (unsigned)score->number, .result = score->result, .fault = score->fault, .faulty = score->faulty};
    results_add(&contest->shown, &counts);
    return true;
}

static Status load_scores(Database *db, Contest *contest, Error *error)
{
    contest->stored = 0;
    Status status = database_each_score(db, contest->id, add_score, contest, error);
    contest->state = stored_state(contest);
    contest->is_changed = true;
    return status;
}

// Names and the empty table; the openings are not made for somebody who only looks.
static Status lay_out(Contest *contest, Error *error)
{
    Lab *lab = &contest->lab;
    unsigned openings = lab->event.openings;
    lab->event.openings = 0;
    Status status = lab->event.agent_count >= 2 ? lab_set_up(lab, error)
                                                : error_set(error, STATUS_FAILED, "the match has no agents");
    lab->event.openings = openings;
    if (status == STATUS_OK)
        status = results_open(&contest->shown, &lab->results.schedule, error);
    contest->is_open = status == STATUS_OK;
    return status;
}

Status contest_from_store(WebMatches *matches, int64_t id, Contest **result, Error *error)
{
    Database *db = NULL;
    bool found = false;
    *result = NULL;
    Contest *contest = contest_make(matches, error);
    if (contest == NULL)
        return STATUS_NO_MEMORY;
    Loading loading = {contest, STATUS_OK, error};
    Status status = contest_has_database(matches) ? database_open_to_read(matches->context->db, &db, error) : STATUS_OK;
    if (status == STATUS_OK && db != NULL)
        status = database_read_match(db, id, load_match, &loading, &found, error);
    if (status == STATUS_OK)
        status = loading.status;
    if (status == STATUS_OK && found)
        status = lay_out(contest, error);
    if (status == STATUS_OK && found)
        status = load_scores(db, contest, error);
    database_close(db);
    if (status == STATUS_OK && found)
        *result = contest;
    else
        contest_free(contest);
    return status;
}

static bool look_at_match(void *context, const DatabaseMatch *match)
{
    DatabaseMatch *seen = context;
    *seen = *match;
    seen->spec = seen->sprt = seen->origin = NULL; // these end with the call
    return true;
}

Status contest_refresh(Contest *contest, Error *error)
{
    Database *db = NULL;
    DatabaseMatch seen = {0};
    bool found = false;
    Status status = database_open_to_read(contest->matches->context->db, &db, error);
    if (status == STATUS_OK && db != NULL)
        status = database_read_match(db, contest->id, look_at_match, &seen, &found, error);
    if (status == STATUS_OK && found) {
        (void)pthread_mutex_lock(&contest->lock);
        bool is_idle = !contest->is_playing && !contest->has_lab;
        if (is_idle && (seen.games != contest->stored || seen.finished != contest->finished)) {
            contest->finished = seen.finished;
            status = load_scores(db, contest, error);
        }
        (void)pthread_mutex_unlock(&contest->lock);
    }
    database_close(db);
    return status;
}

// Agents of a match that is resumed are checked as those of a request are: the database is only a file.
static Status check_stored_agents(const Event *event, WebReply *reply, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < event->agent_count && status == STATUS_OK; i++) {
        char text[WEB_AGENT_SIZE];
        status = web_agent_check(event->agents[i], &event->rules, "agents", text, reply, error);
    }
    return status;
}

static Status load_to_play(Contest *contest, int64_t id, Error *error)
{
    Database *db = NULL;
    bool found = false;
    Loading loading = {contest, STATUS_OK, error};
    Status status = database_open_to_read(contest->matches->context->db, &db, error);
    if (status == STATUS_OK && db != NULL)
        status = database_read_match(db, id, load_match, &loading, &found, error);
    database_close(db);
    if (status == STATUS_OK && !found)
        status = error_set(error, STATUS_FAILED, "The match is gone.");
    return status != STATUS_OK ? status : loading.status;
}

Status contest_revive(Contest *old, Contest **result, WebReply *reply, Error *error)
{
    *result = NULL;
    Contest *contest = contest_make(old->matches, error);
    if (contest == NULL)
        return STATUS_NO_MEMORY;
    Status status = load_to_play(contest, old->id, error);
    if (status == STATUS_OK)
        status = check_stored_agents(&contest->lab.event, reply, error);
    if (status == STATUS_OK) {
        LabStore store = {.path = contest->matches->context->db, .match = contest->id};
        contest->jobs = usual_jobs();
        equip(contest);
        status = lab_open_event(&contest->lab, &store, contest->kind, error);
    }
    if (status == STATUS_OK && !contest->is_open) // not a single game was there
        status = results_open(&contest->shown, &contest->lab.results.schedule, error);
    if (status != STATUS_OK) {
        contest_free(contest);
        return status;
    }
    contest->is_open = contest->has_lab = true;
    contest->state = CONTEST_PAUSED;
    web_topic_release(contest->topic); // those who listen to the old one listen on
    contest->topic = web_topic_hold(old->topic);
    *result = contest;
    return STATUS_OK;
}
