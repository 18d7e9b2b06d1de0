// Tests of turns that have a stone in every zone and hit every target, compared with all sets of cells.
#include "support/check.h"

#include "base/rng.h"
#include "engine/search/turns/turns_internal.h"

#include <stdlib.h>

typedef struct {
    PatternTables *tables;
    SearchThread thread;
    Refutations all;
    Targets targets;
} Setup;

static void open_setup(Setup *setup, const char *text)
{
    Rules rules = rules_of(text);
    Error error = {0};
    Board board;
    *setup = (Setup){0};
    assert_done(pattern_tables_open(&setup->tables, &rules, NULL, &error), error);
    assert_done(search_thread_open(&setup->thread, setup->tables, NULL, &rules, &error), error);
    board_init(&board, &rules);
    for (unsigned i = 0; i < rules.q; i++) // the second player's whole turn is to come
        board_play(&board, cell_at(i, 0));
    search_set(&setup->thread, &board);
    turn_state_begin(&setup->thread);
}

static void close_setup(Setup *setup)
{
    search_thread_close(&setup->thread);
    pattern_tables_close(setup->tables);
}

// Random zones and targets of a few cells each.
static void draw(Setup *setup, Rng *rng, unsigned zones, unsigned targets)
{
    const Rules *rules = &setup->thread.patterns.rules;
    setup->all = (Refutations){.count = zones};
    for (unsigned i = 0; i < zones; i++)
        for (unsigned j = 0; j < 3; j++)
            setup->all.zone[i].row[rng_below(rng, rules->height)] |= UINT64_C(1) << rng_below(rng, rules->width);
    setup->targets.count = targets;
    for (unsigned i = 0; i < targets; i++) {
        Target *target = &setup->targets.target[i];
        target->count = 2;
        for (unsigned j = 0; j < 2; j++)
            target->cell[j] = cell_at(j + (unsigned)rng_below(rng, rules->width - 1u), 1 + j);
        target_end(target);
    }
}

static bool holds(const Setup *setup, const Turn *turn)
{
    for (unsigned i = 0; i < setup->all.count; i++)
        if (zone_misses(&setup->all.zone[i], turn))
            return false;
    return rows_first_unmet(&setup->targets, turn->stones, turn->count) == setup->targets.count;
}

static bool any_holds(const Setup *setup, Turn *turn, unsigned stones, unsigned from)
{
    const PatternBoard *patterns = &setup->thread.patterns;
    if (turn->count == stones)
        return holds(setup, turn);
    unsigned width = patterns->rules.width;
    for (unsigned at = from; at < width * patterns->rules.height; at++) {
        Cell cell = cell_at(at % width, at / width);
        if (!pattern_board_is_empty(patterns, cell))
            continue;
        turn->stones[turn->count++] = cell;
        bool is_found = any_holds(setup, turn, stones, at + 1);
        turn->count--;
        if (is_found)
            return true;
    }
    return false;
}

static void assert_a_turn(const PatternBoard *patterns, const Turn *turn)
{
    assert_int_equal(turn->count, patterns->rules.p);
    for (unsigned i = 0; i < turn->count; i++) {
        assert_true(pattern_board_is_empty(patterns, turn->stones[i]));
        for (unsigned j = 0; j < i; j++)
            assert_true(turn->stones[i] != turn->stones[j]);
    }
}

static void compare(const char *text, unsigned zones, unsigned targets)
{
    Setup *setup = malloc(sizeof *setup);
    assert_non_null(setup);
    open_setup(setup, text);
    Rng rng = rng_make(zones * 10u + targets);
    unsigned found = 0, rounds = 200;
    for (unsigned i = 0; i < rounds; i++) {
        Turn turn, plain = {.count = 0};
        draw(setup, &rng, zones, targets);
        bool is_found = defence_find(&setup->thread, &setup->targets, &setup->all, &turn);
        assert_int_equal(is_found, any_holds(setup, &plain, setup->thread.patterns.rules.p, 0));
        if (!is_found)
            continue;
        found++;
        assert_a_turn(&setup->thread.patterns, &turn);
        assert_true(holds(setup, &turn));
    }
    assert_in_range(found, 1, rounds - (zones + targets > 2)); // both answers are met
    close_setup(setup);
    free(setup);
}

static void test_two_stones(void **state)
{
    (void)state;
    compare("7x6:k=5,p=2,q=1", 3, 0);
    compare("7x6:k=5,p=2,q=1", 2, 1);
    compare("7x6:k=5,p=2,q=1", 0, 2);
}

static void test_three_stones(void **state)
{
    (void)state;
    compare("6x5:k=5,p=3,q=2", 5, 0);
    compare("6x5:k=5,p=3,q=2", 3, 2);
}

TEST_GROUP(turns_defend)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_stones), cmocka_unit_test(test_three_stones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
