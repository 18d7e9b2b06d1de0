// An index of many patterns that finds those that a stone has just completed. It contains all symmetric versions
// (pictures) of a pattern (section 4.4 of the paper that threats/pattern.h cites).
//
// A stone can complete a pattern only as one of its own cells. So each picture is stored once for each of its own
// cells, as a path in a tree: its branches are the other own cells relative to the stone, the nearest first. A search
// walks down where stones are and reaches only patterns whose first own cells all have stones: the work depends on the
// patterns that could fit the stone, not on the number of patterns. A test compares it with the plain version, every
// pattern at every place.
#pragma once

#include "threats/pattern.h"

typedef struct PatternIndex PatternIndex;

PatternIndex *pattern_index_open(void);
void pattern_index_close(PatternIndex *index); // NULL is fine

// Adds a pattern with all its pictures.
void pattern_index_add(PatternIndex *index, const Pattern *pattern);

// The number of patterns that were added, without and with their symmetric versions.
unsigned pattern_index_count(const PatternIndex *index);
unsigned pattern_index_versions(const PatternIndex *index);

// The pattern with this number, counted from 0; valid until the next pattern is added.
const Pattern *pattern_index_get(const PatternIndex *index, unsigned number);

// Whether a known pattern, as it is or turned, is equal to this one or a part of it.
bool pattern_index_has_part(const PatternIndex *index, const Pattern *pattern);

// A pattern found on a board; `picture` is valid until the next pattern is added.
typedef struct {
    unsigned number;
    unsigned tier, size;    // size: its cells
    const Pattern *picture; // how it lies there
    unsigned column, row;   // of the picture's corner
} PatternMatch;

// The cells of a match are added to some others.
void pattern_match_cells(const PatternMatch *match, PatternCells *cells);

// All patterns that a stone of `side` on `cell` is an own cell of, in any order; the cell may also be empty, and counts
// as if the stone were there. `visit` returns false to end the walk.
typedef bool PatternMatchVisit(void *context, const PatternMatch *match);
void pattern_index_each(const PatternIndex *index, const Board *board, Cell cell, Side side, PatternMatchVisit *visit,
                        void *context);

// The best of them: the lowest tier, then the fewest cells, then the one added first. False if none exists.
bool pattern_index_best(const PatternIndex *index, const Board *board, Cell cell, Side side, PatternMatch *match);
