// Tests of incremental windows: missing stones are compared with a recount after every step.
#include "support/check.h"

#include "engine/search/turns/turns_internal.h"

#include <stdlib.h>

typedef struct {
    Board board;
    PatternTables *tables;
    PatternBoard patterns;
    WindowMap map;
} Setup;

static void open_setup(Setup *setup, const char *text)
{
    Rules rules = rules_of(text);
    Error error = {0};
    LinePatterns line_patterns;
    Weights *weights = calloc(1, sizeof *weights);
    assert_non_null(weights);
    assert_done(line_patterns_open(&line_patterns, &rules, &error), error);
    weights_formula(weights, &line_patterns);
    line_patterns_close(&line_patterns);
    assert_done(pattern_tables_open(&setup->tables, &rules, weights, &error), error);
    free(weights);
    setup->patterns = (PatternBoard){0};
    pattern_board_open(&setup->patterns, setup->tables, &rules);
    window_map_init(&setup->map, &rules);
    board_init(&setup->board, &rules);
    pattern_board_set(&setup->patterns, &setup->board);
    window_map_begin(&setup->map, &setup->patterns);
}

static void close_setup(Setup *setup)
{
    pattern_board_close(&setup->patterns);
    pattern_tables_close(setup->tables);
}

static bool is_on_board(const Rules *rules, int x, int y)
{
    return x >= 0 && y >= 0 && x < rules->width && y < rules->height;
}

// 0 for none, else 1 + side.
static unsigned stone_of(const PatternBoard *patterns, int x, int y)
{
    bool first = patterns->plane[y][0] >> x & 1, second = patterns->plane[y][1] >> x & 1;
    return first == second ? 0 : first ? 1 : 2;
}

// Stones that a window lacks, RULES_SIDE_MAX + 1 for one that the other side has a stone in, or that would be too long.
static unsigned plain_lack(const PatternBoard *patterns, int x, int y, int dx, int dy, unsigned own)
{
    const Rules *rules = &patterns->rules;
    unsigned lack = 0;
    int k = rules->k;
    for (int i = 0; i < k; i++) {
        unsigned stone = stone_of(patterns, x + i * dx, y + i * dy);
        if (stone != 0 && stone != own)
            return RULES_SIDE_MAX + 1;
        lack += stone == 0;
    }
    for (int i = -1; i <= k && rules->exact; i += k + 1)
        if (is_on_board(rules, x + i * dx, y + i * dy) && stone_of(patterns, x + i * dx, y + i * dy) == own)
            return RULES_SIDE_MAX + 1;
    return lack;
}

// How many windows lack no more than that, and the sum of the cells they begin in, distinguished by direction.
static void count_plainly(const PatternBoard *patterns, unsigned own, unsigned most, unsigned *count, unsigned *sum)
{
    static const int step[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    const Rules *rules = &patterns->rules;
    *count = *sum = 0;
    for (int y = 0; y < rules->height; y++)
        for (int x = 0; x < rules->width; x++)
            for (unsigned d = 0; d < 4; d++) {
                int dx = step[d][0], dy = step[d][1];
                if (!is_on_board(rules, x + (rules->k - 1) * dx, y + (rules->k - 1) * dy) ||
                    plain_lack(patterns, x, y, dx, dy, own) > most)
                    continue;
                ++*count;
                *sum += cell_at((unsigned)x, (unsigned)y) * (d + 1);
            }
}

static void check_map(const Setup *setup, unsigned most)
{
    enum { ROOM = 4096 };
    uint16_t windows[ROOM];
    for (unsigned side = 0; side < 2; side++) {
        unsigned count, sum, found = window_map_find(&setup->map, (Side)side, most, windows, ROOM), found_sum = 0;
        count_plainly(&setup->patterns, 1 + side, most, &count, &sum);
        for (unsigned i = 0; i < found; i++)
            found_sum += setup->map.first[windows[i]] * (setup->map.direction[windows[i]] + 1u);
        assert_int_equal(found, count);
        assert_int_equal(found_sum, sum);
    }
    assert_true(setup->map.key == setup->patterns.state.stones_key);
    assert_int_equal(setup->map.stone_count, setup->patterns.state.count);
}

// A stone on a random empty cell; false if there is none or the game is over.
static bool play_any(PatternBoard *patterns, Rng *rng)
{
    if (patterns->state.won || pattern_board_is_full(patterns))
        return false;
    for (;;) {
        Cell cell = cell_at(rng_below(rng, patterns->rules.width), rng_below(rng, patterns->rules.height));
        if (pattern_board_is_empty(patterns, cell)) {
            pattern_board_play(patterns, cell);
            return true;
        }
    }
}

static const char *const games[] = {"19x19:k=6,p=2,q=1", "9x9:k=5,p=2,exact", "12x7:k=7,p=3",      "5x3:k=3,p=2,q=2",
                                    "30x11:k=11,p=4",    "64x9:k=9,p=2",      "8x20:k=5,p=3,exact"};

// The map follows a pattern board that goes up and down by several stones at a time, with passes.
static void test_follow(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    for (unsigned game = 0; game < sizeof games / sizeof *games; game++) {
        Setup setup;
        open_setup(&setup, games[game]);
        for (unsigned step = 0; step < 300; step++) {
            for (unsigned up = (unsigned)rng_below(&rng, 5); up > 0; up--)
                if (!play_any(&setup.patterns, &rng))
                    break;
            bool passes = !setup.patterns.state.won && rng_below(&rng, 4) == 0;
            if (passes)
                pattern_board_pass(&setup.patterns);
            window_map_follow(&setup.map, &setup.patterns);
            check_map(&setup, 1 + (unsigned)rng_below(&rng, setup.map.k));
            if (passes)
                pattern_board_unpass(&setup.patterns);
            for (unsigned down = (unsigned)rng_below(&rng, 5); down > 0 && setup.patterns.played_count > 0; down--)
                pattern_board_undo(&setup.patterns);
        }
        close_setup(&setup);
    }
}

// A stone reports exactly the windows that it brings down to p.
static void test_hits(void **state)
{
    (void)state;
    Rng rng = rng_make(2);
    unsigned reported = 0;
    for (unsigned game = 0; game < sizeof games / sizeof *games; game++) {
        Setup setup;
        open_setup(&setup, games[game]);
        uint16_t windows[4096];
        while (play_any(&setup.patterns, &rng)) {
            Cell cell = setup.patterns.played[setup.patterns.played_count - 1];
            Side side = (Side)setup.patterns.before[setup.patterns.played_count - 1].side;
            unsigned p = setup.map.p, before = 0, after = 0;
            for (unsigned i = 0; i < setup.map.count; i++)
                before += window_lack(&setup.map, i, side) <= p;
            Hits hits = {.count = 0};
            window_map_put(&setup.map, cell, side, &hits);
            for (unsigned i = 0; i < setup.map.count; i++)
                after += window_lack(&setup.map, i, side) <= p;
            assert_int_equal(hits.count, after - before);
            for (unsigned i = 0; i < hits.count; i++)
                assert_int_equal(window_lack(&setup.map, hits.window[i], side), p);
            reported += hits.count;
            // The same once more as if it had been followed, for what comes next.
            window_map_take(&setup.map, cell, side);
            window_map_follow(&setup.map, &setup.patterns);
            assert_true(window_map_find(&setup.map, side, p, windows, 4096) <= after);
        }
        close_setup(&setup);
    }
    assert_true(reported > 100);
}

TEST_GROUP(turns_windows)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_follow), cmocka_unit_test(test_hits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
