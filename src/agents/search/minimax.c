// Minimax of Levin et al. on the negamax core: rated candidates, marks, the transposition table, and the depths.
#include "agents/search/minimax.h"

#include "agents/search/minimax_table.h"
#include "agents/search/negamax_tree.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

// The state of each ply of the current line.
typedef struct {
    unsigned turn;     // turns since the root
    bool fresh;        // no stone of the turn has been placed during the search: nothing is marked
    bool first_done;   // the candidate `first` has been searched
    BoardState before; // the stone that was played last at this ply
    RatedCell *list;
    unsigned count;
    unsigned first;  // rank of the candidate to search first; `count`: in the order of the list
    unsigned rank;   // of the next candidate but for that one
    unsigned marked; // candidates with a mark, from the front
    int64_t alpha;   // at the beginning of the node
} Level;

struct Minimax {
    MinimaxOptions options;
    unsigned list_size; // cells that the list of a ply has room for
    RatedCell *lists;   // list_size for each ply
    Table table;
    // The current search.
    Negamax core;
    const Rater *rater;
    Cell first;                                            // the candidate to search first at the root
    uint16_t order[RULES_CELLS_MAX];                       // random order of cells with equal ratings
    uint64_t marks[MINIMAX_DEPTH_MAX + 1][RULES_SIDE_MAX]; // of each turn of the current line, a word per row
    Game game;
    Ratings ratings;
    Level levels[MINIMAX_DEPTH_MAX + 1];
};

// --- Values ---
// The core compares whole numbers. Read as such, doubles of one sign keep their order, so the bits of a utility are its
// value, and those of a negative one the negative value. The values of wins lie equally far apart: MINIMAX_WIN is a
// power of two and all of them are in the range below it that has one exponent.

static int64_t value_of(double utility)
{
    int64_t bits;
    double size = fabs(utility);
    assert(!isnan(utility));
    memcpy(&bits, &size, sizeof bits);
    return utility < 0 ? -bits : bits;
}

double minimax_utility(int64_t value)
{
    double utility;
    int64_t bits = value < 0 ? -value : value;
    memcpy(&utility, &bits, sizeof utility);
    return value < 0 ? -utility : utility;
}

// Below every win, above every loss.
static int64_t limited_value(double utility)
{
    return value_of(fmax(-MINIMAX_WIN / 2, fmin(utility, MINIMAX_WIN / 2)));
}

Status minimax_open(Minimax **search, const MinimaxOptions *options, const Rules *rules, Error *error)
{
    assert(options->depth >= 1 && options->depth <= MINIMAX_DEPTH_MAX);
    unsigned cells = rules_cells(rules);
    Minimax *made = memory_new(1, sizeof *made);
    *search = made;
    made->options = *options;
    made->list_size = options->width > 0 && options->width < cells ? options->width : cells;
    made->lists = memory_new((size_t)options->depth * made->list_size, sizeof made->lists[0]);
    made->core.clock_period = 1; // reading the clock takes far less than a rating, and some raters take milliseconds
    made->core.win = value_of(MINIMAX_WIN);
    made->core.stone = value_of(MINIMAX_WIN) - value_of(MINIMAX_WIN - MINIMAX_STONE);
    made->core.decided = value_of(MINIMAX_WIN / 2);
    made->core.plain = options->plain;
    Status status = options->table_bytes > 0 ? table_open(&made->table, options->table_bytes, error) : STATUS_OK;
    if (status != STATUS_OK) {
        minimax_close(made);
        *search = NULL;
    }
    return status;
}

void minimax_close(Minimax *search)
{
    if (search == NULL)
        return;
    table_close(&search->table);
    free(search->lists);
    free(search);
}

// --- Candidates ---

static bool is_marked(const Minimax *search, unsigned turn, Cell cell)
{
    return (search->marks[turn][cell_row(cell)] >> cell_column(cell) & 1) != 0;
}

// Marks the first candidates of a list and no others.
static void mark(Minimax *search, Level *level, unsigned count)
{
    if (search->options.plain || search->options.unmarked)
        return;
    unsigned from = count < level->marked ? count : level->marked, to = count < level->marked ? level->marked : count;
    for (unsigned i = from; i < to; i++)
        search->marks[level->turn][cell_row(level->list[i].cell)] ^= cell_bit_in_row(level->list[i].cell);
    level->marked = count;
}

static bool is_better(const Minimax *search, const RatedCell *a, const RatedCell *b)
{
    return a->utility > b->utility || (a->utility == b->utility && search->order[a->cell] < search->order[b->cell]);
}

// Inserts a cell into the sorted list of the best.
static void insert(const Minimax *search, Level *level, const RatedCell *cell)
{
    unsigned low = 0, high = level->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (is_better(search, cell, &level->list[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == search->list_size)
        return;
    if (level->count < search->list_size)
        level->count++;
    memmove(&level->list[low + 1], &level->list[low], (level->count - 1 - low) * sizeof level->list[0]);
    level->list[low] = *cell;
}

static unsigned rank_of(const Level *level, Cell cell)
{
    unsigned rank = 0;
    while (rank < level->count && level->list[rank].cell != cell)
        rank++;
    return rank;
}

// The best-rated cells, best first. Marked cells are removed and not replaced.
static void make_list(Minimax *search, NegamaxNode *node, Cell first)
{
    const Ratings *ratings = &search->ratings;
    Level *level = &search->levels[node->ply];
    level->list = search->lists + (size_t)node->ply * search->list_size;
    level->count = level->marked = level->rank = 0;
    for (unsigned i = 0; i < ratings->count; i++)
        insert(search, level, &ratings->cells[i]);
    node->complete = level->count == negamax_count_legal(&search->game.board);
    unsigned listed = level->count;
    level->count = 0;
    for (unsigned i = 0; i < listed; i++)
        if (!is_marked(search, level->turn, level->list[i].cell))
            level->list[level->count++] = level->list[i];
    level->first = rank_of(level, first);
    level->first_done = level->first == level->count;
}

// The candidates in the order of their ratings, but for one that is known to be good. Whenever a candidate is searched,
// those rated better have a mark.
static Cell next(void *context, const NegamaxNode *node)
{
    Minimax *search = context;
    Level *level = &search->levels[node->ply];
    unsigned rank = level->first;
    if (level->first_done) {
        level->rank += level->rank == level->first;
        rank = level->rank++;
    }
    level->first_done = true;
    if (rank >= level->count)
        return CELL_NONE;
    mark(search, level, rank);
    return level->list[rank].cell;
}

// --- The transposition table ---
// Only the beginnings of turns are stored: within a turn a position has different values under different marks. A
// position always has the same number of stones, so within one search an end is equally far from the root on every
// path.

static bool is_stored(const Minimax *search, const NegamaxNode *node)
{
    return search->table.entries != NULL && search->levels[node->ply].fresh && node->ply > 0 && !search->options.plain;
}

// Whether the entry of a position gives its score; `first` is its best cell if there is an entry.
static bool recall(const Minimax *search, const NegamaxNode *node, NegamaxScore *score, Cell *first)
{
    const TableEntry *entry = table_find(&search->table, board_key(&search->game.board));
    if (entry == NULL)
        return false;
    *first = entry->best;
    *score = (NegamaxScore){entry->value, entry->proven};
    return entry->depth == search->core.depth - node->ply &&
           (entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && score->value >= node->beta) ||
            (entry->bound == BOUND_UPPER && score->value <= node->alpha));
}

static void store(Minimax *search, const NegamaxNode *node)
{
    const Level *level = &search->levels[node->ply];
    int64_t value = node->best.value;
    table_put(&search->table, &(TableEntry){
                                  .key = board_key(&search->game.board),
                                  .value = value,
                                  .best = node->best_cell,
                                  .depth = (uint8_t)(search->core.depth - node->ply),
                                  .bound = value >= node->beta     ? BOUND_LOWER
                                           : value <= level->alpha ? BOUND_UPPER
                                                                   : BOUND_EXACT,
                                  .proven = node->best.proven,
                              });
}

// --- Nodes ---

static bool play(void *context, const NegamaxNode *node, Cell cell, NegamaxNode *next, NegamaxScore *score)
{
    Minimax *search = context;
    Game *game = &search->game;
    Level *level = &search->levels[node->ply];
    (void)score;
    level->before = board_play(&game->board, cell);
    game->stones[game->played++] = cell;
    next->side = board_side(&game->board);
    level[1].fresh = next->side != node->side;
    level[1].turn = level->turn + level[1].fresh;
    return false;
}

static void undo(void *context, const NegamaxNode *node, Cell cell)
{
    Minimax *search = context;
    search->game.played--;
    board_undo(&search->game.board, cell, search->levels[node->ply].before);
}

static NegamaxScore evaluate(const Ratings *ratings)
{
    double best = ratings->cells[0].utility;
    for (unsigned i = 1; i < ratings->count; i++)
        best = fmax(best, ratings->cells[i].utility);
    return (NegamaxScore){limited_value(isnan(ratings->value) ? best : ratings->value), false};
}

// The list of candidates is empty where all of them were marked: every set of stones through this position has been
// searched. Then the value is worse than any other, for the same side that had the choice.
static bool enter(void *context, NegamaxNode *node, NegamaxScore *score)
{
    Minimax *search = context;
    Negamax *core = &search->core;
    Cell first = node->ply == 0 ? search->first : (Cell)CELL_NONE;
    core->nodes++;
    // 1. A finished game, then the limits.
    if (board_is_over(&search->game.board)) {
        *score = negamax_end(core, &search->game.board, node->ply);
        return true;
    }
    core->out = negamax_is_out(core);
    if (core->out)
        return true;
    // 2. Transposition table cut-off.
    if (is_stored(search, node) && recall(search, node, score, &first))
        return true;
    // 3. The ratings: the value of a leaf, the candidates of another node.
    rater_ask(search->rater, &search->game, &search->ratings);
    if (node->ply == core->depth) {
        *score = evaluate(&search->ratings);
        return true;
    }
    search->levels[node->ply].alpha = node->alpha;
    make_list(search, node, first);
    return false;
}

static void leave(void *context, NegamaxNode *node)
{
    Minimax *search = context;
    mark(search, &search->levels[node->ply], 0);
    if (!search->core.out && is_stored(search, node))
        store(search, node);
}

static NegamaxScore search_node(Negamax *core, void *search, NegamaxNode *node);

static const NegamaxKind kind = {
    .node = search_node, .play = play, .undo = undo, .enter = enter, .next = next, .leave = leave};

static NegamaxScore search_node(Negamax *core, void *search, NegamaxNode *node)
{
    return negamax_node(&kind, core, search, node);
}

// --- The root ---

// Inside-out shuffle; rng_shuffle would use the random numbers in another order.
static void shuffle_cells(Minimax *search, Rng *rng)
{
    const Rules *rules = &search->game.board.rules;
    unsigned count = rules_cells(rules);
    for (unsigned i = 0; i < count; i++) {
        unsigned j = rng_below(rng, i + 1);
        Cell cell = cell_at(i % rules->width, i / rules->width), other = cell_at(j % rules->width, j / rules->width);
        search->order[cell] = search->order[other];
        search->order[other] = (uint16_t)i;
    }
}

// The answer before any search: the best rated cell.
static void begin(Minimax *search, NegamaxResult *result)
{
    rater_ask(search->rater, &search->game, &search->ratings);
    const RatedCell *best = &search->ratings.cells[0];
    for (unsigned i = 1; i < search->ratings.count; i++)
        if (is_better(search, &search->ratings.cells[i], best))
            best = &search->ratings.cells[i];
    *result = (NegamaxResult){.value = limited_value(best->utility), .distance = -1, .depth = 1, .line_count = 1};
    result->line[0] = best->cell;
}

// Adopts the result of a depth, complete or interrupted by a limit.
static void adopt(const Minimax *search, const NegamaxNode *root, NegamaxResult *result)
{
    if (search->core.line_count[0] == 0)
        return;
    negamax_adopt(&search->core, root->best, result);
    result->proven = result->proven && (!search->core.out || result->won);
}

NegamaxResult minimax_run(Minimax *search, const Game *game, const Rater *rater, const Limits *limits, Rng *rng)
{
    NegamaxResult result;
    assert(!game_is_over(game));
    negamax_begin(&search->core, limits);
    game_copy(&search->game, game);
    search->rater = rater;
    search->levels[0] = (Level){.fresh = true};
    shuffle_cells(search, rng);
    table_clear(&search->table); // its entries depend on the order of equal cells
    begin(search, &result);
    unsigned last = negamax_depth(&search->core, &game->board, search->options.depth);
    for (unsigned depth = search->options.deepening ? 1 : last; depth <= last; depth++) {
        NegamaxNode root = {.side = board_side(&game->board)};
        search->first = result.line[0];
        (void)negamax_search(&search->core, &kind, search, depth, &root);
        adopt(search, &root, &result);
        if (search->core.out || result.proven)
            break;
    }
    result.nodes = search->core.nodes;
    return result;
}
