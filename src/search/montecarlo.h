// Cells compared by random games (Levin et al. §3.3): the best is the one after which the most of them are won.
#pragma once

#include "base/rng.h"
#include "search/samples.h"

#include <stdatomic.h>

// A cell, and the random games played after a stone there.
typedef struct {
    Cell cell;
    Sample sample;
} Candidate;

// What a comparison may cost; 0 and NULL are no limit.
typedef struct {
    double deadline; // clock_seconds
    uint64_t games;
    const atomic_bool *stop;
} MonteCarloLimits;

// Plays random games after each candidate until it has `playouts`, those in the store included; returns how many games
// were played. The games are spread evenly at any time: rounds over all candidates, of 1, 2, 4 … games each. `samples`
// may be NULL. The games after a stone that wins are over at once, and won.
uint64_t montecarlo_compare(const Board *board, Candidate *candidates, unsigned count, unsigned playouts,
                            const MonteCarloLimits *limits, Samples *samples, Rng *rng);

// The share of its games that a side won, draws counted as half; below 0 when there were none.
double montecarlo_share(const Candidate *candidate, Side side);
