// What the files of the gravity search share: its state, rows that can be completed within a turn, and VCF.
#pragma once

#include "engine/search/search_common_internal.h"

// The empty cells of a row that a side completes within a turn.
typedef struct {
    unsigned stones; // that complete it, with those below its cells; 0: no such row
    unsigned count;
    Cell cell[RULES_SIDE_MAX];
} GravityRow;

enum { GRAVITY_PLY_MAX = 250 }; // stones since the root

typedef struct {
    unsigned root_turn; // stones of the turn at the root
    int root_depth;
    unsigned fours;                 // positions of the current VCF search
    int16_t bonus[RULES_CELLS_MAX]; // a little for the middle of the board
    History history;
    Cell killers[GRAVITY_PLY_MAX + 2][2];
    Pv pv[GRAVITY_PLY_MAX + 2]; // by ply
} GravityState;

static inline GravityState *gravity_state(const SearchThread *thread)
{
    return thread->state;
}

// --- Rows and VCF (gravity_rows.c) ---

// A row that a side could complete with at most `stones` stones if it placed them now. Exact.
GravityRow gravity_row_within(const PatternBoard *patterns, Side side, unsigned stones);

// The row of the other side that has to be stopped in this turn, since it would complete it in the next.
GravityRow gravity_threat(const PatternBoard *patterns);

// The stones that complete a row in an order in which they can be placed; returns how many.
unsigned gravity_row_stones(const PatternBoard *patterns, const GravityRow *row, Cell stones[SEARCH_TURN_MAX]);

// Columns in which a stone can be part of stopping a row with `stones` stones, as bits; 0 if it cannot be stopped. A
// row is stopped by a stone on one of its cells and in no other way: stones below them only bring them nearer.
uint64_t gravity_stops(const PatternBoard *patterns, const GravityRow *row, unsigned stones);

// With one stone a turn: a win of the side to move by stones that leave the other side one reply each. Returns the
// stones it takes, 0 if none was found within `positions` positions.
unsigned gravity_vcf(SearchThread *thread, unsigned positions, Cell *first);
