// The routes of matches, and matches as files.
#include "web/lab/library_internal.h"
#include "web/lab/matches_internal.h"

#include "base/memory.h"
#include "lab/report.h"
#include "store/formats/formats.h"

#include <stdlib.h>
#include <string.h>

// The match in the path of a request, to be dropped; a failure, and 404, if it does not exist.
static Status find(WebCall *call, WebMatch **web_match)
{
    int64_t id = web_path_id(call);
    *web_match = NULL;
    Status status = id > 0 ? web_match_find(call->context->matches, id, web_match, call->error) : STATUS_OK;
    return status == STATUS_OK && *web_match == NULL ? web_fail(call, 404, "id", "There is no such match.") : status;
}

static json_t *whole_json(WebMatch *web_match)
{
    WEB_LOCK(&web_match->lock);
    return web_match_json(web_match, true);
}

// --- The list ---

typedef struct {
    json_t *running, *past;
    int64_t ids[2 * CONTEST_KEPT_MAX]; // those that are in memory
    unsigned id_count;
    unsigned read;
    WebMatch *scratch; // for one match after another
} Listing;

// Adds a match to a list, newest first.
static void add_match(json_t *list, const WebMatch *web_match)
{
    size_t at = 0;
    while (at < json_array_size(list) &&
           json_integer_value(json_object_get(json_array_get(list, at), "id")) > web_match->id)
        at++;
    (void)json_array_insert_new(list, at, web_match_brief(web_match));
}

static void list_contest(void *context, const WebMatch *web_match)
{
    Listing *listing = context;
    bool goes_on = web_match->state == CONTEST_RUNNING || web_match->state == CONTEST_PAUSED ||
                   web_match->state == CONTEST_ELSEWHERE || web_match->state == CONTEST_FAILED;
    if (listing->id_count < 2 * CONTEST_KEPT_MAX)
        listing->ids[listing->id_count++] = web_match->id;
    add_match(goes_on ? listing->running : listing->past, web_match);
}

// Reports a match that is only in the database, from its spec and its number of games.
static bool list_stored(void *context, const DatabaseMatch *match)
{
    Listing *listing = context;
    listing->read++;
    for (unsigned i = 0; i < listing->id_count; i++)
        if (listing->ids[i] == match->id)
            return true;
    WebMatch *web_match = listing->scratch;
    Tournament *event = &web_match->run.event;
    if (web_match_take(web_match, match, NULL) == STATUS_OK && event->agent_count >= 2) {
        web_match->shown.schedule =
            (Schedule){.format = event->format, .agents = event->agent_count, .games = event->games};
        web_match->shown.games = (unsigned)match->games;
        bool all = web_match->shown.games >= schedule_games(&web_match->shown.schedule);
        web_match->state = match->finished == 0         ? (web_match->is_ours ? CONTEST_PAUSED : CONTEST_ELSEWHERE)
                           : all || match->sprt != NULL ? CONTEST_DONE
                                                        : CONTEST_CANCELLED;
        add_match(match->finished == 0 ? listing->running : listing->past, web_match);
    }
    tournament_close(event);
    return true;
}

static Status get_list(WebCall *call)
{
    Database *db = NULL;
    Listing listing = {
        .running = json_array(), .past = json_array(), .scratch = memory_new(1, sizeof *listing.scratch)};
    web_match_each(call->context->matches, list_contest, &listing);
    Status status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_newest_matches(db, CONTEST_LISTED_MAX, list_stored, &listing, call->error);
    database_close(db);
    free(listing.scratch);
    call->reply->json = json_pack("{s:o, s:o, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "running", listing.running, "past",
                                  listing.past, "truncated", listing.read == CONTEST_LISTED_MAX, "limits", "games",
                                  CONTEST_GAMES_MAX, "agents", CONTEST_AGENTS_MAX, "running", CONTEST_RUNNING_MAX,
                                  "openings", CONTEST_OPENINGS_MAX, "jobs", (int)web_match_jobs_most());
    return status;
}

// --- One match ---

static Status post_match(WebCall *call)
{
    WebMatch *web_match = NULL;
    Status status = web_match_reserve(call->context->matches, call);
    if (status != STATUS_OK)
        return status;
    status = web_match_from_body(call, &web_match);
    if (web_match != NULL)
        status = web_match_enter(call->context->matches, web_match, call->error);
    web_match_give_back(call->context->matches);
    if (web_match != NULL && status == STATUS_OK) {
        call->reply->status = 201;
        call->reply->json = whole_json(web_match);
    }
    web_match_drop(web_match);
    return status;
}

static Status get_events(WebCall *call)
{
    WebMatch *web_match = NULL;
    Status status = find(call, &web_match);
    if (web_match != NULL) {
        web_match_send(web_match); // the first message is the current state
        call->reply->topic = web_topic_hold(web_match->topic);
    }
    web_match_drop(web_match);
    return status;
}

// The changes of routes are states; the first one, 0, is none.
enum { CHANGE_GO = -1 };

// Makes the change of the route, and answers with the match.
static Status answer_match(WebCall *call)
{
    WebMatch *web_match = NULL;
    Status status = find(call, &web_match);
    if (web_match != NULL && call->route->change == CHANGE_GO)
        status = web_match_go(&web_match, call);
    else if (web_match != NULL && call->route->change != 0)
        status = web_match_stop(web_match, (WebMatchState)call->route->change, call);
    if (web_match != NULL && status == STATUS_OK)
        call->reply->json = whole_json(web_match);
    web_match_drop(web_match);
    return status;
}

// --- A match as a file ---

enum { EXPORT_BYTES_MAX = 32 << 20 };

static void write_json(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    bool is_match = run->event.agent_count == 2;
    json_t *object = is_match ? report_match_json(run) : report_tournament_json(run, rated);
    char *dump = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    text_add(text, "%s\n", dump != NULL ? dump : "null");
    free(dump);
    json_decref(object);
}

static void write_pgn(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    (void)rated;
    report_pgn_text(run, text);
}

static const struct {
    const char *name, *type;
    void (*write)(const MatchRun *run, const RatedAgents *rated, Text *text);
} reports[] = {
    {"json", "application/json", write_json},
    {"pgn", "application/x-chess-pgn", write_pgn},
    {"html", "text/html; charset=utf-8", report_html_text},
};

static Status write_report(WebMatch *web_match, unsigned which, WebCall *call)
{
    RatedAgents rated = {0};
    (void)pthread_mutex_lock(&web_match->lock);
    MatchRun run = web_match_view(web_match);
    Status status = report_rate(&run, &rated, call->error);
    if (status == STATUS_OK)
        reports[which].write(&run, &rated, &call->reply->text);
    (void)pthread_mutex_unlock(&web_match->lock);
    report_rated_close(&rated);
    call->reply->type = reports[which].type;
    return status;
}

typedef struct {
    const Format *format;
    Text *text;
    Status status;
    Error *error;
} Export;

static bool write_game(void *context, const DatabaseGame *game)
{
    Export *export = context;
    export->status = formats_write(game->record, export->format, export->text, export->error);
    if (export->status == STATUS_OK && export->text->length > EXPORT_BYTES_MAX)
        export->status = error_set(export->error, STATUS_FAILED,
                                   "The games are too many for one file here; krow export --match writes them.");
    return export->status == STATUS_OK;
}

static Status write_games(WebMatch *web_match, const Format *format, WebCall *call)
{
    Database *db = NULL;
    Export export = {format, &call->reply->text, STATUS_OK, call->error};
    DatabaseFilter filter = {.match = web_match->id};
    if (database_is_none(web_match->matches->context->db))
        return web_fail(call, 409, "format", "The games were not stored, since there is no database.");
    Status status = database_open_to_read(web_match->matches->context->db, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_each_game(db, &filter, write_game, &export, call->error);
    database_close(db);
    if (status == STATUS_OK)
        status = export.status;
    return status;
}

static Status export_as(WebMatch *web_match, const char *name, WebCall *call)
{
    for (unsigned i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (strcmp(reports[i].name, name) == 0)
            return write_report(web_match, i, call);
    const Format *format = format_find(span_of(name));
    if (format == NULL || format->write == NULL)
        return web_fail(call, 400, "format", "'%.20s' is no format that can be written.", name);
    return write_games(web_match, format, call);
}

static Status get_export(WebCall *call)
{
    WebMatch *web_match = NULL;
    const char *format = web_query(call, "format");
    Status status = find(call, &web_match);
    if (web_match != NULL)
        status = export_as(web_match, format != NULL ? format : "json", call);
    if (status == STATUS_OK && call->reply->text.length == 0) // no game yet: an empty file
        text_add(&call->reply->text, "\n");
    if (status == STATUS_OK)
        (void)snprintf(call->reply->name, sizeof call->reply->name, "krow-match-%lld.%s", (long long)web_path_id(call),
                       format != NULL ? format : "json");
    else
        text_close(&call->reply->text);
    web_match_drop(web_match);
    return status;
}

const WebRoute web_matches_routes[] = {
    {"GET", "/matches", get_list, WEB_SLOW, "Matches and tournaments, running and past", .names = ""},
    {"POST", "/matches", post_match, WEB_SLOW, "Begins a match or tournament",
     .names = "game agents format games openings time nodes depth clock turns seed sprt jobs"},
    {"GET", "/matches/{id}", answer_match, WEB_SLOW, "A match: table, ratings, statistics, boards in play",
     .names = NULL},
    {"GET", "/matches/{id}/events", get_events, WEB_SLOW, "The same as events while it is played", .names = NULL},
    {"POST", "/matches/{id}/pause", answer_match, WEB_SLOW, "Pauses a match; games in play are played again",
     .names = "", .change = CONTEST_PAUSED},
    {"POST", "/matches/{id}/go", answer_match, WEB_SLOW, "Continues a match", .names = "", .change = CHANGE_GO},
    {"POST", "/matches/{id}/cancel", answer_match, WEB_SLOW, "Ends a match", .names = "", .change = CONTEST_CANCELLED},
    {"GET", "/matches/{id}/export", get_export, WEB_SLOW, "A report of a match, or its games", .names = "format"},
    {0},
};
