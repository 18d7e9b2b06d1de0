// What a run comes to in which an agent learns from its games.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "lab/learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Playing ---

static Status play(const PaperTrial *trial, const ExperimentOptions *options, const char *label, Learning *learning,
                   Error *error)
{
    MatchRunStore store = {.path = options->db, .resumes = paper_resumes(options)};
    LearningStyle style = {.label = label, .is_alone = options->jobs <= 1, .has_own_set = true};
    Status status = paper_prepare_run(trial, options, &learning->run, error);
    learning->run.by_workers = false; // each game begins with what the earlier ones have taught
    if (status == STATUS_OK)
        status = learning_open(learning, &store, &style, error);
    if (status != STATUS_OK)
        return atomic_load(options->stop) ? STATUS_INTERRUPTED : status;
    return learning_run(learning, error);
}

// --- Figures ---

static LearningScore without_limits(double value)
{
    return (LearningScore){value, {NAN, NAN}};
}

// Figures of the whole run, which has no others to compare it with: they are without limits.
static LearningScore mean_ms(const Learning *learning)
{
    const AgentCounts *counts = &learning->run.results.agents[0];
    return without_limits(counts->turns > 0 ? 1000 * counts->seconds / (double)counts->turns : NAN);
}

static LearningScore slowest_ms(const Learning *learning)
{
    const AgentCounts *counts = &learning->run.results.agents[0];
    return without_limits(counts->turns > 0 ? 1000 * counts->slowest : NAN);
}

static LearningScore patterns(const Learning *learning)
{
    return without_limits((double)learning->known);
}

static LearningScore versions(const Learning *learning)
{
    return without_limits(learning->went_on ? NAN : (double)learning->versions);
}

static LearningScore refuted(const Learning *learning)
{
    return without_limits((double)learning_curve_end(&learning->curve).refuted);
}

static LearningScore undecided(const Learning *learning)
{
    return without_limits((double)learning_curve_end(&learning->curve).undecided);
}

static LearningScore score(const Learning *learning)
{
    return learning_curve_end(&learning->curve).score;
}

static LearningScore recent(const Learning *learning)
{
    return learning_curve_end(&learning->curve).recent;
}

static const struct {
    const char *unit;
    LearningScore (*of)(const Learning *learning);
} figures_of_learning[] = {
    {"score", score},     {"recent", recent},       {"patterns", patterns}, {"versions", versions},
    {"refuted", refuted}, {"undecided", undecided}, {"ms", mean_ms},        {"slowest", slowest_ms},
};

static void keep_to_recent(PaperFigure *figure)
{
    figure->n = figure->n < LEARNING_RECENT ? figure->n : LEARNING_RECENT;
    figure->wanted = figure->wanted < LEARNING_RECENT ? figure->wanted : LEARNING_RECENT;
}

static void set_figure(PaperFigure *figure, const Learning *learning)
{
    for (unsigned i = 0; i < sizeof figures_of_learning / sizeof figures_of_learning[0]; i++)
        if (strcmp(figure->unit, figures_of_learning[i].unit) == 0) {
            LearningScore value = figures_of_learning[i].of(learning);
            figure->measured = value.value;
            figure->limits = value.limits;
            figure->n = learning->curve.count;
            if (figures_of_learning[i].of == recent)
                keep_to_recent(figure);
            return;
        }
    paper_set_unit(figure, &learning->run.results);
}

static void report(const PaperTrial *trial, const ExperimentOptions *options, Learning *learning, PaperFigures *figures)
{
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperFigure figure = paper_figure(trial, options, i, learning->curve.capacity);
        figure.has_games = true;
        figure.games = learning->run.results.pairs[0].games;
        set_figure(&figure, learning);
        paper_add_figure(figures, &figure);
    }
    figures->faults += paper_faults(&learning->run.results);
    figures->unsaved += learning_curve_end(&learning->curve).unsaved;
    // The curve moves from the run to the figures.
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
