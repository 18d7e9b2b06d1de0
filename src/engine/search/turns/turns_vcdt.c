// VCDT: victory by continuous double threats. The attacker plays only turns whose threats take all stones of the
// opponent to stop, or more; so every answer is forced, and all are searched. A win that is found is proven; a win may
// be missed, because only the most promising turns are searched.
//
// The search plays on the window map (turns_windows.c), which is cheaper than the pattern board.
#include "engine/search/turns/turns_vcdt_internal.h"

// --- Memory ---

void vcdt_open(TurnState *state, const Rules *rules)
{
    state->has_vcdt = vcdt_suits(rules);
    if (!state->has_vcdt)
        return;
    // The cube of the number of stones; only a complete window lacks none.
    for (unsigned stones = 0; stones <= rules->k; stones++)
        state->vcdt_room.worth[rules->k - stones] = (uint16_t)(stones < 40 ? stones * stones * stones : 64000);
    window_map_init(&state->windows, rules);
}

void vcdt_clear(TurnState *state)
{
    if (state->has_vcdt)
        memset(state->vcdt_table, 0, sizeof state->vcdt_table);
}

void vcdt_begin(TurnState *state, const PatternBoard *patterns)
{
    if (state->has_vcdt)
        window_map_begin(&state->windows, patterns);
}

// --- Answers ---

static bool take_answer(void *context, const Cell *cells, unsigned count)
{
    VcdtAnswers *answers = context;
    Turn *turn = &answers->answers[answers->count++];
    *turn = (Turn){.count = (uint8_t)count};
    memcpy(turn->stones, cells, count * sizeof *cells);
    return false;
}

void vcdt_answers_make(VcdtAnswers *answers, const Targets *targets, unsigned stones)
{
    answers->count = 0;
    rows_answers(targets, stones, take_answer, answers);
}

// --- The search ---

static VcdtWin vcdt_search(SearchThread *thread, VcdtNode node);

static bool is_out(SearchThread *thread)
{
    TurnState *state = turn_state(thread);
    return search_poll(thread) || ++state->vcdt_nodes > state->vcdt_limit;
}

// Sets the rows that the defender has after an answer. The turn before it stopped all earlier ones.
static bool set_held(TurnState *state, const Hits *hits, Side side, unsigned level)
{
    if (hits->count == HITS_MAX)
        return false;
    window_targets(&state->windows, hits, side, &state->vcdt_room.held[level]);
    return true;
}

// Whether every answer to a turn loses; returns the stones after the turn, 0 if not.
static unsigned vcdt_answers(SearchThread *thread, const Targets *targets, VcdtNode node)
{
    TurnState *state = turn_state(thread);
    Side defender = side_other(node.side);
    VcdtAnswers answers;
    vcdt_answers_make(&answers, targets, state->windows.p);
    unsigned longest = 0;
    VcdtNode next = {node.side, state->windows.p, node.turns - 1, node.level + 1};
    for (unsigned i = 0; i < answers.count; i++) {
        const Turn *turn = &answers.answers[i];
        Hits hits = {.count = 0};
        vcdt_put(&state->windows, turn, defender, &hits);
        unsigned stones = set_held(state, &hits, defender, next.level) ? vcdt_search(thread, next).stones : 0;
        vcdt_take(&state->windows, turn, defender);
        if (stones == 0)
            return 0;
        longest = stones + turn->count > longest ? stones + turn->count : longest;
    }
    return longest;
}

void vcdt_set_own(TurnState *state, const Turn *turn, const VcdtNode *node, const Hits *base)
{
    Hits hits;
    hits.count = base->count;
    memcpy(hits.window, base->window, base->count * sizeof *hits.window);
    vcdt_put(&state->windows, turn, node->side, &hits);
    window_targets(&state->windows, &hits, node->side, &state->vcdt_room.own[node->level]);
}

static unsigned vcdt_turn(SearchThread *thread, const Turn *turn, const Hits *base, VcdtNode node)
{
    TurnState *state = turn_state(thread);
    WindowMap *map = &state->windows;
    const Targets *targets = &state->vcdt_room.own[node.level];
    unsigned after;
    vcdt_set_own(state, turn, &node, base);
    if (rows_least(targets, map->p) > map->p)
        after = 2 * map->p;
    else
        after = node.turns > 1 && node.level + 1 < VCDT_LEVELS_MAX ? vcdt_answers(thread, targets, node) : 0;
    unsigned empty = map->cells - map->stone_count;
    vcdt_take(map, turn, node.side);
    return after == 0 ? 0 : turn->count + (after < empty ? after : empty);
}

static VcdtWin vcdt_turns(SearchThread *thread, VcdtNode node)
{
    TurnState *state = turn_state(thread);
    // An unfinished first turn may already have threats.
    Hits base = {.count = 0};
    if (node.level == 0)
        base.count = window_map_find(&state->windows, node.side, state->windows.p, base.window, HITS_MAX);
    VcdtWin found = {0};
    TurnList list = vcdt_list(state, &node, &base, &found.turn);
    if (found.turn.count > 0)
        found.stones = vcdt_turn(thread, &found.turn, &base, node);
    for (unsigned i = 0; i < list.count && found.stones == 0 && node.turns > 1; i++) {
        const Turn *turn = turn_list_next(&list, i);
        found.stones = vcdt_turn(thread, turn, &base, node);
        found.turn = *turn;
        if (thread->is_stopped || state->vcdt_nodes > state->vcdt_limit)
            break;
    }
    turn_list_drop(state, &list);
    return found;
}

static VcdtWin vcdt_search(SearchThread *thread, VcdtNode node)
{
    TurnState *state = turn_state(thread);
    const Targets *held = &state->vcdt_room.held[node.level];
    VcdtWin found = {0};
    if (is_out(thread) || rows_least(held, node.stones) > node.stones)
        return found;
    uint64_t key = vcdt_key(&state->windows, node.side, node.stones);
    VcdtEntry *entry = vcdt_entry(state, key);
    if (entry->key == key && (entry->stones > 0 || entry->turns >= node.turns)) {
        found.stones = entry->stones;
        found.turn.count = entry->count;
        memcpy(found.turn.stones, entry->turn, sizeof entry->turn);
        return found;
    }
    found = vcdt_turns(thread, node);
    if (found.stones == 0 && (thread->is_stopped || state->vcdt_nodes > state->vcdt_limit))
        return found;
    *entry = (VcdtEntry){key, (uint16_t)found.stones, (uint8_t)node.turns, found.turn.count, {0}};
    memcpy(entry->turn, found.turn.stones, sizeof entry->turn);
    return found;
}

// The stones that complete a row in this turn.
static VcdtWin finish(const WindowMap *map, Side side, unsigned stones)
{
    VcdtWin found = {0};
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

VcdtWin vcdt_find(SearchThread *thread, unsigned turns, uint64_t nodes)
{
    TurnState *state = turn_state(thread);
    const PatternBoard *patterns = &thread->patterns;
    WindowMap *map = &state->windows;
    VcdtWin found = {0};
    if (!state->has_vcdt || patterns->state.turn_left > patterns->rules.p)
        return found;
    // A search of two turns also finds wins in one.
    VcdtNode node = {pattern_board_side(patterns), pattern_board_stones_left(patterns), turns > 1 ? 2 : 1, 0};
    window_map_follow(map, patterns);
    found = finish(map, node.side, node.stones);
    Hits held;
    held.count = window_map_find(map, side_other(node.side), map->p, held.window, HITS_MAX);
    if (found.stones > 0 || !set_held(state, &held, side_other(node.side), 0))
        return found;
    state->vcdt_limit = state->vcdt_nodes + nodes;
    for (; node.turns <= turns && found.stones == 0; node.turns++) {
        found = vcdt_search(thread, node);
        if (thread->is_stopped || state->vcdt_nodes > state->vcdt_limit)
            break;
    }
    return found;
}
