// Charts of tables: learning curves, values by the turn of the game, or the rows themselves.
#include "papers/experiment/paper_internal.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/learn/learn.h"
#include "match/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool paper_is_drawn(const PaperTrial *trial)
{
    return trial->set != NULL || trial->panel != NULL;
}

enum { SUBTITLE_SIZE = 120, RUNS_DRAWN_MAX = 100 };

static void write_subtitle(const PaperTable *table, const ExperimentOptions *options, char text[SUBTITLE_SIZE])
{
    const char *game = table->trials[0].game;
    (void)snprintf(text, SUBTITLE_SIZE, "%s%sseed %llu, scale %g, krow " KROW_VERSION, game != NULL ? game : "",
                   game != NULL ? ", " : "", (unsigned long long)options->seed, options->scale);
}

// The published final figure of the first curve that has one.
static double published_end(const PaperFigures *figures, const char *unit)
{
    for (unsigned i = 0; i < figures->count; i++)
        if (strcmp(figures->list[i].unit, unit) == 0 && !isnan(figures->list[i].published))
            return figures->list[i].published;
    return NAN;
}

// The mean of the finished runs of a trial, whose first curve is given. Returns the first curve of the next trial.
static unsigned mean_curve(const PaperFigures *figures, unsigned first, LearningCurve *mean)
{
    const LearningCurve *runs[RUNS_DRAWN_MAX];
    unsigned count = 0, i = first;
    for (; i < figures->curve_count && figures->curves[i].trial == figures->curves[first].trial; i++) {
        const LearningCurve *curve = &figures->curves[i].curve;
        if (count < RUNS_DRAWN_MAX && (i == first || curve->count == curve->capacity))
            runs[count++] = curve;
    }
    learning_curve_mean(runs, count, mean);
    return i;
}

static void draw_learning(const PaperTable *table, const PaperFigures *figures, const ExperimentOptions *options,
                          Text *text)
{
    LearningPlotLine lines[PLOT_KINDS];
    LearningCurve means[PLOT_KINDS];
    unsigned count = 0, games = table->trials[0].games; // the axis shows the full scale, also for a smaller one
    for (unsigned next = 0; next < figures->curve_count && count < PLOT_KINDS; count++) {
        lines[count] = (LearningPlotLine){figures->curves[next].label, &means[count]};
        next = mean_curve(figures, next, &means[count]);
        games = means[count].capacity > games ? means[count].capacity : games;
    }
    char subtitle[SUBTITLE_SIZE];
    write_subtitle(table, options, subtitle);
    LearningPlot plot = {.title = table->about, .subtitle = subtitle, .lines = lines, .count = count, .games = games};
    plot.published = published_end(figures, "score");
    plot.published_versions = published_end(figures, "versions");
    plot.published_games = table->trials[0].games;
    learning_svg(&plot, text);
    for (unsigned i = 0; i < count; i++)
        learning_curve_close(&means[i]);
}

enum { PANELS_MAX = 4 };

// Draws only points that have at least this share of the games: the mean of the few longest games jumps.
#define LEAST_SHARE 0.05

typedef struct {
    PlotPanel panels[PANELS_MAX];
    PlotLine lines[PANELS_MAX][PLOT_KINDS];
    double *columns[PANELS_MAX][PLOT_KINDS]; // of the lines; owned
    unsigned count;
} SeriesPlot;

// The panel with this title, added if necessary; PANELS_MAX: no room.
static unsigned panel_of(SeriesPlot *plot, const char *title)
{
    unsigned i = 0;
    while (i < plot->count && strcmp(plot->panels[i].title, title) != 0)
        i++;
    if (i == plot->count && i < PANELS_MAX) {
        plot->panels[i] = (PlotPanel){.title = title, .lines = plot->lines[i]};
        plot->count++;
    }
    return i;
}

// Leaves out a series without room; the table of numbers has it.
static void add_line(SeriesPlot *plot, const PaperSeries *series)
{
    unsigned at = panel_of(plot, series->trial->panel);
    unsigned kind = at < PANELS_MAX ? plot->panels[at].line_count : PLOT_KINDS;
    if (kind == PLOT_KINDS)
        return;
    double *y = memory_new((size_t)3 * series->count, sizeof *y), *low = y + series->count, *high = low + series->count;
    for (unsigned i = 0; i < series->count; i++) {
        const PaperPoint *point = &series->points[i];
        bool is_drawn = point->n >= LEAST_SHARE * series->games;
        y[i] = is_drawn ? point->mean : NAN;
        low[i] = is_drawn ? point->limits.low : NAN;
        high[i] = is_drawn ? point->limits.high : NAN;
    }
    plot->columns[at][kind] = y;
    plot->lines[at][kind] =
        (PlotLine){.name = series->trial->line, .kind = kind, .count = series->count, .y = y, .low = low, .high = high};
    plot->panels[at].line_count++;
}

// The axis ends at the longest possible game.
static unsigned longest(const char *game)
{
    Rules rules;
    Status status = rules_parse(span_of(game), &rules, NULL);
    assert(status == STATUS_OK);
    (void)status;
    return results_length(&rules, rules_cells(&rules));
}

static void draw_series(const PaperTable *table, const PaperFigures *figures, const ExperimentOptions *options,
                        Text *text)
{
    SeriesPlot plot = {0};
    for (unsigned i = 0; i < figures->series_count; i++)
        add_line(&plot, &figures->series[i]);
    char subtitle[SUBTITLE_SIZE];
    write_subtitle(table, options, subtitle);
    Plot all = {table->about, subtitle, "turn of the game", longest(table->trials[0].game), plot.panels, plot.count};
    plot_svg(&all, text);
    for (unsigned i = 0; i < PANELS_MAX; i++)
        for (unsigned j = 0; j < PLOT_KINDS; j++)
            free(plot.columns[i][j]);
}

// A picture has room for PLOT_KINDS curves. A table with more rows compares their final figures.
static bool has_room(const PaperTable *table)
{
    unsigned count = 0;
    while (table->trials[count].measure != NULL)
        count++;
    return count <= PLOT_KINDS;
}

void paper_draw(const PaperTable *table, const PaperFigures *figures, const ExperimentOptions *options, Text *text)
{
    char subtitle[SUBTITLE_SIZE];
    write_subtitle(table, options, subtitle);
    if (figures->curve_count > 0 && has_room(table))
        draw_learning(table, figures, options, text);
    else if (figures->series_count > 0)
        draw_series(table, figures, options, text);
    else
        paper_add_chart(figures, table->about, subtitle, text);
}

Status paper_write_svg(const Paper *paper, const PaperTable *table, const PaperFigures *figures,
                       const ExperimentOptions *options, Error *error)
{
    Text path = {0}, text = {0};
    text_add(&path, "%s/%s-%s.svg", options->svg, paper->name, table->name);
    paper_draw(table, figures, options, &text);
    Status status = file_write(path.data, (Span){text.data, text.length}, error);
    text_close(&path);
    text_close(&text);
    return status;
}
