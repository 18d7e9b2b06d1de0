// The search variant for gravity games with any number of stones per turn. A node is a stone, not a turn: there are
// never more moves than columns. Depth counts turns. A column that was searched for an earlier stone of a turn is
// skipped for the later ones, so that every set of stones is searched once: a stone that can be placed now can be the
// first stone of every turn that contains it.
//
// Two rules are exact. A side that can complete a row in its turn does so. Otherwise a row that the opponent could
// complete in its next turn must be stopped on one of its cells, so only columns that lead there are searched until
// there is no such row; if its cells are out of reach, the game is lost. A loss is proven only if every turn was
// searched.
#include "engine/search/gravity/gravity_internal.h"

enum {
    LEAF_VCF_POSITIONS = 12,  // positions of a VCF search at a leaf
    INNER_VCF_POSITIONS = 40, // at an inner node
    ROOT_VCF_POSITIONS = 3000,
    SCORE_KILLER = 1 << 18,
    SCORE_TABLE = 1 << 20,
    SCORE_GIVEN = 1 << 16, // penalty for a stone directly below a cell that completes a row of the opponent
};

// --- Memory ---

static void gravity_open(SearchThread *thread)
{
    set_centre_bonus(gravity_state(thread)->bonus, &thread->patterns.rules, 32);
}

static void gravity_clear(SearchThread *thread)
{
    memset(gravity_state(thread)->history, 0, sizeof(History));
}

static void gravity_begin(SearchThread *thread)
{
    GravityState *state = gravity_state(thread);
    state->root_turn = pattern_board_stones_left(&thread->patterns);
    memset(state->killers, 0xff, sizeof state->killers);
    history_age(state->history, 4);
}

// --- Moves ---

typedef struct {
    unsigned count;
    bool is_pruned; // moves were left out
    ScoredCell move[RULES_SIDE_MAX];
} GravityMoves;

typedef struct {
    int depth;
    unsigned ply;
    uint64_t barred; // columns that were tried for earlier stones of this turn
    uint64_t stops;  // columns that help to stop a row; 0: no row to stop
} GravityNode;

// Adds the terms of the search to the score of the evaluator.
static int move_score(const SearchThread *thread, ScoredCell scored, const TtEntry *entry, unsigned ply)
{
    Cell cell = scored.cell;
    const PatternBoard *patterns = &thread->patterns;
    const GravityState *state = gravity_state(thread);
    Side side = pattern_board_side(patterns);
    int score = scored.score + state->bonus[cell] + state->history[side][cell] / 8;
    if (cell == entry->move)
        score += SCORE_TABLE;
    if (cell == state->killers[ply][0] || cell == state->killers[ply][1])
        score += SCORE_KILLER;
    bool has_above = cell_row(cell) + 1u < patterns->rules.height;
    Cell above = (Cell)(cell + RULES_SIDE_MAX);
    if (has_above && patterns->state.turn_left == 1 &&
        pattern_board_cell_pattern(patterns, above, side_other(side)) == CELL_COMPLETES)
        score -= SCORE_GIVEN;
    return score;
}

// The number of columns to search for a stone if no row must be stopped.
static unsigned width_for(const PatternBoard *patterns, int depth)
{
    unsigned p = patterns->rules.p;
    if (p == 1)
        return RULES_SIDE_MAX;
    bool is_first = patterns->state.turn_left >= p;
    if (depth <= 0)
        return 1;
    if (p == 2)
        return is_first ? (depth > 1 ? 20 : 12) : depth > 1 ? 12 : 8;
    if (p == 3)
        return is_first ? (depth > 1 ? 12 : 8) : depth > 1 ? 7 : 5;
    return is_first ? 8 : 3;
}

// Step 6. Move generation and ordering: the move of the transposition table, killer moves, then by patterns and
// history.
static void list_moves(const SearchThread *thread, const GravityNode *node, const TtEntry *entry, GravityMoves *moves)
{
    const PatternBoard *patterns = &thread->patterns;
    ScoredCell cells[RULES_SIDE_MAX];
    unsigned count = 0;
    moves->count = 0;
    moves->is_pruned = false;
    for (unsigned x = 0; x < patterns->rules.width; x++) {
        unsigned y = pattern_board_height(patterns, x);
        uint64_t bit = UINT64_C(1) << x;
        if (y >= patterns->rules.height || (node->barred & bit) != 0 || (node->stops != 0 && (node->stops & bit) == 0))
            continue;
        cells[count++].cell = cell_at(x, y);
    }
    evaluator_order(&thread->evaluator, patterns, cells, count);
    for (unsigned i = 0; i < count; i++)
        cells_keep_best(moves->move, &moves->count, RULES_SIDE_MAX, cells[i].cell,
                        move_score(thread, cells[i], entry, node->ply));
    unsigned width = width_for(patterns, node->depth);
    if (node->stops == 0 && moves->count > width) {
        moves->count = width;
        moves->is_pruned = true;
    }
}

static void reward_cutoff(SearchThread *thread, Cell cell, int depth, unsigned ply)
{
    GravityState *state = gravity_state(thread);
    int bonus = depth * depth * 8;
    killers_add(state->killers[ply], cell);
    history_update(&state->history[pattern_board_side(&thread->patterns)][cell], bonus > 1024 ? 1024 : bonus);
}

// --- The tree ---

static bool in_root_turn(const SearchThread *thread, unsigned ply)
{
    return ply < gravity_state(thread)->root_turn;
}

// Whether a stone completes an excluded turn at the root.
static bool is_excluded(const SearchThread *thread, unsigned ply, Cell cell)
{
    const PatternBoard *patterns = &thread->patterns;
    const GravityState *state = gravity_state(thread);
    bool wins = pattern_board_cell_pattern(patterns, cell, pattern_board_side(patterns)) == CELL_COMPLETES;
    if (thread->excluded_count == 0 || (ply + 1 != state->root_turn && !(wins && in_root_turn(thread, ply))))
        return false;
    Cell stones[SEARCH_TURN_MAX];
    for (unsigned i = 0; i < ply; i++)
        stones[i] = patterns->played[patterns->played_count - ply + i];
    stones[ply] = cell;
    return search_excludes(thread, stones, ply + 1);
}

static int search(SearchThread *thread, GravityNode node, int alpha, int beta);

// Searches the position after a stone, scored for the side that placed it.
static int search_after(SearchThread *thread, Side side, GravityNode node, int alpha, int beta)
{
    if (pattern_board_side(&thread->patterns) == side)
        return search(thread, node, alpha, beta);
    node.depth--;
    node.barred = 0;
    return -search(thread, node, -beta, -alpha);
}

// Step 8. Principal variation search: the first stone (`less` < 0) with the full window, the others with a zero-width
// window and reduced depth first.
static int search_pvs(SearchThread *thread, Cell cell, GravityNode node, int less, int alpha, int beta)
{
    PatternBoard *patterns = &thread->patterns;
    Side side = pattern_board_side(patterns);
    int score;
    node.ply++;
    gravity_state(thread)->pv[node.ply].count = 0;
    search_play(thread, cell);
    if (patterns->state.won) {
        score = score_win_in(search_placed(thread));
    } else if (less < 0) {
        score = search_after(thread, side, node, alpha, beta);
    } else {
        GravityNode reduced = node;
        reduced.depth -= less;
        score = search_after(thread, side, reduced, alpha, alpha + 1);
        if (score > alpha && less > 0) // re-search at full depth
            score = search_after(thread, side, node, alpha, alpha + 1);
        if (score > alpha && score < beta) // re-search with the full window
            score = search_after(thread, side, node, alpha, beta);
    }
    search_undo(thread);
    return score;
}

static uint64_t node_key(const SearchThread *thread, const GravityNode *node)
{
    return pattern_board_key(&thread->patterns) ^ node->barred * UINT64_C(0xd6e8feb86659fd93);
}

// Not within the root turn, whose stones must all be known.
static bool tt_cuts_off(SearchThread *thread, const TtEntry *entry, const GravityNode *node, int alpha, int beta,
                        int *score)
{
    return !in_root_turn(thread, node->ply) &&
           search_tt_cutoff(thread, entry, search_placed(thread), node->depth, alpha, beta, score);
}

typedef struct {
    int best;
    Bound bound;
    Cell cell;
} GravityResult;

// Step 9. Store the result in the transposition table.
static void keep_entry(SearchThread *thread, const GravityNode *node, const GravityResult *result, bool is_complete)
{
    if (thread->excluded_count > 0 && in_root_turn(thread, node->ply))
        return;
    int depth = node->depth < 0 ? 0 : node->depth;
    TtEntry entry = {
        .score = score_to_tt(result->best, search_placed(thread)),
        .value = SEARCH_NO_VALUE,
        .depth = tt_depth(depth, is_complete),
        .bound = result->bound,
        .move = result->cell,
        .second = CELL_NONE,
    };
    tt_store(thread->table, node_key(thread, node), &entry);
}

// Step 7. Late move reduction, in turns.
static int reduction(const PatternBoard *patterns, const GravityNode *node, const ScoredCell *move, unsigned number)
{
    if (node->depth < 2 || number < 3 || node->stops != 0)
        return 0;
    if (patterns->rules.p > 1)
        return number < 4 ? 0 : 1;
    CellPattern kind = pattern_board_cell_pattern(patterns, move->cell, pattern_board_side(patterns));
    if (kind == CELL_OPEN_FOUR || kind == CELL_FOUR_THREE || kind == CELL_FOUR)
        return 0;
    int less = number < 6 ? 1 : 2;
    less += node->depth >= 8 && number >= 6;
    return less < node->depth ? less : node->depth - 1;
}

static GravityResult search_moves(SearchThread *thread, const GravityNode *node, const GravityMoves *moves, int alpha,
                                  int beta)
{
    GravityState *state = gravity_state(thread);
    GravityResult result = {-SEARCH_WIN, BOUND_UPPER, CELL_NONE};
    GravityNode child = *node;
    unsigned tried = 0;
    for (unsigned i = 0; i < moves->count; i++) {
        const ScoredCell *move = &moves->move[i];
        if (is_excluded(thread, node->ply, move->cell))
            continue;
        int less = tried == 0 ? -1 : reduction(&thread->patterns, node, move, tried);
        tried++;
        int score = search_pvs(thread, move->cell, child, less, alpha, beta);
        if (thread->is_stopped)
            return result;
        child.barred |= UINT64_C(1) << cell_column(move->cell);
        if (score <= result.best)
            continue;
        result.best = score;
        if (score <= alpha)
            continue;
        alpha = score;
        result.cell = move->cell;
        result.bound = BOUND_EXACT;
        pv_update(&state->pv[node->ply], &state->pv[node->ply + 1], &move->cell, 1);
        if (node->ply == 0)
            search_set_best(thread, &state->pv[0], state->root_turn, score_without_loss(score));
        if (score >= beta) {
            result.bound = BOUND_LOWER;
            reward_cutoff(thread, move->cell, node->depth, node->ply);
            break;
        }
    }
    return result;
}

// Quiescence search: the static evaluation, or a win by VCF where the evaluation is below the window. With several
// stones per turn it is the static evaluation alone.
static int quiescence(SearchThread *thread, int alpha, int beta)
{
    int value = search_value(thread, alpha, beta);
    thread->is_complete = false;
    if (value >= beta || thread->patterns.rules.p > 1)
        return value;
    Cell first;
    unsigned stones = gravity_vcf(thread, LEAF_VCF_POSITIONS, &first);
    return stones > 0 ? score_win_in(search_placed(thread) + stones) : value;
}

static int search_on(SearchThread *thread, const GravityNode *node, const TtEntry *entry, int alpha, int beta)
{
    bool was_complete = thread->is_complete;
    thread->is_complete = true;
    GravityMoves moves;
    list_moves(thread, node, entry, &moves);
    GravityResult result = search_moves(thread, node, &moves, alpha, beta);
    if (moves.is_pruned) {
        thread->is_complete = false;
        result.best = score_without_loss(result.best);
    }
    if (!thread->is_stopped)
        keep_entry(thread, node, &result, thread->is_complete);
    thread->is_complete &= was_complete;
    return result.best;
}

// Cells of rows that can be completed within a turn are counted among the first kinds (pattern_board.h).
static bool may_complete(const PatternBoard *patterns, Side side)
{
    unsigned p = patterns->rules.p, kinds = p < 4 ? p : 4, cells = 0;
    for (unsigned kind = 0; kind < kinds; kind++)
        cells += pattern_board_count(patterns, side, kind);
    return cells > 0 || patterns->state.turn_left > p;
}

// Step 3. Must-block columns: sets node->stops. Returns true with the score if the row cannot be stopped.
static bool is_lost(const SearchThread *thread, GravityNode *node, GravityRow *threat, int *score)
{
    const PatternBoard *patterns = &thread->patterns;
    unsigned left = pattern_board_stones_left(patterns);
    bool is_root = in_root_turn(thread, node->ply);
    threat->stones = 0;
    if (may_complete(patterns, side_other(pattern_board_side(patterns))))
        *threat = gravity_threat(patterns);
    node->stops = threat->stones > 0 ? gravity_stops(patterns, threat, left) : 0;
    *score = score_loss_in(search_placed(thread) + left + threat->stones);
    if (threat->stones > 0 && node->stops == 0 && !is_root)
        return true;
    node->stops = is_root && thread->excluded_count > 0 ? 0 : node->stops & ~node->barred;
    *score = -SEARCH_WIN; // all columns that stop the row were searched for an earlier stone of the turn
    return threat->stones > 0 && node->stops == 0 && !is_root;
}

static int search(SearchThread *thread, GravityNode node, int alpha, int beta)
{
    const PatternBoard *patterns = &thread->patterns;
    GravityState *state = gravity_state(thread);
    bool is_start =
        node.ply == 0 || (patterns->state.turn_left == patterns->rules.p && !in_root_turn(thread, node.ply));
    state->pv[node.ply].count = 0;

    // Step 1. Limits and the end of the game.
    if (search_poll(thread))
        return 0;
    thread->deepest = node.ply > thread->deepest ? node.ply : thread->deepest;
    if (pattern_board_is_full(patterns))
        return 0;

    // Step 2. Immediate win. Within a turn there is none if there was none at its start.
    if (is_start && node.ply > 0 && may_complete(patterns, pattern_board_side(patterns))) {
        GravityRow row =
            gravity_row_within(patterns, pattern_board_side(patterns), pattern_board_stones_left(patterns));
        if (row.stones > 0)
            return score_win_in(search_placed(thread) + row.stones);
    }

    // Step 3. Must-block columns, with an extension for forced replies; quiescence search at depth 0.
    GravityRow threat;
    int score;
    if (is_lost(thread, &node, &threat, &score))
        return score;
    bool is_forced = threat.stones > 0;
    if (is_forced && patterns->rules.p == 1 && (int)node.ply < 3 * state->root_depth)
        node.depth++;
    bool is_inner =
        node.depth > 0 || !is_start || (is_forced && (int)node.ply < 4 * state->root_depth * patterns->rules.p);
    if (node.ply >= GRAVITY_PLY_MAX || !is_inner)
        return quiescence(thread, alpha, beta);

    // Step 4. Transposition table cut-off.
    TtEntry entry = {.move = CELL_NONE, .second = CELL_NONE};
    if (tt_probe(thread->table, node_key(thread, &node), &entry) &&
        tt_cuts_off(thread, &entry, &node, alpha, beta, &score))
        return score;

    // Step 5. Victory by continuous fours (VCF).
    if (patterns->rules.p == 1 && !in_root_turn(thread, node.ply)) {
        GravityResult result = {0, BOUND_LOWER, CELL_NONE};
        unsigned stones = gravity_vcf(thread, INNER_VCF_POSITIONS, &result.cell);
        if (stones > 0) {
            result.best = score_win_in(search_placed(thread) + stones);
            keep_entry(thread, &node, &result, false);
            return result.best;
        }
    }

    // Steps 6 to 9. Move ordering, late move reductions, principal variation search, store.
    return search_on(thread, &node, &entry, alpha, beta);
}

// --- The root ---

// An immediate win or a VCF at the root.
static bool root_wins(SearchThread *thread, int *score)
{
    GravityState *state = gravity_state(thread);
    PatternBoard *patterns = &thread->patterns;
    unsigned left = pattern_board_stones_left(patterns);
    GravityRow row = {.stones = 0};
    // The fewest stones, so that no other row is complete before them.
    for (unsigned most = 1; most <= left && row.stones == 0; most++)
        row = gravity_row_within(patterns, pattern_board_side(patterns), most);
    unsigned stones = row.stones, count = stones;
    if (stones > 0) {
        gravity_row_stones(patterns, &row, state->pv[0].stones);
    } else if (patterns->rules.p == 1 && left == 1) {
        stones = gravity_vcf(thread, ROOT_VCF_POSITIONS, &state->pv[0].stones[0]);
        count = stones > 0;
    }
    state->pv[0].count = count;
    *score = score_win_in(stones);
    return stones > 0 && !search_excludes(thread, state->pv[0].stones, count);
}

static int gravity_root(SearchThread *thread, int depth, int alpha, int beta)
{
    GravityState *state = gravity_state(thread);
    int score;
    state->root_depth = depth;
    if (root_wins(thread, &score)) {
        search_set_best(thread, &state->pv[0], state->root_turn, score);
        return score;
    }
    if (thread->is_stopped)
        return 0;
    score = search(thread, (GravityNode){.depth = depth}, alpha, beta);
    if (!thread->is_stopped && score <= -SEARCH_PROVEN && thread->best.turn.count > 0)
        thread->best.score = score;
    return score;
}

const SearchVariant search_gravity = {sizeof(GravityState), gravity_open, gravity_clear, gravity_begin, gravity_root};
