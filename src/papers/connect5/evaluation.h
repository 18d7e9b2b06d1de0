// The evaluations of Kulev and Wu (section 3.2), which score the leaves of a search. Each side has points for its
// stones, which are updated with every stone. The value of a position is computed from the points of both sides.
//
// Where the paper is silent or ambiguous:
// - `simple`, "4^n for each unblocked line of n consecutive pieces": a run is all consecutive stones of a side on a
//   line. It counts 4^n for each empty cell next to its ends: nothing between two stones or edges, and twice if both
//   ends are open. The text says that the evaluation encourages creating and blocking threats. If one open end were
//   enough for the full value, a stone at the other end would block nothing. If both ends had to be open, a four with
//   one open end, which must be answered, would be worth nothing. Measured at depths 2 and 3 on 13x13 without threat
//   search, 80 games each, against "room for k without an opposing stone": this reading scored 84 % and 74 %, "both
//   ends open" 68 % and 49 %, "one end open" 44 % and 54 %. A single stone is a run in each of its four directions.
// - The "current player" is the side to move at the root, in every leaf. For symmetric evaluations this makes no
//   difference. `simpledef` is meant to heed the opponent's threats; with the side to move in the leaf it would heed
//   one's own at every second depth.
// - Random values depend on the key of the position and a seed, so that transpositions within a search are equal.
// - EmptyNeighborsDown and Up: the name speaks of empty cells, the text of pairs of adjacent stones. Both readings
//   exist (option `neighbors` of the agents). EVALUATION_EMPTY_CELLS_… counts, for each stone, the empty cells around
//   it: Down prefers fewer own ones, which are clusters, and Up more. EVALUATION_EMPTY_NEIGHBORS_… counts pairs of
//   adjacent stones. Adjacent means all eight directions. docs/papers/002.md has the results.
// - `neighbors`: an empty cell counts once per side, however many stones of the side are next to it.
//
// Two more evaluations are those of Vasilchenko and Johnson (paper 004). `none` is their win-lose-draw (section 1a): 0
// unless the game is over. `chains` is section 2a: 4^n for each valid chain of n stones (papers/connect5/chains.h),
// with the opponent's counted twice unless another weight is set. The "current player" is the side to move at the root
// here too, since the search maximizes for it. Chains are recounted at each evaluation: under gravity a stone also
// makes the cell above it legal, which changes chains on lines that the stone is not on.
#pragma once

#include "game/board.h"

typedef enum {
    EVALUATION_RANDOM,
    EVALUATION_SIMPLE,
    EVALUATION_SIMPLEDEF,
    EVALUATION_EMPTY_NEIGHBORS_DOWN, // pairs of adjacent stones
    EVALUATION_EMPTY_NEIGHBORS_UP,
    EVALUATION_NEIGHBORS,
    EVALUATION_NONE,
    EVALUATION_CHAINS,
    EVALUATION_EMPTY_CELLS_DOWN, // empty cells around each stone
    EVALUATION_EMPTY_CELLS_UP,
} EvaluationKind;

enum {
    EVALUATION_KINDS = EVALUATION_EMPTY_CELLS_UP + 1,
    EVALUATION_RUN_MAX = 24,     // longer runs are worth no more, so that sums of any board stay below EVALUATION_MAX
    EVALUATION_CHAIN_WEIGHT = 2, // of the opponent's chains, as in the paper
    EVALUATION_CHAIN_WEIGHT_MAX = 8, // values stay below EVALUATION_MAX
};

// No value is larger than this, or smaller than its negative.
#define EVALUATION_MAX (INT64_C(1) << 61)

typedef struct {
    EvaluationKind kind;
    uint64_t seed;                         // of random values
    unsigned chain_weight;                 // of the opponent's chains
    uint64_t line_cells[BOARD_LINES_MAX];  // the cells of each line as bits
    int64_t run_value[RULES_SIDE_MAX + 1]; // of an open end of n stones: 4 to the n, nothing for none
} Evaluation;

// The points of each side; 0 for evaluations without points (random, none, chains).
typedef struct {
    int64_t of[2];
} EvaluationPoints;

void evaluation_init(Evaluation *evaluation, EvaluationKind kind, const Rules *rules);

// The points of a board, counted anew.
EvaluationPoints evaluation_count(const Evaluation *evaluation, const Board *board);

// The points after the side to move places a stone on an empty cell; the board is that before the stone.
EvaluationPoints evaluation_after(const Evaluation *evaluation, const Board *board, Cell cell, EvaluationPoints points);

// The value of a board with these points for a side.
int64_t evaluation_value(const Evaluation *evaluation, const Board *board, const EvaluationPoints *points, Side side);
