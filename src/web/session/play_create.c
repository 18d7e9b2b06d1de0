// Sessions are created, read, followed and deleted.
#include "web/session/play.h"

#include "game/diagram.h"
#include "game/notation.h"
#include "web/lab/library.h"
#include "web/session/files.h"
#include "web/session/rules.h"
#include "web/session/settings.h"

#include <string.h>

enum { MOVES_MAX = 40000, BOARD_MAX = 20000 }; // bytes

// The position a game begins with, and the stones after it.
static Status read_position(WebCall *call, const Rules *rules, Board *root, Game *game)
{
    const char *moves = web_field_text(call, "moves", MOVES_MAX), *board = web_field_text(call, "board", BOARD_MAX);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    const char *wrong = "board";
    Status status = STATUS_OK;
    if (board != NULL)
        status = diagram_read(span_of(board), rules, game, call->error);
    else
        game_init(game, rules);
    if (status == STATUS_OK) {
        board_copy(root, &game->board);
        wrong = "moves";
        status = moves != NULL ? game_read(game, span_of(moves), call->error) : STATUS_OK;
    }
    return web_blame(call, wrong, status);
}

static Status replay(WebSession *session, const Game *game, Error *error)
{
    Status status = web_session_play(session, game->stones, game->played, -1, error);
    web_clock_start(session);
    return status;
}

static Status fill(WebSession *session, WebCall *call)
{
    Rules rules;
    Board root;
    Game game;
    WebSettings settings = web_settings_of(session);
    const char *text = web_field_text(call, "game", 200);
    web_field_need(call, "game");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Status status = web_rules_read(call, text, &rules);
    if (status == STATUS_OK)
        status = read_position(call, &rules, &root, &game);
    if (status == STATUS_OK)
        status = web_settings_read(call, &rules, &settings);
    if (status != STATUS_OK)
        return status;
    web_settings_use(&settings, session);
    session->is_live = true;
    web_session_start(session, &root);
    return replay(session, &game, call->error);
}

// A game of the database. The rules come from it; players and times as asked.
static Status fill_from(WebSession *session, WebCall *call, const json_t *from)
{
    WebCall place = web_inner(call, from, "game_id");
    int64_t id = web_field_int(&place, "game_id", 1, INT64_MAX, 0);
    web_field_need(&place, "game_id");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    GameRecord record = {0};
    Status status = web_library_record(session->context, id, &record, call->error);
    if (status == STATUS_BAD_INPUT)
        status = web_fail(call, 404, "game_id", "%s", call->error->text);
    WebSettings settings = web_settings_of(session);
    if (status == STATUS_OK)
        status = web_settings_read(call, &record.rules, &settings);
    if (status == STATUS_OK) {
        web_settings_use(&settings, session);
        status = web_files_open(session, &record, call->error);
    }
    record_close(&record);
    return status;
}

Status web_play_create(WebCall *call)
{
    const json_t *from = web_field_object(call, "from");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    WebSession *session = NULL;
    Status status = web_sessions_add(call->context->sessions, call->context, &session, call->error);
    if (status != STATUS_OK)
        return status;
    char id[WEB_ID_SIZE];
    memcpy(id, session->id, sizeof id);
    (void)pthread_mutex_lock(&session->lock);
    status = from != NULL ? fill_from(session, call, from) : fill(session, call);
    if (status == STATUS_OK) {
        call->reply->json = web_session_changed(session);
        call->reply->status = 201;
    }
    web_session_leave(session);
    if (status != STATUS_OK)
        (void)web_sessions_remove(call->context->sessions, id);
    return status;
}

Status web_play_get(WebCall *call)
{
    WebSession *session = web_play_enter(call);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    call->reply->json = web_session_json(session);
    web_session_leave(session);
    return STATUS_OK;
}

Status web_play_delete(WebCall *call)
{
    if (!web_sessions_remove(call->context->sessions, call->request->parameter[0]))
        return web_fail(call, 404, "id", "there is no such game here any more");
    call->reply->status = 204;
    return STATUS_OK;
}

// Those who come later begin with the state as it is now, its clocks too.
Status web_play_events(WebCall *call)
{
    WebSession *session = web_play_enter(call);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    web_topic_send(session->topic, "state", "state", true, web_session_json(session));
    call->reply->topic = web_topic_hold(session->topic);
    web_session_leave(session);
    return STATUS_OK;
}
