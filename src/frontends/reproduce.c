#include "frontends/reproduce.h"

#include "frontends/learning.h"
#include "frontends/output.h"
#include "frontends/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Text ---

enum { VALUE_SIZE = 32 };

// Shares as people read them; other units as they are.
static const char *value_text(const char *unit, double value, char text[VALUE_SIZE])
{
    if (!isfinite(value))
        (void)snprintf(text, VALUE_SIZE, "-");
    else if (paper_is_share(unit))
        (void)snprintf(text, VALUE_SIZE, "%.1f %%", 100 * value);
    else
        (void)snprintf(text, VALUE_SIZE, fabs(value) < 1000 ? "%.4g" : "%.0f", value);
    return text;
}

enum { NOTE_SIZE = 100 };

// The note of a row; one of which some measurements ended at their limit says so. NULL: there is none.
static const char *note_of(const PaperFigure *figure, char note[NOTE_SIZE])
{
    if (figure->cut == 0)
        return figure->note;
    (void)snprintf(note, NOTE_SIZE, "a lower bound: %u of %u finished", figure->n - figure->cut, figure->n);
    return note;
}

// The same for a line of 80 columns.
static const char *short_note_of(const PaperFigure *figure, char note[NOTE_SIZE])
{
    if (figure->cut == 0)
        return figure->note;
    (void)snprintf(note, NOTE_SIZE, "lower bound: %u done", figure->n - figure->cut);
    return note;
}

static const char *verdict(const PaperFigure *figure, char note[NOTE_SIZE])
{
    static const char *const words[] = {"below the limits", "inside the limits", "above the limits"};
    const char *noted = short_note_of(figure, note);
    return noted != NULL ? noted : paper_compares(figure) ? words[paper_compare(figure) + 1] : "-";
}

// How wide the first columns are. Where rows of the same games stand together their label is a line of its own, and the
// column is left out.
typedef struct {
    bool grouped;
    int label, unit;
} Layout;

static Layout layout_of(const PaperFigures *figures)
{
    Layout layout = {.label = 3, .unit = 6};
    for (unsigned i = 0; i < figures->count; i++) {
        const PaperFigure *figure = &figures->list[i];
        int label = (int)strlen(figure->label), unit = (int)strlen(figure->unit);
        layout.grouped = layout.grouped || paper_units(figure->trial) > 1;
        layout.label = label > layout.label ? label : layout.label;
        layout.unit = unit > layout.unit ? unit : layout.unit;
    }
    return layout;
}

// The first columns of a line.
static void print_begin(const Layout *layout, const char *label, const char *unit)
{
    if (layout->grouped)
        (void)printf("  %-*s", layout->unit, unit);
    else
        (void)printf("%-*s  %-*s", layout->label, label, layout->unit, unit);
}

static void print_figure(const PaperFigure *figure, const Layout *layout)
{
    char published[VALUE_SIZE], measured[VALUE_SIZE], low[VALUE_SIZE], high[VALUE_SIZE], n[VALUE_SIZE];
    (void)snprintf(n, sizeof n, figure->n < figure->wanted ? "%u/%u" : "%u", figure->n, figure->wanted);
    print_begin(layout, figure->label, figure->unit);
    (void)printf(" %9s %9s %9s %9s %9s", value_text(figure->unit, figure->published, published),
                 value_text(figure->unit, figure->measured, measured),
                 value_text(figure->unit, figure->limits.low, low), value_text(figure->unit, figure->limits.high, high),
                 n);
    if (!layout->grouped && figure->has_games)
        (void)printf(" %6u %6u %6u", figure->games.wins, figure->games.draws, figure->games.losses);
    else if (!layout->grouped)
        (void)printf(" %6s %6s %6s", "-", "-", "-");
    char note[NOTE_SIZE];
    const char *remark = layout->grouped ? NULL : figure->trial->remark;
    (void)printf("  %s%s%s\n", verdict(figure, note), remark != NULL ? "; " : "", remark != NULL ? remark : "");
}

// The label of rows that stand together, and how their games ended.
static void print_heading(const PaperFigure *figure)
{
    (void)printf("%s", figure->label);
    if (figure->has_games)
        (void)printf(": %u win%s, %u draw%s, %u loss%s", figure->games.wins, output_plural(figure->games.wins),
                     figure->games.draws, output_plural(figure->games.draws), figure->games.losses,
                     figure->games.losses == 1 ? "" : "es");
    if (figure->trial->remark != NULL)
        (void)printf("; %s", figure->trial->remark);
    (void)printf("\n");
}

static void print_table(const ReproducedTable *done)
{
    const PaperFigures *figures = &done->figures;
    Layout layout = layout_of(figures);
    (void)printf("\n%s: %s\n", done->table->name, done->table->about);
    print_begin(&layout, "row", "unit");
    (void)printf(" %9s %9s %9s %9s %9s", "published", "measured", "95 % from", "to", "n");
    if (!layout.grouped)
        (void)printf(" %6s %6s %6s", "wins", "draws", "losses");
    (void)printf("  %s\n", "published is");
    for (unsigned i = 0; i < figures->count; i++) {
        const PaperFigure *figure = &figures->list[i];
        if (layout.grouped && (i == 0 || strcmp(figure->label, figure[-1].label) != 0))
            print_heading(figure);
        print_figure(figure, &layout);
    }
    if (figures->faults > 0)
        (void)printf("%u game%s ended by a fault: an illegal stone, time or a crash\n", figures->faults,
                     output_plural(figures->faults));
    if (figures->unsaved > 0)
        (void)printf("%llu learned pattern%s could not be saved\n", (unsigned long long)figures->unsaved,
                     output_plural(figures->unsaved));
}

void reproduce_print(const Reproduction *done)
{
    (void)printf("%s: %s\nscale %g\n", done->paper->name, done->paper->title, done->scale);
    for (unsigned i = 0; i < done->count; i++)
        print_table(&done->tables[i]);
}

// --- JSON ---

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

static json_t *figure_json(const PaperFigure *figure)
{
    char note[NOTE_SIZE];
    json_t *row = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "label", figure->label,
                            "unit", figure->unit, "published", report_number(figure->published), "measured",
                            report_number(figure->measured), "low", report_number(figure->limits.low), "high",
                            report_number(figure->limits.high), "n", (int)figure->n, "wanted", (int)figure->wanted,
                            "cut", (int)figure->cut, "inside",
                            paper_compares(figure) ? json_boolean(paper_compare(figure) == 0) : json_null(), "game",
                            text_or_null(figure->trial->game), "note", text_or_null(note_of(figure, note)), "remark",
                            text_or_null(figure->trial->remark));
    if (figure->has_games) {
        (void)json_object_set_new(row, "wins", json_integer(figure->games.wins));
        (void)json_object_set_new(row, "draws", json_integer(figure->games.draws));
        (void)json_object_set_new(row, "losses", json_integer(figure->games.losses));
    }
    return row;
}

static json_t *curves_json(const PaperFigures *figures)
{
    json_t *curves = json_array();
    for (unsigned i = 0; i < figures->curve_count; i++) {
        const PaperCurve *curve = &figures->curves[i];
        (void)json_array_append_new(curves, json_pack("{s:s, s:s, s:i, s:o}", "label", curve->label, "set", curve->set,
                                                      "wanted", (int)curve->curve.capacity, "points",
                                                      learning_curve_json(&curve->curve)));
    }
    return curves;
}

static json_t *points_json(const PaperSeries *series)
{
    json_t *points = json_array();
    for (unsigned i = 0; i < series->count; i++) {
        const PaperPoint *point = &series->points[i];
        (void)json_array_append_new(points,
                                    json_pack("{s:i, s:o, s:o, s:o, s:i}", "turn", (int)i + 1, "mean",
                                              report_number(point->mean), "low", report_number(point->limits.low),
                                              "high", report_number(point->limits.high), "n", (int)point->n));
    }
    return points;
}

static json_t *series_json(const PaperFigures *figures)
{
    json_t *all = json_array();
    for (unsigned i = 0; i < figures->series_count; i++) {
        const PaperSeries *series = &figures->series[i];
        (void)json_array_append_new(all, json_pack("{s:s, s:s, s:i, s:o}", "label", series->label, "unit", series->unit,
                                                   "wanted", (int)series->games, "points", points_json(series)));
    }
    return all;
}

json_t *reproduce_json(const Reproduction *done)
{
    json_t *tables = json_array();
    for (unsigned i = 0; i < done->count; i++) {
        const PaperFigures *figures = &done->tables[i].figures;
        json_t *rows = json_array();
        for (unsigned j = 0; j < figures->count; j++)
            (void)json_array_append_new(rows, figure_json(&figures->list[j]));
        json_t *table = json_pack("{s:s, s:s, s:i, s:o}", "name", done->tables[i].table->name, "about",
                                  done->tables[i].table->about, "faults", (int)figures->faults, "rows", rows);
        if (figures->curve_count > 0) {
            (void)json_object_set_new(table, "curves", curves_json(figures));
            (void)json_object_set_new(table, "unsaved", json_integer((json_int_t)figures->unsaved));
        }
        if (figures->series_count > 0)
            (void)json_object_set_new(table, "series", series_json(figures));
        (void)json_array_append_new(tables, table);
    }
    return json_pack("{s:s, s:s, s:f, s:o}", "paper", done->paper->name, "title", done->paper->title, "scale",
                     done->scale, "tables", tables);
}

// --- What there is ---

static unsigned table_games(const PaperTable *table)
{
    unsigned games = 0;
    for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
        games += paper_trial_games(trial, 1);
    return games;
}

static unsigned table_positions(const PaperTable *table)
{
    unsigned positions = 0;
    for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
        positions += paper_trial_positions(trial, 1);
    return positions;
}

// What a table costs, in words.
static void print_size(const PaperTable *table)
{
    char games[32], positions[32];
    if (table_games(table) > 0 || table_positions(table) == 0)
        (void)printf("; %s games", output_number(table_games(table), games));
    if (table_positions(table) > 0)
        (void)printf("; %s searches", output_number(table_positions(table), positions));
    (void)printf(" at scale 1\n");
}

static void print_published(const PaperTrial *trial)
{
    static const Args nothing = {0};
    char published[VALUE_SIZE];
    char *label = paper_label(trial, &nothing);
    (void)printf("      %s%s", label != NULL ? label : "", paper_needs_opponent(trial) ? " (--opponent)" : "");
    const char *before = ": ";
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperUnit unit = paper_unit(trial, i);
        if (isnan(unit.published))
            continue;
        (void)printf("%s%s %s", before, unit.unit, value_text(unit.unit, unit.published, published));
        before = ", ";
    }
    if (trial->source != NULL)
        (void)printf(" (%s)", trial->source);
    if (trial->remark != NULL)
        (void)printf("; %s", trial->remark);
    (void)printf("\n");
    free(label);
}

void reproduce_print_list(const Paper *const *list, int count)
{
    for (int i = 0; i < count; i++) {
        (void)printf("%s  %s\n", list[i]->name, list[i]->title);
        for (const PaperTable *table = list[i]->tables; table->name != NULL; table++) {
            (void)printf("  %s/%s: %s", list[i]->name, table->name, table->about);
            print_size(table);
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
                print_published(trial);
        }
    }
}

static void add_listed(json_t *rows, const PaperTrial *trial, PaperUnit unit)
{
    static const Args nothing = {0};
    char *label = paper_label(trial, &nothing);
    (void)json_array_append_new(
        rows, json_pack("{s:o, s:s, s:o, s:o, s:i, s:i, s:o, s:b, s:o}", "label", text_or_null(label), "unit",
                        unit.unit, "published", report_number(unit.published), "source", text_or_null(trial->source),
                        "games", (int)paper_trial_games(trial, 1), "searches", (int)paper_trial_positions(trial, 1),
                        "game", text_or_null(trial->game), "needs_opponent", (int)paper_needs_opponent(trial), "remark",
                        text_or_null(trial->remark)));
    free(label);
}

static json_t *table_json(const PaperTable *table)
{
    json_t *rows = json_array();
    for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
        for (unsigned i = 0; i < paper_units(trial); i++)
            add_listed(rows, trial, paper_unit(trial, i));
    return json_pack("{s:s, s:s, s:i, s:i, s:o}", "name", table->name, "about", table->about, "games",
                     (int)table_games(table), "searches", (int)table_positions(table), "rows", rows);
}

json_t *reproduce_list_json(const Paper *const *list, int count)
{
    json_t *all = json_array();
    for (int i = 0; i < count; i++) {
        json_t *tables = json_array();
        for (const PaperTable *table = list[i]->tables; table->name != NULL; table++)
            (void)json_array_append_new(tables, table_json(table));
        (void)json_array_append_new(
            all, json_pack("{s:s, s:s, s:o}", "name", list[i]->name, "title", list[i]->title, "tables", tables));
    }
    return json_pack("{s:o}", "papers", all);
}
