// Sessions to and from game files. The evaluation of a position is in the SGF property KV (analysis/position_eval.h).
#include "web/session/session.h"

#include "agents/agent.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "game/notation.h"
#include "store/formats/formats.h"
#include "store/formats/sgf.h"

#include <stdlib.h>
#include <string.h>

// --- Writing ---

static void add_eval(const WebEval *eval, Text *text)
{
    Text value = {0};
    eval_write(eval, &value);
    sgf_add_property(text, "KV", value.data);
    text_close(&value);
}

static void add_properties(const WebNode *node, Text *text)
{
    if (node->comment != NULL)
        sgf_add_property(text, "C", node->comment);
    if (node->eval.is_known)
        add_eval(&node->eval, text);
    if (node->kept != NULL)
        text_add(text, "%s", node->kept);
}

// The side of a stone, by its distance to the root.
static Side side_at(const WebTree *tree, unsigned depth)
{
    return (Side)(board_turn_after(&tree->root, tree->root.state.turn, depth) >> 32 & 1);
}

static void add_node(const WebTree *tree, WebNodeId id, unsigned depth, Text *text)
{
    const WebNode *node = &tree->nodes[id];
    sgf_add_stone(text, &tree->root.rules, side_at(tree, depth), node->cell);
    if (node->ms >= 0)
        text_add(text, "KT[%d]", node->ms);
    add_properties(node, text);
}

// Whether a node has siblings, which are written in parentheses.
static bool is_branch(const WebTree *tree, WebNodeId id)
{
    WebNodeId first = tree->nodes[tree->nodes[id].parent].child;
    return tree->nodes[first].next != 0;
}

// Writes the branch from a node: down to the first children, and at an end up again to the next sibling. Without
// recursion, since variations may be nested deeply.
static void add_branch(const WebTree *tree, WebNodeId top, unsigned depth, Text *text)
{
    WebNodeId at = top;
    text_add(text, "(");
    add_node(tree, at, depth, text);
    for (;;) {
        WebNodeId next = tree->nodes[at].child;
        while (next == 0 && at != top) {
            text_add(text, is_branch(tree, at) ? ")" : "");
            next = tree->nodes[at].next;
            depth--; // to its parent, whose child the next one is
            at = next == 0 ? tree->nodes[at].parent : at;
        }
        if (next == 0)
            break;
        depth++;
        at = next;
        text_add(text, is_branch(tree, at) ? "(" : "");
        add_node(tree, at, depth, text);
    }
    text_add(text, ")");
}

// Writes the variations of the main line, the last ones first.
static Status add_variations(const WebTree *tree, const WebNodeId *path, unsigned count, GameRecord *record,
                             Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = count; i-- > 0 && status == STATUS_OK;)
        for (WebNodeId id = tree->nodes[path[i]].next; id != 0 && status == STATUS_OK; id = tree->nodes[id].next) {
            Text text = {0};
            add_branch(tree, id, i, &text);
            status = record_add_variation(record, i, (Span){text.data, text.length}, error);
            text_close(&text);
        }
    return status;
}

static Status add_main_line(const WebTree *tree, GameRecord *record, Error *error)
{
    WebNodeId path[RULES_CELLS_MAX];
    unsigned count = 0;
    Status status = STATUS_OK;
    add_properties(&tree->nodes[0], &record->kept);
    for (WebNodeId id = tree->nodes[0].child; id != 0 && status == STATUS_OK; id = tree->nodes[id].child) {
        path[count++] = id;
        status = record_add(record, (RecordStone){.cell = tree->nodes[id].cell, .ms = tree->nodes[id].ms}, error);
        add_properties(&tree->nodes[id], &record->kept);
    }
    return status == STATUS_OK ? add_variations(tree, path, count, record, error) : status;
}

static void name_player(const WebSession *session, Side side, char name[GAMEFILE_NAME_SIZE])
{
    const WebPlayer *player = &session->settings.players[side];
    if (session->names[side][0] != '\0')
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "%s", session->names[side]);
    else if (player->kind == WEB_LEVEL)
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "level:n=%u", player->level);
    else
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "%s", player->kind == WEB_AGENT ? player->given : "human");
}

// A game that begins with stones, or within a turn, has its own start position.
static bool is_set_up(const Board *root)
{
    return board_count(root) > 0 || root->state.turn != root->rules.q;
}

// The main line of a tree, which is that of the session or a copy.
static Status record_of(const WebSession *session, const WebTree *tree, GameRecord *record, Error *error)
{
    *record = (GameRecord){.rules = session->rules};
    name_player(session, SIDE_FIRST, record->first);
    name_player(session, SIDE_SECOND, record->second);
    if (is_set_up(&tree->root))
        record_set_up(record, &tree->root);
    Status status = add_main_line(tree, record, error);
    if (status != STATUS_OK)
        return status;
    Game game;
    WebNodeId last = 0;
    while (tree->nodes[last].child != 0)
        last = tree->nodes[last].child;
    web_tree_game(tree, last, &game);
    record->result = result_of_board(&game.board);
    if (record->result == RESULT_NONE && session->end_result != RESULT_NONE && session->end_node == last) {
        record->result = session->end_result;
        (void)snprintf(record->reason, sizeof record->reason, "%s", session->end_reason);
    }
    return STATUS_OK;
}

Status web_files_record(const WebSession *session, GameRecord *record, Error *error)
{
    return record_of(session, &session->tree, record, error);
}

Status web_files_record_here(const WebSession *session, GameRecord *record, Error *error)
{
    WebTree tree;
    web_tree_copy(&tree, &session->tree);
    web_tree_promote(&tree, session->current);
    while (tree.nodes[session->current].child != 0)
        web_tree_delete(&tree, tree.nodes[session->current].child);
    Status status = record_of(session, &tree, record, error);
    web_tree_close(&tree);
    return status;
}

static Status handle_export(WebCall *call)
{
    const char *name = web_query(call, "format");
    const Format *format = format_find(span_of(name != NULL ? name : "sgf"));
    if (format == NULL || format->write == NULL)
        return web_fail(call, 400, "format", "games cannot be written in this format");
    WebSession *session = web_play_enter(call);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    GameRecord record = {0};
    Status status = web_files_record(session, &record, call->error);
    web_session_leave(session);
    if (status == STATUS_OK)
        status = formats_write(&record, format, &call->reply->text, call->error);
    if (status == STATUS_BAD_INPUT)
        status = STATUS_FAILED; // it is the game that the format cannot hold
    Span endings = span_of(format->endings), ending = span_of("txt");
    (void)span_next_word(&endings, " ", &ending);
    (void)snprintf(call->reply->name, sizeof call->reply->name, "game.%.*s", SPAN_PRINT(ending));
    record_close(&record);
    return status;
}

// --- Reading ---

static void take_comment(WebTree *tree, WebNodeId id, Span value)
{
    Text plain = {0};
    sgf_add_plain(value, &plain);
    if (plain.length > WEB_COMMENT_MAX)
        plain.data[WEB_COMMENT_MAX] = '\0';
    char clean[WEB_COMMENT_MAX + 1] = "";
    // Line ends stay; everything else that is no text goes.
    size_t length = 0;
    for (Span rest = {plain.length > 0 ? plain.data : "", strlen(plain.length > 0 ? plain.data : "")};
         rest.length > 0;) {
        size_t size = utf8_char(rest);
        bool is_text = size > 0 && (rest.at[0] == '\n' || !utf8_is_control(rest.at, size));
        if (is_text) {
            memcpy(clean + length, rest.at, size);
            length += size;
        }
        size = size > 0 ? size : 1;
        rest = (Span){rest.at + size, rest.length - size};
    }
    clean[length] = '\0';
    web_tree_comment(tree, id, clean);
    text_close(&plain);
}

// Reads comment, time and evaluation; stores other properties unchanged.
static void take_properties(WebTree *tree, WebNodeId id, Span properties)
{
    if (properties.length == 0)
        return;
    Span value = {0};
    WebNode *node = &tree->nodes[id];
    int64_t ms = 0;
    if (sgf_property(properties, "C", &value))
        take_comment(tree, id, value);
    WebEval eval;
    if (sgf_property(properties, "KV", &value) && eval_read(value, &tree->root.rules, &eval))
        node->eval = eval;
    if (sgf_property(properties, "KT", &value) && span_to_int(value, 0, INT32_MAX, &ms))
        node->ms = (int32_t)ms;
    static const char *const taken[] = {"C", "KV", "KT"};
    Text rest = {0}, next = {0};
    text_add_span(&rest, properties);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        sgf_add_others((Span){rest.length > 0 ? rest.data : "", rest.length}, taken[i], &next);
        text_close(&rest);
        rest = next;
        next = (Text){0};
    }
    free(node->kept);
    node->kept = rest.length > 0 ? rest.data : NULL;
    if (rest.length == 0)
        text_close(&rest);
}

// Walks through a variation along the tree.
typedef struct {
    WebTree *tree;
    WebNodeId at;
    Game game;
    Status status;
    Error *error;
} Reader;

static bool read_stone(void *context, Side side, Cell cell, Span properties)
{
    Reader *reader = context;
    if (reader->status != STATUS_OK || !board_is_legal(&reader->game.board, cell) ||
        board_side(&reader->game.board) != side)
        return false;
    WebNodeId child = 0;
    reader->status = web_tree_play(reader->tree, reader->at, cell, &child, reader->error);
    if (reader->status != STATUS_OK)
        return false;
    game_play(&reader->game, cell);
    reader->at = child;
    take_properties(reader->tree, child, properties);
    return true;
}

static void read_more(void *context, Span properties)
{
    Reader *reader = context;
    Span value = {0};
    if (reader->status == STATUS_OK && reader->tree->nodes[reader->at].comment == NULL &&
        sgf_property(properties, "C", &value))
        take_comment(reader->tree, reader->at, value);
}

static void read_back(void *context, unsigned stones)
{
    Reader *reader = context;
    for (; stones > 0; stones--) {
        (void)game_undo(&reader->game);
        reader->at = reader->tree->nodes[reader->at].parent;
    }
}

static Status read_variations(WebTree *tree, const WebNodeId *path, const GameRecord *record, Error *error)
{
    Reader *reader = memory_new(1, sizeof *reader);
    *reader = (Reader){.tree = tree, .error = error};
    SgfVisitor visitor = {reader, read_stone, read_more, read_back};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < record->variation_count && status == STATUS_OK; i++) {
        unsigned after = record->variations[i].after;
        reader->at = after > 0 && after <= record->count ? path[after - 1] : 0;
        web_tree_game(tree, reader->at, &reader->game);
        sgf_walk(record_variation(record, i), &record->rules, &visitor);
        status = reader->status;
    }
    free(reader);
    return status;
}

// The tree of a legal record; `last` is the end of its main line.
static Status tree_of(const GameRecord *record, WebTree *tree, WebNodeId *last, Error *error)
{
    Board root;
    if (record->setup != NULL)
        board_copy(&root, record->setup);
    else
        board_init(&root, &record->rules);
    WebNodeId path[RULES_CELLS_MAX];
    *last = 0;
    Status status = STATUS_OK;
    web_tree_open(tree, &root);
    take_properties(tree, 0, record_kept(record, 0));
    for (unsigned i = 0; i < record->count && status == STATUS_OK; i++) {
        status = web_tree_play(tree, *last, record->stones[i].cell, last, error);
        if (status != STATUS_OK)
            break;
        path[i] = *last;
        tree->nodes[*last].ms = record->stones[i].ms;
        take_properties(tree, *last, record_kept(record, i + 1));
    }
    return status == STATUS_OK ? read_variations(tree, path, record, error) : status;
}

Status web_files_open(WebSession *session, const GameRecord *record, Error *error)
{
    WebTree tree = {0};
    WebNodeId last = 0;
    Status status = tree_of(record, &tree, &last, error);
    if (status != STATUS_OK) {
        web_tree_close(&tree);
        return status;
    }
    WebCall unused = {.reply = &(WebReply){0}, .error = &(Error){0}};
    if (web_settings_check(&unused, &session->settings, &record->rules) != STATUS_OK)
        session->settings.players[0] = session->settings.players[1] = (WebPlayer){.kind = WEB_PERSON};
    session->is_live = false;
    web_session_replace(session, &tree);
    (void)snprintf(session->names[0], sizeof session->names[0], "%s", record->first);
    (void)snprintf(session->names[1], sizeof session->names[1], "%s", record->second);
    web_session_goto(session, last);
    if (record->result != RESULT_NONE && !game_is_over(&session->game))
        web_session_end(session, record->result, record->reason[0] != '\0' ? record->reason : "as the file says");
    session->save.is_due = false; // it ended elsewhere
    web_scan_restore(session);
    return STATUS_OK;
}

typedef struct {
    size_t index;
    GameRecord record;
    bool is_found;
    size_t line;
    Error error;
} Wanted;

static bool take_game(void *context, const FormatItem *item)
{
    Wanted *wanted = context;
    if (item->number < wanted->index)
        return true;
    if (item->record == NULL) {
        wanted->line = item->line;
        wanted->error = *item->error;
        return false;
    }
    wanted->record = *item->record;
    *item->record = (GameRecord){0};
    wanted->is_found = true;
    return false;
}

// Finds the game; close the record on success.
static Status read_file(WebCall *call, GameRecord *record)
{
    const char *text = web_field_text(call, "text", WEB_BODY_LARGE), *name = web_field_text(call, "format", 20);
    const char *game = web_field_text(call, "game", 200);
    int64_t index = web_field_int(call, "index", 1, INT32_MAX, 1);
    web_field_need(call, "text");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    const Format *format = name != NULL ? format_find(span_of(name)) : NULL;
    if (name != NULL && format == NULL)
        return web_fail(call, 400, "format", "there is no format '%s'", name);
    Rules rules;
    FormatOptions options = {.format = format, .rules = game != NULL ? &rules : NULL};
    if (game != NULL && rules_parse(span_of(game), &rules, call->error) != STATUS_OK)
        return web_fail(call, 400, "game", "there is no game '%.40s'", game);
    Wanted wanted = {.index = (size_t)index};
    Error error = {0};
    Status status = formats_read(span_of(text), &options, take_game, &wanted, &error);
    if (wanted.is_found) {
        *record = wanted.record;
        return STATUS_OK;
    }
    call->reply->line = (unsigned)wanted.line;
    if (wanted.error.status != STATUS_OK)
        return web_fail(call, 400, "text", "Line %zu: %s", wanted.line, wanted.error.text);
    return web_fail(call, 400, "text", "%s", status != STATUS_OK ? error.text : "the file has no such game");
}

static Status handle_import(WebCall *call)
{
    GameRecord record = {0};
    Status status = read_file(call, &record);
    if (status != STATUS_OK)
        return status;
    WebSession *session = web_play_enter(call);
    if (session != NULL) {
        status = web_files_open(session, &record, call->error);
        if (status == STATUS_OK)
            call->reply->json = web_session_changed(session);
        web_session_leave(session);
    }
    record_close(&record);
    return session != NULL ? status : STATUS_BAD_INPUT;
}

const WebRoute web_files_routes[] = {
    {"POST", "/sessions/{id}/import", handle_import, WEB_SLOW | WEB_LARGE, "Put a game of a file in its place",
     .names = "text format index game"},
    {"GET", "/sessions/{id}/export", handle_export, WEB_SLOW, "The game as a file", .names = "format"},
    {0},
};
