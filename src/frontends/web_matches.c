#include "frontends/web_matches_internal.h"

#include "base/clock.h"
#include "base/condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    REFRESH_TICKS = 4, // between two looks at a match that somebody else plays
    NICENESS = 10,     // people who play come first
};

static const double tick_seconds = 0.5; // between two messages to those who listen

// --- Contests ---

Contest *contest_make(WebMatches *matches, Error *error)
{
    Contest *contest = calloc(1, sizeof *contest);
    if (contest == NULL || web_topic_open(&contest->topic, error) != STATUS_OK) {
        free(contest);
        (void)error_set(error, STATUS_NO_MEMORY, "no memory for a match");
        return NULL;
    }
    contest->matches = matches;
    atomic_init(&contest->stop, false);
    (void)pthread_mutex_init(&contest->lock, NULL);
    return contest;
}

void contest_free(Contest *contest)
{
    if (contest == NULL)
        return;
    assert(!contest->has_thread);
    lab_close(&contest->lab);
    results_close(&contest->shown);
    web_topic_release(contest->topic);
    (void)pthread_mutex_destroy(&contest->lock);
    free(contest);
}

static bool is_playing(Contest *contest)
{
    (void)pthread_mutex_lock(&contest->lock);
    bool is = contest->is_playing;
    (void)pthread_mutex_unlock(&contest->lock);
    return is;
}

static ContestState state_of(Contest *contest)
{
    (void)pthread_mutex_lock(&contest->lock);
    ContestState state = contest->state;
    (void)pthread_mutex_unlock(&contest->lock);
    return state;
}

// --- The list ---

// Those that nobody looks at and that are not played go first, the oldest of them. With the lock of the list.
static Contest *take_spare(WebMatches *matches)
{
    Contest **spare = NULL;
    unsigned count = 0;
    for (Contest **at = &matches->list; *at != NULL; at = &(*at)->next) {
        Contest *contest = *at;
        count++;
        // Without a database a match is nowhere else.
        bool is_kept = contest->has_lab && contest->lab.db == NULL && count <= CONTEST_KEPT_MAX / 2;
        if (contest->holders == 0 && !is_kept && !is_playing(contest) && web_topic_listeners(contest->topic) == 0)
            spare = at;
    }
    if (count <= CONTEST_KEPT_MAX || spare == NULL)
        return NULL;
    Contest *contest = *spare;
    *spare = contest->next;
    return contest;
}

static void join(Contest *contest)
{
    if (contest->has_thread)
        (void)pthread_join(contest->thread, NULL);
    contest->has_thread = false;
}

static void free_spare(WebMatches *matches)
{
    for (;;) {
        (void)pthread_mutex_lock(&matches->lock);
        Contest *spare = take_spare(matches);
        (void)pthread_mutex_unlock(&matches->lock);
        if (spare == NULL)
            return;
        join(spare);
        contest_free(spare);
    }
}

void contest_drop(Contest *contest)
{
    if (contest == NULL)
        return;
    WebMatches *matches = contest->matches;
    (void)pthread_mutex_lock(&matches->lock);
    bool is_listed = false;
    for (Contest *at = matches->list; at != NULL; at = at->next)
        is_listed = is_listed || at == contest;
    bool is_last = --contest->holders == 0 && !is_listed;
    (void)pthread_mutex_unlock(&matches->lock);
    if (is_last) { // another one has taken its place
        join(contest);
        contest_free(contest);
    }
}

// With the lock of the list.
static Contest *hold_listed(WebMatches *matches, int64_t id)
{
    Contest *contest = matches->list;
    while (contest != NULL && contest->id != id)
        contest = contest->next;
    if (contest != NULL)
        contest->holders++;
    return contest;
}

static void enlist(WebMatches *matches, Contest *contest)
{
    Contest **at = &matches->list;
    while (*at != NULL && (*at)->id > contest->id)
        at = &(*at)->next;
    contest->next = *at;
    contest->holders++;
    *at = contest;
}

Status contest_find(WebMatches *matches, int64_t id, Contest **result, Error *error)
{
    (void)pthread_mutex_lock(&matches->lock);
    Contest *contest = hold_listed(matches, id);
    (void)pthread_mutex_unlock(&matches->lock);
    Status status = STATUS_OK;
    if (contest == NULL) {
        Contest *read = NULL;
        status = contest_from_store(matches, id, &read, error);
        (void)pthread_mutex_lock(&matches->lock);
        contest = read != NULL ? hold_listed(matches, id) : NULL; // somebody may have been faster
        if (read != NULL && contest == NULL) {
            enlist(matches, read);
            contest = read;
            read = NULL;
        }
        (void)pthread_mutex_unlock(&matches->lock);
        contest_free(read);
        free_spare(matches);
    } else if (!contest->has_lab && contest_has_database(matches)) {
        status = contest_refresh(contest, error);
    }
    if (status != STATUS_OK) {
        contest_drop(contest);
        contest = NULL;
    }
    *result = contest;
    return status;
}

void contest_each(WebMatches *matches, void (*visit)(void *context, const Contest *contest), void *context)
{
    (void)pthread_mutex_lock(&matches->lock);
    for (Contest *contest = matches->list; contest != NULL; contest = contest->next) {
        (void)pthread_mutex_lock(&contest->lock);
        visit(context, contest);
        (void)pthread_mutex_unlock(&contest->lock);
    }
    (void)pthread_mutex_unlock(&matches->lock);
}

// --- Those who listen ---

// With the lock of the contest, so that an older message never comes after a newer one.
static void send_changes(Contest *contest, bool all)
{
    if (all || contest->is_changed)
        web_topic_send(contest->topic, "match", "match", true, contest_json(contest, false));
    for (unsigned slot = 0; slot < contest->jobs; slot++) {
        ContestBoard *board = &contest->boards[slot];
        char key[24];
        (void)snprintf(key, sizeof key, "board %u", slot);
        if (!board->is_used)
            web_topic_forget(contest->topic, key);
        else if (all || board->is_changed)
            web_topic_send(contest->topic, "board", key, true, contest_board_json(contest, slot));
        board->is_changed = false;
    }
    contest->is_changed = false;
}

void contest_send(Contest *contest)
{
    (void)pthread_mutex_lock(&contest->lock);
    send_changes(contest, true);
    (void)pthread_mutex_unlock(&contest->lock);
}

static void tick(Contest *contest, bool refreshes)
{
    if (web_topic_listeners(contest->topic) == 0)
        return;
    if (refreshes && !contest->has_lab && contest_has_database(contest->matches))
        (void)contest_refresh(contest, NULL);
    (void)pthread_mutex_lock(&contest->lock);
    send_changes(contest, false);
    (void)pthread_mutex_unlock(&contest->lock);
}

// All matches, held, so that the list need not be locked while they are looked at.
static unsigned hold_all(WebMatches *matches, Contest *held[2 * CONTEST_KEPT_MAX])
{
    unsigned count = 0;
    for (Contest *at = matches->list; at != NULL && count < 2 * CONTEST_KEPT_MAX; at = at->next) {
        at->holders++;
        held[count++] = at;
    }
    return count;
}

static void *run_ticker(void *context)
{
    WebMatches *matches = context;
    Contest *held[2 * CONTEST_KEPT_MAX];
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
            contest_drop(held[i]);
        }
    }
}

// --- Playing ---

static void finish(Contest *contest, Status status, const Error *error)
{
    if (status == STATUS_OK) {
        contest->state = CONTEST_DONE;
        contest->finished = clock_unix_ms();
    } else if (status != STATUS_INTERRUPTED) {
        contest->state = CONTEST_FAILED;
        (void)snprintf(contest->error, sizeof contest->error, "%s", error->text);
    } else if (contest->state == CONTEST_CANCELLED) {
        contest->finished = clock_unix_ms();
    } else {
        contest->state = CONTEST_PAUSED;
    }
    contest->is_playing = false;
    contest->is_changed = true;
    for (unsigned slot = 0; slot < CONTEST_JOBS_MAX; slot++)
        contest->boards[slot].is_used = false;
}

static void *play(void *context)
{
    Contest *contest = context;
    WebMatches *matches = contest->matches;
    Error error = {0};
    // On Linux a thread has a niceness of its own, and those that it starts have the same.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
    Status status = lab_run(&contest->lab, &error);
    (void)pthread_mutex_lock(&contest->lock);
    finish(contest, status, &error);
    bool is_cancelled = contest->state == CONTEST_CANCELLED;
    (void)pthread_mutex_unlock(&contest->lock);
    // Those that were cancelled do not wait to be resumed. If that cannot be written they do, which harms nobody.
    if (is_cancelled && contest->lab.db != NULL)
        (void)database_finish_match(contest->lab.db, contest->id, clock_unix_ms(), NULL);
    contest_send(contest);
    (void)pthread_mutex_lock(&matches->lock);
    (void)pthread_cond_broadcast(&matches->changed);
    (void)pthread_mutex_unlock(&matches->lock);
    return NULL;
}

// The contest is ready, and no thread is at work on it.
static Status start(Contest *contest, Error *error)
{
    join(contest);
    (void)pthread_mutex_lock(&contest->lock);
    atomic_store(&contest->stop, atomic_load(&contest->matches->context->stop));
    contest->state = CONTEST_RUNNING;
    contest->is_playing = contest->is_changed = true;
    contest->error[0] = '\0';
    contest->begun = clock_seconds();
    contest->before = contest->shown.games;
    bool started = pthread_create(&contest->thread, NULL, play, contest) == 0;
    contest->has_thread = started;
    if (!started) {
        contest->state = CONTEST_PAUSED;
        contest->is_playing = false;
    }
    (void)pthread_mutex_unlock(&contest->lock);
    return started ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "no thread for a match");
}

Status contest_reserve(WebMatches *matches, WebReply *reply, Error *error)
{
    unsigned running = 0;
    (void)pthread_mutex_lock(&matches->lock);
    for (Contest *at = matches->list; at != NULL; at = at->next)
        running += state_of(at) == CONTEST_RUNNING;
    bool fits = running + matches->reserved < CONTEST_RUNNING_MAX && !matches->ends;
    matches->reserved += fits;
    (void)pthread_mutex_unlock(&matches->lock);
    return fits ? STATUS_OK
                : web_fail(reply, 429, NULL, error, "%d matches are running. Pause one, or wait for its end.",
                           CONTEST_RUNNING_MAX);
}

void contest_give_back(WebMatches *matches)
{
    (void)pthread_mutex_lock(&matches->lock);
    matches->reserved--;
    (void)pthread_mutex_unlock(&matches->lock);
}

Status contest_enter(WebMatches *matches, Contest *contest, Error *error)
{
    (void)pthread_mutex_lock(&matches->lock);
    if (contest->id == 0)
        contest->id = ++matches->next;
    enlist(matches, contest);
    (void)pthread_mutex_unlock(&matches->lock);
    free_spare(matches);
    (void)pthread_mutex_lock(&matches->acts);
    Status status = start(contest, error);
    (void)pthread_mutex_unlock(&matches->acts);
    return status;
}

// --- Going on, pausing, ending ---

static Status refuse(const Contest *contest, ContestState state, const char *what, WebReply *reply, Error *error)
{
    (void)contest;
    if (state == CONTEST_ELSEWHERE)
        return web_fail(reply, 409, NULL, error,
                        "It was begun by another krow, which may be playing it now; krow match --resume goes on.");
    return web_fail(reply, 409, NULL, error, "The match is %s: it cannot be %s.", contest_state_name(state), what);
}

// Puts `fresh` in the place of `old`, held instead of it.
static void replace(Contest *old, Contest *fresh)
{
    WebMatches *matches = old->matches;
    (void)pthread_mutex_lock(&matches->lock);
    for (Contest **at = &matches->list; *at != NULL; at = &(*at)->next)
        if (*at == old) {
            *at = old->next;
            break;
        }
    enlist(matches, fresh);
    (void)pthread_mutex_unlock(&matches->lock);
    contest_drop(old);
}

// With `acts`.
static Status go(Contest **contest, WebReply *reply, Error *error)
{
    ContestState state = state_of(*contest);
    if (state != CONTEST_PAUSED && state != CONTEST_FAILED)
        return refuse(*contest, state, "resumed", reply, error);
    if (!(*contest)->has_lab) {
        Contest *fresh = NULL;
        Status status = contest_revive(*contest, &fresh, reply, error);
        if (status != STATUS_OK)
            return status;
        replace(*contest, fresh);
        *contest = fresh;
    }
    return start(*contest, error);
}

Status contest_go(Contest **contest, WebReply *reply, Error *error)
{
    WebMatches *matches = (*contest)->matches;
    Status status = contest_reserve(matches, reply, error);
    if (status != STATUS_OK)
        return status;
    (void)pthread_mutex_lock(&matches->acts);
    status = go(contest, reply, error);
    (void)pthread_mutex_unlock(&matches->acts);
    contest_give_back(matches);
    if (status == STATUS_OK)
        contest_send(*contest);
    return status;
}

Status contest_pause(Contest *contest, WebReply *reply, Error *error)
{
    (void)pthread_mutex_lock(&contest->matches->acts);
    (void)pthread_mutex_lock(&contest->lock);
    ContestState state = contest->state;
    if (state == CONTEST_RUNNING) {
        contest->state = CONTEST_PAUSED;
        contest->is_changed = true;
        atomic_store(&contest->stop, true);
    }
    (void)pthread_mutex_unlock(&contest->lock);
    (void)pthread_mutex_unlock(&contest->matches->acts);
    if (state != CONTEST_RUNNING)
        return refuse(contest, state, "paused", reply, error);
    contest_send(contest);
    return STATUS_OK;
}

// A match that nobody plays is marked as ended in the database.
static Status end_stored(const Contest *contest, Error *error)
{
    Database *db = NULL;
    if (!contest_has_database(contest->matches))
        return STATUS_OK;
    Status status = database_open(contest->matches->context->db, &db, error);
    if (status == STATUS_OK)
        status = database_finish_match(db, contest->id, clock_unix_ms(), error);
    database_close(db);
    return status;
}

Status contest_cancel(Contest *contest, WebReply *reply, Error *error)
{
    Status status = STATUS_OK;
    (void)pthread_mutex_lock(&contest->matches->acts);
    (void)pthread_mutex_lock(&contest->lock);
    ContestState state = contest->state;
    bool may = state == CONTEST_RUNNING || state == CONTEST_PAUSED || state == CONTEST_FAILED;
    bool plays = contest->is_playing;
    if (may) {
        contest->state = CONTEST_CANCELLED;
        contest->is_changed = true;
        atomic_store(&contest->stop, true);
    }
    (void)pthread_mutex_unlock(&contest->lock);
    if (may && !plays)
        status = end_stored(contest, error);
    if (may && !plays && status == STATUS_OK) {
        (void)pthread_mutex_lock(&contest->lock);
        contest->finished = clock_unix_ms();
        (void)pthread_mutex_unlock(&contest->lock);
    }
    (void)pthread_mutex_unlock(&contest->matches->acts);
    if (!may)
        return refuse(contest, state, "cancelled", reply, error);
    contest_send(contest);
    return status;
}

// --- Opening and closing ---

Status web_matches_open(WebMatches **result, WebContext *context, Error *error)
{
    WebMatches *matches = calloc(1, sizeof *matches);
    *result = NULL;
    if (matches == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for matches");
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
    return error_set(error, STATUS_NO_MEMORY, "no thread for matches");
}

void web_matches_wait(WebMatches *matches)
{
    (void)pthread_mutex_lock(&matches->lock);
    for (;;) {
        bool plays = false;
        for (Contest *at = matches->list; at != NULL; at = at->next)
            plays = plays || is_playing(at);
        if (!plays)
            break;
        (void)pthread_cond_wait(&matches->changed, &matches->lock);
    }
    (void)pthread_mutex_unlock(&matches->lock);
}

void web_matches_close(WebMatches *matches)
{
    if (matches == NULL)
        return;
    (void)pthread_mutex_lock(&matches->lock);
    matches->ends = true;
    for (Contest *at = matches->list; at != NULL; at = at->next)
        atomic_store(&at->stop, true);
    (void)pthread_cond_broadcast(&matches->changed);
    (void)pthread_mutex_unlock(&matches->lock);
    if (matches->has_ticker)
        (void)pthread_join(matches->ticker, NULL);
    while (matches->list != NULL) {
        Contest *contest = matches->list;
        matches->list = contest->next;
        join(contest);
        contest_free(contest);
    }
    (void)pthread_cond_destroy(&matches->changed);
    (void)pthread_mutex_destroy(&matches->lock);
    (void)pthread_mutex_destroy(&matches->acts);
    free(matches);
}
