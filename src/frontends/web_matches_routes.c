// The routes of matches.
#include "frontends/web_matches_internal.h"

#include <stdlib.h>
#include <string.h>

static Status find(WebContext *context, const WebRequest *request, Contest **contest, WebReply *reply, Error *error)
{
    int64_t id = 0;
    *contest = NULL;
    if (!span_to_int(span_of(request->parameter[0]), 1, INT64_MAX, &id))
        return web_fail(reply, 404, "id", error, "There is no such match.");
    Status status = contest_find(context->matches, id, contest, error);
    return status == STATUS_OK && *contest == NULL ? web_fail(reply, 404, "id", error, "There is no such match.")
                                                   : status;
}

static json_t *whole_json(Contest *contest)
{
    (void)pthread_mutex_lock(&contest->lock);
    json_t *object = contest_json(contest, true);
    (void)pthread_mutex_unlock(&contest->lock);
    return object;
}

// --- The list ---

typedef struct {
    json_t *running, *past;
    int64_t ids[2 * CONTEST_KEPT_MAX]; // those that are in memory
    unsigned id_count;
    unsigned read;
    Contest *scratch; // for one match after another
} Listing;

static void list_contest(void *context, const Contest *contest)
{
    Listing *listing = context;
    bool goes_on = contest->state == CONTEST_RUNNING || contest->state == CONTEST_PAUSED ||
                   contest->state == CONTEST_ELSEWHERE || contest->state == CONTEST_FAILED;
    if (listing->id_count < 2 * CONTEST_KEPT_MAX)
        listing->ids[listing->id_count++] = contest->id;
    (void)json_array_append_new(goes_on ? listing->running : listing->past, contest_brief(contest));
}

// A match that is only in the database: told from its spec and the number of its games.
static bool list_stored(void *context, const DatabaseMatch *match)
{
    Listing *listing = context;
    listing->read++;
    for (unsigned i = 0; i < listing->id_count; i++)
        if (listing->ids[i] == match->id)
            return true;
    Contest *contest = listing->scratch;
    Event *event = &contest->lab.event;
    contest->id = match->id;
    contest->kind = match->kind;
    contest->created = match->created;
    contest->finished = match->finished;
    if (contest_read_spec(match->spec, event, &contest->openings, NULL) == STATUS_OK && event->agent_count >= 2) {
        contest->shown.schedule =
            (Schedule){.format = event->format, .agents = event->agent_count, .games = event->games};
        contest->shown.games = (unsigned)match->games;
        bool is_ours = match->origin != NULL && strcmp(match->origin, "web") == 0;
        bool all = contest->shown.games >= schedule_games(&contest->shown.schedule);
        contest->state = match->finished == 0         ? (is_ours ? CONTEST_PAUSED : CONTEST_ELSEWHERE)
                         : all || match->sprt != NULL ? CONTEST_DONE
                                                      : CONTEST_CANCELLED;
        (void)json_array_append_new(match->finished == 0 ? listing->running : listing->past, contest_brief(contest));
    }
    event_close(event);
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
    Listing listing = {.running = json_array(), .past = json_array(), .scratch = calloc(1, sizeof *listing.scratch)};
    Status status = web_query_check(request, "", reply, error);
    contest_each(context->matches, list_contest, &listing);
    if (status == STATUS_OK && contest_has_database(context->matches))
        status = database_open_to_read(context->db, &db, error);
    if (status == STATUS_OK && listing.scratch == NULL)
        status = error_set(error, STATUS_NO_MEMORY, "no memory for a list");
    if (status == STATUS_OK && db != NULL)
        status = database_newest_matches(db, CONTEST_LISTED_MAX, list_stored, &listing, error);
    database_close(db);
    free(listing.scratch);
    reply->json = json_pack("{s:o, s:o, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "running", sorted(listing.running), "past",
                            sorted(listing.past), "truncated", listing.read == CONTEST_LISTED_MAX, "limits", "games",
                            CONTEST_GAMES_MAX, "agents", CONTEST_AGENTS_MAX, "running", CONTEST_RUNNING_MAX, "openings",
                            CONTEST_OPENINGS_MAX, "jobs", (int)contest_jobs_most());
    return status;
}

// --- One match ---

static Status post_match(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    Contest *contest = NULL;
    Status status = contest_reserve(context->matches, reply, error);
    if (status != STATUS_OK)
        return status;
    status = contest_from_body(context->matches, request->body, &contest, reply, error);
    if (contest != NULL)
        status = contest_enter(context->matches, contest, error);
    contest_give_back(context->matches);
    if (contest != NULL && status == STATUS_OK) {
        reply->status = 201;
        reply->json = whole_json(contest);
    }
    contest_drop(contest);
    return status;
}

static Status get_match(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    Contest *contest = NULL;
    Status status = find(context, request, &contest, reply, error);
    if (contest != NULL)
        reply->json = whole_json(contest);
    contest_drop(contest);
    return status;
}

static Status get_events(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    Contest *contest = NULL;
    Status status = find(context, request, &contest, reply, error);
    if (contest != NULL) {
        contest_send(contest); // whoever comes first finds it as it is now
        reply->topic = web_topic_hold(contest->topic);
    }
    contest_drop(contest);
    return status;
}

typedef Status Action(Contest **contest, WebReply *reply, Error *error);

static Status act(WebContext *context, const WebRequest *request, Action *action, WebReply *reply, Error *error)
{
    Contest *contest = NULL;
    WebFields fields = web_fields(request->body, "", reply, error);
    Status status = fields.status;
    if (status == STATUS_OK)
        status = find(context, request, &contest, reply, error);
    if (contest != NULL)
        status = action(&contest, reply, error);
    if (contest != NULL && status == STATUS_OK)
        reply->json = whole_json(contest);
    contest_drop(contest);
    return status;
}

static Status pause_it(Contest **contest, WebReply *reply, Error *error)
{
    return contest_pause(*contest, reply, error);
}

static Status cancel_it(Contest **contest, WebReply *reply, Error *error)
{
    return contest_cancel(*contest, reply, error);
}

static Status post_pause(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    return act(context, request, pause_it, reply, error);
}

static Status post_go(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    return act(context, request, contest_go, reply, error);
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
