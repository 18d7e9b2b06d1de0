// Tuning of weights (engine/eval/weights.h) on game results.
//
// Values are tuned by logistic regression: the odds of winning from a position are exp(value / WEIGHTS_UNIT), and the
// values maximise the likelihood of the results. Positions in which a row can be completed are excluded, since a search
// never evaluates them. Move scores are tuned likewise: the stone that was played, by a player with search, has odds
// that are the exponential of the score of its cell.
//
// A rare code or situation should have the value of similar ones. So the value of a code is that of the formula plus
// parts it shares with others: one for each of its line patterns, one for each pair of them, and one of its own; a
// situation has one for the kinds of either side and one of its own. All parts are pulled towards 0, parts of fewer
// weights more strongly: a regression with a normal prior, which is wider for parts that many share.
//
// One game in ten is held out: held-out games end the tuning when their loss no longer decreases, and measure the
// result. The same games in the same order with the same options give the same weights.
#pragma once

#include "engine/eval/weights.h"
#include "game/game.h"

#include <stdatomic.h>

typedef struct Tuner Tuner;

typedef struct {
    double pull;     // strength of the prior (default 1)
    unsigned epochs; // maximum number of optimisation steps
    bool fits_moves; // also tune move scores; else those of the formula
    uint64_t seed;
    const atomic_bool *stop; // ends the tuning early with the best weights so far; NULL: never
    // Progress after each step; NULL: none.
    void (*progress)(void *context, const char *what, unsigned epoch, double loss);
    void *context;
} TuneOptions;

TuneOptions tune_options(void); // the defaults

// The average of -log of the probability over the held-out samples, before (by the formula) and after.
typedef struct {
    unsigned samples, held_out;
    unsigned epochs;
    double before, after;
} TuneLoss;

typedef struct {
    unsigned games;
    TuneLoss value, move;             // move: all zero where it was not fitted
    double first_before, first_after; // share of held-out stones that move ordering puts first
} TuneReport;

// For games of the family of these rules, on boards of any size.
Status tune_open(Tuner **tuner, const Rules *rules, Error *error);
void tune_close(Tuner *tuner); // NULL is fine

typedef struct {
    const Game *game;
    unsigned first; // stones before it (the opening) are ignored
    double score;   // of the first player: 1, 0.5 or 0
    unsigned group; // from 0; games of one group are held out together or not at all
} TuneGame;

Status tune_add(Tuner *tuner, const TuneGame *from, Error *error);

// Tunes the weights. STATUS_FAILED if there are no positions to learn from or to hold out.
Status tune_run(Tuner *tuner, const TuneOptions *options, Weights *weights, TuneReport *report, Error *error);

const LinePatterns *tune_line_patterns(const Tuner *tuner);
