// Reproduced experiments as pages: tables, cross tables, charts and legends, readable without a network, in light and
// dark. Also the index of several papers.
#include "papers/experiment/reproduce.h"

#include "base/file.h"
#include "view/plot_svg.h"

#include <math.h>
#include <string.h>

// Colours follow the web board.
static const char style[] =
    ":root{color-scheme:light dark;--bg:#f7f4ed;--ink:#1f1d1a;--ink2:#5d574c;--hair:#ddd5c5;--accent:#0d665d;"
    "--other:#b23c0a}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#161718;--ink:#ece8df;--ink2:#aaa89f;--hair:#34373a;"
    "--accent:#74cfc0;--other:#ff9d70}}\n"
    "body{background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif;margin:32px auto;max-width:1100px;"
    "padding:0 24px}\n"
    "h1,h2{font-family:ui-serif,Palatino,Georgia,serif;font-weight:500}h1{font-size:28px}h2{font-size:22px;"
    "margin-top:56px;border-top:1px solid var(--hair);padding-top:24px}h3{font-size:15px;margin:24px 0 8px}\n"
    "p,dd,caption{color:var(--ink2)}a{color:var(--accent)}caption{text-align:left;padding-bottom:4px;white-space:"
    "nowrap}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px}\n"
    "td,th{padding:4px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--hair);vertical-align:top}"
    "th{font-weight:500;color:var(--ink2)}.text{text-align:left;white-space:normal}.verdict{min-width:130px}tbody "
    "th{color:var(--ink)}\n"
    ".inside{color:var(--accent)}.above,.below{color:var(--other)}small{color:var(--ink2);display:block}\n"
    "svg{max-width:100%;height:auto;display:block;margin:16px 0}dl{display:grid;grid-template-columns:max-content auto;"
    "gap:2px 16px;font-size:14px}dt{font-weight:500}dd{margin:0}.state{white-space:nowrap}\n"
    // On a phone published and measured values fit beside the rows, whose long names wrap, and charts scroll, since
    // their text would be too small.
    "@media(max-width:600px){body{padding:0 12px}h1{font-size:23px}.wide td,.wide th{padding:4px;font-size:12px}"
    "[scope=rowgroup]{overflow-wrap:anywhere;min-width:110px}svg{max-width:none;width:800px}}\n";

static void begin_page(const char *title, Text *text)
{
    text_add(text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width\"><title>");
    plot_add_words(text, title);
    text_add(text, "</title>\n<style>%s</style></head><body>\n<h1>", style);
    plot_add_words(text, title);
    text_add(text, "</h1>\n");
}

// --- Rows ---

static void add_value(const char *element, const char *unit, double value, Text *text)
{
    char words[PAPER_VALUE_SIZE];
    text_add(text, "<%s>%s", element, paper_value_text(unit, value, words));
}

static void add_small(const char *words, Text *text)
{
    if (words == NULL)
        return;
    text_add(text, "<small>");
    plot_add_words(text, words);
    text_add(text, "</small>");
}

// A note that all rows of a label share stands on the first of them.
static bool repeats_note(const PaperFigures *figures, unsigned number)
{
    const PaperFigure *figure = &figures->list[number];
    return number > 0 && strcmp(figure->label, figure[-1].label) == 0 && figure->note != NULL &&
           figure->note == figure[-1].note && figure->cut == 0;
}

static void add_verdict(const PaperFigures *figures, unsigned number, Text *text)
{
    const PaperFigure *figure = &figures->list[number];
    PaperVerdict verdict = paper_verdict(figure);
    const char *name = paper_verdict_name(verdict);
    text_add(text, "<td class=\"text verdict %s\">%s", name != NULL && strchr(name, ' ') == NULL ? name : "",
             paper_verdict_words(verdict));
    char note[PAPER_NOTE_SIZE];
    if (!repeats_note(figures, number))
        add_small(paper_note(figure, note), text);
}

// Rows from here on with the same label.
static unsigned rows_of_label(const PaperFigures *figures, unsigned first)
{
    unsigned last = first;
    while (last < figures->count && strcmp(figures->list[last].label, figures->list[first].label) == 0)
        last++;
    return last - first;
}

static void add_label(const PaperFigures *figures, unsigned number, Text *text)
{
    const PaperFigure *figure = &figures->list[number];
    if (number > 0 && strcmp(figure->label, figure[-1].label) == 0)
        return;
    text_add(text, "<th scope=\"rowgroup\" class=\"text\" rowspan=\"%u\">", rows_of_label(figures, number));
    plot_add_words(text, figure->label);
    add_small(figure->trial->source, text);
    add_small(figure->trial->remark, text);
}

static void add_figure(const PaperFigures *figures, unsigned number, Text *text)
{
    const PaperFigure *figure = &figures->list[number];
    text_add(text, "<tr>");
    add_label(figures, number, text);
    text_add(text, "<td class=\"text\">%s", figure->unit);
    add_value("td", figure->unit, figure->published, text);
    add_value("td", figure->unit, figure->measured, text);
    add_value("td", figure->unit, figure->limits.low, text);
    add_value("td", figure->unit, figure->limits.high, text);
    text_add(text, figure->n < figure->wanted ? "<td>%u of %u" : "<td>%u", figure->n, figure->wanted);
    if (figure->has_games)
        text_add(text, "<td>%u–%u–%u", figure->games.wins, figure->games.draws, figure->games.losses);
    else
        text_add(text, "<td>-");
    add_verdict(figures, number, text);
    text_add(text, "</tr>\n");
}

static void add_rows(const PaperFigures *figures, Text *text)
{
    text_add(text, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"rows\"><table><thead><tr>"
                   "<th class=\"text\">row<th class=\"text\">unit<th>published<th>measured<th>95 %% from<th>to<th>n"
                   "<th>wins–draws–losses<th class=\"text\">published is</tr></thead><tbody>\n");
    for (unsigned i = 0; i < figures->count; i++)
        add_figure(figures, i, text);
    text_add(text, "</tbody></table></div>\n");
}

// --- Cross tables, charts, legends ---

static void add_cell(const PaperCross *cross, unsigned row, unsigned column, Text *text)
{
    char words[PAPER_CROSS_SIZE];
    unsigned at = row * PAPER_AGENTS_MAX + column;
    text_add(text, "<td>%s", row == column ? "·" : paper_cross_text(&cross->measured[at], words));
    if (row != column && paper_cross_is_known(&cross->published[at]))
        text_add(text, "<small>%s</small>", paper_cross_text(&cross->published[at], words));
}

static void add_cross(const PaperFigures *figures, Text *text)
{
    PaperCross cross;
    if (!paper_cross(figures, &cross))
        return;
    text_add(text,
             "<h3>Cross table</h3>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"cross table\">"
             "<table><caption>Row against column, measured: wins-losses-draws in percent%s.</caption><tr><th>",
             cross.has_published ? "; below in small print, published" : "");
    for (unsigned i = 0; i < cross.count; i++)
        text_add(text, "<th scope=\"col\">%u", i + 1);
    text_add(text, "</tr>\n");
    for (unsigned i = 0; i < cross.count; i++) {
        text_add(text, "<tr><th scope=\"row\" class=\"text\">%u. ", i + 1);
        plot_add_words(text, cross.players[i]);
        for (unsigned j = 0; j < cross.count; j++)
            add_cell(&cross, i, j, text);
        text_add(text, "</tr>\n");
    }
    text_add(text, "</table></div>\n");
    paper_close_cross(&cross);
}

// The chart without the XML header of a file.
static void add_chart(const ReproducedTable *done, const ExperimentOptions *options, Text *text)
{
    Text svg = {0};
    paper_draw(done->table, &done->figures, options, &svg);
    const char *begin = strstr(svg.data, "<svg");
    text_add(text, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"chart\">");
    text_add_span(text, span_of(begin));
    text_add(text, "</div>\n");
    text_close(&svg);
}

static void add_legend(const PaperFigures *figures, Text *text)
{
    text_add(text, "<h3>Units</h3>\n<dl>");
    paper_add_legend(figures, &(PaperLegendStyle){"<dt>", "<dd>", ""}, text);
    text_add(text, "</dl>\n");
}

static void add_table(const ReproducedTable *done, const ExperimentOptions *options, Text *text)
{
    text_add(text, "<section id=\"%s\"><h2>", done->table->name);
    plot_add_words(text, done->table->about);
    text_add(text, "</h2>\n");
    add_rows(&done->figures, text);
    add_cross(&done->figures, text);
    if (done->figures.count > 0)
        add_chart(done, options, text);
    if (done->figures.faults > 0)
        text_add(text, "<p>Games that ended by a fault (an illegal stone, time or a crash): %u.</p>\n",
                 done->figures.faults);
    add_legend(&done->figures, text);
    text_add(text, "</section>\n");
}

// --- Pages ---

static void add_counts(const PaperCounts *counts, Text *text)
{
    if (counts->published == 0) {
        text_add(text, "No published figures");
        return;
    }
    text_add(text, "%u published figures: %u inside the limits, %u outside, %u not comparable yet, %u not run",
             counts->published, counts->inside, counts->outside, counts->open, counts->not_run);
}

void reproduce_add_page(const Reproduction *done, const ExperimentOptions *options, Text *text)
{
    PaperCounts counts = reproduce_counts(done);
    begin_page(done->paper->title, text);
    text_add(text, "<p>Reproduced with krow " KROW_VERSION ": scale %g, seed %llu. ", done->scale,
             (unsigned long long)options->seed);
    add_counts(&counts, text);
    text_add(text, ". Limits are 95 %% intervals. A figure counts as inside only if the limits are at most 25 points "
                   "wide for a share, and half of the figure for other units.</p>\n<nav><ul>");
    for (unsigned i = 0; i < done->count; i++) {
        text_add(text, "<li><a href=\"#%s\">", done->tables[i].table->name);
        plot_add_words(text, done->tables[i].table->about);
        text_add(text, "</a>");
    }
    text_add(text, "</ul></nav>\n");
    for (unsigned i = 0; i < done->count; i++)
        add_table(&done->tables[i], options, text);
    text_add(text, "</body></html>\n");
}

static Status write_text(const char *path, Text *text, Error *error)
{
    Status status = file_write(path, (Span){text->data, text->length}, error);
    text_close(text);
    return status;
}

Status reproduce_write_page(const Reproduction *done, const ExperimentOptions *options, const char *path, Error *error)
{
    Text text = {0};
    reproduce_add_page(done, options, &text);
    return write_text(path, &text, error);
}

Status reproduce_write_index(const PaperState *states, unsigned count, const char *path, Error *error)
{
    static const char *const words[] = {"not begun", "interrupted", "complete"};
    Text text = {0};
    begin_page("Reproduced papers", &text);
    text_add(&text, "<p>krow " KROW_VERSION ".</p>\n<div class=\"wide\"><table><tr><th class=\"text\">paper"
                    "<th class=\"text\">state<th class=\"text\">figures</tr>\n");
    for (unsigned i = 0; i < count; i++) {
        const PaperState *state = &states[i];
        bool has_page = state->progress != PAPER_NOT_BEGUN;
        text_add(&text, "<tr><td class=\"text\">");
        if (has_page)
            text_add(&text, "<a href=\"%s.html\">", state->paper->name);
        plot_add_words(&text, state->paper->title);
        text_add(&text, "%s<td class=\"text state\">%s<td class=\"text\">", has_page ? "</a>" : "",
                 words[state->progress]);
        if (has_page)
            add_counts(&state->counts, &text);
        text_add(&text, "</tr>\n");
    }
    text_add(&text, "</table></div></body></html>\n");
    return write_text(path, &text, error);
}
