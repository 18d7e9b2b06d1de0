// What an empty cell is worth, by the rows that can still be made through it (Szóts, Harmati, Development of an
// Incremental Pattern Extraction Based Gomoku Agent, section 3.1): each window of k cells in which one side has n
// stones and the other none adds m to the power of n to each of its empty cells, for that side.
//
// The text says that a window adds "m * n"; equation 1 multiplies along the window instead, where an own stone counts
// m, an empty cell 1 and an opposing stone 0. The product is meant: with m * n an empty window would add nothing, and
// the text itself says that a higher m makes one stone more outweigh more weaker patterns, which a factor common to all
// does not.
//
// For other games than Gomoku:
// - Under `exact` a window beside an own stone adds nothing for that side: its row would be longer than k.
// - Under gravity a window adds the same to cells that cannot be reached yet; only legal ones are listed.
// - With several stones a turn nothing changes: a window adds what its stones say, whichever side places the next ones.
//
// Kept up to date as stones come and go; equal to the plain sum in a test. Every number is a whole one and exact, gains
// added up included: with W windows through a cell (at most 4 times the smaller of k and the longest side - k + 1), no
// window adds more than the largest power of m for which POTENTIAL_GAINS * W * m * power is at most POTENTIAL_LIMIT.
// Further stones in it add nothing more. With m = 10 that begins where k is 13, with m = 100 where k is 7.
#pragma once

#include "game/board.h"

enum {
    POTENTIAL_BASE = 10, // m
    POTENTIAL_BASE_MAX = 100,
    POTENTIAL_GAINS = 64, // that many gains may be added up
};

#define POTENTIAL_LIMIT 0x1p52 // and come to no more than this, or less than its negative

typedef struct Potential Potential;

// For positions of these rules. The base is from 1 to POTENTIAL_BASE_MAX.
Potential *potential_open(const Rules *rules, unsigned base);
void potential_close(Potential *potential); // NULL is fine

// Takes over a position. It costs what has changed since the last one where that is little.
void potential_set(Potential *potential, const Board *board);

// The position as it is now.
const Board *potential_board(const Potential *potential);

BoardState potential_play(Potential *potential, Cell cell);
void potential_undo(Potential *potential, Cell cell, BoardState before);

// Of an empty cell, for one side.
double potential_of(const Potential *potential, Cell cell, Side side);

// For both together: what candidates are chosen by.
double potential_sum(const Potential *potential, Cell cell);

// What a stone of the side to move on this cell adds to the value of the game for it (section 3.2): the value after the
// stone, m times the side's own part, less the value before. A value of the game has two sides, so that before the
// stone the cell is worth the side's own part less the other's: m * own - (own - other). A stone gains what it builds
// and what it takes away.
//
// `summed` is the same by the letter of the text, which subtracts the a priori value as defined for choosing
// candidates, both parts added up: m * own - (own + other). Then a stone loses what it takes away from the other side,
// and the side that stops a row pays for it. With that, a search 5 stones deep over 6 cells lost to the same cells
// without a search, 18 wins and 11 draws in 100 games of Gomoku on 15x15, and with 3, 4, 8 or 12 cells it came to 51 %
// at most. The paper has 63 wins and 8 draws; with the gain above they were 68 and 21.
double potential_gain(const Potential *potential, Cell cell, bool summed);

// The legal cells with the largest sums, largest first; returns their number, at most `most`, and 0 when the game is
// over. `rank` orders cells with equal sums, the lowest rank first; NULL orders them row by row from a1.
unsigned potential_best(const Potential *potential, Cell *cells, unsigned most, const uint16_t *rank);
