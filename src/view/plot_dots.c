// Writes charts of rows: labels at the left, dots with limits and diamonds on an axis, numbers at the right.
#include "view/plot_dots.h"

#include "view/plot_svg.h"

#include <math.h>

// Sizes in pixels.
enum {
    LEFT = 440,
    RIGHT = 190,
    WIDTH = 1100,
    HEAD = 104,
    PANEL_TITLE = 36,
    ROW = 22,
    AXIS = 28,
    LABEL_ROOM = 60, // letters
    STEPS = 5,
};

#define LOGARITHMIC_FROM 50.0

// The axis of a panel.
typedef struct {
    const DotPanel *panel;
    bool is_log;
    double low, high; // ends; powers of ten if logarithmic
} Axis;

static void take_value(double value, double *least, double *most)
{
    if (isfinite(value) && value > 0) {
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
}

static Axis axis_of(const DotPanel *panel)
{
    double least = INFINITY, most = 0, top = 0;
    for (unsigned i = 0; i < panel->count; i++) {
        take_value(panel->rows[i].measured, &least, &most);
        take_value(panel->rows[i].published, &least, &most);
        top = isfinite(panel->rows[i].high) ? fmax(top, panel->rows[i].high) : top;
    }
    if (panel->max > 0)
        return (Axis){panel, false, 0, panel->max};
    if (most <= 0)
        return (Axis){panel, false, 0, 1};
    if (most / least > LOGARITHMIC_FROM)
        return (Axis){panel, true, pow(10, floor(log10(least))), pow(10, ceil(log10(most) + 1e-9))};
    // Limits of few measurements must not set the axis.
    top = fmax(most, fmin(top, 1.5 * most));
    double step = plot_step(top, STEPS);
    return (Axis){panel, false, 0, step * ceil(top / step * (1 - 1e-9))};
}

static double x_of(const Axis *axis, double value)
{
    double width = WIDTH - LEFT - RIGHT, inside = fmin(fmax(value, axis->low), axis->high);
    double part = axis->is_log ? log10(inside / axis->low) / log10(axis->high / axis->low)
                               : (inside - axis->low) / (axis->high - axis->low);
    return LEFT + width * part;
}

static void add_number(Text *text, double value, const char *unit)
{
    text_add(text, fabs(value) < 1000 ? "%.3g" : "%.0f", value);
    plot_add_words(text, unit != NULL ? unit : "");
}

static void add_tick(const Axis *axis, double value, double top, Text *text)
{
    double x = x_of(axis, value), bottom = top + ROW * axis->panel->count;
    text_add(text,
             "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
             "text-anchor=\"middle\">%g",
             x, x, top, bottom, x, bottom + 16, value);
    plot_add_words(text, axis->panel->unit != NULL ? axis->panel->unit : "");
    text_add(text, "</text>\n");
}

static void add_axis(const Axis *axis, double top, Text *text)
{
    if (axis->is_log) {
        int decades = (int)lround(log10(axis->high / axis->low));
        for (int i = 0; i <= decades; i++)
            add_tick(axis, axis->low * pow(10, i), top, text);
        return;
    }
    double step = plot_step(axis->high, STEPS);
    for (unsigned i = 0; i * step <= axis->high * (1 + 1e-9); i++)
        add_tick(axis, i * step, top, text);
}

// The numbers of a row: measured, then published.
static void add_numbers(const Axis *axis, const DotRow *row, double y, Text *text)
{
    text_add(text, "<text class=\"end f0\" x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT + 12, y + 4);
    if (isfinite(row->measured)) {
        text_add(text, "%s", row->is_bound ? "over " : "");
        add_number(text, row->measured, axis->panel->unit);
    } else {
        text_add(text, "not run");
    }
    text_add(text, "</text>");
    if (isfinite(row->published)) {
        text_add(text, "<text class=\"marked\" x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT + 104, y + 4);
        add_number(text, row->published, axis->panel->unit);
        text_add(text, "</text>");
    }
}

static void add_row(const Axis *axis, const DotRow *row, double y, Text *text)
{
    text_add(text, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\"><title>", LEFT - 16, y + 4);
    plot_add_words(text, row->label); // long labels are cut on the chart
    text_add(text, "</title>");
    plot_add_short(text, row->label, LABEL_ROOM);
    text_add(text, "</text>");
    if (isfinite(row->low) && isfinite(row->high))
        text_add(text, "<line class=\"line f0 s0\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                 x_of(axis, row->low), x_of(axis, row->high), y, y);
    if (isfinite(row->published))
        text_add(text, "<path class=\"mark\" d=\"M%.1f %.1fl6 6l-6 6l-6 -6z\"/>", x_of(axis, row->published), y - 6);
    if (isfinite(row->measured))
        text_add(text, "<circle class=\"f0\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>", x_of(axis, row->measured), y);
    add_numbers(axis, row, y, text);
    text_add(text, "\n");
}

static void add_panel(const DotPanel *panel, double top, Text *text)
{
    Axis axis = axis_of(panel);
    text_add(text, "<g>\n<text class=\"panel\" x=\"%d\" y=\"%.1f\">", LEFT, top - 10);
    plot_add_words(text, panel->title);
    text_add(text, "%s</text>\n", axis.is_log ? ", logarithmic axis" : "");
    add_axis(&axis, top, text);
    for (unsigned i = 0; i < panel->count; i++)
        add_row(&axis, &panel->rows[i], top + ROW * (i + 0.5), text);
    text_add(text, "</g>\n");
}

static void add_key(Text *text)
{
    int y = HEAD - 20;
    text_add(text,
             "<line class=\"line s0\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><circle class=\"f0\" cx=\"%d\" "
             "cy=\"%d\" r=\"4.5\"/><text x=\"%d\" y=\"%d\">measured, with 95 %% limits</text>"
             "<path class=\"mark\" d=\"M%d %dl6 6l-6 6l-6 -6z\"/><text x=\"%d\" y=\"%d\">published</text>"
             "<text class=\"end f0\" x=\"%d\" y=\"%d\">measured</text><text class=\"marked\" x=\"%d\" "
             "y=\"%d\">published</text>\n",
             LEFT, LEFT + 32, y, y, LEFT + 16, y, LEFT + 44, y + 4, LEFT + 236, y - 6, LEFT + 250, y + 4,
             WIDTH - RIGHT + 12, y + 4, WIDTH - RIGHT + 104, y + 4);
}

void plot_dots(const DotPlot *plot, Text *text)
{
    double height = HEAD;
    for (unsigned i = 0; i < plot->panel_count; i++)
        height += PANEL_TITLE + ROW * plot->panels[i].count + AXIS;
    plot_begin(&(PlotFrame){plot->title, plot->subtitle, WIDTH, height + 8, 64}, text);
    add_key(text);
    double top = HEAD;
    for (unsigned i = 0; i < plot->panel_count; i++) {
        top += PANEL_TITLE;
        add_panel(&plot->panels[i], top, text);
        top += ROW * plot->panels[i].count + AXIS;
    }
    text_add(text, "</svg>\n");
}
