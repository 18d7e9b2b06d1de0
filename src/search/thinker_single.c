// Principal variation search where a turn is one stone that may go anywhere.
//
// What is proven stays proven: a loss is certain only where every stone that could matter was tried. That is so when
// the other side threatens to complete a row (one answer), and when it threatens an open four: only a stone where
// either side makes a four can matter then, as every cell of the rows behind an open four makes a four for its owner,
// and all that may come in between is a four of one's own. Anywhere else cells are left out, and a loss is only likely.
#include "search/thinker_single_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Margins are in the unit of analysis/weights.h, depths in stones. Most were tried at half and twice their value in 120
// games of 15 000 nodes a turn, which tells 40 Elo apart: REVERSE_MARGIN lost 47 at 85, nothing else mattered as much.
enum {
    REVERSE_DEPTH = 6,   // so near to the end an evaluation that is far above the window ends a line,
    REVERSE_MARGIN = 40, // by so much a depth
    RAZOR_DEPTH = 3,     // and one that is far below leaves only fours,
    RAZOR_MARGIN = 120,
    FUTILITY_DEPTH = 5, // or only stones that force
    FUTILITY_MARGIN = 90,
    COUNT_DEPTH = 8,     // late stones are left out up to here
    SINGULAR_DEPTH = 7,  // from here on a stone that is better than all others is searched more deeply
    SINGULAR_MARGIN = 3, // a depth
    REDUCE_DEPTH = 3,    // from here on late stones are searched less deeply
    UNKNOWN_DEPTH = 5,   // from here on a position that the table does not know is searched less deeply
    FORCING_KINDS = SINGLE_FOUR_KINDS | 1 << CELL_DOUBLE_THREE | 1 << CELL_THREE,
};

// Hundredths of a depth by which late stones are searched less deeply.
enum {
    REDUCE_BASE = 30,
    REDUCE_SLOPE = 60, // times the logarithms of the depth and of the number of the stone
    REDUCE_EXPECTED = 70,
    REDUCE_FORCING = 100,
    REDUCE_WORSE = 40,
    REDUCE_HISTORY = 60, // a hundredth for so much history
    LOG_UNIT = 1024,
};

typedef struct {
    int alpha, beta, depth;
    unsigned ply;
    bool is_cut; // expected to fail high
} Node;

static int search(Worker *worker, Node node);

static bool is_pv(const Node *node)
{
    return node->beta - node->alpha > 1;
}

static void keep_pv(SingleState *state, unsigned ply, Cell cell)
{
    Ply *here = &state->plies[ply], *next = here + 1;
    unsigned more = next->pv_count < THINKER_PV_MAX - 1 ? next->pv_count : THINKER_PV_MAX - 1;
    here->pv[0] = cell;
    memcpy(here->pv + 1, next->pv, more * sizeof(Cell));
    here->pv_count = more + 1;
}

// --- History ---

static void reward(int16_t *history, int bonus)
{
    *history = (int16_t)(*history + bonus - *history * abs(bonus) / SINGLE_HISTORY_MAX);
}

static void learn(Worker *worker, const Node *node, Cell best, Cell last, const Moves *tried)
{
    SingleState *state = worker->state;
    Side side = field_side(&worker->field);
    int bonus = node->depth * node->depth * 8;
    bonus = bonus > 1000 ? 1000 : bonus;
    reward(&state->history[side][best], bonus);
    for (unsigned i = 0; i < tried->next; i++)
        if (tried->moves[i].cell != best)
            reward(&state->history[side][tried->moves[i].cell], -bonus / 2);
    Ply *ply = &state->plies[node->ply];
    if (ply->killers[0] != best) {
        ply->killers[1] = ply->killers[0];
        ply->killers[0] = best;
    }
    if (last != CELL_NONE)
        state->replies[side][last] = best;
}

// --- The tree ---

// Which stones are tried, and whether these are all that matter.
static bool collect(Worker *worker, const Counts *counts, Moves *moves)
{
    const Field *field = &worker->field;
    if (counts->own[CELL_COMPLETES] == 0 && counts->other[CELL_COMPLETES] > 0) {
        single_collect(field, moves, 0, 1 << CELL_COMPLETES);
        return true;
    }
    if (counts->own[CELL_COMPLETES] == 0 && counts->other[CELL_OPEN_FOUR] > 0) {
        single_collect(field, moves, SINGLE_FOUR_KINDS, SINGLE_FOUR_KINDS);
        return true;
    }
    if (counts->other[CELL_FOUR_THREE] > 0) {
        single_collect(field, moves, FORCING_KINDS, FORCING_KINDS);
        return false;
    }
    return single_collect_near(field, moves);
}

// Whole depths by which a stone that comes late is searched less deeply; it has been placed.
static int reduction(const Worker *worker, const Node *node, unsigned tried, Cell cell, bool is_forcing, bool improves)
{
    const SingleState *state = worker->state;
    int by = REDUCE_BASE;
    by += REDUCE_SLOPE * state->log[node->depth & 127] / LOG_UNIT * state->log[tried < 127 ? tried : 127] / LOG_UNIT;
    by -= is_pv(node) ? REDUCE_EXPECTED : 0;
    by += node->is_cut ? REDUCE_EXPECTED : 0;
    by -= is_forcing ? REDUCE_FORCING : 0;
    by += improves ? 0 : REDUCE_WORSE;
    by -= state->history[side_other(field_side(&worker->field))][cell] / REDUCE_HISTORY;
    return by < 0 ? 0 : by / 100;
}

// The score of a stone: at first with a window of nothing, and less deep if it comes late.
static int try_stone(Worker *worker, const Node *node, unsigned tried, int alpha, int reduced, int depth)
{
    Node next = {-node->beta, -alpha, depth, node->ply + 1, false};
    if (tried == 1) {
        next.is_cut = !is_pv(node) && !node->is_cut;
        return -search(worker, next);
    }
    Node narrow = {-alpha - 1, -alpha, depth - reduced, node->ply + 1, true};
    int score = -search(worker, narrow);
    if (score > alpha && reduced > 0 && !worker->is_stopped) {
        narrow.depth = depth;
        narrow.is_cut = !node->is_cut;
        score = -search(worker, narrow);
    }
    if (score > alpha && score < node->beta && !worker->is_stopped)
        score = -search(worker, next);
    return score;
}

// Whether the move of the table is so much better than all others that it deserves to be looked at more deeply.
static int extension_of(Worker *worker, const Node *node, const TableEntry *entry)
{
    SingleState *state = worker->state;
    Ply *ply = &state->plies[node->ply];
    if (node->ply == 0 || node->depth < SINGULAR_DEPTH || entry->move == CELL_NONE || ply->excluded != CELL_NONE ||
        entry->bound == BOUND_UPPER || entry->depth < node->depth - 3 || abs(entry->score) >= THINKER_PROVEN)
        return 0;
    int beta = entry->score - SINGULAR_MARGIN * node->depth;
    ply->excluded = entry->move;
    Node other = {beta - 1, beta, (node->depth - 1) / 2, node->ply, node->is_cut};
    int score = search(worker, other);
    ply->excluded = CELL_NONE;
    return score < beta ? 1 : 0;
}

static unsigned most_moves(const Node *node, bool improves)
{
    unsigned depth = (unsigned)(node->depth > 0 ? node->depth : 0);
    return improves ? 5 + depth * depth * 3 / 4 : 4 + depth * depth / 2;
}

static bool root_excludes(const Worker *worker, Cell cell)
{
    for (unsigned i = 0; i < worker->excluded_count; i++)
        if (worker->excluded[i].stones[0] == cell)
            return true;
    return false;
}

static void tell_best(Worker *worker, int score)
{
    const SingleState *state = worker->state;
    ThinkerLine *best = &worker->best;
    best->score = score;
    best->turn = (ThinkerTurn){.count = 1, .stones = {state->plies[0].pv[0]}};
    best->pv_count = state->plies[0].pv_count;
    memcpy(best->pv, state->plies[0].pv, best->pv_count * sizeof(Cell));
}

// One answer, which costs no depth.
static int search_forced(Worker *worker, Node node, Cell cell)
{
    SingleState *state = worker->state;
    state->plies[node.ply].move = cell;
    state->plies[node.ply].value = THINKER_NO_VALUE;
    field_play(&worker->field, cell);
    Node next = {-node.beta, -node.alpha, node.depth, node.ply + 1, !is_pv(&node) && !node.is_cut};
    int score = -search(worker, next);
    field_undo(&worker->field);
    if (is_pv(&node) && !worker->is_stopped)
        keep_pv(state, node.ply, cell);
    return score;
}

// A bound from the table that decides this node; false if there is none.
static bool table_decides(const Node *node, const TableEntry *entry, int *score)
{
    *score = thinker_from_table(entry->score, node->ply);
    bool is_lower = entry->bound == BOUND_LOWER || entry->bound == BOUND_EXACT;
    bool is_upper = entry->bound == BOUND_UPPER || entry->bound == BOUND_EXACT;
    if (is_lower && *score >= THINKER_PROVEN && *score >= node->beta)
        return true;
    if (is_upper && *score <= -THINKER_PROVEN && *score <= node->alpha)
        return true;
    if (is_pv(node) || entry->depth < node->depth)
        return false;
    return (is_lower && *score >= node->beta) || (is_upper && *score <= node->alpha);
}

// Whether the evaluation alone ends this node, at small depths where nothing threatens.
static bool value_decides(Worker *worker, const Node *node, const Counts *counts, int value, bool improves, int *score)
{
    if (is_pv(node) || counts->other[CELL_OPEN_FOUR] > 0 || abs(node->beta) >= THINKER_PROVEN)
        return false;
    *score = value;
    if (node->depth <= REVERSE_DEPTH && value - REVERSE_MARGIN * (node->depth - improves) >= node->beta)
        return true;
    if (node->depth <= RAZOR_DEPTH && value + RAZOR_MARGIN * node->depth < node->alpha) {
        *score = single_fours(worker, node->alpha, node->beta, node->ply);
        return *score <= node->alpha;
    }
    return false;
}

// The loop over stones, and what comes of it.
typedef struct {
    int alpha, best;
    unsigned tried;
    bool is_all; // every stone that matters was tried
    Cell cell;   // the best
} Found;

static void search_stones(Worker *worker, const Node *node, const Counts *counts, const TableEntry *entry,
                          bool improves, Found *found)
{
    int extension = extension_of(worker, node, entry);
    if (worker->is_stopped)
        return;
    Field *field = &worker->field;
    SingleState *state = worker->state;
    Ply *ply = &state->plies[node->ply];
    Side side = field_side(field);
    Moves *moves = &state->moves[node->ply];
    Cell last = node->ply > 0 ? state->plies[node->ply - 1].move : (Cell)CELL_NONE;
    found->is_all = collect(worker, counts, moves);
    single_score(worker, moves, ply, last);
    for (unsigned i = 0; i < moves->count; i++)
        if (moves->moves[i].cell == entry->move)
            moves->moves[i].score = INT32_MAX;
    bool is_defence = counts->other[CELL_OPEN_FOUR] > 0;
    for (Move *move; (move = single_take(moves)) != NULL;) {
        Cell cell = move->cell;
        if (cell == ply->excluded || (node->ply == 0 && root_excludes(worker, cell))) {
            found->is_all = false;
            continue;
        }
        bool is_forcing = (FORCING_KINDS >> field_kind(field, cell, side) & 1) != 0 ||
                          (FORCING_KINDS >> field_kind(field, cell, side_other(side)) & 1) != 0;
        if (node->ply > 0 && !is_defence && !is_forcing && found->tried > 0 && found->best > -THINKER_VALUE_MAX) {
            bool is_late = node->depth <= COUNT_DEPTH && found->tried >= most_moves(node, improves);
            bool is_futile = !is_pv(node) && node->depth <= FUTILITY_DEPTH && ply->value != THINKER_NO_VALUE &&
                             ply->value + FUTILITY_MARGIN * (node->depth + 1) <= found->alpha;
            if (is_late || is_futile) {
                found->is_all = false;
                continue;
            }
        }
        ply->move = cell;
        field_play(field, cell);
        thinker_table_prefetch(worker->table, field_key(field));
        found->tried++;
        int depth = node->depth - 1 + (cell == entry->move ? extension : 0), reduced = 0;
        if (node->depth >= REDUCE_DEPTH && found->tried > 1 && !is_defence)
            reduced = reduction(worker, node, found->tried, cell, is_forcing, improves);
        reduced = reduced > depth - 1 ? (depth > 1 ? depth - 1 : 0) : reduced;
        int score = try_stone(worker, node, found->tried, found->alpha, reduced, depth);
        field_undo(field);
        if (worker->is_stopped)
            return;
        if (score > found->best) {
            found->best = score;
            if (score > found->alpha) {
                found->cell = cell;
                found->alpha = score;
                if (is_pv(node)) {
                    keep_pv(state, node->ply, cell);
                    if (node->ply == 0)
                        tell_best(worker, score);
                }
            }
        }
        if (score >= node->beta) {
            learn(worker, node, cell, last, moves);
            return;
        }
    }
}

static int search(Worker *worker, Node node)
{
    Field *field = &worker->field;
    SingleState *state = worker->state;
    Ply *ply = &state->plies[node.ply];
    ply->pv_count = 0;

    // 1. What is decided already, and answers that are forced.
    if (node.ply > 0) {
        if (field->state.won) // below the root only: of several stones that complete a row some may be left aside
            return thinker_lost(node.ply);
        if (field_is_full(field))
            return 0;
        Counts counts = single_counts(field);
        int decided = single_decided(&counts);
        if (decided != 0)
            return worker_poll(worker) ? 0 : single_score_of(decided, node.ply);
    }
    Counts counts = single_counts(field);
    bool is_forced = counts.own[CELL_COMPLETES] == 0 && counts.other[CELL_COMPLETES] > 0;
    if (node.ply >= SINGLE_PLY_MAX - 1) {
        worker->is_complete = false;
        return single_value(field);
    }
    if (is_forced && node.ply > 0) {
        if (worker_poll(worker))
            return 0;
        return search_forced(worker, node, single_completing_cell(field, side_other(field_side(field))));
    }
    if (node.depth <= 0)
        return single_fours(worker, node.alpha, node.beta, node.ply);
    if (worker_poll(worker))
        return 0;
    worker->deepest = node.ply > worker->deepest ? node.ply : worker->deepest;

    // 2. A win or loss that is nearer is known already. At the root a turn is wanted even if it loses at once.
    int nearest = thinker_won(node.ply + 1), farthest = thinker_lost(node.ply + 2);
    node.alpha = node.alpha < farthest && node.ply > 0 ? farthest : node.alpha;
    node.beta = node.beta > nearest ? nearest : node.beta;
    if (node.alpha >= node.beta)
        return node.alpha;

    // 3. The table.
    uint64_t key = field_key(field);
    TableEntry entry = {.move = CELL_NONE, .value = THINKER_NO_VALUE};
    bool is_known = ply->excluded == CELL_NONE && thinker_table_find(worker->table, key, &entry);
    int score;
    if (is_known && node.ply > 0 && table_decides(&node, &entry, &score)) {
        worker->is_complete &= abs(score) >= THINKER_PROVEN;
        return score;
    }

    // 4. The evaluation.
    ply->value = is_known && entry.value != THINKER_NO_VALUE ? entry.value : single_value(field);
    int before = node.ply >= 2 ? state->plies[node.ply - 2].value : THINKER_NO_VALUE;
    bool improves = before != THINKER_NO_VALUE && ply->value > before;
    if (node.ply > 0 && ply->excluded == CELL_NONE &&
        value_decides(worker, &node, &counts, ply->value, improves, &score)) {
        worker->is_complete = false;
        return worker->is_stopped ? 0 : score;
    }
    if (!is_known && node.depth >= UNKNOWN_DEPTH && ply->excluded == CELL_NONE && node.ply > 0)
        node.depth--;

    // 5. The stones.
    state->plies[node.ply + 1].killers[0] = state->plies[node.ply + 1].killers[1] = CELL_NONE;
    state->plies[node.ply + 1].excluded = CELL_NONE;
    Found found = {node.alpha, -THINKER_WIN, 0, true, CELL_NONE};
    search_stones(worker, &node, &counts, &entry, improves, &found);
    if (worker->is_stopped)
        return 0;
    if (found.tried == 0)
        return node.alpha;
    if (!found.is_all) {
        worker->is_complete = false;
        if (found.best <= -THINKER_PROVEN)
            found.best = -THINKER_VALUE_MAX;
    }

    // 6. What was found is kept.
    if (ply->excluded == CELL_NONE && !(node.ply == 0 && worker->excluded_count > 0)) {
        Bound bound = found.best >= node.beta ? BOUND_LOWER : found.best > node.alpha ? BOUND_EXACT : BOUND_UPPER;
        TableEntry kept = {
            thinker_to_table(found.best, node.ply), ply->value, node.depth, bound, found.cell, CELL_NONE};
        thinker_table_keep(worker->table, key, &kept);
    }
    return found.best;
}

// --- The way ---

static Status single_open(Worker *worker, Error *error)
{
    SingleState *state = calloc(1, sizeof *state);
    worker->state = state;
    if (state != NULL)
        state->moves = malloc((SINGLE_PLY_MAX + 4) * sizeof *state->moves);
    if (state != NULL && state->moves != NULL)
        return STATUS_OK;
    free(state);
    worker->state = NULL;
    return error_set(error, STATUS_NO_MEMORY, "no memory for the search");
}

static void single_close(Worker *worker)
{
    SingleState *state = worker->state;
    free(state->moves);
    free(state);
}

static void single_clear(Worker *worker)
{
    SingleState *state = worker->state;
    for (unsigned i = 1; i < 128; i++)
        state->log[i] = (int)lrint(LOG_UNIT * log(i));
    memset(state->history, 0, sizeof state->history);
    memset(state->replies, 0xff, sizeof state->replies);
}

static void single_begin(Worker *worker)
{
    SingleState *state = worker->state;
    for (unsigned i = 0; i < SINGLE_PLY_MAX + 4; i++)
        state->plies[i] = (Ply){
            .value = THINKER_NO_VALUE, .move = CELL_NONE, .excluded = CELL_NONE, .killers = {CELL_NONE, CELL_NONE}};
    for (unsigned side = 0; side < 2; side++)
        for (unsigned cell = 0; cell < RULES_CELLS_MAX; cell++)
            state->history[side][cell] /= 2;
}

static int single_root(Worker *worker, int depth, int alpha, int beta)
{
    SingleState *state = worker->state;
    Field *field = &worker->field;
    Counts counts = single_counts(field);
    // A stone that wins at once, or the one that has to be placed, if it is not to be left aside.
    if (counts.own[CELL_COMPLETES] > 0) {
        Cell cell = single_completing_cell(field, field_side(field));
        if (worker->excluded_count == 0) {
            state->plies[1].pv_count = 0;
            keep_pv(state, 0, cell);
            tell_best(worker, thinker_won(1));
            return thinker_won(1);
        }
    }
    return search(worker, (Node){alpha, beta, depth, 0, false});
}

const ThinkerWay thinker_single = {
    .open = single_open,
    .close = single_close,
    .clear = single_clear,
    .begin = single_begin,
    .root = single_root,
};
