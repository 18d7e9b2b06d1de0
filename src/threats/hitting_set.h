// Hitting sets of small targets: sets of cells that meet every target, such as the turns that stop all threats. A
// search that branches over the cells of the first target that is not met. threats.c has the version for whole boards,
// with bounds and windows as bits.
#pragma once

#include "game/board.h"

enum {
    HITTING_SET_MAX = 16, // most cells of a set
    HITTING_SET_STEPS =
        4000, // most targets that are branched on; never reached with up to four cells per target and set
};

// Targets as rows of cells in memory: the next target is `stride` cells further. A target has up to `width` cells; a
// shorter one ends with CELL_NONE.
typedef struct {
    const Cell *cells;
    unsigned stride, width, count;
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

// Whether `more` cells besides the given ones can meet all targets. True too after HITTING_SET_STEPS.
bool hitting_set_exists(const CellTargets *targets, const Cell *cells, unsigned count, unsigned more);

// The smallest number of cells that, besides the given ones, meet all targets; `most` + 1 if it is larger.
unsigned hitting_set_least(const CellTargets *targets, const Cell *cells, unsigned count, unsigned most);

// Calls `take` for every set of exactly `size` cells that meets all targets, where fewer cells do not. Each set comes
// once; its cells are in the order in which they were chosen.
typedef void HittingSetTake(void *context, const Cell *cells, unsigned count);
void hitting_set_all(const CellTargets *targets, unsigned size, HittingSetTake *take, void *context);
