// The measure of learning: a run in which an agent learns from its games.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "lab/learn/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Status play(const PaperTrial *trial, const ExperimentOptions *options, const char *label, Learning *learning,
                   Error *error)
{
    MatchRunStore store = {.path = options->db, .repeat = paper_resumes(options) ? MATCH_RESUME : MATCH_REPEAT};
    LearningStyle style = {.label = label, .is_alone = options->jobs <= 1, .has_own_set = true};
    Status status = paper_prepare_run(trial, options, &learning->run, error);
    learning->run.by_workers = false; // each game needs the patterns of the earlier ones
    if (status == STATUS_OK)
        status = learning_open(learning, &store, &style, error);
    if (status != STATUS_OK)
        return atomic_load(options->stop) ? STATUS_INTERRUPTED : status;
    return learning_run(learning, error);
}

// The figure of a unit that only learning has; false for units of games. Figures of the whole run are single
// measurements, without limits.
static bool find_score(const Learning *learning, const char *unit, LearningScore *score)
{
    const AgentCounts *counts = &learning->run.results.agents[0];
    LearningPoint end = learning_curve_end(&learning->curve);
    bool has_turns = counts->turns > 0;
    const struct {
        const char *unit;
        LearningScore score;
    } scores[] = {
        {"score", end.score},
        {"recent", end.recent},
        {"patterns", {(double)learning->known, {NAN, NAN}}},
        {"versions", {(double)learning->versions, {NAN, NAN}}},
        {"refuted", {(double)end.refuted, {NAN, NAN}}},
        {"undecided", {(double)end.undecided, {NAN, NAN}}},
        {"ms", {has_turns ? 1000 * counts->seconds / (double)counts->turns : NAN, {NAN, NAN}}},
        {"slowest", {has_turns ? 1000 * counts->slowest : NAN, {NAN, NAN}}},
    };
    for (unsigned i = 0; i < sizeof scores / sizeof scores[0]; i++)
        if (strcmp(unit, scores[i].unit) == 0) {
            *score = scores[i].score;
            return true;
        }
    return false;
}

static void set_figure(PaperFigure *figure, const Learning *learning)
{
    LearningScore score;
    if (!find_score(learning, figure->unit, &score)) {
        paper_set_unit(figure, &learning->run.results);
        return;
    }
    figure->measured = score.value;
    figure->limits = score.limits;
    figure->n = learning->curve.count;
    if (strcmp(figure->unit, "recent") == 0) {
        figure->n = figure->n < LEARNING_RECENT ? figure->n : LEARNING_RECENT;
        figure->wanted = figure->wanted < LEARNING_RECENT ? figure->wanted : LEARNING_RECENT;
    }
}

// --- Several runs ---

enum { UNITS_MAX = 16 };

// A unit in the finished runs. A run that was cut short counts only if it is the first.
typedef struct {
    PaperFigure figure;
    Sample values;
} Row;

typedef struct {
    const PaperTrial *trial;
    ExperimentOptions options; // of the current run
    unsigned runs, units;
    Row rows[UNITS_MAX];
    PaperFigures *figures;
} Runs;

static void add_value(Row *row, const PaperFigure *one)
{
    PaperFigure *figure = &row->figure;
    if (row->values.n == 0) {
        figure->measured = one->measured;
        figure->limits = one->limits;
        figure->spread = (Interval){one->measured, one->measured};
    }
    figure->n += one->n;
    figure->games.wins += one->games.wins;
    figure->games.draws += one->games.draws;
    figure->games.losses += one->games.losses;
    figure->is_partial = figure->is_partial || one->is_partial;
    figure->spread.low = fmin(figure->spread.low, one->measured);
    figure->spread.high = fmax(figure->spread.high, one->measured);
    sample_add(&row->values, one->measured);
}

static void add_run(Runs *runs, Learning *learning)
{
    bool is_whole = learning->curve.count == learning->curve.capacity;
    for (unsigned i = 0; i < runs->units; i++) {
        Row *row = &runs->rows[i];
        PaperFigure one = {.unit = row->figure.unit, .wanted = learning->curve.capacity};
        set_figure(&one, learning);
        one.games = learning->run.results.pairs[0].games;
        one.is_partial = learning->curve.count < runs->trial->games;
        row->figure.wanted = runs->runs * one.wanted;
        if (is_whole || row->values.n == 0)
            add_value(row, &one);
    }
    PaperFigures *figures = runs->figures;
    figures->faults += paper_faults(&learning->run.results);
    figures->unsaved += learning_curve_end(&learning->curve).unsaved;
    PaperCurve curve = {runs->trial, paper_label(runs->trial, &runs->options), memory_copy_text(learning_set(learning)),
                        learning->curve, runs->options.seed};
    learning->curve = (LearningCurve){0};
    paper_add_curve(figures, &curve);
}

// Plays the run with this number.
static Status measure_run(Runs *runs, unsigned number, Error *error)
{
    Learning *learning = memory_new(1, sizeof *learning);
    Text label = {0};
    char *name = paper_label(runs->trial, &runs->options);
    text_add(&label, "%s", name);
    if (runs->runs > 1)
        text_add(&label, ", run %u of %u", number + 1, runs->runs);
    Status status = play(runs->trial, &runs->options, label.data, learning, error);
    bool has_results = learning->run.results.half_points != NULL && learning->curve.points != NULL;
    if (has_results && (status == STATUS_OK || status == STATUS_INTERRUPTED))
        add_run(runs, learning);
    learning_close(learning);
    free(learning);
    text_close(&label);
    free(name);
    return status;
}

// The figure of all runs. One run of a trial that has several is one measurement, so it is not judged.
static void finish(const Row *row, PaperFigure *figure)
{
    *figure = row->figure;
    figure->runs = figure->trial->runs > 1 ? row->values.n : 0;
    if (row->values.n < 2)
        return;
    Estimate mean = sample_mean(&row->values);
    // The longest turn of all runs is no mean, and has no limits.
    bool is_mean = strcmp(figure->unit, "slowest") != 0;
    figure->measured = is_mean ? mean.value : figure->spread.high;
    figure->limits = is_mean ? mean.range : (Interval){NAN, NAN};
    if (paper_is_share(figure->unit))
        figure->limits.high = fmin(figure->limits.high, 1);
}

static Status measure_learning(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures,
                               Error *error)
{
    Runs *runs = memory_new(1, sizeof *runs);
    *runs = (Runs){.trial = trial,
                   .options = *options,
                   .runs = paper_runs(trial, options->scale),
                   .units = paper_units(trial),
                   .figures = figures};
    runs->options.scale = paper_run_scale(trial, options->scale);
    assert(runs->units <= UNITS_MAX);
    for (unsigned i = 0; i < runs->units; i++) {
        runs->rows[i].figure = paper_figure(trial, options, i, 0);
        runs->rows[i].figure.has_games = true;
    }
    Status status = STATUS_OK;
    for (unsigned i = 0; i < runs->runs && status == STATUS_OK; i++) {
        runs->options.seed = options->seed + i;
        status = measure_run(runs, i, error);
    }
    for (unsigned i = 0; i < runs->units; i++) {
        PaperFigure figure;
        finish(&runs->rows[i], &figure);
        if (runs->rows[i].values.n > 0)
            paper_add_figure(figures, &figure);
        else
            free(figure.label);
    }
    free(runs);
    return status;
}

const PaperMeasure paper_measure_learning = {.run = measure_learning};
