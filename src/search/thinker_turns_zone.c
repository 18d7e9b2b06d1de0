// The zone of a win by threats: where its stones and rows are. A turn of the other side that has no stone there leaves
// the win as it is, most likely.
#include "search/thinker_turns_attack_internal.h"

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

static void zone_walk(TurnState *state, const Turn *turn, const AttackNode *node);

// Along every answer as far as the table knows how it is won.
static void zone_answers(TurnState *state, const Targets *targets, const AttackNode *node)
{
    WindowMap *map = &state->windows;
    AttackAnswers answers;
    attack_answers_make(&answers, targets, map->p);
    AttackNode next = {node->side, map->p, 0, node->level + 1};
    for (unsigned i = 0; i < answers.count; i++) {
        attack_put(map, &answers.answers[i], side_other(node->side), NULL);
        uint64_t key = attack_key(map, node->side, map->p);
        const AttackEntry *entry = attack_entry(state, key);
        if (entry->key == key && entry->stones > 0) {
            Turn turn = {.count = entry->count};
            memcpy(turn.stones, entry->turn, sizeof turn.stones);
            zone_walk(state, &turn, &next);
        }
        attack_take(map, &answers.answers[i], side_other(node->side));
    }
}

static void zone_walk(TurnState *state, const Turn *turn, const AttackNode *node)
{
    const Targets *targets = &state->attack_room->own[node->level];
    Hits none = {.count = 0};
    zone_add(state, turn->stones, turn->count);
    attack_set_own(state, turn, node, &none);
    for (unsigned i = 0; i < targets->count; i++)
        zone_add(state, targets->target[i].cell, targets->target[i].count);
    if (node->level + 1 < ATTACK_LEVELS_MAX && targets->count > 0 &&
        rows_least(targets, state->windows.p) <= state->windows.p)
        zone_answers(state, targets, node);
    attack_take(&state->windows, turn, node->side);
}

void attack_set_zone(Worker *worker, const Attack *found)
{
    TurnState *state = turn_state(worker);
    AttackNode node = {field_side(&worker->field), turn_stones(&worker->field), 0, 0};
    zone_clear(state);
    window_map_follow(&state->windows, &worker->field);
    zone_walk(state, &found->turn, &node);
}

Attack attack_threat(Worker *worker, unsigned turns, uint64_t nodes)
{
    TurnState *state = turn_state(worker);
    zone_clear(state);
    if (state->attack_table == NULL)
        return (Attack){0};
    field_pass(&worker->field);
    Attack found = attack_find(worker, turns, nodes);
    if (found.stones > 0)
        attack_set_zone(worker, &found);
    field_unpass(&worker->field);
    return found;
}

// --- Refutations ---

void refutations_add(TurnState *state, unsigned ply)
{
    Refutations *all = &state->refutations[ply];
    if (all->count == REFUTATIONS_MAX)
        return;
    Zone *zone = &all->zone[all->count++];
    memset(zone, 0, sizeof *zone);
    for (unsigned i = 0; i < state->zone_count; i++)
        zone->row[cell_row(state->zone_cells[i])] |= cell_bit_in_row(state->zone_cells[i]);
}

bool zone_misses(const Zone *zone, const Turn *turn)
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
