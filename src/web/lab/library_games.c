// Games of the database and of uploaded game files.
#include "web/lab/library_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/diagram.h"
#include "game/fen.h"
#include "game/notation.h"
#include "store/db/database_search.h"
#include "store/formats/formats.h"
#include "view/json_view.h"
#include "web/saves/saves.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES_MOST = 200, IMPORT_MOST = 200, IMPORT_ERRORS_MOST = 50 };

// --- Searches ---

// The search of a request, and the memory behind it.
typedef struct {
    DatabaseGameSearch search;
    Rules rules;
    Game position;
} Asked;

// The number of the word of a query parameter; 0 when it is absent.
static int read_choice(WebCall *call, const char *name, const char *const *words)
{
    const char *text = web_query(call, name);
    if (text == NULL || text[0] == '\0')
        return 0;
    for (int i = 1; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    if (call->error->status == STATUS_OK)
        (void)web_fail(call, 400, name, "'%.40s' is not a valid %s.", text, name);
    return 0;
}

static Status read_position(WebCall *call, Asked *asked, bool given)
{
    const char *moves = web_query(call, "moves");
    if (moves == NULL || moves[0] == '\0')
        return STATUS_OK;
    if (!given)
        return web_fail(call, 400, "game", "'moves' requires the parameter 'game'.");
    game_init(&asked->position, &asked->rules);
    if (game_read(&asked->position, span_of(moves), call->error) != STATUS_OK)
        return web_fail(call, 400, "moves", "%s", call->error->text);
    asked->search.position = &asked->position.board;
    return STATUS_OK;
}

static const char *read_part(const WebCall *call, const char *name)
{
    const char *text = web_query(call, name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static Status read_search(WebCall *call, Asked *asked)
{
    // In the order of the enums.
    static const char *const results[] = {"", "first", "second", "draw", NULL};
    static const char *const origins[] = {"", "played", "imported", "saved", NULL};
    bool given = false;
    DatabaseGameSearch *search = &asked->search;
    DatabaseFilter *filter = &search->filter;
    const char *agent = web_query(call, "agent");
    (void)web_library_rules(call, &asked->rules, &given);
    filter->result = (Result)read_choice(call, "result", results);
    filter->origin = (DatabaseOrigin)read_choice(call, "origin", origins);
    filter->before = web_query_int(call, "before", 1, INT64_MAX, 0);
    filter->match = web_query_int(call, "match", 1, INT64_MAX, 0);
    filter->agent = agent != NULL && agent[0] != '\0' ? agent : NULL;
    filter->player = read_part(call, "player");
    filter->text = read_part(call, "text");
    filter->since = web_query_int(call, "since", 1, INT64_MAX, 0);
    filter->until = web_query_int(call, "until", 1, INT64_MAX, 0);
    filter->rules = given ? &asked->rules : NULL;
    filter->deadline = clock_seconds() + WEB_LIBRARY_SECONDS;
    search->limit = (unsigned)web_query_int(call, "limit", 1, GAMES_MOST, 50);
    search->offset = (unsigned)web_query_int(call, "offset", 0, INT32_MAX, 0);
    search->is_symmetric = web_query_int(call, "symmetric", 0, 1, 1) != 0;
    return call->error->status == STATUS_OK ? read_position(call, asked, given) : call->error->status;
}

// --- Games ---

static json_t *head_json(const DatabaseGameHead *head)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:s?, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "id", (json_int_t)head->id,
                     "game", view_rules(&head->rules), "first", view_text(head->first), "second",
                     view_text(head->second), "winner", result_name(head->result), "reason", view_text(head->reason),
                     "stones", (int)head->stones, "played",
                     web_number_json(head->ended != 0 ? head->ended : head->started), "date", view_text(head->date),
                     "event", view_text(head->event), "match", web_number_json(head->match), "number",
                     head->match != 0 ? json_integer(head->number) : json_null());
}

typedef struct {
    json_t *list;
    bool has_boards; // with the stones and the set-up position
} Page;

static json_t *words_json(const char *text)
{
    json_t *list = json_array();
    Span rest = span_of(text), word = {0};
    while (span_next_word(&rest, " ", &word))
        (void)json_array_append_new(list, json_stringn(word.at, word.length));
    return list;
}

static json_t *diagram_json(const Board *board)
{
    Text text = {0};
    diagram_write(board, &text);
    json_t *string = json_string(text.data != NULL ? text.data : "");
    text_close(&text);
    return string;
}

static bool take_head(void *context, const DatabaseGameHead *head)
{
    Page *page = context;
    json_t *object = head_json(head);
    Game game;
    (void)json_object_set_new(object, "saved", json_boolean(head->is_saved));
    (void)json_object_set_new(object, "reviewed", json_boolean(head->is_reviewed));
    if (page->has_boards) {
        bool is_set_up = head->setup != NULL && fen_read(span_of(head->setup), &head->rules, &game, NULL) == STATUS_OK;
        (void)json_object_set_new(object, "moves", words_json(head->moves));
        (void)json_object_set_new(object, "setup", is_set_up ? diagram_json(&game.board) : json_null());
    }
    (void)json_array_append_new(page->list, object);
    return true;
}

static bool note_game(void *context, const DatabaseGame *game)
{
    (void)game;
    *(bool *)context = true;
    return false;
}

// Deletes a saved game; other games are the records of matches and files.
Status web_library_delete_game(WebCall *call)
{
    int64_t id = web_path_id(call);
    Database *db = NULL;
    bool is_removed = false, exists = false;
    Status status = id > 0 ? web_library_open(call->context, &db, call->error) : STATUS_OK;
    if (status == STATUS_OK && db != NULL)
        status = database_remove_saved(db, id, &is_removed, call->error);
    if (status == STATUS_OK && db != NULL && !is_removed)
        status = database_read_game(db, id, note_game, &exists, call->error);
    database_close(db);
    if (status == STATUS_OK && exists)
        return web_fail(call, 409, "id", "Only games that were played on this page can be deleted.");
    if (status == STATUS_OK && !is_removed)
        return web_fail(call, 404, "id", "There is no such game.");
    call->reply->status = 204;
    return status;
}

typedef struct {
    const Format *format;
    Text *text;
    Status status;
    Error *error;
    unsigned written, left_out; // games that the format cannot represent are left out
} Exported;

static bool write_game(void *context, const DatabaseGame *game)
{
    enum { EXPORT_MOST = 64 << 20 };
    Exported *out = context;
    bool is_written = formats_write(game->record, out->format, out->text, NULL) == STATUS_OK;
    out->written += is_written;
    out->left_out += !is_written;
    if (out->text->length > EXPORT_MOST)
        out->status = error_set(out->error, STATUS_FAILED, "These are too many games for one file; choose fewer.");
    return out->status == STATUS_OK;
}

// All games of a search as one file, oldest first.
Status web_library_export(WebCall *call)
{
    const char *name = web_query(call, "format");
    const Format *format = format_find(span_of(name != NULL && name[0] != '\0' ? name : "sgf"));
    if (format == NULL || format->write == NULL)
        return web_fail(call, 400, "format", "games cannot be written in this format");
    Asked *asked = memory_new(1, sizeof *asked);
    Database *db = NULL;
    Exported out = {.format = format, .text = &call->reply->text, .error = call->error};
    Status status = read_search(call, asked);
    asked->search.filter.deadline = 0;
    if (status == STATUS_OK)
        status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_each_game(db, &asked->search.filter, write_game, &out, call->error);
    database_close(db);
    free(asked);
    status = status != STATUS_OK ? status : out.status;
    if (status == STATUS_OK && out.written == 0)
        return web_fail(call, 409, "format",
                        out.left_out > 0 ? "This format can hold none of these games." : "There is no such game.");
    Span endings = span_of(format->endings), ending = span_of("txt");
    (void)span_next_word(&endings, " ", &ending);
    (void)snprintf(call->reply->name, sizeof call->reply->name, "games.%.*s", SPAN_PRINT(ending));
    return status;
}

Status web_library_get_games(WebCall *call)
{
    Asked *asked = memory_new(1, sizeof *asked);
    Database *db = NULL;
    DatabaseFound found = {.is_complete = true};
    Page page = {json_array(), web_query_int(call, "boards", 0, 1, 0) != 0};
    Status status = read_search(call, asked);
    asked->search.sink = take_head;
    asked->search.context = &page;
    if (status == STATUS_OK)
        status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_search_games(db, &asked->search, &found, call->error);
    call->reply->json = json_pack("{s:o, s:b, s:o, s:b, s:o}", "total",
                                  found.is_complete ? json_integer((json_int_t)found.total) : json_null(), "complete",
                                  found.is_complete, "next", web_number_json(found.next), "saves",
                                  web_saves_is_on(call->context->saves), "games", page.list);
    database_close(db);
    free(asked);
    return status;
}

static json_t *times_json(const GameRecord *record)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < record->count; i++)
        (void)json_array_append_new(list, record->stones[i].ms >= 0 ? json_integer(record->stones[i].ms) : json_null());
    return list;
}

static json_t *moves_json(const GameRecord *record)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < record->count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(record->stones[i].cell, name);
        (void)json_array_append_new(list, json_string(name));
    }
    return list;
}

static json_t *setup_json(const GameRecord *record)
{
    return record->setup != NULL ? diagram_json(record->setup) : json_null();
}

static bool take_game(void *context, const DatabaseGame *game)
{
    static const char *const faults[] = {NULL, "illegal", "timeout", "crash"};
    json_t **object = context;
    const GameRecord *record = game->record;
    DatabaseGameHead head = {.id = game->id,
                             .match = game->match,
                             .number = game->number,
                             .rules = record->rules,
                             .first = game->first,
                             .second = game->second,
                             .reason = game->reason,
                             .event = record->event,
                             .date = record->date,
                             .result = record->result,
                             .stones = record->count,
                             .started = game->started,
                             .ended = game->ended};
    *object = head_json(&head);
    (void)json_object_update_new(*object, json_pack("{s:o, s:o, s:o, s:i, s:s?, s:s?}", "moves", moves_json(record),
                                                    "times", times_json(record), "setup", setup_json(record), "opening",
                                                    (int)game->opening, "fault", faults[game->fault], "faulty",
                                                    game->fault != FAULT_NONE ? side_name(game->faulty) : NULL));
    return true;
}

Status web_library_get_game(WebCall *call)
{
    int64_t id = web_path_id(call);
    Database *db = NULL;
    Status status = id > 0 ? web_library_open(call->context, &db, call->error) : STATUS_OK;
    if (status == STATUS_OK && db != NULL)
        status = database_read_game(db, id, take_game, &call->reply->json, call->error);
    database_close(db);
    return status == STATUS_OK && call->reply->json == NULL ? web_fail(call, 404, "id", "There is no such game.")
                                                            : status;
}

typedef struct {
    GameRecord *record;
    bool is_found;
    Status status;
    Error *error;
} Copying;

static bool copy_record(void *context, const DatabaseGame *game)
{
    Copying *copying = context;
    copying->is_found = true;
    GameRecord *to = copying->record;
    const GameRecord *from = game->record;
    *to = (GameRecord){.rules = from->rules, .result = from->result};
    record_set_text(to->first, span_of(game->first));
    record_set_text(to->second, span_of(game->second));
    record_set_text(to->event, span_of(from->event));
    record_set_text(to->date, span_of(from->date));
    record_set_text(to->reason, span_of(game->reason));
    if (from->setup != NULL)
        record_set_up(to, from->setup);
    for (unsigned i = 0; i < from->count && copying->status == STATUS_OK; i++) {
        Span kept = record_kept(from, i);
        text_add_span(&to->kept, kept);
        RecordStone stone = {.cell = from->stones[i].cell, .ms = from->stones[i].ms};
        copying->status = record_add(to, stone, copying->error);
    }
    text_add_span(&to->kept, record_kept(from, from->count));
    return true;
}

Status web_library_record(WebContext *context, int64_t id, GameRecord *record, Error *error)
{
    Database *db = NULL;
    Copying copying = {.record = record, .error = error};
    Status status = web_library_open(context, &db, error);
    if (status == STATUS_OK && db != NULL)
        status = database_read_game(db, id, copy_record, &copying, error);
    database_close(db);
    if (status == STATUS_OK && !copying.is_found)
        return error_set(error, STATUS_BAD_INPUT, "There is no such game.");
    return status != STATUS_OK ? status : copying.status;
}

// --- Game files ---

typedef struct {
    json_t *games, *errors;
    size_t read;
} Imported;

static bool take_item(void *context, const FormatItem *item)
{
    Imported *imported = context;
    imported->read++;
    if (item->record == NULL) {
        if (json_array_size(imported->errors) < IMPORT_ERRORS_MOST)
            (void)json_array_append_new(imported->errors, json_pack("{s:I, s:s}", "line", (json_int_t)item->line,
                                                                    "message", item->error->text));
        return true;
    }
    const GameRecord *record = item->record;
    if (json_array_size(imported->games) < IMPORT_MOST)
        (void)json_array_append_new(
            imported->games,
            json_pack("{s:I, s:o, s:{s:s, s:s}, s:s?, s:s, s:s, s:i, s:o, s:b}", "index", (json_int_t)item->number,
                      "game", view_rules(&record->rules), "names", "first", record->first, "second", record->second,
                      "result", result_name(record->result), "date", record->date, "event", record->event, "stones",
                      (int)record->count, "moves", moves_json(record), "setup", record->setup != NULL));
    return imported->read < 100 * (size_t)IMPORT_MOST;
}

Status web_library_post_import(WebCall *call)
{
    web_field_need(call, "text");
    const char *text = web_field_text(call, "text", WEB_BODY_LARGE);
    const char *name = web_field_text(call, "format", 32);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    const Format *format = name != NULL ? format_find(span_of(name)) : NULL;
    if (name != NULL && format == NULL)
        return web_fail(call, 400, "format", "There is no format '%s'.", name);
    if (format == NULL && format_guess(NULL, span_of(text), &format, call->error) != STATUS_OK)
        return web_fail(call, 400, "format", "%s", call->error->text);
    Imported imported = {.games = json_array(), .errors = json_array()};
    // Reports each damaged game and takes the rest.
    (void)formats_read(span_of(text), &(FormatOptions){.format = format}, take_item, &imported, call->error);
    bool truncated = imported.read > json_array_size(imported.games) + json_array_size(imported.errors);
    call->reply->json = json_pack("{s:s, s:o, s:o, s:b}", "format", format->name, "games", imported.games, "errors",
                                  imported.errors, "truncated", truncated);
    return STATUS_OK;
}
