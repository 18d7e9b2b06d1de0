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
        {"versions", {learning->has_later_games ? NAN : (double)learning->versions, {NAN, NAN}}},
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

static void report(const PaperTrial *trial, const ExperimentOptions *options, Learning *learning, PaperFigures *figures)
{
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperFigure figure = paper_figure(trial, options, i, learning->curve.capacity);
        figure.has_games = true;
        figure.games = learning->run.results.pairs[0].games;
        figure.is_partial = learning->curve.count < trial->games;
        set_figure(&figure, learning);
        paper_add_figure(figures, &figure);
    }
    figures->faults += paper_faults(&learning->run.results);
    figures->unsaved += learning_curve_end(&learning->curve).unsaved;
    PaperCurve curve = {trial, paper_label(trial, options), memory_copy_text(learning_set(learning)), learning->curve};
    learning->curve = (LearningCurve){0};
    paper_add_curve(figures, &curve);
}

static Status measure_learning(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures,
                               Error *error)
{
    Learning *learning = memory_new(1, sizeof *learning);
    char *label = paper_label(trial, options);
    Status status = play(trial, options, label, learning, error);
    bool has_results = learning->run.results.half_points != NULL && learning->curve.points != NULL;
    if (has_results && (status == STATUS_OK || status == STATUS_INTERRUPTED))
        report(trial, options, learning, figures);
    learning_close(learning);
    free(learning);
    free(label);
    return status;
}

const PaperMeasure paper_measure_learning = {.run = measure_learning};
