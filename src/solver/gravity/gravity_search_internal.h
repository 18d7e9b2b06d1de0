// The search of the exact solver. The including file defines the word width (gravity_kernel_internal.h) and the name of
// the resulting engine (GRAVITY_ENGINE).
#pragma once

#include "solver/gravity/gravity_node_internal.h"

#include <assert.h>

enum {
    LATER = 1 << 20,       // larger than any promise
    BUSY_EMPTY = 18,       // threads share positions with more empty cells than these
    LOOK_AHEAD_EMPTY = 10, // children are looked up in the table with more empty cells than these
};

// The moves to search and their promise.
typedef struct {
    unsigned count;
    unsigned column[COLUMNS];
    int promise[COLUMNS];
} GravityMoveList;

static int search_node(GravitySearch *search, const GravitySearchNode *node, int alpha);

// Half of a non-negative number, rounded down.
GRAVITY_HOT int half(int number)
{
    return (int)((unsigned)number / 2);
}

// About half of the logarithm of the nodes; not 0, which marks an empty entry.
GRAVITY_HOT unsigned work_of(uint64_t nodes)
{
    unsigned work = 1 + (64 - bits_leading_zeros(nodes)) / 2;
    return work < WORK_MAX ? work : WORK_MAX;
}

// Searches a single move, without table and ordering.
GRAVITY_HOT int search_single(GravitySearch *search, const GravitySearchNode *node, Word stone, int alpha)
{
    const BoardGeometry *shape = search->shape;
    const int empty = (int)node->empty;
    Word threats = single_threats(shape, node, stone);
    if (leaves_no_answer(shape, node->mask | stone, threats))
        return half(empty - 1);
    if (alpha >= half(empty - 3))
        return half(empty - 3);
    int score = -single_bound(shape, node, stone, threats);
    if (score > alpha)
        return score;
    GravitySearchNode child;
    child_of(shape, node, word_lowest(stone) / (shape_height(shape) + 1), stone, threats, &child);
    return -search_node(search, &child, -alpha - 1);
}

// Looks up the children in the table (`there`, or NULL) and rates those that it does not decide. Returns the best score
// that the table decides; above alpha, it is the answer.
GRAVITY_HOT int gather_moves(const GravitySearch *search, const GravitySearchNode *node, const Children *children,
                             const Place *there, int alpha, GravityMoveList *moves)
{
    const BoardGeometry *shape = search->shape;
    const GravityTable *table = table_for(search, node->empty - 1);
    const Word ends = node->theirs | shape->spare, usable = ends ^ (ends - shape->bottom);
    int score = -(int)shape->cells;
    moves->count = 0;
    for (uint64_t open = children->open; open != 0; open &= open - 1) {
        unsigned i = (unsigned)__builtin_ctzll(open);
        GravityFound found;
        if (there != NULL && table_find(table, &there[i], &found)) {
            if (-found.high > alpha)
                return -found.high;
            if (-found.low <= alpha) {
                score = -found.low > score ? -found.low : score;
                continue;
            }
        }
        int promise = move_promise(shape, node, usable, children->stone[i], children->threats[i]);
        moves->promise[moves->count] = promise * 64 + shape->central[i];
        moves->column[moves->count++] = i;
    }
    return score;
}

GRAVITY_HOT unsigned most_promising(const GravityMoveList *moves)
{
    unsigned pick = 0;
    for (unsigned i = 1; i < moves->count; i++)
        if (moves->promise[i] > moves->promise[pick])
            pick = i;
    return pick;
}

// Marks a position as being searched by this thread and returns the place of the mark; NULL if another thread searches
// it and it may be deferred.
GRAVITY_HOT _Atomic uint64_t *become_busy(const GravitySearch *search, const GravitySearchNode *node, bool may_leave)
{
    uint64_t mark = (uint64_t)scatter(key_of(node), GRAVITY_BITS) | 1;
    _Atomic uint64_t *place = &search->busy[mark >> 7 & (GRAVITY_BUSY - 1)];
    if (may_leave && atomic_load_explicit(place, memory_order_relaxed) == mark)
        return NULL;
    atomic_store_explicit(place, mark, memory_order_relaxed);
    return place;
}

// Searches the moves in order of promise until one exceeds alpha. Returns the best score; `score` is that of moves
// which need no search.
GRAVITY_HOT int search_moves(GravitySearch *search, const GravitySearchNode *node, const Children *children,
                             GravityMoveList *moves, int score, int alpha)
{
    const bool shared = search->busy != NULL && node->empty > BUSY_EMPTY;
    for (bool first = true; moves->count > 0 && !search->stopped;) {
        unsigned pick = most_promising(moves), column = moves->column[pick];
        GravitySearchNode child;
        child_of(search->shape, node, column, children->stone[column], children->threats[column], &child);
        _Atomic uint64_t *busy = NULL;
        if (shared) {
            busy = become_busy(search, &child, !first && moves->promise[pick] > -LATER);
            if (busy == NULL) {
                moves->promise[pick] -= 2 * LATER;
                continue;
            }
        }
        first = false;
        int value = -search_node(search, &child, -alpha - 1);
        if (busy != NULL)
            atomic_store_explicit(busy, 0, memory_order_relaxed);
        score = value > score ? value : score;
        if (score > alpha)
            break;
        moves->count--;
        moves->column[pick] = moves->column[moves->count];
        moves->promise[pick] = moves->promise[moves->count];
    }
    return score;
}

// Raises the lower bound by parity if that can exceed alpha.
GRAVITY_HOT void bound_by_parity(const BoardGeometry *shape, const GravitySearchNode *node, Children *children,
                                 int alpha, GravityFound *bounds)
{
    bound_children(shape, node, children);
    for (uint64_t safe = children->safe; safe != 0 && bounds->low <= alpha; safe &= safe - 1) {
        int score = dead_score(shape, children->dead[__builtin_ctzll(safe)]);
        bounds->low = score > bounds->low ? score : bounds->low;
    }
    if (alpha == 0 && bounds->low <= 0 && children->safe != 0 && node->empty % 2 != 0 &&
        follower_wins(shape, node, children))
        bounds->low = 1;
}

GRAVITY_HOT void bound_by_table(const GravityTable *table, const Place *place, GravityFound *bounds)
{
    GravityFound found;
    if (!table_find(table, place, &found))
        return;
    bounds->low = found.low > bounds->low ? found.low : bounds->low;
    bounds->high = found.high < bounds->high ? found.high : bounds->high;
}

// Whether the bounds decide that the score is above alpha or not, and the bound.
GRAVITY_HOT bool bounds_answer(const GravityFound *bounds, int alpha, int *score)
{
    *score = bounds->low > alpha ? bounds->low : bounds->high;
    return bounds->low > alpha || bounds->high <= alpha;
}

// Whether the score of a position is above alpha. The side to move has no winning cell and a move that does not lose at
// once, as the parent has checked.
static int search_node(GravitySearch *search, const GravitySearchNode *node, int alpha)
{
    const BoardGeometry *shape = search->shape;
    const int empty = (int)node->empty;
    const uint64_t before = ++search->nodes;
    if (--search->countdown == 0 && gravity_search_poll(search))
        return 0;

    // 1. Bounds without move generation. A win takes two more own stones, a loss two of the other side.
    if (empty <= 2)
        return 0;
    GravityFound bounds = {.low = -half(empty - 2), .high = half(empty - 1)};
    int score;
    if (bounds_answer(&bounds, alpha, &score))
        return score;
    const Word open = moves_that_hold(shape, node->mask, node->theirs);
    assert(open != 0);
    if (!word_has_two(open))
        return search_single(search, node, open, alpha);

    // 2. The threats after every move: a win in two moves, or none. The table entry is prefetched here.
    GravityTable *table = table_for(search, node->empty);
    Place place = table_place(table, key_of(node)), there[COLUMNS];
    __builtin_prefetch(place.bucket);
    Children children;
    look_at_children(shape, node, open, &children);
    if (children.winning != 0)
        return bounds.high;
    bounds.high = half(empty - 3);
    if (alpha >= bounds.high)
        return bounds.high;
    const bool look_up = empty > LOOK_AHEAD_EMPTY;
    if (look_up)
        place_children(search, node, &children, there);

    // 3. Bounds by parity.
    bound_by_parity(shape, node, &children, alpha, &bounds);
    if (bounds_answer(&bounds, alpha, &score))
        return score;

    // 4. Transposition table cut-off.
    bound_by_table(table, &place, &bounds);
    if (bounds_answer(&bounds, alpha, &score))
        return score;

    // 5. The moves: by the table and, if necessary, by a search.
    GravityMoveList moves;
    score = gather_moves(search, node, &children, look_up ? there : NULL, alpha, &moves);
    if (score > alpha)
        return score;
    score = search_moves(search, node, &children, &moves, score, alpha);
    if (search->stopped)
        return 0;

    // 6. Store the result: alpha was between the bounds, and so is the score.
    *(score > alpha ? &bounds.low : &bounds.high) = score;
    bounds.work = work_of(search->nodes - before);
    table_store(table, &place, &bounds);
    return score;
}

static Word mirror(const BoardGeometry *shape, Word word)
{
    Word mirrored = 0;
    for (unsigned i = 0; i < shape->width; i++) {
        unsigned column = (shape->height + 1) * i, other = (shape->height + 1) * (shape->width - 1 - i);
        mirrored |= (word >> column & (((Word)1 << shape->height) - 1)) << other;
    }
    return mirrored;
}

static Word threats_of(const BoardGeometry *shape, Word stones, Word mask)
{
    Lanes lanes, cells;
    lanes_fill(&lanes, stones);
    lanes_threats(shape, &lanes, &cells);
    return LANE(cells, 0) & shape->board & ~mask;
}

static void node_init(const BoardGeometry *shape, const GravityPosition *position, GravitySearchNode *node)
{
    *node = (GravitySearchNode){.own = (Word)position->own, .mask = (Word)position->mask};
    node->mirror_own = mirror(shape, node->own);
    node->mirror_mask = mirror(shape, node->mask);
    node->mine = threats_of(shape, node->own, node->mask);
    node->theirs = threats_of(shape, node->own ^ node->mask, node->mask);
    node->empty = shape->cells - word_count(node->mask);
}

static int probe(GravitySearch *search, const GravityPosition *position, int alpha)
{
    const BoardGeometry *shape = search->shape;
    GravitySearchNode node;
    node_init(shape, position, &node);
    Word possible = (node.mask + shape->bottom) & shape->board;
    if (possible == 0)
        return 0;
    if ((node.mine & possible) != 0)
        return (int)(node.empty + 1) / 2;
    if (leaves_no_answer(shape, node.mask, node.theirs))
        return -(int)node.empty / 2;
    return search_node(search, &node, alpha);
}

static int bound(const void *memory, const GravityPosition *position)
{
    const BoardGeometry *shape = memory;
    GravitySearchNode node;
    node_init(shape, position, &node);
    Lanes stones, mask, threats, rows, dead;
    lanes_fill(&stones, node.own);
    lanes_fill(&mask, node.mask);
    lanes_fill(&threats, node.theirs);
    reach(shape, node.empty % 2 == 0, &stones, &mask, &threats, &rows, &dead);
    if (LANE(rows, 0) != 0)
        return (int)(shape->cells + 1) / 2;
    int score = -dead_score(shape, LANE(dead, 0));
    lanes_fill(&stones, node.own ^ node.mask);
    follower_rows(shape, &stones, &mask, &rows);
    return score == 0 && LANE(rows, 0) != 0 ? -1 : score;
}

static void threats_of_both(const void *memory, const GravityPosition *position, GravityWide threats[2])
{
    GravitySearchNode node;
    node_init(memory, position, &node);
    threats[0] = node.mine;
    threats[1] = node.theirs;
}

static void shape_init(void *memory, const Rules *rules)
{
    BoardGeometry *shape = memory;
    *shape =
        (BoardGeometry){.width = rules->width, .height = rules->height, .k = rules->k, .cells = rules_cells(rules)};
    const Word column = ((Word)1 << rules->height) - 1;
    Word follow = 0;
    for (int row = rules->height - 1; row >= 0; row -= 2)
        follow |= (Word)1 << row;
    Word lanes[COLUMNS] = {0};
    for (unsigned i = 0; i < shape->width; i++) {
        unsigned at = (shape->height + 1) * i;
        shape->column[i] = column << at;
        lanes[i] = column << at;
        shape->central[i] = (uint8_t)(i < shape->width / 2 ? i : shape->width - 1 - i);
        shape->board |= column << at;
        shape->bottom |= (Word)1 << at;
        shape->top |= (Word)1 << (at + shape->height - 1);
        shape->spare |= (Word)1 << (at + shape->height);
        shape->follow |= follow << at;
    }
    shape->all_columns = bits_low(shape->width);
    shape->lead = shape->board ^ shape->follow;
    __builtin_memcpy(shape->columns, lanes, sizeof lanes);
    shape->runs[0] = rules->k <= rules->height;
    shape->runs[2] = rules->k <= rules->width;
    shape->runs[1] = shape->runs[3] = shape->runs[0] && shape->runs[2];
}

const GravityEngine GRAVITY_ENGINE = {sizeof(BoardGeometry), shape_init, probe, bound, threats_of_both};
