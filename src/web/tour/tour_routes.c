// The routes of the tour.
#include "web/tour/tour_internal.h"

#include "game/notation.h"

#include <string.h>

static Status get_list(WebCall *call)
{
    call->reply->json = web_tour_list();
    return STATUS_OK;
}

static Status get_chapter(WebCall *call)
{
    bool found = false;
    Status status = web_tour_chapter(call->request->parameter[0], &call->reply->json, &found, call->error);
    return status == STATUS_OK && !found ? web_fail(call, 404, "id", "The tour has no such chapter.") : status;
}

// {"e5": "X", …} of a body.
static Status read_stones(const json_t *stones, const Rules *rules, WebTourTry *change, WebCall *call)
{
    const char *name = NULL;
    json_t *value = NULL;
    if (json_object_size(stones) > WEB_TOUR_CHANGES_MAX)
        return web_fail(call, 400, "stones", "At most %d stones can be changed.", WEB_TOUR_CHANGES_MAX);
    json_object_foreach(web_iterable(stones), name, value)
    {
        const char *stone = json_string_value(value);
        if (cell_parse(span_of(name), rules, &change->cells[change->count], call->error) != STATUS_OK)
            return web_fail(call, 400, "stones", "%s", call->error->text);
        if (stone == NULL || strlen(stone) != 1 || strchr("XO.", stone[0]) == NULL)
            return web_fail(call, 400, "stones", "A stone is \"X\", \"O\", or \".\" for none.");
        change->stones[change->count++] = stone[0];
    }
    return STATUS_OK;
}

static Status post_try(WebCall *call)
{
    const char *id = call->request->parameter[0];
    WebTourTry change = {.cell = CELL_NONE};
    change.step = (unsigned)web_field_int(call, "step", 0, TOUR_STEPS_MAX, 0);
    change.board = (unsigned)web_field_int(call, "board", 0, TOUR_BOARDS_MAX, 0);
    const json_t *stones = web_field_object(call, "stones");
    const char *cell = web_field_text(call, "cell", CELL_TEXT_SIZE);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Rules rules;
    if (!web_tour_rules(id, change.step, change.board, &rules))
        return web_fail(call, 404, "step", "The tour has no such board.");
    Status status = stones != NULL ? read_stones(stones, &rules, &change, call) : STATUS_OK;
    if (status == STATUS_OK && cell != NULL)
        status = web_blame(call, "cell", cell_parse(span_of(cell), &rules, &change.cell, call->error));
    return status == STATUS_OK ? web_tour_try(id, &change, &call->reply->json, call->error) : status;
}

const WebRoute web_tour_routes[] = {
    {"GET", "/tour", get_list, 0, "The chapters of the tour", .names = NULL},
    {"GET", "/tour/{id}", get_chapter, WEB_SLOW, "A chapter: texts, and boards with everything computed",
     .names = NULL},
    {"POST", "/tour/{id}/try", post_try, WEB_SLOW, "A board of the tour with some stones changed",
     .names = "step board stones cell"},
    {0},
};
