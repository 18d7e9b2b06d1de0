// Principal variation search for p = q = 1 without gravity. The steps of `search` are numbered and named as in the
// literature.
//
// A loss is proven only if every relevant stone was searched. That holds if the opponent threatens to complete a row
// (one answer), or threatens an open four: then only cells where either side makes a four matter, since every cell that
// stops the open four's rows makes a four for its owner, and the only other defence is a four of one's own. In other
// positions cells are pruned, and a loss counts as a very bad position.
#include "engine/search/single/single_internal.h"

#include <math.h>

// Margins are in the unit of engine/eval/weights.h, depths in stones. Most were tested at half and twice their value in
// 120 games of 15 000 nodes per turn, which distinguishes 40 Elo: REVERSE_MARGIN lost 47 Elo at 85, no other mattered
// as much.
enum {
    REVERSE_DEPTH = 6,    // reverse futility pruning up to this depth
    REVERSE_MARGIN = 40,  // per depth
    RAZOR_DEPTH = 3,      // razoring up to this depth
    RAZOR_MARGIN = 120,   // per depth
    FUTILITY_DEPTH = 5,   // futility pruning up to this depth
    FUTILITY_MARGIN = 90, // per depth
    LATE_DEPTH = 8,       // late move pruning up to this depth
    SINGULAR_DEPTH = 7,   // singular extensions from this depth on
    SINGULAR_MARGIN = 3,  // per depth
    REDUCE_DEPTH = 3,     // late move reductions from this depth on
    UNKNOWN_DEPTH = 5,    // internal iterative reduction from this depth on
    FORCING_KINDS = SINGLE_FOUR_KINDS | 1 << CELL_DOUBLE_THREE | 1 << CELL_THREE,
};

// Late move reductions, in hundredths of a depth.
enum {
    REDUCE_BASE = 30,
    REDUCE_SLOPE = 60,    // times the logarithms of the depth and of the move number
    REDUCE_EXPECTED = 70, // less in PV nodes, more in nodes that are expected to fail high
    REDUCE_FORCING = 100, // less for stones that make or stop a three or a four
    REDUCE_WORSE = 40,    // more where the evaluation has not improved
    REDUCE_HISTORY = 60,  // history units per hundredth less
    LOG_UNIT = 1024,
};

typedef struct {
    int alpha, beta, depth;
    unsigned ply;
    bool is_cut_node; // expected to fail high
} SingleNode;

static int search(SearchThread *thread, SingleNode node);

static bool is_pv(const SingleNode *node)
{
    return node->beta - node->alpha > 1;
}

// The state and result of the move loop of a node.
typedef struct {
    const SingleCounts *counts;
    const TtEntry *entry;
    bool improves;   // the evaluation is better than two plies before
    bool is_defence; // the opponent threatens an open four: nothing is pruned or reduced
    int extension;   // of the move of the transposition table
    Cell last;       // the previous stone; CELL_NONE: unknown
    int alpha, best;
    unsigned tried;
    bool is_all; // every relevant stone was searched
    Cell cell;   // the best
} MoveLoop;

// --- Move ordering ---

// Collects the cells to search. Returns whether these are all relevant cells.
static bool collect(SearchThread *thread, const SingleCounts *counts, SingleMoves *moves)
{
    const PatternBoard *patterns = &thread->patterns;
    if (counts->own[CELL_COMPLETES] == 0 && counts->other[CELL_COMPLETES] > 0) {
        single_collect(patterns, moves, 0, 1 << CELL_COMPLETES);
        return true;
    }
    if (counts->own[CELL_COMPLETES] == 0 && counts->other[CELL_OPEN_FOUR] > 0) {
        single_collect(patterns, moves, SINGLE_FOUR_KINDS, SINGLE_FOUR_KINDS);
        return true;
    }
    if (counts->other[CELL_FOUR_THREE] > 0) {
        single_collect(patterns, moves, FORCING_KINDS, FORCING_KINDS);
        return false;
    }
    return single_collect_near(patterns, moves);
}

// After a beta cut-off, the best move and those searched before it change history, killer moves and counter moves.
static void reward_cutoff(SearchThread *thread, const SingleNode *node, const MoveLoop *loop, const SingleMoves *moves)
{
    SingleState *state = thread->state;
    Side side = pattern_board_side(&thread->patterns);
    int bonus = node->depth * node->depth * 8;
    bonus = bonus > 1000 ? 1000 : bonus;
    history_update(&state->history[side][loop->cell], bonus);
    for (unsigned i = 0; i < moves->next; i++)
        if (moves->moves[i].cell != loop->cell)
            history_update(&state->history[side][moves->moves[i].cell], -bonus / 2);
    killers_add(state->plies[node->ply].killers, loop->cell);
    if (loop->last != CELL_NONE)
        state->replies[side][loop->last] = loop->cell;
}

// --- Steps of a node ---

// The only answer to a four: a forced reply costs no depth.
static int search_forced(SearchThread *thread, const SingleNode *node, Cell cell)
{
    SingleState *state = thread->state;
    SinglePly *ply = &state->plies[node->ply];
    ply->move = cell;
    ply->value = SEARCH_NO_VALUE;
    search_play(thread, cell);
    SingleNode next = {-node->beta, -node->alpha, node->depth, node->ply + 1, !is_pv(node) && !node->is_cut_node};
    int score = -search(thread, next);
    search_undo(thread);
    if (is_pv(node) && !thread->is_stopped)
        pv_update(&ply->pv, &ply[1].pv, &cell, 1);
    return score;
}

// Steps 1 to 4: nodes without a move loop.
static bool ends_early(SearchThread *thread, const SingleNode *node, const SingleCounts *counts, int *score)
{
    const PatternBoard *patterns = &thread->patterns;

    // Step 1. End of the game, and wins and losses that follow from the patterns. Not at the root: of several stones
    // that complete a row some may be excluded.
    if (node->ply > 0) {
        int decided = single_decided(counts);
        *score = 0;
        if (patterns->state.won)
            *score = score_loss_in(node->ply);
        else if (!pattern_board_is_full(patterns) && decided != 0)
            *score = search_poll(thread) ? 0 : single_score_of(decided, node->ply);
        if (patterns->state.won || pattern_board_is_full(patterns) || decided != 0)
            return true;
    }

    // Step 2. Maximum ply.
    if (node->ply >= SINGLE_PLY_MAX - 1) {
        thread->is_complete = false;
        *score = search_value(thread, node->alpha, node->beta);
        return true;
    }

    // Step 3. Forced reply.
    if (node->ply > 0 && counts->own[CELL_COMPLETES] == 0 && counts->other[CELL_COMPLETES] > 0) {
        Side other = side_other(pattern_board_side(patterns));
        *score = search_poll(thread) ? 0 : search_forced(thread, node, single_completing_cell(patterns, other));
        return true;
    }

    // Step 4. Quiescence search: VCF.
    if (node->depth <= 0) {
        *score = single_quiescence(thread, node->alpha, node->beta, node->ply);
        return true;
    }
    return false;
}

// Step 7. Transposition table cut-off. Proven scores hold at any depth; PV nodes use nothing else.
static bool tt_cuts_off(const SingleNode *node, const TtEntry *entry, int *score)
{
    *score = score_from_tt(entry->score, node->ply);
    bool is_lower = entry->bound == BOUND_LOWER || entry->bound == BOUND_EXACT;
    bool is_upper = entry->bound == BOUND_UPPER || entry->bound == BOUND_EXACT;
    if (is_lower && *score >= SEARCH_PROVEN && *score >= node->beta)
        return true;
    if (is_upper && *score <= -SEARCH_PROVEN && *score <= node->alpha)
        return true;
    if (is_pv(node) || entry->depth < node->depth)
        return false;
    return (is_lower && *score >= node->beta) || (is_upper && *score <= node->alpha);
}

// Steps 9 and 10: the evaluation ends nodes of small depth where the opponent threatens no open four.
static bool value_cuts_off(SearchThread *thread, const SingleNode *node, const MoveLoop *loop, int value, int *score)
{
    if (is_pv(node) || loop->is_defence || abs(node->beta) >= SEARCH_PROVEN)
        return false;

    // Step 9. Reverse futility pruning: the value is far above the window.
    *score = value;
    if (node->depth <= REVERSE_DEPTH && value - REVERSE_MARGIN * (node->depth - loop->improves) >= node->beta)
        return true;

    // Step 10. Razoring: the value is far below the window, and the quiescence search does not reach it either.
    if (node->depth <= RAZOR_DEPTH && value + RAZOR_MARGIN * node->depth < node->alpha) {
        *score = single_quiescence(thread, node->alpha, node->beta, node->ply);
        return *score <= node->alpha;
    }
    return false;
}

// Step 12. Singular extension: one more depth for the move of the transposition table if, in a search of half the
// depth, all others fail low against its score less a margin.
static int singular_extension(SearchThread *thread, const SingleNode *node, const TtEntry *entry)
{
    SingleState *state = thread->state;
    SinglePly *ply = &state->plies[node->ply];
    if (node->ply == 0 || node->depth < SINGULAR_DEPTH || entry->move == CELL_NONE || ply->excluded != CELL_NONE ||
        entry->bound == BOUND_UPPER || entry->depth < node->depth - 3 || abs(entry->score) >= SEARCH_PROVEN)
        return 0;
    int beta = entry->score - SINGULAR_MARGIN * node->depth;
    ply->excluded = entry->move;
    SingleNode other = {beta - 1, beta, (node->depth - 1) / 2, node->ply, node->is_cut_node};
    int score = search(thread, other);
    ply->excluded = CELL_NONE;
    return score < beta ? 1 : 0;
}

// Step 14. Late move pruning and futility pruning: at small depths, stones that force nothing are pruned once enough
// others were searched, or if the evaluation is far below the window.
static bool is_pruned(const SingleNode *node, const MoveLoop *loop, int value)
{
    if (node->ply == 0 || loop->is_defence || loop->tried == 0 || loop->best <= -SEARCH_VALUE_MAX)
        return false;
    unsigned depth = (unsigned)(node->depth > 0 ? node->depth : 0);
    unsigned most = loop->improves ? 5 + depth * depth * 3 / 4 : 4 + depth * depth / 2;
    bool is_late = node->depth <= LATE_DEPTH && loop->tried >= most;
    bool is_futile = !is_pv(node) && node->depth <= FUTILITY_DEPTH && value != SEARCH_NO_VALUE &&
                     value + FUTILITY_MARGIN * (node->depth + 1) <= loop->alpha;
    return is_late || is_futile;
}

// Step 15. Late move reduction, in whole depths; the stone has been placed.
static int reduction(const SearchThread *thread, const SingleNode *node, const MoveLoop *loop, Cell cell,
                     bool is_forcing)
{
    const SingleState *state = thread->state;
    if (node->depth < REDUCE_DEPTH || loop->tried <= 1 || loop->is_defence)
        return 0;
    int by = REDUCE_BASE;
    by += REDUCE_SLOPE * state->log[node->depth & 127] / LOG_UNIT * state->log[loop->tried < 127 ? loop->tried : 127] /
          LOG_UNIT;
    by -= is_pv(node) ? REDUCE_EXPECTED : 0;
    by += node->is_cut_node ? REDUCE_EXPECTED : 0;
    by -= is_forcing ? REDUCE_FORCING : 0;
    by += loop->improves ? 0 : REDUCE_WORSE;
    by -= state->history[side_other(pattern_board_side(&thread->patterns))][cell] / REDUCE_HISTORY;
    return by < 0 ? 0 : by / 100;
}

// Step 16. Principal variation search: the first stone with the full window, the others with a zero-width window and
// reduced depth first.
static int search_pvs(SearchThread *thread, const SingleNode *node, const MoveLoop *loop, int reduced, int depth)
{
    int alpha = loop->alpha;
    SingleNode next = {-node->beta, -alpha, depth, node->ply + 1, false};
    if (loop->tried == 1) {
        next.is_cut_node = !is_pv(node) && !node->is_cut_node;
        return -search(thread, next);
    }
    SingleNode narrow = {-alpha - 1, -alpha, depth - reduced, node->ply + 1, true};
    int score = -search(thread, narrow);
    if (score > alpha && reduced > 0 && !thread->is_stopped) { // re-search at full depth
        narrow.depth = depth;
        narrow.is_cut_node = !node->is_cut_node;
        score = -search(thread, narrow);
    }
    if (score > alpha && score < node->beta && !thread->is_stopped) // re-search with the full window
        score = -search(thread, next);
    return score;
}

static int search_stone(SearchThread *thread, const SingleNode *node, MoveLoop *loop, Cell cell, bool is_forcing)
{
    SingleState *state = thread->state;
    state->plies[node->ply].move = cell;
    search_play(thread, cell);
    tt_prefetch(thread->table, pattern_board_key(&thread->patterns));
    loop->tried++;
    int depth = node->depth - 1 + (cell == loop->entry->move ? loop->extension : 0);
    int reduced = reduction(thread, node, loop, cell, is_forcing);
    reduced = reduced > depth - 1 ? (depth > 1 ? depth - 1 : 0) : reduced;
    int score = search_pvs(thread, node, loop, reduced, depth);
    search_undo(thread);
    return score;
}

// Records a stone that exceeds alpha.
static void raise_alpha(SearchThread *thread, const SingleNode *node, MoveLoop *loop, Cell cell, int score)
{
    SingleState *state = thread->state;
    SinglePly *ply = &state->plies[node->ply];
    loop->cell = cell;
    loop->alpha = score;
    if (!is_pv(node))
        return;
    pv_update(&ply->pv, &ply[1].pv, &cell, 1);
    if (node->ply == 0)
        search_set_best(thread, &ply->pv, 1, score);
}

// Steps 12 to 17.
static void search_stones(SearchThread *thread, const SingleNode *node, MoveLoop *loop)
{
    loop->extension = singular_extension(thread, node, loop->entry);
    if (thread->is_stopped)
        return;
    const PatternBoard *patterns = &thread->patterns;
    SingleState *state = thread->state;
    SinglePly *ply = &state->plies[node->ply];
    Side side = pattern_board_side(patterns);
    SingleMoves *moves = &state->moves[node->ply];

    // Step 13. Move generation and ordering: the move of the table, then by patterns, history, killer and counter
    // moves.
    loop->last = node->ply > 0 ? state->plies[node->ply - 1].move : (Cell)CELL_NONE;
    loop->is_all = collect(thread, loop->counts, moves);
    single_score(thread, moves, ply, loop->last);
    for (unsigned i = 0; i < moves->count; i++)
        if (moves->moves[i].cell == loop->entry->move)
            moves->moves[i].score = INT32_MAX;

    for (ScoredCell *move; (move = single_take(moves)) != NULL;) {
        Cell cell = move->cell;
        bool is_forcing = (FORCING_KINDS >> pattern_board_cell_pattern(patterns, cell, side) & 1) != 0 ||
                          (FORCING_KINDS >> pattern_board_cell_pattern(patterns, cell, side_other(side)) & 1) != 0;
        if (cell == ply->excluded || (node->ply == 0 && search_excludes(thread, &cell, 1)) ||
            (!is_forcing && is_pruned(node, loop, ply->value))) {
            loop->is_all = false;
            continue;
        }
        int score = search_stone(thread, node, loop, cell, is_forcing);
        if (thread->is_stopped)
            return;
        loop->best = score > loop->best ? score : loop->best;
        if (score > loop->alpha)
            raise_alpha(thread, node, loop, cell, score);
        if (score >= node->beta) { // Step 17. Beta cut-off.
            reward_cutoff(thread, node, loop, moves);
            return;
        }
    }
}

static void store(SearchThread *thread, const SingleNode *node, const MoveLoop *loop, uint64_t key)
{
    const SingleState *state = thread->state;
    TtEntry entry = {
        .score = score_to_tt(loop->best, node->ply),
        .value = state->plies[node->ply].value,
        .depth = node->depth,
        .bound = loop->best >= node->beta   ? BOUND_LOWER
                 : loop->best > node->alpha ? BOUND_EXACT
                                            : BOUND_UPPER,
        .move = loop->cell,
        .second = CELL_NONE,
    };
    tt_store(thread->table, key, &entry);
}

// Step 6. Mate distance pruning: no score is better than a win with the next stone, or worse than a loss with the one
// after it. Returns whether the window is empty. Not at the root, which needs a turn even if it loses at once.
static bool prunes_by_mate_distance(SingleNode *node)
{
    int nearest = score_win_in(node->ply + 1), farthest = score_loss_in(node->ply + 2);
    node->alpha = node->alpha < farthest && node->ply > 0 ? farthest : node->alpha;
    node->beta = node->beta > nearest ? nearest : node->beta;
    return node->alpha >= node->beta;
}

// Whether the evaluation is better than two plies before.
static bool improves(const SinglePly *ply, unsigned number)
{
    return number >= 2 && ply[-2].value != SEARCH_NO_VALUE && ply->value > ply[-2].value;
}

static int search(SearchThread *thread, SingleNode node)
{
    SingleState *state = thread->state;
    SinglePly *ply = &state->plies[node.ply];
    ply->pv.count = 0;
    SingleCounts counts = single_counts(&thread->patterns);
    int score;
    if (ends_early(thread, &node, &counts, &score)) // steps 1 to 4
        return score;

    // Step 5. Limits.
    if (search_poll(thread))
        return 0;
    thread->deepest = node.ply > thread->deepest ? node.ply : thread->deepest;

    // Step 6. Mate distance pruning.
    if (prunes_by_mate_distance(&node))
        return node.alpha;

    // Step 7. Transposition table cut-off.
    uint64_t key = pattern_board_key(&thread->patterns);
    TtEntry entry = {.move = CELL_NONE, .value = SEARCH_NO_VALUE};
    bool is_whole = ply->excluded == CELL_NONE; // not the search of a singular extension
    bool is_known = is_whole && tt_probe(thread->table, key, &entry);
    if (is_known && node.ply > 0 && tt_cuts_off(&node, &entry, &score)) {
        thread->is_complete &= abs(score) >= SEARCH_PROVEN;
        return score;
    }

    // Step 8. Static evaluation. Steps 9 and 10: reverse futility pruning and razoring.
    ply->value = is_known && entry.value != SEARCH_NO_VALUE ? entry.value : search_value(thread, node.alpha, node.beta);
    MoveLoop loop = {.counts = &counts, .entry = &entry, .alpha = node.alpha, .best = -SEARCH_WIN, .cell = CELL_NONE};
    loop.improves = improves(ply, node.ply);
    loop.is_defence = counts.other[CELL_OPEN_FOUR] > 0;
    if (node.ply > 0 && is_whole && value_cuts_off(thread, &node, &loop, ply->value, &score)) {
        thread->is_complete = false;
        return thread->is_stopped ? 0 : score;
    }

    // Step 11. Internal iterative reduction: a position without a table entry is searched less deeply.
    if (!is_known && node.depth >= UNKNOWN_DEPTH && is_whole && node.ply > 0)
        node.depth--;

    // Steps 12 to 17. The stones.
    ply[1].killers[0] = ply[1].killers[1] = ply[1].excluded = CELL_NONE;
    search_stones(thread, &node, &loop);
    if (thread->is_stopped)
        return 0;
    if (loop.tried == 0)
        return node.alpha;
    if (!loop.is_all) {
        thread->is_complete = false;
        loop.best = score_without_loss(loop.best);
    }

    // Step 18. Store the result.
    if (is_whole && !(node.ply == 0 && thread->excluded_count > 0))
        store(thread, &node, &loop, key);
    return loop.best;
}

// --- The variant ---

static void single_clear(SearchThread *thread)
{
    SingleState *state = thread->state;
    for (unsigned i = 1; i < 128; i++)
        state->log[i] = (int)lrint(LOG_UNIT * log(i));
    memset(state->history, 0, sizeof state->history);
    memset(state->replies, 0xff, sizeof state->replies);
}

static void single_begin(SearchThread *thread)
{
    SingleState *state = thread->state;
    for (unsigned i = 0; i < SINGLE_PLY_MAX + 4; i++)
        state->plies[i] = (SinglePly){
            .value = SEARCH_NO_VALUE, .move = CELL_NONE, .excluded = CELL_NONE, .killers = {CELL_NONE, CELL_NONE}};
    history_age(state->history, 2);
}

static int single_root(SearchThread *thread, int depth, int alpha, int beta)
{
    SingleState *state = thread->state;
    PatternBoard *patterns = &thread->patterns;
    SingleCounts counts = single_counts(patterns);
    if (counts.own[CELL_COMPLETES] > 0 && thread->excluded_count == 0) { // a win in one stone
        Pv *pv = &state->plies[0].pv;
        *pv = (Pv){.count = 1, .stones = {single_completing_cell(patterns, pattern_board_side(patterns))}};
        search_set_best(thread, pv, 1, score_win_in(1));
        return score_win_in(1);
    }
    return search(thread, (SingleNode){alpha, beta, depth, 0, false});
}

const SearchVariant search_single = {
    .state_size = sizeof(SingleState),
    .clear = single_clear,
    .begin = single_begin,
    .root = single_root,
};
