// Influence: how much a stone of a side would have to do with the other stones and the room around it. The evaluation
// of half-moves of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section II, for any
// rules of the family.
//
// From the cell one looks along the four directions, both ways, up to k - 1 cells: a stone further off shares no window
// of k cells with this one. An empty cell counts 2, a stone of the side l steps away w_l, and from the border or an
// opposing stone on the rest counts 1. The cells of a direction are multiplied, the four directions added:
//
//     E = d_i (product of direction 1 + ... + product of direction 4)
//
// where i is the number of directions without an opposing stone in them.
//
// The weights. The paper has w_1 ... w_5 = 2^12 ... 2^8 for k = 6, where w_3 is worth an empty line of 2 (k - 1) cells,
// 2^10. The same law for any k is w_l = 2^(2k + 1 - l). With the l - 1 empty cells before it a stone is then worth 2^2k
// wherever it stands, which is what four empty lines are worth together: this is why the third weight is the right one
// for every k, and why a half-move with a stone of its side in its area is never below one without (Fig. 4). At worst
// it has 2^2k + 3, the three other directions shut at once; without a stone there is at most d_4 * 2^2k.
//
// Where the paper is silent:
// - d_0: the printed d_1 ... d_4 = 1, 1.00000181862, 1.00000363725, 1.00000726562 begin with a weight that changes
//   nothing; no open direction cannot be worth more, and less would break the relation of Fig. 4. So d_0 = 1.
// - d_i for other k: as printed up to k = 9. From k = 10 on d_4 * 2^2k would go past 2^2k + 3; there what d_i has above
//   1 shrinks by 4 with each k, so that it adds to a sum of 2^2k what it adds for k = 9, 1.9 at most.
// - A direction in which border and opposing stones leave no room for k cells counts like the others. By section II.A
//   it is no part of the area, but the formula does not ask for room, and where there is little it has little to count.
// - Gravity: cells in the air count as empty cells, for they will be filled one day. Which cells can be played is asked
//   by the caller that makes the list.
// - `exact`: the same numbers. They describe stones that support each other, not rows that are complete.
//
// The arithmetic. All products are powers of two, up to 2^100 for k = 6 and 2^7103 for k = 64, so a half-move is kept
// as four powers and a number of open directions, without any rounding. What is computed of them depends on which
// powers there are and not on their order: pictures of a position under a symmetry get the same numbers.
//
// By hand, k = 3 (w_1 = 2^6, w_2 = 2^5), a stone of X on c3:
//
//     5  . . . . .      row        a3, b3, d3, e3    2 * 2^6 * 2 * 2     2^9
//     4  . . O . .      column     c1, c2; c4 is O   2 * 2 * 1 * 1       2^2    not open
//     3  . X . . .      rising     a1, b2, d4, e5    2 * 2 * 2 * 2       2^4
//     2  . . . . .      falling    a5, b4, d2, e1    2 * 2 * 2 * 2^5     2^8
//     1  . . . . X
//        a b c d e      E = d_3 (512 + 4 + 16 + 256) = 1.00000363725 * 788 = 788.002866
#pragma once

#include "game/game.h"

enum {
    INFLUENCE_DIRECTIONS = 4,
    INFLUENCE_REACH = 2,    // steps from a stone of the opponent's last turn: squares of 5 x 5 cells
    INFLUENCE_SCORE_K = 18, // the largest k for which every E fits into a double
};

// A half-move: the product of each direction as a power of two (row, column, rising, falling), and i.
typedef struct {
    uint16_t power[INFLUENCE_DIRECTIONS];
    uint8_t open;
} Influence;

// Of a stone of this side on a cell of the board, be it empty or there already: the cell itself is not examined.
Influence influence_of(const Board *board, Cell cell, Side side);

// d_i for rows of k.
double influence_degree(unsigned k, unsigned open);

// E. Beyond k = 18 it may be infinite.
double influence_score(const Influence *influence, unsigned k);

// A number that is larger where E is larger, for any k: E = f * 2^n with 1 <= f < 2 has the rank n + f - 1, which is
// the logarithm to the base 2 where E is a power of two, and a straight line in between. A double holds 47 binary
// digits of f where the rank is from 32 to 64: for k = 6 empty lines still count beside five stones in a row.
double influence_rank(const Influence *influence, unsigned k);

// The largest rank that any legal cell has for this side; -1 where there is none.
double influence_best(const Board *board, Side side);

// The candidates of section III for the side to move, as bits of each row of the board, and how many there are: legal
// cells within `reach` steps, in eight directions, of a stone of the opponent's last turn; with two stones and a reach
// of 2 at most 48. In the middle of a turn the opponent's last turn is still the one before it.
//
// Where the paper is silent: if that turn is unknown, as in a position that was set up, or if no cell there
// is left, all stones of the opponent take its place. If there are none, or again no cell is left, every legal cell is
// a candidate.
unsigned influence_candidates(const Game *game, unsigned reach, uint64_t rows[RULES_SIDE_MAX]);
