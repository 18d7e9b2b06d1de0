// Search for hitting sets.
#include "threats/hitting_set.h"

typedef struct {
    const CellTargets *targets;
    HittingBounds *bounds;
    HittingSetTake *take; // NULL: the first set is enough
    void *context;
    unsigned least; // cells of a set to take
    unsigned steps; // left, without bounds
    unsigned count;
    bool excludes;  // no set may come twice
    Marks excluded; // cells whose sets have all been examined
    Cell cells[RULES_CELLS_MAX];
} HittingSetSearch;

static const Cell *target_at(const HittingSetSearch *search, unsigned place)
{
    const CellTargets *targets = search->targets;
    return targets->cells + (size_t)search->bounds->order[place] * targets->stride;
}

// Moves the targets without the cell to the front; returns how many there are. A deeper level reorders only those that
// were in front when it began, so nothing has to be restored.
static unsigned keep_unmet(HittingSetSearch *search, unsigned count, Cell cell)
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

typedef struct {
    unsigned at_least;  // targets without a common free cell, chosen greedily: each needs a cell
    unsigned narrowest; // the unmet target with the fewest free cells
    unsigned cells;     // its free cells
} Outlook;

static Outlook look_at(const HittingSetSearch *search, unsigned count)
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

// The target to branch over, one of the first `count`; NULL if no set is possible or the steps ran out.
static const Cell *narrowest_target(HittingSetSearch *search, unsigned count, unsigned more)
{
    HittingBounds *bounds = search->bounds;
    if (bounds->steps < count) {
        bounds->steps = 0;
        return NULL;
    }
    bounds->steps -= count;
    Outlook outlook = look_at(search, count);
    return outlook.at_least <= more && outlook.cells > 0 ? target_at(search, outlook.narrowest) : NULL;
}

static bool try_cells(HittingSetSearch *search, const Cell *target, unsigned begin, unsigned end, unsigned more);

// Searches for sets with at most `more` cells besides those chosen; true if it may stop. Targets before `begin` and
// from `end` on are met.
BOARD_HOT bool search_sets(HittingSetSearch *search, unsigned begin, unsigned end, unsigned more)
{
    const CellTargets *targets = search->targets;
    if (search->bounds == NULL)
        begin = hitting_set_first_unmet(targets, search->cells, search->count, begin);
    if (begin == end)
        return search->take == NULL ||
               (search->count >= search->least && search->take(search->context, search->cells, search->count));
    if (search->bounds == NULL) {
        if (search->steps-- == 0)
            return true;
        return more > 0 && try_cells(search, targets->cells + (size_t)begin * targets->stride, begin + 1, end, more);
    }
    const Cell *target = narrowest_target(search, end, more);
    return target != NULL ? try_cells(search, target, 0, end, more) : search->bounds->steps == 0;
}

// Every set has a cell of the target. Each cell is chosen and afterwards excluded, so that no set comes twice.
static bool try_cells(HittingSetSearch *search, const Cell *target, unsigned begin, unsigned end, unsigned more)
{
    uint64_t tried = 0;
    bool done = false;
    for (unsigned i = 0; i < search->targets->width && target[i] != CELL_NONE && !done; i++) {
        if (search->excludes && marks_has(&search->excluded, target[i]))
            continue;
        unsigned unmet = search->bounds != NULL ? keep_unmet(search, end, target[i]) : end;
        search->cells[search->count++] = target[i];
        done = search_sets(search, begin, unmet, more - 1);
        search->count--;
        if (search->excludes) {
            marks_add(&search->excluded, target[i]);
            tried |= (uint64_t)1 << i;
        }
    }
    for (; tried != 0; tried &= tried - 1)
        marks_remove(&search->excluded, target[bits_lowest(tried)]);
    return done;
}

static void search_begin(HittingSetSearch *search, const CellTargets *targets, const Cell *cells, unsigned count,
                         HittingSetTake *take)
{
    search->targets = targets;
    search->bounds = targets->bounds;
    search->take = take;
    search->excludes = take != NULL || targets->bounds != NULL;
    search->steps = HITTING_SET_STEPS;
    search->count = count;
    if (search->excludes)
        search->excluded = (Marks){0};
    search->cells[0] = CELL_NONE; // initialised for a `take` without cells
    for (unsigned i = 0; i < count; i++)
        search->cells[i] = cells[i];
}

bool hitting_set_exists(const CellTargets *targets, const Cell *cells, unsigned count, unsigned more)
{
    HittingSetSearch search;
    search_begin(&search, targets, cells, count, NULL);
    return search_sets(&search, 0, targets->count, more);
}

unsigned hitting_set_least(const CellTargets *targets, const Cell *cells, unsigned count, unsigned most)
{
    HittingSetSearch search;
    search_begin(&search, targets, cells, count, NULL);
    unsigned begin = targets->bounds == NULL ? hitting_set_first_unmet(targets, cells, count, 0) : 0;
    unsigned more = targets->bounds == NULL ? begin < targets->count : look_at(&search, targets->count).at_least;
    while (more <= most && !search_sets(&search, begin, targets->count, more)) {
        search.steps = HITTING_SET_STEPS;
        more++;
    }
    return more <= most ? more : most + 1;
}

void hitting_set_all(const CellTargets *targets, unsigned least, unsigned most, HittingSetTake *take, void *context)
{
    HittingSetSearch search;
    search_begin(&search, targets, NULL, 0, take);
    search.context = context;
    search.least = least;
    search.steps = UINT32_MAX;
    (void)search_sets(&search, 0, targets->count, most);
}
