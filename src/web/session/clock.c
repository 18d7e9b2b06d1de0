// Clocks of a session. A person's clock runs while the game is open in a browser, so that a lost connection does not
// lose the game. An agent is charged with its search time, not with waiting for a thread.
#include "web/session/session.h"

#include "base/clock.h"

static const double grace = 10; // seconds after the last request of a client without an event stream

static int64_t used_ms(const WebSession *session)
{
    return session->settings.clock.since > 0 ? (int64_t)((clock_seconds() - session->settings.clock.since) * 1000) : 0;
}

static void keep(WebSession *session)
{
    for (int side = 0; side < 2; side++)
        session->tree.nodes[session->current].clock[side] = session->settings.clock.left[side];
}

void web_clock_start(WebSession *session)
{
    session->settings.clock.left[0] = session->settings.clock.left[1] = session->settings.clock.initial;
    session->settings.clock.since = 0;
    keep(session);
}

void web_clock_restore(WebSession *session)
{
    for (int side = 0; side < 2; side++)
        session->settings.clock.left[side] = session->tree.nodes[session->current].clock[side];
    session->settings.clock.since = 0;
}

void web_clock_charge(WebSession *session, int64_t ms)
{
    WebClock *clock = &session->settings.clock;
    if (!clock->is_on)
        return;
    clock->left[board_side(&session->game.board)] -= ms >= 0 ? ms : used_ms(session);
    clock->since = 0;
    keep(session);
}

void web_clock_run(WebSession *session)
{
    WebClock *clock = &session->settings.clock;
    bool is_watched = web_topic_listeners(session->topic) > 0 || clock_seconds() - session->asked < grace;
    bool runs = clock->is_on && session->is_live && !web_session_is_over(session) &&
                session->settings.players[board_side(&session->game.board)].kind == WEB_PERSON && is_watched;
    if (runs && clock->since <= 0)
        clock->since = clock_seconds();
    else if (!runs && clock->since > 0)
        web_clock_charge(session, -1);
}

static int64_t clock_left(const WebSession *session, Side side)
{
    bool is_running = side == board_side(&session->game.board);
    int64_t left = session->settings.clock.left[side] - (is_running ? used_ms(session) : 0);
    return left > 0 ? left : 0;
}

bool web_clock_is_over(const WebSession *session)
{
    return session->settings.clock.is_on && session->settings.clock.since > 0 && !web_session_is_over(session) &&
           clock_left(session, board_side(&session->game.board)) == 0;
}

json_t *web_clock_json(const WebSession *session)
{
    const WebClock *clock = &session->settings.clock;
    if (!clock->is_on)
        return json_null();
    bool runs = clock->since > 0 || session->turn != NULL;
    return json_pack("{s:I, s:I, s:I, s:s?, s:{s:I, s:I}}", "first", (json_int_t)clock_left(session, SIDE_FIRST),
                     "second", (json_int_t)clock_left(session, SIDE_SECOND), "increment", (json_int_t)clock->increment,
                     "running", runs ? side_name(board_side(&session->game.board)) : NULL, "given", "seconds",
                     (json_int_t)(clock->initial / 1000), "increment", (json_int_t)(clock->increment / 1000));
}
