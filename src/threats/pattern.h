// Winning patterns (Szóts, Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent, section 4.1):
// cells, each marked own or empty, with which their owner wins. The owner has just played; the other side moves next.
//
// The claim: wherever the pattern occurs on a board, with stones of the owner on its own cells and no stones on its
// empty cells, the owner wins with stones on its empty cells alone, whatever the other side plays. Opposing stones
// nearby are not part of the claim: fours that they make possible can break it (section 5.3).
//
// Tier n: the owner lacks n stones if there is no defence. A complete row has tier 0, an open four tier 1, two open
// threes tier 2. A long sequence of fours has tier 1 as well: the row that it has now counts.
//
// Text form: rows from the top, separated by /; x is an own cell, . an empty cell, - a cell outside the pattern. An
// open four is ".xxxx.". A pattern has no place on the board: its bounding box begins at column 0, row 0 and has no
// margin.
//
// For p = 1 without gravity, where all cells are alike. Under `exact` a stone can harm its owner by making a row too
// long: there the two cells beside a row belong to the pattern as empty cells.
#pragma once

#include "game/board.h"
#include "game/symmetry.h"

enum {
    PATTERN_CELLS_MAX = 64,
    PATTERN_SIDE_MAX = 24, // of the bounding box
    PATTERN_TIER_MAX = 20,
    PATTERN_TEXT_SIZE = PATTERN_SIDE_MAX * (PATTERN_SIDE_MAX + 1) + 1,
    PATTERN_VERSIONS_MAX = SYMMETRY_MAX,
};

typedef struct {
    uint8_t column, row;
    bool own;
} PatternCell;

typedef struct {
    uint8_t count, own; // cells, and how many of them are own
    uint8_t width, height;
    uint8_t tier;
    PatternCell cell[PATTERN_CELLS_MAX]; // row by row from the bottom, each row from the left
} Pattern;

// Cells of a board as bits of its rows.
typedef struct {
    uint64_t rows[RULES_SIDE_MAX];
} PatternCells;

bool pattern_suits(const Rules *rules);

// Whether the pattern is well-formed and has an own cell. Only a search can prove its claim.
bool pattern_is_good(const Pattern *pattern);

// The pattern that some cells of a board form for a side: cells with its stones are own, the others must be empty.
// False if it has too many cells, no own cell, a bounding box that is too large, or a tier that is too high.
bool pattern_of_cells(const Board *board, Side owner, const PatternCells *cells, unsigned tier, Pattern *pattern);

// The tier that the cells show: the fewest stones that a row of k of them lacks; PATTERN_TIER_MAX + 1 if there is no
// room for a row. Under `exact` only rows between two empty cells of the pattern count.
unsigned pattern_lacking(const Pattern *pattern, const Rules *rules);

// Reads the text form and cuts off margins without cells.
Status pattern_parse(Span text, unsigned tier, Pattern *pattern, Error *error);
void pattern_format(const Pattern *pattern, char text[PATTERN_TEXT_SIZE]);

// The image of a pattern under one of all eight symmetries, regardless of the shape of the board.
void pattern_turn(const Pattern *pattern, Symmetry symmetry, Pattern *turned);

// All different images of a pattern, itself first; returns how many.
unsigned pattern_versions(const Pattern *pattern, Pattern versions[PATTERN_VERSIONS_MAX]);

// Of all images with the fewest rows the one whose text sorts first: a line becomes horizontal.
void pattern_canonical(const Pattern *pattern, Pattern *canonical);

// Whether both have the same cells with the same marks; ignores the tier.
bool pattern_equal(const Pattern *a, const Pattern *b);

// Whether `part`, shifted but not turned, has all its cells in `whole` with the same marks. A side that has the whole
// then has the part as well, and the whole is not needed (section 4.4).
bool pattern_is_part(const Pattern *part, const Pattern *whole);
