// The reference search of Szóts and Harmati (Development of an Incremental Pattern Extraction Based Gomoku Agent,
// section 3.2): alpha-beta, a fixed number of stones deep, over the cells with the largest potential
// (papers/patterns/potential.h), and a value of the game that is updated with every stone and never recounted.
//
// A stone changes the value, for its side, by m times the side's own part of the cell less what the cell was worth
// before (potential_gain, which also describes the two readings of that). At the root the value is 0: only what the
// search adds can differ between two cells.
//
// Where the paper is silent:
// - A won game is worth more than any value, and the sooner the more; a draw is worth 0, as much as the root.
// - With several stones a turn, each stone is a step of the search, and the point of view changes with the turn. The
//   stones of a turn are tried in every order in which they are among the best.
// - Equals: at the root one of the cells with the best value is chosen at random, and so are those of the same
// potential
//   where only some of them are among the best. Values are whole numbers, so that with a bound one below the best value
//   equals are distinguished from worse cells. Further down the order of potential_best decides.
// - The search deepens, one stone at a time, which the paper's does not. Without limits the answer is the same; with a
//   limit of time or nodes, that of the last depth completed.
// - A loss or a draw is proven where no legal cell was left out and all are proven, a win by one cell that is.
#pragma once

#include "agents/search/negamax.h"
#include "base/rng.h"
#include "papers/patterns/potential.h"

enum { POTENTIAL_SEARCH_DEPTH_MAX = POTENTIAL_GAINS };

// A win in n stones is worth POTENTIAL_SEARCH_WIN - n: above any value of a game, all of which are whole numbers.
#define POTENTIAL_SEARCH_WIN ((int64_t)(2 * POTENTIAL_LIMIT))

typedef struct {
    unsigned depth;     // stones to look ahead, 1 to POTENTIAL_SEARCH_DEPTH_MAX
    unsigned branching; // cells at each level, at least 1
    unsigned base;      // m
    bool summed;        // of potential_gain
} PotentialSearchOptions;

typedef struct PotentialSearch PotentialSearch;

// Takes all memory that searches need. The search is for positions of these rules.
PotentialSearch *potential_search_open(const PotentialSearchOptions *options, const Rules *rules);

// Searches a position of a game that is not over. Depth 1 is always completed, whatever the limits. Nodes are the
// stones placed.
NegamaxResult potential_search_run(PotentialSearch *search, const Board *board, const Limits *limits, Rng *rng);

void potential_search_close(PotentialSearch *search); // NULL is fine
