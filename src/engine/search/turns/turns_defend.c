// Finds turns that may defend a position in which all searched turns lose. Each of those was refuted by a VCDT with a
// relevance zone (turns_relevance_zone.c), and a defence must have a stone in every zone. So stones are taken from the
// zones, the smallest unmet zone first, and every refuted defence adds a zone.
#include "engine/search/turns/turns_internal.h"

enum {
    DEFEND_STEPS = 4000, // stones tried for one turn
    DEFEND_FREE = 3,     // cells tried for a stone if all zones and targets are met
};

typedef struct {
    SearchThread *thread;
    TurnState *state;
    const Targets *targets;
    const Refutations *all;
    unsigned stones, steps;
    Turn *turn;
} Defending;

typedef struct {
    unsigned count, most;
    ScoredCell at[DEFEND_WIDTH];
} Options;

static void options_add(Defending *defending, Options *options, Cell cell)
{
    if (!defending->state->is_excluded[cell] && !turn_has(defending->turn, cell))
        cells_keep_best(options->at, &options->count, options->most, cell, turn_cell_score(defending->thread, cell));
}

static unsigned zone_size(const RelevanceZone *zone, unsigned height)
{
    unsigned size = 0;
    for (unsigned y = 0; y < height; y++)
        size += bits_count(zone->row[y]);
    return size;
}

// The smallest zone without a stone of the turn; NULL if there is none.
static const RelevanceZone *unmet_zone(const Defending *defending)
{
    const RelevanceZone *smallest = NULL;
    unsigned least = 0;
    for (unsigned i = 0; i < defending->all->count; i++) {
        const RelevanceZone *zone = &defending->all->zone[i];
        if (!zone_misses(zone, defending->turn))
            continue;
        unsigned size = zone_size(zone, defending->thread->patterns.rules.height);
        if (smallest == NULL || size < least)
            smallest = zone, least = size;
    }
    return smallest;
}

static void options_of_rows(Defending *defending, Options *options, const RelevanceZone *zone)
{
    const PatternBoard *patterns = &defending->thread->patterns;
    for (unsigned y = 0; y < patterns->rules.height; y++)
        for (uint64_t cells = pattern_board_empty_row(patterns, y) & (zone != NULL ? zone->row[y] : UINT64_MAX);
             cells != 0; cells &= cells - 1)
            options_add(defending, options, cell_at(bits_lowest(cells), y));
}

static void options_find(Defending *defending, const RelevanceZone *zone, Options *options)
{
    const Turn *turn = defending->turn;
    const Targets *targets = defending->targets;
    unsigned unmet = rows_first_unmet(targets, turn->stones, turn->count);
    options->count = 0;
    options->most = unmet < targets->count || zone != NULL ? DEFEND_WIDTH : DEFEND_FREE;
    if (unmet == targets->count) {
        options_of_rows(defending, options, zone);
        return;
    }
    for (unsigned i = 0; i < targets->target[unmet].count; i++)
        options_add(defending, options, targets->target[unmet].cell[i]);
}

static bool defend(Defending *defending)
{
    Turn *turn = defending->turn;
    const RelevanceZone *zone = unmet_zone(defending);
    if (turn->count == defending->stones)
        return zone == NULL &&
               rows_first_unmet(defending->targets, turn->stones, turn->count) == defending->targets->count;
    Options options;
    unsigned done = 0;
    bool is_found = false;
    options_find(defending, zone, &options);
    for (; done < options.count && !is_found && defending->steps > 0; done++) {
        defending->steps--;
        Cell cell = options.at[done].cell;
        turn->stones[turn->count++] = cell;
        is_found = defend(defending);
        defending->state->is_excluded[cell] = true;
        if (!is_found)
            turn->count--;
    }
    for (unsigned i = 0; i < done; i++)
        defending->state->is_excluded[options.at[i].cell] = false;
    return is_found;
}

bool defence_find(SearchThread *thread, const Targets *targets, const Refutations *all, Turn *turn)
{
    Defending defending = {
        thread, turn_state(thread), targets, all, pattern_board_stones_left(&thread->patterns), DEFEND_STEPS, turn};
    *turn = (Turn){.count = 0};
    return defend(&defending);
}
