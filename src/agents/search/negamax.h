// Alpha-beta in negamax form: the core of the searches that follow published ones. Each search has its own candidates,
// move ordering, evaluation and pruning, which it gives to the core as a table of functions. The core has what they
// share: bounds, principal variation, proven results, depth and the result. agents/search/negamax_tree.h is the search
// of the tree itself.
//
// Depth is counted in stones. With several stones per turn each stone is a ply, and the value changes its sign only
// where the side to move does.
//
// Three things differ so much between the papers that they stay with the searches:
// - What is a node, and when the limits are checked. Alpha-beta and minimax count every position, and a finished game
//   is never cut off by a limit; the search of Szóts and Harmati counts stones, and does not even place the last one.
// - Ties at the root. Alpha-beta and minimax shuffle equal cells before they search and take the first of the best;
//   Szóts and Harmati's search order is fixed, so it searches equal cells exactly and draws among them afterwards.
// - Iterative deepening. The searches stop it on different results, and minimax keeps a depth that was interrupted.
#pragma once

#include "base/limits.h"
#include "game/board.h"

enum { NEGAMAX_DEPTH_MAX = 64 };

// Larger than the value of any position; its negative is smaller than any.
#define NEGAMAX_INFINITY INT64_MAX

// The value of a position for the side to move.
typedef struct {
    int64_t value;
    bool proven; // by the rules, whatever was pruned
} NegamaxScore;

// A position on the current line of the search.
typedef struct {
    unsigned ply;      // stones since the root
    Side side;         // to move
    bool complete;     // no legal cell was left out of the candidates; set by `enter`
    bool sure;         // every candidate so far was proven
    bool cut;          // a candidate reached beta, or the search was interrupted
    bool ties;         // equal candidates are found and `prefers` chooses among them
    Cell best_cell;    // CELL_NONE before the first candidate
    NegamaxScore best; // of the candidates so far
    int64_t worst;     // value of a candidate so far
    int64_t alpha, beta;
} NegamaxNode;

typedef struct Negamax Negamax;

// A search; its functions get the pointer that was given to negamax_search.
typedef struct {
    NegamaxScore (*node)(Negamax *core, void *search, NegamaxNode *node); // calls negamax_node with this table
    // Plays a stone on a candidate and sets next->side. Or returns true without playing when the value after the stone
    // is known; the score is then for the side that plays it.
    bool (*play)(void *search, const NegamaxNode *node, Cell cell, NegamaxNode *next, NegamaxScore *score);
    void (*undo)(void *search, const NegamaxNode *node, Cell cell);
    // Begins a node: true with its score when no candidate has to be searched. Otherwise lists the candidates.
    bool (*enter)(void *search, NegamaxNode *node, NegamaxScore *score);
    Cell (*next)(void *search, const NegamaxNode *node); // the next candidate, or CELL_NONE
    void (*leave)(void *search, NegamaxNode *node);      // after the candidates; also when the search was interrupted
    bool (*prefers)(void *search, Cell cell, Cell best); // whether to take a candidate as good as the best; may be NULL
} NegamaxKind;

// The state of a search. The caller sets the first group.
struct Negamax {
    Limits limits;
    unsigned clock_period; // nodes between two checks of the clock and the stop flag
    int64_t win;           // value of a win at the root; one in n stones is worth win - n * stone
    int64_t stone;
    int64_t decided; // values above are wins, values below its negative losses
    bool plain;      // no pruning

    unsigned depth; // of this iteration
    uint64_t nodes; // counted by the search
    bool out;       // a limit was reached: scores are invalid until the search has returned
    unsigned line_count[NEGAMAX_DEPTH_MAX + 1];
    Cell line[NEGAMAX_DEPTH_MAX + 1][NEGAMAX_DEPTH_MAX]; // principal variation from each ply on
};

typedef struct {
    int64_t value;       // for the side to move
    bool proven;         // by the rules: a win, a loss or a draw
    bool won, lost;      // whether the value is that of a won or lost game
    int distance;        // stones to the end of a won or lost game; -1: not known
    unsigned depth;      // of the search that found it
    uint64_t nodes;      // of all depths, including an interrupted one
    unsigned line_count; // principal variation, at least one stone
    Cell line[NEGAMAX_DEPTH_MAX];
} NegamaxResult;

// Prepares for a new search.
void negamax_begin(Negamax *core, const Limits *limits);

// The depth to search: no more than `most`, the depth of the limits and the empty cells.
unsigned negamax_depth(const Negamax *core, const Board *board, unsigned most);

// The score of a finished game, `ply` stones after the root.
NegamaxScore negamax_end(const Negamax *core, const Board *board, unsigned ply);

// Whether the limits end the search. The nodes include the current one.
static inline bool negamax_is_out(const Negamax *core)
{
    const Limits *limits = &core->limits;
    return (limits->nodes > 0 && core->nodes > limits->nodes) ||
           (core->nodes % core->clock_period == 0 && limits_expired(limits));
}

static inline bool negamax_is_win(const Negamax *core, int64_t value)
{
    return value > core->decided;
}

// Adopts the result of a depth.
void negamax_adopt(const Negamax *core, NegamaxScore score, NegamaxResult *result);

static inline unsigned negamax_count_legal(const Board *board)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        count += bits_count(board_legal_row(board, row));
    return count;
}
