#include "analysis/shapes.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDE_NEXT = 2, // ways to get on that make a shape wide, where one more stone makes a threat
    WIDE_FAR = 4,  // and where it takes more
    NEED_MAX = RULES_SIDE_MAX,
    NUMBERS = (NEED_MAX + 1) * 4, // of needs and levels
};

// --- By windows ---

typedef struct {
    unsigned need;    // NEED_MAX: no row is possible
    uint64_t nearest; // empty cells of the windows that need least
    uint64_t common;  // empty cells that all windows have which can be completed in a turn
} LineFacts;

// What the windows through a cell say when `own` has a stone there.
static LineFacts line_facts(const Shapes *shapes, uint64_t open, uint64_t own, unsigned cell)
{
    LineFacts facts = {NEED_MAX, 0, ~UINT64_C(0)};
    unsigned k = shapes->k, first = cell + 1 < k ? 0 : cell + 1 - k;
    for (unsigned low = first; low <= cell && low + k <= 64; low++) {
        uint64_t window = bits_low(k) << low, empty = window & ~own;
        if ((open & window) != window)
            continue;
        if (shapes->exact && ((own & ~window) & (window << 1 | window >> 1)) != 0)
            continue;
        unsigned missing = bits_count(empty);
        if (missing < facts.need)
            facts.need = missing, facts.nearest = 0;
        if (missing == facts.need)
            facts.nearest |= empty;
        if (missing <= shapes->p)
            facts.common &= empty;
    }
    return facts;
}

static Shape shape_now(const LineFacts *facts)
{
    if (facts->need >= NEED_MAX)
        return (Shape){0, SHAPE_LEVEL_DEAD};
    bool is_closed = facts->need > 0 && facts->common != 0;
    return (Shape){(uint8_t)facts->need, is_closed ? SHAPE_LEVEL_CLOSED : SHAPE_LEVEL_OPEN};
}

// The best of several ways to get on, and how many there are.
typedef struct {
    unsigned level, ways;
} Ways;

static void ways_add(Ways *ways, Shape next, unsigned need)
{
    unsigned level = next.level > SHAPE_LEVEL_OPEN ? SHAPE_LEVEL_OPEN : next.level;
    if (next.level == SHAPE_LEVEL_DEAD || next.need + 1u != need || level < ways->level)
        return;
    ways->ways = level > ways->level ? 1 : ways->ways + 1;
    ways->level = level;
}

static Shape shape_later(const Shapes *shapes, const LineFacts *facts, const Ways *ways)
{
    unsigned many = facts->need == shapes->p + 1 ? WIDE_NEXT : WIDE_FAR;
    bool is_wide = ways->level == SHAPE_LEVEL_OPEN && ways->ways >= many;
    return (Shape){(uint8_t)facts->need, (uint8_t)(is_wide ? SHAPE_LEVEL_WIDE : ways->level)};
}

Shape shapes_plain(const Shapes *shapes, uint64_t open, uint64_t own, unsigned cell)
{
    own |= UINT64_C(1) << cell;
    LineFacts facts = line_facts(shapes, open, own, cell);
    if (facts.need <= shapes->p || facts.need >= NEED_MAX)
        return shape_now(&facts);
    Ways ways = {0, 0};
    for (uint64_t cells = facts.nearest; cells != 0; cells &= cells - 1)
        ways_add(&ways, shapes_plain(shapes, open, own | (cells & -cells), cell), facts.need);
    return shape_later(shapes, &facts, &ways);
}

// Beyond the tables: open is what has more than one window to complete.
static Shape shape_by_windows(const Shapes *shapes, uint64_t open, uint64_t own, unsigned cell)
{
    own |= UINT64_C(1) << cell;
    LineFacts facts = line_facts(shapes, open, own, cell);
    Shape shape = shape_now(&facts);
    if (facts.need > shapes->p && facts.need < NEED_MAX)
        shape.level = bits_count(facts.nearest) > facts.need ? SHAPE_LEVEL_OPEN : SHAPE_LEVEL_CLOSED;
    return shape;
}

// --- Halves ---

// A half of a line: cells from the one next to the centre outwards up to an obstacle, a bit each for a stone, and a bit
// above them that tells where they end.
static unsigned half_length(unsigned half)
{
    return 31u - (unsigned)__builtin_clz(half);
}

static unsigned half_mirrored(unsigned half)
{
    unsigned length = half_length(half), mirrored = 1;
    for (unsigned i = 0; i < length; i++)
        mirrored = mirrored << 1 | (half >> i & 1);
    return mirrored;
}

// Two halves as a line with the centre at `reach`.
static void line_of_halves(unsigned reach, unsigned left, unsigned right, uint64_t *open, uint64_t *own)
{
    unsigned left_length = half_length(left), right_length = half_length(right);
    uint64_t mirrored = half_mirrored(left) & bits_low(left_length);
    *open = bits_low(left_length + 1 + right_length) << (reach - left_length);
    *own = mirrored << (reach - left_length) | (uint64_t)(right & bits_low(right_length)) << (reach + 1);
}

// The shape for two halves; `known` has those with more stones, as need * 4 + level.
static Shape shape_of_halves(const Shapes *shapes, const uint8_t *known, unsigned left, unsigned right)
{
    unsigned reach = shapes->reach, size = 2u << reach;
    uint64_t open, own;
    line_of_halves(reach, left, right, &open, &own);
    own |= UINT64_C(1) << reach;
    LineFacts facts = line_facts(shapes, open, own, reach);
    if (facts.need <= shapes->p || facts.need >= NEED_MAX)
        return shape_now(&facts);
    Ways ways = {0, 0};
    for (uint64_t cells = facts.nearest; cells != 0; cells &= cells - 1) {
        unsigned at = bits_lowest(cells);
        unsigned more_left = at < reach ? left | 1u << (reach - 1 - at) : left;
        unsigned more_right = at > reach ? right | 1u << (at - reach - 1) : right;
        uint8_t next = known[more_left * size + more_right];
        ways_add(&ways, (Shape){next >> 2, next & 3}, facts.need);
    }
    return shape_later(shapes, &facts, &ways);
}

// All pairs, the numbers of halves with more stones being larger.
static void find_all(const Shapes *shapes, uint8_t *known)
{
    unsigned size = 2u << shapes->reach;
    for (unsigned left = size - 1; left > 0; left--)
        for (unsigned right = size - 1; right > 0; right--) {
            Shape shape = shape_of_halves(shapes, known, left, right);
            known[left * size + right] = (uint8_t)(shape.need << 2 | shape.level);
        }
}

// --- Numbers ---

// How finely shapes are told apart: from need `far` on all are one kind, wide is told from open up to need `wide`, and
// closed is told from open from need `near` on.
typedef struct {
    unsigned far, wide, near;
} Detail;

static unsigned number_shapes(Shapes *shapes, Detail detail)
{
    unsigned count = 1;
    memset(shapes->number, 0, NUMBERS);
    for (unsigned need = shapes->k - 1;; need--) {
        bool is_one = need >= detail.far || need < detail.near;
        bool has_wide = need > shapes->p && need <= detail.wide;
        for (unsigned level = SHAPE_LEVEL_CLOSED; level <= SHAPE_LEVEL_WIDE; level++) {
            bool is_same = level > SHAPE_LEVEL_CLOSED && (is_one || (level == SHAPE_LEVEL_WIDE && !has_wide));
            bool goes_on = need >= detail.far && need + 1 < shapes->k && level == SHAPE_LEVEL_CLOSED;
            if (!is_same && !goes_on)
                count++;
            shapes->number[need * 4 + level] = (uint8_t)(count - 1);
            if (count <= SHAPES_MAX && !is_same)
                shapes->kind[count - 1] = (Shape){(uint8_t)need, (uint8_t)level};
        }
        if (need == 0)
            return count;
    }
}

// As finely as four bits allow. First the width of far shapes goes, then far ones become one kind. What can be
// completed in a turn is not mixed with what cannot: rather it is no longer told what stops it, as long as it lacks
// stones still.
static void number_all(Shapes *shapes)
{
    Detail detail = {shapes->k, shapes->p + 2, 1};
    while ((shapes->count = number_shapes(shapes, detail)) > SHAPES_MAX) {
        if (detail.wide > shapes->p)
            detail.wide--;
        else if (detail.far > shapes->p + 1 || detail.near >= shapes->p)
            detail.far--;
        else
            detail.near++;
    }
}

// --- Tables ---

static void fill_halves(Shapes *shapes, const uint8_t *known)
{
    unsigned size = 2u << shapes->reach;
    for (unsigned left = 1; left < size; left++)
        for (unsigned right = 1; right < size; right++)
            shapes->halves[half_mirrored(left) * size + right] = shapes->number[known[left * size + right]];
}

// The half to the right of a cell: `open` and `own` begin with the cell next to it.
static unsigned half_right(unsigned reach, uint64_t open, uint64_t own)
{
    unsigned length = (unsigned)__builtin_ctzll(~open | UINT64_C(1) << reach);
    return (unsigned)(UINT64_C(1) << length | (own & bits_low(length)));
}

// The half to the left, mirrored as the table has it: `reach` bits that end with the cell next to it.
static unsigned half_left(unsigned reach, uint64_t open, uint64_t own)
{
    uint64_t closed = ~open & bits_low(reach);
    unsigned blocked = closed == 0 ? 0 : 64 - (unsigned)__builtin_clzll(closed), length = reach - blocked;
    return (unsigned)(UINT64_C(1) << length | (own >> blocked & bits_low(length)));
}

// One plane of cells that have two bits each.
static unsigned plane_of(unsigned cells, unsigned side)
{
    unsigned plane = 0;
    for (unsigned i = 0; cells >> 2 * i != 0; i++)
        plane |= (cells >> (2 * i + side) & 1) << i;
    return plane;
}

// The places of half a window in the table of pairs, for both sides: `left` ends with the cell itself, which stays out
// of the table, at half 0, unless it is empty.
static void fill_pairs(Shapes *shapes)
{
    unsigned reach = shapes->reach, count = 1u << (2 * reach), centre = 3u << (2 * reach);
    for (unsigned cells = 0; cells < count; cells++) {
        uint32_t first = plane_of(cells, 0), second = plane_of(cells, 1);
        uint32_t left_first = half_left(reach, first, first & ~second),
                 left_second = half_left(reach, second, second & ~first);
        uint32_t right_first = half_right(reach, first, first & ~second);
        uint32_t right_second = half_right(reach, second, second & ~first);
        shapes->left[centre | cells] = (left_first | left_second << 16) << (reach + 1);
        shapes->right[cells] = right_first | right_second << 16;
    }
}

static void fill_flat(Shapes *shapes)
{
    unsigned reach = shapes->reach, count = 1u << (2 * reach);
    for (unsigned right = 0; right < count; right++)
        for (unsigned left = 0; left < count; left++) {
            uint64_t window = ((uint64_t)right << 2 | 3) << (2 * reach) | left;
            shapes->flat[window] = (uint8_t)shapes_pairs(shapes, reach, window);
        }
}

static bool take_tables(Shapes *shapes, size_t pairs)
{
    unsigned reach = shapes->reach;
    bool has_flat = reach <= SHAPES_FLAT_REACH, has_pairs = reach <= SHAPES_PAIRS_REACH;
    shapes->halves = calloc(pairs, 1);
    shapes->flat = has_flat ? calloc((size_t)4 << (4 * reach), 1) : NULL;
    shapes->left = has_pairs ? calloc((size_t)4 << (2 * reach), sizeof *shapes->left) : NULL;
    shapes->right = has_pairs ? calloc((size_t)1 << (2 * reach), sizeof *shapes->right) : NULL;
    return shapes->halves != NULL && (shapes->flat != NULL || !has_flat) &&
           ((shapes->left != NULL && shapes->right != NULL) || !has_pairs);
}

static Status fill_tables(Shapes *shapes, Error *error)
{
    size_t size = (size_t)(2u << shapes->reach) * (2u << shapes->reach);
    uint8_t *known = calloc(size, 1);
    if (!take_tables(shapes, size) || known == NULL) {
        free(known);
        return error_set(error, STATUS_NO_MEMORY, "no memory for the shapes of lines");
    }
    find_all(shapes, known);
    fill_halves(shapes, known);
    free(known);
    if (shapes->left != NULL)
        fill_pairs(shapes);
    if (shapes->flat != NULL)
        fill_flat(shapes);
    return STATUS_OK;
}

Status shapes_open(Shapes *shapes, const Rules *rules, Error *error)
{
    unsigned reach = rules->exact ? rules->k : rules->k - 1u;
    *shapes = (Shapes){.k = rules->k, .p = rules->p, .exact = rules->exact, .reach = reach};
    shapes->number = calloc(NUMBERS, 1);
    if (shapes->number == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the shapes of lines");
    number_all(shapes);
    Status status = reach > SHAPES_HALVES_REACH ? STATUS_OK : fill_tables(shapes, error);
    if (status != STATUS_OK)
        shapes_close(shapes);
    return status;
}

void shapes_close(Shapes *shapes)
{
    free(shapes->halves);
    free(shapes->flat);
    free(shapes->left);
    free(shapes->right);
    free(shapes->number);
    *shapes = (Shapes){0};
}

unsigned shapes_at(const Shapes *shapes, uint64_t open, uint64_t own, unsigned cell)
{
    unsigned reach = shapes->reach;
    if (shapes->halves == NULL) {
        Shape shape = shape_by_windows(shapes, open, own, cell);
        return shapes->number[shape.need * 4u + shape.level];
    }
    uint64_t left_open = cell >= reach ? open >> (cell - reach) : open << (reach - cell);
    uint64_t left_own = cell >= reach ? own >> (cell - reach) : own << (reach - cell);
    unsigned left = half_left(reach, left_open & bits_low(reach), left_own & bits_low(reach));
    unsigned right = half_right(reach, open >> cell >> 1, own >> cell >> 1);
    return shapes->halves[left * (2u << reach) + right];
}
