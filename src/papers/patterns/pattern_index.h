// Many patterns, and which of them a stone has just completed. Patterns are kept with all their pictures (section 4.4
// of the paper that threats/pattern.h names).
//
// A stone can only complete a pattern of which it is an own cell. So for each picture and each of its own cells there
// is one way to lie around the stone, kept as a path in a tree whose branches are the other own cells, the nearest to
// the stone first, seen from the stone. Walking down where stones are, one comes past those patterns only whose first
// own cells are all there: the work grows with the patterns that could fit the stone, not with all. The plain version,
// every pattern at every place, is in a test.
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
