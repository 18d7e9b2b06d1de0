// The evaluation where stones fall. A cell is worth what its shapes are (analysis/shapes.h), less the higher it is
// above the stones of its column, since it can be used only later.
//
// With one stone a turn a cell that completes a row and cannot be reached yet is a threat that stays: the other side
// cannot place a stone below it. Whoever has to in the end loses it, and who that is follows from counting the cells of
// all other columns (the rule of odd and even threats, Allis, A Knowledge-based Approach of Connect-Four, 1988, section
// 3.3). Two such cells one above the other cannot be stopped at all. What is above such a cell matters little.
#include "search/thinker_drop_internal.h"

#include <math.h>

enum {
    VALUE_FIRST = 30,     // of a shape that needs as many stones as a turn has
    THREAT_OWNED = 100,   // a cell that completes a row and comes to its side in the end
    THREAT_OTHER = 40,    // likewise, where the other side comes to block it
    THREAT_STACKED = 300, // another one right above
    ZUGZWANG_LEAST = 100, // who wins if nothing happens any more, on an empty board
    ZUGZWANG_MOST = 400,  // and on a full one
    OWNED_SHARE = 23,     // of 32: a cell that comes to its side in the end
    TURN_VALUE = 12,      // it is good to be to move
    SHARE_ONE = 64,
};

static double shape_value(const Shapes *shapes, Shape shape)
{
    static const double LEVEL[] = {0, 0.8, 1.1, 1.3};
    double missing =
        shape.need > shapes->p ? (double)(shape.need - shapes->p) : -0.5 * (double)(shapes->p - shape.need);
    return VALUE_FIRST * pow(0.4, missing) * LEVEL[shape.level];
}

// What the codes are worth: the sum over their directions.
static void set_codes(int16_t *value, const Shapes *shapes)
{
    double of[SHAPES_MAX] = {0};
    for (unsigned number = SHAPE_DEAD + 1; number < shapes->count; number++)
        of[number] = shape_value(shapes, shapes->kind[number]);
    for (unsigned code = 0; code < FIELD_CODES; code++)
        value[code] = (int16_t)(of[code & 15] + of[code >> 4 & 15] + of[code >> 8 & 15] + of[code >> 12] + 0.5);
}

// The side that places a stone, by how many are on the board before it.
static Side side_of_stone(const Rules *rules, unsigned stones)
{
    if (stones < rules->q)
        return SIDE_FIRST;
    return (stones - rules->q) / rules->p % 2 == 0 ? SIDE_SECOND : SIDE_FIRST;
}

void drop_value_set(DropState *state, const Field *field)
{
    const Rules *rules = &field->rules;
    set_codes(state->value, &field->tables->shapes);
    for (unsigned y = 0; y < rules->height; y++)
        for (unsigned x = 0; x < rules->width; x++)
            state->owner[cell_at(x, y)] = (uint8_t)side_of_stone(rules, (rules->width - 1u) * rules->height + y);
    state->owned = rules->p == 1 ? OWNED_SHARE : SHARE_ONE / 4;
    double less = rules->p == 1 ? 0.92 : 0.85;
    for (unsigned above = 0; above < RULES_SIDE_MAX; above++)
        state->share[above] = (unsigned)lrint(SHARE_ONE * pow(less, above));
}

// --- One stone a turn ---

// Cells that complete a row, as bits of a column, by side.
typedef struct {
    uint64_t of[2];
} Threats;

static int threat_value(const DropState *state, Cell cell, Side side, const Threats *threats)
{
    int value = state->owner[cell] == side ? THREAT_OWNED : THREAT_OTHER;
    return (threats->of[side] >> cell_row(cell) >> 1 & 1) != 0 ? value + THREAT_STACKED : value;
}

// The lowest threat of each side in a column, for the first side less for the second.
static int threats_value(const DropState *state, unsigned x, const Threats *threats)
{
    unsigned first = bits_lowest(threats->of[0]), second = bits_lowest(threats->of[1]);
    int own = first < 64 ? threat_value(state, cell_at(x, first), SIDE_FIRST, threats) : 0;
    int other = second < 64 ? threat_value(state, cell_at(x, second), SIDE_SECOND, threats) : 0;
    return (first <= second ? own : own / 4) - (second <= first ? other : other / 4);
}

// What a column is worth for the first side less what it is for the second.
static int column_value(const DropState *state, const Field *field, unsigned x, Threats *threats)
{
    unsigned height = field->rules.height, bottom = drop_height(field, x);
    int sum = 0;
    for (unsigned y = bottom; y < height; y++) {
        Cell cell = cell_at(x, y);
        uint32_t word = field->words[FIELD_MARGIN + cell];
        if (word == 0)
            continue;
        int first = state->value[word & 0xffff], second = state->value[word >> 16];
        int owned = state->owner[cell] == SIDE_FIRST ? state->owned : SHARE_ONE / 2 - state->owned;
        int value = first * owned - second * (SHARE_ONE / 2 - owned);
        bool is_above = threats != NULL && (threats->of[0] | threats->of[1]) != 0;
        sum += value * (int)state->share[y - bottom] / (is_above ? 4 : 1);
        if (threats != NULL)
            for (unsigned side = 0; side < 2; side++)
                if (field_kind(field, cell, (Side)side) == CELL_COMPLETES)
                    threats->of[side] |= cell_bit_in_column(cell);
    }
    return sum / (SHARE_ONE * SHARE_ONE / 4);
}

// A column in the play that fills the board: the lowest empty row, and how many stones both sides can place there
// before one comes to be right below a threat.
typedef struct {
    unsigned row, safe;
    bool is_closed; // what comes next is below a threat
} Filling;

static void look_up(Filling *column, const Threats *threats, unsigned height)
{
    uint64_t above = (threats->of[0] | threats->of[1]) & ~bits_low(column->row + 1);
    unsigned next = bits_lowest(above);
    column->is_closed = next < height;
    column->safe = column->is_closed ? next - 1 - column->row : height - column->row;
}

// What the side that has to place a stone below a threat can do: give up an own threat, which the other side then
// blocks. Best where there is another right above it, else where an odd number of stones is free then, so that the
// other side comes to be in the same case. Returns the column, `width` if there is none.
static unsigned give_up(const Filling *columns, const Threats *threats, unsigned width, unsigned height, Side side,
                        bool *wins)
{
    unsigned best = width, best_rank = 0;
    for (unsigned x = 0; x < width; x++) {
        unsigned row = columns[x].row + columns[x].safe + 1; // of the threat
        if (!columns[x].is_closed || (threats[x].of[side_other(side)] >> (row & 63) & 1) != 0)
            continue;
        Filling after = {.row = row + 1};
        bool is_stacked = row + 1 < height && (threats[x].of[side] >> ((row + 1) & 63) & 1) != 0;
        look_up(&after, &threats[x], height);
        unsigned rank = is_stacked ? 3 : after.row >= height || after.safe % 2 == 0 ? 1 : 2;
        if (rank > best_rank) {
            best_rank = rank;
            best = x;
        }
    }
    *wins = best_rank == 3;
    return best;
}

// Who wins if nobody makes another threat and both fill the board: 1 for the first side, -1 for the second. The stones
// that can be placed before somebody must go below a threat are counted in `free`.
static int fill_up(const Field *field, const Threats *threats, unsigned *free)
{
    unsigned width = field->rules.width, height = field->rules.height, total = 0;
    Filling columns[RULES_SIDE_MAX];
    for (unsigned x = 0; x < width; x++) {
        columns[x].row = drop_height(field, x);
        columns[x].row = columns[x].row < height ? columns[x].row : height;
        look_up(&columns[x], &threats[x], height);
        total += columns[x].safe;
    }
    *free = total;
    for (;;) {
        Side side = total % 2 == 0 ? field_side(field) : side_other(field_side(field));
        bool wins, is_open = false;
        for (unsigned x = 0; x < width; x++)
            is_open |= columns[x].is_closed;
        if (!is_open)
            return 0;
        unsigned x = give_up(columns, threats, width, height, side, &wins);
        if (wins || x == width)
            return (side == SIDE_FIRST) == wins ? 1 : -1;
        columns[x].row += columns[x].safe + 2;
        look_up(&columns[x], &threats[x], height);
        total += columns[x].safe;
    }
}

static int zugzwang_value(const Field *field, const Threats *threats)
{
    unsigned free;
    int winner = fill_up(field, threats, &free);
    return winner *
           (ZUGZWANG_LEAST + (ZUGZWANG_MOST - ZUGZWANG_LEAST) * ((int)field->cells - (int)free) / field->cells);
}

int drop_value(const Worker *worker)
{
    const Field *field = &worker->field;
    const DropState *state = drop_state(worker);
    unsigned count = field_count(field, SIDE_FIRST, CELL_COMPLETES) + field_count(field, SIDE_SECOND, CELL_COMPLETES);
    bool has_threats = field->rules.p == 1 && count > 0;
    Threats threats[RULES_SIDE_MAX];
    int sum = 0;
    for (unsigned x = 0; x < field->rules.width; x++) {
        threats[x] = (Threats){{0, 0}};
        sum += column_value(state, field, x, has_threats ? &threats[x] : NULL);
        if (has_threats)
            sum += threats_value(state, x, &threats[x]);
    }
    if (has_threats)
        sum += zugzwang_value(field, threats);
    return thinker_limit((field_side(field) == SIDE_FIRST ? sum : -sum) + TURN_VALUE);
}
