// The routes of the tour and their JSON: chapters, and boards with the results of their lenses.
#include "web/tour/tour.h"

#include "game/diagram.h"
#include "game/notation.h"
#include "view/json_view.h"
#include "web/tour/tour_internal.h"

#include <math.h>
#include <string.h>

// --- Elements of a picture ---

unsigned tour_cells(Span text, const Rules *rules, Cell *cells, unsigned most)
{
    Span rest = text, word = {0};
    unsigned count = 0;
    while (count < most && span_next_word(&rest, " ", &word))
        count += cell_parse(word, rules, &cells[count], NULL) == STATUS_OK;
    return count;
}

void tour_label(unsigned number, Side side, char label[TOUR_LABEL_SIZE])
{
    column_format(number, label);
    for (char *at = label; *at != '\0' && side == SIDE_FIRST; at++)
        *at = (char)(*at - 'a' + 'A');
}

void tour_mark(TourPicture *picture, const TourMark *mark)
{
    (void)json_array_append_new(
        picture->marks,
        json_pack("{s:s, s:o, s:s?, s:s, s:o, s:b}", "kind", mark->kind, "cells", view_cells(mark->cells, mark->count),
                  "side", mark->side, "label", mark->label != NULL ? mark->label : "", "value",
                  isnan(mark->value) ? json_null() : json_real(mark->value), "shown", !mark->hidden));
}

void tour_mark_windows(TourPicture *picture, const Board *board, Side side, const Window *windows, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        char label[TOUR_LABEL_SIZE];
        tour_label(i, side, label);
        unsigned length = window_cells(board, windows[i].line, window_bits(board, windows[i]), cells);
        tour_mark(picture, &(TourMark){"window", cells, length, side_name(side), label, NAN, false});
    }
}

__attribute__((format(printf, 1, 0))) static json_t *words_of(const char *format, va_list list)
{
    char words[512];
    (void)vsnprintf(words, sizeof words, format, list);
    return json_string(words);
}

void tour_judged_fact(TourPicture *picture, const char *label, json_t *value, TourVerdict verdict, const char *words,
                      ...)
{
    static const char *const verdicts[] = {NULL, "right", "high", "low"};
    va_list list;
    va_start(list, words);
    (void)json_array_append_new(picture->facts,
                                json_pack("{s:s, s:o, s:s?, s:o}", "label", label, "value", value, "verdict",
                                          verdicts[verdict], "words", words_of(words, list)));
    va_end(list);
}

void tour_play(TourPicture *picture, const Cell *cells, unsigned count, Side side, const char *words, ...)
{
    va_list list;
    va_start(list, words);
    if (picture->sequence == NULL)
        picture->sequence = json_array();
    (void)json_array_append_new(picture->sequence, json_pack("{s:o, s:s, s:o}", "stones", view_cells(cells, count),
                                                             "side", side_name(side), "words", words_of(words, list)));
    va_end(list);
}

// --- Positions ---

static Status read_position(const TourBoard *board, Span rows, Game *game, Error *error)
{
    Rules rules;
    Status status = rules_parse(board->game, &rules, error);
    if (status == STATUS_OK)
        status = diagram_read(rows, &rules, game, error);
    if (status == STATUS_OK && board->moves.length > 0)
        status = game_read(game, board->moves, error);
    return status;
}

// The diagram of a board after some changes. The stones of the last turn, which are played after it, cannot be changed.
static Status change_rows(const TourBoard *board, const WebTourTry *change, Text *rows, Error *error)
{
    Game game;
    TourBoard before = *board;
    before.moves = (Span){0};
    Status status = read_position(&before, board->rows, &game, error);
    if (status != STATUS_OK)
        return status;
    const Rules *rules = &game.board.rules;
    Cell played[8];
    unsigned count = tour_cells(board->moves, rules, played, 8);
    for (unsigned i = 0; i < change->count; i++) {
        Cell cell = change->cells[i];
        for (unsigned j = 0; j < count; j++)
            if (played[j] == cell)
                return error_set(error, STATUS_BAD_INPUT, "a stone of the last turn cannot be changed");
        Stone old = board_stone(&game.board, cell);
        if (old != STONE_NONE)
            board_take(&game.board, cell, (Side)old);
        if (change->stones[i] != '.')
            board_put(&game.board, cell, change->stones[i] == 'X' ? SIDE_FIRST : SIDE_SECOND);
    }
    diagram_write(&game.board, rows);
    return STATUS_OK;
}

// --- A board ---

// A text of data/tour as one line.
static json_t *text_json(Span text)
{
    Text line = {0};
    Span word = {0};
    while (span_next_word(&text, " \n", &word)) {
        text_add(&line, "%s", line.length > 0 ? " " : "");
        text_add_span(&line, word);
    }
    json_t *string = json_stringn(line.data, line.length);
    text_close(&line);
    return string;
}

static json_t *rules_json(const Rules *rules)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:b}", "width", (int)rules->width, "height", (int)rules->height, "k",
                     (int)rules->k, "p", (int)rules->p, "q", (int)rules->q, "gravity", rules->gravity);
}

static json_t *board_json(const TourPicture *picture)
{
    const TourBoard *board = picture->task;
    const Game *game = picture->game;
    json_t *object = json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:s, s:i, s:s, s:o, s:o, s:o?, s:o?, s:{s:[s,s,s], s:b}}", "heading",
        text_json(board->heading), "caption", picture->caption.data != NULL ? picture->caption.data : "", "game",
        view_rules(&game->board.rules), "rules", rules_json(&game->board.rules), "rows", view_rows(&game->board),
        "turn", side_name(board_side(&game->board)), "stones_left", (int)board_stones_left(&game->board), "kind",
        board->lens->kind, "marks", picture->marks, "facts", picture->facts, "scan", picture->scan, "sequence",
        picture->sequence, "try", "stones", "X", "O", ".", "cell", board->lens->takes_cell);
    (void)json_object_set_new(object, "last", view_cells(game->stones, game->played));
    return object;
}

static void close_picture(TourPicture *picture)
{
    json_decref(picture->marks);
    json_decref(picture->facts);
    json_decref(picture->scan);
    json_decref(picture->sequence);
    text_close(&picture->caption);
}

static Status look(const TourBoard *board, const Game *game, Cell cell, json_t **result, Error *error)
{
    const Rules *rules = &game->board.rules;
    if (cell == CELL_NONE && board->lens->takes_cell)
        (void)tour_cells(board->asked, rules, &cell, 1);
    TourPicture picture = {.task = board,
                           .game = game,
                           .board = &game->board,
                           .cell = cell,
                           .error = error,
                           .marks = json_array(),
                           .facts = json_array()};
    Status status = STATUS_OK;
    if (!board_is_over(&game->board))
        status = board->lens->look(&picture);
    else if (board_winner(&game->board) == WINNER_NONE)
        text_add(&picture.caption, "The board is full: there is nothing left to look at.");
    else
        text_add(&picture.caption, "%s has a row already: there is nothing left to look at.",
                 web_side_name(rules, board_winner(&game->board) == WINNER_FIRST ? SIDE_FIRST : SIDE_SECOND));
    if (status == STATUS_OK) {
        *result = board_json(&picture); // takes the lists
        picture.marks = picture.facts = picture.scan = picture.sequence = NULL;
    }
    close_picture(&picture);
    return status;
}

// --- Chapters ---

static json_t *head_json(const TourChapter *chapter)
{
    return json_pack("{s:o, s:i, s:o, s:o}", "id", text_json(chapter->id), "paper", (int)chapter->paper, "source",
                     text_json(chapter->source), "title", text_json(chapter->title));
}

static json_t *chapter_json(const TourChapter *chapter)
{
    json_t *object = head_json(chapter), *titles = json_array();
    for (unsigned i = 0; i < chapter->step_count; i++)
        (void)json_array_append_new(titles, text_json(chapter->steps[i].title));
    (void)json_object_set_new(object, "steps", titles);
    return object;
}

json_t *web_tour_list(void)
{
    json_t *list = json_array();
    TourChapter chapter;
    for (unsigned i = 0; tour_chapter(i, &chapter); i++)
        (void)json_array_append_new(list, chapter_json(&chapter));
    return list;
}

static json_t *paragraphs(const TourStep *step)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < step->text_count; i++)
        (void)json_array_append_new(list, text_json(step->texts[i]));
    return list;
}

static Status step_json(const TourStep *step, json_t **result, Error *error)
{
    json_t *boards = json_array();
    Status status = STATUS_OK;
    for (unsigned i = 0; i < step->board_count && status == STATUS_OK; i++) {
        Game game;
        json_t *board = NULL;
        status = read_position(&step->boards[i], step->boards[i].rows, &game, error);
        if (status == STATUS_OK)
            status = look(&step->boards[i], &game, CELL_NONE, &board, error);
        if (board != NULL)
            (void)json_array_append_new(boards, board);
    }
    *result = json_pack("{s:o, s:o, s:o}", "title", text_json(step->title), "text", paragraphs(step), "boards", boards);
    return status;
}

Status web_tour_chapter(const char *id, json_t **result, bool *found, Error *error)
{
    TourChapter chapter;
    *result = NULL;
    *found = tour_find_chapter(id, &chapter);
    if (!*found)
        return STATUS_OK;
    json_t *steps = json_array();
    Status status = STATUS_OK;
    for (unsigned i = 0; i < chapter.step_count && status == STATUS_OK; i++) {
        json_t *step = NULL;
        status = step_json(&chapter.steps[i], &step, error);
        (void)json_array_append_new(steps, step);
    }
    if (status != STATUS_OK) {
        json_decref(steps);
        return status;
    }
    *result = head_json(&chapter);
    (void)json_object_set_new(*result, "steps", steps);
    return STATUS_OK;
}

bool web_tour_rules(const char *id, unsigned step, unsigned board, Rules *rules)
{
    TourBoard found;
    return tour_find_board(id, step, board, &found) && rules_parse(found.game, rules, NULL) == STATUS_OK;
}

Status web_tour_try(const char *id, const WebTourTry *change, json_t **result, Error *error)
{
    TourBoard board;
    bool found = tour_find_board(id, change->step, change->board, &board);
    assert(found && change->count <= WEB_TOUR_CHANGES_MAX);
    (void)found;
    Text rows = {0};
    Game game;
    *result = NULL;
    Status status = change_rows(&board, change, &rows, error);
    if (status == STATUS_OK)
        status = read_position(&board, (Span){rows.data, rows.length}, &game, error);
    if (status == STATUS_OK)
        status = look(&board, &game, change->cell, result, error);
    text_close(&rows);
    return status;
}

// --- Routes ---

static Status get_list(WebCall *call)
{
    call->reply->json = web_tour_list();
    return STATUS_OK;
}

static Status get_chapter(WebCall *call)
{
    bool found = false;
    Status status = web_tour_chapter(call->request->parameter[0], &call->reply->json, &found, call->error);
    return status == STATUS_OK && !found ? web_fail(call, 404, "id", "The tour does not have this chapter.") : status;
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
    {"POST", "/tour/ratings", web_tour_ratings, WEB_SLOW, "How an agent rates the cells of a position",
     .names = "game board agent"},
    {0},
};
