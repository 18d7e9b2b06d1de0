// The pattern board: playing and undoing stones, and sums.
#include "engine/eval/pattern_board_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// Only in release builds: other builds would take minutes to compile.
#ifdef NDEBUG
#define PATTERN_BOARD_UNROLLED _Pragma("GCC unroll 8")
#else
#define PATTERN_BOARD_UNROLLED
#endif

const int pattern_board_step[4] = {1, RULES_SIDE_MAX, RULES_SIDE_MAX + 1, 1 - RULES_SIDE_MAX};

// --- Memory ---

void pattern_board_open(PatternBoard *patterns, const PatternTables *tables, const Rules *rules)
{
    unsigned cells = rules_cells(rules), width = rules->width, height = rules->height;
    unsigned longest = width > height ? width : height, reach = tables->line_patterns.reach;
    unsigned changes = 4 * (2 * reach < longest ? 2 * reach : longest);
    *patterns = (PatternBoard){.tables = tables, .rules = *rules, .cells = (uint16_t)cells};
    bool is_even = reach <= LINE_PATTERNS_PAIRS_REACH && width + reach <= RULES_SIDE_MAX;
    patterns->variant = (uint8_t)(is_even ? reach : LINE_PATTERNS_PAIRS_REACH + 1);
    size_t logged = is_even ? 8 * reach + 1 : 2 * changes + 2;
    patterns->column_lines = (uint16_t)height;
    patterns->rising_lines = (uint16_t)(2 * height + width - 1);
    patterns->falling_lines = (uint16_t)(2 * width + 2 * height - 1);
    patterns->row_mask = bits_low(width);
    patterns->log = memory_new((size_t)cells * logged + 1, sizeof *patterns->log);
    patterns->before = memory_new(2 * (size_t)cells + 2, sizeof *patterns->before);
    patterns->played = memory_new(2 * (size_t)cells + 2, sizeof *patterns->played);
}

void pattern_board_close(PatternBoard *patterns)
{
    free(patterns->log);
    free(patterns->before);
    free(patterns->played);
    *patterns = (PatternBoard){0};
}

// --- A position ---

// The code of one side at an empty cell, from the planes.
static unsigned plain_code(const PatternBoard *patterns, Cell cell, Side side)
{
    unsigned code = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        const uint64_t *planes = patterns->plane[pattern_board_line(patterns, cell, direction)];
        uint64_t open = planes[side], own = open & ~planes[1 - side];
        code |= line_patterns_at(&patterns->tables->line_patterns, open, own, pattern_board_place(cell, direction))
                << (4 * direction);
    }
    return code;
}

static uint32_t plain_word(const PatternBoard *patterns, Cell cell)
{
    return plain_code(patterns, cell, SIDE_FIRST) | plain_code(patterns, cell, SIDE_SECOND) << 16;
}

static void sum_cell(const PatternBoard *patterns, uint32_t word, PatternSums sums[2])
{
    sums[0] += widened(patterns->tables->adds[word & 0xffff]);
    sums[1] += widened(patterns->tables->adds[word >> 16]);
}

// Sets or clears a cell for one side (empty or its stone) in all lines.
PATTERN_BOARD_HOT void flip(PatternBoard *patterns, Cell cell, unsigned side)
{
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned line = pattern_board_line(patterns, cell, direction), place = pattern_board_place(cell, direction);
        unsigned bit = 2 * (place + PATTERN_BOARD_WALLS) + side;
        patterns->plane[line][side] ^= UINT64_C(1) << place;
        patterns->pairs[line][bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

static void set_lines(PatternBoard *patterns, const Board *board)
{
    memset(patterns->plane, 0, sizeof patterns->plane);
    memset(patterns->pairs, 0, sizeof patterns->pairs);
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (unsigned column = 0; column < patterns->rules.width; column++) {
            Cell cell = cell_at(column, row);
            Stone stone = board_stone(board, cell);
            if (stone != STONE_SECOND)
                flip(patterns, cell, SIDE_FIRST);
            if (stone != STONE_FIRST)
                flip(patterns, cell, SIDE_SECOND);
        }
}

void pattern_board_set(PatternBoard *patterns, const Board *board)
{
    assert(rules_equal(&patterns->rules, &board->rules));
    set_lines(patterns, board);
    patterns->played_count = 0;
    patterns->state = (PatternState){
        .stones_key = board->state.stones_key,
        .turn_left = (uint16_t)(board->state.turn & 0xffff),
        .count = (uint16_t)board_count(board),
        .side = (uint8_t)board_side(board),
        .won = board_winner(board) != WINNER_NONE,
    };
    memset(patterns->words, 0, sizeof patterns->words);
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t empty = pattern_board_empty_row(patterns, row); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), row);
            uint32_t word = plain_word(patterns, cell);
            patterns->words[PATTERN_BOARD_MARGIN + cell] = word;
            sum_cell(patterns, word, patterns->state.sums);
        }
}

// --- Stones ---

// The changes of a stone in its lines.
typedef struct {
    const PatternTables *tables;
    int64_t sums[2]; // packed
    uint32_t *log;
} Change;

// Sets the line pattern of a cell in one direction.
PATTERN_BOARD_HOT void change_word(Change *change, uint32_t *word, unsigned both, unsigned direction)
{
    const int64_t *adds = change->tables->adds;
    uint32_t kept = ~(UINT32_C(0x000f000f) << (4 * direction));
    uint32_t old = *word, fresh = (old & kept) | change->tables->part[direction][both];
    *change->log++ = old;
    *word = fresh;
    change->sums[0] += adds[fresh & 0xffff] - adds[old & 0xffff];
    change->sums[1] += adds[fresh >> 16] - adds[old >> 16];
}

// --- Short reach: the same work for every stone ---

PATTERN_BOARD_HOT unsigned window_patterns(const LinePatterns *line_patterns, unsigned reach, uint64_t window)
{
    return reach <= LINE_PATTERNS_FLAT_REACH ? line_patterns_flat(line_patterns, reach, window)
                                             : line_patterns_pairs(line_patterns, reach, window);
}

// `reach` consecutive cells of a line; `cells` begins with the window of the first.
PATTERN_BOARD_HOT void change_half(Change *change, uint32_t *word, unsigned direction, unsigned reach, uint64_t cells)
{
    const LinePatterns *line_patterns = &change->tables->line_patterns;
    PATTERN_BOARD_UNROLLED
    for (unsigned i = 0; i < reach; i++) {
        change_word(change, word, window_patterns(line_patterns, reach, cells >> 2 * i), direction);
        word += pattern_board_step[direction];
    }
}

PATTERN_BOARD_HOT void change_line(PatternBoard *patterns, Change *change, Cell cell, unsigned direction,
                                   unsigned reach)
{
    const uint64_t *pairs = patterns->pairs[pattern_board_line(patterns, cell, direction)];
    unsigned from = 2 * (pattern_board_place(cell, direction) + PATTERN_BOARD_WALLS - 2 * reach), at = from / 64,
             shift = from % 64;
    uint64_t cells = pairs[at] >> shift | pairs[at + 1] << 1 << (63 - shift);
    uint32_t *word = patterns->words + PATTERN_BOARD_MARGIN + cell;
    ptrdiff_t step = pattern_board_step[direction];
    change_half(change, word - (ptrdiff_t)reach * step, direction, reach, cells);
    change_half(change, word + step, direction, reach, cells >> (2 * reach + 2));
}

PATTERN_BOARD_HOT void change_lines(PatternBoard *patterns, Change *change, Cell cell, unsigned reach)
{
    change_line(patterns, change, cell, 0, reach);
    change_line(patterns, change, cell, 1, reach);
    change_line(patterns, change, cell, 2, reach);
    change_line(patterns, change, cell, 3, reach);
}

PATTERN_BOARD_HOT const uint32_t *restore_half(const uint32_t *log, uint32_t *word, unsigned direction, unsigned reach)
{
    PATTERN_BOARD_UNROLLED
    for (unsigned i = 0; i < reach; i++) {
        *word = *log++;
        word += pattern_board_step[direction];
    }
    return log;
}

PATTERN_BOARD_HOT void restore_lines(const uint32_t *log, uint32_t *word, unsigned reach)
{
    *word = *log++;
    PATTERN_BOARD_UNROLLED
    for (unsigned direction = 0; direction < 4; direction++) {
        log = restore_half(log, word - (ptrdiff_t)reach * pattern_board_step[direction], direction, reach);
        log = restore_half(log, word + pattern_board_step[direction], direction, reach);
    }
}

// --- Wide boards and long rows ---

static void change_line_plain(PatternBoard *patterns, Change *change, Cell cell, unsigned direction)
{
    const LinePatterns *line_patterns = &patterns->tables->line_patterns;
    const uint64_t *planes = patterns->plane[pattern_board_line(patterns, cell, direction)];
    for (uint64_t near = pattern_board_near(patterns, cell, direction); near != 0; near &= near - 1) {
        unsigned at = bits_lowest(near);
        unsigned first = line_patterns_at(line_patterns, planes[0], planes[0] & ~planes[1], at);
        unsigned second = line_patterns_at(line_patterns, planes[1], planes[1] & ~planes[0], at);
        Cell other = pattern_board_cell_at(cell, direction, at);
        *change->log++ = other;
        change_word(change, &patterns->words[PATTERN_BOARD_MARGIN + other], first | second << 4, direction);
    }
}

static void take_sums(PatternState *state, Change *change)
{
    state->sums[0] += widened(change->sums[0]);
    state->sums[1] += widened(change->sums[1]);
    change->sums[0] = change->sums[1] = 0;
}

// Line by line, so that the packed counters do not overflow.
static void change_plainly(PatternBoard *patterns, Change *change, Cell cell)
{
    for (unsigned direction = 0; direction < 4; direction++) {
        take_sums(&patterns->state, change);
        change_line_plain(patterns, change, cell, direction);
    }
}

static void restore_plainly(PatternBoard *patterns, Cell cell, const uint32_t *end)
{
    const uint32_t *begin = patterns->log + patterns->state.log_count;
    patterns->words[PATTERN_BOARD_MARGIN + cell] = *begin++;
    for (; end > begin; end -= 2)
        patterns->words[PATTERN_BOARD_MARGIN + end[-2]] = end[-1];
}

// --- Both ---

static void next_turn(PatternState *state, unsigned p)
{
    state->side ^= 1;
    state->turn_left = (uint16_t)p;
}

enum { PLAINLY = 100 }; // variant for any reach

PATTERN_BOARD_HOT void play(PatternBoard *patterns, Cell cell, unsigned reach)
{
    PatternState *state = &patterns->state;
    Side side = pattern_board_side(patterns);
    uint32_t *word = patterns->words + PATTERN_BOARD_MARGIN + cell;
    const PatternTables *tables = patterns->tables;
    patterns->before[patterns->played_count] = *state;
    patterns->played[patterns->played_count++] = cell;
    Change change = {
        tables, {-tables->adds[*word & 0xffff], -tables->adds[*word >> 16]}, patterns->log + state->log_count};
    state->won = pattern_board_cell_pattern(patterns, cell, side) == CELL_COMPLETES;
    *change.log++ = *word;
    *word = 0;
    flip(patterns, cell, 1 - side);
    if (reach == PLAINLY)
        change_plainly(patterns, &change, cell);
    else
        change_lines(patterns, &change, cell, reach);
    take_sums(state, &change);
    state->log_count = (uint32_t)(change.log - patterns->log);
    state->stones_key ^= zobrist_stone[cell][side];
    state->count++;
    if (--state->turn_left == 0)
        next_turn(state, patterns->rules.p);
}

PATTERN_BOARD_HOT void undo(PatternBoard *patterns, unsigned reach)
{
    const uint32_t *end = patterns->log + patterns->state.log_count;
    Cell cell = patterns->played[--patterns->played_count];
    patterns->state = patterns->before[patterns->played_count];
    if (reach == PLAINLY)
        restore_plainly(patterns, cell, end);
    else
        restore_lines(patterns->log + patterns->state.log_count, patterns->words + PATTERN_BOARD_MARGIN + cell, reach);
    flip(patterns, cell, 1u - patterns->state.side);
}

// A constant reach lets the compiler remove most of the arithmetic.
#define PATTERN_BOARD_REACH(reach)                                                                                     \
    static void play_##reach(PatternBoard *patterns, Cell cell)                                                        \
    {                                                                                                                  \
        play(patterns, cell, reach);                                                                                   \
    }                                                                                                                  \
    static void undo_##reach(PatternBoard *patterns)                                                                   \
    {                                                                                                                  \
        undo(patterns, reach);                                                                                         \
    }

PATTERN_BOARD_REACH(0)
PATTERN_BOARD_REACH(1)
PATTERN_BOARD_REACH(2)
PATTERN_BOARD_REACH(3)
PATTERN_BOARD_REACH(4)
PATTERN_BOARD_REACH(5)
PATTERN_BOARD_REACH(6)
PATTERN_BOARD_REACH(7)
PATTERN_BOARD_REACH(PLAINLY)

static const struct {
    void (*play)(PatternBoard *patterns, Cell cell);
    void (*undo)(PatternBoard *patterns);
} variants[] = {
    {play_0, undo_0}, {play_1, undo_1}, {play_2, undo_2},
    {play_3, undo_3}, {play_4, undo_4}, {play_5, undo_5},
    {play_6, undo_6}, {play_7, undo_7}, {play_PLAINLY, undo_PLAINLY},
};

void pattern_board_play(PatternBoard *patterns, Cell cell)
{
    assert(pattern_board_is_empty(patterns, cell) && !patterns->state.won);
    variants[patterns->variant].play(patterns, cell);
}

void pattern_board_undo(PatternBoard *patterns)
{
    variants[patterns->variant].undo(patterns);
}

void pattern_board_pass(PatternBoard *patterns)
{
    patterns->before[patterns->played_count] = patterns->state;
    patterns->played[patterns->played_count++] = CELL_NONE;
    next_turn(&patterns->state, patterns->rules.p);
}

void pattern_board_unpass(PatternBoard *patterns)
{
    patterns->state = patterns->before[--patterns->played_count];
}

// --- Facts ---

unsigned pattern_board_in_reach(const PatternBoard *patterns, Cell stone, Cell cells[PATTERN_BOARD_REACH_MAX])
{
    unsigned count = 0;
    for (unsigned direction = 0; direction < 4; direction++)
        for (uint64_t near = pattern_board_near(patterns, stone, direction); near != 0; near &= near - 1)
            cells[count++] = pattern_board_cell_at(stone, direction, bits_lowest(near));
    return count;
}

unsigned pattern_board_situation(const PatternBoard *patterns)
{
    unsigned bits = 0, side = patterns->state.side;
    for (unsigned i = 0; i < 2; i++, side ^= 1) {
        PatternSums sums = patterns->state.sums[side];
        unsigned low = 0;
        for (unsigned counter = 0; counter < PATTERN_BOARD_COUNTERS; counter++)
            low |= (unsigned)((sums[counter >> 2] >> ((counter & 3) * 16) & 0xffff) != 0) << counter;
        bits |= low << (i * PATTERN_BOARD_COUNTERS);
    }
    return bits;
}

int pattern_board_value(const PatternBoard *patterns)
{
    Side side = pattern_board_side(patterns);
    int line_patterns =
        pattern_board_patterns_value(patterns, side) - pattern_board_patterns_value(patterns, side_other(side));
    return line_patterns + patterns->tables->situation[pattern_board_situation(patterns)];
}

// Whether a side could complete a row within a turn, as far as the line patterns show.
static bool is_at_hand(const PatternBoard *patterns, Side side)
{
    CellPattern last = patterns->rules.p == 1 ? CELL_COMPLETES : CELL_LACKS_THREE;
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t cells = pattern_board_legal_row(patterns, row); cells != 0; cells &= cells - 1)
            if (pattern_board_cell_pattern(patterns, cell_at(bits_lowest(cells), row), side) <= last)
                return true;
    return false;
}

// With one stone a turn and no gravity an open four wins next turn.
bool pattern_board_is_quiet(const PatternBoard *patterns)
{
    Side side = pattern_board_side(patterns);
    if (is_at_hand(patterns, side) || is_at_hand(patterns, side_other(side)))
        return false;
    return patterns->rules.p > 1 || patterns->rules.gravity || pattern_board_count(patterns, side, CELL_OPEN_FOUR) == 0;
}

bool pattern_board_is_right(const PatternBoard *patterns)
{
    PatternSums sums[2] = {{0, 0}, {0, 0}};
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (unsigned column = 0; column < patterns->rules.width; column++) {
            Cell cell = cell_at(column, row);
            uint32_t word = pattern_board_is_empty(patterns, cell) ? plain_word(patterns, cell) : 0;
            if (patterns->words[PATTERN_BOARD_MARGIN + cell] != word)
                return false;
            if (pattern_board_is_empty(patterns, cell))
                sum_cell(patterns, word, sums);
        }
    bool is_right = true;
    for (unsigned i = 0; i < 4; i++)
        is_right &= sums[i / 2][i % 2] == patterns->state.sums[i / 2][i % 2];
    return is_right;
}
