// Minimax with alpha-beta pruning on top of anything that rates cells (Levin et al. §4): each node searches only the
// best rated cells. Depth is counted in stones.
//
// Several stones per turn: a turn is a set, and the same set must not be searched in two orders. The paper marks a cell
// as searched and avoids it deeper in the same turn; the marks are cleared when the turn ends. Here the marks follow
// the rank of the cells and not the order of the search: below a cell, those rated better at the same level are avoided
// for the rest of the turn. So each set is searched with its best rated cell first, and what is searched does not
// depend on which cell happens to be searched first. Marked cells keep their place among the `width` best, so that
// marks save work: with lists of w cells, a turn of two stones has about w * w / 2 sets to search instead of w * w.
//
// What the marks lose: a set {a, b} with a rated above b is searched only if b is still among the best once a stands.
// Where the list holds all legal cells nothing is lost, also under gravity: a marked cell was legal before the stones
// that have been placed since, and a legal cell stays legal until it is taken, so that the stone could as well have
// been the first one. A set in which one stone needs another below it has only the order that it needs.
//
// Where the paper is silent:
// - A leaf is worth the rater's value of the board for the side to move there, if it has one, and the utility of its
//   best cell otherwise. That suits utilities which stand for the value of the board after the stone; where all cells
//   are equal (Adjacent) only wins and losses count.
// - A won game is worth more than any utility, and the sooner the more; a draw is worth 0.
// - Cells with equal ratings are searched in random order, one order of all cells per turn. So among cells of the same
//   value the better rated is played, and among those a random one.
#pragma once

#include "agents/search/negamax.h"
#include "agents/search/rated.h"
#include "base/rng.h"
#include "base/status.h"

enum { MINIMAX_DEPTH_MAX = NEGAMAX_DEPTH_MAX };

// Utilities are cut at half of this; a win in n stones is worth MINIMAX_WIN - n * MINIMAX_STONE. Powers of two, so that
// no digit is lost.
#define MINIMAX_WIN 0x1p100
#define MINIMAX_STONE 0x1p60

typedef struct {
    unsigned depth;     // stones to look ahead, 1 to MINIMAX_DEPTH_MAX
    unsigned width;     // cells at each level; 0: all that are rated
    size_t table_bytes; // of the transposition table; 0: none
    bool deepening;     // search to depth 1, 2, 3, … so that there is an answer early
    bool plain;         // neither pruning nor marks: for tests and benchmarks
    bool unmarked;      // no marks
} MinimaxOptions;

typedef struct Minimax Minimax;

// Takes all memory that searches need. The search is for positions of these rules.
Status minimax_open(Minimax **search, const MinimaxOptions *options, const Rules *rules, Error *error);

// Searches a position of a game that is not over. Without time for one cell, the best rated is the answer.
NegamaxResult minimax_run(Minimax *search, const Game *game, const Rater *rater, const Limits *limits, Rng *rng);

// The utility that the value of a result stands for.
double minimax_utility(int64_t value);

void minimax_close(Minimax *search); // NULL is fine
