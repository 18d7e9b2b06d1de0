// Turns of agents in sessions, decided by the threads of the pool, one turn of a session at a time. An agent is opened
// for each turn, so that only searching agents use memory.
#include "web/session/session.h"

#include "base/clock.h"
#include "base/memory.h"
#include "match/referee.h"
#include "web/http/pool.h"

#include <stdlib.h>
#include <string.h>

struct WebTurn {
    WebSession *session; // held
    atomic_bool stop;
    atomic_uint depth;              // search depth in stones; 0: unknown
    atomic_ullong nodes;            // likewise
    double queued, began, reported; // clock_seconds, under the lock of the session; began 0: waiting
    Side side;
    uint64_t seed;
    Budget budget;
    char agent[WEB_AGENT_SIZE]; // as opened
    char name[WEB_AGENT_SIZE];  // as displayed
    Game game;
    Decision decision;
};

static void note_progress(void *context, const Decision *so_far)
{
    WebTurn *turn = context;
    atomic_store(&turn->depth, so_far->depth);
    atomic_store(&turn->nodes, so_far->nodes);
}

static Status decide(WebTurn *turn, double *seconds, Error *error)
{
    Agent agent;
    Status status =
        agent_open_with(&agent, span_of(turn->agent), &turn->game.board.rules, turn->session->context->host, error);
    if (status != STATUS_OK)
        return status;
    Rng rng = rng_make(turn->seed);
    AgentTask task = {
        .budget = turn->budget, .rng = &rng, .stop = &turn->stop, .progress = note_progress, .progress_context = turn};
    double begin = clock_seconds();
    agent_decide(&agent, &turn->game, &task, &turn->decision);
    *seconds = clock_seconds() - begin;
    Game trial;
    game_copy(&trial, &turn->game);
    if (referee_play(&trial, &turn->decision, error) != STATUS_OK) {
        error_prefix(error, "agent '%s': ", turn->agent);
        status = STATUS_FAILED;
    }
    agent_close(&agent);
    return status;
}

// Plays the turn; the session is locked and still waits for this turn.
static void finish(WebTurn *turn, Status status, double seconds, const Error *why)
{
    WebSession *session = turn->session;
    Error error = *why;
    session->turn = NULL;
    if (status == STATUS_OK)
        status =
            web_session_play(session, turn->decision.stones, turn->decision.count, (int64_t)(seconds * 1000), &error);
    if (status != STATUS_OK) {
        session->is_live = false;
        web_topic_send(session->topic, "problem", "problem", false, json_pack("{s:s}", "error", error.text));
    } else if (session->settings.clock.is_on && session->settings.clock.left[turn->side] < 0 &&
               !web_session_is_over(session))
        web_session_end(session, result_lost_by(turn->side), reason_text(REASON_TIMEOUT));
    json_decref(web_session_changed(session));
}

static void run(void *context)
{
    WebTurn *turn = context;
    WebSession *session = turn->session;
    Error error = {0};
    double seconds = 0;
    Status status = STATUS_INTERRUPTED;
    (void)pthread_mutex_lock(&session->lock);
    bool is_wanted = session->turn == turn;
    turn->began = clock_seconds();
    (void)pthread_mutex_unlock(&session->lock);
    if (is_wanted)
        status = decide(turn, &seconds, &error);
    (void)pthread_mutex_lock(&session->lock);
    if (session->turn == turn)
        finish(turn, status, seconds, &error);
    web_session_leave(session);
    free(turn);
}

static bool is_to_move(WebSession *session)
{
    return session->is_live && session->turn == NULL && !session->is_gone && !web_session_is_over(session) &&
           session->settings.players[board_side(&session->game.board)].kind != WEB_PERSON &&
           web_session_is_watched(session);
}

static Budget budget_of(const WebSession *session)
{
    Budget budget = {.seconds = session->settings.seconds};
    if (!session->settings.clock.is_on)
        return budget;
    for (int side = 0; side < 2; side++)
        budget.clock[side] = (double)session->settings.clock.left[side] / 1000;
    budget.increment = (double)session->settings.clock.increment / 1000;
    return budget;
}

void web_turn_schedule(WebSession *session)
{
    if (!is_to_move(session))
        return;
    WebTurn *turn = memory_new(1, sizeof *turn);
    turn->session = web_session_hold(session);
    turn->queued = clock_seconds();
    turn->side = board_side(&session->game.board);
    turn->budget = budget_of(session);
    turn->seed = rng_derive(session->seed, session->version);
    const WebPlayer *player = &session->settings.players[turn->side];
    memcpy(turn->agent, player->agent, sizeof turn->agent);
    if (player->kind == WEB_LEVEL)
        (void)snprintf(turn->name, sizeof turn->name, "Level %u", player->level);
    else
        memcpy(turn->name, player->given, sizeof turn->name);
    game_copy(&turn->game, &session->game);
    session->turn = turn;
    if (web_pool_add(session->context->pool, WEB_LANE_TURNS, (WebJob){run, turn, 0}))
        return;
    // The pool is full: the next tick tries again.
    session->turn = NULL;
    web_session_release(session);
    free(turn);
}

void web_turn_stop(WebSession *session)
{
    if (session->turn != NULL)
        atomic_store(&session->turn->stop, true);
    session->turn = NULL;
}

void web_turn_share(WebSession *session)
{
    static const double shared = 1; // seconds
    WebTurn *turn = session->turn;
    if (turn != NULL && turn->began > 0 && clock_seconds() - turn->began > shared &&
        web_pool_waiting(session->context->pool, WEB_LANE_TURNS) > 0)
        atomic_store(&turn->stop, true);
}

static int64_t thought_ms(const WebTurn *turn)
{
    return turn->began > 0 ? (int64_t)((clock_seconds() - turn->began) * 1000) : 0;
}

void web_turn_report(WebSession *session)
{
    static const double pause = 0.2;
    WebTurn *turn = session->turn;
    double now = clock_seconds();
    if (turn == NULL || now - turn->reported < pause || web_topic_listeners(session->topic) == 0)
        return;
    turn->reported = now;
    web_topic_send(session->topic, "thinking", "thinking", false,
                   json_pack("{s:s, s:s, s:I, s:b, s:I, s:I}", "side", side_name(turn->side), "agent", turn->name, "ms",
                             (json_int_t)thought_ms(turn), "waiting", turn->began <= 0, "depth",
                             (json_int_t)atomic_load(&turn->depth), "nodes", (json_int_t)atomic_load(&turn->nodes)));
}

json_t *web_turn_json(const WebSession *session)
{
    const WebTurn *turn = session->turn;
    if (turn == NULL)
        return json_null();
    return json_pack("{s:s, s:s, s:I, s:b}", "side", side_name(turn->side), "agent", turn->name, "since_ms",
                     (json_int_t)thought_ms(turn), "waiting", turn->began <= 0);
}
