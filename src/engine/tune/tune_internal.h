// What the two halves of tuning share: a linear model whose weights are made of parts.
#pragma once

#include "base/rng.h"
#include "engine/tune/tune.h"

enum {
    MODEL_PARTS_MAX = 11, // of one weight: four line patterns, six pairs of them, one of its own
    MODEL_PAIRS = LINE_PATTERNS_MAX * (LINE_PATTERNS_MAX + 1) / 2,
    MODEL_CODE_PARTS = LINE_PATTERNS_MAX + MODEL_PAIRS + WEIGHTS_CODES,
    MODEL_SITUATION_PARTS = 2 * (1 << WEIGHTS_KINDS) + WEIGHTS_SITUATIONS,
};

// A weight is a base and the sum of its parts. Only weights that are met (`is_met`) are kept up to date while tuning.
typedef struct {
    uint16_t part[MODEL_PARTS_MAX];
    uint8_t count;
    bool is_met;
    double base, value, slope; // slope: of the loss, by this weight
} ModelWeight;

// A part is its place times its spread: the standard deviation of its prior, so that all places have the same one.
typedef struct {
    double at, slope;
    double spread;
    double best; // the place with which what is held out was predicted best
} ModelPart;

typedef struct {
    unsigned weights, parts;
    double alike;        // that many samples count as one against the prior
    ModelWeight *weight; // owned
    ModelPart *part;     // owned
} Model;

void model_open(Model *model, unsigned weights, unsigned parts);
void model_close(Model *model);

// Gives the weights from `first` on the parts of codes, those from `first_part` on.
void model_share_codes(Model *model, unsigned first, unsigned first_part);
void model_share_situations(Model *model, unsigned first, unsigned first_part);

// Sets the values of all weights, also those that were not met.
void model_set_values(Model *model);

// A sum over samples: the loss of one, and with `learn` its slopes added to the model.
typedef struct {
    const char *name; // for progress
    void *context;
    double (*loss)(void *context, Model *model, uint32_t sample, bool learn);
} ModelLoss;

// Which samples are learned from and which are held out.
typedef struct {
    uint32_t *learned, *held; // owned
    unsigned learned_count, held_count;
} ModelSplit;

// The least sum of losses and prior, by L-BFGS (Nocedal 1980); of the way there, the place that is best for what is
// held out.
TuneLoss model_fit(Model *model, const ModelLoss *loss, const ModelSplit *split, const TuneOptions *options);
