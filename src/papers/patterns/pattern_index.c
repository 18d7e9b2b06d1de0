// The index of patterns: a tree of own cells relative to the stone that completes a pattern.
#include "papers/patterns/pattern_index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum {
    REACH_MAX = PATTERN_SIDE_MAX - 1, // columns or rows between two cells of a pattern
    AROUND = 2 * REACH_MAX + 1,
};

// A picture of a pattern, and its empty cells as bits of its rows.
typedef struct {
    Pattern pattern;
    unsigned number; // of the pattern
    uint32_t empty[PATTERN_SIDE_MAX];
} Picture;

// A node of the tree: an own cell, seen from the stone. Its children are linked, as are the pictures that end here.
typedef struct {
    int8_t columns, rows;
    uint32_t child, next, ending;
} PatternTreeNode;

// A picture whose own cells have all been met; the stone is one of its cells.
typedef struct {
    uint32_t picture, next;
    uint8_t column, row;
} Ending;

struct PatternIndex {
    Pattern *patterns;
    Picture *pictures;
    PatternTreeNode *nodes; // node 0 is the root: the stone itself
    Ending *endings;
    unsigned pattern_count, picture_count, node_count, ending_count;
    size_t pattern_room, picture_room, node_room, ending_room;
};

PatternIndex *pattern_index_open(void)
{
    PatternIndex *index = memory_new(1, sizeof *index);
    index->nodes = array_grow(NULL, &index->node_room, 1, sizeof *index->nodes);
    index->nodes[index->node_count++] = (PatternTreeNode){.child = NONE, .next = NONE, .ending = NONE};
    return index;
}

void pattern_index_close(PatternIndex *index)
{
    if (index == NULL)
        return;
    free(index->patterns);
    free(index->pictures);
    free(index->nodes);
    free(index->endings);
    free(index);
}

// --- Adding ---

typedef struct {
    int8_t columns, rows;
} Step;

static unsigned far(int n)
{
    return (unsigned)(n < 0 ? -n : n);
}

static unsigned distance(Step step)
{
    unsigned columns = far(step.columns), rows = far(step.rows);
    return columns > rows ? columns : rows;
}

// The order of a path: the nearest cells first, since stones stand together, and many patterns share what is near.
static bool comes_first(Step a, Step b)
{
    unsigned to_a = distance(a), to_b = distance(b);
    if (to_a != to_b)
        return to_a < to_b;
    return a.rows != b.rows ? a.rows < b.rows : a.columns < b.columns;
}

// The own cells besides one, as steps from it, in order.
static unsigned find_path(const Pattern *picture, const PatternCell *from, Step path[PATTERN_CELLS_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < picture->count; i++) {
        const PatternCell *at = &picture->cell[i];
        if (!at->own || at == from)
            continue;
        Step step = {(int8_t)(at->column - from->column), (int8_t)(at->row - from->row)};
        unsigned j = count++;
        for (; j > 0 && comes_first(step, path[j - 1]); j--)
            path[j] = path[j - 1];
        path[j] = step;
    }
    return count;
}

// The child of a node for a step, made if none exists. Memory has been reserved.
static uint32_t find_child(PatternIndex *index, uint32_t node, Step step)
{
    PatternTreeNode *nodes = index->nodes;
    for (uint32_t child = nodes[node].child; child != NONE; child = nodes[child].next)
        if (nodes[child].columns == step.columns && nodes[child].rows == step.rows)
            return child;
    uint32_t made = index->node_count++;
    nodes[made] = (PatternTreeNode){step.columns, step.rows, NONE, nodes[node].child, NONE};
    nodes[node].child = made;
    return made;
}

static void add_path(PatternIndex *index, uint32_t picture, const PatternCell *from)
{
    Step path[PATTERN_CELLS_MAX];
    unsigned length = find_path(&index->pictures[picture].pattern, from, path);
    uint32_t node = 0;
    for (unsigned i = 0; i < length; i++)
        node = find_child(index, node, path[i]);
    uint32_t ending = index->ending_count++;
    index->endings[ending] = (Ending){picture, index->nodes[node].ending, from->column, from->row};
    index->nodes[node].ending = ending;
}

static void add_picture(PatternIndex *index, const Pattern *pattern, unsigned number)
{
    uint32_t at = index->picture_count++;
    Picture *picture = &index->pictures[at];
    *picture = (Picture){.pattern = *pattern, .number = number};
    for (unsigned i = 0; i < pattern->count; i++)
        if (pattern->cell[i].own)
            add_path(index, at, &picture->pattern.cell[i]);
        else
            picture->empty[pattern->cell[i].row] |= UINT32_C(1) << pattern->cell[i].column;
}

void pattern_index_add(PatternIndex *index, const Pattern *pattern)
{
    assert(pattern_is_good(pattern));
    Pattern versions[PATTERN_VERSIONS_MAX];
    unsigned count = pattern_versions(pattern, versions), paths = count * pattern->own;
    // 1. All memory that it may take.
    size_t nodes = (size_t)index->node_count + (size_t)paths * (pattern->own - 1u);
    index->patterns =
        array_grow(index->patterns, &index->pattern_room, (size_t)index->pattern_count + 1, sizeof *index->patterns);
    index->pictures = array_grow(index->pictures, &index->picture_room, (size_t)index->picture_count + count,
                                 sizeof *index->pictures);
    index->nodes = array_grow(index->nodes, &index->node_room, nodes, sizeof *index->nodes);
    index->endings =
        array_grow(index->endings, &index->ending_room, (size_t)index->ending_count + paths, sizeof *index->endings);
    // 2. The pattern and its pictures.
    unsigned number = index->pattern_count++;
    index->patterns[number] = *pattern;
    for (unsigned i = 0; i < count; i++)
        add_picture(index, &versions[i], number);
}

unsigned pattern_index_count(const PatternIndex *index)
{
    return index->pattern_count;
}

unsigned pattern_index_versions(const PatternIndex *index)
{
    return index->picture_count;
}

const Pattern *pattern_index_get(const PatternIndex *index, unsigned number)
{
    assert(number < index->pattern_count);
    return &index->patterns[number];
}

// --- Walking ---

// What is walked through: a board seen by one side, or a pattern that others may be part of.
typedef struct {
    const PatternIndex *index;
    unsigned column, row;    // of the stone
    unsigned width, height;  // of the field
    uint64_t around[AROUND]; // own cells: rows and columns from REACH_MAX before the stone, none beyond the field
    uint64_t empty[RULES_SIDE_MAX]; // of the field, by its rows
    PatternMatchVisit *visit;
    void *context;
} Walk;

// A row of the field, moved so that the stone's column is at REACH_MAX.
static void set_row(Walk *walk, unsigned row, uint64_t own)
{
    unsigned column = walk->column;
    own = column > REACH_MAX ? own >> (column - REACH_MAX) : own << (REACH_MAX - column);
    walk->around[row + REACH_MAX - walk->row] = own;
}

static bool empty_cells_fit(const Walk *walk, const Picture *picture, unsigned column, unsigned row)
{
    for (unsigned i = 0; i < picture->pattern.height; i++)
        if (((uint64_t)picture->empty[i] << column & ~walk->empty[row + i]) != 0)
            return false;
    return true;
}

// A picture whose own cells are all there: whether it lies on the field and its empty cells are empty, then `visit`.
static bool visit_ending(const Walk *walk, const Ending *ending)
{
    const Picture *picture = &walk->index->pictures[ending->picture];
    if (walk->column < ending->column || walk->row < ending->row)
        return true;
    unsigned column = walk->column - ending->column, row = walk->row - ending->row;
    if (column + picture->pattern.width > walk->width || row + picture->pattern.height > walk->height ||
        !empty_cells_fit(walk, picture, column, row))
        return true;
    PatternMatch match = {
        picture->number, picture->pattern.tier, picture->pattern.count, &picture->pattern, column, row};
    return walk->visit(walk->context, &match);
}

// Down where stones are; false when `visit` has ended the walk. The depth is the number of own cells of a pattern.
static bool walk_down(const Walk *walk, uint32_t from)
{
    const PatternTreeNode *nodes = walk->index->nodes;
    for (uint32_t i = nodes[from].ending; i != NONE; i = walk->index->endings[i].next)
        if (!visit_ending(walk, &walk->index->endings[i]))
            return false;
    for (uint32_t i = nodes[from].child; i != NONE; i = nodes[i].next)
        if ((walk->around[nodes[i].rows + REACH_MAX] >> (nodes[i].columns + REACH_MAX) & 1) != 0 && !walk_down(walk, i))
            return false;
    return true;
}

static void begin_walk(Walk *walk, Cell cell)
{
    walk->column = cell_column(cell);
    walk->row = cell_row(cell);
    memset(walk->around, 0, sizeof walk->around);
}

void pattern_index_each(const PatternIndex *index, const Board *board, Cell cell, Side side, PatternMatchVisit *visit,
                        void *context)
{
    assert(board_has(board, cell) && board_stone(board, cell) != (Stone)side_other(side));
    Walk walk;
    walk.index = index;
    walk.width = board->rules.width;
    walk.height = board->rules.height;
    walk.visit = visit;
    walk.context = context;
    begin_walk(&walk, cell);
    unsigned first = walk.row > REACH_MAX ? walk.row - REACH_MAX : 0;
    for (unsigned row = first; row < walk.height && row <= walk.row + REACH_MAX; row++) {
        set_row(&walk, row, board->line[row][side]);
        walk.empty[row] = board->row_mask & ~board_occupied_row(board, row);
    }
    (void)walk_down(&walk, 0);
}

void pattern_match_cells(const PatternMatch *match, PatternCells *cells)
{
    for (unsigned i = 0; i < match->picture->count; i++) {
        const PatternCell *at = &match->picture->cell[i];
        cells->rows[match->row + at->row] |= UINT64_C(1) << (match->column + at->column);
    }
}

static bool is_better(const PatternMatch *a, const PatternMatch *b)
{
    if (a->tier != b->tier)
        return a->tier < b->tier;
    return a->size != b->size ? a->size < b->size : a->number < b->number;
}

// The best so far has no picture before the first one.
static bool keep_best(void *context, const PatternMatch *match)
{
    PatternMatch *best = context;
    if (best->picture == NULL || is_better(match, best))
        *best = *match;
    return true;
}

bool pattern_index_best(const PatternIndex *index, const Board *board, Cell cell, Side side, PatternMatch *match)
{
    match->picture = NULL;
    pattern_index_each(index, board, cell, side, keep_best, match);
    return match->picture != NULL;
}

// --- Parts ---

static bool end_walk(void *context, const PatternMatch *match)
{
    (void)match;
    *(bool *)context = true;
    return false;
}

// The pattern as a field: a part lies on one of its own cells.
bool pattern_index_has_part(const PatternIndex *index, const Pattern *pattern)
{
    uint64_t own[PATTERN_SIDE_MAX] = {0};
    bool found = false;
    Walk walk = {.index = index, .width = pattern->width, .height = pattern->height, .visit = end_walk};
    walk.context = &found;
    for (unsigned i = 0; i < pattern->count; i++) {
        const PatternCell *at = &pattern->cell[i];
        *(at->own ? &own[at->row] : &walk.empty[at->row]) |= UINT64_C(1) << at->column;
    }
    for (unsigned i = 0; i < pattern->count && !found; i++) {
        if (!pattern->cell[i].own)
            continue;
        begin_walk(&walk, cell_at(pattern->cell[i].column, pattern->cell[i].row));
        for (unsigned row = 0; row < pattern->height; row++)
            set_row(&walk, row, own[row]);
        (void)walk_down(&walk, 0);
    }
    return found;
}
