// Bit operations on the lines of a board: which cells complete a row, and whether a set of cells contains one. The
// including file defines the word width (GRAVITY_BITS, 64 or 128) and may fix the number of rows and the row length
// (GRAVITY_HEIGHT, GRAVITY_K), which avoids loops and makes shifts constant.
//
// Several positions are examined at once, one per lane: four lanes with 64-bit words, one otherwise. The same source
// serves both.
#pragma once

#include "base/bits.h"
#include "solver/gravity/gravity_solver_internal.h"

#define GRAVITY_HOT static inline __attribute__((always_inline))

#ifndef GRAVITY_K
#define GRAVITY_K 0 // any
#endif

#if GRAVITY_BITS == 64
typedef uint64_t Word;
typedef uint64_t Lanes __attribute__((vector_size(32)));
enum { LANES = 4 };
#define LANE(lanes, i) ((lanes)[i])
#define LANES_WHERE(condition) ((Lanes)(condition)) // all bits set in lanes where it holds
#else
typedef GravityWide Word;
typedef GravityWide Lanes;
enum { LANES = 1 };
#define LANE(lanes, i) (lanes)
#define LANES_WHERE(condition) (-(Lanes)(condition))
#endif

// Batches of lanes with one column each. A board of 64 bits has at most 32 columns.
#ifdef GRAVITY_WIDTH
enum { BATCHES = (GRAVITY_WIDTH + LANES - 1) / LANES };
#else
enum { BATCHES = (GRAVITY_BITS == 64 ? 32 : 64) / LANES };
#endif
enum { COLUMNS = BATCHES * LANES };

// The masks of a board. Rows are distinguished by the parity of their distance from the top: in a column with an even
// number of empty cells, a side that answers every stone with one on top of it gets the top row and every second one
// below.
typedef struct {
    Lanes columns[BATCHES]; // the cells of each column; nothing beyond the width
    Word column[COLUMNS];   // `columns` as words
    Word board;             // all cells
    Word bottom;            // the lowest row
    Word spare;             // the bits above the columns
    Word top;               // the highest row
    Word follow;            // the top row and every second below it
    Word lead;              // the other rows
    uint64_t all_columns;   // one bit per column
    unsigned width, height, k, cells;
    bool runs[4];             // whether rows fit: vertical, falling, horizontal, rising
    uint8_t central[COLUMNS]; // distance from the nearer edge in columns
} BoardGeometry;

// The compile-time constant, if there is one.
GRAVITY_HOT unsigned shape_height(const BoardGeometry *shape)
{
#ifdef GRAVITY_HEIGHT
    (void)shape;
    return GRAVITY_HEIGHT;
#else
    return shape->height;
#endif
}

GRAVITY_HOT unsigned shape_width(const BoardGeometry *shape)
{
#ifdef GRAVITY_WIDTH
    (void)shape;
    return GRAVITY_WIDTH;
#else
    return shape->width;
#endif
}

GRAVITY_HOT unsigned shape_batches(const BoardGeometry *shape)
{
    return (shape_width(shape) + LANES - 1) / LANES;
}

GRAVITY_HOT unsigned word_count(Word word)
{
#if GRAVITY_BITS == 64
    return bits_count(word);
#else
    return bits_count((uint64_t)word) + bits_count((uint64_t)(word >> 64));
#endif
}

// Index of the lowest set bit of a nonzero word.
GRAVITY_HOT unsigned word_lowest(Word word)
{
#if GRAVITY_BITS == 64
    return (unsigned)__builtin_ctzll(word);
#else
    return (uint64_t)word != 0 ? bits_lowest((uint64_t)word) : 64 + bits_lowest((uint64_t)(word >> 64));
#endif
}

GRAVITY_HOT bool word_has_two(Word word)
{
    return (word & (word - 1)) != 0;
}

// The lanes that are 0, one bit each.
GRAVITY_HOT unsigned empty_lanes(const Lanes *lanes)
{
#if GRAVITY_BITS == 64 && defined __AVX__
    typedef double Doubles __attribute__((vector_size(32)));
    return (unsigned)__builtin_ia32_movmskpd256((Doubles)(*lanes == 0));
#elif GRAVITY_BITS == 64
    unsigned empty = 0;
    for (unsigned i = 0; i < LANES; i++)
        empty |= (unsigned)((*lanes)[i] == 0) << i;
    return empty;
#else
    return *lanes == 0;
#endif
}

// The same word in all lanes.
GRAVITY_HOT void lanes_fill(Lanes *lanes, Word word)
{
#if GRAVITY_BITS == 64
    *lanes = (Lanes){word, word, word, word};
#else
    *lanes = word;
#endif
}

// The distance between neighbours in a line: vertical, falling, horizontal, rising.
GRAVITY_HOT unsigned line_step(const BoardGeometry *shape, unsigned direction)
{
    return direction == 0 ? 1 : shape_height(shape) + direction - 1;
}

#if GRAVITY_K == 4
// Cells that complete four in a row, for the three directions with cells on both sides.
GRAVITY_HOT void four_in_line(const Lanes *stones, unsigned step, Lanes *cells)
{
    Lanes before = *stones << step, after = *stones >> step;
    Lanes two_before = before & *stones << 2 * step, two_after = after & *stones >> 2 * step;
    *cells |= two_before & (*stones << 3 * step | after);
    *cells |= two_after & (*stones >> 3 * step | before);
}
#else
// Cells that complete a row in one direction: i stones before the cell and the rest after it. The loop starts with all
// before it; each step moves one from before to after.
GRAVITY_HOT void k_in_line(const Lanes *stones, unsigned step, unsigned k, Lanes *cells)
{
    Lanes before[GRAVITY_COLUMNS_MAX];
    before[0] = *stones | ~*stones;
    for (unsigned i = 1; i < k; i++)
        before[i] = before[i - 1] & *stones << i * step;
    Lanes after = before[0];
    *cells |= before[k - 1];
    for (unsigned i = 1; i < k; i++) {
        after &= *stones >> i * step;
        *cells |= before[k - 1 - i] & after;
    }
}
#endif

// The cells that complete a row of these stones, occupied or not, and some bits outside the board.
GRAVITY_HOT void lanes_threats(const BoardGeometry *shape, const Lanes *stones, Lanes *cells)
{
#if GRAVITY_K == 4
    *cells = *stones << 1 & *stones << 2 & *stones << 3;
    four_in_line(stones, line_step(shape, 1), cells);
    four_in_line(stones, line_step(shape, 2), cells);
    four_in_line(stones, line_step(shape, 3), cells);
#else
    *cells = *stones & ~*stones;
    for (unsigned direction = 0; direction < 4; direction++)
        if (shape->runs[direction])
            k_in_line(stones, line_step(shape, direction), shape->k, cells);
#endif
}

// Leaves a bit where a row of these cells begins in one direction.
#if GRAVITY_K == 4
GRAVITY_HOT void fours_in_line(const Lanes *cells, unsigned step, Lanes *rows)
{
    Lanes pairs = *cells & *cells >> step;
    *rows |= pairs & pairs >> 2 * step;
}
#else
GRAVITY_HOT void rows_in_line(const Lanes *cells, unsigned step, unsigned k, Lanes *rows)
{
    Lanes run = *cells;
    for (unsigned length = 1; length < k;) {
        unsigned more = length < k - length ? length : k - length;
        run &= run >> more * step;
        length += more;
    }
    *rows |= run;
}
#endif

// Leaves a bit where a row of these cells begins; 0 if there is none.
GRAVITY_HOT void lanes_rows(const BoardGeometry *shape, const Lanes *cells, Lanes *rows)
{
    *rows = *cells & ~*cells;
#if GRAVITY_K == 4
    fours_in_line(cells, line_step(shape, 0), rows);
    fours_in_line(cells, line_step(shape, 1), rows);
    fours_in_line(cells, line_step(shape, 2), rows);
    fours_in_line(cells, line_step(shape, 3), rows);
#else
    for (unsigned direction = 0; direction < 4; direction++)
        if (shape->runs[direction])
            rows_in_line(cells, line_step(shape, direction), shape->k, rows);
#endif
}
