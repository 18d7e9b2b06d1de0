// Alpha-beta with iterative deepening, as in the experiments of Kulev and Wu (section 3.1): search to depth 1, 2, 3 …
// until the depth or a limit is reached; the result is that of the deepest completed search. Depth is counted in
// stones. There is no transposition table and no pruning besides the paper's, so that node counts can be compared.
//
// A node is every visited position: the root of each depth, inner positions, finished games and leaves. The nodes of
// all depths are added up. Only this reading is possible: with 169 cells a search to depth 3 has fewer than 29,000
// positions above its leaves, and the paper has 50,873 nodes.
//
// Where the paper is silent:
// - A search to depth 1 always finishes, whatever the limits, so that there is a result.
// - A won game is worth more than any evaluation, and more the earlier it is won; a draw is worth 0. After a depth that
//   found a win or a loss no deeper search is started.
// - The root searches equal cells in random order and plays the first of the best. Other nodes search equal cells row
// by
//   row from a1. Only `order` decides what comes first: the best cell of the previous depth has no priority.
// - Several stones per turn (section 7 plays Connect6 like this): each stone is a ply, and the value changes its sign
//   only when the turn changes. Permutations of the stones of a turn are searched separately.
//
// The searches for wins by threats run at every node for the side to move (section 4.4), and a win that they prove ends
// the node. Forcing sequences are searched at leaves too, threes only above them, since they cost as much as many
// nodes. Neither runs under rules that it does not support (several stones per turn; gravity for threes). Their own
// nodes are not counted.
//
// Two options serve the agents of Vasilchenko and Johnson, which do not deepen and whose evaluation knows only 1 and
// -1. `straight` searches the full depth at once unless a limit could interrupt it, that is, without a deadline, and
// with a node limit of 0 or above the number of all positions of that depth. Then the nodes are the calls of their
// functions Min and Max (Fig. 1). If the stop flag ends this search, the result is that of depth 1. With `even` a win
// is worth the same whenever it comes, and has no distance.
//
// A win is proven if every legal answer was searched, or if the answers that the generator left out lose at once; a
// loss or a draw is proven if no cell was left out.
#pragma once

#include "agents/search/negamax.h"
#include "base/rng.h"
#include "base/status.h"
#include "papers/connect5/candidates.h"
#include "papers/connect5/evaluation.h"
#include "papers/connect5/forcing.h"
#include "papers/connect5/ordering.h"

enum { ALPHABETA_DEPTH_MAX = NEGAMAX_DEPTH_MAX };

// A win in n stones is worth ALPHABETA_WIN - n, more than any evaluation.
#define ALPHABETA_WIN (INT64_C(1) << 62)

typedef struct {
    EvaluationKind eval;
    OrderingKind order;
    CandidatesKind moves;
    unsigned threats; // maximum number of forcing sequences at each node; 0: no search for them
    ForcingListing listing;
    bool threes;           // search for wins by fours and threes
    bool plain;            // no pruning: for tests, and to measure its savings
    bool straight;         // no deepening if nothing can interrupt the search
    bool even;             // a win is worth ALPHABETA_WIN, whenever it comes
    bool has_chain_weight; // `chain_weight` replaces the default
    unsigned chain_weight; // of the opponent's chains, for EVALUATION_CHAINS
} AlphabetaOptions;

typedef struct Alphabeta Alphabeta;

// Allocates all memory for searches of positions with these rules.
Status alphabeta_open(Alphabeta **search, const AlphabetaOptions *options, const Rules *rules, Error *error);

// Searches a position whose game is not over. The distance of a win by threats is an upper bound; with `even` there is
// none.
NegamaxResult alphabeta_run(Alphabeta *search, const Board *board, const Limits *limits, Rng *rng);

// Whether a value is a won game.
static inline bool alphabeta_is_win(int64_t value)
{
    return value > ALPHABETA_WIN / 2;
}

void alphabeta_close(Alphabeta *search); // NULL is fine
