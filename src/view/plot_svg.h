// Curves as an SVG file: one panel or several above each other over the same x axis, each with a y axis of its own.
//
// Panels replace a second axis, which would not show which curve belongs to which axis. Lines of one kind look the same
// in all panels; kinds differ by dashes and colour. Text stays text; colours follow the light or dark scheme of the
// viewer.
#pragma once

#include "base/text.h"

enum { PLOT_KINDS = 4, PLOT_LABELS_MAX = 12 };

typedef struct {
    const char *name;         // in the key above the panels, which lists each name once
    unsigned kind;            // how it looks, below PLOT_KINDS
    unsigned count;           // points
    const double *x;          // rising; NULL: 1, 2, 3 …
    const double *y;          // non-finite values are left out
    const double *low, *high; // a band around it; NULL: none
} PlotLine;

// A single point, such as a published figure: a diamond, with a hairline through the panel at its height.
typedef struct {
    const char *name; // in front of its number
    double x, y;
} PlotMark;

typedef struct {
    const char *title; // of the y axis
    const char *unit;  // behind numbers, such as " %"; NULL: none
    double max;        // end of the axis, which begins at 0; 0: from the data
    const PlotLine *lines;
    unsigned line_count;
    const PlotMark *marks;
    unsigned mark_count; // lines and marks together are at most PLOT_LABELS_MAX
} PlotPanel;

typedef struct {
    const char *title;
    const char *subtitle; // NULL: none
    const char *x_title;
    double x_max; // end of the axis, which begins at 0
    const PlotPanel *panels;
    unsigned panel_count;
} Plot;

void plot_svg(const Plot *plot, Text *text);

typedef struct {
    const char *title, *subtitle; // the subtitle may be NULL
    int width;
    double height;
    int left; // of both texts
} PlotFrame;

// Begins an SVG file: size, colours, title and subtitle. The caller adds the rest and </svg>.
void plot_begin(const PlotFrame *frame, Text *text);

// A step for the numbers of an axis: the smallest of 1, 2 and 5 times a power of ten with at most `most` steps up to
// `max`, which is above 0.
double plot_step(double max, unsigned most);

// Adds text to XML: escapes special characters, and replaces control characters by blanks and invalid UTF-8 by U+FFFD.
void plot_add_words(Text *text, const char *words);

// The same; an ellipsis replaces the middle of texts with more than `room` letters.
void plot_add_short(Text *text, const char *words, unsigned room);
