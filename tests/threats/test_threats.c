// Tests of threat counts: the exact count and its answers against brute force under many rules; the two other counts
// against a literal implementation of the paper.
#include "support/check.h"

#include "base/rng.h"
#include "threats/threats.h"

#include <stdlib.h>
#include <string.h>

static const char *const games[] = {
    "3x3:k=3",
    "4x4:k=3",
    "5x5:k=4",
    "5x4:k=3,p=2,q=1",
    "4x4:k=4,p=2,q=2",
    "6x5:k=5,p=2,q=1",
    "4x4:k=3,p=3",
    "5x3:k=2,exact",
    "6x4:k=3,exact",
    "5x4:k=3,p=2,q=1,exact",
    "9x2:k=4,p=2,q=1,exact",
    "12x1:k=6,p=2,q=1",
    "1x9:k=4,p=2,q=1",
    "4x3:k=3,gravity",
    "5x5:k=4,gravity",
    "5x4:k=4,p=2,q=1,gravity",
    "4x4:k=3,p=2,q=1,gravity",
    "5x3:k=3,exact,gravity",
    "3x4:k=3,p=3,q=1,gravity",
};

enum { GAMES = sizeof games / sizeof games[0] };

// Random stones of both sides, regardless of turns; under gravity they fall.
static void random_stones(Board *board, const Rules *rules, Rng *rng)
{
    board_init(board, rules);
    unsigned stones = rng_below(rng, rules_cells(rules) + 1u), first = rng_below(rng, 4);
    for (unsigned i = 0; i < stones; i++) {
        unsigned x = rng_below(rng, rules->width), y = rng_below(rng, rules->height);
        y = rules->gravity ? board_drop_row(board, x) : y;
        if (y < rules->height && board_stone(board, cell_at(x, y)) == STONE_NONE)
            board_put(board, cell_at(x, y), rng_below(rng, 4) < first ? SIDE_FIRST : SIDE_SECOND);
    }
}

// --- Brute force without windows: places stones and searches for rows cell by cell ---

static bool has_row_from(const Board *board, Side side, int x, int y, int dx, int dy)
{
    const Rules *rules = &board->rules;
    int length = 0;
    for (; x >= 0 && x < rules->width && y >= 0 && y < rules->height; x += dx, y += dy, length++)
        if (board_stone(board, cell_at((unsigned)x, (unsigned)y)) != (Stone)side)
            break;
    return rules->exact ? length == rules->k : length >= rules->k;
}

static bool is_own(const Board *board, Side side, int x, int y)
{
    return x >= 0 && x < board->rules.width && y >= 0 && y < board->rules.height &&
           board_stone(board, cell_at((unsigned)x, (unsigned)y)) == (Stone)side;
}

static bool has_row(const Board *board, Side side)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int x = 0; x < board->rules.width; x++)
        for (int y = 0; y < board->rules.height; y++)
            for (int d = 0; d < 4; d++) {
                int dx = steps[d][0], dy = steps[d][1];
                if (!is_own(board, side, x - dx, y - dy) && has_row_from(board, side, x, y, dx, dy))
                    return true;
            }
    return false;
}

static bool may_put(const Board *board, Cell cell)
{
    return board_stone(board, cell) == STONE_NONE &&
           (!board->rules.gravity || cell_row(cell) == board_drop_row(board, cell_column(cell)));
}

// Whether the side has a row after up to `stones` more own stones.
static bool can_complete(const Board *board, Side side, unsigned stones)
{
    if (has_row(board, side))
        return true;
    for (unsigned i = 0; stones > 0 && i < board->cells; i++) {
        Cell cell = cell_at(i % board->rules.width, i / board->rules.width);
        if (!may_put(board, cell))
            continue;
        Board next = *board;
        board_put(&next, cell, side);
        if (can_complete(&next, side, stones - 1))
            return true;
    }
    return false;
}

// Counts the sets of `stones` cells, from cell `from` on, that leave no row to complete if the other side takes them.
static unsigned count_stops(const Board *board, Side side, unsigned from, unsigned stones)
{
    if (stones == 0)
        return !can_complete(board, side, board->rules.p);
    unsigned count = 0;
    for (unsigned i = from; i < board->cells; i++) {
        Cell cell = cell_at(i % board->rules.width, i / board->rules.width);
        if (!may_put(board, cell))
            continue;
        Board next = *board;
        board_put(&next, cell, side_other(side));
        // Under gravity a cell before this one may have become free to take only now, but the rows of a column come in
        // the order of the numbers, and other columns are tried in their own turn.
        count += count_stops(&next, side, i + 1, stones - 1);
    }
    return count;
}

// The smallest number of stones, up to p + 1, and the number of such sets.
static unsigned brute_count(const Board *board, Side side, unsigned *sets)
{
    unsigned stones = 0;
    for (*sets = 0; stones <= board->rules.p; stones++)
        if ((*sets = count_stops(board, side, 0, stones)) > 0)
            break;
    return stones;
}

static void check_answers(const Board *board, Side side, unsigned sets)
{
    ThreatAnswers answers;
    threats_answers(board, side, &answers);
    assert_false(answers.exact.is_uncertain);
    bool can_be_stopped = answers.size > 0 && answers.size <= board->rules.p;
    assert_int_equal(answers.is_truncated, can_be_stopped && sets > THREATS_ANSWERS);
    assert_int_equal(answers.count, !can_be_stopped ? 0 : sets < THREATS_ANSWERS ? sets : THREATS_ANSWERS);
    for (unsigned i = 0; i < answers.count; i++) {
        const Cell *answer = answers.cells + (size_t)i * answers.size;
        Board next = *board;
        for (unsigned j = 0; j < answers.size; j++) {
            assert_true(may_put(&next, answer[j])); // no stone floats
            board_put(&next, answer[j], side_other(side));
        }
        assert_false(!board->rules.gravity && can_complete(&next, side, board->rules.p));
        // Sorted, so no set occurs twice.
        if (i > 0 && answers.size == 1)
            assert_true(answer[-1] < answer[0]);
        if (i > 0)
            assert_memory_not_equal(answer, answer - answers.size, answers.size * sizeof answer[0]);
    }
    threats_answers_close(&answers);
}

static void test_exact_is_what_brute_force_finds(void **state)
{
    (void)state;
    Rng rng = rng_make(11);
    unsigned stopped = 0, unstoppable = 0;
    for (unsigned long round = 0; round < test_steps() / 10; round++) {
        Rules rules = rules_of(games[round % GAMES]);
        Board board;
        random_stones(&board, &rules, &rng);
        for (int side = 0; side < 2; side++) {
            unsigned sets = 0, count = brute_count(&board, (Side)side, &sets);
            assert_int_equal(threats_in_play(&board, (Side)side).count, count);
            if (rules.gravity)
                continue;
            assert_int_equal(threats_exact(&board, (Side)side).count, count);
            check_answers(&board, (Side)side, sets);
            stopped += count > 0 && count <= rules.p;
            unstoppable += count > rules.p;
        }
    }
    assert_true(stopped > 100 && unstoppable > 100);
}

// --- Under gravity: sets of cells against windows found cell by cell ---

typedef struct {
    unsigned count;
    uint64_t empty[4 * 30]; // bit y * width + x
} PlainWindows;

static bool plain_threat(const Board *board, Side side, int x, int y, int dx, int dy, uint64_t *empty)
{
    const Rules *rules = &board->rules;
    unsigned stones = 0, highest[8] = {0};
    *empty = 0;
    for (int i = 0; i < rules->k; i++, x += dx, y += dy) {
        if (x < 0 || x >= rules->width || y < 0 || y >= rules->height)
            return false;
        Stone stone = board_stone(board, cell_at((unsigned)x, (unsigned)y));
        if (stone == (Stone)side_other(side))
            return false;
        if (stone != STONE_NONE)
            continue;
        *empty |= UINT64_C(1) << (y * rules->width + x);
        if ((unsigned)y + 1 > highest[x])
            highest[x] = (unsigned)y + 1;
    }
    for (unsigned column = 0; column < rules->width; column++)
        stones += highest[column] > 0 ? highest[column] - board_drop_row(board, column) : 0;
    if (!rules->gravity)
        stones = bits_count(*empty);
    bool is_longer = is_own(board, side, x, y) || is_own(board, side, x - rules->k * dx - dx, y - rules->k * dy - dy);
    return stones <= rules->p && !(rules->exact && is_longer);
}

static void plain_windows(const Board *board, Side side, PlainWindows *windows)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    windows->count = 0;
    for (int x = 0; x < board->rules.width; x++)
        for (int y = 0; y < board->rules.height; y++)
            for (int d = 0; d < 4; d++)
                windows->count +=
                    plain_threat(board, side, x, y, steps[d][0], steps[d][1], &windows->empty[windows->count]);
}

static bool hits_all(const PlainWindows *windows, uint64_t chosen)
{
    for (unsigned i = 0; i < windows->count; i++)
        if ((windows->empty[i] & chosen) == 0)
            return false;
    return true;
}

// Sets of `stones` cells, from cell `from` on, that hit every window; the stones may float.
static unsigned count_hits(const PlainWindows *windows, unsigned cells, unsigned from, unsigned stones, uint64_t chosen)
{
    if (stones == 0)
        return hits_all(windows, chosen);
    unsigned count = 0;
    for (unsigned i = from; i < cells; i++)
        count += count_hits(windows, cells, i + 1, stones - 1, chosen | UINT64_C(1) << i);
    return count;
}

// The same for stones that are placed one after another from the bottom, none of which floats.
static unsigned count_falls(const PlainWindows *windows, const Board *board, unsigned from, unsigned stones,
                            uint64_t chosen)
{
    if (stones == 0)
        return hits_all(windows, chosen);
    unsigned count = 0;
    for (unsigned i = from; i < board->cells; i++) {
        Cell cell = cell_at(i % board->rules.width, i / board->rules.width);
        if (!may_put(board, cell))
            continue;
        Board next = *board;
        board_put(&next, cell, SIDE_FIRST);
        count += count_falls(windows, &next, i + 1, stones - 1, chosen | UINT64_C(1) << i);
    }
    return count;
}

static void check_falling_answers(const Board *board, const PlainWindows *windows)
{
    unsigned stones = 0, sets = 0;
    for (; stones <= board->rules.p; stones++)
        if ((sets = count_falls(windows, board, 0, stones, 0)) > 0)
            break;
    ThreatAnswers answers;
    threats_answers(board, SIDE_SECOND, &answers);
    assert_int_equal(answers.size, stones);
    threats_answers_close(&answers);
    check_answers(board, SIDE_SECOND, sets);
}

static void test_gravity_and_its_windows(void **state)
{
    (void)state;
    static const char *const falling[] = {"4x3:k=3,gravity",         "5x5:k=4,gravity",
                                          "5x4:k=4,p=2,q=1,gravity", "4x4:k=3,p=2,q=1,gravity",
                                          "5x3:k=3,exact,gravity",   "4x4:k=4,p=3,q=1,gravity"};
    Rng rng = rng_make(12);
    unsigned counts[5] = {0};
    for (unsigned long round = 0; round < test_steps() / 10; round++) {
        Rules rules = rules_of(falling[round % 6]);
        Board board;
        random_stones(&board, &rules, &rng);
        PlainWindows windows;
        plain_windows(&board, SIDE_SECOND, &windows);
        Window found[WINDOWS_MAX];
        assert_int_equal(threats_windows(&board, SIDE_SECOND, found), windows.count);
        unsigned stones = 0;
        while (stones <= rules.p && count_hits(&windows, board.cells, 0, stones, 0) == 0)
            stones++;
        assert_int_equal(threats_exact(&board, SIDE_SECOND).count, stones);
        check_falling_answers(&board, &windows);
        counts[stones]++;
    }
    assert_true(counts[0] > 0 && counts[1] > 0 && counts[2] > 0 && counts[3] > 0);
}

// --- Counts by marks ---

static uint64_t bit_of(const Board *board, int x, int y)
{
    return UINT64_C(1) << (((unsigned)y * board->rules.width + (unsigned)x) & 63);
}

// The rules of section 2 taken literally: all four directions one after another, each line in reading order.
static unsigned plain_marks(const Board *board, Side side, bool only_last)
{
    static const struct {
        int dx, dy;
        bool from_top;
    } steps[4] = {{1, 0, false}, {0, -1, true}, {1, -1, false}, {1, 1, false}};
    uint64_t marks = 0;
    unsigned threats = 0;
    int width = board->rules.width, height = board->rules.height;
    assert(width > 0 && height > 0);
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < width * height; i++) {
            int x = i % width, y = steps[d].from_top ? height - 1 - i / width : i / width;
            // Parallel lines share no cell, so their order does not matter. Along a diagonal, the column must increase.
            if (steps[d].dy != 0 && steps[d].dx != 0) {
                x = i / height;
                y = i % height;
            }
            uint64_t empty = 0;
            if (!plain_threat(board, side, x, y, steps[d].dx, steps[d].dy, &empty) || (empty & marks) != 0)
                continue;
            threats++;
            uint64_t last = 0;
            for (int j = 0; j < board->rules.k; j++) {
                uint64_t bit = bit_of(board, x + j * steps[d].dx, y + j * steps[d].dy);
                last = (empty & bit) != 0 ? bit : last;
            }
            marks |= only_last ? last : empty;
        }
    return threats;
}

// Also checks how the counts err. On a single line, sliding and exact counts are equal (section 2.2).
static void test_counts_by_marks(void **state)
{
    (void)state;
    static const char *const plain[] = {"6x5:k=4,p=2,q=1", "7x7:k=6,p=2,q=1", "6x6:k=5", "7x4:k=4,p=2,q=1,gravity"};
    Rng rng = rng_make(13);
    unsigned sliding_high = 0, sliding_low = 0, marked_low = 0;
    for (unsigned long round = 0; round < test_steps() / 5; round++) {
        Rules rules = rules_of(plain[round % 4]);
        Board board;
        random_stones(&board, &rules, &rng);
        unsigned sliding = threats_sliding(&board, SIDE_FIRST), marked = threats_marked(&board, SIDE_FIRST);
        assert_int_equal(sliding, plain_marks(&board, SIDE_FIRST, true));
        assert_int_equal(marked, plain_marks(&board, SIDE_FIRST, false));
        unsigned exact = threats_exact(&board, SIDE_FIRST).count;
        sliding_high += exact <= rules.p && sliding > exact;
        sliding_low += sliding < exact;
        marked_low += marked < exact;
        // Windows without a common cell need a stone each, so `marked` never counts too many. A completed row cannot be
        // stopped.
        assert_true(exact > rules.p || marked <= exact);
    }
    assert_true(sliding_high > 0 && sliding_low > 0 && marked_low > 0);
}

static void test_one_line_is_counted_right(void **state)
{
    (void)state;
    Rng rng = rng_make(14);
    Rules rules = rules_of("19x1:k=6,p=2,q=1");
    for (unsigned long round = 0; round < test_steps() / 5; round++) {
        Board board;
        random_stones(&board, &rules, &rng);
        unsigned sliding = threats_sliding(&board, SIDE_FIRST);
        if (!has_row(&board, SIDE_FIRST))
            assert_int_equal(threats_exact(&board, SIDE_FIRST).count, sliding < 3 ? sliding : 3);
    }
}

// --- Limits ---

static void test_the_list_of_answers_is_cut(void **state)
{
    (void)state;
    Rules rules = rules_of("64x64:k=50,p=50");
    Board board;
    board_init(&board, &rules);
    for (unsigned x = 0; x < 50; x++)
        if (x % 3 == 0)
            board_put(&board, cell_at(x, 5), SIDE_FIRST);
    ThreatAnswers answers;
    threats_answers(&board, SIDE_FIRST, &answers);
    assert_int_equal(answers.exact.count, 51);
    assert_int_equal(answers.count, 0);
    rules = rules_of("64x1:k=64,p=64");
    board_init(&board, &rules);
    (void)board_set_turn(&board, SIDE_SECOND, 1);
    threats_answers_close(&answers);
    threats_answers(&board, SIDE_FIRST, &answers);
    assert_int_equal(answers.exact.count, 1);
    assert_int_equal(answers.count, 64);
    assert_false(answers.is_truncated);
    threats_answers_close(&answers);
    // Two rows of 63 cells each: 62 * 62 ways and more.
    rules = rules_of("63x2:k=63,p=63");
    board_init(&board, &rules);
    threats_answers(&board, SIDE_FIRST, &answers);
    assert_int_equal(answers.exact.count, 2);
    assert_int_equal(answers.count, THREATS_ANSWERS);
    assert_true(answers.is_truncated);
    threats_answers_close(&answers);
}

TEST_GROUP(threats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_is_what_brute_force_finds),
        cmocka_unit_test(test_gravity_and_its_windows),
        cmocka_unit_test(test_counts_by_marks),
        cmocka_unit_test(test_one_line_is_counted_right),
        cmocka_unit_test(test_the_list_of_answers_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
