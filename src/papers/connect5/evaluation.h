// What a position is worth where a search does not look any further: the evaluations of Kulev and Wu (section 3.2).
// Each side has points for its stones, which follow the board stone by stone; what they come to is a matter of whose
// opponent counts how much.
//
// Where the paper is silent:
// - `simple`, "4^n for each unblocked line of n consecutive pieces": a run is all consecutive stones of a side on a
//   line, and each of its ends with an empty cell next to it is a way to continue. So it counts 4^n for each open end:
//   nothing between two stones or edges, twice where both ends are open. The text says that the evaluation encourages
//   creating and blocking threats. If one open end were enough for the full value, a stone at one end would block
//   nothing, and if both had to be open, a four with one end open, which must be answered, would be worth nothing.
//   Measured at depths 2 and 3 on 13x13 without threat search, 80 games each: against "room for k without an opposing
//   stone" it scored 84 % and 74 %, where "both ends open" had 68 % and 49 %, and "one end open" 44 % and 54 %. A
//   single stone is a run in each of its four directions.
// - "Current player" is the one who moves at the root, in every leaf. For symmetric evaluations there is no difference;
//   `simpledef` is meant to look after the opponent's threats, and by the side to move in a leaf it would look after
//   one's own at every second depth.
// - Random values come from the key of the position and a seed, so that the same position is worth the same within a
//   search, whichever way it is reached.
// - The name EmptyNeighborsDown says something about empty cells, its text about adjacent stones of a side; the text is
//   followed. Adjacent is in eight directions.
// - `neighbors`: an empty cell counts once for a side, however many of its stones are next to it.
//
// Two more are those of Vasilchenko and Johnson. `none` is their win-lose-draw (section 1a): 0 wherever the game is not
// over. `chains` is section 2a: 4^n for each valid chain of n stones (papers/connect5/chains.h), with the opponent's
// doubled unless another weight is set. Their "current player" is the one who moves at the root as well, since he is
// whom the search maximizes for. Chains are recounted where they are asked for: under gravity a stone also makes the
// cell above it legal, and so changes chains on lines that it is not on.
#pragma once

#include "game/board.h"

typedef enum {
    EVALUATION_RANDOM,
    EVALUATION_SIMPLE,
    EVALUATION_SIMPLEDEF,
    EVALUATION_EMPTY_NEIGHBORS_DOWN,
    EVALUATION_EMPTY_NEIGHBORS_UP,
    EVALUATION_NEIGHBORS,
    EVALUATION_NONE,
    EVALUATION_CHAINS,
} EvaluationKind;

enum {
    EVALUATION_KINDS = EVALUATION_CHAINS + 1,
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

// The points of each side; none where they do not follow the board (random, none, chains).
typedef struct {
    int64_t of[2];
} EvaluationPoints;

void evaluation_init(Evaluation *evaluation, EvaluationKind kind, const Rules *rules);

// The points of a board as it stands.
EvaluationPoints evaluation_count(const Evaluation *evaluation, const Board *board);

// What they become when the side to move places a stone on an empty cell; the board is that before the stone.
EvaluationPoints evaluation_after(const Evaluation *evaluation, const Board *board, Cell cell, EvaluationPoints points);

// What a board with these points is worth to a side.
int64_t evaluation_value(const Evaluation *evaluation, const Board *board, const EvaluationPoints *points, Side side);
