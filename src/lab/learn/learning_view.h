// Progress of a learning run: two small curves on a terminal, or lines in a log.
#pragma once

#include "lab/learn/learning_curve.h"
#include "view/progress.h"

typedef struct {
    const char *label;      // prefix of every line; NULL: none, as on a terminal
    Reporter *reporter;     // NULL: no output
    bool is_terminal;       // draw curves
    double wait;            // seconds between two lines
    unsigned total, before; // games in total, and games played by earlier runs
    double begun, shown;    // clock_seconds
} LearningView;

// `is_alone`: no other process writes to the terminal; `every_game`: without a terminal, one line per game.
void learning_view_begin(LearningView *view, const char *label, Reporter *reporter, bool is_alone, bool every_game);

// Starts with a curve that has the stored games and room for all. On a terminal it draws at once: the first game may
// take minutes.
void learning_view_games(LearningView *view, const LearningCurve *curve);

void learning_view_show(LearningView *view, const LearningCurve *curve);
void learning_view_end(LearningView *view, const LearningCurve *curve);

// The text and curves for a terminal, without cursor movement. Always four lines.
enum { LEARNING_VIEW_ROWS = 4 };
void learning_view_draw(const LearningView *view, const LearningCurve *curve, Text *text);
