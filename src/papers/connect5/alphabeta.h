// Alpha-beta with iterative deepening, as in the experiments of Kulev and Wu (section 3.1): search to depth 1, 2, 3 …
// until the depth or a limit is reached, and take the result of the deepest search that was not interrupted. Depth is
// counted in stones. There is nothing that the paper does not have, neither a transposition table nor other pruning, so
// that nodes can be compared with the published ones.
//
// A node is a position the search comes to: the root of each depth, every position below it, ends and leaves too. The
// nodes of all depths are added up. That is the reading under which the published numbers are possible: with 169 cells
// a search to depth 3 has less than 29,000 positions above its leaves, and the paper has 50,873.
//
// Where the paper is silent:
// - A search to depth 1 is always finished, whatever the limits say, so that there is a result.
// - A won game is worth more than any evaluation, and the sooner the more; a draw is worth 0. When a depth has found a
//   win or a loss, no deeper one is begun.
// - The root searches equal cells in random order, and the first of the best is played. In other nodes cells that are
//   ordered alike are searched row by row from a1. Nothing but `order` says what comes first: the best cell of the
//   depth before does not.
// - Several stones per turn (section 7 plays Connect6 in this way): each stone is a ply of the tree, and the value
//   changes its sign only where the turn does. The same stones in another order are searched again.
//
// The searches for wins by threats are asked at every node for the side to move (section 4.4), and a win they prove
// ends the branch: forcing sequences also at leaves, threes only above them, since they cost as much as many nodes.
// Where the rules do not suit them (several stones a turn; gravity for threes) they are not asked. Their own nodes do
// not count.
//
// For the agents of Vasilchenko and Johnson, who do not deepen and whose evaluation knows 1 and -1 only, two things can
// be asked for. `straight`: the depth is searched at once, where neither a deadline nor the nodes can interrupt it: the
// nodes are no limit if all positions of that depth are no more, whatever is pruned. Then the nodes are the calls of
// their functions Min and Max (Fig. 1). A raised flag ends it, and the result is that of depth 1. `even`: a win is
// worth the same whenever it comes, and has no distance.
//
// A win is proven if every legal answer was searched, or if those that the generator left out lose at once; a loss or
// a draw if no cell was left out.
#pragma once

#include "agents/search/negamax.h"
#include "base/rng.h"
#include "base/status.h"
#include "papers/connect5/candidates.h"
#include "papers/connect5/evaluation.h"
#include "papers/connect5/ordering.h"

enum { ALPHABETA_DEPTH_MAX = NEGAMAX_DEPTH_MAX };

// A win in n stones is worth ALPHABETA_WIN - n, more than any evaluation.
#define ALPHABETA_WIN (INT64_C(1) << 62)

typedef struct {
    EvaluationKind eval;
    OrderingKind order;
    CandidatesKind moves;
    unsigned threats;      // cap of forcing sequences at each node; 0: they are not searched
    bool threes;           // search for wins by fours and threes
    bool plain;            // no pruning: for tests, and to count what pruning saves
    bool straight;         // no deepening where nothing can interrupt the search
    bool even;             // a win is worth ALPHABETA_WIN, sooner or later
    bool has_chain_weight; // `chain_weight` replaces the default
    unsigned chain_weight; // of the opponent's chains, for EVALUATION_CHAINS
} AlphabetaOptions;

typedef struct Alphabeta Alphabeta;

// Takes all memory that searches need. The search is for positions of these rules.
Status alphabeta_open(Alphabeta **search, const AlphabetaOptions *options, const Rules *rules, Error *error);

// Searches a position whose game is not over. A distance is an upper bound where threats found the win; `even` has
// none.
NegamaxResult alphabeta_run(Alphabeta *search, const Board *board, const Limits *limits, Rng *rng);

// Whether a value is that of a won game.
static inline bool alphabeta_is_win(int64_t value)
{
    return value > ALPHABETA_WIN / 2;
}

void alphabeta_close(Alphabeta *search); // NULL is fine
