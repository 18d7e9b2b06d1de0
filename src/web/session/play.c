// Sessions: creating, reading and deleting them, and actions on them: stones, variations, settings, positions.
#include "web/session/session.h"

#include "game/diagram.h"
#include "game/notation.h"
#include "web/lab/library.h"
#include "web/session/rules.h"

#include <string.h>

enum { MOVES_MAX = 40000, BOARD_MAX = 20000 }; // bytes

// --- Helpers of requests ---

WebSession *web_play_enter(WebCall *call)
{
    WebSession *session = web_session_enter(call->context->sessions, call->request->parameter[0]);
    if (session == NULL)
        (void)web_fail(call, 404, "id", "there is no such game here any more");
    return session;
}

// The node that the field or the query parameter "node" names, `usual` by default.
static Status read_node(WebCall *call, const WebSession *session, WebNodeId usual, WebNodeId *id)
{
    bool is_field = strcmp(call->route->method, "POST") == 0;
    int64_t number = is_field ? web_field_int(call, "node", 0, UINT32_MAX, usual)
                              : web_query_int(call, "node", 0, UINT32_MAX, usual);
    if (call->error->status == STATUS_OK && !web_tree_has(&session->tree, number))
        (void)web_fail(call, 404, "node", "the game does not have this stone");
    *id = call->error->status == STATUS_OK ? (WebNodeId)number : 0;
    return call->error->status;
}

Status web_play_game(WebCall *call, Game *game)
{
    WebSession *session = web_play_enter(call);
    WebNodeId node = 0;
    if (session == NULL)
        return STATUS_BAD_INPUT;
    Status status = read_node(call, session, session->current, &node);
    if (status == STATUS_OK)
        web_tree_game(&session->tree, node, game);
    web_session_leave(session);
    return status;
}

Status web_play_act(WebCall *call)
{
    int64_t known = web_query_int(call, "known", 0, INT64_MAX, -1);
    WebSession *session = call->error->status == STATUS_OK ? web_play_enter(call) : NULL;
    if (session == NULL)
        return STATUS_BAD_INPUT;
    Status status = call->route->action(session, call);
    if (status == STATUS_OK)
        call->reply->json = web_session_answer(session, known);
    web_session_leave(session);
    return status;
}

// --- Stones ---

Status web_play_cell(WebCall *call, const Game *game, Cell *cell)
{
    const char *name = web_field_text(call, "cell", CELL_TEXT_SIZE);
    int64_t column = web_field_int(call, "column", 1, game->board.rules.width, 0);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    if (name == NULL && column == 0)
        return web_fail(call, 400, "cell", "a cell is required, or a column in gravity games");
    if (name == NULL && !game->board.rules.gravity)
        return web_fail(call, 400, "column", "columns need a gravity game; use a cell");
    unsigned row = name == NULL ? board_drop_row(&game->board, (unsigned)column - 1) : 0;
    if (name == NULL && row >= game->board.rules.height)
        return web_fail(call, 409, "column", "column %d is full.", (int)column);
    if (name == NULL) {
        *cell = cell_at((unsigned)column - 1, row);
        return STATUS_OK;
    }
    return web_blame(call, "cell", cell_parse(span_of(name), &game->board.rules, cell, call->error));
}

static Status play(WebSession *session, WebCall *call)
{
    WebNodeId node = 0;
    Cell cell = CELL_NONE;
    Status status = read_node(call, session, session->current, &node);
    if (status != STATUS_OK)
        return status;
    Game game;
    web_tree_game(&session->tree, node, &game);
    status = web_play_cell(call, &game, &cell);
    if (status != STATUS_OK)
        return status;
    if (node == session->current ? web_session_is_over(session) : game_is_over(&game))
        return web_fail(call, 409, NULL, "The game is over.");
    Error why = {0};
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    if (board_stone(&game.board, cell) != STONE_NONE)
        return web_fail(call, 409, "cell", "%s is taken.", name);
    if (game_try(&game, cell, &why) != STATUS_OK)
        return web_fail(call, 409, "cell", "%s", why.text);
    if (node != session->current)
        web_session_goto(session, node);
    session->is_live = true;
    return web_session_play(session, &cell, 1, -1, call->error);
}

static Status go_to(WebSession *session, WebCall *call)
{
    WebNodeId node = 0;
    Status status = read_node(call, session, 0, &node);
    if (status != STATUS_OK)
        return status;
    session->is_live = false;
    web_session_goto(session, node);
    return STATUS_OK;
}

// Whether undo and redo stop here: a person is to move, or no person plays.
static bool is_stop(const WebSession *session, const Game *game)
{
    const WebPlayer *players = session->settings.players;
    Side side = board_side(&game->board);
    return players[side].kind == WEB_PERSON || players[side_other(side)].kind != WEB_PERSON;
}

// Takes back one stone of an unfinished turn; else whole turns until a person is to move, or one turn without persons.
static WebNodeId undo_target(const WebSession *session)
{
    Game game;
    game_copy(&game, &session->game);
    WebNodeId node = session->current, turn_back = 0;
    if (game_side_of(&game, game.played - 1u) == board_side(&game.board) && !game_is_over(&game))
        return session->tree.nodes[node].parent;
    for (bool is_first = true; game.played > 0; is_first = false) {
        for (unsigned stones = game_last_turn(&game); stones > 0; stones--) {
            (void)game_undo(&game);
            node = session->tree.nodes[node].parent;
        }
        turn_back = is_first ? node : turn_back;
        if (is_stop(session, &game))
            return node;
    }
    return turn_back;
}

static Status undo(WebSession *session, WebCall *call)
{
    if (session->current == 0)
        return web_fail(call, 409, NULL, "There is nothing to take back.");
    unsigned before = session->game.played;
    session->is_live = false;
    web_session_goto(session, undo_target(session));
    // Not "White played g7", which would sound like a new turn.
    unsigned stones = before - session->game.played;
    (void)snprintf(session->said, sizeof session->said, "%u stone%s taken back. %s to move.", stones,
                   stones == 1 ? "" : "s", web_side_name(&session->rules, board_side(&session->game.board)));
    return STATUS_OK;
}

// Goes forward as far as undo goes back: to the next turn of a person, or one turn.
static WebNodeId redo_target(const WebSession *session)
{
    Game game;
    game_copy(&game, &session->game);
    WebNodeId node = session->current, next = 0;
    while ((next = web_tree_next(&session->tree, node)) != 0) {
        Side side = board_side(&game.board);
        game_play(&game, session->tree.nodes[next].cell);
        node = next;
        if (game_is_over(&game) || (board_side(&game.board) != side && is_stop(session, &game)))
            return node;
    }
    return node;
}

static Status redo(WebSession *session, WebCall *call)
{
    if (web_tree_next(&session->tree, session->current) == 0)
        return web_fail(call, 409, NULL, "There is nothing to play again.");
    session->is_live = false;
    web_session_goto(session, redo_target(session));
    return STATUS_OK;
}

static Status delete_node(WebSession *session, WebCall *call)
{
    WebNodeId node = 0;
    web_field_need(call, "node");
    Status status = read_node(call, session, 0, &node);
    if (status != STATUS_OK)
        return status;
    if (node == 0)
        return web_fail(call, 400, "node", "the start position cannot be deleted");
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

static Status promote(WebSession *session, WebCall *call)
{
    WebNodeId node = 0;
    web_field_need(call, "node");
    Status status = read_node(call, session, 0, &node);
    if (status == STATUS_OK)
        web_tree_promote(&session->tree, node);
    return status;
}

static Status comment(WebSession *session, WebCall *call)
{
    WebNodeId node = 0;
    const char *text = web_field_text(call, "text", WEB_COMMENT_MAX);
    Status status = read_node(call, session, 0, &node);
    if (status == STATUS_OK)
        web_tree_comment(&session->tree, node, text);
    return status;
}

// --- The game as a whole ---

static Status resign(WebSession *session, WebCall *call)
{
    if (web_session_is_over(session))
        return web_fail(call, 409, NULL, "The game is over.");
    Side side = board_side(&session->game.board);
    if (session->settings.players[side].kind != WEB_PERSON &&
        session->settings.players[side_other(side)].kind == WEB_PERSON)
        side = side_other(side);
    web_session_end(session, result_lost_by(side), "resigned");
    return STATUS_OK;
}

static Status start_new(WebSession *session, WebCall *call)
{
    Rules rules = session->rules;
    WebSettings settings = session->settings;
    const char *text = web_field_text(call, "game", 200);
    bool swaps = web_field_bool(call, "swap", false);
    Status status = call->error->status;
    if (status == STATUS_OK && text != NULL)
        status = web_rules_read(call, text, &rules);
    if (status == STATUS_OK)
        status = web_settings_read(call, &rules, &settings);
    if (status == STATUS_OK)
        status = web_settings_check(call, &settings, &rules);
    if (status != STATUS_OK)
        return status;
    session->settings = settings;
    for (int side = 0; side < 2 && swaps; side++)
        session->settings.players[side] = settings.players[1 - side];
    Board root;
    board_init(&root, &rules);
    session->is_live = true;
    web_session_start(session, &root);
    return STATUS_OK;
}

static Status set(WebSession *session, WebCall *call)
{
    WebSettings settings = session->settings;
    bool has_clock = json_object_get(call->body, "clock") != NULL;
    Status status = web_settings_read(call, &session->rules, &settings);
    if (status != STATUS_OK)
        return status;
    web_turn_stop(session);
    session->settings = settings;
    if (has_clock)
        web_clock_start(session);
    session->is_live = true;
    return STATUS_OK;
}

static Status let_agent(WebSession *session, WebCall *call)
{
    if (web_session_is_over(session))
        return web_fail(call, 409, NULL, "The game is over.");
    if (session->turn != NULL)
        return web_fail(call, 409, NULL, "An agent is already thinking.");
    if (session->settings.players[board_side(&session->game.board)].kind == WEB_PERSON)
        return web_fail(call, 409, NULL, "It is the turn of a person.");
    session->is_live = true;
    return STATUS_OK;
}

static Status edit(WebSession *session, WebCall *call)
{
    Rules rules = session->rules;
    const char *text = web_field_text(call, "game", 200), *board = web_field_text(call, "board", BOARD_MAX);
    const char *turn = web_field_text(call, "turn", 20);
    web_field_need(call, "board");
    Status status = call->error->status;
    if (status == STATUS_OK && text != NULL)
        status = web_rules_read(call, text, &rules);
    if (status == STATUS_OK)
        status = web_settings_check(call, &session->settings, &rules);
    if (status != STATUS_OK)
        return status;
    Text drawing = {0};
    Game game;
    text_add(&drawing, "%s\n", board);
    if (turn != NULL)
        text_add(&drawing, "turn %s\n", turn);
    status = diagram_read((Span){drawing.data, drawing.length}, &rules, &game, call->error);
    text_close(&drawing);
    if (status != STATUS_OK)
        return web_blame(call, "board", status);
    session->is_live = false;
    web_session_start(session, &game.board);
    return STATUS_OK;
}

// --- Sessions ---

// The start position of a game, and the stones after it.
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

static Status fill(WebSession *session, WebCall *call)
{
    Rules rules;
    Board root;
    Game game;
    WebSettings settings = session->settings;
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
    session->settings = settings;
    session->is_live = true;
    web_session_start(session, &root);
    status = web_session_play(session, game.stones, game.played, -1, call->error);
    web_clock_start(session);
    return status;
}

// A game of the database, with its rules and the requested players and times.
static Status fill_from_library(WebSession *session, WebCall *call, const json_t *from)
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
    WebSettings settings = session->settings;
    if (status == STATUS_OK)
        status = web_settings_read(call, &record.rules, &settings);
    if (status == STATUS_OK) {
        session->settings = settings;
        status = web_files_open(session, &record, call->error);
        session->library = id;
    }
    record_close(&record);
    return status;
}

// A copy of the game of another session, at the same node, for persons without clocks.
static Status fill_from_session(WebSession *session, WebCall *call, const json_t *from)
{
    WebCall place = web_inner(call, from, "session");
    const char *id = web_field_text(&place, "session", WEB_ID_SIZE);
    web_field_need(&place, "session");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    // The new session is unknown to others, so no other thread waits for its lock while holding the other one's.
    WebSession *other = web_session_enter(call->context->sessions, id);
    if (other == NULL)
        return web_fail(call, 404, "session", "there is no such game here any more");
    WebTree tree;
    web_tree_copy(&tree, &other->tree);
    web_session_replace(session, &tree);
    memcpy(session->names, other->names, sizeof session->names);
    session->end_node = other->end_node;
    session->end_result = other->end_result;
    memcpy(session->end_reason, other->end_reason, sizeof session->end_reason);
    web_session_goto(session, other->current);
    if (other->scan.result != NULL) {
        session->scan.result = json_deep_copy(other->scan.result);
        (void)json_object_set_new(session->scan.result, "running", json_false());
    }
    web_session_leave(other);
    return web_settings_read(call, &session->rules, &session->settings);
}

static Status fill_from(WebSession *session, WebCall *call, const json_t *from)
{
    return json_object_get(from, "session") != NULL ? fill_from_session(session, call, from)
                                                    : fill_from_library(session, call, from);
}

static Status handle_create(WebCall *call)
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
    if (status == STATUS_OK)
        status = web_save_read(call, session);
    if (status == STATUS_OK) {
        call->reply->json = web_session_changed(session);
        call->reply->status = 201;
    }
    web_session_leave(session);
    if (status != STATUS_OK)
        (void)web_sessions_remove(call->context->sessions, id);
    return status;
}

static Status handle_get(WebCall *call)
{
    WebSession *session = web_play_enter(call);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    call->reply->json = web_session_json(session);
    web_session_leave(session);
    return STATUS_OK;
}

static Status handle_delete(WebCall *call)
{
    if (!web_sessions_remove(call->context->sessions, call->request->parameter[0]))
        return web_fail(call, 404, "id", "there is no such game here any more");
    call->reply->status = 204;
    return STATUS_OK;
}

// New listeners begin with the current state, including the clocks.
static Status handle_events(WebCall *call)
{
    bool takes_updates = web_query_int(call, "updates", 0, 1, 0) == 1;
    WebSession *session = call->error->status == STATUS_OK ? web_play_enter(call) : NULL;
    if (session == NULL)
        return STATUS_BAD_INPUT;
    session->has_whole_listener |= !takes_updates;
    web_session_offer(session);
    call->reply->topic = web_topic_hold(session->topic);
    call->reply->takes_updates = takes_updates;
    web_session_leave(session);
    return STATUS_OK;
}

const WebRoute web_play_routes[] = {
    {"POST", "/sessions", handle_create, WEB_SLOW, "Begin a game",
     .names = "game moves board sides time clock from save"},
    {"GET", "/sessions/{id}", handle_get, 0, "The state of a game", .names = NULL},
    {"DELETE", "/sessions/{id}", handle_delete, 0, "Forget a game", .names = NULL},
    {"GET", "/sessions/{id}/events", handle_events, 0, "The state and its changes, as an event stream",
     .names = "updates"},
    {"POST", "/sessions/{id}/play", web_play_act, 0, "Place a stone", .names = "cell column node", .action = play},
    {"POST", "/sessions/{id}/goto", web_play_act, 0, "Go to a stone of the game", .names = "node", .action = go_to},
    {"POST", "/sessions/{id}/undo", web_play_act, 0, "Take a turn back", .names = "", .action = undo},
    {"POST", "/sessions/{id}/redo", web_play_act, 0, "Play it again", .names = "", .action = redo},
    {"POST", "/sessions/{id}/delete", web_play_act, 0, "Delete a stone and everything after it", .names = "node",
     .action = delete_node},
    {"POST", "/sessions/{id}/promote", web_play_act, 0, "Make a variation the main line", .names = "node",
     .action = promote},
    {"POST", "/sessions/{id}/comment", web_play_act, 0, "Write a comment", .names = "node text", .action = comment},
    {"POST", "/sessions/{id}/resign", web_play_act, 0, "Resign", .names = "", .action = resign},
    {"POST", "/sessions/{id}/new", web_play_act, 0, "Begin another game", .names = "game sides time clock swap",
     .action = start_new},
    {"POST", "/sessions/{id}/settings", web_play_act, 0, "Change who plays, and the time", .names = "sides time clock",
     .action = set},
    {"POST", "/sessions/{id}/agent", web_play_act, 0, "Let the agent move now", .names = "", .action = let_agent},
    {"POST", "/sessions/{id}/edit", web_play_act, 0, "Set a position up", .names = "game board turn", .action = edit},
    {0},
};
