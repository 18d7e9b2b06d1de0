// The routes of the tour.
#include "web/tour/tour_internal.h"

#include "game/notation.h"

#include <string.h>

static Status get_list(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    (void)context;
    (void)request;
    (void)error;
    reply->json = web_tour_list();
    return STATUS_OK;
}

static Status get_chapter(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    (void)context;
    bool found = false;
    Status status = web_tour_chapter(request->parameter[0], &reply->json, &found, error);
    return status == STATUS_OK && !found ? web_fail(reply, 404, "id", error, "The tour has no such chapter.") : status;
}

// jansson has no way to walk through an object that may not be changed.
static json_t *to_walk(const json_t *object)
{
    union {
        const json_t *given;
        json_t *walked;
    } same = {object};
    return same.walked;
}

// {"e5": "X", …} of a body.
static Status read_stones(const json_t *stones, const Rules *rules, WebTourTry *change, WebReply *reply, Error *error)
{
    const char *name = NULL;
    json_t *value = NULL;
    if (json_object_size(stones) > WEB_TOUR_CHANGES_MAX)
        return web_fail(reply, 400, "stones", error, "At most %d stones can be changed.", WEB_TOUR_CHANGES_MAX);
    json_object_foreach(to_walk(stones), name, value)
    {
        const char *stone = json_string_value(value);
        if (cell_parse(span_of(name), rules, &change->cells[change->count], error) != STATUS_OK) {
            (void)web_fail(reply, 400, "stones", NULL, "%s", "");
            return STATUS_BAD_INPUT;
        }
        if (stone == NULL || strlen(stone) != 1 || strchr("XO.", stone[0]) == NULL)
            return web_fail(reply, 400, "stones", error, "A stone is \"X\", \"O\", or \".\" for none.");
        change->stones[change->count++] = stone[0];
    }
    return STATUS_OK;
}

static Status post_try(WebContext *context, const WebRequest *request, WebReply *reply, Error *error)
{
    (void)context;
    const char *id = request->parameter[0];
    WebFields fields = web_fields(request->body, "step board stones cell", reply, error);
    WebTourTry change = {.cell = CELL_NONE};
    change.step = (unsigned)web_field_int(&fields, "step", 0, TOUR_STEPS_MAX, 0);
    change.board = (unsigned)web_field_int(&fields, "board", 0, TOUR_BOARDS_MAX, 0);
    const json_t *stones = web_field_object(&fields, "stones");
    const char *cell = web_field_text(&fields, "cell", CELL_TEXT_SIZE);
    if (fields.status != STATUS_OK)
        return fields.status;
    Rules rules;
    if (!web_tour_rules(id, change.step, change.board, &rules))
        return web_fail(reply, 404, "step", error, "The tour has no such board.");
    Status status = stones != NULL ? read_stones(stones, &rules, &change, reply, error) : STATUS_OK;
    if (status == STATUS_OK && cell != NULL) {
        status = cell_parse(span_of(cell), &rules, &change.cell, error);
        if (status != STATUS_OK)
            (void)web_fail(reply, 400, "cell", NULL, "%s", "");
    }
    return status == STATUS_OK ? web_tour_try(id, &change, &reply->json, error) : status;
}

const WebRoute web_tour_routes[] = {
    {"GET", "/tour", get_list, 0, "The chapters of the tour"},
    {"GET", "/tour/{id}", get_chapter, WEB_SLOW, "A chapter: texts, and boards with everything computed"},
    {"POST", "/tour/{id}/try", post_try, WEB_SLOW, "A board of the tour with some stones changed"},
    {0},
};
