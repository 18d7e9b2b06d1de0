// The evaluation for gravity games. A cell is worth what its line patterns are worth (engine/eval/line_patterns.h),
// reduced by its height above the stones of its column, because it can only be used later.
//
// With one stone per turn, a cell that completes a row and cannot be reached yet is a lasting threat: the opponent must
// not place a stone below it. In the end one side is forced to (zugzwang); which side follows from counting the cells
// of all other columns: the rule of odd and even threats (Allis, A Knowledge-based Approach of Connect-Four, 1988,
// section 3.3). Two such cells one above the other cannot be stopped. Cells above a threat matter little.
#include "engine/eval/evaluator.h"

#include <math.h>

enum {
    VALUE_FIRST = 30,     // a line pattern that needs as many stones as a turn has
    THREAT_OWNED = 100,   // a threat on a cell that its side will get if all other columns are filled
    THREAT_OTHER = 40,    // a threat on a cell that the opponent will get and block
    THREAT_STACKED = 300, // bonus for another threat of the same side directly above
    ZUGZWANG_LEAST = 100, // for the side that wins by zugzwang, on an empty board
    ZUGZWANG_MOST = 400,  // likewise, on a full board
    OWNED_SHARE = 23,     // of 32: the weight of a cell for the side that will get it
    TURN_VALUE = 12,      // the advantage of being to move
    SHARE_ONE = 64,       // fixed-point one for GravityEvaluator.share
};

typedef struct {
    int owned;                          // in 32nds: the weight of a cell for its owner; the rest is for the opponent
    unsigned share[RULES_SIDE_MAX];     // in 64ths: the weight by height above the stones of the column
    uint8_t owner[RULES_CELLS_MAX];     // the side that gets the cell when all other columns are filled
    int16_t value[PATTERN_BOARD_CODES]; // by code: the value of a cell that does not complete a row
} GravityEvaluator;

static double line_pattern_value(const LinePatterns *line_patterns, LinePattern line_pattern)
{
    static const double LEVEL[] = {0, 0.8, 1.1, 1.3};
    double missing = line_pattern.need > line_patterns->p ? (double)(line_pattern.need - line_patterns->p)
                                                          : -0.5 * (double)(line_patterns->p - line_pattern.need);
    return VALUE_FIRST * pow(0.4, missing) * LEVEL[line_pattern.level];
}

// Sets the values of the codes: sums over their directions.
static void set_codes(int16_t *values, const LinePatterns *line_patterns)
{
    double of[LINE_PATTERNS_MAX] = {0};
    for (unsigned number = LINE_PATTERN_DEAD + 1; number < line_patterns->count; number++)
        of[number] = line_pattern_value(line_patterns, line_patterns->kind[number]);
    for (unsigned code = 0; code < PATTERN_BOARD_CODES; code++)
        values[code] = (int16_t)(of[code & 15] + of[code >> 4 & 15] + of[code >> 8 & 15] + of[code >> 12] + 0.5);
}

// The side that places a stone, by how many are on the board before it.
static Side side_of_stone(const Rules *rules, unsigned stones)
{
    if (stones < rules->q)
        return SIDE_FIRST;
    return (stones - rules->q) / rules->p % 2 == 0 ? SIDE_SECOND : SIDE_FIRST;
}

static Status open(void *state, const PatternBoard *patterns, Error *error)
{
    (void)error;
    GravityEvaluator *self = state;
    const Rules *rules = &patterns->rules;
    set_codes(self->value, &patterns->tables->line_patterns);
    for (unsigned y = 0; y < rules->height; y++)
        for (unsigned x = 0; x < rules->width; x++)
            self->owner[cell_at(x, y)] = (uint8_t)side_of_stone(rules, (rules->width - 1u) * rules->height + y);
    self->owned = rules->p == 1 ? OWNED_SHARE : SHARE_ONE / 4;
    double less = rules->p == 1 ? 0.92 : 0.85;
    for (unsigned above = 0; above < RULES_SIDE_MAX; above++)
        self->share[above] = (unsigned)lrint(SHARE_ONE * pow(less, above));
    return STATUS_OK;
}

// Cells that complete a row, as bits of a column, by side.
typedef struct {
    uint64_t of[2];
} Threats;

static int threat_value(const GravityEvaluator *self, Cell cell, Side side, const Threats *threats)
{
    int value = self->owner[cell] == side ? THREAT_OWNED : THREAT_OTHER;
    return (threats->of[side] >> cell_row(cell) >> 1 & 1) != 0 ? value + THREAT_STACKED : value;
}

// The value of the lowest threat of each side in a column, for the first side minus the second.
static int threats_value(const GravityEvaluator *self, unsigned x, const Threats *threats)
{
    unsigned first = bits_lowest(threats->of[0]), second = bits_lowest(threats->of[1]);
    int own = first < 64 ? threat_value(self, cell_at(x, first), SIDE_FIRST, threats) : 0;
    int other = second < 64 ? threat_value(self, cell_at(x, second), SIDE_SECOND, threats) : 0;
    return (first <= second ? own : own / 4) - (second <= first ? other : other / 4);
}

// The value of a column for the first side minus that for the second.
static int column_value(const GravityEvaluator *self, const PatternBoard *patterns, unsigned x, Threats *threats)
{
    unsigned height = patterns->rules.height, bottom = pattern_board_height(patterns, x);
    int sum = 0;
    for (unsigned y = bottom; y < height; y++) {
        Cell cell = cell_at(x, y);
        uint32_t word = patterns->words[PATTERN_BOARD_MARGIN + cell];
        if (word == 0)
            continue;
        int first = self->value[word & 0xffff], second = self->value[word >> 16];
        int owned = self->owner[cell] == SIDE_FIRST ? self->owned : SHARE_ONE / 2 - self->owned;
        int value = first * owned - second * (SHARE_ONE / 2 - owned);
        bool is_above = threats != NULL && (threats->of[0] | threats->of[1]) != 0;
        sum += value * (int)self->share[y - bottom] / (is_above ? 4 : 1);
        if (threats != NULL)
            for (unsigned side = 0; side < 2; side++)
                if (pattern_board_cell_pattern(patterns, cell, (Side)side) == CELL_COMPLETES)
                    threats->of[side] |= cell_bit_in_column(cell);
    }
    return sum / (SHARE_ONE * SHARE_ONE / 4);
}

// A column while the board is filled: the lowest empty row, and the stones that can be placed until the next cell is
// directly below a threat.
typedef struct {
    unsigned row, safe;
    bool is_closed; // the next cell is below a threat
} Filling;

static void look_up(Filling *column, const Threats *threats, unsigned height)
{
    uint64_t above = (threats->of[0] | threats->of[1]) & ~bits_low(column->row + 1);
    unsigned next = bits_lowest(above);
    column->is_closed = next < height;
    column->safe = column->is_closed ? next - 1 - column->row : height - column->row;
}

// The best column for a side that must place a stone below a threat: it gives up a threat of its own, which the
// opponent then blocks. Best if another threat is directly above, else if an odd number of stones is free afterwards,
// so that the opponent is in the same situation. Returns `width` if there is no such column.
static unsigned give_up(const Filling *columns, const Threats *threats, const Rules *rules, Side side, bool *wins)
{
    unsigned width = rules->width, height = rules->height;
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

// Which side wins if neither makes another threat and both fill the board: 1 for the first side, -1 for the second.
// `free` counts the stones that can be placed before a side must play below a threat.
static int fill_up(const PatternBoard *patterns, const Threats *threats, unsigned *free)
{
    unsigned width = patterns->rules.width, height = patterns->rules.height, total = 0;
    Filling columns[RULES_SIDE_MAX];
    for (unsigned x = 0; x < width; x++) {
        columns[x].row = pattern_board_height(patterns, x);
        columns[x].row = columns[x].row < height ? columns[x].row : height;
        look_up(&columns[x], &threats[x], height);
        total += columns[x].safe;
    }
    *free = total;
    for (;;) {
        Side side = total % 2 == 0 ? pattern_board_side(patterns) : side_other(pattern_board_side(patterns));
        bool wins, is_open = false;
        for (unsigned x = 0; x < width; x++)
            is_open |= columns[x].is_closed;
        if (!is_open)
            return 0;
        unsigned x = give_up(columns, threats, &patterns->rules, side, &wins);
        if (wins || x == width)
            return (side == SIDE_FIRST) == wins ? 1 : -1;
        columns[x].row += columns[x].safe + 2;
        look_up(&columns[x], &threats[x], height);
        total += columns[x].safe;
    }
}

static int zugzwang_value(const PatternBoard *patterns, const Threats *threats)
{
    unsigned free;
    int winner = fill_up(patterns, threats, &free);
    return winner *
           (ZUGZWANG_LEAST + (ZUGZWANG_MOST - ZUGZWANG_LEAST) * ((int)patterns->cells - (int)free) / patterns->cells);
}

static int value(void *state, const PatternBoard *patterns, int alpha, int beta)
{
    (void)alpha, (void)beta;
    const GravityEvaluator *self = state;
    unsigned count = pattern_board_count(patterns, SIDE_FIRST, CELL_COMPLETES) +
                     pattern_board_count(patterns, SIDE_SECOND, CELL_COMPLETES);
    bool has_threats = patterns->rules.p == 1 && count > 0;
    Threats threats[RULES_SIDE_MAX];
    int sum = 0;
    for (unsigned x = 0; x < patterns->rules.width; x++) {
        threats[x] = (Threats){{0, 0}};
        sum += column_value(self, patterns, x, has_threats ? &threats[x] : NULL);
        if (has_threats)
            sum += threats_value(self, x, &threats[x]);
    }
    if (has_threats)
        sum += zugzwang_value(patterns, threats);
    return (pattern_board_side(patterns) == SIDE_FIRST ? sum : -sum) + TURN_VALUE;
}

static bool supports(const Rules *rules)
{
    return rules->gravity;
}

extern const EvaluatorKind evaluator_gravity;
const EvaluatorKind evaluator_gravity = {
    .name = "gravity",
    .summary = "line patterns by height, odd and even threats",
    .supports = supports,
    .state_size = sizeof(GravityEvaluator),
    .open = open,
    .value = value,
};
