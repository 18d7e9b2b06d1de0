// Line patterns: the value of a stone on an empty cell in one of its lines, derived from the rules alone. No line
// pattern is written by hand: open fours, live threes and their counterparts in other games follow from k, p and
// `exact`.
//
// A line pattern tells, for a side with a stone on the cell, how many stones its best row through the cell still needs,
// and what it takes to stop it:
//
// - need <= p: these rows can be completed in the next turn. Closed if one stone stops all of them, else open.
// - need > p: the best that need - p further stones of that side can make of it, by the same measure.
//
// Line patterns are computed backwards from full lines to empty ones. A line pattern depends only on the cells up to
// the first obstacle on each side, and on at most `reach` of them: such a half has a length and stones, (2^(reach+1) -
// 1) possibilities, and a table over pairs of halves is small. To look up both sides at once, a window of (2 * reach +
// 1) cells with two bits per cell is used. If there are few possibilities the window is the index of a table (flat);
// otherwise each half of it is an index that gives the half for either side. Beyond these tables line patterns are
// computed on demand from windows of k cells alone.
//
// Gravity does not change line patterns; whether a cell can be reached is a separate question.
#pragma once

#include "base/status.h"
#include "game/board.h"

enum {
    LINE_PATTERNS_MAX = 16, // kinds of line patterns, so that four bits hold one
    LINE_PATTERN_DEAD = 0,  // no row through this cell can be completed
};

typedef enum {
    LINE_PATTERN_LEVEL_DEAD,
    LINE_PATTERN_LEVEL_CLOSED, // one stone stops it
    LINE_PATTERN_LEVEL_OPEN,   // one stone does not
    LINE_PATTERN_LEVEL_WIDE,   // open, with many continuations
} LinePatternLevel;

typedef struct {
    uint8_t need;  // stones the row needs besides the one on this cell
    uint8_t level; // a LinePatternLevel
} LinePattern;

// The largest reach of each kind of table. Pairs of halves take 4^(reach + 1) bytes, as does the flat table for half
// the reach.
enum { LINE_PATTERNS_FLAT_REACH = 5, LINE_PATTERNS_PAIRS_REACH = 7, LINE_PATTERNS_HALVES_REACH = 9 };

enum { LINE_PATTERN_NUMBERS = (RULES_SIDE_MAX + 1) * 4 }; // needs and levels

typedef struct {
    Rules rules; // only k, p and which rows win matter
    unsigned k, p;
    unsigned reach;                      // cells on each side that matter
    unsigned count;                      // kinds, the dead one included
    LinePattern kind[LINE_PATTERNS_MAX]; // larger numbers are closer to a row
    uint8_t *halves;        // owned; by half to the left << (reach + 1) | half to the right; NULL: computed when asked
    uint8_t *flat;          // owned; by window: the number for the first side, and that for the second << 4
    uint32_t *left, *right; // owned; by half of a window: the place in `halves` for the first side, second << 16
    uint8_t number[LINE_PATTERN_NUMBERS]; // of a line pattern, by need * 4 + level
} LinePatterns;

// Builds the tables for rules of a family; one table serves boards of every size.
Status line_patterns_open(LinePatterns *line_patterns, const Rules *rules, Error *error);
void line_patterns_close(LinePatterns *line_patterns); // safe on a zeroed one

// The number of the line pattern at a cell of a line, for a side. Bit i of `open` says that cell i is empty or has a
// stone of this side, bit i of `own` that it has one. The cell itself is empty.
unsigned line_patterns_at(const LinePatterns *line_patterns, uint64_t open, uint64_t own, unsigned cell);

// The same without tables, by exhaustive search: slow, for tests.
LinePattern line_patterns_plain(const LinePatterns *line_patterns, uint64_t open, uint64_t own, unsigned cell);

// The line patterns of both sides at once, the first in the low half of the byte, for a window: from the lowest bits
// on, `reach` cells on each side and the cell itself between them. A cell is two bits, 1 where it is empty or has a
// stone of the first, of the second side: 0 is a wall. Dead where the cell itself is not empty. What is above the
// window is ignored.
static inline unsigned line_patterns_flat(const LinePatterns *line_patterns, unsigned reach, uint64_t window)
{
    return line_patterns->flat[window & bits_low(4 * reach + 2)];
}

static inline unsigned line_patterns_pairs(const LinePatterns *line_patterns, unsigned reach, uint64_t window)
{
    uint32_t places = line_patterns->left[window & bits_low(2 * reach + 2)] |
                      line_patterns->right[window >> (2 * reach + 2) & bits_low(2 * reach)];
    return line_patterns->halves[places & 0xffff] | (unsigned)line_patterns->halves[places >> 16] << 4;
}
