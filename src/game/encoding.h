// Positions as short texts, one to one: what opening books find positions by. The two ways of Levin et al., Analysis of
// Computational Agents for Connect-k Games, section 3.3 (Opening Book).
//
// Absolute: index(r, c) = r n + c on a board of n columns, and the position is the number Σ v_i 3^i, with v_i = 0, 1, 2
// for an empty cell, a stone of the first, a stone of the second player; arbitrary precision (GMP), written in decimal.
// The paper counts rows from the top, here row 0 is at the bottom: the same numbers for the mirrored picture.
//
// Relative: two sorted lists of indices, those of the first player, a stroke, those of the second: "0 38/-37 1". The
// paper's index relative to the first stone, (r - r0) n + (c - c0), is one to one for one first stone but not between
// positions whose first stones differ, which is what it is for: with n = 3, a stone two columns to the right of the
// first stone and one a row up and a column to the left both have index 2. Two offsets of columns differ by up to
// 2n - 2, so every factor from n to 2n - 2 has such pairs, and 2n - 1, used here, is the smallest that has none; a test
// counts them. With it an index is one offset and the lists are one position up to where it stands on the board.
#pragma once

#include "game/symmetry.h"

typedef enum { ENCODING_RELATIVE, ENCODING_ABSOLUTE } Encoding;

const char *encoding_name(Encoding encoding); // "relative", "absolute"
bool encoding_find(Span name, Encoding *encoding);

// The stones of each side as ascending indices.
typedef struct {
    unsigned count[2];
    int16_t index[2][RULES_CELLS_MAX];
} StoneLists;

// The index of a cell. `origin` is the cell with index 0 in relative encodings, and unused otherwise.
int encoding_index(const Rules *rules, Encoding encoding, Cell origin, Cell cell);

// The cell of an index; false when it is not on the board.
bool encoding_cell(const Rules *rules, Encoding encoding, Cell origin, int index, Cell *cell);

// The lists of a board under a symmetry. `origin` is a cell of the image.
void encoding_lists(const Board *board, Encoding encoding, Symmetry symmetry, Cell origin, StoneLists *lists);

// Ascending order of indices, for qsort.
static inline int encoding_compare_indices(const void *a, const void *b)
{
    return *(const int16_t *)a - *(const int16_t *)b;
}

// Whether a side has a stone with this index.
bool encoding_has(const StoneLists *lists, int side, int index);

// Compares lists: below 0, 0 or above 0.
int encoding_compare(const StoneLists *a, const StoneLists *b);

void encoding_write(const StoneLists *lists, const Rules *rules, Encoding encoding, Text *text);

// Accepts exactly the texts that encoding_write produces for positions that fit on the board. Relative lists must have
// the origin, 0, among the stones of the first player, unless there are no stones.
Status encoding_read(Span text, const Rules *rules, Encoding encoding, StoneLists *lists, Error *error);

// The lowest, then leftmost origin with which all stones are on the board; false if there is none. Cell 0 (unused) for
// absolute encodings.
bool encoding_place(const StoneLists *lists, const Rules *rules, Encoding encoding, Cell *origin);

// Puts the stones on an empty board, without a turn; false if one is off the board.
bool encoding_board(const StoneLists *lists, const Rules *rules, Encoding encoding, Cell origin, Board *board);

// Writes and reads an ascending list of indices separated by blanks; reading fails for any other form.
void encoding_write_list(const int16_t *list, unsigned count, Text *text);
bool encoding_read_list(Span text, int16_t list[RULES_CELLS_MAX], unsigned *count);
