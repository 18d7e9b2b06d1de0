// The tour of the five papers: chapters of a few steps, each with a text and one or two boards. Positions and
// texts are in data/tour; marks, counts and captions of a position are computed on request.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_tour_routes[];

json_t *web_tour_list(void);

// A chapter by its name, with everything on its boards; NULL with `*found` false when the tour has no such chapter.
Status web_tour_chapter(const char *id, json_t **result, bool *found, Error *error);

// Stones that a visitor puts on a board of the tour or removes.
enum { WEB_TOUR_CHANGES_MAX = 64 };

typedef struct {
    unsigned step, board;
    unsigned count;
    Cell cells[WEB_TOUR_CHANGES_MAX];
    char stones[WEB_TOUR_CHANGES_MAX]; // X, O or .
    Cell cell;                         // the cell that the lens shows; CELL_NONE: the one of the tour
} WebTourTry;

// The rules of a board of the tour; false when the tour has no such board.
bool web_tour_rules(const char *id, unsigned step, unsigned board, Rules *rules);

// The board after these changes. The board must exist.
Status web_tour_try(const char *id, const WebTourTry *change, json_t **result, Error *error);
