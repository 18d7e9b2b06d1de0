// Hitting sets: sets of cells that meet every target, such as turns that stop all threats. The search branches over the
// cells of an unmet target: the first one, or with bounds the one with the fewest cells.
#pragma once

#include "threats/windows.h"

enum {
    HITTING_SET_STEPS = 4000, // targets to branch on; never reached with up to four cells per target and set
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

// For the targets of a whole board, up to WINDOWS_MAX: the search prunes where targets without a common cell need more
// cells than are left.
typedef struct {
    unsigned steps;              // targets that the search may still examine; 0: it ended early
    uint16_t order[WINDOWS_MAX]; // of the targets; the search changes it
} HittingBounds;

// Target i begins at i * stride and has up to `width` cells; a shorter one ends with CELL_NONE.
typedef struct {
    const Cell *cells;
    unsigned stride, width, count;
    HittingBounds *bounds; // NULL: none
} CellTargets;

// The first target from `from` on that none of these cells meets; the number of targets if all are met.
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

// Whether `more` cells besides the given ones can meet all targets; also true if the steps run out. Without bounds.
bool hitting_set_exists(const CellTargets *targets, const Cell *cells, unsigned count, unsigned more);

// The smallest number of cells that, besides the given ones, meet all targets; `most` + 1 if it is larger; a lower
// bound if the steps run out. With bounds, `count` must be 0.
unsigned hitting_set_least(const CellTargets *targets, const Cell *cells, unsigned count, unsigned most);

// Calls `take` for sets of `least` to `most` cells that meet all targets, until it returns true: for all minimal sets,
// which need each of their cells, and perhaps others. No set comes twice; its cells are in the order they were chosen.
typedef bool HittingSetTake(void *context, const Cell *cells, unsigned count);
void hitting_set_all(const CellTargets *targets, unsigned least, unsigned most, HittingSetTake *take, void *context);
