// Wins by threats. The attacker plays only turns after which all stones of the other side are needed to stop the rows
// that threaten, or more than it has; so every answer is forced, and all of them are tried. What is found is a win by
// the rules; a win may be missed, as only the turns that look best are tried.
//
// The search plays on the windows (thinker_turns_windows.c), not on the field: it wants to know no more than what they
// lack.
#include "search/thinker_turns_attack_internal.h"

#include <stdlib.h>
#include <string.h>

// --- Memory ---

Status attack_open(TurnState *state, const Rules *rules, Error *error)
{
    if (!attack_suits(rules))
        return STATUS_OK;
    state->attack_table = calloc((size_t)1 << ATTACK_TABLE_LOG, sizeof *state->attack_table);
    state->attack_room = calloc(1, sizeof *state->attack_room);
    if (state->attack_table == NULL || state->attack_room == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the search of threats");
    // The cube of its stones; what it lacks may be 0 only for a window that is complete.
    for (unsigned stones = 0; stones <= rules->k; stones++)
        state->attack_room->worth[rules->k - stones] = (uint16_t)(stones < 40 ? stones * stones * stones : 64000);
    return window_map_open(&state->windows, rules, error);
}

void attack_close(TurnState *state)
{
    free(state->attack_table);
    free(state->attack_room);
    window_map_close(&state->windows);
}

void attack_clear(TurnState *state)
{
    if (state->attack_table != NULL)
        memset(state->attack_table, 0, sizeof *state->attack_table << ATTACK_TABLE_LOG);
}

void attack_begin(TurnState *state, const Field *field)
{
    if (state->attack_table != NULL)
        window_map_begin(&state->windows, field);
}

// --- AttackAnswers ---

static bool is_barred(const AttackAnswers *answers, Cell cell)
{
    for (unsigned i = 0; i < answers->excluded_count; i++)
        if (answers->excluded[i] == cell)
            return true;
    return false;
}

// Every set of p cells that meets all targets, where fewer do not.
static void answer(AttackAnswers *answers)
{
    Turn *turn = &answers->turn;
    unsigned unmet = rows_first_unmet(answers->targets, turn->stones, turn->count);
    if (turn->count == answers->stones) {
        if (unmet == answers->targets->count)
            answers->answers[answers->count++] = *turn;
        return;
    }
    if (unmet == answers->targets->count)
        return;
    const Target *target = &answers->targets->target[unmet];
    unsigned before = answers->excluded_count;
    for (unsigned i = 0; i < target->count; i++) {
        if (is_barred(answers, target->cell[i]))
            continue;
        turn->stones[turn->count++] = target->cell[i];
        answer(answers);
        turn->count--;
        answers->excluded[answers->excluded_count++] = target->cell[i];
    }
    answers->excluded_count = before;
}

void attack_answers_make(AttackAnswers *answers, const Targets *targets, unsigned stones)
{
    answers->targets = targets;
    answers->stones = stones;
    answers->count = answers->excluded_count = 0;
    answers->turn = (Turn){.count = 0};
    answer(answers);
}

// --- The search ---

static Attack attack(Worker *worker, AttackNode node);

static bool is_out(Worker *worker)
{
    TurnState *state = turn_state(worker);
    return worker_poll(worker) || ++state->attack_nodes > state->attack_limit;
}

// The rows that an answer has left or made for the defender. The turn before it met all there were.
static bool set_held(TurnState *state, const Hits *hits, Side side, unsigned level)
{
    if (hits->count == HITS_MAX)
        return false;
    window_targets(&state->windows, hits, side, &state->attack_room->held[level]);
    return true;
}

// Whether every answer to a turn loses too; returns the stones it takes after the turn, 0 if not.
static unsigned attack_answers(Worker *worker, const Targets *targets, AttackNode node)
{
    TurnState *state = turn_state(worker);
    Side defender = side_other(node.side);
    AttackAnswers answers;
    attack_answers_make(&answers, targets, state->windows.p);
    unsigned longest = 0;
    AttackNode next = {node.side, state->windows.p, node.turns - 1, node.level + 1};
    for (unsigned i = 0; i < answers.count; i++) {
        const Turn *turn = &answers.answers[i];
        Hits hits = {.count = 0};
        attack_put(&state->windows, turn, defender, &hits);
        unsigned stones = set_held(state, &hits, defender, next.level) ? attack(worker, next).stones : 0;
        attack_take(&state->windows, turn, defender);
        if (stones == 0)
            return 0;
        longest = stones + turn->count > longest ? stones + turn->count : longest;
    }
    return longest;
}

// The rows of the attacker after a turn.
void attack_set_own(TurnState *state, const Turn *turn, const AttackNode *node, const Hits *base)
{
    Hits hits;
    hits.count = base->count;
    memcpy(hits.window, base->window, base->count * sizeof *hits.window);
    attack_put(&state->windows, turn, node->side, &hits);
    window_targets(&state->windows, &hits, node->side, &state->attack_room->own[node->level]);
}

static unsigned attack_turn(Worker *worker, const Turn *turn, const Hits *base, AttackNode node)
{
    TurnState *state = turn_state(worker);
    WindowMap *map = &state->windows;
    const Targets *targets = &state->attack_room->own[node.level];
    unsigned after;
    attack_set_own(state, turn, &node, base);
    if (rows_least(targets, map->p) > map->p)
        after = 2 * map->p;
    else
        after = node.turns > 1 && node.level + 1 < ATTACK_LEVELS_MAX ? attack_answers(worker, targets, node) : 0;
    unsigned empty = map->cells - map->stone_count;
    attack_take(map, turn, node.side);
    return after == 0 ? 0 : turn->count + (after < empty ? after : empty);
}

static Attack attack_turns(Worker *worker, AttackNode node)
{
    TurnState *state = turn_state(worker);
    // Before the first turn there may be threats already, if it is not a whole one.
    Hits base = {.count = 0};
    if (node.level == 0)
        base.count = window_map_find(&state->windows, node.side, state->windows.p, base.window, HITS_MAX);
    Attack found = {0};
    TurnList list = assault_list(state, &node, &base, &found.turn);
    if (found.turn.count > 0)
        found.stones = attack_turn(worker, &found.turn, &base, node);
    for (unsigned i = 0; i < list.count && found.stones == 0 && node.turns > 1; i++) {
        const Turn *turn = turn_list_next(&list, i);
        found.stones = attack_turn(worker, turn, &base, node);
        found.turn = *turn;
        if (worker->is_stopped || state->attack_nodes > state->attack_limit)
            break;
    }
    turn_list_drop(state, &list);
    return found;
}

static Attack attack(Worker *worker, AttackNode node)
{
    TurnState *state = turn_state(worker);
    const Targets *held = &state->attack_room->held[node.level];
    Attack found = {0};
    if (is_out(worker) || rows_least(held, node.stones) > node.stones)
        return found;
    uint64_t key = attack_key(&state->windows, node.side, node.stones);
    AttackEntry *entry = attack_entry(state, key);
    if (entry->key == key && (entry->stones > 0 || entry->turns >= node.turns)) {
        found.stones = entry->stones;
        found.turn.count = entry->count;
        memcpy(found.turn.stones, entry->turn, sizeof entry->turn);
        return found;
    }
    found = attack_turns(worker, node);
    if (found.stones == 0 && (worker->is_stopped || state->attack_nodes > state->attack_limit))
        return found;
    *entry = (AttackEntry){key, (uint16_t)found.stones, (uint8_t)node.turns, found.turn.count, {0}};
    memcpy(entry->turn, found.turn.stones, sizeof entry->turn);
    return found;
}

// The stones that complete a row in this turn.
static Attack finish(const WindowMap *map, Side side, unsigned stones)
{
    Attack found = {0};
    uint16_t windows[HITS_MAX];
    unsigned count = window_map_find(map, side, stones, windows, HITS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (found.stones == 0 || window_lack(map, windows[i], side) < found.stones) {
            Target target;
            window_target(map, windows[i], &target);
            found.stones = target.count;
            found.turn.count = (uint8_t)target.count;
            memcpy(found.turn.stones, target.cell, sizeof target.cell);
        }
    return found;
}

Attack attack_find(Worker *worker, unsigned turns, uint64_t nodes)
{
    TurnState *state = turn_state(worker);
    const Field *field = &worker->field;
    WindowMap *map = &state->windows;
    Attack found = {0};
    if (state->attack_table == NULL || field->state.turn_left > field->rules.p)
        return found;
    // What wins in one turn is seen on the way to two.
    AttackNode node = {field_side(field), turn_stones(field), turns > 1 ? 2 : 1, 0};
    window_map_follow(map, field);
    found = finish(map, node.side, node.stones);
    Hits held;
    held.count = window_map_find(map, side_other(node.side), map->p, held.window, HITS_MAX);
    if (found.stones > 0 || !set_held(state, &held, side_other(node.side), 0))
        return found;
    state->attack_limit = state->attack_nodes + nodes;
    for (; node.turns <= turns && found.stones == 0; node.turns++) {
        found = attack(worker, node);
        if (worker->is_stopped || state->attack_nodes > state->attack_limit)
            break;
    }
    return found;
}
