// Hitting sets of targets.
#include "threats/hitting_set.h"

typedef struct {
    const CellTargets *targets;
    HittingBounds *bounds;
    HittingSetTake *take; // NULL: the first set is enough
    void *context;
    unsigned least; // cells of a set that is taken
    unsigned steps; // left, without bounds
    unsigned count;
    Marks excluded; // cells whose sets have all been examined
    Cell cells[RULES_CELLS_MAX];
} Search;

// --- With bounds ---

static const Cell *target_at(const Search *search, unsigned place)
{
    const CellTargets *targets = search->targets;
    return targets->cells + (size_t)search->bounds->order[place] * targets->stride;
}

// Moves the places of targets without the cell to the front; returns how many they are. A deeper level changes only the
// order of those that were in front at its own beginning, so nothing has to be put back.
static unsigned keep_unmet(Search *search, unsigned count, Cell cell)
{
    uint16_t *order = search->bounds->order;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const Cell *target = target_at(search, i);
        unsigned j = 0;
        while (j < search->targets->width && target[j] != CELL_NONE && target[j] != cell)
            j++;
        if (j == search->targets->width || target[j] == CELL_NONE) {
            uint16_t place = order[i];
            order[i] = order[kept];
            order[kept++] = place;
        }
    }
    return kept;
}

// What a look at the unmet targets says: how many surely separate cells they take, and the one with fewest cells.
typedef struct {
    unsigned at_least; // targets that share no free cell, taken as they come
    unsigned narrowest;
    unsigned cells; // free ones of the narrowest
} Outlook;

static Outlook look_at(const Search *search, unsigned count)
{
    Outlook outlook = {.cells = UINT32_MAX};
    Marks taken = {0};
    for (unsigned i = 0; i < count; i++) {
        const Cell *target = target_at(search, i);
        Cell cells[RULES_SIDE_MAX];
        unsigned free = 0;
        bool is_separate = true;
        for (unsigned j = 0; j < search->targets->width && target[j] != CELL_NONE; j++)
            if (!marks_has(&search->excluded, target[j])) {
                cells[free++] = target[j];
                is_separate &= !marks_has(&taken, target[j]);
            }
        if (free < outlook.cells)
            outlook = (Outlook){outlook.at_least, i, free};
        outlook.at_least += is_separate;
        for (unsigned j = 0; j < free && is_separate; j++)
            marks_add(&taken, cells[j]);
    }
    return outlook;
}

// --- The search ---

// The target to branch over: `at`, or with bounds one of the first `end`. NULL when no set is possible or the steps are
// used up, which ends the search: `done`.
static const Cell *branch_target(Search *search, unsigned at, unsigned end, unsigned more, bool *done)
{
    HittingBounds *bounds = search->bounds;
    *done = bounds != NULL ? bounds->steps < end : search->steps == 0;
    if (bounds == NULL) {
        search->steps -= search->steps > 0;
        return more > 0 && !*done ? search->targets->cells + (size_t)at * search->targets->stride : NULL;
    }
    bounds->steps = *done ? 0 : bounds->steps - end;
    if (*done)
        return NULL;
    Outlook outlook = look_at(search, end);
    return outlook.at_least <= more && outlook.cells > 0 ? target_at(search, outlook.narrowest) : NULL;
}

// Looks for sets with at most `more` cells besides those chosen; true when it may stop. Targets before `begin` and from
// `end` on are met. Every set has a cell of the target that is branched over: each in turn is chosen, and afterwards
// excluded, so that no set comes twice.
static bool search_sets(Search *search, unsigned begin, unsigned end, unsigned more)
{
    // 1. The target.
    if (search->bounds == NULL)
        begin = hitting_set_first_unmet(search->targets, search->cells, search->count, begin);
    if (begin == end)
        return search->take == NULL ||
               (search->count >= search->least && search->take(search->context, search->cells, search->count));
    bool done;
    const Cell *target = branch_target(search, begin, end, more, &done);
    if (target == NULL)
        return done;
    // 2. Its cells.
    uint64_t tried = 0;
    for (unsigned i = 0; i < search->targets->width && target[i] != CELL_NONE && !done; i++) {
        if (marks_has(&search->excluded, target[i]))
            continue;
        search->cells[search->count++] = target[i];
        if (search->bounds != NULL)
            done = search_sets(search, 0, keep_unmet(search, end, target[i]), more - 1);
        else
            done = search_sets(search, begin + 1, end, more - 1);
        search->count--;
        marks_add(&search->excluded, target[i]);
        tried |= (uint64_t)1 << i;
    }
    for (; tried != 0; tried &= tried - 1)
        marks_remove(&search->excluded, target[bits_lowest(tried)]);
    return done;
}

static void search_begin(Search *search, const CellTargets *targets, const Cell *cells, unsigned count)
{
    search->targets = targets;
    search->bounds = targets->bounds;
    search->take = NULL;
    search->steps = HITTING_SET_STEPS;
    search->count = count;
    search->excluded = (Marks){0};
    for (unsigned i = 0; i < count; i++)
        search->cells[i] = cells[i];
}

bool hitting_set_exists(const CellTargets *targets, const Cell *cells, unsigned count, unsigned more)
{
    Search search;
    search_begin(&search, targets, cells, count);
    return search_sets(&search, 0, targets->count, more);
}

unsigned hitting_set_least(const CellTargets *targets, const Cell *cells, unsigned count, unsigned most)
{
    Search search;
    search_begin(&search, targets, cells, count);
    unsigned more = targets->bounds != NULL ? look_at(&search, targets->count).at_least : 0;
    while (more <= most && !search_sets(&search, 0, targets->count, more)) {
        search.steps = HITTING_SET_STEPS;
        more++;
    }
    return more <= most ? more : most + 1;
}

void hitting_set_all(const CellTargets *targets, unsigned least, unsigned most, HittingSetTake *take, void *context)
{
    Search search;
    search_begin(&search, targets, NULL, 0);
    search.take = take;
    search.context = context;
    search.least = least;
    search.steps = UINT32_MAX;
    (void)search_sets(&search, 0, targets->count, most);
}
