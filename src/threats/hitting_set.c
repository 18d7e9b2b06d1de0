// Hitting sets of small targets.
#include "threats/hitting_set.h"

#include <assert.h>

typedef struct {
    const CellTargets *targets;
    unsigned count, steps;
    Cell cells[HITTING_SET_MAX];
} Search;

// Targets before `from` are met.
static bool can_meet(Search *search, unsigned from, unsigned more)
{
    const CellTargets *targets = search->targets;
    unsigned at = hitting_set_first_unmet(targets, search->cells, search->count, from);
    if (at == targets->count || ++search->steps > HITTING_SET_STEPS)
        return true;
    if (more == 0)
        return false;
    const Cell *target = targets->cells + (size_t)at * targets->stride;
    bool is_met = false;
    for (unsigned i = 0; i < targets->width && target[i] != CELL_NONE && !is_met; i++) {
        search->cells[search->count++] = target[i];
        is_met = can_meet(search, at + 1, more - 1);
        search->count--;
    }
    return is_met;
}

bool hitting_set_exists(const CellTargets *targets, const Cell *cells, unsigned count, unsigned more)
{
    assert(count + more <= HITTING_SET_MAX);
    Search search;
    search.targets = targets;
    search.count = count;
    search.steps = 0;
    for (unsigned i = 0; i < count; i++)
        search.cells[i] = cells[i];
    return can_meet(&search, 0, more);
}

unsigned hitting_set_least(const CellTargets *targets, const Cell *cells, unsigned count, unsigned most)
{
    unsigned more = 0;
    while (more <= most && !hitting_set_exists(targets, cells, count, more))
        more++;
    return more;
}

// Every set has a cell of the first target that is not met: each in turn is chosen, and excluded afterwards, so that no
// set comes twice.
typedef struct {
    const CellTargets *targets;
    HittingSetTake *take;
    void *context;
    unsigned count, excluded_count;
    Cell cells[HITTING_SET_MAX];
    Cell excluded[HITTING_SET_MAX * HITTING_SET_MAX];
} Listing;

static bool is_excluded(const Listing *listing, Cell cell)
{
    for (unsigned i = 0; i < listing->excluded_count; i++)
        if (listing->excluded[i] == cell)
            return true;
    return false;
}

static void list_sets(Listing *listing, unsigned from, unsigned more)
{
    const CellTargets *targets = listing->targets;
    unsigned at = hitting_set_first_unmet(targets, listing->cells, listing->count, from);
    if (at == targets->count && more == 0)
        listing->take(listing->context, listing->cells, listing->count);
    if (at == targets->count || more == 0)
        return;
    const Cell *target = targets->cells + (size_t)at * targets->stride;
    unsigned before = listing->excluded_count;
    for (unsigned i = 0; i < targets->width && target[i] != CELL_NONE; i++) {
        if (is_excluded(listing, target[i]))
            continue;
        listing->cells[listing->count++] = target[i];
        list_sets(listing, at + 1, more - 1);
        listing->count--;
        listing->excluded[listing->excluded_count++] = target[i];
    }
    listing->excluded_count = before;
}

void hitting_set_all(const CellTargets *targets, unsigned size, HittingSetTake *take, void *context)
{
    assert(size <= HITTING_SET_MAX && targets->width <= HITTING_SET_MAX);
    Listing listing;
    listing.targets = targets;
    listing.take = take;
    listing.context = context;
    listing.count = listing.excluded_count = 0;
    list_sets(&listing, 0, size);
}
