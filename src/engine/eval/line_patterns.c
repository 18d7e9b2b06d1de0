// Line patterns: derived from the rules, numbered, and looked up in tables.
#include "engine/eval/line_patterns.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDE_NEXT = 2, // continuations that make a line pattern wide if one more stone makes a threat
    WIDE_FAR = 4,  // the same if it takes more stones
    NEED_MAX = RULES_SIDE_MAX,
};

// --- By windows ---

typedef struct {
    unsigned need;    // NEED_MAX: no row is possible
    uint64_t nearest; // empty cells of the windows that need least
    uint64_t common;  // empty cells that all windows have which can be completed in a turn
} LineFacts;

// The facts about the windows through a cell with a stone of the side on it.
static LineFacts line_facts(const LinePatterns *line_patterns, uint64_t open, uint64_t own, unsigned cell)
{
    LineFacts facts = {NEED_MAX, 0, ~UINT64_C(0)};
    unsigned k = line_patterns->k, first = cell + 1 < k ? 0 : cell + 1 - k;
    for (unsigned low = first; low <= cell && low + k <= 64; low++) {
        uint64_t window = bits_low(k) << low, empty = window & ~own;
        if ((open & window) != window)
            continue;
        if (!row_window_wins(&line_patterns->rules, own, window))
            continue;
        unsigned missing = bits_count(empty);
        if (missing < facts.need)
            facts.need = missing, facts.nearest = 0;
        if (missing == facts.need)
            facts.nearest |= empty;
        if (missing <= line_patterns->p)
            facts.common &= empty;
    }
    return facts;
}

static LinePattern line_pattern_now(const LineFacts *facts)
{
    if (facts->need >= NEED_MAX)
        return (LinePattern){0, LINE_PATTERN_LEVEL_DEAD};
    bool is_closed = facts->need > 0 && facts->common != 0;
    return (LinePattern){(uint8_t)facts->need, is_closed ? LINE_PATTERN_LEVEL_CLOSED : LINE_PATTERN_LEVEL_OPEN};
}

// The best of several continuations, and their number.
typedef struct {
    unsigned level, ways;
} Ways;

static void ways_add(Ways *ways, LinePattern next, unsigned need)
{
    unsigned level = next.level > LINE_PATTERN_LEVEL_OPEN ? LINE_PATTERN_LEVEL_OPEN : next.level;
    if (next.level == LINE_PATTERN_LEVEL_DEAD || next.need + 1u != need || level < ways->level)
        return;
    ways->ways = level > ways->level ? 1 : ways->ways + 1;
    ways->level = level;
}

static LinePattern line_pattern_later(const LinePatterns *line_patterns, const LineFacts *facts, const Ways *ways)
{
    unsigned many = facts->need == line_patterns->p + 1 ? WIDE_NEXT : WIDE_FAR;
    bool is_wide = ways->level == LINE_PATTERN_LEVEL_OPEN && ways->ways >= many;
    return (LinePattern){(uint8_t)facts->need, (uint8_t)(is_wide ? LINE_PATTERN_LEVEL_WIDE : ways->level)};
}

LinePattern line_patterns_plain(const LinePatterns *line_patterns, uint64_t open, uint64_t own, unsigned cell)
{
    own |= UINT64_C(1) << cell;
    LineFacts facts = line_facts(line_patterns, open, own, cell);
    if (facts.need <= line_patterns->p || facts.need >= NEED_MAX)
        return line_pattern_now(&facts);
    Ways ways = {0, 0};
    for (uint64_t cells = facts.nearest; cells != 0; cells &= cells - 1)
        ways_add(&ways, line_patterns_plain(line_patterns, open, own | (cells & -cells), cell), facts.need);
    return line_pattern_later(line_patterns, &facts, &ways);
}

// Beyond the tables, a pattern with more than one window to complete is open.
static LinePattern line_pattern_by_windows(const LinePatterns *line_patterns, uint64_t open, uint64_t own,
                                           unsigned cell)
{
    own |= UINT64_C(1) << cell;
    LineFacts facts = line_facts(line_patterns, open, own, cell);
    LinePattern line_pattern = line_pattern_now(&facts);
    if (facts.need > line_patterns->p && facts.need < NEED_MAX)
        line_pattern.level =
            bits_count(facts.nearest) > facts.need ? LINE_PATTERN_LEVEL_OPEN : LINE_PATTERN_LEVEL_CLOSED;
    return line_pattern;
}

// --- Halves ---

// A half of a line: the cells from the centre outwards up to an obstacle, one bit each for a stone, and a bit above
// them that marks the end.
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

// The line pattern for two halves; `known` has those with more stones, as need * 4 + level.
static LinePattern line_pattern_of_halves(const LinePatterns *line_patterns, const uint8_t *known, unsigned left,
                                          unsigned right)
{
    unsigned reach = line_patterns->reach, size = 2u << reach;
    uint64_t open, own;
    line_of_halves(reach, left, right, &open, &own);
    own |= UINT64_C(1) << reach;
    LineFacts facts = line_facts(line_patterns, open, own, reach);
    if (facts.need <= line_patterns->p || facts.need >= NEED_MAX)
        return line_pattern_now(&facts);
    Ways ways = {0, 0};
    for (uint64_t cells = facts.nearest; cells != 0; cells &= cells - 1) {
        unsigned at = bits_lowest(cells);
        unsigned more_left = at < reach ? left | 1u << (reach - 1 - at) : left;
        unsigned more_right = at > reach ? right | 1u << (at - reach - 1) : right;
        uint8_t next = known[more_left * size + more_right];
        ways_add(&ways, (LinePattern){next >> 2, next & 3}, facts.need);
    }
    return line_pattern_later(line_patterns, &facts, &ways);
}

// Fills all pairs; halves with more stones have larger numbers.
static void find_all(const LinePatterns *line_patterns, uint8_t *known)
{
    unsigned size = 2u << line_patterns->reach;
    for (unsigned left = size - 1; left > 0; left--)
        for (unsigned right = size - 1; right > 0; right--) {
            LinePattern line_pattern = line_pattern_of_halves(line_patterns, known, left, right);
            known[left * size + right] = (uint8_t)(line_pattern.need << 2 | line_pattern.level);
        }
}

// --- Numbers ---

// The resolution of line patterns: from need `far` on all are one kind, wide differs from open up to need `wide`, and
// closed differs from open from need `near` on.
typedef struct {
    unsigned far, wide, near;
} Detail;

static unsigned number_patterns(LinePatterns *line_patterns, Detail detail)
{
    unsigned count = 1;
    memset(line_patterns->number, 0, sizeof line_patterns->number);
    for (unsigned need = line_patterns->k - 1;; need--) {
        bool is_one = need >= detail.far || need < detail.near;
        bool has_wide = need > line_patterns->p && need <= detail.wide;
        for (unsigned level = LINE_PATTERN_LEVEL_CLOSED; level <= LINE_PATTERN_LEVEL_WIDE; level++) {
            bool is_same =
                level > LINE_PATTERN_LEVEL_CLOSED && (is_one || (level == LINE_PATTERN_LEVEL_WIDE && !has_wide));
            bool continues = need >= detail.far && need + 1 < line_patterns->k && level == LINE_PATTERN_LEVEL_CLOSED;
            if (!is_same && !continues)
                count++;
            line_patterns->number[need * 4 + level] = (uint8_t)(count - 1);
            if (count <= LINE_PATTERNS_MAX && !is_same)
                line_patterns->kind[count - 1] = (LinePattern){(uint8_t)need, (uint8_t)level};
        }
        if (need == 0)
            return count;
    }
}

// Chooses the finest resolution that four bits allow. First the width of far line patterns is dropped, then far ones
// become one kind. Before patterns that can be completed in a turn are merged with others, the openness of patterns
// that still lack stones is dropped.
static void number_all(LinePatterns *line_patterns)
{
    Detail detail = {line_patterns->k, line_patterns->p + 2, 1};
    while ((line_patterns->count = number_patterns(line_patterns, detail)) > LINE_PATTERNS_MAX) {
        if (detail.wide > line_patterns->p)
            detail.wide--;
        else if (detail.far > line_patterns->p + 1 || detail.near >= line_patterns->p)
            detail.far--;
        else
            detail.near++;
    }
}

// --- Tables ---

static void fill_halves(LinePatterns *line_patterns, const uint8_t *known)
{
    unsigned size = 2u << line_patterns->reach;
    for (unsigned left = 1; left < size; left++)
        for (unsigned right = 1; right < size; right++)
            line_patterns->halves[half_mirrored(left) * size + right] =
                line_patterns->number[known[left * size + right]];
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
static void fill_pairs(LinePatterns *line_patterns)
{
    unsigned reach = line_patterns->reach, count = 1u << (2 * reach), centre = 3u << (2 * reach);
    for (unsigned cells = 0; cells < count; cells++) {
        uint32_t first = plane_of(cells, 0), second = plane_of(cells, 1);
        uint32_t left_first = half_left(reach, first, first & ~second),
                 left_second = half_left(reach, second, second & ~first);
        uint32_t right_first = half_right(reach, first, first & ~second);
        uint32_t right_second = half_right(reach, second, second & ~first);
        line_patterns->left[centre | cells] = (left_first | left_second << 16) << (reach + 1);
        line_patterns->right[cells] = right_first | right_second << 16;
    }
}

static void fill_flat(LinePatterns *line_patterns)
{
    unsigned reach = line_patterns->reach, count = 1u << (2 * reach);
    for (unsigned right = 0; right < count; right++)
        for (unsigned left = 0; left < count; left++) {
            uint64_t window = ((uint64_t)right << 2 | 3) << (2 * reach) | left;
            line_patterns->flat[window] = (uint8_t)line_patterns_pairs(line_patterns, reach, window);
        }
}

static bool take_tables(LinePatterns *line_patterns, size_t pairs)
{
    unsigned reach = line_patterns->reach;
    bool has_flat = reach <= LINE_PATTERNS_FLAT_REACH, has_pairs = reach <= LINE_PATTERNS_PAIRS_REACH;
    line_patterns->halves = calloc(pairs, 1);
    line_patterns->flat = has_flat ? calloc((size_t)4 << (4 * reach), 1) : NULL;
    line_patterns->left = has_pairs ? calloc((size_t)4 << (2 * reach), sizeof *line_patterns->left) : NULL;
    line_patterns->right = has_pairs ? calloc((size_t)1 << (2 * reach), sizeof *line_patterns->right) : NULL;
    return line_patterns->halves != NULL && (line_patterns->flat != NULL || !has_flat) &&
           ((line_patterns->left != NULL && line_patterns->right != NULL) || !has_pairs);
}

static Status fill_tables(LinePatterns *line_patterns, Error *error)
{
    size_t size = (size_t)(2u << line_patterns->reach) * (2u << line_patterns->reach);
    uint8_t *known = calloc(size, 1);
    if (!take_tables(line_patterns, size) || known == NULL) {
        free(known);
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the line patterns");
    }
    find_all(line_patterns, known);
    fill_halves(line_patterns, known);
    free(known);
    if (line_patterns->left != NULL)
        fill_pairs(line_patterns);
    if (line_patterns->flat != NULL)
        fill_flat(line_patterns);
    return STATUS_OK;
}

Status line_patterns_open(LinePatterns *line_patterns, const Rules *rules, Error *error)
{
    unsigned reach = row_reach(rules);
    *line_patterns = (LinePatterns){.k = rules->k, .p = rules->p, .rules = *rules, .reach = reach};
    number_all(line_patterns);
    Status status = reach > LINE_PATTERNS_HALVES_REACH ? STATUS_OK : fill_tables(line_patterns, error);
    if (status != STATUS_OK)
        line_patterns_close(line_patterns);
    return status;
}

void line_patterns_close(LinePatterns *line_patterns)
{
    free(line_patterns->halves);
    free(line_patterns->flat);
    free(line_patterns->left);
    free(line_patterns->right);
    *line_patterns = (LinePatterns){0};
}

unsigned line_patterns_at(const LinePatterns *line_patterns, uint64_t open, uint64_t own, unsigned cell)
{
    unsigned reach = line_patterns->reach;
    if (line_patterns->halves == NULL) {
        LinePattern line_pattern = line_pattern_by_windows(line_patterns, open, own, cell);
        return line_patterns->number[line_pattern.need * 4u + line_pattern.level];
    }
    uint64_t left_open = cell >= reach ? open >> (cell - reach) : open << (reach - cell);
    uint64_t left_own = cell >= reach ? own >> (cell - reach) : own << (reach - cell);
    unsigned left = half_left(reach, left_open & bits_low(reach), left_own & bits_low(reach));
    unsigned right = half_right(reach, open >> cell >> 1, own >> cell >> 1);
    return line_patterns->halves[left * (2u << reach) + right];
}
