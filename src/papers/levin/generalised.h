// Generalised threats: for each cell on which a stone may be placed, what it would build or block, be it one turn or
// many from a row of k. The algorithm of Levin et al., Analysis of Computational Agents for Connect-k Games, section
// 3.2, for any rules of the family.
//
// The text leaves room for more than one algorithm. This is the one settled on:
//
//  1. Every line of at least k cells is examined by itself, and in it every cell x on which a stone may be placed.
//     Under gravity cells in the air are neither rated nor do they dominate others, but the line is read as it is: a
//     window may have cells in the air.
//  2. Forward check. The forward window begins with x and has at most k cells; it ends before the edge of the board or
//     before the first stone of a second colour. Its player is the one whose stones are in it.
//  3. The backward window ends with x and has, besides x, stones of that player only, at most k - 1 of them: no empty
//     cells ("this time require that this window contain only pieces of one player"). If the forward window is empty,
//     its player is the one whose stone is next to x there. With empty cells in both windows the two checks would
//     look at the same cells, and the second value (step 7) would mean nothing.
//  4. The value t of the check is the largest number of stones the player has in k cells one after another of both
//     windows together; such k cells always have x among them, so t is at most k - 1. If both windows together have
//     fewer than k cells (x counted once) there is no place for a row, and t is 0. Under `exact`, k cells do not count
//     if a stone of the player stands next to them: the row would be longer.
//  5. The backward check is the same with the line reversed.
//  6. The first value of x is the larger of the two; larger first values dominate smaller ones. From the largest t
//     down, a first value is set unless a larger one has been set within k steps on the line, of either side. What
//     is not set dominates nothing. So the result does not depend on the direction of reading.
//  7. The second value is the smaller of the two, and is set if the first is: the stone builds (or blocks) two rows,
//     each with windows of k cells or more in all. It may belong to the other player. Where k - 1 stones can be
//     completed at x, both checks see the same k cells; the paper's condition holds, and both values are set there too.
//  8. A value t > 0 adds n_t = 2^(c(t-1)) to x, kept apart for each owner. n_t and all sums stop at 2^64 - 1.
//
// By hand, k = 4 and c = 6 (n_1 = 1, n_2 = 64), the cells called a to i:
//
//     a b X X e f O h i
//
//     cell  forward check            backward check           values     set        sum
//     a     a b X X         2 X      a: no player     0       2 X        2 X        64
//     b     b X X e         2 X      a b, X X ahead   2 X     2 X, 2 X   2 X, 2 X   128
//     e     e f O h         1 O      b X X e          2 X     2 X, 1 O   2 X, 1 O   64 + 1
//     f     f O h i         1 O      X X e f          2 X     2 X, 1 O   2 X, 1 O   64 + 1
//     h     h i, O behind   0        e f O h          1 O     1 O        dominated  0
//     i     i: no player    0        f O h i          1 O     1 O        dominated  0
//
// X has 64 + 128 + 64 + 64 = 320 in all, and O 2: the utility of the board is 318 for X, -318 for O.
//
// Re-prioritisation (the end of section 3.2, and section 6) changes weights of the side to move, which has L stones
// left in its turn, after domination. A threat of t stones that can be won now, t + L >= k, counts n_k. One that
// cannot, but is good for a win in the next turn without another stone, t + p >= k, counts n_1: a longer row would win
// no sooner. The others keep their weights, and so do those of the opponent, which have to be blocked.
#pragma once

#include "game/board.h"

enum { GENERALISED_C = 6 }; // the constant of the paper

typedef struct {
    unsigned c; // bits between the weights of t and of t + 1
    bool prioritise;
} GeneralisedStyle;

// Rows beyond the board and cells that are not rated hold zero or nothing: ask about cells of the board only.
typedef struct {
    uint64_t value[2][RULES_CELLS_MAX]; // by owner of the threats
    uint64_t total[2];
} Generalised;

// The largest constant up to `wanted` with which eight threats of k - 1 stones still fit into 64 bits, so that no sum
// is cut off; at least 1. 6 up to k = 12; eight is what a cell can have, two in each of four lines.
unsigned generalised_constant(const Rules *rules, unsigned wanted);

void generalised_read(const Board *board, const GeneralisedStyle *style, Generalised *threats);

static inline uint64_t generalised_add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

// The board value of a cell as the paper has it: what a stone builds and what it blocks are worth the same.
static inline uint64_t generalised_cell(const Generalised *threats, Cell cell)
{
    return generalised_add(threats->value[0][cell], threats->value[1][cell]);
}

// The utility of the board: the values of all cells, own threats minus those of the opponent.
double generalised_utility(const Generalised *threats, Side side);
