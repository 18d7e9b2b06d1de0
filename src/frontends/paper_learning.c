// What a run comes to in which an agent learns from its games.
#include "frontends/paper_internal.h"

#include "frontends/interrupt.h"
#include "frontends/learning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Playing ---

static Status play(const PaperTrial *trial, const Args *args, const char *label, Learning *learning, Error *error)
{
    Args asked = paper_lab_args(args);
    asked.workers = false; // each game begins with what the ones before have taught
    LearningStyle style = {.label = label, .is_alone = args->jobs <= 1, .has_own_set = true};
    Status status = paper_prepare_lab(trial, &asked, &learning->lab, error);
    if (status == STATUS_OK)
        status = learning_open(learning, &asked, &style, error);
    if (status != STATUS_OK)
        return atomic_load(interrupt_flag()) ? STATUS_INTERRUPTED : status;
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
    const AgentCounts *counts = &learning->lab.results.agents[0];
    return without_limits(counts->turns > 0 ? 1000 * counts->seconds / (double)counts->turns : NAN);
}

static LearningScore slowest_ms(const Learning *learning)
{
    const AgentCounts *counts = &learning->lab.results.agents[0];
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
    paper_set_unit(figure, &learning->lab.results);
}

static Status add_figures(const PaperTrial *trial, const Args *args, const Learning *learning, PaperFigures *figures,
                          Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < paper_units(trial) && status == STATUS_OK; i++) {
        PaperUnit unit = paper_unit(trial, i);
        PaperFigure figure = {
            .trial = trial,
            .label = paper_label(trial, args),
            .unit = unit.unit,
            .published = unit.published,
            .wanted = learning->curve.capacity,
            .has_games = true,
            .games = learning->lab.results.pairs[0].games,
        };
        set_figure(&figure, learning);
        status = paper_add_figure(figures, &figure, error);
    }
    figures->faults += paper_faults(&learning->lab.results);
    figures->unsaved += learning_curve_end(&learning->curve).unsaved;
    return status;
}

// The curve goes from the run to the figures.
static Status take_curve(const PaperTrial *trial, const Args *args, Learning *learning, PaperFigures *figures,
                         Error *error)
{
    PaperCurve curve = {trial, paper_label(trial, args), strdup(learning_set(learning)), learning->curve};
    learning->curve = (LearningCurve){0};
    return paper_add_curve(figures, &curve, error);
}

static Status report(const PaperTrial *trial, const Args *args, Learning *learning, PaperFigures *figures, Error *error)
{
    Status status = add_figures(trial, args, learning, figures, error);
    return status == STATUS_OK ? take_curve(trial, args, learning, figures, error) : status;
}

Status paper_measure_learning(const PaperTrial *trial, const Args *args, PaperFigures *figures, Error *error)
{
    Learning *learning = calloc(1, sizeof *learning);
    char *label = paper_label(trial, args);
    if (learning == NULL || label == NULL) {
        free(learning);
        free(label);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a match");
    }
    Status status = play(trial, args, label, learning, error);
    bool has_results = learning->lab.results.half_points != NULL && learning->curve.points != NULL;
    if (has_results && (status == STATUS_OK || status == STATUS_INTERRUPTED)) {
        Status reported = report(trial, args, learning, figures, error);
        status = reported == STATUS_OK ? status : reported;
    }
    learning_close(learning);
    free(learning);
    free(label);
    return status;
}
