// Rows that can be completed within a turn under gravity, the columns that stop them, and VCF.
#include "engine/search/gravity/gravity_internal.h"

// --- Rows within reach ---

// The stones needed to fill a window: for each empty cell, those up to it in its column. In a column they are in the
// line itself, and under `exact` those below the window would make the row too long. Returns `most` + 1 if there are
// more.
static unsigned row_cost(const PatternBoard *patterns, Cell cell, unsigned direction, uint64_t empty, unsigned most)
{
    unsigned cost = 0;
    if (direction == 1) {
        unsigned height = pattern_board_height(patterns, cell_column(cell));
        if (row_has_limit(&patterns->rules) && height < bits_lowest(empty))
            return most + 1;
        cost = 64 - bits_leading_zeros(empty) - height;
        return cost <= most ? cost : most + 1;
    }
    for (; empty != 0 && cost <= most; empty &= empty - 1) {
        Cell at = pattern_board_cell_at(cell, direction, bits_lowest(empty));
        cost += cell_row(at) + 1 - pattern_board_height(patterns, cell_column(at));
    }
    return cost <= most ? cost : most + 1;
}

static void take_row(GravityRow *row, Cell cell, unsigned direction, uint64_t empty, unsigned cost)
{
    row->stones = cost;
    row->count = 0;
    for (; empty != 0; empty &= empty - 1)
        row->cell[row->count++] = pattern_board_cell_at(cell, direction, bits_lowest(empty));
}

// Windows of a direction in which the cell is the lowest empty one.
static void row_through(const PatternBoard *patterns, Side side, Cell cell, unsigned direction, unsigned most,
                        GravityRow *row)
{
    const uint64_t *planes = patterns->plane[pattern_board_line(patterns, cell, direction)];
    uint64_t open = planes[side], own = open & ~planes[1 - side];
    unsigned k = patterns->rules.k, place = pattern_board_place(cell, direction),
             first = place + 1 < k ? 0 : place + 1 - k;
    for (unsigned low = first; low <= place && low + k <= 64 && row->stones == 0; low++) {
        uint64_t window = bits_low(k) << low, empty = window & ~own;
        if ((window & ~open) != 0 || bits_lowest(empty) != place || bits_count(empty) > most)
            continue;
        if (!row_window_wins(&patterns->rules, own, window))
            continue;
        unsigned cost = row_cost(patterns, cell, direction, empty, most);
        if (cost <= most)
            take_row(row, cell, direction, empty, cost);
    }
}

// `below` stones are placed in the column before the one on the cell.
static void row_at(const PatternBoard *patterns, Side side, Cell cell, unsigned below, unsigned most, GravityRow *row)
{
    const LinePatterns *line_patterns = &patterns->tables->line_patterns;
    unsigned code = pattern_board_code(patterns, cell, side);
    for (unsigned direction = 0; direction < 4 && code >> 4 * direction != 0; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        if (number != LINE_PATTERN_DEAD && line_patterns->kind[number].need + below < most && row->stones == 0)
            row_through(patterns, side, cell, direction, most, row);
    }
}

GravityRow gravity_row_within(const PatternBoard *patterns, Side side, unsigned stones)
{
    GravityRow row;
    row.stones = row.count = 0;
    for (unsigned x = 0; x < patterns->rules.width && row.stones == 0; x++) {
        unsigned height = pattern_board_height(patterns, x);
        for (unsigned below = 0; below < stones && height + below < patterns->rules.height && row.stones == 0; below++)
            row_at(patterns, side, cell_at(x, height + below), below, stones, &row);
    }
    return row;
}

GravityRow gravity_threat(const PatternBoard *patterns)
{
    unsigned p = patterns->rules.p,
             empty = (unsigned)patterns->cells - patterns->state.count - pattern_board_stones_left(patterns);
    Side other = side_other(pattern_board_side(patterns));
    bool may_complete = p > 1 || pattern_board_count(patterns, other, CELL_COMPLETES) > 0;
    return gravity_row_within(patterns, other, !may_complete ? 0 : p < empty ? p : empty);
}

unsigned gravity_row_stones(const PatternBoard *patterns, const GravityRow *row, Cell stones[SEARCH_TURN_MAX])
{
    unsigned count = 0, filled[RULES_SIDE_MAX];
    for (unsigned x = 0; x < patterns->rules.width; x++)
        filled[x] = pattern_board_height(patterns, x);
    for (unsigned i = 0; i < row->count; i++) {
        unsigned x = cell_column(row->cell[i]);
        for (; filled[x] <= cell_row(row->cell[i]); filled[x]++)
            stones[count++] = cell_at(x, filled[x]);
    }
    assert(count == row->stones);
    return count;
}

uint64_t gravity_stops(const PatternBoard *patterns, const GravityRow *row, unsigned stones)
{
    uint64_t columns = 0;
    for (unsigned i = 0; i < row->count; i++) {
        unsigned x = cell_column(row->cell[i]);
        if (cell_row(row->cell[i]) + 1 - pattern_board_height(patterns, x) <= stones)
            columns |= UINT64_C(1) << x;
    }
    return columns;
}

// --- One stone a turn ---

// Columns in which a stone of the side completes a row now, as bits.
static uint64_t completing_columns(const PatternBoard *patterns, Side side)
{
    uint64_t columns = 0;
    if (pattern_board_count(patterns, side, CELL_COMPLETES) == 0)
        return 0;
    for (unsigned x = 0; x < patterns->rules.width; x++) {
        unsigned y = pattern_board_height(patterns, x);
        if (y < patterns->rules.height && pattern_board_cell_pattern(patterns, cell_at(x, y), side) == CELL_COMPLETES)
            columns |= UINT64_C(1) << x;
    }
    return columns;
}

// Columns where a stone of the side makes a four.
static uint64_t four_makers(const PatternBoard *patterns, Side side)
{
    uint64_t columns = 0;
    if (pattern_board_count(patterns, side, CELL_OPEN_FOUR) + pattern_board_count(patterns, side, CELL_FOUR_THREE) +
            pattern_board_count(patterns, side, CELL_FOUR) + pattern_board_count(patterns, side, CELL_COMPLETES) ==
        0)
        return 0;
    for (unsigned x = 0; x < patterns->rules.width; x++) {
        unsigned y = pattern_board_height(patterns, x);
        if (y >= patterns->rules.height)
            continue;
        CellPattern kind = pattern_board_cell_pattern(patterns, cell_at(x, y), side);
        bool is_below = y + 1u < patterns->rules.height &&
                        pattern_board_cell_pattern(patterns, cell_at(x, y + 1), side) == CELL_COMPLETES;
        if (kind == CELL_OPEN_FOUR || kind == CELL_FOUR_THREE || kind == CELL_FOUR || is_below)
            columns |= UINT64_C(1) << x;
    }
    return columns;
}

static unsigned fours(SearchThread *thread, unsigned positions, unsigned level, Cell *first);

// The defender answers a four.
static unsigned four_answered(SearchThread *thread, unsigned positions, unsigned level)
{
    PatternBoard *patterns = &thread->patterns;
    Side defender = pattern_board_side(patterns);
    uint64_t open = completing_columns(patterns, side_other(defender));
    if (open == 0 || completing_columns(patterns, defender) != 0)
        return 0;
    if ((open & (open - 1)) != 0)
        return 2;
    unsigned x = bits_lowest(open);
    Cell none, cell = cell_at(x, pattern_board_height(patterns, x));
    search_play(thread, cell);
    unsigned after = fours(thread, positions, level + 1, &none);
    search_undo(thread);
    return after > 0 ? after + 1 : 0;
}

enum { FOURS_LEVELS = 20 };

// The attacker is to move; returns the number of stones until a row is complete.
static unsigned fours(SearchThread *thread, unsigned positions, unsigned level, Cell *first)
{
    PatternBoard *patterns = &thread->patterns;
    GravityState *state = gravity_state(thread);
    Side side = pattern_board_side(patterns);
    uint64_t completing = completing_columns(patterns, side), held = completing_columns(patterns, side_other(side));
    if (completing != 0) {
        unsigned x = bits_lowest(completing);
        *first = cell_at(x, pattern_board_height(patterns, x));
        return 1;
    }
    if (level >= FOURS_LEVELS || (held & (held - 1)) != 0 || search_poll(thread) || ++state->fours > positions)
        return 0;
    uint64_t columns = four_makers(patterns, side);
    if (held != 0)
        columns &= held;
    for (; columns != 0; columns &= columns - 1) {
        unsigned x = bits_lowest(columns);
        Cell cell = cell_at(x, pattern_board_height(patterns, x));
        search_play(thread, cell);
        unsigned after = four_answered(thread, positions, level);
        search_undo(thread);
        if (after > 0) {
            *first = cell;
            return after + 1;
        }
        if (thread->is_stopped || state->fours > positions)
            return 0;
    }
    return 0;
}

unsigned gravity_vcf(SearchThread *thread, unsigned positions, Cell *first)
{
    gravity_state(thread)->fours = 0;
    return fours(thread, positions, 0, first);
}
