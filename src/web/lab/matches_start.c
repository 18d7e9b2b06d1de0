// Where matches come from: the body of a request, or the database.
#include "web/lab/library_internal.h"
#include "web/lab/matches_internal.h"

#include "base/clock.h"

#include <string.h>
#include <unistd.h>

// Default seconds per turn: agents without a limit would search for ever.
static const double TURN_SECONDS = 0.2;

unsigned web_match_jobs_most(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > CONTEST_JOBS_MAX ? CONTEST_JOBS_MAX : (unsigned)count;
}

// One core is reserved for users who play.
static unsigned usual_jobs(void)
{
    return web_match_jobs_most() > 1 ? web_match_jobs_most() - 1 : 1;
}

// --- Callbacks of the laboratory ---

// A game was counted, including stored games when a match is resumed.
static void take_counts(void *context, const Results *results, const GameCounts *counts)
{
    WebMatch *web_match = context;
    WEB_LOCK(&web_match->lock);
    if (!web_match->is_open)
        results_open(&web_match->shown, &results->schedule);
    web_match->is_open = true;
    if (!results_has(&web_match->shown, counts->number))
        results_add(&web_match->shown, counts);
    web_match->is_changed = true;
}

// A stone was placed in a running game.
static void take_duel(void *context, unsigned slot, const Duel *duel, const double clock[2])
{
    WebMatch *web_match = context;
    if (slot >= CONTEST_JOBS_MAX)
        return;
    WEB_LOCK(&web_match->lock);
    WebMatchBoard *board = &web_match->boards[slot];
    *board = (WebMatchBoard){.is_used = true,
                             .is_changed = true,
                             .number = duel->number,
                             .agents = {duel->agents[0], duel->agents[1]},
                             .result = duel->result,
                             .reason = duel->reason,
                             .seconds = {duel->seconds[0], duel->seconds[1]},
                             .clock = {clock[0], clock[1]},
                             .has_clock = web_match->run.event.limits.clock_seconds > 0};
    board_copy(&board->board, &duel->game.board);
    unsigned last = game_last_turn(&duel->game);
    board->last_count = last < CONTEST_LAST_MAX ? last : CONTEST_LAST_MAX;
    memcpy(board->last, duel->game.stones + duel->game.played - board->last_count,
           board->last_count * sizeof board->last[0]);
}

// Settings that are not part of the event.
static void equip(WebMatch *web_match)
{
    MatchRun *run = &web_match->run;
    web_match->watch = (DuelWatch){web_match, take_duel};
    // A stopping server starts nothing.
    atomic_store(&web_match->stop, atomic_load(&web_match->matches->context->stop));
    run->host = *web_match->matches->context->host;
    run->jobs = web_match->jobs;
    run->stop = &web_match->stop;
    run->watch = &web_match->watch;
    run->on_game = take_counts;
    run->on_game_context = web_match;
}

// --- A body ---

static Status read_agents(const json_t *list, WebMatch *web_match, WebCall *call)
{
    Tournament *event = &web_match->run.event;
    Status status = STATUS_OK;
    size_t i = 0;
    const json_t *item = NULL;
    json_array_foreach(list, i, item)
    {
        char text[WEB_AGENT_SIZE];
        const char *name = json_string_value(item);
        if (name == NULL || strlen(name) >= WEB_AGENT_SIZE || strpbrk(name, "\n\r\t #") != NULL)
            return web_fail(call, 400, "agents", "An agent is a text such as \"engine\" or \"threats:depth=4\".");
        status = web_agent_check(call, "agents", name, &event->rules, text);
        if (status == STATUS_OK)
            status = tournament_add_agent(event, span_of(text), call->error);
        if (status != STATUS_OK)
            return status;
    }
    return event->agent_count >= 2 ? STATUS_OK : web_fail(call, 400, "agents", "At least two agents are required.");
}

static Status read_format(const char *format, WebMatch *web_match, WebCall *call)
{
    static const char *const names[] = {"roundrobin", "gauntlet", "ladder"}; // in the order of the enum
    Tournament *event = &web_match->run.event;
    bool is_match = format == NULL ? event->agent_count == 2 : strcmp(format, "match") == 0;
    web_match->kind = is_match ? DATABASE_MATCH : DATABASE_TOURNAMENT;
    if (is_match && event->agent_count != 2)
        return web_fail(call, 400, "format", "A match has two agents, not %u.", event->agent_count);
    if (is_match || format == NULL)
        return STATUS_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(format, names[i]) == 0) {
            event->format = (ScheduleFormat)i;
            return STATUS_OK;
        }
    return web_fail(call, 400, "format", "'%.20s' is not one of: match, roundrobin, gauntlet, ladder.", format);
}

static Status read_clock(const json_t *clock, DuelLimits *limits, WebCall *call)
{
    if (clock == NULL)
        return STATUS_OK;
    WebCall inner = web_inner(call, clock, "seconds increment");
    web_field_need(&inner, "seconds");
    limits->clock_seconds = web_field_real(&inner, "seconds", 1, 3600, 60);
    limits->increment = web_field_real(&inner, "increment", 0, 60, 0);
    return call->error->status;
}

static Status read_sprt(const json_t *sprt, WebMatch *web_match, WebCall *call)
{
    if (sprt == NULL)
        return STATUS_OK;
    WebCall inner = web_inner(call, sprt, "elo0 elo1");
    web_field_need(&inner, "elo0");
    web_field_need(&inner, "elo1");
    MatchRun *run = &web_match->run;
    run->sprt = (Sprt){.elo0 = web_field_real(&inner, "elo0", -1000, 1000, 0),
                       .elo1 = web_field_real(&inner, "elo1", -1000, 1000, 0),
                       .alpha = 0.05,
                       .beta = 0.05};
    if (call->error->status != STATUS_OK)
        return call->error->status;
    run->has_sprt = true;
    if (web_match->kind != DATABASE_MATCH)
        return web_fail(call, 400, "sprt", "A SPRT compares two agents: it needs a match.");
    if (!sprt_is_valid(&run->sprt))
        return web_fail(call, 400, "sprt", "elo0 must be below elo1, such as 0 and 10.");
    return STATUS_OK;
}

static Status check_games(WebMatch *web_match, WebCall *call)
{
    const Tournament *event = &web_match->run.event;
    Schedule schedule = {.format = event->format, .agents = event->agent_count, .games = event->games};
    uint64_t games = (uint64_t)schedule_pairs(&schedule) * event->games;
    if (games > CONTEST_GAMES_MAX)
        return web_fail(call, 400, "games", "That would be %llu games; at most %d can be played from the page.",
                        (unsigned long long)games, CONTEST_GAMES_MAX);
    return STATUS_OK;
}

// Reads the numbers of a body; a turn without any limit gets one.
static void read_numbers(WebCall *call, WebMatch *web_match)
{
    Tournament *event = &web_match->run.event;
    DuelLimits *limits = &event->limits;
    event->games = (unsigned)web_field_int(call, "games", 1, CONTEST_GAMES_MAX, 20);
    event->openings = (unsigned)web_field_int(call, "openings", 0, CONTEST_OPENINGS_MAX, 0);
    event->seed = (uint64_t)web_field_int(call, "seed", 0, INT64_MAX, 1);
    limits->turn_seconds = web_field_real(call, "time", 0.01, 60, 0);
    limits->nodes = (uint64_t)web_field_int(call, "nodes", 1, 1000000000, 0);
    limits->depth = (unsigned)web_field_int(call, "depth", 1, 64, 0);
    limits->max_turns = (unsigned)web_field_int(call, "turns", 1, RULES_CELLS_MAX, 0);
    web_match->jobs = (unsigned)web_field_int(call, "jobs", 1, web_match_jobs_most(), usual_jobs());
    if (limits->turn_seconds <= 0 && limits->nodes == 0 && limits->depth == 0 && !web_field_has(call, "clock"))
        limits->turn_seconds = TURN_SECONDS;
}

static Status read_body(WebMatch *web_match, WebCall *call)
{
    Tournament *event = &web_match->run.event;
    web_field_need(call, "game");
    web_field_need(call, "agents");
    const char *game = web_field_text(call, "game", RULES_TEXT_SIZE);
    const char *format = web_field_text(call, "format", 20);
    const json_t *agents = web_field_array(call, "agents", CONTEST_AGENTS_MAX);
    const json_t *clock = web_field_object(call, "clock"), *sprt = web_field_object(call, "sprt");
    read_numbers(call, web_match);
    Status status = call->error->status;
    if (status == STATUS_OK && rules_parse(span_of(game), &event->rules, call->error) != STATUS_OK)
        status = web_fail(call, 400, "game", "%s", call->error->text);
    event->has_rules = true;
    if (status == STATUS_OK)
        status = read_agents(agents, web_match, call);
    if (status == STATUS_OK)
        status = read_format(format, web_match, call);
    if (status == STATUS_OK)
        status = read_clock(clock, &event->limits, call);
    if (status == STATUS_OK)
        status = read_sprt(sprt, web_match, call);
    return status == STATUS_OK ? check_games(web_match, call) : status;
}

Status web_match_from_body(WebCall *call, WebMatch **result)
{
    WebMatch *web_match = web_match_make(call->context->matches);
    *result = NULL;
    tournament_init(&web_match->run.event);
    Status status = read_body(web_match, call);
    if (status == STATUS_OK) {
        MatchRunStore store = {.path = call->context->db,
                               .origin = "web",
                               .repeat = web_field_has(call, "seed") ? MATCH_REPEAT : MATCH_AGAIN};
        equip(web_match);
        web_match->openings = web_match->run.event.openings;
        web_match->created = clock_unix_ms();
        status = match_run_open_event(&web_match->run, &store, web_match->kind, call->error);
    }
    if (status == STATUS_OK)
        results_open(&web_match->shown, &web_match->run.results.schedule);
    web_match->is_open = status == STATUS_OK;
    web_match->has_lab = status == STATUS_OK;
    web_match->is_ours = true;
    web_match->id = web_match->run.match;
    if (status != STATUS_OK) {
        web_match_free(web_match);
        return status;
    }
    *result = web_match;
    return STATUS_OK;
}

// --- The database ---

static bool ends_with(Span text, const char *end)
{
    Span last = span_of(end);
    return text.length >= last.length && memcmp(text.at + text.length - last.length, last.at, last.length) == 0;
}

// The text after the number of openings in a spec names the openings; a tournament does not have it.
static Status read_spec(const char *spec, Tournament *event, unsigned *openings, Error *error)
{
    Text text = {0};
    Span rest = span_of(spec), line = {0};
    while (span_next_part(&rest, '\n', &line)) {
        Span words = line, key = {0}, count = {0};
        bool is_openings = span_next_word(&words, " ", &key) && span_is(key, "openings");
        if (is_openings && span_next_word(&words, " ", &count))
            text_add(&text, "openings %.*s%s\n", SPAN_PRINT(count), ends_with(line, " balanced") ? "" : " random");
        else
            text_add(&text, "%.*s\n", (int)line.length, line.at);
    }
    tournament_init(event);
    Status status = tournament_read(event, (Span){text.data, text.length}, error);
    text_close(&text);
    *openings = event->openings;
    return status;
}

// Reads the SPRT limits as match_run.c writes them.
static bool read_stored_sprt(const char *text, Sprt *sprt)
{
    Span rest = span_of(text), word[4];
    for (int i = 0; i < 4; i++)
        if (!span_next_word(&rest, " ", &word[i]))
            return false;
    sprt->is_logistic = span_is(span_trim(rest), "logistic");
    return span_to_real(word[0], &sprt->elo0) && span_to_real(word[1], &sprt->elo1) &&
           span_to_real(word[2], &sprt->alpha) && span_to_real(word[3], &sprt->beta) && sprt_is_valid(sprt);
}

Status web_match_take(WebMatch *web_match, const DatabaseMatch *match, Error *error)
{
    MatchRun *run = &web_match->run;
    web_match->id = match->id;
    web_match->kind = match->kind;
    web_match->created = match->created;
    web_match->finished = match->finished;
    web_match->is_ours = match->origin != NULL && strcmp(match->origin, "web") == 0;
    run->has_sprt = match->sprt != NULL && read_stored_sprt(match->sprt, &run->sprt);
    return read_spec(match->spec, &run->event, &web_match->openings, error);
}

typedef struct {
    WebMatch *web_match;
    bool is_found;
    Status status;
    Error *error;
} Loading;

static bool load_match(void *context, const DatabaseMatch *match)
{
    Loading *loading = context;
    loading->is_found = true;
    loading->status = web_match_take(loading->web_match, match, loading->error);
    return true;
}

// Reads a match, if there is one. `*db` stays open; NULL if the database does not exist.
static Status load(WebMatch *web_match, int64_t id, Database **db, bool *is_found, Error *error)
{
    Loading loading = {.web_match = web_match, .error = error};
    Status status = web_library_open(web_match->matches->context, db, error);
    if (status == STATUS_OK && *db != NULL)
        status = database_read_match(*db, id, load_match, &loading, error);
    *is_found = loading.is_found;
    return status == STATUS_OK ? loading.status : status;
}

// The state of a match that this program does not play.
static WebMatchState stored_state(const WebMatch *web_match)
{
    MatchRun view = web_match_view(web_match);
    bool all = web_match->shown.games >= schedule_games(&web_match->shown.schedule);
    bool decided = view.has_sprt && view.event.agent_count == 2 && match_run_sprt(&view).verdict != SPRT_RUNNING;
    if (web_match->finished == 0)
        return web_match->is_ours ? CONTEST_PAUSED : CONTEST_ELSEWHERE;
    return all || decided ? CONTEST_DONE : CONTEST_CANCELLED;
}

static bool add_score(void *context, const DatabaseScore *score)
{
    WebMatch *web_match = context;
    web_match->stored++;
    if (score->number < 0 || score->number >= schedule_games(&web_match->shown.schedule) ||
        score->result == RESULT_NONE || results_has(&web_match->shown, (unsigned)score->number))
        return true;
    GameCounts counts = {
        .number = (unsigned)score->number, .result = score->result, .fault = score->fault, .faulty = score->faulty};
    results_add(&web_match->shown, &counts);
    return true;
}

static Status load_scores(Database *db, WebMatch *web_match, Error *error)
{
    web_match->stored = 0;
    Status status = database_each_score(db, web_match->id, add_score, web_match, error);
    web_match->state = stored_state(web_match);
    web_match->is_changed = true;
    return status;
}

// Names and the empty table; openings are made only when games are played.
static Status lay_out(WebMatch *web_match, Error *error)
{
    MatchRun *run = &web_match->run;
    unsigned openings = run->event.openings;
    run->event.openings = 0;
    Status status = run->event.agent_count >= 2 ? match_run_set_up(run, error)
                                                : error_set(error, STATUS_FAILED, "the match has no agents");
    run->event.openings = openings;
    if (status == STATUS_OK)
        results_open(&web_match->shown, &run->results.schedule);
    web_match->is_open = status == STATUS_OK;
    return status;
}

Status web_match_from_store(WebMatches *matches, int64_t id, WebMatch **result, Error *error)
{
    Database *db = NULL;
    bool is_found = false;
    WebMatch *web_match = web_match_make(matches);
    Status status = load(web_match, id, &db, &is_found, error);
    if (status == STATUS_OK && is_found)
        status = lay_out(web_match, error);
    if (status == STATUS_OK && is_found)
        status = load_scores(db, web_match, error);
    database_close(db);
    *result = status == STATUS_OK && is_found ? web_match : NULL;
    if (*result == NULL)
        web_match_free(web_match);
    return status;
}

static bool look_at_match(void *context, const DatabaseMatch *match)
{
    DatabaseMatch *seen = context;
    *seen = *match;
    seen->spec = seen->sprt = seen->origin = NULL; // these end with the call
    return true;
}

Status web_match_refresh(WebMatch *web_match, Error *error)
{
    Database *db = NULL;
    DatabaseMatch seen = {0};
    Status status = database_open_to_read(web_match->matches->context->db, &db, error);
    if (status == STATUS_OK && db != NULL)
        status = database_read_match(db, web_match->id, look_at_match, &seen, error);
    if (status == STATUS_OK && seen.id != 0) {
        (void)pthread_mutex_lock(&web_match->lock);
        bool is_idle = !web_match->is_playing && !web_match->has_lab;
        if (is_idle && (seen.games != web_match->stored || seen.finished != web_match->finished)) {
            web_match->finished = seen.finished;
            status = load_scores(db, web_match, error);
        }
        (void)pthread_mutex_unlock(&web_match->lock);
    }
    database_close(db);
    return status;
}

// Agents of a resumed match are checked like those of a request, since others may write the database.
static Status check_stored_agents(const Tournament *event, WebCall *call)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < event->agent_count && status == STATUS_OK; i++) {
        char text[WEB_AGENT_SIZE];
        status = web_agent_check(call, "agents", event->agents[i], &event->rules, text);
    }
    return status;
}

Status web_match_revive(WebMatch *old, WebMatch **result, WebCall *call)
{
    *result = NULL;
    WebMatch *web_match = web_match_make(old->matches);
    Database *db = NULL;
    bool is_found = false;
    Status status = load(web_match, old->id, &db, &is_found, call->error);
    database_close(db);
    if (status == STATUS_OK && !is_found)
        status = error_set(call->error, STATUS_FAILED, "The match no longer exists.");
    if (status == STATUS_OK)
        status = check_stored_agents(&web_match->run.event, call);
    if (status == STATUS_OK) {
        MatchRunStore store = {.path = web_match->matches->context->db, .match = web_match->id};
        web_match->jobs = usual_jobs();
        equip(web_match);
        status = match_run_open_event(&web_match->run, &store, web_match->kind, call->error);
    }
    if (status == STATUS_OK && !web_match->is_open) // without any game
        results_open(&web_match->shown, &web_match->run.results.schedule);
    if (status != STATUS_OK) {
        web_match_free(web_match);
        return status;
    }
    web_match->is_open = web_match->has_lab = true;
    web_match->state = CONTEST_PAUSED;
    web_topic_release(web_match->topic); // listeners of the old match get the new one
    web_match->topic = web_topic_hold(old->topic);
    *result = web_match;
    return STATUS_OK;
}
