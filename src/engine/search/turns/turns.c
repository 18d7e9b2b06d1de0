// The search variant for all rules without gravity except p = q = 1. A node is the start of a turn, its moves are sets
// of stones (turns_list.c). The steps of `search` are named as in the literature; turns_root.c has the root.
//
// Two rules are exact. A side that can complete a row in its turn does so. Otherwise the rows that the opponent could
// complete in its next turn must be stopped; the fewest stones that do so, a minimum hitting set, are found exactly. If
// there are more than the turn has, the game is lost; if not, no other turn must be searched. A loss is proven only if
// every turn was searched; otherwise it counts as a very bad position.
#include "engine/search/turns/turns_internal.h"

enum {
    LEAF_MAKERS = 2, // with fewer cells that make a threat, no VCDT is searched at a leaf
    LEAF_TURNS = 2,
    LEAF_NODES = 6,
    KNOWN_TURNS = 8, // to find the VCDT of a win in the transposition table
    KNOWN_NODES = 40,
    THREAT_TURNS = 3,
    VERIFY_NODES = 1000, // per turn of depth, after the best turn at the root
    TREE_DEFENCES = 4,
    SCORE_TABLE = 1 << 24, // move ordering
    SCORE_KILLER = 1 << 20,
    SCORE_SECOND_KILLER = 1 << 19,
};

// --- Move ordering ---

Widths turn_widths(const Rules *rules, int depth)
{
    if (rules->p == 1)
        return (Widths){{depth > 1 ? 30 : 20, 8, 4, 3, 1, 1, 1, 1}};
    if (rules->p == 2)
        return depth > 2 ? (Widths){{18, 12, 3, 2, 1, 1, 1, 1}} : (Widths){{12, 8, 3, 2, 1, 1, 1, 1}};
    if (rules->p == 3)
        return (Widths){{8, 5, 3, 2, 1, 1, 1, 1}};
    return (Widths){{6, 4, 2, 2, 2, 1, 1, 1}};
}

static bool turns_equal(const Turn *a, const Turn *b)
{
    return stones_are_same(a->stones, a->count, b->stones, b->count);
}

void turn_list_order(const TurnState *state, const TurnList *list, const TtEntry *entry, unsigned ply)
{
    for (unsigned i = 0; i < list->count; i++) {
        Turn *turn = &list->turns[i];
        if (entry->move != CELL_NONE && turn_has(turn, entry->move) &&
            (entry->second == CELL_NONE || turn_has(turn, entry->second)))
            turn->score += SCORE_TABLE;
        else if (turns_equal(turn, &state->killers[ply][0]))
            turn->score += SCORE_KILLER;
        else if (turns_equal(turn, &state->killers[ply][1]))
            turn->score += SCORE_SECOND_KILLER;
    }
}

// A beta cut-off changes killer moves and history.
static void reward_cutoff(SearchThread *thread, const Turn *turn, int depth, unsigned ply)
{
    TurnState *state = turn_state(thread);
    Turn(*killers)[2] = &state->killers[ply];
    if (!turns_equal(&(*killers)[0], turn)) {
        (*killers)[1] = (*killers)[0];
        (*killers)[0] = *turn;
    }
    int bonus = depth * depth * 16;
    for (unsigned i = 0; i < turn->count; i++)
        history_update(&state->history[pattern_board_side(&thread->patterns)][turn->stones[i]],
                       bonus > 1024 ? 1024 : bonus);
}

// --- Parts of a node ---

static void keep_pv(TurnState *state, unsigned ply, const Turn *turn)
{
    pv_update(&state->pv[ply], &state->pv[ply + 1], turn->stones, turn->count);
}

// A VCDT ends the variation with its first turn.
static void keep_vcdt_pv(TurnState *state, unsigned ply, const VcdtWin *win)
{
    state->pv[ply + 1].count = 0;
    keep_pv(state, ply, &win->turn);
}

// Records a VCDT: its first turn, and its relevance zone for the siblings of the turn that led here.
static void take_vcdt(SearchThread *thread, const VcdtWin *win, unsigned ply)
{
    keep_vcdt_pv(turn_state(thread), ply, win);
    vcdt_set_zone(thread, win);
    turn_state(thread)->is_zone_fresh = true;
}

// The stones of the longest target: filling it ends a lost game at the latest.
static unsigned longest_target(const Targets *targets)
{
    unsigned longest = 0;
    for (unsigned i = 0; i < targets->count; i++)
        longest = targets->target[i].count > longest ? targets->target[i].count : longest;
    return longest;
}

static int loss_score(const SearchThread *thread, const Targets *targets)
{
    const PatternBoard *patterns = &thread->patterns;
    unsigned stones = pattern_board_stones_left(patterns) + longest_target(targets),
             empty = (unsigned)patterns->cells - patterns->state.count;
    return score_loss_in(search_placed(thread) + (stones < empty ? stones : empty));
}

void turn_store(SearchThread *thread, const TurnOutcome *outcome, int depth, bool is_complete)
{
    TtEntry entry = {
        .score = score_to_tt(outcome->best, search_placed(thread)),
        .value = SEARCH_NO_VALUE,
        .depth = tt_depth(depth, is_complete),
        .bound = outcome->bound,
        .move = outcome->turn != NULL ? outcome->turn->stones[0] : (Cell)CELL_NONE,
        .second = outcome->turn != NULL && outcome->turn->count > 1 ? outcome->turn->stones[1] : (Cell)CELL_NONE,
    };
    tt_store(thread->table, pattern_board_key(&thread->patterns), &entry);
}

// Step 8. Late move reduction, in turns.
static int reduction(int depth, unsigned number, bool is_forced)
{
    if (depth < 2 || number < 4 || is_forced)
        return 0;
    return number < 16 || depth < 3 ? 1 : 2;
}

static int search(SearchThread *thread, int depth, int alpha, int beta, unsigned ply);

// Step 9. Principal variation search: the first turn with the full window, the others with a zero-width window and
// reduced depth first.
static int search_pvs(SearchThread *thread, const Turn *turn, const TurnLoop *loop)
{
    const TurnNode *node = &loop->node;
    int alpha = node->alpha, beta = node->beta, depth = node->depth - 1, score;
    unsigned count = turn_play(thread, turn), next = node->ply + 1;
    turn_state(thread)->pv[next].count = 0;
    if (thread->patterns.state.won) {
        score = score_win_in(search_placed(thread));
    } else if (loop->tried == 0) {
        score = -search(thread, depth, -beta, -alpha, next);
    } else {
        int less = reduction(node->depth, loop->tried, node->is_forced);
        score = -search(thread, depth - less, -alpha - 1, -alpha, next);
        if (score > alpha && less > 0) // re-search at full depth
            score = -search(thread, depth, -alpha - 1, -alpha, next);
        if (score > alpha && score < beta) // re-search with the full window
            score = -search(thread, depth, -beta, -alpha, next);
    }
    turn_undo(thread, count);
    return score;
}

// Checks whether the opponent has a VCDT after the best turn at the root, with more nodes than in the tree.
static int verify(SearchThread *thread, const Turn *turn, int depth, int score)
{
    if (thread->is_stopped || score >= SEARCH_PROVEN || turn->wins)
        return score;
    unsigned count = turn_play(thread, turn);
    VcdtWin win = vcdt_find(thread, VCDT_TURNS, VERIFY_NODES * (uint64_t)depth);
    if (win.stones > 0) {
        take_vcdt(thread, &win, 1);
        score = -score_win_in(search_placed(thread) + win.stones);
    }
    turn_undo(thread, count);
    return score;
}

// Searches a turn; false if no other must be searched.
static bool search_turn(SearchThread *thread, const Turn *turn, TurnLoop *loop)
{
    TurnState *state = turn_state(thread);
    TurnNode *node = &loop->node;
    TurnOutcome *outcome = &loop->outcome;
    state->is_zone_fresh = false;
    int score = search_pvs(thread, turn, loop);
    if (node->ply == 0 && score > node->alpha)
        score = verify(thread, turn, node->depth, score);
    if (thread->is_stopped)
        return false;
    loop->is_refuted = score <= -SEARCH_PROVEN && state->is_zone_fresh;
    if (loop->is_refuted)
        refutations_add(state, node->ply);
    else
        loop->tried++;
    outcome->best = score > outcome->best ? score : outcome->best;
    if (score <= node->alpha)
        return true;
    node->alpha = score;
    outcome->turn = turn;
    outcome->bound = BOUND_EXACT;
    keep_pv(state, node->ply, turn);
    if (node->ply == 0)
        search_set_best(thread, &state->pv[0], turn->count, score_without_loss(score));
    if (score < node->beta)
        return true;
    outcome->bound = BOUND_LOWER;
    if (node->ply > 0)
        reward_cutoff(thread, turn, node->depth, node->ply);
    return false;
}

void turn_loop_list(SearchThread *thread, const TurnList *list, TurnLoop *loop)
{
    const Refutations *refutations = &turn_state(thread)->refutations[loop->node.ply];
    bool is_root = loop->node.ply == 0, continues = true;
    loop->outcome.is_pruned |= list->is_pruned;
    for (unsigned i = 0; i < list->count && continues; i++) {
        const Turn *turn = turn_list_next(list, i);
        if (is_root && search_excludes(thread, turn->stones, turn->count))
            continue;
        bool must = loop->takes_all || (is_root && thread->best.turn.count == 0);
        if (!must && refutations_refute(refutations, turn))
            loop->outcome.is_pruned = true;
        else
            continues = search_turn(thread, turn, loop);
    }
}

void turn_loop_defences(SearchThread *thread, const Targets *targets, TurnLoop *loop, unsigned most)
{
    TurnState *state = turn_state(thread);
    unsigned ply = loop->node.ply;
    Refutations *refutations = &state->refutations[ply];
    if (!loop->outcome.is_pruned || refutations->count == 0)
        return;
    for (unsigned i = 0; i < most && refutations->count < REFUTATIONS_MAX && state->pool_used < TURN_POOL; i++) {
        if (loop->outcome.best > -SEARCH_PROVEN || thread->is_stopped)
            return;
        Turn *turn = &state->pool[state->pool_used];
        if (!defence_find(thread, targets, refutations, turn) ||
            (ply == 0 && search_excludes(thread, turn->stones, turn->count)))
            return;
        state->pool_used++;
        if (!search_turn(thread, turn, loop) || !loop->is_refuted)
            return;
    }
}

// The number of cells where a stone of the side to move makes a threat or more.
static unsigned count_makers(const PatternBoard *patterns)
{
    unsigned count = 0;
    for (unsigned kind = 0; kind < CELL_QUIET; kind++)
        count += pattern_board_count(patterns, pattern_board_side(patterns), kind);
    return count;
}

// Quiescence search: the static evaluation, or a short VCDT if the evaluation is below the window.
static int quiescence(SearchThread *thread, int alpha, int beta, unsigned ply)
{
    int value = search_value(thread, alpha, beta);
    thread->is_complete = false;
    if (value >= beta || count_makers(&thread->patterns) < LEAF_MAKERS)
        return value;
    VcdtWin win = vcdt_find(thread, LEAF_TURNS, LEAF_NODES);
    if (win.stones == 0)
        return value;
    keep_vcdt_pv(turn_state(thread), ply, &win);
    return score_win_in(search_placed(thread) + win.stones);
}

// Steps 7 to 11: the turns that meet all targets.
static int search_turns_of(SearchThread *thread, const TurnNode *node, const Targets *targets, const TtEntry *entry)
{
    TurnState *state = turn_state(thread);
    bool was_complete = thread->is_complete;
    thread->is_complete = true;

    // Step 7. Turn generation and ordering: the turn of the transposition table, killer moves, then by patterns and
    // history.
    Widths widths = turn_widths(&thread->patterns.rules, node->depth);
    TurnList list = turn_list_make(thread, targets->count > 0 ? targets : NULL, &widths, node->has_zone);
    if (list.count == 0) { // the hitting set was not certain
        thread->is_complete = false;
        return quiescence(thread, node->alpha, node->beta, node->ply);
    }
    turn_list_order(state, &list, entry, node->ply);

    // Steps 8 and 9. Late move reductions, principal variation search.
    TurnLoop loop = {.node = *node, .outcome = {-SEARCH_WIN, BOUND_UPPER, NULL, false}};
    turn_loop_list(thread, &list, &loop);

    // Step 10. Defences: other turns that touch the relevance zone of every refutation.
    if (loop.outcome.best <= -SEARCH_PROVEN && node->depth > 1)
        turn_loop_defences(thread, targets, &loop, TREE_DEFENCES);
    TurnOutcome outcome = loop.outcome;
    if (outcome.is_pruned) {
        thread->is_complete = false;
        outcome.best = score_without_loss(outcome.best);
    }

    // Step 11. Store the result.
    if (!thread->is_stopped)
        turn_store(thread, &outcome, node->depth, thread->is_complete);
    thread->is_complete &= was_complete;
    turn_list_drop(state, &list);
    return outcome.best;
}

// Nodes of a VCDT search: more near the root, where its result matters more.
static uint64_t vcdt_budget(int depth, unsigned ply)
{
    return ply == 1 ? 600 : depth > 2 ? 400 : depth > 1 ? 100 : 30;
}

// Finds the VCDT of a position that is won according to the transposition table.
static void take_known_win(SearchThread *thread, int score, int depth, unsigned ply)
{
    if (score < SEARCH_PROVEN || depth < 1)
        return;
    VcdtWin win = vcdt_find(thread, KNOWN_TURNS, KNOWN_NODES);
    if (win.stones > 0)
        take_vcdt(thread, &win, ply);
}

static bool wins_by_vcdt(SearchThread *thread, int depth, unsigned ply, int *score)
{
    VcdtWin win = vcdt_find(thread, VCDT_TREE_TURNS, vcdt_budget(depth, ply));
    if (win.stones == 0)
        return false;
    *score = score_win_in(search_placed(thread) + win.stones);
    TurnOutcome outcome = {*score, BOUND_LOWER, &win.turn, false};
    turn_store(thread, &outcome, depth, false);
    take_vcdt(thread, &win, ply);
    return true;
}

static int search(SearchThread *thread, int depth, int alpha, int beta, unsigned ply)
{
    const PatternBoard *patterns = &thread->patterns;
    TurnState *state = turn_state(thread);
    state->pv[ply].count = 0;

    // Step 1. Limits and the end of the game.
    if (search_poll(thread))
        return 0;
    thread->deepest = ply > thread->deepest ? ply : thread->deepest;
    if (pattern_board_is_full(patterns))
        return 0;

    // Step 2. Immediate win.
    Cell stones[SEARCH_TURN_MAX];
    unsigned finish = rows_finish(patterns, stones);
    if (finish > 0)
        return score_win_in(search_placed(thread) + finish);

    // Step 3. Must-block cells: a minimum hitting set, with an extension where it takes the whole turn.
    Targets *targets = &state->targets[ply];
    unsigned left = pattern_board_stones_left(patterns);
    rows_targets(patterns, side_other(pattern_board_side(patterns)), targets);
    unsigned least = targets->count > 0 ? rows_least(targets, left) : 0;
    if (least > left)
        return loss_score(thread, targets);
    bool is_forced = least == left;
    if (is_forced && (int)ply < 2 * state->root_depth)
        depth++;
    if (ply + 1 >= PLY_MAX || (depth <= 0 && !(is_forced && (int)ply < 4 * state->root_depth)))
        return quiescence(thread, alpha, beta, ply);

    // Step 4. Transposition table cut-off.
    TtEntry entry = {.move = CELL_NONE, .second = CELL_NONE};
    int score;
    if (tt_probe(thread->table, pattern_board_key(patterns), &entry) &&
        search_tt_cutoff(thread, &entry, search_placed(thread), depth, alpha, beta, &score)) {
        take_known_win(thread, score, depth, ply);
        return score;
    }

    // Step 5. Victory by continuous double threats (VCDT).
    if (depth > 0 && wins_by_vcdt(thread, depth, ply, &score))
        return score;

    // Step 6. Null move: a VCDT of the opponent after a pass. Turns must touch its relevance zone.
    TurnNode node = {depth > 0 ? depth : 1, alpha, beta, ply, is_forced, false};
    state->refutations[ply].count = 0;
    node.has_zone =
        !is_forced && depth > 1 && vcdt_threat(thread, THREAT_TURNS, vcdt_budget(depth, ply) / 3).stones > 0;
    if (node.has_zone)
        refutations_add(state, ply);

    // Steps 7 to 11. The turns.
    score = search_turns_of(thread, &node, targets, &entry);
    state->is_zone_fresh = false;
    return score;
}
