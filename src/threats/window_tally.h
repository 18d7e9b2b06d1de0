// A tally: how many stones of each side stand in every window, followed stone by stone, for searches that look at
// threats all the time. What threats.h defines plainly is found here fast: threat windows as targets, and the sets of
// cells that meet them all.
//
// The windows through a cell stand one after another in each direction (the order of windows_all), so that a stone is
// four short additions along an array, and taking it back the same subtractions. Everything else is looked up when it
// is asked for. Without gravity, where a stone below a cell might be what a threat needs.
#pragma once

#include "threats/windows.h"

#include <string.h>

enum {
    WINDOW_TALLY_P_MAX = 4,   // stones a turn: more than that in one target are not followed
    WINDOW_TALLY_NEVER = 255, // stones that a window needs with an opposing one in it
};

// Some cells, at most WINDOW_TALLY_P_MAX, in ascending order and filled up with CELL_NONE: the empty cells of a threat
// window, an answer or a turn.
typedef struct {
    Cell cell[WINDOW_TALLY_P_MAX];
} CellSet;

static const CellSet cell_set_none = {{CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE}};

// Plain data; the board inside is played and taken back with the tally.
typedef struct {
    Board board;
    unsigned count;
    Window window[WINDOWS_MAX];
    WindowRange through[RULES_CELLS_MAX][WINDOW_DIRECTIONS];
    uint16_t stones[WINDOWS_MAX]; // those of the first side, and 256 times those of the second
} WindowTally;

// Whether a tally can be kept: no gravity, and no more than WINDOW_TALLY_P_MAX stones a turn.
bool window_tally_suits(const Rules *rules);

// The empty board.
void window_tally_init(WindowTally *tally, const Rules *rules);

// Takes over a position of the same rules.
void window_tally_set(WindowTally *tally, const Board *board);

BoardState window_tally_play(WindowTally *tally, Cell cell);
void window_tally_undo(WindowTally *tally, Cell cell, BoardState before);

// A stone of a side put on an empty cell and taken away again, without regard to turns and wins.
void window_tally_put(WindowTally *tally, Cell cell, Side side);
void window_tally_take(WindowTally *tally, Cell cell, Side side);

// Stones a side needs to complete a window, WINDOW_TALLY_NEVER where the other side has one there.
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

// The empty cells of a window; returns how many.
unsigned window_tally_empty(const WindowTally *tally, unsigned window, Cell cells[RULES_SIDE_MAX]);

// Its empty cells as a target; it must have at least one and no more than WINDOW_TALLY_P_MAX.
CellSet window_tally_target(const WindowTally *tally, unsigned window);

// Adds the threats of a side in windows through one cell; returns how many targets there are then, `most` + 1 when
// there is no room. A window that two cells share may come twice, which changes no answer.
unsigned window_tally_threats_through(const WindowTally *tally, Cell cell, Side side, CellSet *targets, unsigned count,
                                      unsigned most);

// All threats of a side.
unsigned window_tally_threats(const WindowTally *tally, Side side, CellSet *targets, unsigned most);

// --- Sets of cells ---

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

// The set with one cell more, which it must not have.
CellSet cell_set_with(const CellSet *set, Cell cell);

// Whether `stones` cells can be found that, with those of `chosen`, meet all targets.
bool targets_can_be_met(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned stones);

// The first target that `chosen` does not meet, from `from` on; `count` if none exists.
unsigned targets_first_unmet(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned from);

// The smallest number of cells that meet all targets, at most `most` + 1.
unsigned targets_least(const CellSet *targets, unsigned count, unsigned most);

// Every set of `least` to `most` cells that meets all targets and needs each of its cells, where fewer than `least` do
// not meet them; returns how many, `room` + 1 if there is no room for them. None comes twice.
unsigned targets_answers(const CellSet *targets, unsigned count, unsigned least, unsigned most, CellSet *answers,
                         unsigned room);
