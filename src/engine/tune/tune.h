// Tuning: weights (engine/eval/weights.h) found from games.
//
// Values by logistic regression: the odds of winning from a position are exp(value / WEIGHTS_UNIT), and values are such
// that the results of the games become as likely as possible. Positions in which a row can be completed are left aside,
// as a search never asks what they are worth. The order of moves likewise: the stone that was played, by a player who
// looked ahead, is drawn with odds that are the exponential of what the cell is worth, and these are fitted.
//
// A code or situation seldom met should be worth what similar ones are. So the worth of a code is that of the formula
// and of parts it shares with others: one for each of its line patterns, one for each two of them, and one of its own;
// a situation has one for either side's kinds and one of its own. All parts are pulled towards nothing, those of fewer
// weights the more. That is a regression with a normal prior, which is wider for parts that many share.
//
// Games are held out, one of ten: they end the tuning when it no longer gets better for them, and measure the
// result. The same games in the same order with the same options give the same weights.
#pragma once

#include "engine/eval/weights.h"
#include "game/game.h"

#include <stdatomic.h>

typedef struct Tuner Tuner;

typedef struct {
    double pull;     // how strongly parts are pulled towards nothing; 1 is usual
    unsigned epochs; // steps of the search for the best weights, at most
    bool fits_moves; // the order of moves too; else it is as the formula has it
    uint64_t seed;
    const atomic_bool *stop; // ends it early, with what was found so far; NULL: never
    // Progress after each step; NULL: none.
    void (*progress)(void *context, const char *what, unsigned epoch, double loss);
    void *context;
} TuneOptions;

TuneOptions tune_options(void); // the usual ones

// How well something is predicted, before (by the formula) and after: the average of -log of the probability, over what
// was held out.
typedef struct {
    unsigned samples, held_out;
    unsigned epochs;
    double before, after;
} TuneLoss;

typedef struct {
    unsigned games;
    TuneLoss value, move;             // move: all zero where it was not fitted
    double first_before, first_after; // share of stones held out that the order has first
} TuneReport;

// For games of the family of these rules, on boards of any size.
Status tune_open(Tuner **tuner, const Rules *rules, Error *error);
void tune_close(Tuner *tuner); // NULL is fine

typedef struct {
    const Game *game;
    unsigned first; // stones before it are not learned from: the opening
    double score;   // of the first player: 1, 0.5 or 0
    unsigned group; // from 0; games of one group are held out together or not at all
} TuneGame;

Status tune_add(Tuner *tuner, const TuneGame *from, Error *error);

// Finds the weights. STATUS_FAILED when there are no positions to learn from or none to hold out.
Status tune_run(Tuner *tuner, const TuneOptions *options, Weights *weights, TuneReport *report, Error *error);

const LinePatterns *tune_line_patterns(const Tuner *tuner);
