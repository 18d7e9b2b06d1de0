// Tests of line patterns: the tables compared with the definition, the definition compared with a second
// implementation, and named line patterns.
#include "engine/eval/line_patterns.h"
#include "support/check.h"

#include <string.h>

// A line and the cell in question.
typedef struct {
    uint64_t open, own;
    unsigned length, cell;
} Line;

static Line random_line(Rng *rng, unsigned length_max)
{
    Line line = {.length = 1 + rng_below(rng, length_max)};
    line.cell = rng_below(rng, line.length);
    line.open = bits_low(line.length);
    unsigned stones = 2 + rng_below(rng, 8);
    for (unsigned i = 0; i < line.length; i++) {
        unsigned drawn = rng_below(rng, 2 * stones);
        if (i != line.cell && drawn < stones)
            line.own |= (uint64_t)(drawn > 0) << i, line.open &= ~((uint64_t)(drawn == 0) << i);
    }
    return line;
}

static void print_line(const LinePatterns *line_patterns, const Line *line)
{
    char text[65] = "";
    for (unsigned i = 0; i < line->length; i++)
        text[i] = i == line->cell ? '*' : (line->own >> i & 1) != 0 ? 'X' : (line->open >> i & 1) != 0 ? '.' : 'O';
    print_error("k=%u p=%u exact=%d: %s\n", line_patterns->k, line_patterns->p, line_patterns->rules.exact, text);
}

static void open_shapes(LinePatterns *line_patterns, unsigned k, unsigned p, bool exact)
{
    Rules rules = {.width = 64, .height = 64, .k = (uint8_t)k, .p = (uint16_t)p, .q = 1, .exact = exact};
    Error error = {0};
    assert_done(line_patterns_open(line_patterns, &rules, &error), error);
}

// Runs a test for every k, p and way to count rows.
static void for_all(unsigned k_max, unsigned p_max, void (*test)(const LinePatterns *line_patterns, Rng *rng))
{
    Rng rng = rng_make(1);
    for (unsigned k = 1; k <= k_max; k++)
        for (unsigned p = 1; p <= p_max; p++)
            for (unsigned exact = 0; exact < 2; exact++) {
                LinePatterns line_patterns;
                open_shapes(&line_patterns, k, p, exact != 0);
                test(&line_patterns, &rng);
                line_patterns_close(&line_patterns);
            }
}

// --- Tables against the definition ---

static unsigned number_of(const LinePatterns *line_patterns, LinePattern line_pattern)
{
    return line_pattern.level == LINE_PATTERN_LEVEL_DEAD
               ? LINE_PATTERN_DEAD
               : line_patterns->number[line_pattern.need * 4u + line_pattern.level];
}

static void compare_with_plain(const LinePatterns *line_patterns, Rng *rng)
{
    unsigned long steps = test_steps() / 200 + 20;
    for (unsigned long i = 0; i < steps; i++) {
        Line line = random_line(rng, 3 * line_patterns->k + 3);
        LinePattern plain = line_patterns_plain(line_patterns, line.open, line.own, line.cell);
        if (line_patterns_at(line_patterns, line.open, line.own, line.cell) != number_of(line_patterns, plain)) {
            print_line(line_patterns, &line);
            fail();
        }
    }
}

static void test_tables(void **state)
{
    (void)state;
    for_all(7, 3, compare_with_plain);
}

// A window of cells as two bits each, from a line.
static uint64_t window_of(const Line *line, unsigned reach)
{
    uint64_t window = 0;
    for (unsigned i = 0; i < 2 * reach + 1; i++) {
        unsigned at = line->cell + i;
        if (at < reach || at - reach >= line->length)
            continue;
        uint64_t is_open = line->open >> (at - reach) & 1, is_own = line->own >> (at - reach) & 1;
        window |= (is_open | (is_own ^ 1) << 1) << (2 * i);
    }
    return window;
}

static unsigned window_shapes(const LinePatterns *line_patterns, uint64_t window)
{
    unsigned reach = line_patterns->reach, pairs = line_patterns_pairs(line_patterns, reach, window);
    if (reach <= LINE_PATTERNS_FLAT_REACH)
        assert_int_equal(line_patterns_flat(line_patterns, reach, window), pairs);
    return pairs;
}

// What is on the line beyond the window, and more bits above it, change nothing; a stone on the cell makes it dead.
static void compare_windows(const LinePatterns *line_patterns, Rng *rng)
{
    if (line_patterns->reach > LINE_PATTERNS_PAIRS_REACH)
        return;
    unsigned long steps = test_steps() / 200 + 20;
    for (unsigned long i = 0; i < steps; i++) {
        Line line = random_line(rng, 64);
        uint64_t window = window_of(&line, line_patterns->reach), other = ~line.own & bits_low(line.length);
        unsigned first = line_patterns_at(line_patterns, line.open, line.own, line.cell);
        unsigned second = line_patterns_at(line_patterns, other, other & ~line.open, line.cell);
        uint64_t more = line_patterns->reach < 7 ? rng_next(rng) << (4 * line_patterns->reach + 2) : 0;
        assert_int_equal(window_shapes(line_patterns, window | more), first | second << 4);
        for (uint64_t cell = 0; cell < 3; cell++)
            assert_int_equal(window_shapes(line_patterns, (window & ~(UINT64_C(3) << (2 * line_patterns->reach))) |
                                                              cell << (2 * line_patterns->reach)),
                             0);
    }
}

static void test_windows(void **state)
{
    (void)state;
    for_all(8, 3, compare_windows);
}

// --- The definition, read a second time ---

// Whether the stones have a row through the cell.
static bool has_row(const LinePatterns *line_patterns, uint64_t own, unsigned cell)
{
    unsigned run = 1;
    for (unsigned i = cell; i > 0 && (own >> (i - 1) & 1) != 0; i--)
        run++;
    for (unsigned i = cell + 1; i < 64 && (own >> i & 1) != 0; i++)
        run++;
    return line_patterns->rules.exact ? run == line_patterns->k : run >= line_patterns->k;
}

enum { NO_ROW = 100 };

// The fewest stones that make a row through the cell: all sets of empty cells are tried.
static unsigned fewest(const LinePatterns *line_patterns, uint64_t empty, uint64_t own, unsigned cell)
{
    unsigned best = NO_ROW;
    for (uint64_t set = empty;; set = (set - 1) & empty) {
        if (bits_count(set) < best && has_row(line_patterns, own | set, cell))
            best = bits_count(set);
        if (set == 0)
            return best;
    }
}

// What can be completed within the next turn: does one stone stop it?
static bool is_stopped(const LinePatterns *line_patterns, uint64_t empty, uint64_t own, unsigned cell)
{
    for (uint64_t rest = empty; rest != 0; rest &= rest - 1)
        if (fewest(line_patterns, empty & ~(rest & -rest), own, cell) > line_patterns->p)
            return true;
    return false;
}

// All sets of stones that bring the row within a turn; an open line pattern is wide if many cells belong to sets that
// leave something open.
static LinePattern line_pattern_read_again(const LinePatterns *line_patterns, uint64_t empty, uint64_t own,
                                           unsigned cell)
{
    unsigned need = fewest(line_patterns, empty, own, cell), p = line_patterns->p;
    if (need == NO_ROW)
        return (LinePattern){0, LINE_PATTERN_LEVEL_DEAD};
    if (need <= p)
        return (LinePattern){(uint8_t)need, is_stopped(line_patterns, empty, own, cell) ? LINE_PATTERN_LEVEL_CLOSED
                                                                                        : LINE_PATTERN_LEVEL_OPEN};
    uint64_t opening = 0;
    for (uint64_t set = empty; set != 0; set = (set - 1) & empty)
        if (bits_count(set) == need - p && fewest(line_patterns, empty & ~set, own | set, cell) == p &&
            !is_stopped(line_patterns, empty & ~set, own | set, cell))
            opening |= set;
    unsigned many = need == p + 1 ? 2 : 4;
    LinePatternLevel level = opening == 0                  ? LINE_PATTERN_LEVEL_CLOSED
                             : bits_count(opening) >= many ? LINE_PATTERN_LEVEL_WIDE
                                                           : LINE_PATTERN_LEVEL_OPEN;
    return (LinePattern){(uint8_t)need, (uint8_t)level};
}

static void compare_with_second_reading(const LinePatterns *line_patterns, Rng *rng)
{
    unsigned long steps = test_steps() / 1000 + 10;
    for (unsigned long i = 0; i < steps; i++) {
        Line line = random_line(rng, 2 * line_patterns->k + 3);
        uint64_t empty = line.open & ~line.own & ~(UINT64_C(1) << line.cell);
        if (bits_count(empty) > 8)
            continue;
        LinePattern plain = line_patterns_plain(line_patterns, line.open, line.own, line.cell);
        LinePattern again =
            line_pattern_read_again(line_patterns, empty, line.own | UINT64_C(1) << line.cell, line.cell);
        if (plain.need != again.need || plain.level != again.level) {
            print_line(line_patterns, &line);
            print_error("%u %u, again %u %u\n", plain.need, plain.level, again.need, again.level);
            fail();
        }
    }
}

static void test_definition(void **state)
{
    (void)state;
    for_all(7, 3, compare_with_second_reading);
}

// --- Line patterns with names ---

// The first side has X, the other O, the stone in question goes to *; beyond the ends are walls.
typedef struct {
    const char *name, *line;
    unsigned need;
    LinePatternLevel level;
} Named;

static void check_named(const LinePatterns *line_patterns, const Named *named)
{
    Line line = {.length = (unsigned)strlen(named->line)};
    for (unsigned i = 0; i < line.length; i++) {
        line.cell = named->line[i] == '*' ? i : line.cell;
        line.own |= (uint64_t)(named->line[i] == 'X') << i;
        line.open |= (uint64_t)(named->line[i] != 'O') << i;
    }
    LinePattern line_pattern = line_patterns->kind[line_patterns_at(line_patterns, line.open, line.own, line.cell)];
    if (line_pattern.need != named->need || line_pattern.level != (uint8_t)named->level) {
        print_line(line_patterns, &line);
        print_error("%s: found need %u, level %u\n", named->name, line_pattern.need, line_pattern.level);
        fail();
    }
}

static void check_all_named(unsigned k, unsigned p, bool exact, const Named *named)
{
    LinePatterns line_patterns;
    open_shapes(&line_patterns, k, p, exact);
    for (; named->name != NULL; named++)
        check_named(&line_patterns, named);
    line_patterns_close(&line_patterns);
}

static void test_named_shapes_of_gomoku(void **state)
{
    (void)state;
    static const Named freestyle[] = {
        {"five", "OXX*XXO", 0, LINE_PATTERN_LEVEL_CLOSED},
        {"six", "OXXX*XXO", 0, LINE_PATTERN_LEVEL_CLOSED},
        {"open four", ".XX*X.", 1, LINE_PATTERN_LEVEL_OPEN},
        {"four, closed at one end", "OXX*X.", 1, LINE_PATTERN_LEVEL_CLOSED},
        {"four at the border", "XX*X.", 1, LINE_PATTERN_LEVEL_CLOSED},
        {"split four", ".XX.*X.", 1, LINE_PATTERN_LEVEL_CLOSED},
        {"two fours in one line", "X.X*X.X", 1, LINE_PATTERN_LEVEL_OPEN},
        {"open three, wide", "..XX*..", 2, LINE_PATTERN_LEVEL_WIDE},
        {"open three, narrow", "O.XX*..O", 2, LINE_PATTERN_LEVEL_OPEN},
        {"split three", "O.X.X*.O", 2, LINE_PATTERN_LEVEL_OPEN},
        {"three without room", "O.XX*.O", 2, LINE_PATTERN_LEVEL_CLOSED},
        {"three, closed at one end", "OXX*..", 2, LINE_PATTERN_LEVEL_CLOSED},
        {"two", "...X*...", 3, LINE_PATTERN_LEVEL_WIDE},
        {"two, closed at one end", "OX*...", 3, LINE_PATTERN_LEVEL_CLOSED},
        {"no room", "OXX*XO", 0, LINE_PATTERN_LEVEL_DEAD},
        {0},
    };
    static const Named standard[] = {
        {"five", "OXX*XXO", 0, LINE_PATTERN_LEVEL_CLOSED},
        {"six", "XXX*XX", 0, LINE_PATTERN_LEVEL_DEAD},
        {"open four", "..XX*X..", 1, LINE_PATTERN_LEVEL_OPEN},
        {"four with an overline beyond", "..XX*X.X", 1, LINE_PATTERN_LEVEL_CLOSED},
        {"open three that a stone beyond narrows", "O..XX*..X", 2, LINE_PATTERN_LEVEL_OPEN},
        {0},
    };
    check_all_named(5, 1, false, freestyle);
    check_all_named(5, 1, true, standard);
}

static void test_named_shapes_of_connect6(void **state)
{
    (void)state;
    static const Named connect6[] = {
        {"six", "XXX*XX", 0, LINE_PATTERN_LEVEL_CLOSED},
        {"live five", ".XX*XX.", 1, LINE_PATTERN_LEVEL_OPEN},
        {"dead five", "OXX*XX.O", 1, LINE_PATTERN_LEVEL_CLOSED},
        {"live four", "..XX*X..", 2, LINE_PATTERN_LEVEL_OPEN},
        {"live four, one side short", "O.XX*X..", 2, LINE_PATTERN_LEVEL_CLOSED},
        {"dead four", "OXX*X..", 2, LINE_PATTERN_LEVEL_CLOSED},
        {"live three", "...XX*...", 3, LINE_PATTERN_LEVEL_WIDE},
        {"dead three", "OXX*...O", 3, LINE_PATTERN_LEVEL_CLOSED},
        {"no room", "OXX*..O", 0, LINE_PATTERN_LEVEL_DEAD},
        {0},
    };
    check_all_named(6, 2, false, connect6);
}

// --- Numbers ---

// The nearer to a row the larger; however many stones a turn has, what can be completed in it has numbers of its own.
static void check_numbers(unsigned k, unsigned p, bool exact)
{
    LinePatterns line_patterns;
    open_shapes(&line_patterns, k, p, exact);
    assert_true(line_patterns.count <= LINE_PATTERNS_MAX);
    for (unsigned i = 2; i < line_patterns.count; i++)
        assert_true(line_patterns.kind[i].need <= line_patterns.kind[i - 1].need);
    for (unsigned need = 0; need < k; need++) {
        LinePattern closed = line_patterns.kind[line_patterns.number[need * 4 + LINE_PATTERN_LEVEL_CLOSED]];
        LinePattern open = line_patterns.kind[line_patterns.number[need * 4 + LINE_PATTERN_LEVEL_OPEN]];
        assert_int_equal(closed.need > p, need > p);
        if (need <= p)
            assert_int_equal(closed.need, need);
        if (need == p)
            assert_int_equal(open.level, LINE_PATTERN_LEVEL_OPEN);
    }
    line_patterns_close(&line_patterns);
}

static void test_numbers(void **state)
{
    (void)state;
    static const unsigned ks[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 40, 64};
    for (unsigned i = 0; i < sizeof ks / sizeof ks[0]; i++)
        for (unsigned p = 1; p <= 8; p++)
            check_numbers(ks[i], p, i % 2 != 0);
}

TEST_GROUP(line_patterns)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_named_shapes_of_gomoku),
        cmocka_unit_test(test_named_shapes_of_connect6),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
