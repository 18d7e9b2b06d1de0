// Winning patterns: parsing, formatting, symmetries and comparison.
#include "threats/pattern.h"

#include <string.h>

bool pattern_suits(const Rules *rules)
{
    return rules->p == 1 && !rules->gravity;
}

static bool comes_before(const PatternCell *a, const PatternCell *b)
{
    return a->row != b->row ? a->row < b->row : a->column < b->column;
}

static unsigned count_own(const Pattern *pattern)
{
    unsigned own = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        own += pattern->cell[i].own;
    return own;
}

typedef struct {
    uint8_t left, right, bottom, top;
} Box;

static Box box_of(const Pattern *pattern)
{
    Box box = {.left = UINT8_MAX, .bottom = UINT8_MAX};
    for (unsigned i = 0; i < pattern->count; i++) {
        const PatternCell *at = &pattern->cell[i];
        box.left = at->column < box.left ? at->column : box.left;
        box.right = at->column > box.right ? at->column : box.right;
        box.bottom = at->row < box.bottom ? at->row : box.bottom;
        box.top = at->row > box.top ? at->row : box.top;
    }
    return box;
}

bool pattern_is_good(const Pattern *pattern)
{
    if (pattern->count == 0 || pattern->count > PATTERN_CELLS_MAX || pattern->tier > PATTERN_TIER_MAX ||
        pattern->own == 0 || pattern->own != count_own(pattern))
        return false;
    for (unsigned i = 1; i < pattern->count; i++)
        if (!comes_before(&pattern->cell[i - 1], &pattern->cell[i]))
            return false;
    Box box = box_of(pattern);
    return box.left == 0 && box.bottom == 0 && pattern->width == box.right + 1 && pattern->height == box.top + 1 &&
           pattern->width <= PATTERN_SIDE_MAX && pattern->height <= PATTERN_SIDE_MAX;
}

// Moves the cells to column 0, row 0 and sets size and count. Sorted cells stay sorted.
static void settle(Pattern *pattern)
{
    Box box = box_of(pattern);
    for (unsigned i = 0; i < pattern->count; i++) {
        pattern->cell[i].column = (uint8_t)(pattern->cell[i].column - box.left);
        pattern->cell[i].row = (uint8_t)(pattern->cell[i].row - box.bottom);
    }
    pattern->width = (uint8_t)(box.right - box.left + 1);
    pattern->height = (uint8_t)(box.top - box.bottom + 1);
    pattern->own = (uint8_t)count_own(pattern);
}

static void sort(Pattern *pattern)
{
    for (unsigned i = 1; i < pattern->count; i++) {
        PatternCell cell = pattern->cell[i];
        unsigned j = i;
        for (; j > 0 && comes_before(&cell, &pattern->cell[j - 1]); j--)
            pattern->cell[j] = pattern->cell[j - 1];
        pattern->cell[j] = cell;
    }
}

bool pattern_of_cells(const Board *board, Side owner, const PatternCells *cells, unsigned tier, Pattern *pattern)
{
    if (tier > PATTERN_TIER_MAX)
        return false;
    *pattern = (Pattern){.tier = (uint8_t)tier};
    for (unsigned row = 0; row < board->rules.height; row++) {
        assert((cells->rows[row] & board->line[row][side_other(owner)]) == 0);
        for (uint64_t left = cells->rows[row]; left != 0; left &= left - 1) {
            unsigned column = bits_lowest(left);
            if (pattern->count == PATTERN_CELLS_MAX)
                return false;
            bool own = (board->line[row][owner] >> column & 1) != 0;
            pattern->cell[pattern->count++] = (PatternCell){(uint8_t)column, (uint8_t)row, own};
        }
    }
    if (pattern->count == 0)
        return false;
    settle(pattern);
    return pattern_is_good(pattern);
}

// --- Rows ---

static const PatternCell *cell_on(const Pattern *pattern, int column, int row)
{
    for (unsigned i = 0; i < pattern->count; i++)
        if (pattern->cell[i].column == column && pattern->cell[i].row == row)
            return &pattern->cell[i];
    return NULL;
}

// Whether the pattern has an empty cell there.
static bool is_kept_empty(const Pattern *pattern, int column, int row)
{
    const PatternCell *at = cell_on(pattern, column, row);
    return at != NULL && !at->own;
}

// The number of stones that the row of k cells from a cell on lacks; PATTERN_TIER_MAX + 1 if one of them is not in the
// pattern, or if the row may become too long.
static unsigned row_lacks(const Pattern *pattern, const PatternCell *from, int dx, int dy, const Rules *rules)
{
    unsigned lacks = 0, k = rules->k;
    if (row_has_limit(rules) && !(is_kept_empty(pattern, from->column - dx, from->row - dy) &&
                                  is_kept_empty(pattern, from->column + (int)k * dx, from->row + (int)k * dy)))
        return PATTERN_TIER_MAX + 1;
    for (unsigned i = 0; i < k; i++) {
        const PatternCell *at = cell_on(pattern, from->column + (int)i * dx, from->row + (int)i * dy);
        if (at == NULL)
            return PATTERN_TIER_MAX + 1;
        lacks += !at->own;
    }
    return lacks;
}

unsigned pattern_lacking(const Pattern *pattern, const Rules *rules)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    unsigned fewest = PATTERN_TIER_MAX + 1;
    for (unsigned i = 0; i < pattern->count; i++)
        for (unsigned d = 0; d < 4; d++) {
            unsigned lacks = row_lacks(pattern, &pattern->cell[i], steps[d][0], steps[d][1], rules);
            fewest = lacks < fewest ? lacks : fewest;
        }
    return fewest;
}

// --- Text ---

static Status wrong(Span text, size_t at, const char *what, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s at character %zu of the pattern '%.*s'", what, at + 1,
                     (int)(text.length < 200 ? text.length : 200), text.at);
}

// Reads one mark; `cell` has its column and row.
static Status read_cell(Span text, size_t at, PatternCell cell, Pattern *pattern, Error *error)
{
    char mark = text.at[at];
    if (mark != 'x' && mark != '.' && mark != '-')
        return wrong(text, at, "expected x, ., - or /", error);
    if (mark == '-')
        return STATUS_OK;
    if (pattern->count == PATTERN_CELLS_MAX)
        return wrong(text, at, "too many cells (at most 64)", error);
    cell.own = mark == 'x';
    pattern->cell[pattern->count++] = cell;
    return STATUS_OK;
}

// The text begins with the top row, which gets the highest possible number; `settle` then moves the cells down.
static Status read_cells(Span text, Pattern *pattern, Error *error)
{
    unsigned column = 0, row = PATTERN_SIDE_MAX - 1;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] == '/') {
            if (row-- == 0)
                return wrong(text, i, "too many rows (at most 24)", error);
            column = 0;
            continue;
        }
        if (column == PATTERN_SIDE_MAX)
            return wrong(text, i, "too many columns (at most 24)", error);
        Status status = read_cell(text, i, (PatternCell){(uint8_t)column++, (uint8_t)row, false}, pattern, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

Status pattern_parse(Span text, unsigned tier, Pattern *pattern, Error *error)
{
    if (tier > PATTERN_TIER_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the tier must be at most %d, not %u", PATTERN_TIER_MAX, tier);
    *pattern = (Pattern){.tier = (uint8_t)tier};
    Status status = read_cells(text, pattern, error);
    if (status != STATUS_OK)
        return status;
    if (count_own(pattern) == 0)
        return error_set(error, STATUS_BAD_INPUT, "the pattern '%.*s' has no own cell (x)",
                         (int)(text.length < 200 ? text.length : 200), text.at);
    sort(pattern);
    settle(pattern);
    return STATUS_OK;
}

void pattern_format(const Pattern *pattern, char text[PATTERN_TEXT_SIZE])
{
    unsigned across = pattern->width + 1u;
    memset(text, '-', (size_t)across * pattern->height);
    for (unsigned row = 1; row <= pattern->height; row++)
        text[row * across - 1] = row < pattern->height ? '/' : '\0';
    for (unsigned i = 0; i < pattern->count; i++) {
        const PatternCell *at = &pattern->cell[i];
        text[(pattern->height - 1u - at->row) * across + at->column] = at->own ? 'x' : '.';
    }
}

// --- Symmetries ---

void pattern_turn(const Pattern *pattern, Symmetry symmetry, Pattern *turned)
{
    *turned = *pattern;
    bool swap = (symmetry & SYMMETRY_TRANSPOSE) != 0;
    turned->width = swap ? pattern->height : pattern->width;
    turned->height = swap ? pattern->width : pattern->height;
    for (unsigned i = 0; i < pattern->count; i++) {
        PatternCell at = pattern->cell[i], *to = &turned->cell[i];
        to->column = swap ? at.row : at.column;
        to->row = swap ? at.column : at.row;
        if (symmetry & SYMMETRY_MIRROR)
            to->column = (uint8_t)(turned->width - 1 - to->column);
        if (symmetry & SYMMETRY_FLIP)
            to->row = (uint8_t)(turned->height - 1 - to->row);
    }
    sort(turned);
}

bool pattern_equal(const Pattern *a, const Pattern *b)
{
    return a->count == b->count && memcmp(a->cell, b->cell, a->count * sizeof a->cell[0]) == 0;
}

unsigned pattern_versions(const Pattern *pattern, Pattern versions[PATTERN_VERSIONS_MAX])
{
    unsigned count = 0;
    for (Symmetry symmetry = 0; symmetry < SYMMETRY_MAX; symmetry++) {
        pattern_turn(pattern, symmetry, &versions[count]);
        bool is_new = true;
        for (unsigned i = 0; i < count && is_new; i++)
            is_new = !pattern_equal(&versions[i], &versions[count]);
        count += is_new;
    }
    return count;
}

void pattern_canonical(const Pattern *pattern, Pattern *canonical)
{
    Pattern versions[PATTERN_VERSIONS_MAX];
    char text[PATTERN_TEXT_SIZE], best[PATTERN_TEXT_SIZE];
    unsigned count = pattern_versions(pattern, versions), first = 0;
    pattern_format(&versions[0], best);
    for (unsigned i = 1; i < count; i++) {
        pattern_format(&versions[i], text);
        int higher = versions[i].height - versions[first].height;
        if (higher < 0 || (higher == 0 && strcmp(text, best) < 0)) {
            memcpy(best, text, sizeof best);
            first = i;
        }
    }
    *canonical = versions[first];
}

// Whether `whole` has all cells of `part`, shifted by that many columns and rows. Both are sorted: one pass is enough.
static bool is_part_at(const Pattern *part, const Pattern *whole, unsigned columns, unsigned rows)
{
    unsigned j = 0;
    for (unsigned i = 0; i < part->count; i++) {
        PatternCell want = part->cell[i];
        want.column = (uint8_t)(want.column + columns);
        want.row = (uint8_t)(want.row + rows);
        while (j < whole->count && comes_before(&whole->cell[j], &want))
            j++;
        if (j == whole->count || comes_before(&want, &whole->cell[j]) || whole->cell[j].own != want.own)
            return false;
    }
    return true;
}

bool pattern_is_part(const Pattern *part, const Pattern *whole)
{
    if (part->count > whole->count || part->own > whole->own || part->width > whole->width ||
        part->height > whole->height)
        return false;
    for (unsigned rows = 0; rows + part->height <= whole->height; rows++)
        for (unsigned columns = 0; columns + part->width <= whole->width; columns++)
            if (is_part_at(part, whole, columns, rows))
                return true;
    return false;
}
