// The potential of an empty cell: its value by the rows that can still be made through it (Szóts, Harmati, Development
// of an Incremental Pattern Extraction Based Gomoku Agent, section 3.1). Each window of k cells in which one side has n
// stones and the other none adds m to the power of n to each of its empty cells, for that side.
//
// The text says that a window adds "m * n"; equation 1 multiplies along the window instead, where an own stone counts
// m, an empty cell 1 and an opposing stone 0. krow uses the product: with m * n an empty window would add nothing, and
// the text says that a higher m makes one stone outweigh more weaker patterns, which a common factor does not.
//
// For other games than Gomoku:
// - Under `exact` a window beside an own stone adds nothing for that side: its row would be longer than k.
// - Under gravity a window adds the same to cells that cannot be reached yet; only legal ones are listed.
// - With several stones a turn nothing changes: a window counts by its stones, whichever side places the next ones.
//
// Potentials are updated with every stone; a test compares them with the plain sum. All numbers are integers and exact,
// also sums of gains: with W windows through a cell (at most 4 times the smaller of k and the longest side - k + 1), no
// window adds more than the largest power of m for which POTENTIAL_GAINS * W * m * power is at most POTENTIAL_LIMIT.
// Further stones in the window add nothing more. With m = 10 this limit is reached from k = 13 on, with m = 100 from k
// = 7 on.
#pragma once

#include "game/board.h"

enum {
    POTENTIAL_BASE = 10, // m
    POTENTIAL_BASE_MAX = 100,
    POTENTIAL_GAINS = 64, // the number of gains that may be added up
};

#define POTENTIAL_LIMIT 0x1p52 // the largest absolute value of such a sum

typedef struct Potential Potential;

// For positions of these rules. The base is from 1 to POTENTIAL_BASE_MAX.
Potential *potential_open(const Rules *rules, unsigned base);
void potential_close(Potential *potential); // NULL is fine

// Sets the position. After few changes since the last one, only these are computed.
void potential_set(Potential *potential, const Board *board);

// The current position.
const Board *potential_board(const Potential *potential);

BoardState potential_play(Potential *potential, Cell cell);
void potential_undo(Potential *potential, Cell cell, BoardState before);

// Of an empty cell, for one side.
double potential_of(const Potential *potential, Cell cell, Side side);

// For both sides together. Candidates are chosen by it.
double potential_sum(const Potential *potential, Cell cell);

// The change of the value of the game for the side to move by a stone on this cell (section 3.2): the value after the
// stone, m times the side's own part, minus the value before. Before the stone the cell has the side's own part minus
// the other's, since the value of the game has two sides: m * own - (own - other). So a stone gains what it builds and
// what it takes away.
//
// `summed` is the literal reading: the text subtracts the a priori value that chooses candidates, the sum of both
// parts: m * own - (own + other). Then a stone that stops a row of the other side lowers the value for its own side.
// With this reading, a search 5 stones deep over 6 cells lost to the same cells without a search, 18 wins and 11 draws
// in 100 games of Gomoku on 15x15, and with 3, 4, 8 or 12 cells it came to 51 % at most. The paper has 63 wins and 8
// draws; with the gain above they were 68 and 21.
double potential_gain(const Potential *potential, Cell cell, bool summed);

// The legal cells with the largest sums, largest first; returns their number, at most `most`, and 0 when the game is
// over. `rank` orders cells with equal sums, the lowest rank first; NULL orders them row by row from a1.
unsigned potential_best(const Potential *potential, Cell *cells, unsigned most, const uint16_t *rank);
