#include "search/minimax.h"

#include "base/clock.h"
#include "search/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Minimax {
    MinimaxOptions options;
    unsigned list_size; // cells that a level's list has room for
    RatedCell *lists;   // list_size for each level
    Table table;
    // Of the search under way.
    const Rater *rater;
    MinimaxLimits limits;
    unsigned depth; // of this iteration
    uint64_t nodes;
    bool out;                      // a limit has been reached: what comes back from here on is worth nothing
    Cell first;                    // the cell to look at first at the root
    uint16_t lot[RULES_CELLS_MAX]; // the order of equals
    uint64_t marks[MINIMAX_DEPTH_MAX + 1][RULES_SIDE_MAX]; // of each turn of the line under way, a word a row
    unsigned line_count[MINIMAX_DEPTH_MAX + 1];
    Cell line[MINIMAX_DEPTH_MAX + 1][MINIMAX_DEPTH_MAX]; // the best play from each level on
    Game game;
    Ratings ratings;
};

// What a position is worth to the side to move, and whether that holds whatever was cut.
typedef struct {
    double value;
    bool proven;
} Worth;

// A position on the way of the search.
typedef struct {
    unsigned ply;  // stones since the root
    unsigned turn; // turns since the root
    bool fresh;    // no stone of its turn has been placed during the search: nothing is marked
    Side side;
    RatedCell *list;
    unsigned count;
    bool complete; // no legal cell was left out but those with a mark
    double alpha, beta;
    Worth best;
    bool sure; // every cell looked at so far was proven
} Node;

Status minimax_open(Minimax **search, const MinimaxOptions *options, const Rules *rules, Error *error)
{
    assert(options->depth >= 1 && options->depth <= MINIMAX_DEPTH_MAX);
    unsigned cells = rules_cells(rules);
    *search = calloc(1, sizeof **search);
    Minimax *made = *search;
    if (made == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a search");
    made->options = *options;
    made->list_size = options->width > 0 && options->width < cells ? options->width : cells;
    made->lists = malloc((size_t)options->depth * made->list_size * sizeof made->lists[0]);
    Status status = made->lists != NULL ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "no memory for a search");
    if (status == STATUS_OK && options->table_bytes > 0)
        status = table_open(&made->table, options->table_bytes, error);
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

// --- What a position is worth ---

static double cut_utility(double utility)
{
    assert(!isnan(utility));
    return fmax(-MINIMAX_WIN / 2, fmin(utility, MINIMAX_WIN / 2));
}

// The end of a game, `ply` stones after the root.
static Worth worth_of_end(const Board *board, unsigned ply)
{
    double win = MINIMAX_WIN - ply * MINIMAX_STONE;
    Winner winner = board_winner(board);
    bool mine = winner == (board_side(board) == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
    return (Worth){winner == WINNER_NONE ? 0 : mine ? win : -win, true};
}

static Worth worth_of_leaf(const Ratings *ratings)
{
    double best = ratings->cells[0].utility;
    for (unsigned i = 1; i < ratings->count; i++)
        best = fmax(best, ratings->cells[i].utility);
    return (Worth){cut_utility(isnan(ratings->value) ? best : ratings->value), false};
}

static bool is_out(Minimax *search)
{
    const MinimaxLimits *limits = &search->limits;
    if (limits->nodes > 0 && search->nodes > limits->nodes)
        return true;
    if (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed))
        return true;
    // The clock at every node: a look takes far less than a rating, and some raters take milliseconds.
    return limits->deadline > 0 && clock_seconds() >= limits->deadline;
}

// --- The cells of a level ---

static bool is_marked(const Minimax *search, unsigned turn, Cell cell)
{
    return (search->marks[turn][cell_row(cell)] >> cell_column(cell) & 1) != 0;
}

// Sets a mark, or takes it back.
static void mark(Minimax *search, unsigned turn, Cell cell)
{
    if (!search->options.plain && !search->options.unmarked)
        search->marks[turn][cell_row(cell)] ^= cell_bit_in_row(cell);
}

static bool is_better(const Minimax *search, const RatedCell *a, const RatedCell *b)
{
    return a->utility > b->utility || (a->utility == b->utility && search->lot[a->cell] < search->lot[b->cell]);
}

// Puts a cell into its place among the best so far.
static void insert(const Minimax *search, Node *node, const RatedCell *cell)
{
    unsigned low = 0, high = node->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (is_better(search, cell, &node->list[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == search->list_size)
        return;
    if (node->count < search->list_size)
        node->count++;
    memmove(&node->list[low + 1], &node->list[low], (node->count - 1 - low) * sizeof node->list[0]);
    node->list[low] = *cell;
}

static unsigned count_legal(const Board *board)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        count += bits_count(board_legal_row(board, row));
    return count;
}

// The best rated cells, best first; those with a mark are left out, and nothing takes their place.
static void make_list(Minimax *search, Node *node)
{
    const Ratings *ratings = &search->ratings;
    node->list = search->lists + (size_t)node->ply * search->list_size;
    for (unsigned i = 0; i < ratings->count; i++)
        insert(search, node, &ratings->cells[i]);
    node->complete = node->count == count_legal(&search->game.board);
    unsigned listed = node->count;
    node->count = 0;
    for (unsigned i = 0; i < listed; i++)
        if (!is_marked(search, node->turn, node->list[i].cell))
            node->list[node->count++] = node->list[i];
}

// --- The table ---
// Only turns that begin are kept: in the middle of one a position is worth different things under different marks. A
// position has always the same number of stones, so within one search an end is as far from the root on every way.

static bool is_kept(const Minimax *search, const Node *node)
{
    return search->table.entries != NULL && node->fresh && node->ply > 0 && !search->options.plain;
}

// Whether the table knows enough of a position; `first` is its best cell where it is known.
static bool recall(const Minimax *search, const Node *node, Worth *worth, Cell *first)
{
    const TableEntry *entry = table_find(&search->table, board_key(&search->game.board));
    if (entry == NULL)
        return false;
    *first = entry->best;
    *worth = (Worth){entry->value, entry->proven};
    return entry->depth == search->depth - node->ply &&
           (entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && worth->value >= node->beta) ||
            (entry->bound == BOUND_UPPER && worth->value <= node->alpha));
}

static void remember(Minimax *search, const Node *node, double alpha, Cell best)
{
    double value = node->best.value;
    table_put(&search->table, &(TableEntry){
                                  .key = board_key(&search->game.board),
                                  .value = value,
                                  .best = best,
                                  .depth = (uint8_t)(search->depth - node->ply),
                                  .bound = value >= node->beta ? BOUND_LOWER
                                           : value <= alpha    ? BOUND_UPPER
                                                               : BOUND_EXACT,
                                  .proven = node->best.proven,
                              });
}

// --- The search ---

static Worth look(Minimax *search, Node *node);

// Plays a cell, looks at what comes of it, and takes it back; seen from the side that plays it.
static Worth look_below(Minimax *search, const Node *node, Cell cell)
{
    Game *game = &search->game;
    BoardState before = board_play(&game->board, cell);
    game->stones[game->played++] = cell;
    bool same = board_side(&game->board) == node->side;
    Node next = {.ply = node->ply + 1, .turn = node->turn + !same, .fresh = !same};
    next.alpha = search->options.plain ? -INFINITY : same ? node->alpha : -node->beta;
    next.beta = search->options.plain ? INFINITY : same ? node->beta : -node->alpha;
    Worth worth = look(search, &next);
    game->played--;
    board_undo(&game->board, cell, before);
    return same ? worth : (Worth){-worth.value, worth.proven};
}

// The expected play: this cell, and what is expected after it.
static void keep_line(Minimax *search, unsigned ply, Cell cell)
{
    unsigned count = search->line_count[ply + 1];
    search->line[ply][0] = cell;
    memcpy(&search->line[ply][1], search->line[ply + 1], count * sizeof(Cell));
    search->line_count[ply] = count + 1;
}

// Looks at the cell of one rank; true when nothing more need be looked at.
static bool try_rank(Minimax *search, Node *node, unsigned rank)
{
    Worth worth = look_below(search, node, node->list[rank].cell);
    if (search->out)
        return true;
    node->sure &= worth.proven;
    if (worth.value <= node->best.value)
        return false;
    node->best = worth;
    keep_line(search, node->ply, node->list[rank].cell);
    node->alpha = fmax(node->alpha, worth.value);
    return node->alpha >= node->beta;
}

static unsigned rank_of(const Node *node, Cell cell)
{
    unsigned rank = 0;
    while (rank < node->count && node->list[rank].cell != cell)
        rank++;
    return rank;
}

// Looks at one rank before its time: the marks are those it would have had.
static bool try_first(Minimax *search, Node *node, unsigned rank)
{
    for (unsigned i = 0; i < rank; i++)
        mark(search, node->turn, node->list[i].cell);
    bool done = try_rank(search, node, rank);
    for (unsigned i = 0; i < rank; i++)
        mark(search, node->turn, node->list[i].cell);
    return done;
}

// Every cell of the list, best rated first but for one that is known to be good.
static bool try_list(Minimax *search, Node *node, Cell first)
{
    unsigned early = rank_of(node, first);
    bool done = early < node->count && try_first(search, node, early);
    unsigned rank = 0;
    for (; rank < node->count && !done; rank++) {
        done = rank != early && try_rank(search, node, rank);
        mark(search, node->turn, node->list[rank].cell);
    }
    while (rank-- > 0)
        mark(search, node->turn, node->list[rank].cell);
    return done;
}

// What the best is worth is proven by itself if one cell is enough, and by all others as well if not.
static void settle(Node *node, bool cut)
{
    if (!cut && !minimax_is_win(node->best.value))
        node->best.proven = node->sure && node->complete;
}

static Worth look(Minimax *search, Node *node)
{
    const Board *board = &search->game.board;
    Cell first = node->ply == 0 ? search->first : (Cell)CELL_NONE;
    double alpha = node->alpha;
    search->line_count[node->ply] = 0;
    search->nodes++;
    // 1. The rules have the first word, the limits the second.
    if (board_is_over(board))
        return worth_of_end(board, node->ply);
    search->out = search->out || is_out(search);
    if (search->out)
        return (Worth){0, false};
    // 2. What was found out before, by another order of turns.
    if (is_kept(search, node) && recall(search, node, &node->best, &first))
        return node->best;
    // 3. The rater's view: of the board at a leaf, of the cells above it.
    rater_ask(search->rater, &search->game, &search->ratings);
    if (node->ply == search->depth)
        return worth_of_leaf(&search->ratings);
    make_list(search, node);
    // 4. Each cell in turn. Where all were marked, every set through here has been looked at: nothing is left, which
    //    is worse than anything, to the same side that had the choice.
    node->side = board_side(board);
    node->best = (Worth){-INFINITY, true};
    node->sure = true;
    bool cut = try_list(search, node, first);
    settle(node, cut);
    // 5. For the next time.
    if (!search->out && is_kept(search, node))
        remember(search, node, alpha, search->line_count[node->ply] > 0 ? search->line[node->ply][0] : first);
    return node->best;
}

// --- The root ---

// An order of the cells by lot.
static void draw_lots(Minimax *search, Rng *rng)
{
    const Rules *rules = &search->game.board.rules;
    unsigned count = rules_cells(rules);
    for (unsigned i = 0; i < count; i++) {
        unsigned j = rng_below(rng, i + 1);
        Cell cell = cell_at(i % rules->width, i / rules->width), other = cell_at(j % rules->width, j / rules->width);
        search->lot[cell] = search->lot[other];
        search->lot[other] = (uint16_t)i;
    }
}

// The answer before any search: the best rated cell.
static void begin(Minimax *search, MinimaxResult *result)
{
    rater_ask(search->rater, &search->game, &search->ratings);
    const RatedCell *best = &search->ratings.cells[0];
    for (unsigned i = 1; i < search->ratings.count; i++)
        if (is_better(search, &search->ratings.cells[i], best))
            best = &search->ratings.cells[i];
    *result = (MinimaxResult){.value = cut_utility(best->utility), .distance = -1, .depth = 1, .line_count = 1};
    result->line[0] = best->cell;
}

// Takes over what an iteration found, all of it or up to where a limit stopped it.
static void adopt(const Minimax *search, const Node *root, MinimaxResult *result)
{
    if (search->line_count[0] == 0)
        return;
    double value = root->best.value;
    bool decided = minimax_is_win(value) || minimax_is_win(-value);
    result->value = value + 0.0; // a draw is 0, never -0
    result->proven = root->best.proven && (!search->out || minimax_is_win(value));
    result->distance = decided ? (int)((MINIMAX_WIN - fabs(value)) / MINIMAX_STONE) : -1;
    result->depth = search->depth;
    result->line_count = search->line_count[0];
    memcpy(result->line, search->line[0], result->line_count * sizeof(Cell));
}

static unsigned depth_within(const Minimax *search)
{
    unsigned depth = search->options.depth, most = search->limits.depth;
    unsigned empty = search->game.board.cells - board_count(&search->game.board);
    depth = most > 0 && most < depth ? most : depth;
    return empty < depth ? empty : depth;
}

void minimax_run(Minimax *search, const Game *game, const Rater *rater, const MinimaxLimits *limits, Rng *rng,
                 MinimaxResult *result)
{
    assert(!game_is_over(game));
    game_copy(&search->game, game);
    search->rater = rater;
    search->limits = *limits;
    search->nodes = 0;
    search->out = false;
    draw_lots(search, rng);
    table_clear(&search->table); // what it knew was ordered by other lots
    begin(search, result);
    unsigned depth = depth_within(search);
    for (search->depth = search->options.deepening ? 1 : depth; search->depth <= depth; search->depth++) {
        Node root = {.fresh = true, .alpha = -INFINITY, .beta = INFINITY};
        search->first = result->line[0];
        (void)look(search, &root);
        adopt(search, &root, result);
        if (search->out || result->proven)
            break;
    }
    result->nodes = search->nodes;
}
