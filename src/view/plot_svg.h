// Curves as an SVG file: one panel or several above each other over the same x axis, each with a y axis of its own.
//
// Panels stand in the place of a second axis at the right, which does not show which curve belongs to which axis. Lines
// of one kind look the same in all panels, and differ by dashes as well as by colour. Text stays text; colours follow
// the light or dark scheme of the viewer.
#pragma once

#include "base/text.h"

enum { PLOT_KINDS = 4, PLOT_LABELS_MAX = 12 };

typedef struct {
    const char *name;         // in the key above the panels, where each name stands once
    unsigned kind;            // how it looks, below PLOT_KINDS
    unsigned count;           // points
    const double *x;          // rising; NULL: 1, 2, 3 …
    const double *y;          // one that is not finite is left out
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
    double max;        // end of the axis, which begins at 0; 0: what the data need
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

// The whole file.
void plot_svg(const Plot *plot, Text *text);

// A step for the numbers of an axis: the smallest of 1, 2 and 5 times a power of ten with at most `most` steps up to
// `max`, which is above 0.
double plot_step(double max, unsigned most);

// Words inside of XML: what means something there is escaped, control characters are blanks, and bytes that are no
// UTF-8 are U+FFFD.
void plot_add_words(Text *text, const char *words);

// The same; more than `room` letters have an ellipsis in the place of those in the middle.
void plot_add_short(Text *text, const char *words, unsigned room);
