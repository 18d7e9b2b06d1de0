// Window tally: the stones of each side in every window, updated with every stone, for searches that need threats in
// every node. It finds quickly what threats.h defines: threat windows as targets, and the sets of cells that meet all.
//
// The windows through a cell are consecutive in each direction (the order of windows_all), so that placing a stone is
// four short additions along an array, and removing it the same subtractions. Everything else is computed on request.
// Without gravity, where a threat might need a stone below a cell.
#pragma once

#include "threats/windows.h"

#include <string.h>

enum {
    WINDOW_TALLY_P_MAX = 4,   // stones per turn, and cells of a target
    WINDOW_TALLY_NEVER = 255, // stones needed in a window with an opposing stone
};

// At most WINDOW_TALLY_P_MAX cells in ascending order, padded with CELL_NONE: the empty cells of a threat window, an
// answer or a turn.
typedef struct {
    Cell cell[WINDOW_TALLY_P_MAX];
} CellSet;

static const CellSet cell_set_none = {{CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE}};

// Plain data. Change the board only through the tally.
typedef struct {
    Board board;
    unsigned count;
    Window window[WINDOWS_MAX];
    WindowRange through[RULES_CELLS_MAX][WINDOW_DIRECTIONS];
    uint16_t stones[WINDOWS_MAX]; // those of the first side, and 256 times those of the second
} WindowTally;

// Whether the rules have no gravity and at most WINDOW_TALLY_P_MAX stones per turn.
bool window_tally_suits(const Rules *rules);

// Set up the empty board, and copy a position of the same rules.
void window_tally_init(WindowTally *tally, const Rules *rules);
void window_tally_set(WindowTally *tally, const Board *board);

BoardState window_tally_play(WindowTally *tally, Cell cell);
void window_tally_undo(WindowTally *tally, Cell cell, BoardState before);

// Place a stone of a side on an empty cell and remove it, ignoring turns and wins.
void window_tally_put(WindowTally *tally, Cell cell, Side side);
void window_tally_take(WindowTally *tally, Cell cell, Side side);

// Stones that a side needs to complete a window; WINDOW_TALLY_NEVER if the other side has a stone there.
static inline unsigned window_tally_need(const WindowTally *tally, unsigned window, Side side)
{
    unsigned stones = tally->stones[window], first = stones & 0xff, second = stones >> 8;
    unsigned own = side == SIDE_FIRST ? first : second, other = side == SIDE_FIRST ? second : first;
    return other != 0 ? (unsigned)WINDOW_TALLY_NEVER : tally->board.rules.k - own;
}

// Whether the row in this window wins once the side has filled it.
static inline bool window_tally_wins(const WindowTally *tally, unsigned window, Side side)
{
    const Board *board = &tally->board;
    Window at = tally->window[window];
    return row_window_wins(&board->rules, board->line[at.line][side], window_bits(board, at));
}

// The empty cells of a window; as a target there must be 1 to WINDOW_TALLY_P_MAX of them.
unsigned window_tally_empty(const WindowTally *tally, unsigned window, Cell cells[RULES_SIDE_MAX]);
CellSet window_tally_target(const WindowTally *tally, unsigned window);

// Adds the threats of a side in windows through one cell; returns the new number of targets, `most` + 1 if there is no
// room. A window that two cells share may be added twice, which changes no answer.
unsigned window_tally_threats_through(const WindowTally *tally, Cell cell, Side side, CellSet *targets, unsigned count,
                                      unsigned most);

// All threats of a side.
unsigned window_tally_threats(const WindowTally *tally, Side side, CellSet *targets, unsigned most);

static inline bool cell_set_has(const CellSet *set, Cell cell)
{
    return set->cell[0] == cell || set->cell[1] == cell || set->cell[2] == cell || set->cell[3] == cell;
}

static inline bool cell_sets_meet(const CellSet *a, const CellSet *b)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && a->cell[i] != CELL_NONE; i++)
        if (cell_set_has(b, a->cell[i]))
            return true;
    return false;
}

static inline bool cell_sets_equal(const CellSet *a, const CellSet *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

unsigned cell_set_count(const CellSet *set);

// The set with one more cell, which it must not contain.
CellSet cell_set_with(const CellSet *set, Cell cell);

// Whether `stones` more cells can, with those of `chosen`, meet all targets.
bool targets_can_be_met(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned stones);

// The first target from `from` on that `chosen` does not meet; `count` if all are met.
unsigned targets_first_unmet(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned from);

// The smallest number of cells that meet all targets, at most `most` + 1.
unsigned targets_least(const CellSet *targets, unsigned count, unsigned most);

// Every set of `least` to `most` cells that meets all targets and needs each of its cells, once; returns how many,
// `room` + 1 if there is no room. Fewer than `least` cells must not meet all targets.
unsigned targets_answers(const CellSet *targets, unsigned count, unsigned least, unsigned most, CellSet *answers,
                         unsigned room);
