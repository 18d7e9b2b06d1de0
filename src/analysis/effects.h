// The effects of a turn on a position: rows it completes, threats it stops, leaves and makes, rows it builds and
// blocks. They compare the boards before and after the turn and look ahead only to what one turn can complete. For all
// games; analysis/explain.h describes them in words.
//
// Threats are those of threats/threats.h: windows of k that a side could complete in its next turn of p stones, or
// fewer on a nearly full board.
#pragma once

#include "threats/threats.h"

enum { EFFECTS_ROWS = 16, EFFECTS_CELLS = 16 };

// Stones of one side on a line, with the empty cells of their windows (board.h numbers lines and bits).
typedef struct {
    uint16_t line;
    uint64_t stones;
    uint64_t empty;
} EffectRow;

// Distinct rows. Windows with the same stones form one row with the empty cells of all. Of windows of one line that
// need the same cells, or whose stones are a subset of another's, only one is listed. Rows with most stones come first,
// then in reading order.
typedef struct {
    unsigned count;
    bool is_cut; // there are more than EFFECTS_ROWS
    EffectRow row[EFFECTS_ROWS];
} EffectRows;

// Cells, row by row from a1.
typedef struct {
    unsigned count; // all there are
    Cell cell[EFFECTS_CELLS];
} EffectCells;

typedef struct {
    Side side; // who plays the turn
    bool wins;
    bool ends_in_draw;    // it fills the board
    EffectRows completed; // runs of k or more stones that win; nothing below is filled in when the game is over

    // Threats of the other side, which is to move afterwards.
    EffectRows stopped;   // present before the turn, absent after it
    EffectRows remaining; // present after the turn: the other side can win in its next turn
    bool no_turn_helps;   // proven: no turn of the side wins, or stops the other side from winning next

    // Threats of the side. They matter if none of the other side remain.
    bool misses_win;        // it could have completed a row in this turn
    EffectRows threats;     // present after the turn
    EffectCells targets;    // p = 1: the cells that complete a row in its next turn
    EffectCells follow_ups; // p = 1 and one target: cells that complete a row after the other side took it
    ExactThreats needed; // stones the other side needs to stop them all, with gravity, up to p + 1; also uncertain if
                         // the side's next turn has fewer than p stones
    EffectRows waiting;  // gravity: new windows that lack one cell, which a turn cannot reach

    // Rows that are not threats yet. An open row (p = 1, k > 3) has k - 2 stones; one more makes k - 1 adjacent stones
    // with a playable empty cell at both ends.
    EffectRows opened;  // open rows of the side that are new
    EffectRows closed;  // open rows of the other side that the turn closed
    bool denies_fork;   // p = 1, nothing to stop: the other side would have had too many threats with a stone there
    EffectRow built;    // most stones, through one of the turn, in k cells without a stone of the other side
    EffectRow hampered; // likewise of the other side, before the turn took a cell of it
    bool hampered_is_closed; // its stones have no such k cells left at all
    unsigned open_windows;   // windows without a stone of the other side through the stones of the turn

    // For the last stone of a turn (0 and none for turns of more).
    unsigned choices;  // legal cells
    unsigned safe;     // those after which the side has won or the other side cannot win in its next turn
    EffectCells traps; // others that give the other side a win which it does not have yet

    bool is_central; // one stone on an empty board, and no legal cell is nearer to the centre
    bool is_dead;    // surely neither side can complete a row any more
} Effects;

// The effects of a whole turn: as many stones as are left in it, or fewer when the last one wins; legal, in order.
void effects_find(const Board *before, const Cell *stones, unsigned count, Effects *effects);
