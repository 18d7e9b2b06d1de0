// The list of sessions, found by id; the least recently used one is dropped first.
#include "web/session/session.h"

#include "base/clock.h"
#include "base/memory.h"
#include "web/http/pool.h"
#include "web/http/stops.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct WebSessions {
    pthread_mutex_t lock; // of all that follows
    WebSession *first;
    unsigned count, searches;
};

static const double kept_seconds = 12 * 3600.0; // of an unused session

WebSessions *web_sessions_open(void)
{
    WebSessions *sessions = memory_new(1, sizeof *sessions);
    (void)pthread_mutex_init(&sessions->lock, NULL);
    return sessions;
}

// --- One session ---

WebSession *web_session_hold(WebSession *session)
{
    WebSessions *sessions = session->context->sessions;
    WEB_LOCK(&sessions->lock);
    session->owners++;
    return session;
}

void web_session_release(WebSession *session)
{
    WebSessions *sessions = session->context->sessions;
    (void)pthread_mutex_lock(&sessions->lock);
    bool is_last = --session->owners == 0;
    (void)pthread_mutex_unlock(&sessions->lock);
    if (!is_last)
        return;
    web_scan_forget(session);
    web_tree_close(&session->tree);
    web_topic_release(session->topic);
    json_decref(session->scan.result);
    (void)pthread_mutex_destroy(&session->lock);
    free(session);
}

void web_session_leave(WebSession *session)
{
    (void)pthread_mutex_unlock(&session->lock);
    web_session_release(session);
}

// Stops all searches and ends all streams. The session is off the list.
static void dismiss(WebSession *session)
{
    (void)pthread_mutex_lock(&session->lock);
    session->is_gone = true;
    session->is_live = false;
    web_turn_stop(session);
    web_analysis_stop(session);
    web_scan_stop(session);
    (void)pthread_mutex_unlock(&session->lock);
    web_stops_raise(session->context->stops, web_pool_key(session->id));
    web_topic_end(session->topic);
    web_session_release(session);
}

// --- The list ---

// Removes a session from the list; its ownership passes to the caller. The list is locked.
static WebSession *take_off(WebSessions *sessions, WebSession **at)
{
    WebSession *session = *at;
    *at = session->next;
    sessions->count--;
    return session;
}

static WebSession **find(WebSessions *sessions, const char *id)
{
    WebSession **at = &sessions->first;
    while (*at != NULL && strcmp((*at)->id, id) != 0)
        at = &(*at)->next;
    return at;
}

static WebSession **find_oldest(WebSessions *sessions)
{
    WebSession **oldest = &sessions->first;
    for (WebSession **at = oldest; *at != NULL; at = &(*at)->next)
        if ((*at)->used < (*oldest)->used)
            oldest = at;
    return oldest;
}

static bool make_id(char id[WEB_ID_SIZE], uint64_t *seed)
{
    unsigned char bytes[(WEB_ID_SIZE - 1) / 2 + sizeof *seed];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < (WEB_ID_SIZE - 1) / 2; i++)
        (void)snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    memcpy(seed, bytes + (WEB_ID_SIZE - 1) / 2, sizeof *seed);
    return true;
}

Status web_sessions_add(WebSessions *sessions, WebContext *context, WebSession **result, Error *error)
{
    WebSession *session = memory_new(1, sizeof *session);
    if (!make_id(session->id, &session->seed)) {
        free(session);
        return error_set(error, STATUS_IO, "cannot generate a random session id");
    }
    session->topic = web_topic_open();
    (void)pthread_mutex_init(&session->lock, NULL);
    session->context = context;
    session->owners = 2; // the list and the caller
    session->used = session->asked = clock_seconds();
    session->settings.seconds = 1;
    session->analysis.lines = 3;
    (void)pthread_mutex_lock(&sessions->lock);
    WebSession *oldest = sessions->count >= WEB_SESSIONS_MAX ? take_off(sessions, find_oldest(sessions)) : NULL;
    session->next = sessions->first;
    sessions->first = session;
    sessions->count++;
    (void)pthread_mutex_unlock(&sessions->lock);
    if (oldest != NULL)
        dismiss(oldest);
    *result = session;
    return STATUS_OK;
}

WebSession *web_session_enter(WebSessions *sessions, const char *id)
{
    double now = clock_seconds();
    (void)pthread_mutex_lock(&sessions->lock);
    WebSession *session = *find(sessions, id);
    if (session != NULL) {
        session->owners++;
        session->used = now;
    }
    (void)pthread_mutex_unlock(&sessions->lock);
    if (session == NULL)
        return NULL;
    (void)pthread_mutex_lock(&session->lock);
    session->asked = now;
    return session;
}

bool web_sessions_remove(WebSessions *sessions, const char *id)
{
    (void)pthread_mutex_lock(&sessions->lock);
    WebSession **at = find(sessions, id);
    WebSession *session = *at != NULL ? take_off(sessions, at) : NULL;
    (void)pthread_mutex_unlock(&sessions->lock);
    if (session == NULL)
        return false;
    dismiss(session);
    return true;
}

void web_sessions_clear(WebSessions *sessions)
{
    for (WebSession *session = NULL;; dismiss(session)) {
        (void)pthread_mutex_lock(&sessions->lock);
        session = sessions->first != NULL ? take_off(sessions, &sessions->first) : NULL;
        (void)pthread_mutex_unlock(&sessions->lock);
        if (session == NULL)
            return;
    }
}

void web_sessions_close(WebSessions *sessions)
{
    if (sessions == NULL)
        return;
    web_sessions_clear(sessions);
    (void)pthread_mutex_destroy(&sessions->lock);
    free(sessions);
}

unsigned web_sessions_count(WebSessions *sessions)
{
    WEB_LOCK(&sessions->lock);
    return sessions->count;
}

bool web_sessions_search_begin(WebSessions *sessions)
{
    WEB_LOCK(&sessions->lock);
    bool may = sessions->searches < WEB_SEARCHES_MAX;
    sessions->searches += may;
    return may;
}

void web_sessions_search_end(WebSessions *sessions)
{
    WEB_LOCK(&sessions->lock);
    sessions->searches--;
}

// --- Periodic work ---

static void tick(WebSession *session)
{
    WEB_LOCK(&session->lock);
    bool is_watched = web_session_is_watched(session);
    if (web_clock_is_over(session)) {
        Side side = board_side(&session->game.board);
        web_clock_charge(session, -1);
        web_session_end(session, result_lost_by(side), reason_text(REASON_TIMEOUT));
        json_decref(web_session_changed(session));
    }
    if (!is_watched) {
        web_analysis_stop(session);
        web_scan_stop(session);
    }
    web_clock_run(session);
    web_turn_schedule(session);
    web_turn_report(session);
    web_turn_share(session);
    web_analysis_schedule(session);
    web_analysis_share(session);
}

void web_sessions_tick(WebSessions *sessions)
{
    WebSession *all[WEB_SESSIONS_MAX];
    unsigned count = 0;
    double now = clock_seconds();
    (void)pthread_mutex_lock(&sessions->lock);
    WebSession **oldest = find_oldest(sessions);
    WebSession *gone =
        *oldest != NULL && now - (*oldest)->used > kept_seconds && web_topic_listeners((*oldest)->topic) == 0
            ? take_off(sessions, oldest)
            : NULL;
    for (WebSession *session = sessions->first; session != NULL; session = session->next) {
        session->owners++;
        all[count++] = session;
    }
    (void)pthread_mutex_unlock(&sessions->lock);
    for (unsigned i = 0; i < count; i++) {
        tick(all[i]);
        web_session_release(all[i]);
    }
    if (gone != NULL)
        dismiss(gone);
}
