// Reports a run of `krow evolve`.
#include "lab/evolve/evolve_report.h"

#include "base/memory.h"
#include "lab/report.h"
#include "view/plot_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- JSON ---

static json_t *number_json(const OptionRange *range, double value)
{
    return range->option->type == OPTION_INT ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *ranges_json(const OptionSpace *space)
{
    json_t *list = json_array();
    for (unsigned d = 0; d < space->count; d++) {
        const OptionRange *range = &space->ranges[d];
        (void)json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", range->option->name, "low",
                            number_json(range, range->low), "high", number_json(range, range->high), "default",
                            number_json(range, range->fallback), "start", number_json(range, range->start)));
    }
    return list;
}

static json_t *values_json(const OptionSpace *space, const OptimiserPoint *point)
{
    json_t *values = json_object();
    for (unsigned d = 0; d < space->count; d++)
        (void)json_object_set_new(values, space->ranges[d].option->name,
                                  number_json(&space->ranges[d], option_space_value(space, d, point)));
    return values;
}

static json_t *check_json(const Evolve *evolve, const EvolveCheck *check)
{
    Estimate score = stats_score(&check->pair), elo = stats_elo(&check->pair);
    return json_pack("{s:i, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "generation", (int)check->generation, "values",
                     values_json(&evolve->space, &check->estimate), "games", (int)tally_games(check->pair.games),
                     "score", report_number(score.value), "low", report_number(score.range.low), "high",
                     report_number(score.range.high), "elo", report_number(elo.value), "elo_error",
                     report_number(elo.error));
}

static json_t *match_json(const MatchRun *run)
{
    return run->event.agent_count > 0 ? report_match_json(run) : json_null();
}

json_t *evolve_json(const Evolve *evolve)
{
    char game[RULES_TEXT_SIZE];
    json_t *curve = json_array(), *values = json_array();
    rules_format(&evolve->event.rules, game);
    for (unsigned i = 0; i < evolve->check_count; i++)
        (void)json_array_append_new(curve, check_json(evolve, &evolve->checks[i]));
    for (unsigned i = 0; evolve->path != NULL && i <= evolve->optimiser.generation; i++)
        (void)json_array_append_new(values, values_json(&evolve->space, &evolve->path[i]));
    return json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:I, s:o, s:o, s:o, s:s?, s:o, s:o}", "agent", evolve->space.start,
                     "game", game, "algorithm", evolve_algorithm_name(evolve->plan.algorithm), "seed",
                     (json_int_t)evolve->event.seed, "generations", (int)evolve->optimiser.generation, "population",
                     (int)evolve->plan.candidates, "games", (json_int_t)evolve->games, "options",
                     ranges_json(&evolve->space), "estimates", values, "curve", curve, "winner", evolve->winner,
                     "against_defaults", match_json(&evolve->against_defaults), "against_start",
                     match_json(&evolve->against_start));
}

// --- Curves ---

enum { TITLE_SIZE = 96 };

// The columns of a plot, which its lines borrow.
typedef struct {
    double x[EVOLVE_CHECKS], score[EVOLVE_CHECKS], low[EVOLVE_CHECKS], high[EVOLVE_CHECKS];
    char titles[OPTIMISER_DIMENSIONS_MAX][TITLE_SIZE];
    double *generations; // 0, 1, 2 …
    double *values;      // of each option, a column after the other
    PlotLine lines[OPTIMISER_DIMENSIONS_MAX];
    PlotPanel panels[OPTIMISER_DIMENSIONS_MAX + 1]; // the score, and a panel for each option
} Columns;

static void fill_scores(const Evolve *evolve, Columns *columns, PlotLine *line)
{
    for (unsigned i = 0; i < evolve->check_count; i++) {
        const EvolveCheck *check = &evolve->checks[i];
        Estimate score = stats_score(&check->pair);
        bool played = tally_games(check->pair.games) > 0;
        columns->x[i] = check->generation;
        columns->score[i] = 100 * score.value;
        columns->low[i] = played ? 100 * score.range.low : 50;
        columns->high[i] = played ? 100 * score.range.high : 50;
    }
    *line = (PlotLine){.name = "estimate",
                       .count = evolve->check_count,
                       .x = columns->x,
                       .y = columns->score,
                       .low = columns->low,
                       .high = columns->high};
    columns->panels[0] = (PlotPanel){"Score against the start, with 95 % limits", " %", 100, line, 1, NULL, 0};
}

// Axes begin at 0, so a range with negative numbers is shown in percent of it.
static void fill_option(const Evolve *evolve, unsigned d, Columns *columns)
{
    const OptionRange *range = &evolve->space.ranges[d];
    unsigned points = evolve->optimiser.generation + 1;
    double *column = columns->values + (size_t)d * points;
    bool negative = range->low < 0;
    for (unsigned i = 0; i < points; i++) {
        double value = option_space_value(&evolve->space, d, &evolve->path[i]);
        columns->generations[i] = i;
        column[i] = negative ? 100 * (value - range->low) / (range->high - range->low) : value;
    }
    (void)snprintf(columns->titles[d], TITLE_SIZE, "%s, %s %g to %g", range->option->name,
                   negative ? "in percent of the range from" : "from", range->low, range->high);
    columns->lines[d] = (PlotLine){.name = "estimate", .count = points, .x = columns->generations, .y = column};
    columns->panels[d + 1] = (PlotPanel){
        columns->titles[d], negative ? " %" : NULL, negative ? 100 : range->high, &columns->lines[d], 1, NULL, 0};
}

void evolve_svg(const Evolve *evolve, Text *text)
{
    unsigned points = evolve->optimiser.generation + 1, count = evolve->space.count;
    char game[RULES_TEXT_SIZE];
    Text title = {0}, about = {0};
    PlotLine scores;
    Columns *columns = memory_new(1, sizeof *columns);
    columns->generations = memory_new(points, sizeof *columns->generations);
    columns->values = memory_new((size_t)points * count, sizeof *columns->values);
    rules_format(&evolve->event.rules, game);
    text_add(&title, "Evolution of %s", evolve->space.start);
    text_add(&about, "%s, %s, seed %llu", game, evolve_algorithm_name(evolve->plan.algorithm),
             (unsigned long long)evolve->event.seed);
    fill_scores(evolve, columns, &scores);
    for (unsigned d = 0; d < count; d++)
        fill_option(evolve, d, columns);
    Plot plot = {title.data, about.data, "generations", evolve->plan.generations, columns->panels, count + 1};
    plot_svg(&plot, text);
    text_close(&title);
    text_close(&about);
    free(columns->generations);
    free(columns->values);
    free(columns);
}
