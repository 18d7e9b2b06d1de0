// Shared by the files of the gravity variant: state, rows that can be completed within a turn, and VCF.
#pragma once

#include "engine/search/search_common_internal.h"

// The empty cells of a row that a side completes within a turn.
typedef struct {
    unsigned stones; // needed to complete the row, with those below its cells; 0: no such row
    unsigned count;
    Cell cell[RULES_SIDE_MAX];
} GravityRow;

enum { GRAVITY_PLY_MAX = 250 }; // stones since the root

typedef struct {
    unsigned root_turn; // stones of the turn at the root
    int root_depth;
    unsigned fours;                 // positions of the current VCF search
    int16_t bonus[RULES_CELLS_MAX]; // for the middle of the board
    History history;
    Cell killers[GRAVITY_PLY_MAX + 2][2];
    Pv pv[GRAVITY_PLY_MAX + 2]; // by ply
} GravityState;

static inline GravityState *gravity_state(const SearchThread *thread)
{
    return thread->state;
}

// A row that a side could complete with at most `stones` stones if it were to move. Exact.
GravityRow gravity_row_within(const PatternBoard *patterns, Side side, unsigned stones);

// A row that the opponent would complete in its next turn, so that it must be stopped in this one.
GravityRow gravity_threat(const PatternBoard *patterns);

// The stones that complete a row, in an order in which they can be placed; returns their number.
unsigned gravity_row_stones(const PatternBoard *patterns, const GravityRow *row, Cell stones[SEARCH_TURN_MAX]);

// Columns, as bits, in which a stone can help to stop a row with `stones` stones; 0 if it cannot be stopped. Only a
// stone on one of its cells stops a row: stones below bring it nearer.
uint64_t gravity_stops(const PatternBoard *patterns, const GravityRow *row, unsigned stones);

// VCF with one stone per turn: a win of the side to move by stones that leave the opponent one reply each. Returns the
// stones it takes, 0 if none was found within `positions` positions.
unsigned gravity_vcf(SearchThread *thread, unsigned positions, Cell *first);
