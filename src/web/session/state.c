// The state of a session as JSON; docs/api.md describes the fields.
#include "web/session/session.h"

#include "agents/agent.h"
#include "base/memory.h"
#include "game/notation.h"
#include "view/json_view.h"
#include "web/session/rules.h"

#include <stdlib.h>
#include <string.h>

static json_t *player_json(const WebPlayer *player)
{
    if (player->kind == WEB_AGENT)
        return json_pack("{s:s, s:s}", "kind", "agent", "agent", player->given);
    if (player->kind == WEB_LEVEL)
        return json_pack("{s:s, s:i}", "kind", "level", "level", (int)player->level);
    return json_pack("{s:s}", "kind", "person");
}

static json_t *name_json(const WebSession *session, Side side)
{
    const WebPlayer *player = &session->settings.players[side];
    if (session->names[side][0] != '\0')
        return json_string(session->names[side]);
    if (player->kind == WEB_LEVEL)
        return json_sprintf("Level %u", player->level);
    return json_string(player->kind == WEB_AGENT ? player->given : "Person");
}

// Which turn a stone belongs to, from 1, by its depth below the root, from 1. Turns of the root's side are odd.
static unsigned turn_of(const Board *root, unsigned depth)
{
    unsigned first = (unsigned)(root->state.turn & 0xffff);
    return depth <= first ? 1 : 2 + (depth - first - 1) / root->rules.p;
}

static json_t *node_json(const WebTree *tree, WebNodeId id, unsigned depth, bool is_main)
{
    const WebNode *node = &tree->nodes[id];
    char cell[CELL_TEXT_SIZE];
    cell_format(node->cell, cell);
    unsigned turn = turn_of(&tree->root, depth);
    Side root = board_side(&tree->root), side = turn % 2 == 1 ? root : side_other(root);
    return json_pack("{s:i, s:o, s:s, s:s, s:i, s:b, s:s*, s:o*, s:o*}", "id", (int)id, "parent",
                     web_number_json(node->parent), "cell", cell, "side", side_name(side), "ply", (int)turn, "main",
                     is_main, "comment", node->comment, "eval", node->eval.is_known ? eval_json(&node->eval) : NULL,
                     "ms", node->ms >= 0 ? json_integer(node->ms) : NULL);
}

// In the order of their numbers, so a parent stands before its children.
static json_t *nodes_json(const WebTree *tree, bool only_changed)
{
    json_t *list = json_array();
    uint16_t *depth = memory_new(tree->count, sizeof *depth);
    bool *is_main = memory_new(tree->count, sizeof *is_main);
    is_main[0] = true;
    for (WebNodeId id = 1; id < tree->count; id++) {
        const WebNode *node = &tree->nodes[id];
        depth[id] = (uint16_t)(depth[node->parent] + 1);
        is_main[id] = is_main[node->parent] && tree->nodes[node->parent].child == id;
        if (node->is_there && (node->is_changed || !only_changed))
            (void)json_array_append_new(list, node_json(tree, id, depth[id], is_main[id]));
    }
    free(depth);
    free(is_main);
    return list;
}

static json_t *root_json(const WebSession *session)
{
    const Board *root = &session->tree.root;
    const WebNode *node = &session->tree.nodes[0];
    return json_pack("{s:o, s:s, s:i, s:s*, s:o*}", "rows", view_rows(root), "turn", side_name(board_side(root)),
                     "stones_left", (int)board_stones_left(root), "comment", node->comment, "eval",
                     node->eval.is_known ? eval_json(&node->eval) : NULL);
}

static json_t *legal_json(const WebSession *session)
{
    if (!session->rules.gravity && !web_session_is_over(session))
        return json_string("all");
    Cell cells[RULES_CELLS_MAX];
    unsigned count = web_session_is_over(session) ? 0 : board_legal_cells(&session->game.board, cells);
    return view_cells(cells, count);
}

json_t *web_reason_json(const Board *board, Result result, const char *reason)
{
    const Rules *rules = &board->rules;
    if (result == RESULT_NONE)
        return json_null();
    if (result == result_of_board(board))
        return result == RESULT_DRAW
                   ? json_string("The board is full.")
                   : json_sprintf("%s has %u in a row.",
                                  web_side_name(rules, result == RESULT_FIRST ? SIDE_FIRST : SIDE_SECOND),
                                  (unsigned)rules->k);
    const char *loser = web_side_name(rules, result == RESULT_FIRST ? SIDE_SECOND : SIDE_FIRST);
    if (result != RESULT_DRAW && strcmp(reason, "resigned") == 0)
        return json_sprintf("%s resigned.", loser);
    if (result != RESULT_DRAW && strcmp(reason, reason_text(REASON_TIMEOUT)) == 0)
        return json_sprintf("%s ran out of time.", loser);
    return json_string(reason);
}

static void add_position(const WebSession *session, json_t *object)
{
    const Game *game = &session->game;
    const Board *board = &game->board;
    Result result = web_session_result(session);
    Cell line[RULES_CELLS_MAX];
    unsigned line_count = board_winning_cells(board, line), last = game_last_turn(game);
    (void)json_object_update_new(
        object, json_pack("{s:s, s:i, s:b, s:s?, s:o, s:o, s:o, s:o}", "turn", side_name(board_side(board)),
                          "stones_left", result != RESULT_NONE ? 0 : (int)board_stones_left(board), "over",
                          result != RESULT_NONE, "winner", result_name(result), "line", view_cells(line, line_count),
                          "last", view_cells(game->stones + game->played - last, last), "reason",
                          web_reason_json(board, result, session->end_reason), "legal", legal_json(session)));
}

static json_t *can_json(const WebSession *session)
{
    bool is_over = web_session_is_over(session);
    bool has_person =
        session->settings.players[0].kind == WEB_PERSON || session->settings.players[1].kind == WEB_PERSON;
    return json_pack("{s:b, s:b, s:b, s:b}", "undo", session->current != 0, "redo",
                     web_tree_next(&session->tree, session->current) != 0, "resign", !is_over && has_person, "agent",
                     !is_over && session->turn == NULL);
}

// A copy: the state goes to other threads, and jansson's reference counts are not thread-safe here.
static json_t *scan_json(const WebSession *session)
{
    return session->scan.result != NULL ? json_deep_copy(session->scan.result) : json_null();
}

// What both a state and an update contain.
static json_t *common_json(const WebSession *session)
{
    json_t *object =
        json_pack("{s:I, s:{s:o, s:o}, s:{s:o, s:o}, s:f, s:o, s:o, s:o, s:o, s:{s:b, s:i, s:b}, s:s}", "version",
                  (json_int_t)session->version, "sides", "first", player_json(&session->settings.players[0]), "second",
                  player_json(&session->settings.players[1]), "names", "first", name_json(session, SIDE_FIRST),
                  "second", name_json(session, SIDE_SECOND), "time", session->settings.seconds, "clock",
                  web_clock_json(session), "current", web_number_json(session->current), "thinking",
                  web_turn_json(session), "can", can_json(session), "analysis", "on", session->analysis.on, "lines",
                  (int)session->analysis.lines, "cells", session->analysis.cells, "said", session->said);
    (void)json_object_set_new(object, "saved", web_save_json(session));
    (void)json_object_set_new(object, "from_game", web_number_json(session->library));
    add_position(session, object);
    return object;
}

json_t *web_session_json(WebSession *session)
{
    const Game *game = &session->game;
    json_t *object = common_json(session);
    (void)json_object_update_new(object,
                                 json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", session->id, "game",
                                           view_rules(&session->rules), "rules", web_rules_json(&session->rules),
                                           "root", root_json(session), "nodes", nodes_json(&session->tree, false),
                                           "path", view_cells(game->stones, game->played), "rows",
                                           view_rows(&game->board), "scan", scan_json(session)));
    return object;
}

json_t *web_session_update_json(WebSession *session)
{
    json_t *object = common_json(session);
    (void)json_object_update_new(object, json_pack("{s:I, s:o}", "base", (json_int_t)session->version - 1, "nodes",
                                                   nodes_json(&session->tree, true)));
    if (session->tree.nodes[0].is_changed)
        (void)json_object_set_new(object, "root", root_json(session));
    return object;
}
