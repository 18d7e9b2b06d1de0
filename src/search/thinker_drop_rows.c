#include "search/thinker_drop_internal.h"

// --- Rows within reach ---

// The stones that it takes to fill a window: for each empty cell those up to it in its column. In a column they are in
// the line itself, and under `exact` those below the window would make the row too long. More than `most` is told as
// `most` + 1.
static unsigned row_cost(const Field *field, Cell cell, unsigned direction, uint64_t empty, unsigned most)
{
    int step = field_step[direction], place = (int)field_place(cell, direction);
    unsigned cost = 0;
    if (direction == 1) {
        unsigned height = drop_height(field, cell_column(cell));
        if (field->rules.exact && height < bits_lowest(empty))
            return most + 1;
        cost = 64 - bits_leading_zeros(empty) - height;
        return cost < most ? cost : cost > most ? most + 1 : cost;
    }
    for (; empty != 0 && cost <= most; empty &= empty - 1) {
        Cell at = (Cell)(cell + ((int)bits_lowest(empty) - place) * step);
        cost += cell_row(at) + 1 - drop_height(field, cell_column(at));
    }
    return cost <= most ? cost : most + 1;
}

static void take_row(DropRow *row, Cell cell, unsigned direction, uint64_t empty, unsigned cost)
{
    int step = field_step[direction], place = (int)field_place(cell, direction);
    row->stones = cost;
    row->count = 0;
    for (; empty != 0; empty &= empty - 1)
        row->cell[row->count++] = (Cell)(cell + ((int)bits_lowest(empty) - place) * step);
}

// Windows of a direction in which the cell is the lowest empty one.
static void row_through(const Field *field, Side side, Cell cell, unsigned direction, unsigned most, DropRow *row)
{
    const uint64_t *planes = field->plane[field_line(field, cell, direction)];
    uint64_t open = planes[side], own = open & ~planes[1 - side];
    unsigned k = field->rules.k, place = field_place(cell, direction), first = place + 1 < k ? 0 : place + 1 - k;
    for (unsigned low = first; low <= place && low + k <= 64 && row->stones == 0; low++) {
        uint64_t window = bits_low(k) << low, empty = window & ~own;
        if ((window & ~open) != 0 || bits_lowest(empty) != place || bits_count(empty) > most)
            continue;
        if (field->rules.exact && (own & ~window & (window << 1 | window >> 1)) != 0)
            continue;
        unsigned cost = row_cost(field, cell, direction, empty, most);
        if (cost <= most)
            take_row(row, cell, direction, empty, cost);
    }
}

// `below` stones come before the one on the cell.
static void row_at(const Field *field, Side side, Cell cell, unsigned below, unsigned most, DropRow *row)
{
    const Shapes *shapes = &field->tables->shapes;
    unsigned code = field_code(field, cell, side);
    for (unsigned direction = 0; direction < 4 && code >> 4 * direction != 0; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        if (number != SHAPE_DEAD && shapes->kind[number].need + below < most && row->stones == 0)
            row_through(field, side, cell, direction, most, row);
    }
}

DropRow drop_row_within(const Field *field, Side side, unsigned stones)
{
    DropRow row;
    row.stones = row.count = 0;
    for (unsigned x = 0; x < field->rules.width && row.stones == 0; x++) {
        unsigned height = drop_height(field, x);
        for (unsigned below = 0; below < stones && height + below < field->rules.height && row.stones == 0; below++)
            row_at(field, side, cell_at(x, height + below), below, stones, &row);
    }
    return row;
}

DropRow drop_threat(const Field *field)
{
    unsigned p = field->rules.p, empty = (unsigned)field->cells - field->state.count - drop_stones(field);
    Side other = side_other(field_side(field));
    if (p > 1 || field_count(field, other, CELL_COMPLETES) > 0)
        return drop_row_within(field, other, p < empty ? p : empty);
    DropRow none;
    none.stones = none.count = 0;
    return none;
}

unsigned drop_row_stones(const Field *field, const DropRow *row, Cell stones[THINKER_TURN_MAX])
{
    unsigned count = 0, filled[RULES_SIDE_MAX];
    for (unsigned x = 0; x < field->rules.width; x++)
        filled[x] = drop_height(field, x);
    for (unsigned i = 0; i < row->count; i++) {
        unsigned x = cell_column(row->cell[i]);
        for (; filled[x] <= cell_row(row->cell[i]); filled[x]++)
            stones[count++] = cell_at(x, filled[x]);
    }
    assert(count == row->stones);
    return count;
}

uint64_t drop_stops(const Field *field, const DropRow *row, unsigned stones)
{
    uint64_t columns = 0;
    for (unsigned i = 0; i < row->count; i++) {
        unsigned x = cell_column(row->cell[i]);
        if (cell_row(row->cell[i]) + 1 - drop_height(field, x) <= stones)
            columns |= UINT64_C(1) << x;
    }
    return columns;
}

// --- One stone a turn ---

uint64_t drop_completing(const Field *field, Side side)
{
    uint64_t columns = 0;
    if (field_count(field, side, CELL_COMPLETES) == 0)
        return 0;
    for (unsigned x = 0; x < field->rules.width; x++) {
        unsigned y = drop_height(field, x);
        if (y < field->rules.height && field_kind(field, cell_at(x, y), side) == CELL_COMPLETES)
            columns |= UINT64_C(1) << x;
    }
    return columns;
}

// Columns where a stone of the side lets a row lack one stone only.
static uint64_t four_makers(const Field *field, Side side)
{
    uint64_t columns = 0;
    if (field_count(field, side, CELL_OPEN_FOUR) + field_count(field, side, CELL_FOUR_THREE) +
            field_count(field, side, CELL_FOUR) + field_count(field, side, CELL_COMPLETES) ==
        0)
        return 0;
    for (unsigned x = 0; x < field->rules.width; x++) {
        unsigned y = drop_height(field, x);
        if (y >= field->rules.height)
            continue;
        CellKind kind = field_kind(field, cell_at(x, y), side);
        bool is_below = y + 1u < field->rules.height && field_kind(field, cell_at(x, y + 1), side) == CELL_COMPLETES;
        if (kind == CELL_OPEN_FOUR || kind == CELL_FOUR_THREE || kind == CELL_FOUR || is_below)
            columns |= UINT64_C(1) << x;
    }
    return columns;
}

static unsigned fours(Worker *worker, unsigned positions, unsigned level, Cell *first);

// After a stone of the attacker; the defender is to move.
static unsigned four_answered(Worker *worker, unsigned positions, unsigned level)
{
    Field *field = &worker->field;
    Side defender = field_side(field);
    uint64_t open = drop_completing(field, side_other(defender));
    if (open == 0 || drop_completing(field, defender) != 0)
        return 0;
    if ((open & (open - 1)) != 0)
        return 2;
    unsigned x = bits_lowest(open);
    Cell none, cell = cell_at(x, drop_height(field, x));
    field_play(field, cell);
    unsigned after = fours(worker, positions, level + 1, &none);
    field_undo(field);
    return after > 0 ? after + 1 : 0;
}

enum { FOURS_LEVELS = 20 };

// The attacker is to move; returns the stones until a row is complete.
static unsigned fours(Worker *worker, unsigned positions, unsigned level, Cell *first)
{
    Field *field = &worker->field;
    DropState *state = drop_state(worker);
    Side side = field_side(field);
    uint64_t completing = drop_completing(field, side), held = drop_completing(field, side_other(side));
    if (completing != 0) {
        unsigned x = bits_lowest(completing);
        *first = cell_at(x, drop_height(field, x));
        return 1;
    }
    if (level >= FOURS_LEVELS || (held & (held - 1)) != 0 || worker_poll(worker) || ++state->fours > positions)
        return 0;
    uint64_t columns = four_makers(field, side);
    if (held != 0)
        columns &= held;
    for (; columns != 0; columns &= columns - 1) {
        unsigned x = bits_lowest(columns);
        Cell cell = cell_at(x, drop_height(field, x));
        field_play(field, cell);
        unsigned after = four_answered(worker, positions, level);
        field_undo(field);
        if (after > 0) {
            *first = cell;
            return after + 1;
        }
        if (worker->is_stopped || state->fours > positions)
            return 0;
    }
    return 0;
}

unsigned drop_fours(Worker *worker, unsigned positions, Cell *first)
{
    drop_state(worker)->fours = 0;
    return fours(worker, positions, 0, first);
}
