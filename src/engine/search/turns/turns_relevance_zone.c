// The relevance zone of a VCDT: the cells of its stones and rows. A turn of the opponent without a stone in the zone
// most likely does not change the win.
#include "engine/search/turns/turns_vcdt_internal.h"

#include <string.h>

static void zone_add(TurnState *state, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count && state->zone_count < ZONE_MAX; i++)
        if (!state->zone[cells[i]]) {
            state->zone[cells[i]] = true;
            state->zone_cells[state->zone_count++] = cells[i];
        }
}

static void zone_clear(TurnState *state)
{
    while (state->zone_count > 0)
        state->zone[state->zone_cells[--state->zone_count]] = false;
}

static void zone_walk(TurnState *state, const Turn *turn, const VcdtNode *node);

// Follows every answer whose win is in the table.
static void zone_answers(TurnState *state, const Targets *targets, const VcdtNode *node)
{
    WindowMap *map = &state->windows;
    VcdtAnswers answers;
    vcdt_answers_make(&answers, targets, map->p);
    VcdtNode next = {node->side, map->p, 0, node->level + 1};
    for (unsigned i = 0; i < answers.count; i++) {
        vcdt_put(map, &answers.answers[i], side_other(node->side), NULL);
        uint64_t key = vcdt_key(map, node->side, map->p);
        const VcdtEntry *entry = vcdt_entry(state, key);
        if (entry->key == key && entry->stones > 0) {
            Turn turn = {.count = entry->count};
            memcpy(turn.stones, entry->turn, sizeof turn.stones);
            zone_walk(state, &turn, &next);
        }
        vcdt_take(map, &answers.answers[i], side_other(node->side));
    }
}

static void zone_walk(TurnState *state, const Turn *turn, const VcdtNode *node)
{
    const Targets *targets = &state->vcdt_room.own[node->level];
    Hits none = {.count = 0};
    zone_add(state, turn->stones, turn->count);
    vcdt_set_own(state, turn, node, &none);
    for (unsigned i = 0; i < targets->count; i++)
        zone_add(state, targets->target[i].cell, targets->target[i].count);
    if (node->level + 1 < VCDT_LEVELS_MAX && targets->count > 0 &&
        rows_least(targets, state->windows.p) <= state->windows.p)
        zone_answers(state, targets, node);
    vcdt_take(&state->windows, turn, node->side);
}

void vcdt_set_zone(SearchThread *thread, const VcdtWin *found)
{
    TurnState *state = turn_state(thread);
    VcdtNode node = {pattern_board_side(&thread->patterns), pattern_board_stones_left(&thread->patterns), 0, 0};
    zone_clear(state);
    window_map_follow(&state->windows, &thread->patterns);
    zone_walk(state, &found->turn, &node);
}

VcdtWin vcdt_threat(SearchThread *thread, unsigned turns, uint64_t nodes)
{
    TurnState *state = turn_state(thread);
    zone_clear(state);
    if (!state->has_vcdt)
        return (VcdtWin){0};
    pattern_board_pass(&thread->patterns);
    VcdtWin found = vcdt_find(thread, turns, nodes);
    if (found.stones > 0)
        vcdt_set_zone(thread, &found);
    pattern_board_unpass(&thread->patterns);
    return found;
}

void refutations_add(TurnState *state, unsigned ply)
{
    Refutations *all = &state->refutations[ply];
    if (all->count == REFUTATIONS_MAX)
        return;
    RelevanceZone *zone = &all->zone[all->count++];
    memset(zone, 0, sizeof *zone);
    for (unsigned i = 0; i < state->zone_count; i++)
        zone->row[cell_row(state->zone_cells[i])] |= cell_bit_in_row(state->zone_cells[i]);
}

bool zone_misses(const RelevanceZone *zone, const Turn *turn)
{
    for (unsigned i = 0; i < turn->count; i++)
        if ((zone->row[cell_row(turn->stones[i])] & cell_bit_in_row(turn->stones[i])) != 0)
            return false;
    return true;
}

bool refutations_refute(const Refutations *all, const Turn *turn)
{
    for (unsigned i = 0; i < all->count && !turn->threatens; i++)
        if (zone_misses(&all->zone[i], turn))
            return true;
    return false;
}
