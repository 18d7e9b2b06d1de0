#include "search/thinker_turns_internal.h"

enum { LEAST_STEPS = 4000 }; // cells tried to meet targets before it is given up

// --- Windows ---

// A window that a side can complete, by the word of its line.
typedef struct {
    Cell cell;          // an empty cell of it, the lowest in the line
    unsigned direction; // of field.h
    unsigned place;     // of that cell in the line
    uint64_t empty;     // its empty cells as bits of the line
} Row;

typedef bool (*RowVisit)(void *context, const Field *field, const Row *row);

// Under `exact` an own stone beside the window makes the row too long.
static bool row_fits(const Field *field, uint64_t own, uint64_t window)
{
    return !field->rules.exact || (own & ~window & (window << 1 | window >> 1)) == 0;
}

// The windows of one direction in which the cell is the lowest empty one and that need no more than `stones`.
static bool visit_direction(const Field *field, Side side, unsigned stones, Row *row, RowVisit visit, void *context)
{
    const uint64_t *planes = field->plane[field_line(field, row->cell, row->direction)];
    uint64_t open = planes[side], own = open & ~planes[1 - side];
    unsigned k = field->rules.k, place = row->place, first = place + 1 < k ? 0 : place + 1 - k;
    for (unsigned low = first; low <= place && low + k <= 64; low++) {
        uint64_t window = bits_low(k) << low, empty = window & ~own;
        if ((window & ~open) != 0 || bits_lowest(empty) != place || bits_count(empty) > stones)
            continue;
        row->empty = empty;
        if (row_fits(field, own, window) && !visit(context, field, row))
            return false;
    }
    return true;
}

static bool visit_cell(const Field *field, Side side, unsigned stones, Cell cell, RowVisit visit, void *context)
{
    const Shapes *shapes = &field->tables->shapes;
    unsigned code = field_code(field, cell, side);
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        if (number == SHAPE_DEAD || shapes->kind[number].need >= stones)
            continue;
        Row row = {.cell = cell, .direction = direction, .place = field_place(cell, direction)};
        if (!visit_direction(field, side, stones, &row, visit, context))
            return false;
    }
    return true;
}

// Cells of rows that need at most `stones` are counted among the first kinds (field.h); with one stone a turn only
// those that complete a row are. Where shapes are few for many stones the count may be too large, so windows decide.
static unsigned last_kind(const Field *field, unsigned stones)
{
    return field->rules.p == 1 ? CELL_COMPLETES : stones < 4 ? stones - 1 : CELL_DOUBLE_THREE;
}

// All rows of a side that need no more than `stones`, which is at most p, until a visit returns false.
static void visit_rows(const Field *field, Side side, unsigned stones, RowVisit visit, void *context)
{
    unsigned last = last_kind(field, stones), cells = 0;
    for (unsigned kind = 0; kind <= last; kind++)
        cells += field_count(field, side, kind);
    for (unsigned y = 0; y < field->rules.height && cells > 0; y++)
        for (uint64_t empty = field_empty_row(field, y); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), y);
            if (field_kind(field, cell, side) > last)
                continue;
            cells--;
            if (!visit_cell(field, side, stones, cell, visit, context))
                return;
        }
}

static Cell row_cell(const Row *row, unsigned bit)
{
    return (Cell)(row->cell + ((int)bit - (int)row->place) * field_step[row->direction]);
}

// --- Completing a row ---

typedef struct {
    unsigned most, count;
    Cell stones[THINKER_TURN_MAX];
} Finish;

// The lowest empty row of a column.
static unsigned drop_row(const Field *field, unsigned column)
{
    const uint64_t *planes = field->plane[field->column_lines + column];
    return bits_lowest(planes[0] & planes[1]);
}

// The stones that fill a column up to a cell; returns how many there are then, more than `most` if there are too many.
static unsigned fill_column(const Field *field, Cell cell, Cell *stones, unsigned count, unsigned most)
{
    unsigned column = cell_column(cell);
    for (unsigned y = drop_row(field, column); y <= cell_row(cell); y++) {
        if (count >= most)
            return most + 1;
        stones[count++] = cell_at(column, y);
    }
    return count;
}

// Under gravity each empty cell takes the stones below it as well. In a column they are in the line itself: below the
// window they would make the row longer than k.
static unsigned row_stones_falling(const Field *field, const Row *row, unsigned most, Cell *stones)
{
    unsigned count = 0;
    if (row->direction == 1) {
        unsigned top = 63 - bits_leading_zeros(row->empty);
        if (field->rules.exact && drop_row(field, cell_column(row->cell)) < bits_lowest(row->empty))
            return most + 1;
        return fill_column(field, cell_at(cell_column(row->cell), top), stones, 0, most);
    }
    for (uint64_t empty = row->empty; empty != 0 && count <= most; empty &= empty - 1)
        count = fill_column(field, row_cell(row, bits_lowest(empty)), stones, count, most);
    return count;
}

static unsigned row_stones(const Field *field, const Row *row, unsigned most, Cell *stones)
{
    if (field->rules.gravity)
        return row_stones_falling(field, row, most, stones);
    unsigned count = 0;
    for (uint64_t empty = row->empty; empty != 0; empty &= empty - 1) {
        if (count >= most)
            return most + 1;
        stones[count++] = row_cell(row, bits_lowest(empty));
    }
    return count;
}

static bool visit_finish(void *context, const Field *field, const Row *row)
{
    Finish *finish = context;
    Cell stones[THINKER_TURN_MAX] = {0};
    unsigned count = row_stones(field, row, finish->most, stones);
    if (count > finish->most)
        return true;
    for (unsigned i = 0; i < count; i++)
        finish->stones[i] = stones[i];
    finish->count = count;
    finish->most = count - 1;
    return finish->most > 0;
}

// In a turn of more stones than p, which only the first can be, kinds do not count all rows that can be completed.
static void visit_long_turn(const Field *field, unsigned stones, Finish *finish)
{
    Side side = field_side(field);
    for (unsigned y = 0; y < field->rules.height; y++)
        for (uint64_t empty = field_empty_row(field, y); empty != 0; empty &= empty - 1)
            if (!visit_cell(field, side, stones, cell_at(bits_lowest(empty), y), visit_finish, finish))
                return;
}

unsigned rows_finish(const Field *field, Cell stones[THINKER_TURN_MAX])
{
    unsigned left = turn_stones(field);
    Finish finish = {left, 0, {0}};
    if (left > field->rules.p)
        visit_long_turn(field, left, &finish);
    else if (left > 0)
        visit_rows(field, field_side(field), left, visit_finish, &finish);
    for (unsigned i = 0; i < finish.count; i++)
        stones[i] = finish.stones[i];
    return finish.count;
}

// --- Targets ---

static bool visit_target(void *context, const Field *field, const Row *row)
{
    Targets *targets = context;
    (void)field;
    Target *target = &targets->target[targets->count++];
    target->count = 0;
    for (uint64_t empty = row->empty; empty != 0; empty &= empty - 1)
        target->cell[target->count++] = row_cell(row, bits_lowest(empty));
    return targets->count < TARGETS_MAX;
}

// Where stones fall, one a turn: the cells that can be reached and complete a row.
static void falling_targets(const Field *field, Side side, Targets *targets)
{
    for (unsigned y = 0; y < field->rules.height && field_count(field, side, CELL_COMPLETES) > 0; y++)
        for (uint64_t legal = field_legal_row(field, y); legal != 0; legal &= legal - 1) {
            Cell cell = cell_at(bits_lowest(legal), y);
            if (field_kind(field, cell, side) == CELL_COMPLETES)
                targets->target[targets->count++] = (Target){{cell}, 1};
        }
}

void rows_targets(const Field *field, Side side, Targets *targets)
{
    targets->count = 0;
    if (!field->rules.gravity)
        visit_rows(field, side, field->rules.p, visit_target, targets);
    else if (field->rules.p == 1)
        falling_targets(field, side, targets);
}

static bool target_has(const Target *target, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < target->count; i++)
        for (unsigned j = 0; j < count; j++)
            if (target->cell[i] == cells[j])
                return true;
    return false;
}

unsigned rows_first_unmet(const Targets *targets, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < targets->count; i++)
        if (!target_has(&targets->target[i], cells, count))
            return i;
    return targets->count;
}

// Cells chosen so far, and how many of them were given.
typedef struct {
    const Targets *targets;
    Cell *chosen;
    unsigned count, steps;
} Meeting;

// Whether `more` cells besides those chosen meet all targets.
static bool can_meet(Meeting *meeting, unsigned more)
{
    unsigned unmet = rows_first_unmet(meeting->targets, meeting->chosen, meeting->count);
    if (unmet == meeting->targets->count || ++meeting->steps > LEAST_STEPS)
        return true;
    if (more == 0)
        return false;
    const Target *target = &meeting->targets->target[unmet];
    for (unsigned i = 0; i < target->count; i++) {
        meeting->chosen[meeting->count++] = target->cell[i];
        bool met = can_meet(meeting, more - 1);
        meeting->count--;
        if (met)
            return true;
    }
    return false;
}

unsigned rows_least_besides(const Targets *targets, const Cell *cells, unsigned count, unsigned most)
{
    Cell chosen[2 * THINKER_TURN_MAX];
    for (unsigned i = 0; i < count; i++)
        chosen[i] = cells[i];
    for (unsigned more = 0; more <= most; more++) {
        Meeting meeting = {targets, chosen, count, 0};
        if (can_meet(&meeting, more))
            return more;
    }
    return most + 1;
}

unsigned rows_least(const Targets *targets, unsigned most)
{
    return rows_least_besides(targets, NULL, 0, most);
}
