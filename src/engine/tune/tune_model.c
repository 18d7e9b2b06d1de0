// The model of tuning: weights as sums of shared parts with priors, optimised by L-BFGS.
#include "base/limits.h"
#include "base/memory.h"
#include "engine/tune/tune_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY = 10,   // steps used to estimate the curvature
    PATIENCE = 20, // steps without a lower held-out loss
    HALVINGS = 20, // of a step
};

static const double ENOUGH = 1e-6; // relative gain of a step below which it is over

// Standard deviations of the priors, in log odds: a line pattern, two line patterns, a code; the kinds of a side, a
// situation. Parts that more weights share may differ more from the formula.
static const double LINE_PATTERN_SPREAD = 0.3, PAIR_SPREAD = 0.1, CODE_SPREAD = 0.05, SIDE_SPREAD = 1,
                    SITUATION_SPREAD = 0.3;

void model_open(Model *model, unsigned weights, unsigned parts)
{
    *model = (Model){.weights = weights, .parts = parts, .alike = 1};
    model->weight = memory_new(weights, sizeof *model->weight);
    model->part = memory_new(parts, sizeof *model->part);
}

void model_close(Model *model)
{
    free(model->weight);
    free(model->part);
    *model = (Model){0};
}

// --- Parts ---

static void share(Model *model, unsigned weight, unsigned part, double spread)
{
    ModelWeight *to = &model->weight[weight];
    to->part[to->count++] = (uint16_t)part;
    model->part[part].spread = spread;
}

static unsigned pair_number(unsigned a, unsigned b)
{
    unsigned high = a > b ? a : b, low = a > b ? b : a;
    return high * (high + 1) / 2 + low;
}

void model_share_codes(Model *model, unsigned first, unsigned first_part)
{
    unsigned code = 0, pairs = first_part + LINE_PATTERNS_MAX, own = pairs + MODEL_PAIRS;
    do {
        unsigned number = weights_unordered(code);
        for (unsigned i = 0; i < 4; i++) {
            unsigned line_pattern = code >> (4 * i) & 15;
            share(model, first + number, first_part + line_pattern, LINE_PATTERN_SPREAD);
            for (unsigned j = 0; j < i; j++)
                share(model, first + number, pairs + pair_number(line_pattern, code >> (4 * j) & 15), PAIR_SPREAD);
        }
        share(model, first + number, own + number, CODE_SPREAD);
        code = weights_next_code(code);
    } while (code != 0);
}

void model_share_situations(Model *model, unsigned first, unsigned first_part)
{
    unsigned sides = 1 << WEIGHTS_KINDS;
    for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++) {
        share(model, first + i, first_part + i % sides, SIDE_SPREAD);
        share(model, first + i, first_part + sides + i / sides, SIDE_SPREAD);
        share(model, first + i, first_part + 2 * sides + i, SITUATION_SPREAD);
    }
}

// --- Values ---

static void set_value(Model *model, ModelWeight *weight)
{
    weight->value = weight->base;
    for (unsigned i = 0; i < weight->count; i++)
        weight->value += model->part[weight->part[i]].spread * model->part[weight->part[i]].at;
}

void model_set_values(Model *model)
{
    for (unsigned i = 0; i < model->weights; i++)
        set_value(model, &model->weight[i]);
}

// --- The sum ---

static double held_loss(Model *model, const ModelLoss *loss, const ModelSplit *split)
{
    double sum = 0;
    for (unsigned i = 0; i < split->held_count; i++)
        sum += loss->loss(loss->context, model, split->held[i], false);
    return sum / split->held_count;
}

// Passes the slopes of weights on to their parts.
static void pass_slopes_on(Model *model)
{
    for (unsigned i = 0; i < model->weights; i++) {
        ModelWeight *weight = &model->weight[i];
        for (unsigned j = 0; j < weight->count && weight->slope != 0; j++) {
            ModelPart *part = &model->part[weight->part[j]];
            part->slope += part->spread * weight->slope;
        }
        weight->slope = 0;
    }
}

typedef struct {
    Model *model;
    const ModelLoss *loss;
    const ModelSplit *split;
    const TuneOptions *options;
} Fit;

// The average loss with the prior, and its slopes, at the coordinates `at`.
static double evaluate(const Fit *fit, const double *at, double *slopes)
{
    Model *model = fit->model;
    const ModelSplit *split = fit->split;
    double sum = 0, prior = fit->options->pull * model->alike / split->learned_count;
    for (unsigned i = 0; i < model->parts; i++) {
        model->part[i].at = at[i];
        model->part[i].slope = 0;
    }
    for (unsigned i = 0; i < model->weights; i++)
        if (model->weight[i].is_met)
            set_value(model, &model->weight[i]);
    for (unsigned i = 0; i < split->learned_count; i++)
        sum += fit->loss->loss(fit->loss->context, model, split->learned[i], true);
    pass_slopes_on(model);
    double value = sum / split->learned_count;
    for (unsigned i = 0; i < model->parts; i++) {
        value += prior * at[i] * at[i] / 2;
        slopes[i] = model->part[i].slope / split->learned_count + prior * at[i];
    }
    return value;
}

// --- L-BFGS ---

typedef struct {
    unsigned count; // of coordinates
    double *memory; // owned; holds the following lists
    double *at, *slopes, *next, *next_slopes, *direction;
    double *moved[MEMORY], *turned[MEMORY]; // changes of coordinates and slopes, newest first
    double curvature[MEMORY];               // 1 / (moved * turned)
    unsigned known;
    double value;
} Descent;

static double product(const double *a, const double *b, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add(double *to, double factor, const double *what, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] += factor * what[i];
}

static void descent_open(Descent *descent, unsigned count)
{
    *descent = (Descent){.count = count};
    double **lists[] = {&descent->at, &descent->slopes, &descent->next, &descent->next_slopes, &descent->direction};
    enum { LISTS = sizeof lists / sizeof lists[0] };
    double *memory = memory_new((size_t)count * (LISTS + 2 * MEMORY), sizeof *memory);
    descent->memory = memory;
    for (unsigned i = 0; i < LISTS; i++, memory += count)
        *lists[i] = memory;
    for (unsigned i = 0; i < MEMORY; i++, memory += 2 * (size_t)count) {
        descent->moved[i] = memory;
        descent->turned[i] = memory + count;
    }
}

// Sets the search direction from the slopes and the estimated curvature: the two-loop recursion over the last steps.
static void find_direction(Descent *descent)
{
    double *direction = descent->direction, share[MEMORY];
    unsigned count = descent->count;
    for (unsigned i = 0; i < count; i++)
        direction[i] = -descent->slopes[i];
    for (unsigned i = 0; i < descent->known; i++) {
        share[i] = descent->curvature[i] * product(descent->moved[i], direction, count);
        add(direction, -share[i], descent->turned[i], count);
    }
    double first = descent->known > 0
                       ? 1 / (descent->curvature[0] * product(descent->turned[0], descent->turned[0], count))
                       : 1 / sqrt(product(direction, direction, count) + 1e-30);
    for (unsigned i = 0; i < count; i++)
        direction[i] *= first;
    for (unsigned i = descent->known; i-- > 0;) {
        double other = descent->curvature[i] * product(descent->turned[i], direction, count);
        add(direction, share[i] - other, descent->moved[i], count);
    }
}

// Records the step from `at` to `next` and takes it.
static void make_step(Descent *descent, double value)
{
    double *moved = descent->moved[MEMORY - 1], *turned = descent->turned[MEMORY - 1];
    for (unsigned i = 0; i < descent->count; i++) {
        moved[i] = descent->next[i] - descent->at[i];
        turned[i] = descent->next_slopes[i] - descent->slopes[i];
    }
    double bend = product(moved, turned, descent->count);
    if (bend > 1e-300) {
        memmove(descent->moved + 1, descent->moved, (MEMORY - 1) * sizeof moved);
        memmove(descent->turned + 1, descent->turned, (MEMORY - 1) * sizeof turned);
        memmove(descent->curvature + 1, descent->curvature, (MEMORY - 1) * sizeof bend);
        descent->moved[0] = moved;
        descent->turned[0] = turned;
        descent->curvature[0] = 1 / bend;
        descent->known += descent->known < MEMORY;
    }
    memcpy(descent->at, descent->next, descent->count * sizeof(double));
    memcpy(descent->slopes, descent->next_slopes, descent->count * sizeof(double));
    descent->value = value;
}

// --- Tuning ---

static void keep_best(Model *model)
{
    for (unsigned i = 0; i < model->parts; i++)
        model->part[i].best = model->part[i].at;
}

static void restore_best(Model *model)
{
    for (unsigned i = 0; i < model->parts; i++)
        model->part[i].at = model->part[i].best;
    model_set_values(model);
}

// Line search along the direction, halving the step until the loss decreases enough. False if it does not, or if the
// gain is negligible.
static bool go(const Fit *fit, Descent *descent)
{
    static const double SHARE = 1e-4; // of the gain that the slope promises (Armijo 1966)
    double slope = product(descent->slopes, descent->direction, descent->count), length = 1;
    for (unsigned halved = 0; halved < HALVINGS; halved++) {
        memcpy(descent->next, descent->at, descent->count * sizeof(double));
        add(descent->next, length, descent->direction, descent->count);
        double value = evaluate(fit, descent->next, descent->next_slopes);
        if (value <= descent->value + SHARE * length * slope) {
            bool is_enough = descent->value - value < ENOUGH * descent->value;
            make_step(descent, value);
            return !is_enough;
        }
        length /= 2;
    }
    return false;
}

static void descend(const Fit *fit, Descent *descent, TuneLoss *report)
{
    const TuneOptions *options = fit->options;
    unsigned waited = 0;
    bool continues = true;
    descent->value = evaluate(fit, descent->at, descent->slopes);
    for (unsigned epoch = 1;
         continues && epoch <= options->epochs && waited < PATIENCE && !stop_is_raised(options->stop); epoch++) {
        find_direction(descent);
        continues = go(fit, descent);
        double now = held_loss(fit->model, fit->loss, fit->split);
        waited++;
        if (now < report->after) {
            report->after = now;
            report->epochs = epoch;
            waited = 0;
            keep_best(fit->model);
        }
        if (options->progress != NULL)
            options->progress(options->context, fit->loss->name, epoch, now);
    }
}

TuneLoss model_fit(Model *model, const ModelLoss *loss, const ModelSplit *split, const TuneOptions *options)
{
    Fit fit = {model, loss, split, options};
    TuneLoss report = {.samples = split->learned_count, .held_out = split->held_count};
    Descent descent;
    descent_open(&descent, model->parts);
    model_set_values(model);
    keep_best(model);
    report.before = report.after = held_loss(model, loss, split);
    descend(&fit, &descent, &report);
    restore_best(model);
    free(descent.memory);
    return report;
}
