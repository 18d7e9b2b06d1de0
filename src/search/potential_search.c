#include "search/potential_search.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct PotentialSearch {
    PotentialSearchOptions options;
    unsigned list_size; // cells that a level's list has room for
    Cell *lists;        // list_size for each level
    Potential *potential;
    // Of the search under way.
    PotentialSearchLimits limits;
    unsigned depth; // of this iteration
    uint64_t nodes;
    bool out; // a limit has been reached: what comes back from here on is worth nothing
    unsigned line_count[POTENTIAL_SEARCH_DEPTH_MAX + 1];
    Cell line[POTENTIAL_SEARCH_DEPTH_MAX + 1][POTENTIAL_SEARCH_DEPTH_MAX]; // the best play from each level on
    uint16_t lot[RULES_CELLS_MAX];                                         // of the root's cells: the lowest wins
};

// What a cell or a position is worth to the side to move, and whether that holds whatever was left out.
typedef struct {
    double value;
    bool proven;
} Worth;

// A position on the way of the search.
typedef struct {
    unsigned ply; // stones since the root
    Side side;
    double value; // of the game, to the side to move
    double alpha, beta;
    Cell *list;
    unsigned count;
    bool complete; // no legal cell was left out
    bool sure;     // every cell looked at so far was proven
    Worth best;
} Node;

Status potential_search_open(PotentialSearch **search, const PotentialSearchOptions *options, const Rules *rules,
                             Error *error)
{
    assert(options->depth >= 1 && options->depth <= POTENTIAL_SEARCH_DEPTH_MAX && options->branching >= 1);
    unsigned cells = rules_cells(rules);
    PotentialSearch *made = calloc(1, sizeof *made);
    *search = made;
    if (made == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a search");
    made->options = *options;
    made->list_size = options->branching < cells ? options->branching : cells;
    made->lists = malloc((size_t)options->depth * made->list_size * sizeof made->lists[0]);
    Status status = made->lists != NULL ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "no memory for a search");
    if (status == STATUS_OK)
        status = potential_open(&made->potential, rules, options->base, error);
    if (status != STATUS_OK) {
        potential_search_close(made);
        *search = NULL;
    }
    return status;
}

void potential_search_close(PotentialSearch *search)
{
    if (search == NULL)
        return;
    potential_close(search->potential);
    free(search->lists);
    free(search);
}

// --- Limits ---

// Depth 1 is looked at in any case: it makes no list but that of the root.
static bool is_spent(const PotentialSearch *search)
{
    return search->depth > 1 && search->limits.nodes > 0 && search->nodes >= search->limits.nodes;
}

// Asked for every list of cells: a look at the clock takes far less than to make one.
static bool is_late(const PotentialSearchLimits *limits)
{
    if (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed))
        return true;
    return limits->deadline > 0 && clock_seconds() >= limits->deadline;
}

// --- What a stone is worth ---

static bool stone_wins(const Board *board, Cell cell)
{
    Side side = board_side(board);
    CellLines at = board_lines_of(board, cell);
    FourLines lines = {
        board->line[at.row][side] | cell_bit_in_row(cell),
        board->line[at.column][side] | cell_bit_in_column(cell),
        board->line[at.rising][side] | cell_bit_in_row(cell),
        board->line[at.falling][side] | cell_bit_in_row(cell),
    };
    return board_lines_win(board, &lines);
}

// Whether the stone ends the game, and what that is worth to its side.
static bool stone_ends(const PotentialSearch *search, const Node *node, Cell cell, Worth *worth)
{
    const Board *board = potential_board(search->potential);
    bool won = stone_wins(board, cell);
    *worth = (Worth){won ? POTENTIAL_SEARCH_WIN - (node->ply + 1) : 0, true};
    return won || board_count(board) + 1 == board->cells;
}

static double gain_of(const PotentialSearch *search, Cell cell)
{
    return search->options.summed ? potential_gain_summed(search->potential, cell)
                                  : potential_gain(search->potential, cell);
}

static Worth look(PotentialSearch *search, Node *node);

// Places a stone, looks at what comes of it, and takes it back. The last stone of a search is not even placed: what it
// adds is known before.
static Worth look_below(PotentialSearch *search, const Node *node, Cell cell)
{
    Worth worth = {0, false};
    search->out = search->out || is_spent(search);
    if (search->out)
        return worth;
    search->nodes++;
    search->line_count[node->ply + 1] = 0;
    if (stone_ends(search, node, cell, &worth))
        return worth;
    double value = node->value + gain_of(search, cell);
    if (node->ply + 1 == search->depth)
        return (Worth){value, false};
    BoardState before = potential_play(search->potential, cell);
    Node next = {.ply = node->ply + 1, .side = board_side(potential_board(search->potential))};
    bool same = next.side == node->side;
    next.value = same ? value : -value;
    next.alpha = same ? node->alpha : -node->beta;
    next.beta = same ? node->beta : -node->alpha;
    worth = look(search, &next);
    potential_undo(search->potential, cell, before);
    return same ? worth : (Worth){-worth.value, worth.proven};
}

// The expected play: this cell, and what is expected after it.
static void keep_line(PotentialSearch *search, unsigned ply, Cell cell)
{
    unsigned count = search->line_count[ply + 1];
    search->line[ply][0] = cell;
    memcpy(&search->line[ply][1], search->line[ply + 1], count * sizeof(Cell));
    search->line_count[ply] = count + 1;
}

// What the best is worth is proven by itself if one cell is enough, and by all others as well if not.
static void settle(Node *node, bool cut)
{
    if (!cut && !potential_search_is_win(node->best.value))
        node->best.proven = node->sure && node->complete;
}

static unsigned count_legal(const Board *board)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        count += bits_count(board_legal_row(board, row));
    return count;
}

static Worth look(PotentialSearch *search, Node *node)
{
    // 1. The limits have the first word; the game is not over.
    search->out = is_late(&search->limits);
    if (search->out)
        return (Worth){0, false};
    // 2. The cells.
    node->list = search->lists + (size_t)node->ply * search->list_size;
    node->count = potential_best(search->potential, node->list, search->list_size);
    node->complete = node->count == count_legal(potential_board(search->potential));
    node->best = (Worth){-INFINITY, true};
    node->sure = true;
    // 3. Each in turn.
    for (unsigned i = 0; i < node->count && node->best.value < node->beta; i++) {
        Worth worth = look_below(search, node, node->list[i]);
        if (search->out)
            return worth;
        node->sure &= worth.proven;
        if (worth.value <= node->best.value)
            continue;
        node->best = worth;
        node->alpha = fmax(node->alpha, worth.value);
        keep_line(search, node->ply, node->list[i]);
    }
    settle(node, node->best.value >= node->beta);
    return node->best;
}

// --- The root ---

static void swap(Cell *a, Cell *b)
{
    Cell kept = *a;
    *a = *b;
    *b = kept;
}

// The best cells as potential_best says, but where only some of several equals are among them, those by lot: each cell
// that comes along takes the place of one of them as often as it should.
static void list_root(PotentialSearch *search, Node *root, Rng *rng)
{
    const Board *board = potential_board(search->potential);
    root->list = search->lists;
    root->count = potential_best(search->potential, root->list, search->list_size);
    root->complete = root->count == count_legal(board);
    double least = potential_sum(search->potential, root->list[root->count - 1]);
    unsigned first = root->count, seen = 0;
    while (first > 0 && potential_sum(search->potential, root->list[first - 1]) == least)
        first--;
    unsigned places = root->count - first;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1) {
            Cell cell = cell_at(bits_lowest(legal), row);
            if (potential_sum(search->potential, cell) != least)
                continue;
            unsigned place = seen < places ? seen : rng_below(rng, seen + 1);
            seen++;
            if (place < places)
                root->list[first + place] = cell;
        }
}

static void draw_lots(PotentialSearch *search, const Node *root, Rng *rng)
{
    for (unsigned i = 0; i < root->count; i++) {
        unsigned j = rng_below(rng, i + 1);
        search->lot[root->list[i]] = search->lot[root->list[j]];
        search->lot[root->list[j]] = (uint16_t)i;
    }
}

// Whether a cell of the root is to be played rather than the best so far.
static bool is_better(const PotentialSearch *search, const Node *root, Worth worth, unsigned i)
{
    return worth.value > root->best.value ||
           (worth.value == root->best.value && search->lot[root->list[i]] < search->lot[search->line[0][0]]);
}

// Every cell of the root to one depth. Below the best value by one, so that equals are found out.
static void look_root(PotentialSearch *search, Node *root)
{
    unsigned best = 0;
    root->best = (Worth){-INFINITY, true};
    root->beta = INFINITY;
    root->sure = true;
    search->line_count[0] = 0;
    for (unsigned i = 0; i < root->count && !search->out; i++) {
        root->alpha = root->best.value - 1;
        Worth worth = look_below(search, root, root->list[i]);
        if (search->out)
            return;
        root->sure &= worth.proven;
        if (search->line_count[0] > 0 && !is_better(search, root, worth, i))
            continue;
        root->best = worth;
        best = i;
        keep_line(search, 0, root->list[i]);
    }
    settle(root, false);
    swap(&root->list[0], &root->list[best]); // the first to be looked at to the next depth
}

static unsigned depth_within(const PotentialSearch *search)
{
    const Board *board = potential_board(search->potential);
    unsigned depth = search->options.depth, most = search->limits.depth, empty = board->cells - board_count(board);
    depth = most > 0 && most < depth ? most : depth;
    return empty < depth ? empty : depth;
}

// Takes over what a finished depth found.
static void adopt(const PotentialSearch *search, Worth worth, PotentialSearchResult *result)
{
    result->value = worth.value + 0.0; // a draw is 0, never -0
    result->proven = worth.proven;
    result->distance =
        potential_search_is_win(fabs(worth.value)) ? (int)(POTENTIAL_SEARCH_WIN - fabs(worth.value)) : -1;
    result->depth = search->depth;
    result->line_count = search->line_count[0];
    memcpy(result->line, search->line[0], result->line_count * sizeof(Cell));
}

// A win or loss is found at the depth at which it ends, and deeper searches would only find it again.
void potential_search_run(PotentialSearch *search, const Board *board, const PotentialSearchLimits *limits, Rng *rng,
                          PotentialSearchResult *result)
{
    assert(!board_is_over(board));
    potential_set(search->potential, board);
    search->limits = *limits;
    search->nodes = 0;
    search->out = false;
    Node root = {.side = board_side(board)};
    list_root(search, &root, rng);
    draw_lots(search, &root, rng);
    unsigned depth = depth_within(search);
    *result = (PotentialSearchResult){.distance = -1};
    for (search->depth = 1; search->depth <= depth && result->distance < 0; search->depth++) {
        look_root(search, &root);
        if (search->out)
            break;
        adopt(search, root.best, result);
    }
    result->nodes = search->nodes;
}
