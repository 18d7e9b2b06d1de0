// Learning the weights of the agent `learned` by temporal differences (TD(lambda), Sutton 1988) in games of the agent
// against itself.
//
// The value of a position after a stone is the probability that the side of the stone wins: the logistic function of
// the score. After each game, the value of every position is moved towards its lambda-return: the mixture of the values
// of later positions of the game, and of its result (1, 0.5, 0), with weights that fall by lambda per stone. Seen by
// the other side, a value v is 1 - v. The gradient is that of the cross entropy, and each weight has its own step
// (AdaGrad): the rate over the root of the sum of its squared gradients.
//
// Games begin with some random stones. After these, a share of the stones is random; the return before such a stone is
// the value of the best stone instead. The learned weights are the mean over the second half of the games.
//
// The games are played one after another, and each has its own random numbers from the seed and its number. So the same
// seed gives the same weights, also if learning was interrupted and continued from a stored state.
#pragma once

#include "base/rng.h"
#include "papers/learned/learned_weights.h"

#include <stdatomic.h>

typedef struct {
    unsigned games;
    uint64_t seed;
    double lambda, rate;
    double exploration; // share of random stones
} TrainingOptions;

typedef struct Training Training;

// Begins with weights of 0.
Training *training_open(const Rules *rules, const TrainingOptions *options);
void training_close(Training *training); // NULL is fine

// Plays and learns from the next game. False: all games are played.
bool training_step(Training *training);

typedef struct {
    unsigned games;  // learned from
    uint64_t stones; // placed in these games
    unsigned won[2]; // by side
    double loss;     // mean cross entropy of a value and its return, over the last tenth of the games
} TrainingReport;

TrainingReport training_report(const Training *training);

// The mean weights; the current ones before the second half has begun.
void training_weights(const Training *training, LearnedWeights *weights);

// The state as text, from which another process continues exactly. Reading refuses a state of other rules or options.
void training_save(const Training *training, Text *text);
Status training_restore(Training *training, Span text, Error *error);
