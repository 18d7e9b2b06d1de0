// Hitting sets: sets of cells that meet every target, such as the turns that stop all threats. The search branches over
// the cells of a target that is not met: the first one, or with bounds the one with fewest cells.
#pragma once

#include "threats/windows.h"

enum {
    HITTING_SET_STEPS = 4000, // targets that are branched on; never reached with up to four cells per target and set
};

// Marked cells of a board.
typedef struct {
    uint64_t row[RULES_SIDE_MAX];
} Marks;

static inline bool marks_has(const Marks *marks, Cell cell)
{
    return (marks->row[cell_row(cell)] & cell_bit_in_row(cell)) != 0;
}

static inline void marks_add(Marks *marks, Cell cell)
{
    marks->row[cell_row(cell)] |= cell_bit_in_row(cell);
}

static inline void marks_remove(Marks *marks, Cell cell)
{
    marks->row[cell_row(cell)] &= ~cell_bit_in_row(cell);
}

// For the targets of a whole board, up to WINDOWS_MAX: the search branches over the target with fewest cells, and stops
// where targets without a common cell need more cells than are left.
typedef struct {
    unsigned steps;              // how many targets the search may still look at; 0: it ended early
    uint16_t order[WINDOWS_MAX]; // of the targets; the search changes it
} HittingBounds;

// Targets as rows of cells in memory: the next target is `stride` cells further. A target has up to `width` cells; a
// shorter one ends with CELL_NONE.
typedef struct {
    const Cell *cells;
    unsigned stride, width, count;
    HittingBounds *bounds; // NULL: without
} CellTargets;

// The first target from `from` on that none of these cells meets; the number of targets if none exists.
static inline unsigned hitting_set_first_unmet(const CellTargets *targets, const Cell *cells, unsigned count,
                                               unsigned from)
{
    for (; from < targets->count; from++) {
        const Cell *target = targets->cells + (size_t)from * targets->stride;
        bool is_met = false;
        for (unsigned i = 0; i < targets->width && target[i] != CELL_NONE && !is_met; i++)
            for (unsigned j = 0; j < count; j++)
                is_met |= target[i] == cells[j];
        if (!is_met)
            break;
    }
    return from;
}

// Whether `more` cells besides the given ones can meet all targets. True too when the steps are used up. Without
// bounds.
bool hitting_set_exists(const CellTargets *targets, const Cell *cells, unsigned count, unsigned more);

// The smallest number of cells that, besides the given ones, meet all targets; `most` + 1 if it is larger. With bounds
// no cells are given. When the steps are used up, the largest number that is surely not too high.
unsigned hitting_set_least(const CellTargets *targets, const Cell *cells, unsigned count, unsigned most);

// Calls `take` for sets of `least` to `most` cells that meet all targets, until it returns true: at least those sets
// that need each of their cells. No such set comes twice; its cells are in the order in which they were chosen.
typedef bool HittingSetTake(void *context, const Cell *cells, unsigned count);
void hitting_set_all(const CellTargets *targets, unsigned least, unsigned most, HittingSetTake *take, void *context);
