// Turns that hold: after which the other side cannot complete a row with its next turn.
#pragma once

#include "game/board.h"

// Whether the other side cannot complete a row at once. Asked about a board on which a turn has ended; a game that is
// over holds.
bool holding_holds(const Board *board);

// How many boards a search for a turn that holds may look at. Without gravity a turn of p stones needs some k^p; with
// gravity, where any stone may be what another one stands on, as many as there are turns.
enum { HOLDING_STEPS = 20000 };

// The stones of a turn that holds in `stones`; returns how many, 0 where no turn holds or none was found in
// HOLDING_STEPS. For a side that cannot complete a row itself: if it can, that is not looked for. `order` are all legal
// cells, those to be tried first in front: they decide where there is a choice.
unsigned holding_find(const Board *board, const Cell *order, unsigned count, Cell stones[RULES_CELLS_MAX]);
