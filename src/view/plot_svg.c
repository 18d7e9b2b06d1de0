// Writes curves as an SVG file: axes, lines, bands, marks, labels and the key.
#include "view/plot_svg.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>

// Sizes in pixels, on the rhythm of eight of the web board.
enum {
    WIDTH = 760,
    LEFT = 64,
    RIGHT = 136, // room for the labels at the ends of lines
    HEAD = 56,
    SUBTITLE = 24,
    KEY = 32,
    PANEL = 200,
    PANEL_TITLE = 28,
    FOOT = 56,
    LABEL = 16, // between two labels
    MARGIN = 16,
    KEY_WORDS = LEFT + 44, // where names begin
    Y_STEPS = 5,
    X_STEPS = 10,
};

#define NOT_UTF8 "\xef\xbf\xbd" // U+FFFD
#define ELLIPSIS "\xe2\x80\xa6"

// Colours of the web board, written out for both schemes, since not every SVG viewer supports CSS variables.
static const char style[] =
    "text{font-family:system-ui,sans-serif;font-size:12px;fill:#5d574c;font-variant-numeric:tabular-nums}"
    ".title{font-family:ui-serif,\"Iowan Old Style\",\"Palatino Linotype\",Palatino,P052,\"Noto Serif\",Georgia,serif;"
    "font-size:20px;fill:#1f1d1a}"
    ".about{font-size:13px}.panel{font-size:13px;font-weight:600;fill:#1f1d1a}"
    ".paper{fill:#f7f4ed}.grid{stroke:#ddd5c5}.axis{stroke:#8d8574}"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round}.band{opacity:.14}"
    ".s0{stroke:#0d665d}.f0{fill:#0d665d}"
    ".s1{stroke:#b23c0a;stroke-dasharray:7 4}.f1{fill:#b23c0a}"
    ".s2{stroke:#0a5ca0;stroke-dasharray:2 3}.f2{fill:#0a5ca0}"
    ".s3{stroke:#7a5600;stroke-dasharray:9 3 2 3}.f3{fill:#7a5600}"
    ".end{font-weight:600}.mark{fill:#f7f4ed;stroke:#1f1d1a;stroke-width:1.5}.level{stroke:#1f1d1a;"
    "stroke-dasharray:1 4}.marked{fill:#1f1d1a}"
    "@media(prefers-color-scheme:dark){text{fill:#aaa89f}.title,.panel,.marked{fill:#ece8df}.paper{fill:#161718}"
    ".grid{stroke:#34373a}.axis{stroke:#7d8183}.band{opacity:.2}"
    ".s0{stroke:#74cfc0}.f0{fill:#74cfc0}.s1{stroke:#ff9d70}.f1{fill:#ff9d70}"
    ".s2{stroke:#7fbcf5}.f2{fill:#7fbcf5}.s3{stroke:#f3cf6c}.f3{fill:#f3cf6c}"
    ".mark{fill:#161718;stroke:#ece8df}.level{stroke:#ece8df}}";

// --- Words and numbers ---

// The replacement of a character in XML; NULL: none.
static const char *written_as(Span character)
{
    switch (character.at[0]) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\x7f':
        return " ";
    case '\xef': // U+FFFE and U+FFFF are not allowed in XML
        return span_is(character, "\xef\xbf\xbe") || span_is(character, "\xef\xbf\xbf") ? NOT_UTF8 : NULL;
    default:
        return (unsigned char)character.at[0] < ' ' ? " " : NULL;
    }
}

// The next character, or an invalid byte.
static Span take_character(Span *rest)
{
    size_t length = utf8_char(*rest);
    Span character = {rest->at, length > 0 ? length : 1};
    rest->at += character.length;
    rest->length -= character.length;
    return character;
}

static void add_character(Text *text, Span character)
{
    const char *other = utf8_char(character) > 0 ? written_as(character) : NOT_UTF8;
    text_add_span(text, other != NULL ? span_of(other) : character);
}

void plot_add_words(Text *text, const char *words)
{
    for (Span rest = span_of(words); rest.length > 0;)
        add_character(text, take_character(&rest));
}

// The width in letters. Characters of three bytes and more, such as Chinese ones, may count twice.
static unsigned width_of(Span character)
{
    return character.length > 2 ? 2 : 1;
}

void plot_add_short(Text *text, const char *words, unsigned room)
{
    unsigned width = 0, before = 0, half = room > 0 ? (room - 1) / 2 : 0;
    for (Span rest = span_of(words); rest.length > 0;)
        width += width_of(take_character(&rest));
    bool is_cut = false;
    for (Span rest = span_of(words); rest.length > 0;) {
        Span character = take_character(&rest);
        unsigned after = before + width_of(character);
        if (width <= room || after <= half || width - before <= half)
            add_character(text, character);
        else if (!is_cut)
            text_add(text, ELLIPSIS);
        is_cut = width > room && after > half;
        before = after;
    }
}

// The number of letters of a font that fit between x and the right margin. The font is unknown; in the wider usual
// fonts a letter has 0.62 of the font's size on average.
static unsigned room_from(int x, unsigned size, int width)
{
    return (unsigned)((width - MARGIN - x) / (0.62 * size));
}

double plot_step(double max, unsigned most)
{
    static const double factors[] = {1, 2, 5, 10};
    assert(isfinite(max) && max > 0 && most > 0);
    double power = pow(10, floor(log10(max / most)));
    unsigned i = 0;
    while (i < 3 && power * factors[i] * most < max * (1 - 1e-9))
        i++;
    return power * factors[i];
}

// --- Layout ---

// A panel and its place; y grows downwards.
typedef struct {
    const PlotPanel *panel;
    double top, max, x_max;
} Place;

static double x_of(const Place *place, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * x / place->x_max;
}

static double y_of(const Place *place, double y)
{
    return place->top + PANEL * (1 - y / place->max);
}

static double line_x(const PlotLine *line, unsigned i)
{
    return line->x != NULL ? line->x[i] : i + 1;
}

static double largest_of(const double *values, unsigned count)
{
    double max = 0;
    for (unsigned i = 0; values != NULL && i < count; i++)
        max = isfinite(values[i]) ? fmax(max, values[i]) : max;
    return max;
}

// The largest value to show. Bands count up to 1.5 times the largest point, since the band of a few games is so wide
// that it would flatten the curves; it is clipped then.
static double largest(const PlotPanel *panel)
{
    double points = 0, bands = 0;
    for (unsigned i = 0; i < panel->line_count; i++) {
        const PlotLine *line = &panel->lines[i];
        points = fmax(points, largest_of(line->y, line->count));
        bands = fmax(bands, largest_of(line->high, line->count));
    }
    for (unsigned i = 0; i < panel->mark_count; i++)
        points = fmax(points, panel->marks[i].y);
    return fmax(points, fmin(bands, 1.5 * points));
}

// The default end of an axis: the next number it shows.
static double axis_max(const PlotPanel *panel)
{
    double max = panel->max > 0 ? panel->max : largest(panel);
    if (max <= 0)
        return 1;
    double step = plot_step(max, Y_STEPS);
    return panel->max > 0 ? max : step * ceil(max / step * (1 - 1e-9));
}

// --- Axes ---

static void add_y_axis(const Place *place, Text *text)
{
    const char *unit = place->panel->unit != NULL ? place->panel->unit : "";
    double step = plot_step(place->max, Y_STEPS);
    for (unsigned i = 0; i * step <= place->max * (1 + 1e-9); i++) {
        double y = y_of(place, i * step);
        text_add(text, "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", i == 0 ? "axis" : "grid",
                 LEFT, WIDTH - RIGHT, y, y);
        text_add(text, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g", LEFT - 8, y + 4, i * step);
        plot_add_words(text, unit);
        text_add(text, "</text>\n");
    }
}

static void add_x_axis(const Place *last, const char *title, Text *text)
{
    double step = fmax(plot_step(last->x_max, X_STEPS), 1), y = last->top + PANEL + 20;
    for (unsigned i = 0; i * step <= last->x_max * (1 + 1e-9); i++)
        text_add(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>", x_of(last, i * step), y,
                 i * step);
    text_add(text, "\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x_of(last, last->x_max / 2), y + 20);
    plot_add_words(text, title);
    text_add(text, "</text>\n");
}

// --- Curves ---

static void add_point(const Place *place, double x, double y, Text *text)
{
    if (isfinite(y))
        text_add(text, "%.1f,%.1f ", x_of(place, x), y_of(place, fmin(fmax(y, 0), place->max)));
}

// The band: along the upper edge, and back along the lower one.
static void add_band(const Place *place, const PlotLine *line, Text *text)
{
    text_add(text, "<polygon class=\"band f%u\" points=\"", line->kind);
    for (unsigned i = 0; i < line->count; i++)
        add_point(place, line_x(line, i), line->high[i], text);
    for (unsigned i = line->count; i-- > 0;)
        add_point(place, line_x(line, i), line->low[i], text);
    text_add(text, "\"/>\n");
}

static void add_curve(const Place *place, const PlotLine *line, Text *text)
{
    text_add(text, "<polyline class=\"line s%u\" points=\"", line->kind);
    for (unsigned i = 0; i < line->count; i++)
        add_point(place, line_x(line, i), line->y[i], text);
    text_add(text, "\"/>\n");
}

static void add_mark(const Place *place, const PlotMark *mark, Text *text)
{
    double x = x_of(place, mark->x), y = y_of(place, mark->y);
    text_add(text,
             "<line class=\"level\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
             "<path class=\"mark\" d=\"M%.1f %.1fl6 6l-6 6l-6 -6z\"/>\n",
             LEFT, WIDTH - RIGHT, y, y, x, y - 6);
}

// --- Labels at the right: the last number of each line, and the marks ---

typedef struct {
    double y, value;
    const char *name; // NULL: a line, which is identified by its colour
    unsigned kind;
} Label;

static void insert_label(Label *labels, unsigned *count, Label label)
{
    unsigned i = (*count)++;
    for (; i > 0 && labels[i - 1].y > label.y; i--)
        labels[i] = labels[i - 1];
    labels[i] = label;
}

static unsigned labels_of(const Place *place, Label labels[PLOT_LABELS_MAX])
{
    const PlotPanel *panel = place->panel;
    unsigned count = 0;
    assert(panel->line_count + panel->mark_count <= PLOT_LABELS_MAX);
    for (unsigned i = 0; i < panel->line_count; i++) {
        const PlotLine *line = &panel->lines[i];
        unsigned last = line->count;
        while (last > 0 && !isfinite(line->y[last - 1]))
            last--;
        if (last > 0)
            insert_label(labels, &count, (Label){y_of(place, line->y[last - 1]), line->y[last - 1], NULL, line->kind});
    }
    for (unsigned i = 0; i < panel->mark_count; i++) {
        const PlotMark *mark = &panel->marks[i];
        insert_label(labels, &count, (Label){y_of(place, mark->y), mark->y, mark->name, 0});
    }
    return count;
}

// Moves overlapping labels apart: downwards first, then up again from the lower end.
static void spread(Label *labels, unsigned count, double bottom)
{
    for (unsigned i = 1; i < count; i++)
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + LABEL);
    for (unsigned i = 0; i < count; i++)
        labels[i].y = fmin(labels[i].y, bottom - (double)LABEL * (count - 1 - i));
}

static void add_labels(const Place *place, Text *text)
{
    Label labels[PLOT_LABELS_MAX];
    unsigned count = labels_of(place, labels);
    spread(labels, count, place->top + PANEL);
    for (unsigned i = 0; i < count; i++) {
        const Label *label = &labels[i];
        text_add(text, "<text x=\"%d\" y=\"%.1f\" class=\"", WIDTH - RIGHT + 12, label->y + 4);
        if (label->name == NULL) {
            text_add(text, "end f%u\">", label->kind);
        } else {
            text_add(text, "marked\">");
            plot_add_words(text, label->name);
            text_add(text, " ");
        }
        text_add(text, label->value < 1000 ? "%.3g" : "%.0f", label->value);
        plot_add_words(text, place->panel->unit != NULL ? place->panel->unit : "");
        text_add(text, "</text>\n");
    }
}

// --- Panels and file ---

static void add_panel(const Place *place, Text *text)
{
    const PlotPanel *panel = place->panel;
    text_add(text, "<g>\n<text class=\"panel\" x=\"%d\" y=\"%.1f\">", LEFT, place->top - 12);
    plot_add_words(text, panel->title);
    text_add(text, "</text>\n");
    add_y_axis(place, text);
    for (unsigned i = 0; i < panel->line_count; i++)
        if (panel->lines[i].low != NULL && panel->lines[i].count > 0)
            add_band(place, &panel->lines[i], text);
    for (unsigned i = 0; i < panel->line_count; i++)
        add_curve(place, &panel->lines[i], text);
    for (unsigned i = 0; i < panel->mark_count; i++)
        add_mark(place, &panel->marks[i], text);
    add_labels(place, text);
    text_add(text, "</g>\n");
}

// The key of the lines of the first panel, one below the other because names may be long.
static void add_key(const Plot *plot, double top, Text *text)
{
    const PlotPanel *panel = &plot->panels[0];
    for (unsigned i = 0; i < panel->line_count; i++) {
        double y = top + 20 * i;
        text_add(text,
                 "<line class=\"line s%u\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\">",
                 panel->lines[i].kind, LEFT, LEFT + 32, y, y, KEY_WORDS, y + 4);
        plot_add_short(text, panel->lines[i].name, room_from(KEY_WORDS, 12, WIDTH));
        text_add(text, "</text>\n");
    }
}

void plot_begin(const PlotFrame *frame, Text *text)
{
    text_add(text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
             "height=\"%.0f\" viewBox=\"0 0 %d %.0f\" role=\"img\">\n<title>",
             frame->width, frame->height, frame->width, frame->height);
    plot_add_words(text, frame->title);
    text_add(text,
             "</title>\n<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n"
             "<text class=\"title\" x=\"%d\" y=\"36\">",
             style, frame->left);
    plot_add_short(text, frame->title, room_from(frame->left, 20, frame->width));
    text_add(text, "</text>\n");
    if (frame->subtitle != NULL) {
        text_add(text, "<text class=\"about\" x=\"%d\" y=\"60\">", frame->left);
        plot_add_short(text, frame->subtitle, room_from(frame->left, 13, frame->width));
        text_add(text, "</text>\n");
    }
}

void plot_svg(const Plot *plot, Text *text)
{
    assert(plot->panel_count > 0 && plot->x_max > 0);
    double key = HEAD + (plot->subtitle != NULL ? SUBTITLE : 0) + 8;
    double top = key - 8 + KEY + 20.0 * plot->panels[0].line_count - 20;
    double height = top + plot->panel_count * (PANEL + PANEL_TITLE + 16.0) + FOOT - 16;
    plot_begin(&(PlotFrame){plot->title, plot->subtitle, WIDTH, height, LEFT}, text);
    add_key(plot, key, text);
    for (unsigned i = 0; i < plot->panel_count; i++) {
        top += PANEL_TITLE;
        Place place = {&plot->panels[i], top, axis_max(&plot->panels[i]), plot->x_max};
        add_panel(&place, text);
        if (i + 1 == plot->panel_count)
            add_x_axis(&place, plot->x_title, text);
        top += PANEL + 16;
    }
    text_add(text, "</svg>\n");
}
