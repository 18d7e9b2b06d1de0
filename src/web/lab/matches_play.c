// Plays matches: a thread for each, which people resume, pause and cancel.
#include "web/lab/matches_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NICENESS = 10 }; // users who play have priority

// --- Playing ---

static void finish(WebMatch *web_match, Status status, const Error *error)
{
    if (status == STATUS_OK) {
        web_match->state = CONTEST_DONE;
        web_match->finished = clock_unix_ms();
    } else if (status != STATUS_INTERRUPTED) {
        web_match->state = CONTEST_FAILED;
        (void)snprintf(web_match->error, sizeof web_match->error, "%s", error->text);
    } else if (web_match->state == CONTEST_CANCELLED) {
        web_match->finished = clock_unix_ms();
    } else {
        web_match->state = CONTEST_PAUSED;
    }
    web_match->is_playing = false;
    web_match->is_changed = true;
    for (unsigned slot = 0; slot < CONTEST_JOBS_MAX; slot++)
        web_match->boards[slot].is_used = false;
}

static void *play(void *context)
{
    WebMatch *web_match = context;
    WebMatches *matches = web_match->matches;
    Error error = {0};
    // On Linux each thread has its own niceness, inherited by the threads it starts.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
    Status status = match_run_play(&web_match->run, &error);
    (void)pthread_mutex_lock(&web_match->lock);
    finish(web_match, status, &error);
    bool is_cancelled = web_match->state == CONTEST_CANCELLED;
    (void)pthread_mutex_unlock(&web_match->lock);
    // A cancelled match cannot be resumed. A failure to store this does no harm.
    if (is_cancelled && web_match->run.db != NULL)
        (void)database_finish_match(web_match->run.db, web_match->id, clock_unix_ms(), NULL);
    web_match_send(web_match);
    (void)pthread_mutex_lock(&matches->lock);
    (void)pthread_cond_broadcast(&matches->changed);
    (void)pthread_mutex_unlock(&matches->lock);
    return NULL;
}

// The web_match is ready, and no thread is at work on it.
static Status start(WebMatch *web_match, Error *error)
{
    web_match_join(web_match);
    (void)pthread_mutex_lock(&web_match->lock);
    atomic_store(&web_match->stop, atomic_load(&web_match->matches->context->stop));
    web_match->state = CONTEST_RUNNING;
    web_match->is_playing = web_match->is_changed = true;
    web_match->error[0] = '\0';
    web_match->begun = clock_seconds();
    web_match->before = web_match->shown.games;
    bool started = pthread_create(&web_match->thread, NULL, play, web_match) == 0;
    web_match->has_thread = started;
    if (!started) {
        web_match->state = CONTEST_PAUSED;
        web_match->is_playing = false;
    }
    (void)pthread_mutex_unlock(&web_match->lock);
    return started ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "cannot start a thread for the match");
}

Status web_match_reserve(WebMatches *matches, WebCall *call)
{
    unsigned running = 0;
    (void)pthread_mutex_lock(&matches->lock);
    for (WebMatch *at = matches->list; at != NULL; at = at->next)
        running += web_match_state(at) == CONTEST_RUNNING;
    bool fits = running + matches->reserved < CONTEST_RUNNING_MAX && !matches->ends;
    matches->reserved += fits;
    (void)pthread_mutex_unlock(&matches->lock);
    return fits ? STATUS_OK
                : web_fail(call, 429, NULL, "%d matches are running. Pause one, or wait for its end.",
                           CONTEST_RUNNING_MAX);
}

void web_match_give_back(WebMatches *matches)
{
    WEB_LOCK(&matches->lock);
    matches->reserved--;
}

Status web_match_enter(WebMatches *matches, WebMatch *web_match, Error *error)
{
    (void)pthread_mutex_lock(&matches->lock);
    if (web_match->id == 0)
        web_match->id = ++matches->next;
    web_match_enlist(matches, web_match);
    (void)pthread_mutex_unlock(&matches->lock);
    web_match_free_spare(matches);
    (void)pthread_mutex_lock(&matches->acts);
    Status status = start(web_match, error);
    (void)pthread_mutex_unlock(&matches->acts);
    return status;
}

// --- Resuming, pausing, cancelling ---

static Status refuse(WebMatchState state, const char *what, WebCall *call)
{
    if (state == CONTEST_ELSEWHERE)
        return web_fail(
            call, 409, NULL,
            "Another krow has started this match and may be playing it now; krow match --resume continues it.");
    return web_fail(call, 409, NULL, "The match is %s: it cannot be %s.", web_match_state_name(state), what);
}

// Puts `fresh` in the place of `old`, held instead of it.
static void replace(WebMatch *old, WebMatch *fresh)
{
    WebMatches *matches = old->matches;
    (void)pthread_mutex_lock(&matches->lock);
    for (WebMatch **at = &matches->list; *at != NULL; at = &(*at)->next)
        if (*at == old) {
            *at = old->next;
            break;
        }
    web_match_enlist(matches, fresh);
    (void)pthread_mutex_unlock(&matches->lock);
    web_match_drop(old);
}

// With `acts`.
static Status go(WebMatch **web_match, WebCall *call)
{
    WebMatchState state = web_match_state(*web_match);
    if (state != CONTEST_PAUSED && state != CONTEST_FAILED)
        return refuse(state, "resumed", call);
    if (!(*web_match)->has_lab) {
        WebMatch *fresh = NULL;
        Status status = web_match_revive(*web_match, &fresh, call);
        if (status != STATUS_OK)
            return status;
        replace(*web_match, fresh);
        *web_match = fresh;
    }
    return start(*web_match, call->error);
}

Status web_match_go(WebMatch **web_match, WebCall *call)
{
    WebMatches *matches = (*web_match)->matches;
    Status status = web_match_reserve(matches, call);
    if (status != STATUS_OK)
        return status;
    (void)pthread_mutex_lock(&matches->acts);
    status = go(web_match, call);
    (void)pthread_mutex_unlock(&matches->acts);
    web_match_give_back(matches);
    if (status == STATUS_OK)
        web_match_send(*web_match);
    return status;
}

// Marks a match that is not played as ended in the database.
static Status end_stored(const WebMatch *web_match, Error *error)
{
    Database *db = NULL;
    if (database_is_none(web_match->matches->context->db))
        return STATUS_OK;
    Status status = database_open(web_match->matches->context->db, &db, error);
    if (status == STATUS_OK)
        status = database_finish_match(db, web_match->id, clock_unix_ms(), error);
    database_close(db);
    return status;
}

Status web_match_stop(WebMatch *web_match, WebMatchState next, WebCall *call)
{
    Status status = STATUS_OK;
    bool cancels = next == CONTEST_CANCELLED;
    (void)pthread_mutex_lock(&web_match->matches->acts);
    (void)pthread_mutex_lock(&web_match->lock);
    WebMatchState state = web_match->state;
    bool may = state == CONTEST_RUNNING || (cancels && (state == CONTEST_PAUSED || state == CONTEST_FAILED));
    bool ends = may && cancels && !web_match->is_playing;
    if (may) {
        web_match->state = next;
        web_match->is_changed = true;
        atomic_store(&web_match->stop, true);
    }
    (void)pthread_mutex_unlock(&web_match->lock);
    if (ends)
        status = end_stored(web_match, call->error);
    if (ends && status == STATUS_OK) {
        (void)pthread_mutex_lock(&web_match->lock);
        web_match->finished = clock_unix_ms();
        (void)pthread_mutex_unlock(&web_match->lock);
    }
    (void)pthread_mutex_unlock(&web_match->matches->acts);
    if (!may)
        return refuse(state, web_match_state_name(next), call);
    web_match_send(web_match);
    return status;
}
