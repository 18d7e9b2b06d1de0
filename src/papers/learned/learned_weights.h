// Learned weights: what each feature of a stone is worth, for a family of rules (k, p, exact, gravity). The sum over
// all features is the logarithm of the odds that the side of the stone wins.
//
// Weights as text; # begins a comment line:
//
//     version 2
//     family k=6,p=2
//     source 4000 games, 19x19:k=6,p=2, seed 1      (any number of lines)
//     weight 0 own3 0.125                            (stage, feature, value; 0 if it is not named)
//
// Version 1 has the same lines; its weights belong to features with contiguous windows, those of version 2 to extended
// windows (papers/levin/generalised.h).
#pragma once

#include "base/status.h"
#include "papers/learned/features.h"

enum { LEARNED_VERSION = 2 };

typedef struct {
    float of[FEATURES_STAGES][FEATURES_MAX];
    GeneralisedWindows windows; // of the features that the weights belong to
} LearnedWeights;

// The score of a stone: the logarithm of the odds of winning.
static inline double learned_score(const LearnedWeights *weights, const FeatureVector *vector, unsigned count)
{
    const float *of = weights->of[vector->stage];
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += (double)of[i] * (double)vector->value[i];
    return sum;
}

// Weights by hand, for families without learned ones: squares of stones in windows as for Sequences, and threats.
void learned_formula(LearnedWeights *weights, const Rules *rules);

// The weights of the family that were compiled in, or else the formula. Says which.
bool learned_find(LearnedWeights *weights, const Rules *rules);

// The weights of a file; an empty path is learned_find, "none" the formula.
Status learned_read(LearnedWeights *weights, const char *path, const Rules *rules, Error *error);

Status learned_parse(LearnedWeights *weights, Span text, const Rules *rules, Error *error);
void learned_format(const LearnedWeights *weights, const Rules *rules, Span source, Text *text);

// The files of data/learned, made into a source file by tools/embed-texts.
extern const Span learned_texts[];
extern const unsigned learned_texts_count;
