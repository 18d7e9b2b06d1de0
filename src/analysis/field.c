#include "analysis/field.h"

#include <stdlib.h>
#include <string.h>

#define FIELD_HOT static inline __attribute__((always_inline))
// Checked builds do without: they would take minutes to compile.
#ifdef NDEBUG
#define FIELD_UNROLLED _Pragma("GCC unroll 8")
#else
#define FIELD_UNROLLED
#endif

const int field_step[4] = {1, RULES_SIDE_MAX, RULES_SIDE_MAX + 1, 1 - RULES_SIDE_MAX};

// --- What codes mean ---

// The shapes of a code: how many directions have what.
typedef struct {
    unsigned completing, open_fours, fours, open_threes; // with one stone a turn
    unsigned least;                                      // need of the best; UINT_MAX: all dead
    bool is_open_at_p;                                   // one of those that need p is open
} CodeFacts;

static CodeFacts code_facts(const Shapes *shapes, unsigned code)
{
    CodeFacts facts = {.least = UINT32_MAX};
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        if (number == SHAPE_DEAD || number >= shapes->count)
            continue;
        Shape shape = shapes->kind[number];
        bool is_open = shape.level >= SHAPE_LEVEL_OPEN;
        facts.least = shape.need < facts.least ? shape.need : facts.least;
        facts.completing += shape.need == 0;
        facts.open_fours += shape.need == 1 && is_open;
        facts.fours += shape.need == 1 && !is_open;
        facts.open_threes += shape.need == 2 && is_open;
        facts.is_open_at_p |= shape.need == shapes->p && is_open;
    }
    return facts;
}

// With one stone a turn.
static CellKind kind_of_single(const CodeFacts *facts)
{
    if (facts->completing > 0)
        return CELL_COMPLETES;
    if (facts->open_fours > 0 || facts->fours > 1)
        return CELL_OPEN_FOUR;
    if (facts->fours > 0)
        return facts->open_threes > 0 ? CELL_FOUR_THREE : CELL_FOUR;
    return facts->open_threes > 1 ? CELL_DOUBLE_THREE : facts->open_threes > 0 ? CELL_THREE : CELL_QUIET;
}

static CellKind kind_of_code(const Shapes *shapes, unsigned code)
{
    CodeFacts facts = code_facts(shapes, code);
    if (shapes->p == 1)
        return kind_of_single(&facts);
    if (facts.least < shapes->p)
        return (CellKind)(facts.least < 3 ? facts.least : 3);
    if (facts.least > shapes->p)
        return CELL_QUIET;
    return facts.is_open_at_p ? CELL_FOUR : CELL_THREE;
}

enum { PACKED_BITS = 7, PACKED_BIAS = 1 << (PACKED_BITS - 1), PACKED_VALUE = FIELD_COUNTERS * PACKED_BITS };

static int64_t packed(CellKind kind, int value)
{
    int64_t counters = kind < CELL_QUIET ? INT64_C(1) << (kind * PACKED_BITS) : 0;
    return counters + value * (INT64_C(1) << PACKED_VALUE);
}

FIELD_HOT int64_t packed_counter(uint64_t biased, unsigned counter)
{
    return (int64_t)(biased >> (counter * PACKED_BITS) & ((1u << PACKED_BITS) - 1)) << (counter % 4 * 16);
}

// What changes of few cells, fewer than PACKED_BIAS, come to; counters may go down, so each is made positive meanwhile.
FIELD_HOT FieldSums widened(int64_t changes)
{
    const uint64_t ones = UINT64_C(0x40810204081) >> PACKED_BITS; // a bit for each counter
    const int64_t bias = PACKED_BIAS;
    uint64_t biased = (uint64_t)changes + ones * PACKED_BIAS;
    int64_t low =
        packed_counter(biased, 0) + packed_counter(biased, 1) + packed_counter(biased, 2) + packed_counter(biased, 3);
    int64_t high =
        packed_counter(biased, 4) + packed_counter(biased, 5) + ((int64_t)biased >> PACKED_VALUE) * (INT64_C(1) << 32);
    return (FieldSums){low - bias * INT64_C(0x0001000100010001), high - bias * INT64_C(0x00010001)};
}

static void fill_tables(FieldTables *tables, const Weights *weights)
{
    for (unsigned code = 0; code < FIELD_CODES; code++) {
        CellKind kind = kind_of_code(&tables->shapes, code);
        unsigned number = weights_unordered(code);
        tables->kind[code] = (uint8_t)kind;
        tables->unordered[code] = (uint16_t)number;
        tables->adds[code] = packed(kind, weights->code[number]);
        tables->move[code] = weights->move[number].own;
        tables->block[code] = weights->move[number].block;
    }
    for (unsigned direction = 0; direction < 4; direction++)
        for (unsigned both = 0; both < 256; both++)
            tables->part[direction][both] = ((both & 15) | (both & 0xf0) << 12) << (4 * direction);
    memcpy(tables->situation, weights->situation, sizeof tables->situation);
}

Status field_tables_open(FieldTables **tables, const Rules *rules, const Weights *weights, Error *error)
{
    *tables = aligned_alloc(64, (sizeof **tables + 63) / 64 * 64);
    if (*tables == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the tables of the engine");
    memset(*tables, 0, sizeof **tables);
    Status status = shapes_open(&(*tables)->shapes, rules, error);
    if (status != STATUS_OK) {
        free(*tables);
        *tables = NULL;
        return status;
    }
    Weights *found = malloc(sizeof *found);
    if (found == NULL) {
        field_tables_close(*tables);
        *tables = NULL;
        return error_set(error, STATUS_NO_MEMORY, "no memory for the tables of the engine");
    }
    if (weights == NULL)
        weights_find(found, &(*tables)->shapes, rules);
    fill_tables(*tables, weights != NULL ? weights : found);
    free(found);
    return STATUS_OK;
}

void field_tables_close(FieldTables *tables)
{
    if (tables != NULL)
        shapes_close(&tables->shapes);
    free(tables);
}

// --- Memory ---

Status field_open(Field *field, const FieldTables *tables, const Rules *rules, Error *error)
{
    unsigned cells = rules_cells(rules), width = rules->width, height = rules->height;
    unsigned longest = width > height ? width : height, reach = tables->shapes.reach;
    unsigned changes = 4 * (2 * reach < longest ? 2 * reach : longest);
    *field = (Field){.tables = tables, .rules = *rules, .cells = (uint16_t)cells};
    bool is_even = reach <= SHAPES_PAIRS_REACH && width + reach <= RULES_SIDE_MAX;
    field->way = (uint8_t)(is_even ? reach : SHAPES_PAIRS_REACH + 1);
    size_t logged = is_even ? 8 * reach + 1 : 2 * changes + 2;
    field->column_lines = (uint16_t)height;
    field->rising_lines = (uint16_t)(2 * height + width - 1);
    field->falling_lines = (uint16_t)(2 * width + 2 * height - 1);
    field->row_mask = bits_low(width);
    field->log = malloc(((size_t)cells * logged + 1) * sizeof *field->log);
    field->before = malloc((2 * (size_t)cells + 2) * sizeof *field->before);
    field->played = malloc((2 * (size_t)cells + 2) * sizeof *field->played);
    if (field->log != NULL && field->before != NULL && field->played != NULL)
        return STATUS_OK;
    field_close(field);
    return error_set(error, STATUS_NO_MEMORY, "no memory for a board of the engine");
}

void field_close(Field *field)
{
    free(field->log);
    free(field->before);
    free(field->played);
    *field = (Field){0};
}

// --- A position ---

// The code of one side at an empty cell, from the planes.
static unsigned plain_code(const Field *field, Cell cell, Side side)
{
    unsigned code = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        const uint64_t *planes = field->plane[field_line(field, cell, direction)];
        uint64_t open = planes[side], own = open & ~planes[1 - side];
        code |= shapes_at(&field->tables->shapes, open, own, field_place(cell, direction)) << (4 * direction);
    }
    return code;
}

static uint32_t plain_word(const Field *field, Cell cell)
{
    return plain_code(field, cell, SIDE_FIRST) | plain_code(field, cell, SIDE_SECOND) << 16;
}

static void sum_cell(const Field *field, uint32_t word, FieldSums sums[2])
{
    sums[0] += widened(field->tables->adds[word & 0xffff]);
    sums[1] += widened(field->tables->adds[word >> 16]);
}

// Sets or takes away what a cell is for one side (empty or its stone) in all lines.
FIELD_HOT void flip(Field *field, Cell cell, unsigned side)
{
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned line = field_line(field, cell, direction), place = field_place(cell, direction);
        unsigned bit = 2 * (place + FIELD_WALLS) + side;
        field->plane[line][side] ^= UINT64_C(1) << place;
        field->pairs[line][bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

static void set_lines(Field *field, const Board *board)
{
    memset(field->plane, 0, sizeof field->plane);
    memset(field->pairs, 0, sizeof field->pairs);
    for (unsigned row = 0; row < field->rules.height; row++)
        for (unsigned column = 0; column < field->rules.width; column++) {
            Cell cell = cell_at(column, row);
            Stone stone = board_stone(board, cell);
            if (stone != STONE_SECOND)
                flip(field, cell, SIDE_FIRST);
            if (stone != STONE_FIRST)
                flip(field, cell, SIDE_SECOND);
        }
}

void field_set(Field *field, const Board *board)
{
    assert(rules_equal(&field->rules, &board->rules));
    set_lines(field, board);
    field->played_count = 0;
    field->state = (FieldState){
        .stones_key = board->state.stones_key,
        .turn_left = (uint16_t)(board->state.turn & 0xffff),
        .count = (uint16_t)board_count(board),
        .side = (uint8_t)board_side(board),
        .won = board_winner(board) != WINNER_NONE,
    };
    memset(field->words, 0, sizeof field->words);
    for (unsigned row = 0; row < field->rules.height; row++)
        for (uint64_t empty = field_empty_row(field, row); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), row);
            uint32_t word = plain_word(field, cell);
            field->words[FIELD_MARGIN + cell] = word;
            sum_cell(field, word, field->state.sums);
        }
}

// --- Stones ---

// What a stone changes on its way through the lines.
typedef struct {
    const FieldTables *tables;
    int64_t sums[2]; // packed
    uint32_t *log;
} Change;

// Gives a cell another shape in one direction.
FIELD_HOT void change_word(Change *change, uint32_t *word, unsigned both, unsigned direction)
{
    const int64_t *adds = change->tables->adds;
    uint32_t kept = ~(UINT32_C(0x000f000f) << (4 * direction));
    uint32_t old = *word, fresh = (old & kept) | change->tables->part[direction][both];
    *change->log++ = old;
    *word = fresh;
    change->sums[0] += adds[fresh & 0xffff] - adds[old & 0xffff];
    change->sums[1] += adds[fresh >> 16] - adds[old >> 16];
}

// --- Where the same is done for every stone ---

FIELD_HOT unsigned window_shapes(const Shapes *shapes, unsigned reach, uint64_t window)
{
    return reach <= SHAPES_FLAT_REACH ? shapes_flat(shapes, reach, window) : shapes_pairs(shapes, reach, window);
}

// `reach` cells of a line one after another; `cells` begins with the window of the first.
FIELD_HOT void change_half(Change *change, uint32_t *word, unsigned direction, unsigned reach, uint64_t cells)
{
    const Shapes *shapes = &change->tables->shapes;
    FIELD_UNROLLED
    for (unsigned i = 0; i < reach; i++) {
        change_word(change, word, window_shapes(shapes, reach, cells >> 2 * i), direction);
        word += field_step[direction];
    }
}

FIELD_HOT void change_line(Field *field, Change *change, Cell cell, unsigned direction, unsigned reach)
{
    const uint64_t *pairs = field->pairs[field_line(field, cell, direction)];
    unsigned from = 2 * (field_place(cell, direction) + FIELD_WALLS - 2 * reach), at = from / 64, shift = from % 64;
    uint64_t cells = pairs[at] >> shift | pairs[at + 1] << 1 << (63 - shift);
    uint32_t *word = field->words + FIELD_MARGIN + cell;
    ptrdiff_t step = field_step[direction];
    change_half(change, word - (ptrdiff_t)reach * step, direction, reach, cells);
    change_half(change, word + step, direction, reach, cells >> (2 * reach + 2));
}

FIELD_HOT void change_lines(Field *field, Change *change, Cell cell, unsigned reach)
{
    change_line(field, change, cell, 0, reach);
    change_line(field, change, cell, 1, reach);
    change_line(field, change, cell, 2, reach);
    change_line(field, change, cell, 3, reach);
}

FIELD_HOT const uint32_t *restore_half(const uint32_t *log, uint32_t *word, unsigned direction, unsigned reach)
{
    FIELD_UNROLLED
    for (unsigned i = 0; i < reach; i++) {
        *word = *log++;
        word += field_step[direction];
    }
    return log;
}

FIELD_HOT void restore_lines(const uint32_t *log, uint32_t *word, unsigned reach)
{
    *word = *log++;
    FIELD_UNROLLED
    for (unsigned direction = 0; direction < 4; direction++) {
        log = restore_half(log, word - (ptrdiff_t)reach * field_step[direction], direction, reach);
        log = restore_half(log, word + field_step[direction], direction, reach);
    }
}

// --- Where it is not: wide boards and long rows ---

// The empty cells of a line within reach of a cell, other than itself.
static uint64_t near_in_line(const Field *field, Cell cell, unsigned direction)
{
    const uint64_t *planes = field->plane[field_line(field, cell, direction)];
    unsigned place = field_place(cell, direction), reach = field->tables->shapes.reach;
    uint64_t range = bits_low(place + reach + 1) & ~bits_low(place > reach ? place - reach : 0);
    return planes[0] & planes[1] & range & ~(UINT64_C(1) << place);
}

static void change_line_plain(Field *field, Change *change, Cell cell, unsigned direction)
{
    const Shapes *shapes = &field->tables->shapes;
    const uint64_t *planes = field->plane[field_line(field, cell, direction)];
    unsigned place = field_place(cell, direction);
    for (uint64_t near = near_in_line(field, cell, direction); near != 0; near &= near - 1) {
        unsigned at = bits_lowest(near);
        unsigned first = shapes_at(shapes, planes[0], planes[0] & ~planes[1], at);
        unsigned second = shapes_at(shapes, planes[1], planes[1] & ~planes[0], at);
        Cell other = (Cell)(cell + ((int)at - (int)place) * field_step[direction]);
        *change->log++ = other;
        change_word(change, &field->words[FIELD_MARGIN + other], first | second << 4, direction);
    }
}

static void take_sums(FieldState *state, Change *change)
{
    state->sums[0] += widened(change->sums[0]);
    state->sums[1] += widened(change->sums[1]);
    change->sums[0] = change->sums[1] = 0;
}

// Line by line, so that the packed counters do not overflow.
static void change_plainly(Field *field, Change *change, Cell cell)
{
    for (unsigned direction = 0; direction < 4; direction++) {
        take_sums(&field->state, change);
        change_line_plain(field, change, cell, direction);
    }
}

static void restore_plainly(Field *field, Cell cell, const uint32_t *end)
{
    const uint32_t *begin = field->log + field->state.log_count;
    field->words[FIELD_MARGIN + cell] = *begin++;
    for (; end > begin; end -= 2)
        field->words[FIELD_MARGIN + end[-2]] = end[-1];
}

// --- Both ---

static void next_turn(FieldState *state, unsigned p)
{
    state->side ^= 1;
    state->turn_left = (uint16_t)p;
}

enum { PLAINLY = 100 }; // as a reach: no matter how far

FIELD_HOT void play(Field *field, Cell cell, unsigned reach)
{
    FieldState *state = &field->state;
    Side side = field_side(field);
    uint32_t *word = field->words + FIELD_MARGIN + cell;
    const FieldTables *tables = field->tables;
    field->before[field->played_count] = *state;
    field->played[field->played_count++] = cell;
    Change change = {
        tables, {-tables->adds[*word & 0xffff], -tables->adds[*word >> 16]}, field->log + state->log_count};
    state->won = field_kind(field, cell, side) == CELL_COMPLETES;
    *change.log++ = *word;
    *word = 0;
    flip(field, cell, 1 - side);
    if (reach == PLAINLY)
        change_plainly(field, &change, cell);
    else
        change_lines(field, &change, cell, reach);
    take_sums(state, &change);
    state->log_count = (uint32_t)(change.log - field->log);
    state->stones_key ^= zobrist_stone[cell][side];
    state->count++;
    if (--state->turn_left == 0)
        next_turn(state, field->rules.p);
}

FIELD_HOT void undo(Field *field, unsigned reach)
{
    const uint32_t *end = field->log + field->state.log_count;
    Cell cell = field->played[--field->played_count];
    field->state = field->before[field->played_count];
    if (reach == PLAINLY)
        restore_plainly(field, cell, end);
    else
        restore_lines(field->log + field->state.log_count, field->words + FIELD_MARGIN + cell, reach);
    flip(field, cell, 1u - field->state.side);
}

// With the reach as a constant the compiler does without most of the arithmetic.
#define FIELD_WAY(reach)                                                                                               \
    static void play_##reach(Field *field, Cell cell)                                                                  \
    {                                                                                                                  \
        play(field, cell, reach);                                                                                      \
    }                                                                                                                  \
    static void undo_##reach(Field *field)                                                                             \
    {                                                                                                                  \
        undo(field, reach);                                                                                            \
    }

FIELD_WAY(0)
FIELD_WAY(1)
FIELD_WAY(2)
FIELD_WAY(3)
FIELD_WAY(4)
FIELD_WAY(5)
FIELD_WAY(6)
FIELD_WAY(7)
FIELD_WAY(PLAINLY)

static const struct {
    void (*play)(Field *field, Cell cell);
    void (*undo)(Field *field);
} ways[] = {
    {play_0, undo_0}, {play_1, undo_1}, {play_2, undo_2},
    {play_3, undo_3}, {play_4, undo_4}, {play_5, undo_5},
    {play_6, undo_6}, {play_7, undo_7}, {play_PLAINLY, undo_PLAINLY},
};

void field_play(Field *field, Cell cell)
{
    assert(field_is_empty(field, cell) && !field->state.won);
    ways[field->way].play(field, cell);
}

void field_undo(Field *field)
{
    ways[field->way].undo(field);
}

void field_pass(Field *field)
{
    field->before[field->played_count] = field->state;
    field->played[field->played_count++] = CELL_NONE;
    next_turn(&field->state, field->rules.p);
}

void field_unpass(Field *field)
{
    field->state = field->before[--field->played_count];
}

// --- Facts ---

unsigned field_in_reach(const Field *field, Cell stone, Cell cells[FIELD_REACH_MAX])
{
    unsigned count = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        int place = (int)field_place(stone, direction);
        for (uint64_t near = near_in_line(field, stone, direction); near != 0; near &= near - 1)
            cells[count++] = (Cell)(stone + ((int)bits_lowest(near) - place) * field_step[direction]);
    }
    return count;
}

unsigned field_situation(const Field *field)
{
    unsigned bits = 0, side = field->state.side;
    for (unsigned i = 0; i < 2; i++, side ^= 1) {
        FieldSums sums = field->state.sums[side];
        unsigned low = 0;
        for (unsigned counter = 0; counter < FIELD_COUNTERS; counter++)
            low |= (unsigned)((sums[counter >> 2] >> ((counter & 3) * 16) & 0xffff) != 0) << counter;
        bits |= low << (i * FIELD_COUNTERS);
    }
    return bits;
}

int field_value(const Field *field)
{
    Side side = field_side(field);
    int shapes = field_shapes_value(field, side) - field_shapes_value(field, side_other(side));
    return shapes + field->tables->situation[field_situation(field)];
}

bool field_is_right(const Field *field)
{
    FieldSums sums[2] = {{0, 0}, {0, 0}};
    for (unsigned row = 0; row < field->rules.height; row++)
        for (unsigned column = 0; column < field->rules.width; column++) {
            Cell cell = cell_at(column, row);
            uint32_t word = field_is_empty(field, cell) ? plain_word(field, cell) : 0;
            if (field->words[FIELD_MARGIN + cell] != word)
                return false;
            if (field_is_empty(field, cell))
                sum_cell(field, word, sums);
        }
    bool is_right = true;
    for (unsigned i = 0; i < 4; i++)
        is_right &= sums[i / 2][i % 2] == field->state.sums[i / 2][i % 2];
    return is_right;
}
