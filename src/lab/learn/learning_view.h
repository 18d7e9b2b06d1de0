// Progress of a learning run: two small curves on a terminal, a line now and then in a log.
#pragma once

#include "lab/learn/learning_curve.h"
#include "view/progress.h"

typedef struct {
    const char *label;      // in front of every line; NULL: none, as on a terminal
    Reporter *reporter;     // NULL: nothing is shown
    bool is_terminal;       // curves are drawn
    double wait;            // seconds between two lines
    unsigned total, before; // games in all, and those that were played before we began
    double begun, shown;    // clock_seconds
} LearningView;

// `is_alone`: no other process writes to the terminal; `every_game`: no game goes untold where there is no terminal.
void learning_view_begin(LearningView *view, const char *label, Reporter *reporter, bool is_alone, bool every_game);

// The games to play are those the curve has room for; it has those that were played before. A terminal is drawn on at
// once: the first game may take minutes.
void learning_view_games(LearningView *view, const LearningCurve *curve);

void learning_view_show(LearningView *view, const LearningCurve *curve);
void learning_view_end(LearningView *view, const LearningCurve *curve);

// The words and curves that a terminal gets, without what moves its cursor. Four lines; their number does not change.
enum { LEARNING_VIEW_ROWS = 4 };
void learning_view_draw(const LearningView *view, const LearningCurve *curve, Text *text);
