// The search of Szóts and Harmati on the negamax core: candidates by potential, gains, ties at the root, and deepening.
#include "papers/patterns/potential_search.h"

#include "agents/search/negamax_tree.h"
#include "base/memory.h"

#include <stdlib.h>

// What the search keeps for each ply of the current line.
typedef struct {
    double value;      // of the game, for the side to move
    BoardState before; // the stone that was played last at this ply
    Cell *list;        // candidates
    unsigned count, taken;
} Level;

struct PotentialSearch {
    PotentialSearchOptions options;
    unsigned list_size; // cells that the list of a ply has room for
    Cell *lists;        // list_size for each ply
    Potential *potential;
    // The current search.
    Negamax core;
    uint16_t order[RULES_CELLS_MAX]; // of the root's candidates in random order: the lowest is preferred
    Level levels[POTENTIAL_SEARCH_DEPTH_MAX + 1];
};

PotentialSearch *potential_search_open(const PotentialSearchOptions *options, const Rules *rules)
{
    assert(options->depth >= 1 && options->depth <= POTENTIAL_SEARCH_DEPTH_MAX && options->branching >= 1);
    unsigned cells = rules_cells(rules);
    PotentialSearch *made = memory_new(1, sizeof *made);
    made->options = *options;
    made->list_size = options->branching < cells ? options->branching : cells;
    made->lists = memory_new((size_t)options->depth * made->list_size, sizeof made->lists[0]);
    made->core.clock_period = 1; // reading the clock takes far less than to make a list of cells
    made->core.win = POTENTIAL_SEARCH_WIN;
    made->core.stone = 1;
    made->core.decided = POTENTIAL_SEARCH_WIN / 2;
    for (unsigned ply = 0; ply < options->depth; ply++)
        made->levels[ply].list = made->lists + (size_t)ply * made->list_size;
    made->potential = potential_open(rules, options->base);
    return made;
}

void potential_search_close(PotentialSearch *search)
{
    if (search == NULL)
        return;
    potential_close(search->potential);
    free(search->lists);
    free(search);
}

// --- Stones ---

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

// Whether the stone ends the game, and the score for its side.
static bool stone_ends(const PotentialSearch *search, unsigned ply, Cell cell, NegamaxScore *score)
{
    const Board *board = potential_board(search->potential);
    bool won = stone_wins(board, cell);
    *score = (NegamaxScore){won ? search->core.win - (ply + 1) : 0, true};
    return won || board_count(board) + 1 == board->cells;
}

// --- Nodes ---

// The last stone of a line is not placed: what it adds is known before. Depth 1 is always completed: it makes no list
// but that of the root.
static bool play(void *context, const NegamaxNode *node, Cell cell, NegamaxNode *next, NegamaxScore *score)
{
    PotentialSearch *search = context;
    Negamax *core = &search->core;
    Level *level = &search->levels[node->ply];
    core->out = core->depth > 1 && core->limits.nodes > 0 && core->nodes >= core->limits.nodes;
    if (core->out)
        return true;
    core->nodes++;
    if (stone_ends(search, node->ply, cell, score))
        return true;
    double value = level->value + potential_gain(search->potential, cell, search->options.summed);
    if (next->ply == core->depth) {
        *score = (NegamaxScore){(int64_t)value, false};
        return true;
    }
    level->before = potential_play(search->potential, cell);
    next->side = board_side(potential_board(search->potential));
    level[1].value = next->side == node->side ? value : -value;
    return false;
}

static void undo(void *context, const NegamaxNode *node, Cell cell)
{
    PotentialSearch *search = context;
    potential_undo(search->potential, cell, search->levels[node->ply].before);
}

// Lists the candidates. Those of the root are listed before the search.
static bool enter(void *context, NegamaxNode *node, NegamaxScore *score)
{
    PotentialSearch *search = context;
    Level *level = &search->levels[node->ply];
    (void)score;
    search->core.out = node->ply > 0 && limits_expired(&search->core.limits);
    if (search->core.out)
        return true;
    if (node->ply > 0)
        level->count = potential_best(search->potential, level->list, search->list_size, NULL);
    level->taken = 0;
    node->complete = level->count == negamax_count_legal(potential_board(search->potential));
    return false;
}

static Cell next(void *context, const NegamaxNode *node)
{
    PotentialSearch *search = context;
    Level *level = &search->levels[node->ply];
    return level->taken < level->count ? level->list[level->taken++] : (Cell)CELL_NONE;
}

static bool prefers(void *context, Cell cell, Cell best)
{
    const PotentialSearch *search = context;
    return search->order[cell] < search->order[best];
}

static NegamaxScore search_node(Negamax *core, void *search, NegamaxNode *node);

static const NegamaxKind kind = {
    .node = search_node, .play = play, .undo = undo, .enter = enter, .next = next, .prefers = prefers};

static NegamaxScore search_node(Negamax *core, void *search, NegamaxNode *node)
{
    return negamax_node(&kind, core, search, node);
}

// --- The root ---

// The best cells as potential_best says. Where only some of several equal cells are among them, they are drawn at
// random by reservoir sampling.
static void list_root(PotentialSearch *search, Rng *rng)
{
    const Board *board = potential_board(search->potential);
    Level *root = &search->levels[0];
    root->count = potential_best(search->potential, root->list, search->list_size, NULL);
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

static void shuffle_root(PotentialSearch *search, Rng *rng)
{
    const Level *root = &search->levels[0];
    for (unsigned i = 0; i < root->count; i++) {
        unsigned j = rng_below(rng, i + 1);
        search->order[root->list[i]] = search->order[root->list[j]];
        search->order[root->list[j]] = (uint16_t)i;
    }
}

// Exchanges a cell of the root with the first one, so that the next depth begins with it.
static void put_first(const Level *root, Cell cell)
{
    unsigned i = 0;
    while (root->list[i] != cell)
        i++;
    root->list[i] = root->list[0];
    root->list[0] = cell;
}

// A win or loss is found at the depth at which it ends, and deeper searches would only find it again.
NegamaxResult potential_search_run(PotentialSearch *search, const Board *board, const Limits *limits, Rng *rng)
{
    NegamaxResult result = {.distance = -1};
    assert(!board_is_over(board));
    negamax_begin(&search->core, limits);
    potential_set(search->potential, board);
    list_root(search, rng);
    shuffle_root(search, rng);
    unsigned last = negamax_depth(&search->core, board, search->options.depth);
    for (unsigned depth = 1; depth <= last && result.distance < 0; depth++) {
        NegamaxNode root = {.side = board_side(board), .ties = true};
        if (!negamax_search(&search->core, &kind, search, depth, &root))
            break;
        negamax_adopt(&search->core, root.best, &result);
        put_first(&search->levels[0], root.best_cell);
    }
    result.nodes = search->core.nodes;
    return result;
}
