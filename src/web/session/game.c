// The game of a session: stones, ends, and the sentence for screen readers. The session is locked.
#include "web/session/session.h"

#include "base/clock.h"
#include "game/notation.h"

#include <stdio.h>

static const double grace = 10; // seconds without a request until a page counts as closed

bool web_session_is_watched(WebSession *session)
{
    double now = clock_seconds();
    return web_topic_listeners(session->topic) > 0 || now - web_topic_left(session->topic) < grace ||
           now - session->asked < grace;
}

Result web_session_result(const WebSession *session)
{
    if (session->end_result != RESULT_NONE && session->end_node == session->current)
        return session->end_result;
    return result_of_board(&session->game.board);
}

static size_t say_last(const Game *game, char *text, size_t size)
{
    unsigned count = game_last_turn(game);
    if (count == 0)
        return 0;
    Side side = game_side_of(game, game->played - 1u);
    int length = snprintf(text, size, "%s played", web_side_name(&game->board.rules, side));
    for (unsigned i = 0; i < count && i < 8 && length >= 0; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(game->stones[game->played - count + i], name);
        length += snprintf(text + length, size - (size_t)length, "%s%s", i > 0 ? ", " : " ", name);
    }
    length += snprintf(text + length, size - (size_t)length, ". ");
    return (size_t)length;
}

void web_say(const Game *game, Result result, char said[WEB_SAID_SIZE])
{
    size_t length = say_last(game, said, WEB_SAID_SIZE), left = WEB_SAID_SIZE - length;
    const Board *board = &game->board;
    unsigned stones = board_stones_left(board);
    const char *mover = web_side_name(&board->rules, board_side(board));
    if (result == RESULT_DRAW)
        (void)snprintf(said + length, left, "The game is a draw.");
    else if (result != RESULT_NONE)
        (void)snprintf(said + length, left, "%s wins.",
                       web_side_name(&board->rules, result == RESULT_FIRST ? SIDE_FIRST : SIDE_SECOND));
    else if (game->played == 0 && board_count(board) == 0)
        (void)snprintf(said, left, "No stones yet. %s opens with %u stone%s.", mover, stones, stones == 1 ? "" : "s");
    else if (board->rules.p > 1)
        (void)snprintf(said + length, left, "%s to move, %u stone%s.", mover, stones, stones == 1 ? "" : "s");
    else
        (void)snprintf(said + length, left, "%s to move.", mover);
}

static void say(WebSession *session)
{
    web_say(&session->game, web_session_result(session), session->said);
}

bool web_session_is_over(const WebSession *session)
{
    return web_session_result(session) != RESULT_NONE;
}

void web_session_end(WebSession *session, Result result, const char *reason)
{
    session->end_node = session->current;
    session->end_result = result;
    (void)snprintf(session->end_reason, sizeof session->end_reason, "%s", reason);
    session->is_live = false;
    session->save.is_due = true;
    web_turn_stop(session);
    say(session);
}

// Stops searches of the previous position.
static void arrive(WebSession *session)
{
    web_turn_stop(session);
    web_analysis_stop(session);
    web_tree_game(&session->tree, session->current, &session->game);
    web_clock_restore(session);
    say(session);
}

static void begin(WebSession *session)
{
    session->rules = session->tree.root.rules;
    session->current = 0;
    session->end_result = RESULT_NONE;
    session->library = 0;
    web_save_begin(session);
    web_scan_stop(session);
    web_scan_forget(session);
    json_decref(session->scan.result);
    session->scan.result = NULL;
    arrive(session);
    web_clock_start(session);
}

void web_session_start(WebSession *session, const Board *root)
{
    WebTree tree;
    web_tree_open(&tree, root);
    session->names[0][0] = session->names[1][0] = '\0';
    web_session_replace(session, &tree);
}

void web_session_replace(WebSession *session, WebTree *tree)
{
    web_tree_close(&session->tree);
    session->tree = *tree;
    *tree = (WebTree){0};
    begin(session);
}

void web_session_goto(WebSession *session, WebNodeId id)
{
    session->current = id;
    web_tree_visit(&session->tree, id);
    arrive(session);
}

static Status add_stone(WebSession *session, Cell cell, int64_t ms, Error *error)
{
    Game *game = &session->game;
    Side side = board_side(&game->board);
    WebNodeId child = 0;
    Status status = web_tree_play(&session->tree, session->current, cell, &child, error);
    if (status != STATUS_OK)
        return status;
    web_clock_charge(session, ms);
    session->current = child;
    game_play(game, cell);
    if (session->settings.clock.is_on && board_side(&game->board) != side)
        session->settings.clock.left[side] += session->settings.clock.increment;
    WebNode *node = &session->tree.nodes[child];
    node->is_changed = true;
    node->ms = ms >= 0 && ms < INT32_MAX ? (int32_t)ms : -1;
    for (int i = 0; i < 2; i++)
        node->clock[i] = session->settings.clock.left[i];
    return STATUS_OK;
}

Status web_session_play(WebSession *session, const Cell *stones, unsigned count, int64_t ms, Error *error)
{
    web_turn_stop(session);
    web_analysis_stop(session);
    Status status = STATUS_OK;
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        Game trial;
        game_copy(&trial, &session->game);
        status = game_try(&trial, stones[i], error);
        // The time of a whole turn counts once.
        if (status == STATUS_OK)
            status = add_stone(session, stones[i], i == 0 || ms < 0 ? ms : 0, error);
    }
    web_tree_visit(&session->tree, session->current);
    session->save.is_due = web_session_is_over(session);
    say(session);
    return status;
}

typedef struct {
    char text[32];
} UpdateKey;

// Each update has its own key, so that none replaces another one.
static UpdateKey update_key(uint64_t version)
{
    UpdateKey key;
    (void)snprintf(key.text, sizeof key.text, "update %llu", (unsigned long long)version);
    return key;
}

static void forget_updates(WebSession *session)
{
    for (; session->updates > 0; session->updates--)
        web_topic_forget(session->topic, update_key(session->updated - session->updates + 1).text);
}

void web_session_offer(WebSession *session)
{
    forget_updates(session);
    web_topic_send_to(session->topic, WEB_TO_WHOLE, "state", "state", web_session_json(session));
}

json_t *web_session_changed(WebSession *session)
{
    session->version++;
    web_save_flush(session);
    web_clock_run(session);
    web_turn_schedule(session);
    web_analysis_schedule(session);
    if (session->tree.is_rebuilt) {
        forget_updates(session);
        web_tree_sent(&session->tree);
        json_t *state = web_session_json(session);
        web_topic_send(session->topic, "state", "state", true, json_incref(state));
        return state;
    }
    json_t *update = web_session_update_json(session);
    if (session->has_whole_listener || session->updates == WEB_UPDATES_MAX)
        web_session_offer(session);
    web_tree_sent(&session->tree);
    session->updates++;
    session->updated = session->version;
    web_topic_send_to(session->topic, WEB_TO_UPDATES, "update", update_key(session->version).text, json_incref(update));
    return update;
}

json_t *web_session_answer(WebSession *session, int64_t known)
{
    bool has_base = known >= 0 && (uint64_t)known == session->version;
    json_t *sent = web_session_changed(session);
    if (json_object_get(sent, "base") == NULL || has_base)
        return sent;
    json_decref(sent);
    return web_session_json(session);
}
