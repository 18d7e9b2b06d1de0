// Actions on sessions: stones, variations, settings, positions.
#include "web/session/play.h"

#include "game/diagram.h"
#include "game/notation.h"
#include "web/session/rules.h"
#include "web/session/settings.h"

#include <string.h>

enum { BOARD_MAX = 20000 }; // bytes

// --- What requests have in common ---

WebSession *web_play_enter(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    WebSession *session = web_session_enter(context->sessions, request->parameter[0]);
    if (session == NULL)
        (void)web_fail(reply, 404, "id", error, "there is no such game here any more");
    return session;
}

static Status bad_node(WebReply *reply, const char *name, Error *error)
{
    return web_fail(reply, 404, name, error, "there is no such stone in the game");
}

Status web_play_node(const WebSession *session, WebFields *fields, const char *name, WebNodeId usual, WebNodeId *id)
{
    int64_t number = web_field_int(fields, name, 0, UINT32_MAX, usual);
    if (fields->status == STATUS_OK && !web_tree_has(&session->tree, number))
        fields->status = bad_node(fields->reply, name, fields->error);
    *id = fields->status == STATUS_OK ? (WebNodeId)number : 0;
    return fields->status;
}

Status web_play_game(WebContext *context, const WebRequest *request, Game *game, WebReply *reply, Error *error)
{
    WebSession *session = web_play_enter(context, request, reply, error);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    WebQueries queries = {.request = request, .reply = reply, .error = error};
    int64_t node = web_query_int(&queries, "node", 0, UINT32_MAX, session->current);
    Status status = queries.status;
    if (status == STATUS_OK && !web_tree_has(&session->tree, node))
        status = bad_node(reply, "node", error);
    if (status == STATUS_OK)
        web_tree_game(&session->tree, (WebNodeId)node, game);
    web_session_leave(session);
    return status;
}

// An action: changes a session that is locked, and reads the fields of the body.
Status web_play_act(WebContext *context, const WebRequest *request, WebAction action, WebReply *reply, Error *error)
{
    WebFields fields = web_fields(request->body, action.names, reply, error);
    if (fields.status != STATUS_OK)
        return fields.status;
    WebSession *session = web_play_enter(context, request, reply, error);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    Status status = action.run(session, &fields);
    if (status == STATUS_OK)
        reply->json = web_session_changed(session);
    web_session_leave(session);
    return status;
}

#define ACTION(name, fields)                                                                                           \
    static Status handle_##name(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)         \
    {                                                                                                                  \
        return web_play_act(context, request, (WebAction){fields, name##_action}, reply, error);                       \
    }

// --- Stones ---

static Status read_cell(WebFields *fields, const Game *game, Cell *cell)
{
    const char *name = web_field_text(fields, "cell", CELL_TEXT_SIZE);
    int64_t column = web_field_int(fields, "column", 1, game->board.rules.width, 0);
    if (fields->status != STATUS_OK)
        return fields->status;
    if (name == NULL && column == 0)
        return web_fail(fields->reply, 400, "cell", fields->error, "say a cell, or a column where stones fall");
    if (name == NULL && !game->board.rules.gravity)
        return web_fail(fields->reply, 400, "column", fields->error, "stones do not fall here; say a cell");
    unsigned row = name == NULL ? board_drop_row(&game->board, (unsigned)column - 1) : 0;
    if (name == NULL && row >= game->board.rules.height)
        return web_fail(fields->reply, 409, "column", fields->error, "column %d is full.", (int)column);
    if (name == NULL) {
        *cell = cell_at((unsigned)column - 1, row);
        return STATUS_OK;
    }
    Status status = cell_parse(span_of(name), &game->board.rules, cell, fields->error);
    if (status != STATUS_OK)
        (void)snprintf(fields->reply->field, sizeof fields->reply->field, "cell");
    return status;
}

static Status play_action(WebSession *session, WebFields *fields)
{
    WebNodeId node = 0;
    Cell cell = CELL_NONE;
    Status status = web_play_node(session, fields, "node", session->current, &node);
    if (status != STATUS_OK)
        return status;
    Game *game = &session->game, other;
    if (node != session->current) {
        web_tree_game(&session->tree, node, &other);
        game = &other;
    }
    status = read_cell(fields, game, &cell);
    if (status != STATUS_OK)
        return status;
    bool is_over = node == session->current ? web_session_is_over(session) : game_is_over(game);
    if (is_over)
        return web_fail(fields->reply, 409, NULL, fields->error, "The game is over.");
    Error why = {0};
    Game trial;
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    if (board_stone(&game->board, cell) != STONE_NONE)
        return web_fail(fields->reply, 409, "cell", fields->error, "%s is taken.", name);
    game_copy(&trial, game);
    if (game_try(&trial, cell, &why) != STATUS_OK)
        return web_fail(fields->reply, 409, "cell", fields->error, "%s", why.text);
    if (node != session->current)
        web_session_goto(session, node);
    session->is_live = true;
    return web_session_play(session, &cell, 1, -1, fields->error);
}

static Status goto_action(WebSession *session, WebFields *fields)
{
    WebNodeId node = 0;
    Status status = web_play_node(session, fields, "node", 0, &node);
    if (status != STATUS_OK)
        return status;
    session->is_live = false;
    web_session_goto(session, node);
    return STATUS_OK;
}

// A stone back in a turn that has begun; else whole turns, until a person is to move, or the one before.
static WebNodeId undo_target(const WebSession *session)
{
    Game game;
    game_copy(&game, &session->game);
    WebNodeId node = session->current, turn_back = 0;
    bool has_person = session->players[0].kind == WEB_PERSON || session->players[1].kind == WEB_PERSON;
    if (game_side_of(&game, game.played - 1u) == board_side(&game.board) && !game_is_over(&game))
        return session->tree.nodes[node].parent;
    for (bool is_first = true; game.played > 0; is_first = false) {
        for (unsigned stones = game_last_turn(&game); stones > 0; stones--) {
            (void)game_undo(&game);
            node = session->tree.nodes[node].parent;
        }
        turn_back = is_first ? node : turn_back;
        if (!has_person || session->players[board_side(&game.board)].kind == WEB_PERSON)
            return node;
    }
    return turn_back;
}

static Status undo_action(WebSession *session, WebFields *fields)
{
    if (session->current == 0)
        return web_fail(fields->reply, 409, NULL, fields->error, "There is nothing to take back.");
    session->is_live = false;
    web_session_goto(session, undo_target(session));
    return STATUS_OK;
}

// Forward as far as undo went back: to the next turn of a person, or a whole turn.
static WebNodeId redo_target(const WebSession *session)
{
    Game game;
    game_copy(&game, &session->game);
    WebNodeId node = session->current, next = 0, turn_on = 0;
    bool has_person = session->players[0].kind == WEB_PERSON || session->players[1].kind == WEB_PERSON;
    while ((next = web_tree_next(&session->tree, node)) != 0) {
        Side side = board_side(&game.board);
        game_play(&game, session->tree.nodes[next].cell);
        node = next;
        if (!game_is_over(&game) && board_side(&game.board) == side)
            continue;
        turn_on = turn_on == 0 ? node : turn_on;
        if (!has_person || game_is_over(&game) || session->players[board_side(&game.board)].kind == WEB_PERSON)
            return node;
    }
    return node;
}

static Status redo_action(WebSession *session, WebFields *fields)
{
    if (web_tree_next(&session->tree, session->current) == 0)
        return web_fail(fields->reply, 409, NULL, fields->error, "There is nothing to play again.");
    session->is_live = false;
    web_session_goto(session, redo_target(session));
    return STATUS_OK;
}

static Status delete_node_action(WebSession *session, WebFields *fields)
{
    WebNodeId node = 0;
    web_field_need(fields, "node");
    Status status = web_play_node(session, fields, "node", 0, &node);
    if (status != STATUS_OK)
        return status;
    if (node == 0)
        return web_fail(fields->reply, 400, "node", fields->error, "the position the game begins with stays");
    WebNodeId parent = session->tree.nodes[node].parent;
    bool is_on_it = web_tree_leads(&session->tree, node, session->current);
    web_tree_delete(&session->tree, node);
    if (!web_tree_has(&session->tree, session->end_node))
        session->end_result = RESULT_NONE;
    if (!is_on_it)
        return STATUS_OK;
    session->is_live = false;
    web_session_goto(session, parent);
    return STATUS_OK;
}

static Status promote_action(WebSession *session, WebFields *fields)
{
    WebNodeId node = 0;
    web_field_need(fields, "node");
    Status status = web_play_node(session, fields, "node", 0, &node);
    if (status == STATUS_OK)
        web_tree_promote(&session->tree, node);
    return status;
}

static Status comment_action(WebSession *session, WebFields *fields)
{
    WebNodeId node = 0;
    const char *text = web_field_text(fields, "text", WEB_COMMENT_MAX);
    Status status = web_play_node(session, fields, "node", 0, &node);
    if (status == STATUS_OK)
        web_tree_comment(&session->tree, node, text);
    return status;
}

// --- The game as a whole ---

static Status resign_action(WebSession *session, WebFields *fields)
{
    if (web_session_is_over(session))
        return web_fail(fields->reply, 409, NULL, fields->error, "The game is over.");
    Side side = board_side(&session->game.board);
    if (session->players[side].kind != WEB_PERSON && session->players[side_other(side)].kind == WEB_PERSON)
        side = side_other(side);
    web_session_end(session, result_lost_by(side), "resigned");
    return STATUS_OK;
}

static void swap_sides(WebSettings *settings)
{
    WebPlayer first = settings->players[0];
    settings->players[0] = settings->players[1];
    settings->players[1] = first;
}

static Status new_action(WebSession *session, WebFields *fields)
{
    Rules rules = session->rules;
    WebSettings settings = web_settings_of(session);
    const char *text = web_field_text(fields, "game", 200);
    bool swaps = web_field_bool(fields, "swap", false);
    Status status = fields->status;
    if (status == STATUS_OK && text != NULL)
        status = web_rules_read(text, &rules, fields->reply, fields->error);
    if (status == STATUS_OK)
        status = web_settings_read(fields, &rules, &settings);
    if (status == STATUS_OK)
        status = web_settings_check(&settings, &rules, fields->reply, fields->error);
    if (status != STATUS_OK)
        return status;
    if (swaps)
        swap_sides(&settings);
    web_settings_use(&settings, session);
    Board root;
    board_init(&root, &rules);
    session->is_live = true;
    web_session_start(session, &root);
    return STATUS_OK;
}

static Status settings_action(WebSession *session, WebFields *fields)
{
    WebSettings settings = web_settings_of(session);
    bool has_clock = json_object_get(fields->object, "clock") != NULL;
    Status status = web_settings_read(fields, &session->rules, &settings);
    if (status != STATUS_OK)
        return status;
    web_turn_stop(session);
    web_settings_use(&settings, session);
    if (has_clock)
        web_clock_start(session);
    session->is_live = true;
    return STATUS_OK;
}

static Status agent_action(WebSession *session, WebFields *fields)
{
    if (web_session_is_over(session))
        return web_fail(fields->reply, 409, NULL, fields->error, "The game is over.");
    if (session->turn != NULL)
        return web_fail(fields->reply, 409, NULL, fields->error, "An agent is thinking already.");
    if (session->players[board_side(&session->game.board)].kind == WEB_PERSON)
        return web_fail(fields->reply, 409, NULL, fields->error, "It is the turn of a person.");
    session->is_live = true;
    return STATUS_OK;
}

static Status edit_action(WebSession *session, WebFields *fields)
{
    Rules rules = session->rules;
    const char *text = web_field_text(fields, "game", 200), *board = web_field_text(fields, "board", BOARD_MAX);
    const char *turn = web_field_text(fields, "turn", 20);
    web_field_need(fields, "board");
    Status status = fields->status;
    if (status == STATUS_OK && text != NULL)
        status = web_rules_read(text, &rules, fields->reply, fields->error);
    if (status != STATUS_OK)
        return status;
    WebSettings settings = web_settings_of(session);
    status = web_settings_check(&settings, &rules, fields->reply, fields->error);
    if (status != STATUS_OK)
        return status;
    Text drawing = {0};
    Game game;
    text_add(&drawing, "%s\n", board);
    if (turn != NULL)
        text_add(&drawing, "turn %s\n", turn);
    status = diagram_read((Span){drawing.data, drawing.length}, &rules, &game, fields->error);
    text_close(&drawing);
    if (status != STATUS_OK) {
        (void)snprintf(fields->reply->field, sizeof fields->reply->field, "board");
        return status;
    }
    session->is_live = false;
    web_session_start(session, &game.board);
    return STATUS_OK;
}

ACTION(play, "cell column node")
ACTION(goto, "node")
ACTION(undo, "")
ACTION(redo, "")
ACTION(delete_node, "node")
ACTION(promote, "node")
ACTION(comment, "node text")
ACTION(resign, "")
ACTION(new, "game sides time clock swap")
ACTION(settings, "sides time clock")
ACTION(agent, "")
ACTION(edit, "game board turn")

const WebRoute web_play_routes[] = {
    {"POST", "/sessions", web_play_create, WEB_SLOW, "Begin a game"},
    {"GET", "/sessions/{id}", web_play_get, 0, "The state of a game"},
    {"DELETE", "/sessions/{id}", web_play_delete, 0, "Forget a game"},
    {"GET", "/sessions/{id}/events", web_play_events, 0, "The state and its changes, as an event stream"},
    {"POST", "/sessions/{id}/play", handle_play, 0, "Place a stone"},
    {"POST", "/sessions/{id}/goto", handle_goto, 0, "Go to a stone of the game"},
    {"POST", "/sessions/{id}/undo", handle_undo, 0, "Take a turn back"},
    {"POST", "/sessions/{id}/redo", handle_redo, 0, "Play it again"},
    {"POST", "/sessions/{id}/delete", handle_delete_node, 0, "Take a stone away, with all that follows"},
    {"POST", "/sessions/{id}/promote", handle_promote, 0, "Make a variation the main line"},
    {"POST", "/sessions/{id}/comment", handle_comment, 0, "Write a comment"},
    {"POST", "/sessions/{id}/resign", handle_resign, 0, "Give the game up"},
    {"POST", "/sessions/{id}/new", handle_new, 0, "Begin another game"},
    {"POST", "/sessions/{id}/settings", handle_settings, 0, "Change who plays, and the time"},
    {"POST", "/sessions/{id}/agent", handle_agent, 0, "Let the agent move now"},
    {"POST", "/sessions/{id}/edit", handle_edit, 0, "Set a position up"},
    {0},
};
