// The curves of a table as a picture.
#include "frontends/paper.h"

#include "base/file.h"
#include "frontends/learning.h"
#include "match/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool paper_is_drawn(const PaperTrial *trial)
{
    return trial->set != NULL || trial->panel != NULL;
}

enum { SUBTITLE_SIZE = 120 };

static void write_subtitle(const PaperTable *table, const Args *args, char text[SUBTITLE_SIZE])
{
    (void)snprintf(text, SUBTITLE_SIZE, "%s, seed %llu, scale %g, krow " KROW_VERSION, table->trials[0].game,
                   (unsigned long long)(args->has_seed ? args->seed : 1), args->scale);
}

// --- Learning ---

// Of a smaller scale the axis is whole: a curve that has not got to its end says so.

// The published end of a figure, of the first curve that has one.
static double published_end(const PaperFigures *figures, const char *unit)
{
    for (unsigned i = 0; i < figures->count; i++)
        if (strcmp(figures->list[i].unit, unit) == 0 && !isnan(figures->list[i].published))
            return figures->list[i].published;
    return NAN;
}

static Status draw_learning(const PaperTable *table, const PaperFigures *figures, const Args *args, const char *path,
                            Error *error)
{
    LearningPlotLine lines[PLOT_KINDS];
    unsigned count = figures->curve_count < PLOT_KINDS ? figures->curve_count : PLOT_KINDS;
    unsigned games = table->trials[0].games;
    for (unsigned i = 0; i < count; i++) {
        const PaperCurve *curve = &figures->curves[i];
        lines[i] = (LearningPlotLine){curve->label, &curve->curve};
        games = curve->curve.capacity > games ? curve->curve.capacity : games;
    }
    char subtitle[SUBTITLE_SIZE];
    write_subtitle(table, args, subtitle);
    LearningPlot plot = {.title = table->about, .subtitle = subtitle, .lines = lines, .count = count, .games = games};
    plot.published = published_end(figures, "score");
    plot.published_patterns = published_end(figures, "patterns");
    plot.published_games = table->trials[0].games;
    return learning_write_svg(&plot, path, error);
}

// --- Series by turns ---

enum { PANELS_MAX = 4, COLUMN_Y = 0, COLUMN_LOW, COLUMN_HIGH, COLUMNS };

// Few games are so long, and their mean jumps: a point is drawn that stands on this part of the games.
#define LEAST_SHARE 0.05

typedef struct {
    PlotPanel panels[PANELS_MAX];
    PlotLine lines[PANELS_MAX][PLOT_KINDS];
    double *columns[PANELS_MAX][PLOT_KINDS]; // owned
    unsigned count;
} SeriesPlot;

// Where a title stands, or a new panel; PANELS_MAX: there is no place.
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

static void fill_columns(const PaperSeries *series, double *columns)
{
    for (unsigned i = 0; i < series->count; i++) {
        const PaperPoint *point = &series->points[i];
        bool is_drawn = point->n >= LEAST_SHARE * series->games;
        columns[(size_t)COLUMN_Y * series->count + i] = is_drawn ? point->mean : NAN;
        columns[(size_t)COLUMN_LOW * series->count + i] = is_drawn ? point->limits.low : NAN;
        columns[(size_t)COLUMN_HIGH * series->count + i] = is_drawn ? point->limits.high : NAN;
    }
}

// False where there is no memory. What has no place is left out; the table of numbers has it.
static bool add_line(SeriesPlot *plot, const PaperSeries *series)
{
    unsigned at = panel_of(plot, series->trial->panel);
    unsigned kind = at < PANELS_MAX ? plot->panels[at].line_count : PLOT_KINDS;
    if (kind == PLOT_KINDS)
        return true;
    // One number more: a series may be empty.
    double *columns = calloc((size_t)COLUMNS * series->count + 1, sizeof *columns);
    plot->columns[at][kind] = columns;
    if (columns == NULL)
        return false;
    fill_columns(series, columns);
    plot->lines[at][kind] = (PlotLine){
        .name = series->trial->line,
        .kind = kind,
        .count = series->count,
        .y = columns + (size_t)COLUMN_Y * series->count,
        .low = columns + (size_t)COLUMN_LOW * series->count,
        .high = columns + (size_t)COLUMN_HIGH * series->count,
    };
    plot->panels[at].line_count++;
    return true;
}

static void close_series_plot(SeriesPlot *plot)
{
    for (unsigned i = 0; i < PANELS_MAX; i++)
        for (unsigned j = 0; j < PLOT_KINDS; j++)
            free(plot->columns[i][j]);
}

// The axis is that of the longest game there can be.
static unsigned longest(const char *game)
{
    Rules rules;
    Status status = rules_parse(span_of(game), &rules, NULL);
    assert(status == STATUS_OK);
    (void)status;
    return results_length(&rules, rules_cells(&rules));
}

static Status draw_series(const PaperTable *table, const PaperFigures *figures, const Args *args, const char *path,
                          Error *error)
{
    SeriesPlot plot = {0};
    Text text = {0};
    for (unsigned i = 0; i < figures->series_count && !text.failed; i++)
        text.failed = !add_line(&plot, &figures->series[i]);
    char subtitle[SUBTITLE_SIZE];
    write_subtitle(table, args, subtitle);
    Plot all = {table->about, subtitle, "turn of the game", longest(table->trials[0].game), plot.panels, plot.count};
    if (!text.failed)
        plot_svg(&all, &text);
    Status status = text.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for '%s'", path)
                                : file_write(path, (Span){text.data, text.length}, error);
    text_close(&text);
    close_series_plot(&plot);
    return status;
}

// --- All of them ---

Status paper_write_svg(const Paper *paper, const PaperTable *table, const PaperFigures *figures, const Args *args,
                       const char *folder, Error *error)
{
    if (figures->curve_count == 0 && figures->series_count == 0)
        return STATUS_OK;
    char *path = NULL;
    if (asprintf(&path, "%s/%s-%s.svg", folder, paper->name, table->name) < 0)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a name");
    Status status = figures->curve_count > 0 ? draw_learning(table, figures, args, path, error)
                                             : draw_series(table, figures, args, path, error);
    free(path);
    return status;
}
