// The root of the search variant `turns`: memory, immediate wins, the list of turns, and wider lists if all turns lose.
#include "engine/search/turns/turns_internal.h"

enum {
    VCDT_SHARE = 3,      // one in this many of all nodes may be used for a VCDT at the root
    VCDT_FIRST = 1000,   // additional nodes for it
    THREAT_NODES = 2000, // for a VCDT of the opponent
    ROOT_DEFENCES = 32,
};

static void turn_state_open(SearchThread *thread)
{
    TurnState *state = turn_state(thread);
    vcdt_open(state, &thread->patterns.rules);
    set_centre_bonus(state->bonus, &thread->patterns.rules, 16);
}

static void turn_state_clear(SearchThread *thread)
{
    TurnState *state = turn_state(thread);
    memset(state->history, 0, sizeof state->history);
    vcdt_clear(state);
}

void turn_state_begin(SearchThread *thread)
{
    TurnState *state = turn_state(thread);
    state->pool_used = 0;
    state->vcdt_nodes = state->root_vcdt_nodes = 0;
    vcdt_begin(state, &thread->patterns);
    memset(state->killers, 0, sizeof state->killers);
    history_age(state->history, 4);
}

// An immediate win or a VCDT.
static bool root_wins(SearchThread *thread, Turn *turn, int *score)
{
    TurnState *state = turn_state(thread);
    *turn = (Turn){.count = 0};
    turn->count = (uint8_t)rows_finish(&thread->patterns, turn->stones);
    *score = score_win_in(turn->count);
    if (turn->count > 0)
        return !search_excludes(thread, turn->stones, turn->count);
    uint64_t nodes = atomic_load_explicit(&thread->nodes, memory_order_relaxed) / VCDT_SHARE + VCDT_FIRST;
    if (nodes <= state->root_vcdt_nodes)
        return false;
    uint64_t before = state->vcdt_nodes;
    VcdtWin win = vcdt_find(thread, VCDT_TURNS, nodes - state->root_vcdt_nodes);
    state->root_vcdt_nodes += state->vcdt_nodes - before;
    *turn = win.turn;
    *score = score_win_in(win.stones);
    return win.stones > 0 && !search_excludes(thread, turn->stones, turn->count);
}

static TurnOutcome search_list(SearchThread *thread, const TurnNode *node, const Targets *targets, Widths widths)
{
    TurnState *state = turn_state(thread);
    Targets none = {.count = 0};
    TurnList list = turn_list_make(thread, targets, &widths, false);
    TtEntry entry = {.move = CELL_NONE, .second = CELL_NONE};
    tt_probe(thread->table, pattern_board_key(&thread->patterns), &entry);
    turn_list_order(state, &list, &entry, 0);
    // Where only these turns stop the opponent, a loss can be proven by searching all of them.
    TurnLoop loop = {.node = *node,
                     .takes_all = targets != NULL && !list.is_pruned,
                     .outcome = {-SEARCH_WIN, BOUND_UPPER, NULL, false}};
    turn_loop_list(thread, &list, &loop);
    if (loop.outcome.best <= -SEARCH_PROVEN && node->alpha == -SEARCH_WIN)
        turn_loop_defences(thread, targets != NULL ? targets : &none, &loop, ROOT_DEFENCES);
    turn_list_drop(state, &list);
    return loop.outcome;
}

// In a lost position all turns are searched, even those that leave rows open, because one must be played. If all turns
// of the list lose, a wider list is searched.
static int search_root(SearchThread *thread, const TurnNode *node)
{
    const PatternBoard *patterns = &thread->patterns;
    TurnState *state = turn_state(thread);
    Targets *targets = &state->targets[0];
    unsigned left = pattern_board_stones_left(patterns);
    rows_targets(patterns, side_other(pattern_board_side(patterns)), targets);
    bool is_lost = rows_least(targets, left) > left, has_targets = targets->count > 0 && !is_lost;
    const Targets *met = has_targets ? targets : NULL;
    state->refutations[0].count = 0;
    if (vcdt_threat(thread, VCDT_TREE_TURNS, THREAT_NODES).stones > 0)
        refutations_add(state, 0);
    Widths widths = turn_widths(&patterns->rules, node->depth + 1);
    TurnOutcome outcome = search_list(thread, node, met, widths);
    if (thread->best.turn.count == 0 && met != NULL && !thread->is_stopped) { // all of these are excluded
        is_lost = !outcome.is_pruned;                                         // after any other turn
        met = NULL;
        outcome = search_list(thread, node, met, widths);
    }
    if (outcome.is_pruned && outcome.best <= -SEARCH_PROVEN && node->alpha == -SEARCH_WIN && !thread->is_stopped) {
        Widths wide = {{60, 34, 4, 2, 1, 1, 1, 1}};
        outcome = search_list(thread, node, met, wide);
    }
    if (outcome.is_pruned && !is_lost) {
        thread->is_complete = false;
        outcome.best = score_without_loss(outcome.best);
    }
    if (!thread->is_stopped && outcome.best <= -SEARCH_PROVEN)
        thread->best.score = outcome.best;
    return outcome.best;
}

static void store_root(SearchThread *thread, int depth)
{
    Turn turn = {.count = (uint8_t)thread->best.turn.count};
    memcpy(turn.stones, thread->best.turn.stones, sizeof turn.stones);
    TurnOutcome outcome = {thread->best.score, BOUND_LOWER, &turn, false};
    turn_store(thread, &outcome, depth, false);
}

static int turns_root(SearchThread *thread, int depth, int alpha, int beta)
{
    TurnState *state = turn_state(thread);
    Turn turn;
    int score;
    state->root_depth = depth;
    state->pool_used = 0;
    if (root_wins(thread, &turn, &score)) {
        state->pv[0].count = turn.count;
        memcpy(state->pv[0].stones, turn.stones, sizeof turn.stones);
        search_set_best(thread, &state->pv[0], turn.count, score);
        return score;
    }
    if (thread->is_stopped)
        return 0;
    score = search_root(thread, &(TurnNode){.depth = depth, .alpha = alpha, .beta = beta});
    if (!thread->is_stopped && thread->best.turn.count > 0 && thread->excluded_count == 0)
        store_root(thread, depth);
    return score;
}

const SearchVariant search_turns = {sizeof(TurnState), turn_state_open, turn_state_clear, turn_state_begin, turns_root};
