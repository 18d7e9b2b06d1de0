// Turns that hold: afterwards the other side cannot complete a row in its next turn.
#pragma once

#include "game/board.h"

// Whether the side to move, at the beginning of its turn, cannot complete a row in it. A finished game holds.
bool holding_holds(const Board *board);

// Boards that a search may examine. Without gravity a turn of p stones needs about k^p; under gravity, where any stone
// may support another one, as many as there are turns.
enum { HOLDING_STEPS = 20000 };

// Stores a turn that holds in `stones`; returns the number of stones, 0 if no turn holds or HOLDING_STEPS were not
// enough. Does not look for a row of the side itself. `order` has all legal cells, the preferred ones first.
unsigned holding_find(const Board *board, const Cell *order, unsigned count, Cell stones[RULES_CELLS_MAX]);
