// The tour of the five papers: chapters of a few steps, each with a text and one or two boards. Positions and words
// stand in a table (web_tour_chapters.c); what is marked, counted and said about a position is computed when it is
// asked for.
#pragma once

#include "frontends/web_api.h"

extern const WebRoute web_tour_routes[];

// The list of chapters.
json_t *web_tour_list(void);

// A chapter by its name, with everything on its boards; NULL with `*found` false where there is none.
Status web_tour_chapter(const char *id, json_t **result, bool *found, Error *error);

// Stones that somebody puts on a board of the tour, or takes away.
enum { WEB_TOUR_CHANGES_MAX = 64 };

typedef struct {
    unsigned step, board;
    unsigned count;
    Cell cells[WEB_TOUR_CHANGES_MAX];
    char stones[WEB_TOUR_CHANGES_MAX]; // X, O or .
    Cell cell;                         // the cell that is looked at; CELL_NONE: that of the table
} WebTourTry;

// The rules of a board of the tour; false where there is no such board.
bool web_tour_rules(const char *id, unsigned step, unsigned board, Rules *rules);

// The board after these changes; it must be there.
Status web_tour_try(const char *id, const WebTourTry *change, json_t **result, Error *error);
