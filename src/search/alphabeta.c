#include "search/alphabeta.h"

#include "base/clock.h"
#include "search/forcing.h"
#include "search/threes.h"

#include <stdlib.h>
#include <string.h>

static_assert(EVALUATION_MAX <= ALPHABETA_WIN / 2, "no evaluation is worth as much as a win");

enum {
    // Nodes between two looks at the clock and at the flag to stop: some ten microseconds. With threats a single node
    // may
    // take milliseconds.
    POLL_NODES = 256,
    POLL_NODES_THREATS = 1,
    // Forcing sequences that a search for threes may ask for at the root and below it, and its table.
    THREES_NODES_ROOT = 5000,
    THREES_NODES = 50,
    THREES_TABLE = 1 << 14,
};

struct Alphabeta {
    AlphabetaOptions options;
    unsigned cells;
    uint64_t *lists;  // cells to look at, a heap for each level
    Forcing *forcing; // NULL: none
    Threes *threes;   // NULL: none
    unsigned poll;    // nodes between two looks at the clock
    // Of the search under way.
    AlphabetaLimits limits;
    unsigned depth; // of this iteration
    unsigned first; // depth of the first one
    uint64_t nodes;
    bool out;  // a limit has been reached: what comes back from here on is worth nothing
    Side side; // who moves at the root
    unsigned line_count[ALPHABETA_DEPTH_MAX + 1];
    Cell line[ALPHABETA_DEPTH_MAX + 1][ALPHABETA_DEPTH_MAX]; // the best play from each level on
    Cell lot[RULES_CELLS_MAX];                               // the root's cells, by lot
    unsigned lot_count;
    Board board;
    Evaluation evaluation;
    Ordering ordering;
};

// What a position is worth to the side to move, and whether that holds whatever was cut.
typedef struct {
    int64_t value;
    bool proven;
} Worth;

// A position on the way of the search.
typedef struct {
    unsigned ply; // stones since the root
    Side side;
    EvaluationPoints points;
    int64_t alpha, beta;
    uint64_t *list; // cells that have not been looked at
    unsigned count, taken;
    bool complete;     // no legal cell was left out
    bool lost_at_once; // a cell was answered by a win with the very next stone
    bool sure;         // every cell looked at so far was proven
    Worth best;
    Cell best_cell;
} Node;

static Status open_parts(Alphabeta *search, const Rules *rules, Error *error)
{
    const AlphabetaOptions *options = &search->options;
    Status status = STATUS_OK;
    search->lists = malloc((size_t)ALPHABETA_DEPTH_MAX * search->cells * sizeof search->lists[0]);
    if (search->lists == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a search");
    if (options->threats > 0 && forcing_suits(rules))
        status = forcing_open(&search->forcing, rules, options->threats, error);
    if (status == STATUS_OK && options->threes && threes_suits(rules))
        status = threes_open(&search->threes, rules, THREES_TABLE, error);
    return status;
}

Status alphabeta_open(Alphabeta **search, const AlphabetaOptions *options, const Rules *rules, Error *error)
{
    Alphabeta *made = calloc(1, sizeof *made);
    *search = made;
    if (made == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a search");
    made->options = *options;
    made->cells = rules_cells(rules);
    made->ordering.kind = options->order;
    evaluation_init(&made->evaluation, options->eval, rules);
    Status status = open_parts(made, rules, error);
    made->poll = made->threes != NULL || made->forcing != NULL ? POLL_NODES_THREATS : POLL_NODES;
    if (status != STATUS_OK) {
        alphabeta_close(made);
        *search = NULL;
    }
    return status;
}

void alphabeta_close(Alphabeta *search)
{
    if (search == NULL)
        return;
    forcing_close(search->forcing);
    threes_close(search->threes);
    free(search->lists);
    free(search);
}

// --- The cells of a node ---
// The best cell stands first. If it is not enough for a cut, the others become a heap with the best on top, so that
// where a cut follows soon the rest is never sorted. A cell's word holds its rating, then its place in the list, then
// the cell itself, so that no two are alike and their order is that of the numbers.

static uint64_t word_of(uint32_t rating, unsigned place, Cell cell)
{
    return (uint64_t)rating << 32 | (uint64_t)(0xffff - place) << 16 | cell;
}

static unsigned place_of(uint64_t word)
{
    return 0xffff - (unsigned)(word >> 16 & 0xffff);
}

// Puts a word where it belongs among those below a place.
static void sift(uint64_t *heap, unsigned count, unsigned place, uint64_t word)
{
    for (;;) {
        unsigned child = 2 * place + 1;
        if (child >= count)
            break;
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= word)
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = word;
}

static unsigned count_legal(const Board *board)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        count += bits_count(board_legal_row(board, row));
    return count;
}

static uint64_t fill_by_rating(const Alphabeta *search, const Cell *cells, unsigned count, uint64_t *list)
{
    uint64_t top = 0;
    for (unsigned i = 0; i < count; i++) {
        list[i] = word_of(ordering_rate(&search->ordering, &search->board, cells[i]), i, cells[i]);
        top = list[i] > top ? list[i] : top;
    }
    return top;
}

// The same for HistoryOrder, where nothing but the table is looked at: with everything else left outside of the loop a
// search takes 28 % fewer instructions.
static uint64_t fill_by_history(const uint32_t *history, const Cell *cells, unsigned count, uint64_t *list)
{
    uint64_t top = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t word = word_of(history[cells[i]], i, cells[i]);
        list[i] = word;
        top = word > top ? word : top;
    }
    return top;
}

// The cells of a node, with the best at the front. There is one: next to a stone some cell is always legal.
static void make_list(Alphabeta *search, Node *node)
{
    const Board *board = &search->board;
    Cell near[RULES_CELLS_MAX];
    const Cell *cells = node->ply == 0 ? search->lot : near;
    node->count = node->ply == 0 ? search->lot_count : candidates_list(board, search->options.moves, near);
    node->complete = search->options.moves == CANDIDATES_ALL || node->count == count_legal(board);
    node->list = search->lists + (size_t)node->ply * search->cells;
    node->taken = 0;
    assert(node->count > 0);
    uint64_t top = search->ordering.kind == ORDERING_HISTORY
                       ? fill_by_history(search->ordering.history[node->side], cells, node->count, node->list)
                       : fill_by_rating(search, cells, node->count, node->list);
    node->list[place_of(top)] = node->list[0];
    node->list[0] = top;
}

static Cell take_cell(const Alphabeta *search, Node *node)
{
    bool is_heap = search->ordering.kind != ORDERING_NONE && node->taken > 0;
    if (is_heap && node->taken == 1)
        for (unsigned i = node->count / 2; i-- > 0;)
            sift(node->list, node->count, i, node->list[i]);
    uint64_t word = *node->list;
    node->taken++;
    node->count--;
    if (!is_heap)
        node->list++;
    else if (node->count > 0)
        sift(node->list, node->count, 0, node->list[node->count]);
    return (Cell)(word & 0xffff);
}

// --- What a position is worth ---

// A win with the last of so many stones since the root.
static int64_t win_after(const Alphabeta *search, unsigned stones)
{
    return search->options.even ? ALPHABETA_WIN : ALPHABETA_WIN - stones;
}

static Worth worth_of_end(const Alphabeta *search, unsigned ply)
{
    const Board *board = &search->board;
    int64_t win = win_after(search, ply);
    Winner winner = board_winner(board);
    bool mine = winner == (board_side(board) == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
    return (Worth){winner == WINNER_NONE ? 0 : mine ? win : -win, true};
}

static Worth worth_of_leaf(const Alphabeta *search, const Node *node)
{
    int64_t value = evaluation_value(&search->evaluation, &search->board, &node->points, search->side);
    return (Worth){node->side == search->side ? value : -value, false};
}

// Whether the time is over, or somebody wants the result at once.
static bool is_late(const AlphabetaLimits *limits)
{
    return (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed)) ||
           (limits->deadline > 0 && clock_seconds() >= limits->deadline);
}

static bool is_out(const Alphabeta *search)
{
    const AlphabetaLimits *limits = &search->limits;
    if (search->depth == 1)
        return false;
    if (limits->nodes > 0 && search->nodes > limits->nodes)
        return true;
    return search->nodes % search->poll == 0 && is_late(limits);
}

// --- Wins by threats ---

// A win of the side to move that the searches for threats know of; the play expected is its first stone.
static bool wins_by_threats(Alphabeta *search, const Node *node, Worth *worth)
{
    ForcingResult forced = {0};
    ThreesResult threes = {0};
    if (search->forcing != NULL)
        forcing_run(search->forcing, &search->board, search->options.threats, &forced);
    if (!forced.won && search->threes != NULL && node->ply < search->depth) {
        ThreesLimits limits = {.deadline = search->limits.deadline,
                               .nodes = node->ply == 0 ? THREES_NODES_ROOT : THREES_NODES,
                               .stop = search->limits.stop};
        threes_run(search->threes, &search->board, &limits, &threes);
    }
    if (!forced.won && !threes.won)
        return false;
    unsigned stones = forced.won ? forced.stones : threes.stones;
    *worth = (Worth){win_after(search, node->ply + stones), true};
    search->line_count[node->ply] = node->ply < search->depth;
    search->line[node->ply][0] = forced.won ? forced.move : threes.move;
    return true;
}

// The root has been asked about at the first depth, and a depth that is finished although it is late does without.
static bool asks_for_threats(const Alphabeta *search, const Node *node)
{
    return (search->forcing != NULL || search->threes != NULL) && (node->ply > 0 || search->depth == search->first) &&
           !(search->depth == 1 && is_late(&search->limits));
}

// --- The search ---

static Worth look(Alphabeta *search, Node *node);

// Plays a cell, looks at what comes of it, and takes it back; seen from the side that plays it.
static Worth look_below(Alphabeta *search, const Node *node, Cell cell)
{
    Board *board = &search->board;
    Node next;
    next.points = evaluation_after(&search->evaluation, board, cell, node->points);
    BoardState before = board_play(board, cell);
    next.ply = node->ply + 1;
    next.side = board_side(board);
    bool same = next.side == node->side;
    next.alpha = search->options.plain ? -INT64_MAX : same ? node->alpha : -node->beta;
    next.beta = search->options.plain ? INT64_MAX : same ? node->beta : -node->alpha;
    Worth worth = look(search, &next);
    board_undo(board, cell, before);
    return same ? worth : (Worth){-worth.value, worth.proven};
}

// The expected play: this cell, and what is expected after it.
static void keep_line(Alphabeta *search, unsigned ply, Cell cell)
{
    unsigned count = search->line_count[ply + 1];
    search->line[ply][0] = cell;
    memcpy(&search->line[ply][1], search->line[ply + 1], count * sizeof(Cell));
    search->line_count[ply] = count + 1;
}

// Looks at one cell; true when nothing more need be looked at.
static bool try_cell(Alphabeta *search, Node *node, Cell cell)
{
    Worth worth = look_below(search, node, cell);
    if (search->out)
        return true;
    node->sure &= worth.proven;
    node->lost_at_once |= worth.value == -(ALPHABETA_WIN - (node->ply + 2));
    if (worth.value <= node->best.value)
        return false;
    node->best = worth;
    node->best_cell = cell;
    if (worth.value <= node->alpha)
        return false;
    keep_line(search, node->ply, cell);
    node->alpha = worth.value;
    return node->alpha >= node->beta;
}

// Whether cells that were left out are known to lose: the answer that won at once wins against them as well. It
// completes a row, so its cell is next to a stone; they are not, so they take neither that cell nor win themselves.
// Not under gravity, where the winning cell may be open only because of the stone that was answered.
static bool others_lose(const Node *node, const Board *board)
{
    return node->lost_at_once && alphabeta_is_win(-node->best.value) && !board->rules.gravity;
}

// What the best is worth is proven by itself if one cell is enough, and by all others as well if not.
static void settle(Node *node, const Board *board, bool cut)
{
    if (!cut && !alphabeta_is_win(node->best.value))
        node->best.proven = node->sure && (node->complete || others_lose(node, board));
}

static Worth look(Alphabeta *search, Node *node)
{
    const Board *board = &search->board;
    search->line_count[node->ply] = 0;
    search->nodes++;
    // 1. The rules have the first word, the limits the second.
    if (board_is_over(board))
        return worth_of_end(search, node->ply);
    search->out = search->out || is_out(search);
    if (search->out)
        return (Worth){0, false};
    // 2. A win by threats is as good as any; otherwise a leaf is judged by its looks.
    Worth won = {0, false};
    if (asks_for_threats(search, node) && wins_by_threats(search, node, &won))
        return won;
    if (node->ply == search->depth)
        return worth_of_leaf(search, node);
    // 3. Each cell, the best ordered first.
    make_list(search, node);
    node->best = (Worth){-INT64_MAX, true};
    node->sure = true;
    node->lost_at_once = false;
    bool cut = false;
    while (node->count > 0 && !cut)
        cut = try_cell(search, node, take_cell(search, node));
    if (search->out)
        return (Worth){0, false};
    // 4. For other branches, and for whoever asked.
    ordering_mark(&search->ordering, node->side, node->best_cell);
    settle(node, board, cut);
    return node->best;
}

// --- The root ---

static void draw_lots(Alphabeta *search, Rng *rng)
{
    search->lot_count = candidates_list(&search->board, search->options.moves, search->lot);
    for (unsigned i = search->lot_count; i > 1; i--) {
        unsigned j = rng_below(rng, i);
        Cell swapped = search->lot[i - 1];
        search->lot[i - 1] = search->lot[j];
        search->lot[j] = swapped;
    }
}

static void begin(Alphabeta *search, const Board *board, const AlphabetaLimits *limits, Rng *rng)
{
    assert(!board_is_over(board));
    board_copy(&search->board, board);
    search->limits = *limits;
    search->side = board_side(board);
    search->nodes = 0;
    search->out = false;
    search->evaluation.seed = rng_next(rng);
    ordering_begin(&search->ordering);
    draw_lots(search, rng);
}

static unsigned depth_within(const Alphabeta *search)
{
    unsigned depth = search->limits.depth, empty = search->board.cells - board_count(&search->board);
    if (depth == 0 || depth > ALPHABETA_DEPTH_MAX)
        depth = ALPHABETA_DEPTH_MAX;
    return empty < depth ? empty : depth;
}

// Takes over what a finished depth found.
static void adopt(const Alphabeta *search, Worth worth, AlphabetaResult *result)
{
    int64_t size = worth.value < 0 ? -worth.value : worth.value;
    result->value = worth.value;
    result->proven = worth.proven;
    result->distance = alphabeta_is_win(size) && !search->options.even ? (int)(ALPHABETA_WIN - size) : -1;
    result->depth = search->depth;
    result->line_count = search->line_count[0];
    memcpy(result->line, search->line[0], result->line_count * sizeof(Cell));
}

// All positions within a depth, at most: a stone never makes more cells legal than it takes. Numbers above 2^50, which
// nobody can wait for, need not be right.
static uint64_t tree_size(unsigned cells, unsigned depth)
{
    uint64_t level = 1, sum = 1;
    for (; depth > 0 && sum < UINT64_C(1) << 50; depth--) {
        level *= cells;
        sum += level;
    }
    return sum;
}

static bool goes_straight(const Alphabeta *search, unsigned depth)
{
    const AlphabetaLimits *limits = &search->limits;
    return search->options.straight && limits->deadline <= 0 &&
           (limits->nodes == 0 || tree_size(count_legal(&search->board), depth) <= limits->nodes);
}

// One search; false when a limit was reached.
static bool run_depth(Alphabeta *search, unsigned depth, const EvaluationPoints *points, AlphabetaResult *result)
{
    Node root = {.side = search->side, .points = *points, .alpha = -INT64_MAX, .beta = INT64_MAX};
    search->depth = depth;
    Worth worth = look(search, &root);
    if (!search->out)
        adopt(search, worth, result);
    return !search->out;
}

static bool is_decided(const AlphabetaResult *result)
{
    return alphabeta_is_win(result->value) || alphabeta_is_win(-result->value);
}

void alphabeta_run(Alphabeta *search, const Board *board, const AlphabetaLimits *limits, Rng *rng,
                   AlphabetaResult *result)
{
    begin(search, board, limits, rng);
    EvaluationPoints points = evaluation_count(&search->evaluation, board);
    unsigned depth = depth_within(search);
    *result = (AlphabetaResult){.distance = -1};
    search->first = goes_straight(search, depth) ? depth : 1;
    if (search->first == 1) {
        for (unsigned i = 1; i <= depth && !is_decided(result) && run_depth(search, i, &points, result);)
            i++;
    } else if (!run_depth(search, depth, &points, result)) {
        search->out = false;
        search->first = 1;
        (void)run_depth(search, 1, &points, result);
    }
    result->nodes = search->nodes;
}
