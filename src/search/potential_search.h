// The reference search of Szóts and Harmati (Development of an Incremental Pattern Extraction Based Gomoku Agent,
// section 3.2): alpha-beta, a fixed number of stones deep, over the cells with the largest potential
// (analysis/potential.h), and a value of the game that is updated with every stone and never counted anew.
//
// A stone changes the value, for its side, by m times the side's own part of the cell less what the cell was worth
// before (potential_gain, which also tells the two readings of that). At the root the value is 0: only what the search
// adds can differ between two cells.
//
// Where the paper is silent:
// - A won game is worth more than any value, and the sooner the more; a draw is worth 0, as much as the root.
// - With several stones a turn, each stone is a step of the search, and the point of view changes with the turn. The
//   stones of a turn are tried in every order in which they are among the best.
// - Equals: at the root all cells that are worth the same are drawn lots among, and so are those of the same potential
//   where only some of them are among the best. Values are whole numbers, so that with a bound one below the best value
//   equals are told from worse cells. Further down the order of potential_best decides.
// - The search deepens, one stone at a time, which the paper's does not. Without limits the answer is the same; with a
//   limit of time or nodes, that of the last depth completed.
// - A loss or a draw is proven where no legal cell was left out and all are proven, a win by one cell that is.
#pragma once

#include "analysis/potential.h"
#include "base/rng.h"

#include <stdatomic.h>

enum { POTENTIAL_SEARCH_DEPTH_MAX = POTENTIAL_GAINS };

// A win in n stones is worth POTENTIAL_SEARCH_WIN - n: a whole number, and above any value of a game.
#define POTENTIAL_SEARCH_WIN (2 * POTENTIAL_LIMIT)

typedef struct {
    unsigned depth;     // stones to look ahead, 1 to POTENTIAL_SEARCH_DEPTH_MAX
    unsigned branching; // cells at each level, at least 1
    unsigned base;      // m
    bool summed;        // potential_gain_summed instead of potential_gain
} PotentialSearchOptions;

// What a search may cost; 0 and NULL are no limit.
typedef struct {
    double deadline; // clock_seconds
    uint64_t nodes;
    unsigned depth;
    const atomic_bool *stop;
} PotentialSearchLimits;

typedef struct {
    double value;   // seen from the side to move
    uint64_t nodes; // stones placed
    int distance;   // stones to the end of a won or lost game, or -1
    unsigned depth;
    unsigned line_count; // the play expected, at least one stone
    Cell line[POTENTIAL_SEARCH_DEPTH_MAX];
    bool proven; // the value is that of the rules, whatever was left out: a win, a loss or a draw
} PotentialSearchResult;

typedef struct PotentialSearch PotentialSearch;

// Takes all memory that searches need. The search is for positions of these rules.
Status potential_search_open(PotentialSearch **search, const PotentialSearchOptions *options, const Rules *rules,
                             Error *error);

// Searches a position of a game that is not over. Depth 1 is always completed, whatever the limits.
void potential_search_run(PotentialSearch *search, const Board *board, const PotentialSearchLimits *limits, Rng *rng,
                          PotentialSearchResult *result);

// Whether a value is that of a won game, for whoever has it.
static inline bool potential_search_is_win(double value)
{
    return value > POTENTIAL_SEARCH_WIN / 2;
}

void potential_search_close(PotentialSearch *search); // NULL is fine
