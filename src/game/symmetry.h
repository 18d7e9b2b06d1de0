// The symmetries of a board: eight for a square, four for a rectangle, two under gravity.
#pragma once

#include "game/game.h"

// A sum of flips: first 4 swaps columns and rows, then 1 mirrors left and right, and 2 mirrors bottom and top.
typedef unsigned Symmetry;
enum { SYMMETRY_IDENTITY = 0, SYMMETRY_MIRROR = 1, SYMMETRY_FLIP = 2, SYMMETRY_TRANSPOSE = 4, SYMMETRY_MAX = 8 };

// The number of symmetries, which are 0 to count - 1.
unsigned symmetry_count(const Rules *rules);

Cell symmetry_cell(const Rules *rules, Symmetry symmetry, Cell cell);
Symmetry symmetry_inverse(Symmetry symmetry);

// The image of a position under a symmetry, with turn and winner. `to` and `from` must differ.
void symmetry_board(const Board *from, Symmetry symmetry, Board *to);

// The canonical form: the symmetric position whose rows, read from the bottom, first player's stones before the
// second's, are the smallest numbers. Returns a symmetry that leads to it. Two positions have the same canonical form
// exactly if they are symmetric images of each other.
Symmetry symmetry_canonical(const Board *from, Board *canonical);
