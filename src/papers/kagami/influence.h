// Influence: the evaluation of half-moves of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in
// Connect6, section II, for any rules of the family. It rates a stone by the own stones and the empty cells around it.
//
// In each of the four directions the cells on both sides up to k - 1 steps away are examined; stones further away share
// no window of k cells with this one. An empty cell counts 2, and a stone of the side l steps away counts w_l. The
// border, an opposing stone and all cells behind them count 1. The cells of a direction are multiplied, and the
// products of the four directions are added:
//
//     E = d_i (product of direction 1 + ... + product of direction 4)
//
// where i is the number of directions without an opposing stone in them.
//
// Weights. For k = 6 the paper has w_1 ... w_5 = 2^12 ... 2^8; w_3 equals the value of an empty line of 2 (k - 1)
// cells, 2^10. The same rule for any k is w_l = 2^(2k + 1 - l). A stone and the l - 1 empty cells before it are then
// worth 2^2k at every distance, as much as four empty lines. So for every k a half-move with an own stone in its area
// is never rated below one without (Fig. 4): it has at least 2^2k + 3, with the three other directions closed; without
// a stone the maximum is d_4 * 2^2k.
//
// Where the paper is silent:
// - d_0 is not printed. d_1 ... d_4 = 1, 1.00000181862, 1.00000363725, 1.00000726562 begin with 1; a stone without open
//   directions cannot be worth more, and a smaller d_0 would break the relation of Fig. 4. So d_0 = 1.
// - d_i for other k: as printed up to k = 9. From k = 10 on, d_4 * 2^2k would exceed 2^2k + 3; there d_i - 1 shrinks by
//   a factor of 4 with each k, so that it adds at most 1.9 to a sum of 2^2k, as for k = 9.
// - A direction without room for k cells counts like the others. Section II.A excludes it from the area, but the
//   formula does not, and its value is small.
// - Gravity: cells that are not supported yet count as empty cells, because they can be filled later. The caller
// decides
//   which cells are legal.
// - `exact`: the same values, because they describe stones that support each other, not complete rows.
//
// Arithmetic. All products are powers of two, up to 2^100 for k = 6 and 2^7103 for k = 64. A half-move is stored as
// four exponents and the number of open directions, without rounding. Results do not depend on the order of the
// directions, so symmetric positions get equal values.
//
// Example, k = 3 (w_1 = 2^6, w_2 = 2^5), a stone of X on c3:
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

// The influence of a stone of this side on a cell, which may be empty or occupied: the cell itself is not examined.
Influence influence_of(const Board *board, Cell cell, Side side);

// The degree weight d_i for rows of k.
double influence_degree(unsigned k, unsigned open);

// The score E. For k > 18 it can be infinite.
double influence_score(const Influence *influence, unsigned k);

// A number that grows with E, for any k: E = f * 2^n with 1 <= f < 2 has the rank n + f - 1. This is the logarithm to
// the base 2 if E is a power of two, and linear in between. A double holds 47 binary digits of f for ranks from 32 to
// 64, so for k = 6 empty lines still count beside five stones in a row.
double influence_rank(const Influence *influence, unsigned k);

// The largest rank of a legal cell for this side; -1 if there is none.
double influence_best(const Board *board, Side side);

// The candidates of section III for the side to move, as bits of each row of the board; returns their number. They are
// the legal cells within `reach` steps, in eight directions, of a stone of the opponent's last complete turn: at most
// 48 with two stones and a reach of 2.
//
// Where the paper is silent: if that turn is unknown, as in a position that was set up, or if no cell there is free,
// the squares around all stones of the opponent are used. If there are no such stones or cells, every legal cell is a
// candidate.
unsigned influence_candidates(const Game *game, unsigned reach, uint64_t rows[RULES_SIDE_MAX]);
