// Shared by the files of tuning: a linear model whose weights are sums of parts.
#pragma once

#include "base/rng.h"
#include "engine/tune/tune.h"

enum {
    MODEL_PARTS_MAX = 11, // of one weight: four line patterns, six pairs of them, one of its own
    MODEL_PAIRS = LINE_PATTERNS_MAX * (LINE_PATTERNS_MAX + 1) / 2,
    MODEL_CODE_PARTS = LINE_PATTERNS_MAX + MODEL_PAIRS + WEIGHTS_CODES,
    MODEL_SITUATION_PARTS = 2 * (1 << WEIGHTS_KINDS) + WEIGHTS_SITUATIONS,
};

// A weight is a base plus its parts. Only weights that occur (`is_met`) are updated while tuning.
typedef struct {
    uint16_t part[MODEL_PARTS_MAX];
    uint8_t count;
    bool is_met;
    double base, value, slope; // slope: of the loss, by this weight
} ModelWeight;

// A part is its coordinate times its spread, the standard deviation of its prior, so that all coordinates have the same
// prior.
typedef struct {
    double at, slope;
    double spread;
    double best; // the coordinate with the lowest held-out loss
} ModelPart;

typedef struct {
    unsigned weights, parts;
    double alike;        // number of samples that count as one against the prior
    ModelWeight *weight; // owned
    ModelPart *part;     // owned
} Model;

void model_open(Model *model, unsigned weights, unsigned parts);
void model_close(Model *model);

// Assigns the parts from `first_part` on to the code weights from `first` on.
void model_share_codes(Model *model, unsigned first, unsigned first_part);
void model_share_situations(Model *model, unsigned first, unsigned first_part);

// Sets the values of all weights, even those that do not occur.
void model_set_values(Model *model);

// A loss summed over samples; with `learn` its slopes are added to the model.
typedef struct {
    const char *name; // for progress
    void *context;
    double (*loss)(void *context, Model *model, uint32_t sample, bool learn);
} ModelLoss;

// The training samples and the held-out samples.
typedef struct {
    uint32_t *learned, *held; // owned
    unsigned learned_count, held_count;
} ModelSplit;

// Minimises the sum of losses and prior by L-BFGS (Nocedal 1980) and keeps the coordinates with the lowest held-out
// loss.
TuneLoss model_fit(Model *model, const ModelLoss *loss, const ModelSplit *split, const TuneOptions *options);
