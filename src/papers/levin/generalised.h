// Generalised threats: for each cell that can be played, the rows that a stone there builds or blocks, whether they win
// in this turn or later. The algorithm of Levin et al., Analysis of Computational Agents for Connect-k Games, section
// 3.2, for any rules of the family.
//
// The text allows several readings. This is the algorithm used here:
//
//  1. Every line of at least k cells is examined by itself, and in it every cell x that can be played. Under gravity,
//     floating cells get no value and dominate nothing, but a window may contain them.
//  2. Forward check. The forward window begins with x and has at most k cells; it ends at the edge of the board or
//     before the first stone of a second colour. Its player is the owner of its stones.
//  3. The backward window ends with x. Besides x it has only stones of that player, at most k - 1, and no empty cells
//     ("this time require that this window contain only pieces of one player"). If the forward window is empty, its
//     player is the owner of the stone next to x in the backward window.
//  4. If both windows together have fewer than k cells (x counted once), the reading `extended` extends the backward
//     window through empty cells and stones of the player until there are k, as the authors' program does. The reading
//     `contiguous` does not: the value is 0, which also ignores rows that can still be completed.
//  5. The value t of the check is the largest number of stones the player has in k consecutive cells of both windows.
//     Such k cells always include x, so t is at most k - 1. Without k cells t is 0. Under `exact`, k cells do not count
//     if a stone of the player is next to them: the row would be longer.
//  6. The backward check is the same with the line reversed.
//  7. The first value of x is the larger of the two; larger first values dominate smaller ones. From the largest t
//     down, a first value is set unless a larger one of either side has been set within k steps on the line. A value
//     that is not set dominates nothing. So the result does not depend on the reading direction.
//  8. The second value is the smaller of the two. It is set if the first is set and neither check had fewer than k
//  cells
//     in step 3: then the stone builds (or blocks) two rows. They may belong to different players. Where k - 1 stones
//     can be completed at x, both checks see the same k cells; the condition holds, and both values are set. If only
//     one value is set and both checks have t stones of different players, the heavier weight counts, or that of the
//     side to move if both are equal.
//  9. A value t > 0 adds n_t = 2^(c(t-1)) to x, separately for each owner. n_t and all sums stop at 2^64 - 1.
//
// Example with k = 4 and c = 6 (n_1 = 1, n_2 = 64), the cells called a to i:
//
//     a b X X e f O h i
//
//     cell  forward check            backward check           values     set        sum
//     a     a b X X         2 X      a: no player     0       2 X        2 X        64
//     b     b X X e         2 X      a b, X X ahead   2 X     2 X, 2 X   2 X, 2 X   128
//     e     e f O h         1 O      b X X e          2 X     2 X, 1 O   2 X, 1 O   64 + 1
//     f     f O h i         1 O      X X e f          2 X     2 X, 1 O   2 X, 1 O   64 + 1
//     h     h i, O, then f  1 O      e f O h          1 O     1 O        dominated  0
//     i     i: no player    0        f O h i          1 O     1 O        dominated  0
//
// X has 64 + 128 + 64 + 64 = 320 in all, and O 2: the utility of the board is 318 for X, -318 for O. With `contiguous`,
// only the forward check of h differs: 0.
//
// In O b c X X X g O with k = 6 the only live window is b to g. Both readings give b and g the value n_3. At c the
// forward check has five cells: `extended` gives n_3 without a second value, `contiguous` gives nothing.
//
// Re-prioritisation (the end of section 3.2, and section 6) changes weights of the side to move, which has L stones
// left in its turn, after domination. A threat of t stones that can be won now, t + L >= k, counts n_k. One that
// cannot, but wins in the next turn without another stone, t + p >= k, counts n_1: a longer row would win no sooner.
// The others keep their weights, and so do those of the opponent, which have to be blocked.
#pragma once

#include "game/board.h"

enum { GENERALISED_C = 6 }; // the constant of the paper

// How a check fills windows that have fewer than k cells (step 4).
typedef enum { GENERALISED_EXTENDED, GENERALISED_CONTIGUOUS } GeneralisedWindows;

typedef struct {
    unsigned c; // bits between the weights of t and of t + 1
    bool prioritise;
    GeneralisedWindows windows;
} GeneralisedStyle;

// Only the cells of the board are set; those that cannot be played are 0.
typedef struct {
    uint64_t value[2][RULES_CELLS_MAX]; // by owner of the threats
    uint64_t total[2];
} Generalised;

// The largest constant up to `wanted` with which eight threats of k - 1 stones (two in each of four lines) fit into 64
// bits, so that no sum is cut off; at least 1. Up to k = 12 the constant 6 fits.
unsigned generalised_constant(const Rules *rules, unsigned wanted);

void generalised_read(const Board *board, const GeneralisedStyle *style, Generalised *threats);

static inline uint64_t generalised_add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

// The value of a cell in the paper: building and blocking have the same weight.
static inline uint64_t generalised_cell(const Generalised *threats, Cell cell)
{
    return generalised_add(threats->value[0][cell], threats->value[1][cell]);
}

// The utility of the board: the values of all cells, own threats minus those of the opponent.
double generalised_utility(const Generalised *threats, Side side);
