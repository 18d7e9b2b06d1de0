// Alpha-beta with iterative deepening, as the laboratory of Kulev and Wu (section 3.1): search to depth 1, 2, 3 … until
// the depth or a limit is reached, and take the result of the deepest search that was not interrupted. Depth is counted
// in stones. What else is done to the tree is what the paper does and no more: no table of positions, no other pruning,
// so that nodes can be compared with the published ones.
//
// A node is a position the search comes to: the root of each depth, every position below it, ends and leaves too. The
// nodes of all depths are added up. That is the reading under which the published numbers are possible: with 169 cells
// a search to depth 3 has less than 29,000 positions above its leaves, and the paper has 50,873.
//
// Where the paper is silent:
// - A search to depth 1 is always finished, whatever the limits say, so that there is a result.
// - A won game is worth more than any evaluation, and the sooner the more; a draw is worth 0. When a depth has found a
//   win or a loss, no deeper one is begun.
// - The root looks at equal cells in an order by lot, and the first of the best is played. In other nodes cells that
//   are ordered alike are looked at row by row from a1. Nothing but `order` says what comes first: the best cell of the
//   depth before does not.
// - Several stones a turn (section 7 plays Connect6 in this way): each stone is a level of the tree, and the value
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
// A win is proven if every legal answer was looked at, or if those that the generator left out lose at once; a loss or
// a draw if no cell was left out.
#pragma once

#include "analysis/candidates.h"
#include "analysis/evaluation.h"
#include "base/rng.h"
#include "base/status.h"
#include "search/ordering.h"

#include <stdatomic.h>

enum { ALPHABETA_DEPTH_MAX = 64 };

// A win in n stones is worth ALPHABETA_WIN - n, more than any evaluation.
#define ALPHABETA_WIN (INT64_C(1) << 62)

typedef struct {
    EvaluationKind eval;
    OrderingKind order;
    CandidatesKind moves;
    unsigned threats; // cap of forcing sequences at each node; 0: they are not searched
    bool threes;      // search for wins by fours and threes
    bool plain;       // no pruning: for tests, and to count what pruning saves
    bool straight;    // no deepening where nothing can interrupt the search
    bool even;        // a win is worth ALPHABETA_WIN, sooner or later
} AlphabetaOptions;

// What a search may cost; 0 and NULL are no limit.
typedef struct {
    double deadline; // clock_seconds
    uint64_t nodes;
    unsigned depth;
    const atomic_bool *stop;
} AlphabetaLimits;

typedef struct {
    int64_t value;       // seen from the side to move
    bool proven;         // by the rules: a win, a loss, or a draw
    int distance;        // stones to the end of a won or lost game, at most where threats found it; -1: none, or `even`
    unsigned depth;      // of the deepest search that was finished
    uint64_t nodes;      // of all, and of one that was interrupted
    unsigned line_count; // the play expected, at least one stone
    Cell line[ALPHABETA_DEPTH_MAX];
} AlphabetaResult;

typedef struct Alphabeta Alphabeta;

// Takes all memory that searches need. The search is for positions of these rules.
Status alphabeta_open(Alphabeta **search, const AlphabetaOptions *options, const Rules *rules, Error *error);

// Searches a position whose game is not over.
void alphabeta_run(Alphabeta *search, const Board *board, const AlphabetaLimits *limits, Rng *rng,
                   AlphabetaResult *result);

// Whether a value is that of a won game, for whoever has it.
static inline bool alphabeta_is_win(int64_t value)
{
    return value > ALPHABETA_WIN / 2;
}

void alphabeta_close(Alphabeta *search); // NULL is fine
