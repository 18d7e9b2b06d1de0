// Saves the games of a session when they end. A game has a key: if it is taken back and ends again, or goes on in a new
// session after a restart of the server, it replaces the earlier one. The session is locked.
#include "web/session/session.h"

#include "base/clock.h"
#include "web/saves/saves.h"

#include <stdlib.h>
#include <string.h>

void web_save_begin(WebSession *session)
{
    session->save.number++;
    session->save.started = clock_unix_ms();
    session->save.id = 0;
    session->save.is_due = false;
}

static void key_of(const WebSession *session, char key[DATABASE_KEY_SIZE])
{
    (void)snprintf(key, DATABASE_KEY_SIZE, "%s-%u", session->save.base, session->save.number);
}

// Cuts a key into its base and number.
static bool take_key(WebSession *session, const char *key)
{
    const char *end = strrchr(key, '-');
    int64_t number = 0;
    if (end == NULL || end - key != WEB_ID_SIZE - 1 || !web_save_key_is_good(key) ||
        !span_to_int(span_of(end + 1), 1, INT32_MAX, &number))
        return false;
    (void)snprintf(session->save.base, sizeof session->save.base, "%.*s", WEB_ID_SIZE - 1, key);
    session->save.number = (unsigned)number;
    return true;
}

Status web_save_read(WebCall *call, WebSession *session)
{
    const char *text = web_field_text(call, "save", DATABASE_KEY_SIZE - 1);
    if (text == NULL)
        return call->error->status;
    bool is_new = strcmp(text, "new") == 0;
    memcpy(session->save.base, session->id, sizeof session->save.base);
    if (!is_new && !take_key(session, text))
        return web_fail(call, 400, "save", "'%.70s' is neither \"new\" nor the key of a game", text);
    session->save.is_on = true;
    // A game that goes on may have ended just before the server did.
    session->save.is_due = !is_new && web_session_is_over(session);
    return STATUS_OK;
}

static void name_player(const WebSession *session, Side side, char name[GAMEFILE_NAME_SIZE])
{
    const WebPlayer *players = session->settings.players;
    if (session->names[side][0] != '\0')
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "%s", session->names[side]);
    else if (players[side].kind == WEB_LEVEL)
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "Level %u", players[side].level);
    else if (players[side].kind == WEB_AGENT)
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "%s", players[side].given);
    else if (players[side_other(side)].kind == WEB_PERSON)
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "%s", web_side_name(&session->rules, side));
    else
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "You");
}

// Notes the number of the stored game, for links of the page. The thread of the saves calls it.
static void note_id(WebContext *context, const char *owner, int64_t id)
{
    char session_id[WEB_ID_SIZE];
    const char *end = strchr(owner, ' ');
    (void)snprintf(session_id, sizeof session_id, "%.*s", (int)(end - owner), owner);
    WebSession *session = web_session_enter(context->sessions, session_id);
    if (session == NULL)
        return;
    if (session->save.number == strtoul(end, NULL, 10) && session->save.id != id) {
        session->save.id = id;
        json_decref(web_session_changed(session));
    }
    web_session_leave(session);
}

void web_save_flush(WebSession *session)
{
    if (!session->save.is_due || !session->save.is_on)
        return;
    session->save.is_due = false;
    WebSave save = {.done = note_id, .started = session->save.started, .ended = clock_unix_ms()};
    Error error = {0};
    if (session->current == 0 || !web_saves_is_on(session->context->saves))
        return; // a game without stones
    if (web_files_record_here(session, &save.record, &error) == STATUS_OK && save.record.result != RESULT_NONE) {
        for (int side = 0; side < 2; side++)
            name_player(session, (Side)side, side == SIDE_FIRST ? save.record.first : save.record.second);
        web_save_date(save.ended, save.record.date, sizeof save.record.date);
        key_of(session, save.key);
        (void)snprintf(save.owner, sizeof save.owner, "%s %u", session->id, session->save.number);
        web_saves_put(session->context->saves, &save);
    }
    record_close(&save.record);
}

void web_save_review(WebSession *session)
{
    GameRecord record = {0};
    if (session->library == 0)
        return;
    if (web_files_record(session, &record, NULL) == STATUS_OK)
        web_saves_review(session->context->saves, session->library, &record);
    record_close(&record);
}

json_t *web_save_json(const WebSession *session)
{
    char key[DATABASE_KEY_SIZE];
    if (!session->save.is_on || !web_saves_is_on(session->context->saves))
        return json_null();
    key_of(session, key);
    return json_pack("{s:s, s:o}", "key", key, "game", web_number_json(session->save.id));
}
