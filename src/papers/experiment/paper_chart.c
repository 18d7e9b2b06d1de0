// Charts of a table's rows: one panel per unit, measured values with their limits beside the published ones.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "view/plot_dots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The pairs of a round robin are in its cross table; the chart has the agents.
static bool is_charted(const PaperFigure *figure, const char *unit)
{
    bool is_pair = figure->trial->measure == &paper_measure_field && strstr(figure->label, " against ") != NULL;
    return !is_pair && strcmp(figure->unit, unit) == 0;
}

static DotRow row_of(const PaperFigure *figure, double factor)
{
    return (DotRow){.label = figure->label,
                    .measured = figure->n > 0 ? factor * figure->measured : NAN,
                    .low = factor * figure->limits.low,
                    .high = factor * figure->limits.high,
                    .published = factor * figure->published,
                    .is_bound = figure->cut > 0};
}

static void set_panel(const PaperFigures *figures, const char *unit, DotPanel *panel, DotRow *rows)
{
    bool is_share = paper_is_share(unit);
    *panel = (DotPanel){
        .title = paper_unit_meaning(unit), .unit = is_share ? " %" : NULL, .max = is_share ? 100 : 0, .rows = rows};
    for (unsigned i = 0; i < figures->count; i++)
        if (is_charted(&figures->list[i], unit))
            rows[panel->count++] = row_of(&figures->list[i], is_share ? 100 : 1);
}

void paper_add_chart(const PaperFigures *figures, const char *title, const char *subtitle, Text *text)
{
    DotPanel *panels = memory_new((size_t)figures->count + 1, sizeof *panels);
    DotRow *rows = memory_new((size_t)figures->count + 1, sizeof *rows), *next = rows;
    unsigned count = 0;
    for (unsigned i = 0; i < figures->count; i++) {
        if (!paper_begins_unit(figures, i))
            continue;
        set_panel(figures, figures->list[i].unit, &panels[count], next);
        next += panels[count].count;
        count += panels[count].count > 0;
    }
    plot_dots(&(DotPlot){title, subtitle, panels, count}, text);
    free(panels);
    free(rows);
}
