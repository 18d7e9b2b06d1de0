// A chart of rows as an SVG file: for each row a measured value with its limits, and a published one beside it.
//
// Each panel has an axis of its own. The axis of a panel is logarithmic if its values differ by more than a factor of
// 50, as numbers of nodes do. Colours follow the light or dark scheme of the viewer.
#pragma once

#include "base/text.h"

typedef struct {
    const char *label;
    double measured, low, high; // NAN: none
    double published;           // NAN: none
    bool is_bound;              // `measured` is a lower bound
} DotRow;

typedef struct {
    const char *title;
    const char *unit; // behind numbers, such as " %"; NULL: none
    double max;       // end of the axis, which begins at 0; 0: from the data
    const DotRow *rows;
    unsigned count;
} DotPanel;

typedef struct {
    const char *title, *subtitle;
    const DotPanel *panels;
    unsigned panel_count;
} DotPlot;

void plot_dots(const DotPlot *plot, Text *text);
