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
static Status read_position(WebFields *fields, const Rules *rules, Board *root, Game *game)
{
    const char *moves = web_field_text(fields, "moves", MOVES_MAX), *board = web_field_text(fields, "board", BOARD_MAX);
    if (fields->status != STATUS_OK)
        return fields->status;
    const char *wrong = "board";
    Status status = STATUS_OK;
    if (board != NULL)
        status = diagram_read(span_of(board), rules, game, fields->error);
    else
        game_init(game, rules);
    if (status == STATUS_OK) {
        board_copy(root, &game->board);
        wrong = "moves";
        status = moves != NULL ? game_read(game, span_of(moves), fields->error) : STATUS_OK;
    }
    if (status != STATUS_OK)
        (void)snprintf(fields->reply->field, sizeof fields->reply->field, "%s", wrong);
    return status;
}

static Status replay(WebSession *session, const Game *game, Error *error)
{
    Status status = web_session_play(session, game->stones, game->played, -1, error);
    web_clock_start(session);
    return status;
}

static Status fill(WebSession *session, WebFields *fields)
{
    Rules rules;
    Board root;
    Game game;
    WebSettings settings = web_settings_of(session);
    const char *text = web_field_text(fields, "game", 200);
    web_field_need(fields, "game");
    if (fields->status != STATUS_OK)
        return fields->status;
    Status status = web_rules_read(text, &rules, fields->reply, fields->error);
    if (status == STATUS_OK)
        status = read_position(fields, &rules, &root, &game);
    if (status == STATUS_OK)
        status = web_settings_read(fields, &rules, &settings);
    if (status != STATUS_OK)
        return status;
    web_settings_use(&settings, session);
    session->is_live = true;
    web_session_start(session, &root);
    return replay(session, &game, fields->error);
}

// A game of the database. The rules come from it; players and times as asked.
static Status fill_from(WebSession *session, WebFields *fields, const json_t *from)
{
    WebFields place = web_fields(from, "game_id", fields->reply, fields->error);
    int64_t id = web_field_int(&place, "game_id", 1, INT64_MAX, 0);
    web_field_need(&place, "game_id");
    if (place.status != STATUS_OK)
        return place.status;
    GameRecord record = {0};
    Status status = web_library_record(session->context, id, &record, fields->error);
    if (status == STATUS_BAD_INPUT) {
        fields->reply->status = 404;
        (void)snprintf(fields->reply->field, sizeof fields->reply->field, "game_id");
    }
    WebSettings settings = web_settings_of(session);
    if (status == STATUS_OK)
        status = web_settings_read(fields, &record.rules, &settings);
    if (status == STATUS_OK) {
        web_settings_use(&settings, session);
        status = web_files_open(session, &record, fields->error);
    }
    record_close(&record);
    return status;
}

Status web_play_create(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebFields fields = web_fields(request->body, "game moves board sides time clock from", reply, error);
    const json_t *from = web_field_object(&fields, "from");
    if (fields.status != STATUS_OK)
        return fields.status;
    WebSession *session = NULL;
    Status status = web_sessions_add(context->sessions, context, &session, error);
    if (status != STATUS_OK)
        return status;
    char id[WEB_ID_SIZE];
    memcpy(id, session->id, sizeof id);
    (void)pthread_mutex_lock(&session->lock);
    status = from != NULL ? fill_from(session, &fields, from) : fill(session, &fields);
    if (status == STATUS_OK) {
        reply->json = web_session_changed(session);
        reply->status = 201;
    }
    web_session_leave(session);
    if (status != STATUS_OK)
        (void)web_sessions_remove(context->sessions, id);
    return status;
}

Status web_play_get(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebSession *session = web_play_enter(context, request, reply, error);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    reply->json = web_session_json(session);
    web_session_leave(session);
    return STATUS_OK;
}

Status web_play_delete(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    if (!web_sessions_remove(context->sessions, request->parameter[0]))
        return web_fail(reply, 404, "id", error, "there is no such game here any more");
    reply->status = 204;
    return STATUS_OK;
}

// Those who come later begin with the state as it is now, its clocks too.
Status web_play_events(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebSession *session = web_play_enter(context, request, reply, error);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    web_topic_send(session->topic, "state", "state", true, web_session_json(session));
    reply->topic = web_topic_hold(session->topic);
    web_session_leave(session);
    return STATUS_OK;
}
