// The reference search of Szóts and Harmati (Development of an Incremental Pattern Extraction Based Gomoku Agent,
// section 3.2): alpha-beta of fixed depth over the cells with the largest potential (papers/patterns/potential.h), with
// a value of the game that is updated with every stone and never computed anew.
//
// A stone changes the value, for its side, by m times the side's own part of the cell minus the value of the cell
// before (potential_gain, which also describes the two readings of that). At the root the value is 0: cells are
// compared only by what the search adds.
//
// Where the paper is silent:
// - A won game has a higher value than any value of a game, and an earlier win a higher one than a later; a draw has
//   the value 0, like the root.
// - With several stones a turn, each stone is a step of the search, and the point of view changes with the turn. The
//   stones of a turn are tried in every order in which they are among the best.
// - Among equals at the root, one of the cells with the best value is chosen at random; if only some cells of equal
//   potential are candidates, they are drawn at random. Values are integers, so a bound one below the best value
//   distinguishes equal cells from worse ones. Below the root the order of potential_best decides.
// - The search deepens stone by stone, which the paper's does not. Without limits the answer is the same; with a limit
//   of time or nodes, it is that of the last completed depth.
// - A loss or a draw is proved if all legal cells were examined and all are proved, a win by one cell.
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
