// Winning patterns (Szóts, Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent, section 4.1):
// cells, each marked own or empty, with which their owner wins. The owner has just played; the other side moves next.
//
// What a pattern claims: wherever it is found on a board, with stones of the owner on its own cells and nothing on its
// empty ones, the owner wins by stones on its empty cells alone, whatever the other side plays and wherever. Stones
// that the other side has around are not part of the claim: fours they make possible can break it (section 5.3).
//
// Tier n: n stones are lacking without a defence. A complete row has tier 0, an open four tier 1, two open threes
// tier 2. A long sequence through fours is of tier 1 as well: what counts is the row it has now.
//
// Text form: rows from the top, with / between them; x is an own cell, . an empty one, - a cell that is not part of it.
// An open four is ".xxxx.". A pattern has no place on the board and its box no rim: it is moved to column and row 0.
//
// Games of one stone a turn without gravity, where cells are alike wherever they are. Under `exact` a stone can harm
// its owner: it makes a row too long. There the two cells beside a row belong to the pattern as empty cells.
#pragma once

#include "game/board.h"
#include "game/symmetry.h"

enum {
    PATTERN_CELLS_MAX = 64,
    PATTERN_SIDE_MAX = 24, // of the box around it
    PATTERN_TIER_MAX = 20,
    PATTERN_TEXT_SIZE = PATTERN_SIDE_MAX * (PATTERN_SIDE_MAX + 1) + 1,
    PATTERN_VERSIONS_MAX = SYMMETRY_MAX,
};

typedef struct {
    uint8_t column, row;
    bool own;
} PatternCell;

// Cells stand row by row from the bottom, each row from the left.
typedef struct {
    uint8_t count, own; // cells, and how many of them are own
    uint8_t width, height;
    uint8_t tier;
    PatternCell cell[PATTERN_CELLS_MAX];
} Pattern;

// Cells of a board, as bits of its rows.
typedef struct {
    uint64_t rows[RULES_SIDE_MAX];
} PatternCells;

bool pattern_suits(const Rules *rules);

// Whether the cells are marked, sorted and placed as they have to be, with own ones among them, and the tier is small
// enough. What else a pattern claims is for a search to prove.
bool pattern_is_good(const Pattern *pattern);

// The pattern that some cells of a board are for a side: cells with its stones are own, the others must be empty.
// False where it would have too many cells or be too long, has no own cell, or the tier is too high.
bool pattern_of_cells(const Board *board, Side owner, const PatternCells *cells, unsigned tier, Pattern *pattern);

// The tier that the cells show: the fewest stones that a row of k of them lacks; PATTERN_TIER_MAX + 1 if there is no
// room for a row. Under `exact` only rows between two empty cells of the pattern count.
unsigned pattern_lacking(const Pattern *pattern, const Rules *rules);

// Reads a text; the error says what is wrong and where. The rim of a box that no cell stands on is cut off.
Status pattern_parse(Span text, unsigned tier, Pattern *pattern, Error *error);
void pattern_format(const Pattern *pattern, char text[PATTERN_TEXT_SIZE]);

// The pattern seen through one of all eight symmetries; the shape of the board plays no part.
void pattern_turn(const Pattern *pattern, Symmetry symmetry, Pattern *turned);

// All different pictures of a pattern, itself first; returns how many.
unsigned pattern_versions(const Pattern *pattern, Pattern versions[PATTERN_VERSIONS_MAX]);

// Of all pictures the one with the fewest rows, of those the one whose text comes first: a line lies rather than
// stands.
void pattern_canonical(const Pattern *pattern, Pattern *canonical);

// Same cells with the same marks. The tier is not examined.
bool pattern_equal(const Pattern *a, const Pattern *b);

// Whether `part`, moved by something but not turned, has all its cells in `whole` with the same marks. Then anyone who
// has the whole has the part as well, and the whole is not needed (section 4.4).
bool pattern_is_part(const Pattern *part, const Pattern *whole);
