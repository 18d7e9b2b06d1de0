// The routes of matches.
#include "web/lab/matches_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

Status web_match_of(WebCall *call, WebMatch **web_match)
{
    int64_t id = web_path_id(call);
    *web_match = NULL;
    Status status = id > 0 ? web_match_find(call->context->matches, id, web_match, call->error) : STATUS_OK;
    return status == STATUS_OK && *web_match == NULL ? web_fail(call, 404, "id", "There is no such match.") : status;
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

static Status get_list(WebCall *call)
{
    Database *db = NULL;
    Listing listing = {
        .running = json_array(), .past = json_array(), .scratch = memory_new(1, sizeof *listing.scratch)};
    Status status = STATUS_OK;
    web_match_each(call->context->matches, list_contest, &listing);
    if (web_match_has_database(call->context->matches))
        status = database_open_to_read(call->context->db, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_newest_matches(db, CONTEST_LISTED_MAX, list_stored, &listing, call->error);
    database_close(db);
    free(listing.scratch);
    call->reply->json =
        json_pack("{s:o, s:o, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "running", sorted(listing.running), "past",
                  sorted(listing.past), "truncated", listing.read == CONTEST_LISTED_MAX, "limits", "games",
                  CONTEST_GAMES_MAX, "agents", CONTEST_AGENTS_MAX, "running", CONTEST_RUNNING_MAX, "openings",
                  CONTEST_OPENINGS_MAX, "jobs", (int)web_match_jobs_most());
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

static Status get_match(WebCall *call)
{
    WebMatch *web_match = NULL;
    Status status = web_match_of(call, &web_match);
    if (web_match != NULL)
        call->reply->json = whole_json(web_match);
    web_match_drop(web_match);
    return status;
}

static Status get_events(WebCall *call)
{
    WebMatch *web_match = NULL;
    Status status = web_match_of(call, &web_match);
    if (web_match != NULL) {
        web_match_send(web_match); // the first message is the current state
        call->reply->topic = web_topic_hold(web_match->topic);
    }
    web_match_drop(web_match);
    return status;
}

enum { CHANGE_GO, CHANGE_PAUSE, CHANGE_CANCEL };

static Status post_change(WebCall *call)
{
    WebMatch *web_match = NULL;
    Status status = web_match_of(call, &web_match);
    if (web_match != NULL)
        status = call->route->change == CHANGE_GO      ? web_match_go(&web_match, call)
                 : call->route->change == CHANGE_PAUSE ? web_match_pause(web_match, call)
                                                       : web_match_cancel(web_match, call);
    if (status == STATUS_OK)
        call->reply->json = whole_json(web_match);
    web_match_drop(web_match);
    return status;
}

const WebRoute web_matches_routes[] = {
    {"GET", "/matches", get_list, WEB_SLOW, "Matches and tournaments, running and past", .names = ""},
    {"POST", "/matches", post_match, WEB_SLOW, "Begins a match or tournament",
     .names = "game agents format games openings time nodes depth clock turns seed sprt jobs"},
    {"GET", "/matches/{id}", get_match, WEB_SLOW, "A match: table, ratings, statistics, boards in play", .names = NULL},
    {"GET", "/matches/{id}/events", get_events, WEB_SLOW, "The same as events while it is played", .names = NULL},
    {"POST", "/matches/{id}/pause", post_change, WEB_SLOW, "Pauses a match; games in play are played again",
     .names = "", .change = CHANGE_PAUSE},
    {"POST", "/matches/{id}/go", post_change, WEB_SLOW, "Goes on with a match", .names = "", .change = CHANGE_GO},
    {"POST", "/matches/{id}/cancel", post_change, WEB_SLOW, "Ends a match", .names = "", .change = CHANGE_CANCEL},
    {"GET", "/matches/{id}/export", web_matches_get_export, WEB_SLOW, "A report of a match, or its games",
     .names = "format"},
    {0},
};
