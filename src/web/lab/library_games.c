// Games of the database and of uploaded game files.
#include "web/lab/library_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/diagram.h"
#include "game/notation.h"
#include "store/db/database_search.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

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

static Status read_search(WebCall *call, Asked *asked)
{
    // In the order of the enums.
    static const char *const results[] = {"", "first", "second", "draw", NULL};
    static const char *const origins[] = {"", "played", "imported", NULL};
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

static bool take_head(void *context, const DatabaseGameHead *head)
{
    (void)json_array_append_new(context, head_json(head));
    return true;
}

Status web_library_get_games(WebCall *call)
{
    Asked *asked = memory_new(1, sizeof *asked);
    Database *db = NULL;
    DatabaseFound found = {.is_complete = true};
    json_t *list = json_array();
    Status status = read_search(call, asked);
    asked->search.sink = take_head;
    asked->search.context = list;
    if (status == STATUS_OK)
        status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_search_games(db, &asked->search, &found, call->error);
    call->reply->json = json_pack("{s:o, s:b, s:o, s:o}", "total",
                                  found.is_complete ? json_integer((json_int_t)found.total) : json_null(), "complete",
                                  found.is_complete, "next", web_number_json(found.next), "games", list);
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
    Text text = {0};
    if (record->setup == NULL)
        return json_null();
    diagram_write(record->setup, &text);
    json_t *string = json_string(text.data != NULL ? text.data : "");
    text_close(&text);
    return string;
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
