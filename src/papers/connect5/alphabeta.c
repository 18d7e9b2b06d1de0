// Alpha-beta of Kulev and Wu on the negamax core: candidates, move ordering, evaluation, wins by threats, and iterative
// deepening.
#include "papers/connect5/alphabeta.h"

#include "agents/search/negamax_tree.h"
#include "base/memory.h"
#include "papers/connect5/threes.h"

#include <stdlib.h>

static_assert(EVALUATION_MAX <= ALPHABETA_WIN / 2, "no evaluation is worth as much as a win");

enum {
    // Nodes between two checks of the clock and the stop flag: about ten microseconds. With a search for threats a
    // single node may take milliseconds.
    CLOCK_PERIOD = 256,
    CLOCK_PERIOD_THREATS = 1,
    // Node limits of a search for threes at the root and below it, and the bytes of its table.
    THREES_NODES_ROOT = 5000,
    THREES_NODES = 50,
    THREES_TABLE = 1 << 14,
};

// The state of each ply of the current line.
typedef struct {
    EvaluationPoints points;
    BoardState before; // of the board, before the stone of this ply
    uint64_t *list;    // candidates that have not been searched
    unsigned count, taken;
} Level;

struct Alphabeta {
    AlphabetaOptions options;
    unsigned cells;
    uint64_t *lists;  // `cells` candidates for each ply
    Forcing *forcing; // NULL: not used or not supported
    Threes *threes;   // NULL: not used or not supported
    // The current search.
    Negamax core;
    unsigned first;                   // depth of the first iteration
    Side side;                        // to move at the root
    Cell root_cells[RULES_CELLS_MAX]; // the root's candidates in random order
    unsigned root_count;
    Board board;
    Evaluation evaluation;
    Ordering ordering;
    Level levels[ALPHABETA_DEPTH_MAX + 1];
};

Status alphabeta_open(Alphabeta **search, const AlphabetaOptions *options, const Rules *rules, Error *error)
{
    Alphabeta *made = memory_new(1, sizeof *made);
    Status status = STATUS_OK;
    *search = made;
    made->options = *options;
    made->cells = rules_cells(rules);
    made->lists = memory_new((size_t)ALPHABETA_DEPTH_MAX * made->cells, sizeof made->lists[0]);
    made->ordering.kind = options->order;
    evaluation_init(&made->evaluation, options->eval, rules);
    if (options->has_chain_weight)
        made->evaluation.chain_weight = options->chain_weight;
    if (options->threats > 0 && forcing_suits(rules)) {
        made->forcing = forcing_open(rules, options->threats);
        forcing_set_listing(made->forcing, options->listing);
    }
    if (options->threes && threes_suits(rules))
        status = threes_open(&made->threes, rules, THREES_TABLE, error);
    made->core.clock_period = made->threes != NULL || made->forcing != NULL ? CLOCK_PERIOD_THREATS : CLOCK_PERIOD;
    made->core.win = ALPHABETA_WIN;
    made->core.stone = !options->even;
    made->core.decided = ALPHABETA_WIN / 2;
    made->core.plain = options->plain;
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

// --- Candidates ---
// The best candidate is searched first. If it causes no cut-off, the others become a heap with the best on top: the
// list need not be sorted if a cut-off follows soon. A candidate is a word of its rating, its place in the list and its
// cell, so that no two words are equal and the larger one is searched first.

static uint64_t word_of(uint32_t rating, unsigned place, Cell cell)
{
    return (uint64_t)rating << 32 | (uint64_t)(0xffff - place) << 16 | cell;
}

static unsigned place_of(uint64_t word)
{
    return 0xffff - (unsigned)(word >> 16 & 0xffff);
}

// Moves a word down the heap from a place.
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

static uint64_t fill_by_rating(const Alphabeta *search, const Cell *cells, unsigned count, uint64_t *list)
{
    uint64_t top = 0;
    for (unsigned i = 0; i < count; i++) {
        list[i] = word_of(ordering_rate(&search->ordering, &search->board, cells[i]), i, cells[i]);
        top = list[i] > top ? list[i] : top;
    }
    return top;
}

// The same for ORDERING_HISTORY, which needs only the table. This loop saves 28 % of the instructions of a search.
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

// The same for ORDERING_NONE: the candidates stay in the order of the generator, and `next` reads only the cells.
static uint64_t fill_in_order(const Cell *cells, unsigned count, uint64_t *list)
{
    for (unsigned i = 0; i < count; i++)
        list[i] = cells[i];
    return word_of(0, 0, cells[0]);
}

// Lists the candidates of a node with the best at the front. There is at least one, since some cell near a stone is
// always legal.
static void make_list(Alphabeta *search, NegamaxNode *node)
{
    const Board *board = &search->board;
    Level *level = &search->levels[node->ply];
    Cell near[RULES_CELLS_MAX];
    const Cell *cells = node->ply == 0 ? search->root_cells : near;
    unsigned count = node->ply == 0 ? search->root_count : candidates_list(board, search->options.moves, near);
    node->complete = search->options.moves == CANDIDATES_ALL || count == negamax_count_legal(board);
    uint64_t *list = search->lists + (size_t)node->ply * search->cells;
    assert(count > 0);
    OrderingKind kind = search->ordering.kind;
    uint64_t top = kind == ORDERING_NONE ? fill_in_order(cells, count, list)
                   : kind == ORDERING_HISTORY
                       ? fill_by_history(search->ordering.history[node->side], cells, count, list)
                       : fill_by_rating(search, cells, count, list);
    list[place_of(top)] = list[0];
    list[0] = top;
    level->list = list;
    level->count = count;
    level->taken = 0;
}

static Cell next(void *context, const NegamaxNode *node)
{
    Alphabeta *search = context;
    Level *level = &search->levels[node->ply];
    if (level->count == 0)
        return CELL_NONE;
    bool is_heap = search->ordering.kind != ORDERING_NONE && level->taken > 0;
    if (is_heap && level->taken == 1)
        for (unsigned i = level->count / 2; i-- > 0;)
            sift(level->list, level->count, i, level->list[i]);
    uint64_t word = *level->list;
    level->taken++;
    level->count--;
    if (!is_heap)
        level->list++;
    else if (level->count > 0)
        sift(level->list, level->count, 0, level->list[level->count]);
    return (Cell)(word & 0xffff);
}

// --- Wins by threats ---

// Searches for a win by threats of the side to move. Its first stone becomes the principal variation.
static bool wins_by_threats(Alphabeta *search, const NegamaxNode *node, NegamaxScore *score)
{
    Negamax *core = &search->core;
    ForcingResult forced = {0};
    ThreesResult threes = {0};
    if (search->forcing != NULL)
        forcing_run(search->forcing, &search->board, search->options.threats, &forced);
    if (!forced.won && search->threes != NULL && node->ply < core->depth) {
        Limits limits = {.deadline = core->limits.deadline,
                         .nodes = node->ply == 0 ? THREES_NODES_ROOT : THREES_NODES,
                         .stop = core->limits.stop};
        threes_run(search->threes, &search->board, &limits, &threes);
    }
    if (!forced.won && !threes.won)
        return false;
    unsigned stones = forced.won ? forced.stones : threes.stones;
    *score = (NegamaxScore){core->win - (node->ply + stones) * core->stone, true};
    core->line_count[node->ply] = node->ply < core->depth;
    core->line[node->ply][0] = forced.won ? forced.move : threes.move;
    return true;
}

// Whether to search for a win by threats: at the root only in the first iteration, and not in a search to depth 1 that
// is completed after the time is up.
static bool searches_threats(const Alphabeta *search, const NegamaxNode *node)
{
    return (search->forcing != NULL || search->threes != NULL) &&
           (node->ply > 0 || search->core.depth == search->first) &&
           !(search->core.depth == 1 && limits_expired(&search->core.limits));
}

// --- Nodes ---

static bool play(void *context, const NegamaxNode *node, Cell cell, NegamaxNode *next, NegamaxScore *score)
{
    Alphabeta *search = context;
    Level *level = &search->levels[node->ply];
    (void)score;
    level[1].points = evaluation_after(&search->evaluation, &search->board, cell, level->points);
    level->before = board_play(&search->board, cell);
    next->side = board_side(&search->board);
    return false;
}

static void undo(void *context, const NegamaxNode *node, Cell cell)
{
    Alphabeta *search = context;
    board_undo(&search->board, cell, search->levels[node->ply].before);
}

static NegamaxScore evaluate(const Alphabeta *search, const NegamaxNode *node)
{
    const EvaluationPoints *points = &search->levels[node->ply].points;
    int64_t value = evaluation_value(&search->evaluation, &search->board, points, search->side);
    return (NegamaxScore){node->side == search->side ? value : -value, false};
}

static bool enter(void *context, NegamaxNode *node, NegamaxScore *score)
{
    Alphabeta *search = context;
    Negamax *core = &search->core;
    core->nodes++;
    // 1. A finished game, then the limits. A search to depth 1 is always completed.
    if (board_is_over(&search->board)) {
        *score = negamax_end(core, &search->board, node->ply);
        return true;
    }
    core->out = core->depth > 1 && negamax_is_out(core);
    if (core->out)
        return true;
    // 2. A win by threats, otherwise the evaluation of a leaf.
    if (searches_threats(search, node) && wins_by_threats(search, node, score))
        return true;
    if (node->ply == core->depth) {
        *score = evaluate(search, node);
        return true;
    }
    // 3. Candidates.
    make_list(search, node);
    return false;
}

// Whether the cells that the generator left out are known to lose, because the answer that won at once also wins
// against them. It completes a row, so its cell is next to a stone; the cells left out are not, so they neither occupy
// it nor win themselves. Not under gravity, where the winning cell may be open only because of the stone before it.
static bool others_lose(const Alphabeta *search, const NegamaxNode *node)
{
    return node->worst == -(ALPHABETA_WIN - (node->ply + 2)) && alphabeta_is_win(-node->best.value) &&
           !search->board.rules.gravity;
}

static void leave(void *context, NegamaxNode *node)
{
    Alphabeta *search = context;
    if (search->core.out)
        return;
    ordering_mark(&search->ordering, node->side, node->best_cell);
    if (!node->cut && node->sure && others_lose(search, node))
        node->best.proven = true;
}

static NegamaxScore search_node(Negamax *core, void *search, NegamaxNode *node);

static const NegamaxKind kind = {
    .node = search_node, .play = play, .undo = undo, .enter = enter, .next = next, .leave = leave};

static NegamaxScore search_node(Negamax *core, void *search, NegamaxNode *node)
{
    return negamax_node(&kind, core, search, node);
}

// --- The root ---

static void begin(Alphabeta *search, const Board *board, const Limits *limits, Rng *rng)
{
    assert(!board_is_over(board));
    negamax_begin(&search->core, limits);
    board_copy(&search->board, board);
    search->side = board_side(board);
    search->evaluation.seed = rng_next(rng);
    search->levels[0].points = evaluation_count(&search->evaluation, board);
    ordering_begin(&search->ordering);
    search->root_count = candidates_list(board, search->options.moves, search->root_cells);
    rng_shuffle(rng, search->root_cells, search->root_count, sizeof(Cell));
}

// An upper bound of the positions within a depth: a stone never makes more cells legal than it takes. Above 2^50 the
// number need not be exact.
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
    const Limits *limits = &search->core.limits;
    return search->options.straight && limits->deadline <= 0 &&
           (limits->nodes == 0 || tree_size(negamax_count_legal(&search->board), depth) <= limits->nodes);
}

// One iteration; false when a limit was reached.
static bool run_depth(Alphabeta *search, unsigned depth, NegamaxResult *result)
{
    NegamaxNode root = {.side = search->side};
    if (!negamax_search(&search->core, &kind, search, depth, &root))
        return false;
    negamax_adopt(&search->core, root.best, result);
    return true;
}

NegamaxResult alphabeta_run(Alphabeta *search, const Board *board, const Limits *limits, Rng *rng)
{
    NegamaxResult result = {.distance = -1};
    begin(search, board, limits, rng);
    unsigned depth = negamax_depth(&search->core, board, ALPHABETA_DEPTH_MAX);
    search->first = goes_straight(search, depth) ? depth : 1;
    if (search->first == 1) {
        for (unsigned i = 1; i <= depth && !result.won && !result.lost && run_depth(search, i, &result);)
            i++;
    } else if (!run_depth(search, depth, &result)) {
        search->core.out = false;
        search->first = 1;
        (void)run_depth(search, 1, &result);
    }
    result.nodes = search->core.nodes;
    return result;
}
