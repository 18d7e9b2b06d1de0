// The list of matches: finding, sharing and freeing them, and sending their changes to listeners.
#include "web/lab/matches_internal.h"

#include "base/clock.h"
#include "base/condition.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    REFRESH_TICKS = 4, // between two reads of a match that another program plays
};

static const double tick_seconds = 0.5; // between two messages to listeners

// --- One match ---

WebMatch *web_match_make(WebMatches *matches)
{
    WebMatch *web_match = memory_new(1, sizeof *web_match);
    web_match->topic = web_topic_open();
    web_match->matches = matches;
    atomic_init(&web_match->stop, false);
    (void)pthread_mutex_init(&web_match->lock, NULL);
    return web_match;
}

void web_match_free(WebMatch *web_match)
{
    if (web_match == NULL)
        return;
    assert(!web_match->has_thread);
    match_run_close(&web_match->run);
    results_close(&web_match->shown);
    web_topic_release(web_match->topic);
    (void)pthread_mutex_destroy(&web_match->lock);
    free(web_match);
}

bool web_match_is_playing(WebMatch *web_match)
{
    WEB_LOCK(&web_match->lock);
    return web_match->is_playing;
}

WebMatchState web_match_state(WebMatch *web_match)
{
    WEB_LOCK(&web_match->lock);
    return web_match->state;
}

// --- The list ---

// Removes the oldest match that is neither played nor watched from the list.
static WebMatch *take_spare(WebMatches *matches)
{
    WEB_LOCK(&matches->lock);
    WebMatch **spare = NULL;
    unsigned count = 0;
    for (WebMatch **at = &matches->list; *at != NULL; at = &(*at)->next) {
        WebMatch *web_match = *at;
        count++;
        // Without a database a match exists only here.
        bool is_kept = web_match->has_lab && web_match->run.db == NULL && count <= CONTEST_KEPT_MAX / 2;
        if (web_match->holders == 0 && !is_kept && !web_match_is_playing(web_match) &&
            web_topic_listeners(web_match->topic) == 0)
            spare = at;
    }
    if (count <= CONTEST_KEPT_MAX || spare == NULL)
        return NULL;
    WebMatch *web_match = *spare;
    *spare = web_match->next;
    return web_match;
}

void web_match_join(WebMatch *web_match)
{
    if (web_match->has_thread)
        (void)pthread_join(web_match->thread, NULL);
    web_match->has_thread = false;
}

void web_match_free_spare(WebMatches *matches)
{
    for (WebMatch *spare = NULL; (spare = take_spare(matches)) != NULL;) {
        web_match_join(spare);
        web_match_free(spare);
    }
}

void web_match_drop(WebMatch *web_match)
{
    if (web_match == NULL)
        return;
    WebMatches *matches = web_match->matches;
    (void)pthread_mutex_lock(&matches->lock);
    bool is_listed = false;
    for (WebMatch *at = matches->list; at != NULL; at = at->next)
        is_listed = is_listed || at == web_match;
    bool is_last = --web_match->holders == 0 && !is_listed;
    (void)pthread_mutex_unlock(&matches->lock);
    if (is_last) { // it was replaced
        web_match_join(web_match);
        web_match_free(web_match);
    }
}

// With the lock of the list.
static WebMatch *hold_listed(WebMatches *matches, int64_t id)
{
    WebMatch *web_match = matches->list;
    while (web_match != NULL && web_match->id != id)
        web_match = web_match->next;
    if (web_match != NULL)
        web_match->holders++;
    return web_match;
}

void web_match_enlist(WebMatches *matches, WebMatch *web_match)
{
    WebMatch **at = &matches->list;
    while (*at != NULL && (*at)->id > web_match->id)
        at = &(*at)->next;
    web_match->next = *at;
    web_match->holders++;
    *at = web_match;
}

Status web_match_find(WebMatches *matches, int64_t id, WebMatch **result, Error *error)
{
    (void)pthread_mutex_lock(&matches->lock);
    WebMatch *web_match = hold_listed(matches, id);
    (void)pthread_mutex_unlock(&matches->lock);
    Status status = STATUS_OK;
    if (web_match == NULL) {
        WebMatch *read = NULL;
        status = web_match_from_store(matches, id, &read, error);
        (void)pthread_mutex_lock(&matches->lock);
        web_match = read != NULL ? hold_listed(matches, id) : NULL; // another request may have been faster
        if (read != NULL && web_match == NULL) {
            web_match_enlist(matches, read);
            web_match = read;
            read = NULL;
        }
        (void)pthread_mutex_unlock(&matches->lock);
        web_match_free(read);
        web_match_free_spare(matches);
    } else if (!web_match->has_lab && !database_is_none(matches->context->db)) {
        status = web_match_refresh(web_match, error);
    }
    if (status != STATUS_OK) {
        web_match_drop(web_match);
        web_match = NULL;
    }
    *result = web_match;
    return status;
}

void web_match_each(WebMatches *matches, void (*visit)(void *context, const WebMatch *web_match), void *context)
{
    (void)pthread_mutex_lock(&matches->lock);
    for (WebMatch *web_match = matches->list; web_match != NULL; web_match = web_match->next) {
        (void)pthread_mutex_lock(&web_match->lock);
        visit(context, web_match);
        (void)pthread_mutex_unlock(&web_match->lock);
    }
    (void)pthread_mutex_unlock(&matches->lock);
}

// --- Listeners ---

// With the lock of the web_match, so that an older message never comes after a newer one.
static void send_changes(WebMatch *web_match, bool all)
{
    if (all || web_match->is_changed)
        web_topic_send(web_match->topic, "match", "match", true, web_match_json(web_match, false));
    for (unsigned slot = 0; slot < web_match->jobs; slot++) {
        WebMatchBoard *board = &web_match->boards[slot];
        char key[24];
        (void)snprintf(key, sizeof key, "board %u", slot);
        if (!board->is_used)
            web_topic_forget(web_match->topic, key);
        else if (all || board->is_changed)
            web_topic_send(web_match->topic, "board", key, true, web_match_board_json(web_match, slot));
        board->is_changed = false;
    }
    web_match->is_changed = false;
}

void web_match_send(WebMatch *web_match)
{
    WEB_LOCK(&web_match->lock);
    send_changes(web_match, true);
}

static void tick(WebMatch *web_match, bool refreshes)
{
    if (web_topic_listeners(web_match->topic) == 0)
        return;
    if (refreshes && !web_match->has_lab && !database_is_none(web_match->matches->context->db))
        (void)web_match_refresh(web_match, NULL);
    WEB_LOCK(&web_match->lock);
    send_changes(web_match, false);
}

// Holds all matches, so that the list is not locked while they are visited.
static unsigned hold_all(WebMatches *matches, WebMatch *held[2 * CONTEST_KEPT_MAX])
{
    unsigned count = 0;
    for (WebMatch *at = matches->list; at != NULL && count < 2 * CONTEST_KEPT_MAX; at = at->next) {
        at->holders++;
        held[count++] = at;
    }
    return count;
}

static void *run_ticker(void *context)
{
    WebMatches *matches = context;
    WebMatch *held[2 * CONTEST_KEPT_MAX];
    for (unsigned ticks = 1;; ticks++) {
        double next = clock_seconds() + tick_seconds;
        (void)pthread_mutex_lock(&matches->lock);
        while (!matches->ends && clock_seconds() < next)
            condition_wait(&matches->changed, &matches->lock, next);
        bool ends = matches->ends;
        unsigned count = ends ? 0 : hold_all(matches, held);
        (void)pthread_mutex_unlock(&matches->lock);
        if (ends)
            return NULL;
        for (unsigned i = 0; i < count; i++) {
            tick(held[i], ticks % REFRESH_TICKS == 0);
            web_match_drop(held[i]);
        }
    }
}

// --- Opening and closing ---

Status web_matches_open(WebMatches **result, WebContext *context, Error *error)
{
    WebMatches *matches = memory_new(1, sizeof *matches);
    *result = NULL;
    matches->context = context;
    condition_init(&matches->changed);
    (void)pthread_mutex_init(&matches->lock, NULL);
    (void)pthread_mutex_init(&matches->acts, NULL);
    matches->has_ticker = pthread_create(&matches->ticker, NULL, run_ticker, matches) == 0;
    *result = matches;
    if (matches->has_ticker)
        return STATUS_OK;
    web_matches_close(matches);
    *result = NULL;
    return error_set(error, STATUS_NO_MEMORY, "cannot start a thread for matches");
}

void web_matches_close(WebMatches *matches)
{
    if (matches == NULL)
        return;
    (void)pthread_mutex_lock(&matches->lock);
    matches->ends = true;
    for (WebMatch *at = matches->list; at != NULL; at = at->next)
        atomic_store(&at->stop, true);
    (void)pthread_cond_broadcast(&matches->changed);
    (void)pthread_mutex_unlock(&matches->lock);
    if (matches->has_ticker)
        (void)pthread_join(matches->ticker, NULL);
    while (matches->list != NULL) {
        WebMatch *web_match = matches->list;
        matches->list = web_match->next;
        web_match_join(web_match);
        web_match_free(web_match);
    }
    (void)pthread_cond_destroy(&matches->changed);
    (void)pthread_mutex_destroy(&matches->lock);
    (void)pthread_mutex_destroy(&matches->acts);
    free(matches);
}
