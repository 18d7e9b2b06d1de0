// Comparison of cells by random games (Levin et al. §3.3): the best cell is the one after which the most are won.
#pragma once

#include "base/limits.h"
#include "base/rng.h"
#include "papers/levin/samples.h"

// A cell, and the random games played after a stone there.
typedef struct {
    Cell cell;
    PlayoutSample sample;
} Candidate;

// A comparison: a node of the limits is a random game.
typedef struct {
    const Board *board;
    Candidate *candidates;
    unsigned count;
    unsigned playouts; // random games for each candidate
    Limits limits;
    Samples *samples; // a store of earlier results; NULL: not used
} MonteCarloTask;

// Plays random games after each candidate until it has `playouts`, including those in the store; returns the number of
// games played. Games are distributed evenly at any time: rounds over all candidates, of 1, 2, 4 … games each. Games
// after a winning stone are won at once.
uint64_t montecarlo_compare(const MonteCarloTask *task, Rng *rng);

// The share of games won by a side, with draws counted as half; below 0 without games.
double montecarlo_share(const Candidate *candidate, Side side);
