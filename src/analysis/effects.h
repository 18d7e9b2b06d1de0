// What a turn does to a position, as facts: rows it completes, threats it stops, leaves and makes, rows it builds and
// stands in the way of. They come from comparing the board before the turn and after it; nothing is looked ahead beyond
// what one turn can complete. For every game of the family; analysis/explain.h puts them into words.
//
// Threats are those of threats/threats.h, windows of k that a side could complete in its next turn: of p stones, or of
// those that remain for it where the board is nearly full.
#pragma once

#include "threats/threats.h"

enum { EFFECTS_ROWS = 16, EFFECTS_CELLS = 16 };

// Stones of one side on a line with the empty cells that go with them (board.h numbers lines and bits).
typedef struct {
    uint16_t line;
    uint64_t stones;
    uint64_t empty;
} EffectRow;

// Rows that differ in what they are about: windows with the same stones are one row with the empty cells of all of
// them; of windows of one line that want the same cells, and of those that have only stones of another, one stands for
// both. Those with most stones come first, then those in the order of reading.
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
    EffectRows stopped;   // they were there before and are not any more
    EffectRows remaining; // they are there afterwards: the other side can win in its next turn
    bool no_turn_helps; // surely whatever the side plays instead, it neither wins nor keeps the other from winning next

    // Threats of the side. They matter if none of the other side remain.
    bool misses_win;        // it could have completed a row in this turn
    EffectRows threats;     // they are there afterwards
    EffectCells targets;    // p = 1: the cells that complete a row in its next turn
    EffectCells follow_ups; // p = 1 and one target: where it completes a row when the other side has taken that
    ExactThreats needed;    // stones with which the other side stops them all, as they fall, counted up to p + 1;
                            // uncertain too where the side's next turn has fewer than p stones
    EffectRows waiting;     // new windows that lack a single cell, which cannot be reached in a turn: stones fall

    // Rows that are not threats yet. An open row (p = 1, k > 3) is k - 2 stones that one more makes k - 1 stones one
    // after another with a free cell to complete them at both ends, all of which can be played then.
    EffectRows opened;  // open rows of the side that are new
    EffectRows closed;  // open rows of the other side that are open no more
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
