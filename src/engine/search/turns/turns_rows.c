// Rows that a side can complete in a turn, and the fewest stones that stop them all.
#include "engine/search/turns/turns_internal.h"

// --- Windows ---

// A window that a side can complete, by the word of its line.
typedef struct {
    Cell cell;          // an empty cell of it, the lowest in the line
    unsigned direction; // of pattern_board.h
    uint64_t empty;     // its empty cells as bits of the line
} Row;

typedef bool (*RowVisit)(void *context, const Row *row);

// Visits the windows of one direction in which the cell is the lowest empty one and that need at most `stones` stones.
static bool visit_direction(const PatternBoard *patterns, Side side, unsigned stones, Row *row, RowVisit visit,
                            void *context)
{
    const uint64_t *planes = patterns->plane[pattern_board_line(patterns, row->cell, row->direction)];
    uint64_t open = planes[side], own = open & ~planes[1 - side];
    unsigned k = patterns->rules.k, place = pattern_board_place(row->cell, row->direction),
             first = place + 1 < k ? 0 : place + 1 - k;
    for (unsigned low = first; low <= place && low + k <= 64; low++) {
        uint64_t window = bits_low(k) << low, empty = window & ~own;
        if ((window & ~open) != 0 || bits_lowest(empty) != place || bits_count(empty) > stones)
            continue;
        row->empty = empty;
        if (row_window_wins(&patterns->rules, own, window) && !visit(context, row))
            return false;
    }
    return true;
}

static bool visit_cell(const PatternBoard *patterns, Side side, unsigned stones, Cell cell, RowVisit visit,
                       void *context)
{
    const LinePatterns *line_patterns = &patterns->tables->line_patterns;
    unsigned code = pattern_board_code(patterns, cell, side);
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        if (number == LINE_PATTERN_DEAD || line_patterns->kind[number].need >= stones)
            continue;
        Row row = {.cell = cell, .direction = direction};
        if (!visit_direction(patterns, side, stones, &row, visit, context))
            return false;
    }
    return true;
}

// Cells of rows that need at most `stones` stones are counted under the first cell patterns (pattern_board.h); with one
// stone per turn, only those that complete a row. With few line patterns and many stones the count may be too large, so
// the windows decide.
static unsigned last_kind(const PatternBoard *patterns, unsigned stones)
{
    return patterns->rules.p == 1 ? CELL_COMPLETES : stones < 4 ? stones - 1 : CELL_LACKS_THREE;
}

// Visits all rows of a side that need at most `stones` stones, which is at most p, until a visit returns false.
static void visit_rows(const PatternBoard *patterns, Side side, unsigned stones, RowVisit visit, void *context)
{
    unsigned last = last_kind(patterns, stones), cells = 0;
    for (unsigned kind = 0; kind <= last; kind++)
        cells += pattern_board_count(patterns, side, kind);
    for (unsigned y = 0; y < patterns->rules.height && cells > 0; y++)
        for (uint64_t empty = pattern_board_empty_row(patterns, y); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), y);
            if (pattern_board_cell_pattern(patterns, cell, side) > last)
                continue;
            cells--;
            if (!visit_cell(patterns, side, stones, cell, visit, context))
                return;
        }
}

// The empty cells of a row, at most SEARCH_TURN_MAX; returns their number.
static unsigned row_cells(const Row *row, Cell cells[SEARCH_TURN_MAX])
{
    unsigned count = 0;
    for (uint64_t empty = row->empty; empty != 0; empty &= empty - 1)
        cells[count++] = pattern_board_cell_at(row->cell, row->direction, bits_lowest(empty));
    return count;
}

// --- Completing a row ---

typedef struct {
    unsigned most, count;
    Cell *stones;
} Finish;

static bool visit_finish(void *context, const Row *row)
{
    Finish *finish = context;
    if (bits_count(row->empty) > finish->most)
        return true;
    finish->count = row_cells(row, finish->stones);
    finish->most = finish->count - 1;
    return finish->most > 0;
}

// In a turn of more than p stones, which only the first turn can have, cell patterns do not count all rows that can be
// completed.
static void visit_long_turn(const PatternBoard *patterns, unsigned stones, Finish *finish)
{
    Side side = pattern_board_side(patterns);
    for (unsigned y = 0; y < patterns->rules.height; y++)
        for (uint64_t empty = pattern_board_empty_row(patterns, y); empty != 0; empty &= empty - 1)
            if (!visit_cell(patterns, side, stones, cell_at(bits_lowest(empty), y), visit_finish, finish))
                return;
}

unsigned rows_finish(const PatternBoard *patterns, Cell stones[SEARCH_TURN_MAX])
{
    unsigned left = pattern_board_stones_left(patterns);
    Finish finish = {.most = left};
    finish.stones = stones;
    if (left > patterns->rules.p)
        visit_long_turn(patterns, left, &finish);
    else if (left > 0)
        visit_rows(patterns, pattern_board_side(patterns), left, visit_finish, &finish);
    return finish.count;
}

// --- Targets ---

static bool visit_target(void *context, const Row *row)
{
    Targets *targets = context;
    Target *target = &targets->target[targets->count++];
    target->count = row_cells(row, target->cell);
    target_end(target);
    return targets->count < TARGETS_MAX;
}

void rows_targets(const PatternBoard *patterns, Side side, Targets *targets)
{
    targets->count = 0;
    visit_rows(patterns, side, patterns->rules.p, visit_target, targets);
}

static CellTargets targets_of(const Targets *targets)
{
    return (CellTargets){targets->target[0].cell, sizeof(Target) / sizeof(Cell), SEARCH_TURN_MAX, targets->count, NULL};
}

unsigned rows_first_unmet(const Targets *targets, const Cell *cells, unsigned count)
{
    CellTargets all = targets_of(targets);
    return hitting_set_first_unmet(&all, cells, count, 0);
}

unsigned rows_least_besides(const Targets *targets, const Cell *cells, unsigned count, unsigned most)
{
    CellTargets all = targets_of(targets);
    return hitting_set_least(&all, cells, count, most);
}

unsigned rows_least(const Targets *targets, unsigned most)
{
    return rows_least_besides(targets, NULL, 0, most);
}

void rows_answers(const Targets *targets, unsigned stones, HittingSetTake *take, void *context)
{
    CellTargets all = targets_of(targets);
    hitting_set_all(&all, stones, stones, take, context);
}
