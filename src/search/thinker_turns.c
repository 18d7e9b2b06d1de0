// The way through the tree for games of several stones a turn, and for gravity. A node is the start of a turn, its
// moves are sets of stones (thinker_turns_list.c).
//
// What is certain: who can complete a row in his turn does. Else the rows that the other side could complete in its
// next turn have to be stopped, and the fewest stones that meet all of them are found exactly; if there are more than
// the turn has the game is lost, and if not, no other turn has to be looked at. A loss is proven only where every turn
// was looked at; where some were left out it counts as a very bad position.
#include "search/thinker_turns_internal.h"

#include <string.h>

enum {
    ATTACK_TURNS = 16,   // of a win by threats at the root
    ATTACK_SHARE = 3,    // of all nodes, one in so many may be spent on it
    ATTACK_FIRST = 1000, // and so many more
    LEAF_MAKERS = 2,     // cells that make a threat without which none is looked for at the end of a line
    LEAF_TURNS = 2,
    LEAF_NODES = 6,
    TREE_TURNS = 8, // of a win by threats in the tree
    THREAT_TURNS = 3,
    THREAT_NODES = 2000, // for what the other side threatens at the root
    VERIFY_NODES = 1000, // and what it has after a turn that is to be played, for every turn of depth
    TREE_DEFENCES = 4,   // turns that are tried besides the list where all of it lose
    ROOT_DEFENCES = 32,
};

// --- What is tried ---

static Widths widths_for(const Rules *rules, int depth)
{
    if (rules->gravity)
        return rules->p == 1   ? (Widths){{64}}
               : rules->p == 2 ? (Widths){{20, 10}}
                               : (Widths){{10, 6, 4, 2, 1, 1, 1, 1}};
    if (rules->p == 1)
        return (Widths){{depth > 1 ? 30 : 20, 8, 4, 3, 1, 1, 1, 1}};
    if (rules->p == 2)
        return depth > 2 ? (Widths){{18, 12, 3, 2, 1, 1, 1, 1}} : (Widths){{12, 8, 3, 2, 1, 1, 1, 1}};
    if (rules->p == 3)
        return (Widths){{8, 5, 3, 2, 1, 1, 1, 1}};
    return (Widths){{6, 4, 2, 2, 2, 1, 1, 1}};
}

static bool turn_has(const Turn *turn, Cell cell)
{
    for (unsigned i = 0; i < turn->count; i++)
        if (turn->stones[i] == cell)
            return true;
    return false;
}

static bool turns_equal(const Turn *a, const Turn *b)
{
    if (a->count != b->count || a->count == 0)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (!turn_has(b, a->stones[i]))
            return false;
    return true;
}

// The turn of the table first, then those that refuted others here.
static void raise_turns(const TurnState *state, const TurnList *list, const TableEntry *entry, unsigned ply)
{
    for (unsigned i = 0; i < list->count; i++) {
        Turn *turn = &list->turns[i];
        if (entry->move != CELL_NONE && turn_has(turn, entry->move) &&
            (entry->second == CELL_NONE || turn_has(turn, entry->second)))
            turn->score += 1 << 24;
        else if (turns_equal(turn, &state->killers[ply][0]))
            turn->score += 1 << 20;
        else if (turns_equal(turn, &state->killers[ply][1]))
            turn->score += 1 << 19;
    }
}

static void note_refutation(Worker *worker, const Turn *turn, int depth, unsigned ply)
{
    TurnState *state = turn_state(worker);
    Turn(*killers)[2] = &state->killers[ply];
    if (!turns_equal(&(*killers)[0], turn)) {
        (*killers)[1] = (*killers)[0];
        (*killers)[0] = *turn;
    }
    int32_t *history = state->history[field_side(&worker->field)];
    for (unsigned i = 0; i < turn->count; i++) {
        int32_t gain = depth * depth * 16;
        gain = gain > 1024 ? 1024 : gain;
        history[turn->stones[i]] += gain - history[turn->stones[i]] * gain / HISTORY_MAX;
    }
}

// --- The tree ---

static void keep_pv(TurnState *state, unsigned ply, const Turn *turn)
{
    Cell *pv = state->pv[ply];
    unsigned count = turn->count, below = state->pv_count[ply + 1];
    below = below < THINKER_PV_MAX - count ? below : THINKER_PV_MAX - count;
    memcpy(pv, turn->stones, count * sizeof *pv);
    memcpy(pv + count, state->pv[ply + 1], below * sizeof *pv);
    state->pv_count[ply] = (uint8_t)(count + below);
}

// A win by threats that ends a line, shown by its first turn.
static void keep_attack(TurnState *state, unsigned ply, const Attack *attack)
{
    state->pv_count[ply + 1] = 0;
    keep_pv(state, ply, &attack->turn);
}

static int reduction(int depth, unsigned number, bool is_forced)
{
    if (depth < 2 || number < 4 || is_forced)
        return 0;
    return number < 16 || depth < 3 ? 1 : 2;
}

static int search(Worker *worker, int depth, int alpha, int beta, unsigned ply);

// One turn: in full if it is the first, else with no window and less depth until it turns out to be better.
static int search_turn(Worker *worker, const Turn *turn, int depth, int less, int alpha, int beta, unsigned ply)
{
    Field *field = &worker->field;
    TurnState *state = turn_state(worker);
    unsigned count = turn_play(field, turn);
    int score;
    state->pv_count[ply + 1] = 0;
    if (field->state.won) {
        score = thinker_won(turn_placed(worker));
    } else if (less < 0) {
        score = -search(worker, depth - 1, -beta, -alpha, ply + 1);
    } else {
        score = -search(worker, depth - 1 - less, -alpha - 1, -alpha, ply + 1);
        if (score > alpha && less > 0)
            score = -search(worker, depth - 1, -alpha - 1, -alpha, ply + 1);
        if (score > alpha && score < beta)
            score = -search(worker, depth - 1, -beta, -alpha, ply + 1);
    }
    turn_undo(field, count);
    return score;
}

// The stones of the longest target: a game that is lost is over at the latest when it has been filled.
static unsigned longest_target(const Targets *targets)
{
    unsigned longest = 0;
    for (unsigned i = 0; i < targets->count; i++)
        longest = targets->target[i].count > longest ? targets->target[i].count : longest;
    return longest;
}

static int lost_score(const Worker *worker, const Targets *targets)
{
    const Field *field = &worker->field;
    unsigned stones = turn_stones(field) + longest_target(targets), empty = (unsigned)field->cells - field->state.count;
    return thinker_lost(turn_placed(worker) + (stones < empty ? stones : empty));
}

typedef struct {
    int best;
    Bound bound;
    const Turn *turn;
    bool is_cut; // turns were left out
} Outcome;

static void keep_entry(Worker *worker, const Outcome *outcome, int depth, bool is_complete)
{
    TableEntry entry = {
        .score = thinker_to_table(outcome->best, turn_placed(worker)),
        .value = THINKER_NO_VALUE,
        .depth = thinker_kept_depth(depth, is_complete),
        .bound = outcome->bound,
        .move = outcome->turn != NULL ? outcome->turn->stones[0] : (Cell)CELL_NONE,
        .second = outcome->turn != NULL && outcome->turn->count > 1 ? outcome->turn->stones[1] : (Cell)CELL_NONE,
    };
    thinker_table_keep(worker->table, field_key(&worker->field), &entry);
}

static bool is_excluded(const Worker *worker, const Turn *turn)
{
    for (unsigned i = 0; i < worker->excluded_count; i++)
        if (thinker_turn_is(&worker->excluded[i], turn->stones, turn->count))
            return true;
    return false;
}

// What is known of a position while its turns are tried.
typedef struct {
    int depth, alpha, beta;
    unsigned ply, tried; // tried: those that were not refuted by a win through threats
    bool forced;
    bool passes_none; // none is left out because of what refuted others
    bool is_refuted;  // the last one was
    Outcome outcome;
} Trial;

static void set_best(Worker *worker, const Turn *turn, int score)
{
    const TurnState *state = turn_state(worker);
    ThinkerLine *best = &worker->best;
    // That one turn loses proves nothing while there are others.
    best->score = score <= -THINKER_PROVEN ? -THINKER_VALUE_MAX : score;
    best->turn.count = turn->count;
    memcpy(best->turn.stones, turn->stones, sizeof turn->stones);
    best->pv_count = state->pv_count[0];
    memcpy(best->pv, state->pv[0], best->pv_count * sizeof *best->pv);
}

// Whether the other side wins by threats after a turn that looks good: looked for with more patience than in the tree.
static int verify(Worker *worker, const Turn *turn, int depth, int score)
{
    TurnState *state = turn_state(worker);
    if (worker->is_stopped || score >= THINKER_PROVEN || turn->wins)
        return score;
    unsigned count = turn_play(&worker->field, turn);
    Attack attack = attack_find(worker, ATTACK_TURNS, VERIFY_NODES * (uint64_t)depth);
    if (attack.stones > 0) {
        attack_set_zone(worker, &attack);
        state->is_zone_fresh = true;
        keep_attack(state, 1, &attack);
        score = -thinker_won(turn_placed(worker) + attack.stones);
    }
    turn_undo(&worker->field, count);
    return score;
}

// Tries a turn; false when no other has to be.
static bool try_turn(Worker *worker, const Turn *turn, Trial *trial)
{
    TurnState *state = turn_state(worker);
    unsigned ply = trial->ply;
    Outcome *outcome = &trial->outcome;
    int less = trial->tried == 0 ? -1 : reduction(trial->depth, trial->tried, trial->forced);
    state->is_zone_fresh = false;
    int score = search_turn(worker, turn, trial->depth, less, trial->alpha, trial->beta, ply);
    if (ply == 0 && score > trial->alpha)
        score = verify(worker, turn, trial->depth, score);
    if (worker->is_stopped)
        return false;
    trial->is_refuted = score <= -THINKER_PROVEN && state->is_zone_fresh;
    if (trial->is_refuted)
        refutations_add(state, ply);
    else
        trial->tried++;
    outcome->best = score > outcome->best ? score : outcome->best;
    if (score <= trial->alpha)
        return true;
    trial->alpha = score;
    outcome->turn = turn;
    outcome->bound = BOUND_EXACT;
    keep_pv(state, ply, turn);
    if (ply == 0)
        set_best(worker, turn, score);
    if (score < trial->beta)
        return true;
    outcome->bound = BOUND_LOWER;
    if (ply > 0)
        note_refutation(worker, turn, trial->depth, ply);
    return false;
}

// The turns of a list one after another.
static void try_list(Worker *worker, const TurnList *list, Trial *trial)
{
    TurnState *state = turn_state(worker);
    bool goes_on = true;
    trial->outcome.is_cut |= list->is_cut;
    for (unsigned i = 0; i < list->count && goes_on; i++) {
        const Turn *turn = turn_list_next(list, i);
        if (trial->ply == 0 && is_excluded(worker, turn))
            continue;
        bool must = trial->passes_none || (trial->ply == 0 && worker->best.turn.count == 0);
        if (!must && refutations_refute(&state->refutations[trial->ply], turn))
            trial->outcome.is_cut = true;
        else
            goes_on = try_turn(worker, turn, trial);
    }
}

// Where all turns of the list lose: others that meet everything that refuted these.
static void try_defences(Worker *worker, const Targets *targets, Trial *trial, unsigned most)
{
    TurnState *state = turn_state(worker);
    Refutations *refutations = &state->refutations[trial->ply];
    if (!trial->outcome.is_cut || refutations->count == 0)
        return;
    for (unsigned i = 0; i < most && refutations->count < REFUTATIONS_MAX && state->pool_used < TURN_POOL; i++) {
        if (trial->outcome.best > -THINKER_PROVEN || worker->is_stopped)
            return;
        Turn *turn = &state->pool[state->pool_used];
        if (!defence_find(worker, targets, refutations, turn) || (trial->ply == 0 && is_excluded(worker, turn)))
            return;
        state->pool_used++;
        if (!try_turn(worker, turn, trial) || !trial->is_refuted)
            return;
    }
}

// Cells where a stone of the side to move makes a threat, or more than that.
static unsigned count_makers(const Field *field)
{
    unsigned count = 0;
    for (unsigned kind = 0; kind < CELL_QUIET; kind++)
        count += field_count(field, field_side(field), kind);
    return count;
}

// Where the position does not look good enough, a short win by threats may be better than it looks.
static int leaf_value(Worker *worker, int beta, unsigned ply)
{
    int value = thinker_limit(field_value(&worker->field));
    worker->is_complete = false;
    if (value >= beta || count_makers(&worker->field) < LEAF_MAKERS)
        return value;
    Attack attack = attack_find(worker, LEAF_TURNS, LEAF_NODES);
    if (attack.stones == 0)
        return value;
    keep_attack(turn_state(worker), ply, &attack);
    return thinker_won(turn_placed(worker) + attack.stones);
}

// What follows when nobody has won yet: the turns that meet all targets, to this depth.
static int search_on(Worker *worker, const Targets *targets, const TableEntry *entry, int depth, int alpha, int beta,
                     unsigned ply, bool forced, bool has_zone)
{
    TurnState *state = turn_state(worker);
    bool was_complete = worker->is_complete;
    worker->is_complete = true;
    Widths widths = widths_for(&worker->field.rules, depth);
    TurnList list = turn_list_make(worker, targets->count > 0 ? targets : NULL, &widths, has_zone);
    if (list.count == 0) { // what is to be met was too much to be sure of
        worker->is_complete = false;
        return leaf_value(worker, beta, ply);
    }
    raise_turns(state, &list, entry, ply);
    Trial trial = {.depth = depth,
                   .alpha = alpha,
                   .beta = beta,
                   .ply = ply,
                   .forced = forced,
                   .outcome = {-THINKER_WIN, BOUND_UPPER, NULL, false}};
    try_list(worker, &list, &trial);
    if (trial.outcome.best <= -THINKER_PROVEN && depth > 1)
        try_defences(worker, targets, &trial, TREE_DEFENCES);
    Outcome outcome = trial.outcome;
    if (outcome.is_cut)
        worker->is_complete = false;
    if (outcome.is_cut && outcome.best <= -THINKER_PROVEN)
        outcome.best = -THINKER_VALUE_MAX;
    if (!worker->is_stopped)
        keep_entry(worker, &outcome, depth, worker->is_complete);
    worker->is_complete &= was_complete;
    turn_list_drop(state, &list);
    return outcome.best;
}

// Positions a win by threats may cost: the more the nearer to the root, as it decides more there.
static uint64_t patience(int depth, unsigned ply)
{
    return ply == 1 ? 600 : depth > 2 ? 400 : depth > 1 ? 100 : 30;
}

// A win by threats: its turn is shown, and its zone is for the turns beside the one that led here.
static void tell_attack(Worker *worker, const Attack *attack, unsigned ply)
{
    keep_attack(turn_state(worker), ply, attack);
    attack_set_zone(worker, attack);
    turn_state(worker)->is_zone_fresh = true;
}

// The same for a position that the table knows is won.
static void tell_known(Worker *worker, int score, int depth, unsigned ply)
{
    if (score < THINKER_PROVEN || depth < 1)
        return;
    Attack attack = attack_find(worker, 8, 40);
    if (attack.stones > 0)
        tell_attack(worker, &attack, ply);
}

static int search(Worker *worker, int depth, int alpha, int beta, unsigned ply)
{
    Field *field = &worker->field;
    TurnState *state = turn_state(worker);
    state->pv_count[ply] = 0;
    // 1. The end of the game, or of the time.
    if (worker_poll(worker))
        return 0;
    worker->deepest = ply > worker->deepest ? ply : worker->deepest;
    if (field_is_full(field))
        return 0;
    // 2. A row that can be completed.
    Cell stones[THINKER_TURN_MAX];
    unsigned finish = rows_finish(field, stones);
    if (finish > 0)
        return thinker_won(turn_placed(worker) + finish);
    // 3. Rows that must be stopped.
    Targets *targets = &state->targets[ply];
    unsigned left = turn_stones(field);
    rows_targets(field, side_other(field_side(field)), targets);
    unsigned least = targets->count > 0 ? rows_least(targets, left) : 0;
    if (least > left)
        return lost_score(worker, targets);
    bool forced = least == left;
    if (forced && (int)ply < 2 * state->root_depth)
        depth++;
    if (ply + 1 >= PLY_MAX || (depth <= 0 && !(forced && (int)ply < 4 * state->root_depth)))
        return leaf_value(worker, beta, ply);
    // 4. The table.
    TableEntry entry = {.move = CELL_NONE, .second = CELL_NONE};
    int score;
    if (thinker_table_find(worker->table, field_key(field), &entry) &&
        worker_table_answers(worker, &entry, turn_placed(worker), depth, alpha, beta, &score)) {
        tell_known(worker, score, depth, ply);
        return score;
    }
    // 5. A win by threats.
    Attack attack = {0};
    if (depth > 0)
        attack = attack_find(worker, TREE_TURNS, patience(depth, ply));
    if (attack.stones > 0) {
        Outcome outcome = {thinker_won(turn_placed(worker) + attack.stones), BOUND_LOWER, &attack.turn, false};
        keep_entry(worker, &outcome, depth, false);
        tell_attack(worker, &attack, ply);
        return outcome.best;
    }
    state->refutations[ply].count = 0;
    // 6. A win by threats of the other side, if this one did nothing.
    bool has_zone = !forced && depth > 1 && attack_threat(worker, THREAT_TURNS, patience(depth, ply) / 3).stones > 0;
    if (has_zone)
        refutations_add(state, ply);
    // 7. All turns that may be good.
    score = search_on(worker, targets, &entry, depth > 0 ? depth : 1, alpha, beta, ply, forced, has_zone);
    state->is_zone_fresh = false;
    return score;
}

// --- The root ---

// A win that is known without a search through all turns.
static bool root_wins(Worker *worker, Turn *turn, int *score)
{
    TurnState *state = turn_state(worker);
    Turn finish = {.count = 0};
    finish.count = (uint8_t)rows_finish(&worker->field, finish.stones);
    *turn = finish;
    *score = thinker_won(finish.count);
    if (finish.count > 0)
        return !is_excluded(worker, turn);
    uint64_t nodes = atomic_load_explicit(&worker->nodes, memory_order_relaxed) / ATTACK_SHARE + ATTACK_FIRST;
    if (nodes <= state->root_attack_nodes)
        return false;
    uint64_t before = state->attack_nodes;
    Attack attack = attack_find(worker, ATTACK_TURNS, nodes - state->root_attack_nodes);
    state->root_attack_nodes += state->attack_nodes - before;
    *turn = attack.turn;
    *score = thinker_won(attack.stones);
    return attack.stones > 0 && !is_excluded(worker, turn);
}

static Outcome root_list(Worker *worker, const Targets *targets, int depth, int alpha, int beta, Widths widths)
{
    TurnState *state = turn_state(worker);
    Targets none = {.count = 0};
    TurnList list = turn_list_make(worker, targets, &widths, false);
    TableEntry entry = {.move = CELL_NONE, .second = CELL_NONE};
    thinker_table_find(worker->table, field_key(&worker->field), &entry);
    raise_turns(state, &list, &entry, 0);
    // Where only these turns stop the other side, a loss can be proven by going through all of them.
    Trial trial = {.depth = depth,
                   .alpha = alpha,
                   .beta = beta,
                   .passes_none = targets != NULL && !list.is_cut,
                   .outcome = {-THINKER_WIN, BOUND_UPPER, NULL, false}};
    try_list(worker, &list, &trial);
    if (trial.outcome.best <= -THINKER_PROVEN && alpha == -THINKER_WIN)
        try_defences(worker, targets != NULL ? targets : &none, &trial, ROOT_DEFENCES);
    turn_list_drop(state, &list);
    return trial.outcome;
}

// In a lost position all turns are looked at, also those that leave rows open, as one has to be played. Where all that
// were tried lose, more are.
static int root_search(Worker *worker, int depth, int alpha, int beta)
{
    Field *field = &worker->field;
    TurnState *state = turn_state(worker);
    Targets *targets = &state->targets[0];
    unsigned left = turn_stones(field);
    rows_targets(field, side_other(field_side(field)), targets);
    bool is_lost = rows_least(targets, left) > left, has_targets = targets->count > 0 && !is_lost;
    const Targets *met = has_targets ? targets : NULL;
    state->refutations[0].count = 0;
    bool has_zone = attack_threat(worker, TREE_TURNS, THREAT_NODES).stones > 0;
    if (has_zone)
        refutations_add(state, 0);
    Widths widths = widths_for(&field->rules, depth + 1);
    Outcome outcome = root_list(worker, met, depth, alpha, beta, widths);
    if (worker->best.turn.count == 0 && met != NULL && !worker->is_stopped) { // all of these are excluded
        is_lost = !outcome.is_cut;                                            // after any other turn
        met = NULL;
        outcome = root_list(worker, met, depth, alpha, beta, widths);
    }
    if (outcome.is_cut && outcome.best <= -THINKER_PROVEN && alpha == -THINKER_WIN && !worker->is_stopped) {
        Widths wide = {{60, 34, 4, 2, 1, 1, 1, 1}};
        outcome = root_list(worker, met, depth, alpha, beta, wide);
    }
    if (outcome.is_cut && !is_lost)
        worker->is_complete = false;
    if (outcome.is_cut && !is_lost && outcome.best <= -THINKER_PROVEN)
        outcome.best = -THINKER_VALUE_MAX;
    if (!worker->is_stopped && outcome.best <= -THINKER_PROVEN)
        worker->best.score = outcome.best;
    return outcome.best;
}

static void keep_root(Worker *worker, int depth)
{
    Turn turn = {.count = (uint8_t)worker->best.turn.count};
    memcpy(turn.stones, worker->best.turn.stones, sizeof turn.stones);
    Outcome outcome = {worker->best.score, BOUND_LOWER, &turn, false};
    keep_entry(worker, &outcome, depth, false);
}

static int turns_root(Worker *worker, int depth, int alpha, int beta)
{
    TurnState *state = turn_state(worker);
    Turn turn;
    int score;
    state->root_depth = depth;
    state->pool_used = 0;
    if (root_wins(worker, &turn, &score)) {
        state->pv_count[1] = 0;
        keep_pv(state, 0, &turn);
        set_best(worker, &turn, score);
        return score;
    }
    if (worker->is_stopped)
        return 0;
    score = root_search(worker, depth, alpha, beta);
    if (!worker->is_stopped && worker->best.turn.count > 0 && worker->excluded_count == 0)
        keep_root(worker, depth);
    return score;
}

const ThinkerWay thinker_turns = {turn_state_open, turn_state_close, turn_state_clear, turn_state_begin, turns_root};
