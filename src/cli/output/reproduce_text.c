// Prints a paper's experiments: published and measured figures, and the list of experiments.
#include "cli/output/reproduce_text.h"

#include "view/json_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_SIZE = 2 * PAPER_NOTE_SIZE };

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
    const char *noted = short_note_of(figure, note), *words = paper_verdict_words(paper_verdict(figure));
    char runs[PAPER_NOTE_SIZE];
    if (figure->runs < 2)
        return noted != NULL ? noted : words;
    (void)snprintf(note, NOTE_SIZE, "%s; %s", words, paper_note(figure, runs));
    return note;
}

// Widths of the first columns. Rows of the same games share a line with their label, without a column.
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

static void print_begin(const Layout *layout, const char *label, const char *unit)
{
    if (layout->grouped)
        (void)printf("  %-*s", layout->unit, unit);
    else
        (void)printf("%-*s  %-*s", layout->label, label, layout->unit, unit);
}

static void print_figure(const PaperFigure *figure, const Layout *layout)
{
    char published[PAPER_VALUE_SIZE], measured[PAPER_VALUE_SIZE], low[PAPER_VALUE_SIZE], high[PAPER_VALUE_SIZE],
        n[PAPER_VALUE_SIZE];
    (void)snprintf(n, sizeof n, figure->n < figure->wanted ? "%u/%u" : "%u", figure->n, figure->wanted);
    print_begin(layout, figure->label, figure->unit);
    (void)printf(" %9s %9s %9s %9s %9s", paper_value_text(figure->unit, figure->published, published),
                 paper_value_text(figure->unit, figure->measured, measured),
                 paper_value_text(figure->unit, figure->limits.low, low),
                 paper_value_text(figure->unit, figure->limits.high, high), n);
    if (!layout->grouped && figure->has_games)
        (void)printf(" %6u %6u %6u", figure->games.wins, figure->games.draws, figure->games.losses);
    else if (!layout->grouped)
        (void)printf(" %6s %6s %6s", "-", "-", "-");
    char note[NOTE_SIZE];
    const char *remark = layout->grouped ? NULL : figure->trial->remark;
    (void)printf("  %s%s%s\n", verdict(figure, note), remark != NULL ? "; " : "", remark != NULL ? remark : "");
}

// Prints the label of grouped rows and the results of their games.
static void print_heading(const PaperFigure *figure)
{
    (void)printf("%s", figure->label);
    if (figure->has_games)
        (void)printf(": %u win%s, %u draw%s, %u loss%s", figure->games.wins, view_plural(figure->games.wins),
                     figure->games.draws, view_plural(figure->games.draws), figure->games.losses,
                     figure->games.losses == 1 ? "" : "es");
    if (figure->trial->remark != NULL)
        (void)printf("; %s", figure->trial->remark);
    (void)printf("\n");
}

static void print_legend(const PaperFigures *figures)
{
    Text text = {0};
    paper_add_legend(figures, &(PaperLegendStyle){"  ", ": ", "\n"}, &text);
    (void)printf("units:\n%s", text.data != NULL ? text.data : "");
    text_close(&text);
}

static void print_cells(const PaperCross *cross, const PaperCrossCell *cells, const char *title, int width)
{
    char text[PAPER_CROSS_SIZE];
    (void)printf("%s\n%*s", title, width + 4, "");
    for (unsigned i = 0; i < cross->count; i++)
        (void)printf(" %9u", i + 1);
    for (unsigned i = 0; i < cross->count; i++) {
        (void)printf("\n%2u  %-*s", i + 1, width, cross->players[i]);
        for (unsigned j = 0; j < cross->count; j++)
            (void)printf(" %9s", i == j ? "." : paper_cross_text(&cells[i * PAPER_AGENTS_MAX + j], text));
    }
    (void)printf("\n");
}

static void print_cross(const PaperFigures *figures)
{
    PaperCross cross;
    if (!paper_cross(figures, &cross))
        return;
    int width = 0;
    for (unsigned i = 0; i < cross.count; i++)
        width = (int)strlen(cross.players[i]) > width ? (int)strlen(cross.players[i]) : width;
    if (cross.has_published)
        print_cells(&cross, cross.published, "cross table, published (row against column, in percent):", width);
    print_cells(&cross, cross.measured,
                "cross table, measured (row against column: wins-losses-draws in percent):", width);
    paper_close_cross(&cross);
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
                     view_plural(figures->faults));
    if (figures->unsaved > 0)
        (void)printf("%llu learned pattern%s could not be saved\n", (unsigned long long)figures->unsaved,
                     view_plural(figures->unsaved));
    print_cross(figures);
    print_legend(figures);
}

void reproduce_print(const Reproduction *done)
{
    (void)printf("%s: %s\nscale %g\n", done->paper->name, done->paper->title, done->scale);
    for (unsigned i = 0; i < done->count; i++)
        print_table(&done->tables[i]);
}

void reproduce_print_all(const PaperStates *states)
{
    (void)printf("paper  published  inside  outside  open  not run\n");
    for (unsigned i = 0; i < states->count; i++) {
        const PaperState *state = &states->list[i];
        const PaperCounts *counts = &state->counts;
        (void)printf("%-5s %10u %7u %8u %5u %8u%s\n", state->paper->name, counts->published, counts->inside,
                     counts->outside, counts->open, counts->not_run,
                     state->progress == PAPER_COMPLETE    ? ""
                     : state->progress == PAPER_CUT_SHORT ? "  interrupted"
                                                          : "  not begun");
    }
}

static void print_size(const PaperTable *table)
{
    char games[32], positions[32];
    if (paper_table_games(table) > 0 || paper_table_positions(table) == 0)
        (void)printf("; %s games", view_number(paper_table_games(table), games));
    if (paper_table_positions(table) > 0)
        (void)printf("; %s searches", view_number(paper_table_positions(table), positions));
    (void)printf(" at scale 1\n");
}

static void print_published(const PaperTrial *trial)
{
    static const ExperimentOptions nothing = {0};
    char published[PAPER_VALUE_SIZE];
    char *label = paper_label(trial, &nothing);
    (void)printf("      %s%s", label != NULL ? label : "", paper_needs_opponent(trial) ? " (--opponent)" : "");
    const char *before = ": ";
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperUnit unit = paper_unit(trial, i);
        if (isnan(unit.published))
            continue;
        (void)printf("%s%s %s", before, unit.unit, paper_value_text(unit.unit, unit.published, published));
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
