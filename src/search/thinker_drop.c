// The way through the tree for games of gravity, for any number of stones a turn. A node is a stone, not a turn: there
// are never more moves than columns. Depth is counted in turns. A column that was tried for an earlier stone of a turn
// is left out of what follows, so that every set of stones comes once: a stone that can be placed now can be placed
// first in every turn that has it.
//
// What is certain: who can complete a row in his turn does. Else a row that the other side could complete in its next
// turn has to be stopped on one of its cells, so only columns that lead there are looked at, until there is no such
// row; and if they are too far away the game is lost. A loss is proven only where every turn was looked at.
#include "search/thinker_drop_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAF_FOURS = 12,  // positions of the search through fours at the end of a line
    INNER_FOURS = 40, // and before it
    ROOT_FOURS = 3000,
    SCORE_KILLER = 1 << 18,
    SCORE_TABLE = 1 << 20,
    SCORE_GIVEN = 1 << 16, // less for a stone right below one that completes a row of the other side
};

// --- Memory ---

static void set_bonus(DropState *state, const Rules *rules)
{
    int width = rules->width, height = rules->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int away = abs(2 * x + 1 - width);
            state->bonus[cell_at((unsigned)x, (unsigned)y)] = (int16_t)(32 - 32 * away / width);
        }
}

static void close_way(Worker *worker)
{
    free(worker->state);
    worker->state = NULL;
}

static Status open_way(Worker *worker, Error *error)
{
    DropState *state = calloc(1, sizeof *state);
    worker->state = state;
    if (state == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the search of falling stones");
    set_bonus(state, &worker->field.rules);
    drop_value_set(state, &worker->field);
    return STATUS_OK;
}

static void clear_way(Worker *worker)
{
    DropState *state = drop_state(worker);
    memset(state->history, 0, sizeof state->history);
}

static void begin(Worker *worker)
{
    DropState *state = drop_state(worker);
    state->root_count = worker->field.state.count;
    state->root_turn = drop_stones(&worker->field);
    memset(state->killers, 0xff, sizeof state->killers);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned cell = 0; cell < RULES_CELLS_MAX; cell++)
            state->history[side][cell] /= 4;
}

// --- Moves ---

typedef struct {
    Cell cell;
    int score;
} Move;

typedef struct {
    unsigned count;
    bool is_cut; // some are not in it
    Move move[RULES_SIDE_MAX];
} Moves;

// A node: what it is searched with.
typedef struct {
    int depth;
    unsigned ply;
    uint64_t barred; // columns that were tried for earlier stones of this turn
    uint64_t stops;  // columns that lead to stopping a row; 0: there is none to stop
} Node;

static int move_score(const Worker *worker, Cell cell, const TableEntry *entry, unsigned ply)
{
    const Field *field = &worker->field;
    const DropState *state = drop_state(worker);
    Side side = field_side(field);
    int score = field->tables->move[field_code(field, cell, side)] +
                field->tables->block[field_code(field, cell, side_other(side))] + state->bonus[cell] +
                state->history[side][cell] / 8;
    if (cell == entry->move)
        score += SCORE_TABLE;
    if (cell == state->killers[ply][0] || cell == state->killers[ply][1])
        score += SCORE_KILLER;
    bool has_above = cell_row(cell) + 1u < field->rules.height;
    Cell above = (Cell)(cell + RULES_SIDE_MAX);
    if (has_above && field->state.turn_left == 1 && field_kind(field, above, side_other(side)) == CELL_COMPLETES)
        score -= SCORE_GIVEN;
    return score;
}

// How many columns are tried for a stone where nothing has to be stopped.
static unsigned width_for(const Field *field, int depth)
{
    unsigned p = field->rules.p;
    if (p == 1)
        return RULES_SIDE_MAX;
    bool is_first = field->state.turn_left >= p;
    if (depth <= 0)
        return 1;
    if (p == 2)
        return is_first ? (depth > 1 ? 20 : 12) : depth > 1 ? 12 : 8;
    if (p == 3)
        return is_first ? (depth > 1 ? 12 : 8) : depth > 1 ? 7 : 5;
    return is_first ? 8 : 3;
}

static void moves_add(Moves *moves, Cell cell, int score)
{
    unsigned at = moves->count++;
    for (; at > 0 && moves->move[at - 1].score < score; at--)
        moves->move[at] = moves->move[at - 1];
    moves->move[at] = (Move){cell, score};
}

static void list_moves(const Worker *worker, const Node *node, const TableEntry *entry, Moves *moves)
{
    const Field *field = &worker->field;
    moves->count = 0;
    moves->is_cut = false;
    for (unsigned x = 0; x < field->rules.width; x++) {
        unsigned y = drop_height(field, x);
        uint64_t bit = UINT64_C(1) << x;
        if (y >= field->rules.height || (node->barred & bit) != 0 || (node->stops != 0 && (node->stops & bit) == 0))
            continue;
        Cell cell = cell_at(x, y);
        moves_add(moves, cell, move_score(worker, cell, entry, node->ply));
    }
    unsigned width = width_for(field, node->depth);
    if (node->stops == 0 && moves->count > width) {
        moves->count = width;
        moves->is_cut = true;
    }
}

static void note_refutation(Worker *worker, Cell cell, int depth, unsigned ply)
{
    DropState *state = drop_state(worker);
    Cell *killers = state->killers[ply];
    if (killers[0] != cell) {
        killers[1] = killers[0];
        killers[0] = cell;
    }
    int32_t *history = &state->history[field_side(&worker->field)][cell];
    int32_t gain = depth * depth * 8;
    gain = gain > 1024 ? 1024 : gain;
    *history += gain - *history * gain / DROP_HISTORY_MAX;
}

// --- The tree ---

static void keep_pv(DropState *state, unsigned ply, Cell cell)
{
    Cell *pv = state->pv[ply];
    unsigned below = state->pv_count[ply + 1];
    below = below < THINKER_PV_MAX - 1 ? below : THINKER_PV_MAX - 1;
    pv[0] = cell;
    memcpy(pv + 1, state->pv[ply + 1], below * sizeof *pv);
    state->pv_count[ply] = (uint8_t)(1 + below);
}

static bool in_root_turn(const Worker *worker, unsigned ply)
{
    return ply < drop_state(worker)->root_turn;
}

// Whether a stone ends the turn at the root in a way that is to be left aside.
static bool is_excluded(const Worker *worker, unsigned ply, Cell cell)
{
    const Field *field = &worker->field;
    const DropState *state = drop_state(worker);
    bool wins = field_kind(field, cell, field_side(field)) == CELL_COMPLETES;
    if (worker->excluded_count == 0 || (ply + 1 != state->root_turn && !(wins && in_root_turn(worker, ply))))
        return false;
    Cell stones[THINKER_TURN_MAX];
    for (unsigned i = 0; i < ply; i++)
        stones[i] = field->played[field->played_count - ply + i];
    stones[ply] = cell;
    for (unsigned i = 0; i < worker->excluded_count; i++)
        if (thinker_turn_is(&worker->excluded[i], stones, ply + 1))
            return true;
    return false;
}

static int search(Worker *worker, Node node, int alpha, int beta);

// The position after a stone, seen by the side that placed it.
static int search_after(Worker *worker, Side side, Node node, int alpha, int beta)
{
    if (field_side(&worker->field) == side)
        return search(worker, node, alpha, beta);
    node.depth--;
    node.barred = 0;
    return -search(worker, node, -beta, -alpha);
}

// One stone: in full if it is the first, else with no window and less depth until it turns out to be better.
static int search_move(Worker *worker, Cell cell, Node node, int less, int alpha, int beta)
{
    Field *field = &worker->field;
    Side side = field_side(field);
    int score;
    node.ply++;
    drop_state(worker)->pv_count[node.ply] = 0;
    field_play(field, cell);
    if (field->state.won) {
        score = thinker_won(drop_placed(worker));
    } else if (less < 0) {
        score = search_after(worker, side, node, alpha, beta);
    } else {
        Node reduced = node;
        reduced.depth -= less;
        score = search_after(worker, side, reduced, alpha, alpha + 1);
        if (score > alpha && less > 0)
            score = search_after(worker, side, node, alpha, alpha + 1);
        if (score > alpha && score < beta)
            score = search_after(worker, side, node, alpha, beta);
    }
    field_undo(field);
    return score;
}

static uint64_t node_key(const Worker *worker, const Node *node)
{
    return field_key(&worker->field) ^ node->barred * UINT64_C(0xd6e8feb86659fd93);
}

// The turn at the root has to be known stone by stone.
static bool table_answers(Worker *worker, const TableEntry *entry, const Node *node, int alpha, int beta, int *score)
{
    return !in_root_turn(worker, node->ply) &&
           worker_table_answers(worker, entry, drop_placed(worker), node->depth, alpha, beta, score);
}

typedef struct {
    int best;
    Bound bound;
    Cell cell;
} Outcome;

static void keep_entry(Worker *worker, const Node *node, const Outcome *outcome, bool is_complete)
{
    if (worker->excluded_count > 0 && in_root_turn(worker, node->ply))
        return;
    int depth = node->depth < 0 ? 0 : node->depth;
    TableEntry entry = {
        .score = thinker_to_table(outcome->best, drop_placed(worker)),
        .value = THINKER_NO_VALUE,
        .depth = thinker_kept_depth(depth, is_complete),
        .bound = outcome->bound,
        .move = outcome->cell,
        .second = CELL_NONE,
    };
    thinker_table_keep(worker->table, node_key(worker, node), &entry);
}

static int reduction(const Field *field, const Node *node, const Move *move, unsigned number)
{
    if (node->depth < 2 || number < 3 || node->stops != 0)
        return 0;
    if (field->rules.p > 1)
        return number < 4 ? 0 : 1;
    CellKind kind = field_kind(field, move->cell, field_side(field));
    if (kind == CELL_OPEN_FOUR || kind == CELL_FOUR_THREE || kind == CELL_FOUR)
        return 0;
    int less = number < 6 ? 1 : 2;
    less += node->depth >= 8 && number >= 6;
    return less < node->depth ? less : node->depth - 1;
}

static void note_best(Worker *worker, unsigned ply, const Outcome *outcome);

static Outcome search_moves(Worker *worker, const Node *node, const Moves *moves, int alpha, int beta)
{
    DropState *state = drop_state(worker);
    Outcome outcome = {-THINKER_WIN, BOUND_UPPER, CELL_NONE};
    Node child = *node;
    unsigned tried = 0;
    for (unsigned i = 0; i < moves->count; i++) {
        const Move *move = &moves->move[i];
        if (is_excluded(worker, node->ply, move->cell))
            continue;
        int less = tried == 0 ? -1 : reduction(&worker->field, node, move, tried);
        tried++;
        int score = search_move(worker, move->cell, child, less, alpha, beta);
        if (worker->is_stopped)
            return outcome;
        child.barred |= UINT64_C(1) << cell_column(move->cell);
        if (score <= outcome.best)
            continue;
        outcome.best = score;
        if (score <= alpha)
            continue;
        alpha = score;
        outcome.cell = move->cell;
        outcome.bound = BOUND_EXACT;
        keep_pv(state, node->ply, move->cell);
        note_best(worker, node->ply, &outcome);
        if (score >= beta) {
            outcome.bound = BOUND_LOWER;
            note_refutation(worker, move->cell, node->depth, node->ply);
            break;
        }
    }
    return outcome;
}

// Where the position does not look good enough, a win by fours may be better than it looks.
static int leaf_value(Worker *worker, int beta)
{
    int value = drop_value(worker);
    worker->is_complete = false;
    if (value >= beta || worker->field.rules.p > 1)
        return value;
    Cell first;
    unsigned stones = drop_fours(worker, LEAF_FOURS, &first);
    return stones > 0 ? thinker_won(drop_placed(worker) + stones) : value;
}

static int search_on(Worker *worker, const Node *node, const TableEntry *entry, int alpha, int beta)
{
    bool was_complete = worker->is_complete;
    worker->is_complete = true;
    Moves moves;
    list_moves(worker, node, entry, &moves);
    Outcome outcome = search_moves(worker, node, &moves, alpha, beta);
    if (moves.is_cut) {
        worker->is_complete = false;
        if (outcome.best <= -THINKER_PROVEN)
            outcome.best = -THINKER_VALUE_MAX;
    }
    if (!worker->is_stopped)
        keep_entry(worker, node, &outcome, worker->is_complete);
    worker->is_complete &= was_complete;
    return outcome.best;
}

// Cells of rows that can be completed within a turn are counted among the first kinds (field.h).
static bool may_complete(const Field *field, Side side)
{
    unsigned p = field->rules.p, kinds = p < 4 ? p : 4, cells = 0;
    for (unsigned kind = 0; kind < kinds; kind++)
        cells += field_count(field, side, kind);
    return cells > 0 || field->state.turn_left > p;
}

static int search(Worker *worker, Node node, int alpha, int beta)
{
    Field *field = &worker->field;
    DropState *state = drop_state(worker);
    bool is_start = node.ply == 0 || (field->state.turn_left == field->rules.p && !in_root_turn(worker, node.ply));
    state->pv_count[node.ply] = 0;
    // 1. The end of the game, or of the time.
    if (worker_poll(worker))
        return 0;
    worker->deepest = node.ply > worker->deepest ? node.ply : worker->deepest;
    if (field_is_full(field))
        return 0;
    // 2. A row that can be completed; within a turn there is none if there was none before it.
    unsigned left = drop_stones(field);
    if (is_start && node.ply > 0 && may_complete(field, field_side(field))) {
        DropRow row = drop_row_within(field, field_side(field), left);
        if (row.stones > 0)
            return thinker_won(drop_placed(worker) + row.stones);
    }
    // 3. A row that must be stopped.
    DropRow threat = {.stones = 0};
    if (may_complete(field, side_other(field_side(field))))
        threat = drop_threat(field);
    node.stops = threat.stones > 0 ? drop_stops(field, &threat, left) : 0;
    if (threat.stones > 0 && node.stops == 0 && !in_root_turn(worker, node.ply))
        return thinker_lost(drop_placed(worker) + left + threat.stones);
    node.stops = in_root_turn(worker, node.ply) && worker->excluded_count > 0 ? 0 : node.stops & ~node.barred;
    if (threat.stones > 0 && node.stops == 0 && !in_root_turn(worker, node.ply))
        return -THINKER_WIN;
    bool is_forced = threat.stones > 0;
    if (is_forced && field->rules.p == 1 && (int)node.ply < 3 * state->root_depth)
        node.depth++;
    bool goes_on = node.depth > 0 || !is_start || (is_forced && (int)node.ply < 4 * state->root_depth * field->rules.p);
    if (node.ply >= DROP_PLY_MAX || !goes_on)
        return leaf_value(worker, beta);
    // 4. The table.
    TableEntry entry = {.move = CELL_NONE, .second = CELL_NONE};
    int score;
    if (thinker_table_find(worker->table, node_key(worker, &node), &entry) &&
        table_answers(worker, &entry, &node, alpha, beta, &score))
        return score;
    // 5. A win by fours.
    if (field->rules.p == 1 && !in_root_turn(worker, node.ply)) {
        Outcome outcome = {0, BOUND_LOWER, CELL_NONE};
        unsigned stones = drop_fours(worker, INNER_FOURS, &outcome.cell);
        if (stones > 0) {
            outcome.best = thinker_won(drop_placed(worker) + stones);
            keep_entry(worker, &node, &outcome, false);
            return outcome.best;
        }
    }
    // 6. All stones that may be good.
    return search_on(worker, &node, &entry, alpha, beta);
}

// --- The root ---

static void set_best(Worker *worker, int score)
{
    const DropState *state = drop_state(worker);
    ThinkerLine *best = &worker->best;
    // That one turn loses proves nothing while there are others.
    best->score = score <= -THINKER_PROVEN ? -THINKER_VALUE_MAX : score;
    best->pv_count = state->pv_count[0];
    memcpy(best->pv, state->pv[0], best->pv_count * sizeof *best->pv);
    best->turn.count = best->pv_count < state->root_turn ? best->pv_count : state->root_turn;
    memcpy(best->turn.stones, best->pv, best->turn.count * sizeof(Cell));
}

static void note_best(Worker *worker, unsigned ply, const Outcome *outcome)
{
    if (ply == 0)
        set_best(worker, outcome->best);
}

// A win that is known without a search.
static bool root_wins(Worker *worker, int *score)
{
    DropState *state = drop_state(worker);
    Field *field = &worker->field;
    unsigned left = drop_stones(field);
    DropRow row = {.stones = 0};
    // The fewest stones, so that no other row is complete before them.
    for (unsigned most = 1; most <= left && row.stones == 0; most++)
        row = drop_row_within(field, field_side(field), most);
    unsigned stones = row.stones, count = stones;
    if (stones > 0) {
        drop_row_stones(field, &row, state->pv[0]);
    } else if (field->rules.p == 1 && left == 1) {
        stones = drop_fours(worker, ROOT_FOURS, &state->pv[0][0]);
        count = stones > 0;
    }
    state->pv_count[0] = (uint8_t)count;
    *score = thinker_won(stones);
    ThinkerTurn turn = {.count = count};
    memcpy(turn.stones, state->pv[0], count * sizeof(Cell));
    for (unsigned i = 0; i < worker->excluded_count; i++)
        if (thinker_turn_is(&worker->excluded[i], turn.stones, count))
            return false;
    return stones > 0;
}

static int root(Worker *worker, int depth, int alpha, int beta)
{
    DropState *state = drop_state(worker);
    int score;
    state->root_depth = depth;
    if (root_wins(worker, &score)) {
        set_best(worker, score);
        return score;
    }
    if (worker->is_stopped)
        return 0;
    score = search(worker, (Node){.depth = depth}, alpha, beta);
    if (!worker->is_stopped && score <= -THINKER_PROVEN && worker->best.turn.count > 0)
        worker->best.score = score;
    return score;
}

const ThinkerWay thinker_drop = {open_way, close_way, clear_way, begin, root};
