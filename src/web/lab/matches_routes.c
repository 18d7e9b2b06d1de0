// The routes of matches.
#include "web/lab/matches_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static Status find(WebContext *context, const WebRequest *request, WebMatch **web_match, WebReply *reply, Error *error)
{
    int64_t id = 0;
    *web_match = NULL;
    if (!span_to_int(span_of(request->parameter[0]), 1, INT64_MAX, &id))
        return web_fail(reply, 404, "id", error, "There is no such match.");
    Status status = web_match_find(context->matches, id, web_match, error);
    return status == STATUS_OK && *web_match == NULL ? web_fail(reply, 404, "id", error, "There is no such match.")
                                                     : status;
}

static json_t *whole_json(WebMatch *web_match)
{
    (void)pthread_mutex_lock(&web_match->lock);
    json_t *object = web_match_json(web_match, true);
    (void)pthread_mutex_unlock(&web_match->lock);
    return object;
}

// --- The list ---

typedef struct {
    json_t *running, *past;
    int64_t ids[2 * CONTEST_KEPT_MAX]; // those that are in memory
    unsigned id_count;
    unsigned read;
    WebMatch *scratch; // for one match after another
} Listing;

static void list_contest(void *context, const WebMatch *web_match)
{
    Listing *listing = context;
    bool goes_on = web_match->state == CONTEST_RUNNING || web_match->state == CONTEST_PAUSED ||
                   web_match->state == CONTEST_ELSEWHERE || web_match->state == CONTEST_FAILED;
    if (listing->id_count < 2 * CONTEST_KEPT_MAX)
        listing->ids[listing->id_count++] = web_match->id;
    (void)json_array_append_new(goes_on ? listing->running : listing->past, web_match_brief(web_match));
}

// A match that is only in the database: reported from its spec and the number of its games.
static bool list_stored(void *context, const DatabaseMatch *match)
{
    Listing *listing = context;
    listing->read++;
    for (unsigned i = 0; i < listing->id_count; i++)
        if (listing->ids[i] == match->id)
            return true;
    WebMatch *web_match = listing->scratch;
    Tournament *event = &web_match->run.event;
    web_match->id = match->id;
    web_match->kind = match->kind;
    web_match->created = match->created;
    web_match->finished = match->finished;
    if (web_match_read_spec(match->spec, event, &web_match->openings, NULL) == STATUS_OK && event->agent_count >= 2) {
        web_match->shown.schedule =
            (Schedule){.format = event->format, .agents = event->agent_count, .games = event->games};
        web_match->shown.games = (unsigned)match->games;
        bool is_ours = match->origin != NULL && strcmp(match->origin, "web") == 0;
        bool all = web_match->shown.games >= schedule_games(&web_match->shown.schedule);
        web_match->state = match->finished == 0         ? (is_ours ? CONTEST_PAUSED : CONTEST_ELSEWHERE)
                           : all || match->sprt != NULL ? CONTEST_DONE
                                                        : CONTEST_CANCELLED;
        (void)json_array_append_new(match->finished == 0 ? listing->running : listing->past,
                                    web_match_brief(web_match));
    }
    tournament_close(event);
    return true;
}

// Newest first, wherever they come from.
static json_t *sorted(json_t *list)
{
    json_t *result = json_array();
    while (json_array_size(list) > 0) {
        size_t best = 0;
        for (size_t i = 1; i < json_array_size(list); i++)
            if (json_integer_value(json_object_get(json_array_get(list, i), "id")) >
                json_integer_value(json_object_get(json_array_get(list, best), "id")))
                best = i;
        (void)json_array_append(result, json_array_get(list, best));
        (void)json_array_remove(list, best);
    }
    json_decref(list);
    return result;
}

static Status get_list(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    Database *db = NULL;
    Listing listing = {
        .running = json_array(), .past = json_array(), .scratch = memory_new(1, sizeof *listing.scratch)};
    Status status = web_queries(request, "", reply, error).status;
    web_match_each(context->matches, list_contest, &listing);
    if (status == STATUS_OK && web_match_has_database(context->matches))
        status = database_open_to_read(context->db, &db, error);
    if (status == STATUS_OK && db != NULL)
        status = database_newest_matches(db, CONTEST_LISTED_MAX, list_stored, &listing, error);
    database_close(db);
    free(listing.scratch);
    reply->json = json_pack("{s:o, s:o, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "running", sorted(listing.running), "past",
                            sorted(listing.past), "truncated", listing.read == CONTEST_LISTED_MAX, "limits", "games",
                            CONTEST_GAMES_MAX, "agents", CONTEST_AGENTS_MAX, "running", CONTEST_RUNNING_MAX, "openings",
                            CONTEST_OPENINGS_MAX, "jobs", (int)web_match_jobs_most());
    return status;
}

// --- One match ---

static Status post_match(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebMatch *web_match = NULL;
    Status status = web_match_reserve(context->matches, reply, error);
    if (status != STATUS_OK)
        return status;
    status = web_match_from_body(context->matches, request->body, &web_match, reply, error);
    if (web_match != NULL)
        status = web_match_enter(context->matches, web_match, error);
    web_match_give_back(context->matches);
    if (web_match != NULL && status == STATUS_OK) {
        reply->status = 201;
        reply->json = whole_json(web_match);
    }
    web_match_drop(web_match);
    return status;
}

static Status get_match(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebMatch *web_match = NULL;
    Status status = find(context, request, &web_match, reply, error);
    if (web_match != NULL)
        reply->json = whole_json(web_match);
    web_match_drop(web_match);
    return status;
}

static Status get_events(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebMatch *web_match = NULL;
    Status status = find(context, request, &web_match, reply, error);
    if (web_match != NULL) {
        web_match_send(web_match); // the first request finds it as it is now
        reply->topic = web_topic_hold(web_match->topic);
    }
    web_match_drop(web_match);
    return status;
}

typedef Status Action(WebMatch **web_match, WebReply *reply, Error *error);

static Status act(WebContext *context, const WebRequest *request, Action *action, WebReply *reply, Error *error)
{
    WebMatch *web_match = NULL;
    WebFields fields = web_fields(request->body, "", reply, error);
    Status status = fields.status;
    if (status == STATUS_OK)
        status = find(context, request, &web_match, reply, error);
    if (web_match != NULL)
        status = action(&web_match, reply, error);
    if (web_match != NULL && status == STATUS_OK)
        reply->json = whole_json(web_match);
    web_match_drop(web_match);
    return status;
}

static Status pause_it(WebMatch **web_match, WebReply *reply, Error *error)
{
    return web_match_pause(*web_match, reply, error);
}

static Status cancel_it(WebMatch **web_match, WebReply *reply, Error *error)
{
    return web_match_cancel(*web_match, reply, error);
}

static Status post_pause(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    return act(context, request, pause_it, reply, error);
}

static Status post_go(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    return act(context, request, web_match_go, reply, error);
}

static Status post_cancel(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    return act(context, request, cancel_it, reply, error);
}

const WebRoute web_matches_routes[] = {
    {"GET", "/matches", get_list, WEB_SLOW, "Matches and tournaments, running and past"},
    {"POST", "/matches", post_match, WEB_SLOW, "Begins a match or tournament"},
    {"GET", "/matches/{id}", get_match, WEB_SLOW, "A match: table, ratings, statistics, boards in play"},
    {"GET", "/matches/{id}/events", get_events, WEB_SLOW, "The same as events while it is played"},
    {"POST", "/matches/{id}/pause", post_pause, WEB_SLOW, "Pauses a match; games in play are played again"},
    {"POST", "/matches/{id}/go", post_go, WEB_SLOW, "Goes on with a match"},
    {"POST", "/matches/{id}/cancel", post_cancel, WEB_SLOW, "Ends a match"},
    {"GET", "/matches/{id}/export", web_matches_get_export, WEB_SLOW, "A report of a match, or its games"},
    {0},
};
