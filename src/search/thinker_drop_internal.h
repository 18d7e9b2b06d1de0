// What the parts of the search for games of gravity share (thinker_drop.c): how high the columns are, rows that can be
// completed from there, and the evaluation.
#pragma once

#include "search/thinker_internal.h"

// The empty cells of a row that a side completes within a turn.
typedef struct {
    unsigned stones; // it takes so many, those below the cells counted too; 0: there is no such row
    unsigned count;
    uint64_t window; // the empty cells as bits of the line
    Cell cell[RULES_SIDE_MAX];
} DropRow;

enum {
    DROP_PLY_MAX = 250, // stones since the root
    DROP_HISTORY_MAX = 1 << 13,
};

typedef struct {
    unsigned root_count; // stones on the board at the root
    unsigned root_turn;  // stones of the turn at the root
    int root_depth;
    unsigned fours;                 // positions of the search through fours under way
    int owned;                      // in 32nds: what a cell counts for its owner, the rest is for the other side
    unsigned share[RULES_SIDE_MAX]; // in 64ths, by how far above the stones a cell is
    int16_t bonus[RULES_CELLS_MAX]; // the middle of the board, a little
    uint8_t owner[RULES_CELLS_MAX]; // the side that comes to place a stone there when all other columns are full
    int32_t history[2][RULES_CELLS_MAX];
    uint8_t pv_count[DROP_PLY_MAX + 2];
    Cell killers[DROP_PLY_MAX + 2][2];
    Cell pv[DROP_PLY_MAX + 2][THINKER_PV_MAX];
    int16_t value[FIELD_CODES]; // by code: what a cell is worth that does not complete a row
} DropState;

static inline DropState *drop_state(const Worker *worker)
{
    return worker->state;
}

// The lowest empty row of a column; at least the height of the board if it is full.
static inline unsigned drop_height(const Field *field, unsigned column)
{
    const uint64_t *planes = field->plane[field->column_lines + column];
    return bits_lowest(planes[0] & planes[1]);
}

static inline unsigned drop_stones(const Field *field)
{
    unsigned empty = (unsigned)field->cells - field->state.count;
    return field->state.turn_left < empty ? field->state.turn_left : empty;
}

static inline unsigned drop_placed(const Worker *worker)
{
    return worker->field.state.count - drop_state(worker)->root_count;
}

// --- Rows (thinker_drop_rows.c) ---

// A row that a side completes with at most so many stones, if it placed them now, one after another. Exact.
DropRow drop_row_within(const Field *field, Side side, unsigned stones);

// The row of the other side that has to be stopped in this turn, since it would complete it in the next.
DropRow drop_threat(const Field *field);

// The stones that complete a row in an order in which they can be placed; returns how many.
unsigned drop_row_stones(const Field *field, const DropRow *row, Cell stones[THINKER_TURN_MAX]);

// Columns in which a stone can be part of stopping a row with so many stones, as bits; 0 if it cannot be stopped. A row
// is stopped by a stone on one of its cells and in no other way: stones below them only bring them nearer.
uint64_t drop_stops(const Field *field, const DropRow *row, unsigned stones);

// With one stone a turn: columns in which a stone of the side completes a row now, as bits.
uint64_t drop_completing(const Field *field, Side side);

// With one stone a turn: a win of the side to move by stones that leave the other side one reply each. Returns the
// stones it takes, 0 if none was found within so many positions.
unsigned drop_fours(Worker *worker, unsigned positions, Cell *first);

// --- Evaluation (thinker_drop_value.c) ---

void drop_value_set(DropState *state, const Field *field);

// For the side to move at the beginning of its turn.
int drop_value(const Worker *worker);
