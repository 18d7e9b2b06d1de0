// Fitting: weights (analysis/weights.h) found from games.
//
// Values by logistic regression: the odds of winning from a position are exp(value / WEIGHTS_UNIT), and values are such
// that the results of the games become as likely as possible. Positions in which a row can be completed are left aside,
// as a search never asks what they are worth. The order of moves likewise: the stone that was played, by a player who
// looked ahead, is drawn with odds that are the exponential of what the cell is worth, and these are fitted.
//
// A code or situation seldom met should be worth what similar ones are. So the worth of a code is that of the law and
// of parts it shares with others: one for each of its shapes, one for each two of them, and one of its own; a situation
// has one for either side's kinds and one of its own. All parts are pulled towards nothing, those of fewer weights the
// more. That is a regression with a normal prior, which is wider for parts that many share.
//
// Games are held out, one of ten: they end the fitting when it no longer gets better for them, and tell what it is
// worth. The same games in the same order with the same options give the same weights.
#pragma once

#include "analysis/weights.h"
#include "rules/game.h"

#include <stdatomic.h>

typedef struct Fitting Fitting;

typedef struct {
    double pull;     // how strongly parts are pulled towards nothing; 1 is usual
    unsigned epochs; // steps of the search for the best weights, at most
    bool fits_moves; // the order of moves too; else it is as the law has it
    uint64_t seed;
    const atomic_bool *stop; // ends it early, with what was found so far; NULL: nobody does
    // After each step; NULL: nobody is told.
    void (*told)(void *context, const char *what, unsigned epoch, double loss);
    void *context;
} FittingOptions;

FittingOptions fitting_options(void); // the usual ones

// How well something is predicted, before (by the law) and after: the average of -log of the probability, over what was
// held out.
typedef struct {
    unsigned samples, held_out;
    unsigned epochs;
    double before, after;
} FittingLoss;

typedef struct {
    unsigned games;
    FittingLoss value, move;          // move: all zero where it was not fitted
    double first_before, first_after; // share of stones held out that the order has first
} FittingReport;

// For games of the family of these rules, on boards of any size.
Status fitting_open(Fitting **fitting, const Rules *rules, Error *error);
void fitting_close(Fitting *fitting); // NULL is fine

// Takes the positions of a game from stone `from` on. `score` is that of the first player: 1, 0.5 or 0. Games of one
// group are held out together or not at all; groups are numbered from 0.
Status fitting_add(Fitting *fitting, const Game *game, unsigned from, double score, unsigned group, Error *error);

// Finds the weights. STATUS_FAILED when there are no positions to learn from or none to hold out.
Status fitting_run(Fitting *fitting, const FittingOptions *options, Weights *weights, FittingReport *report,
                   Error *error);

const Shapes *fitting_shapes(const Fitting *fitting);
