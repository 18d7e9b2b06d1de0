// Tests of parallel loops, growing arrays and search limits.
#include "base/limits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "support/check.h"

#include <stdlib.h>

enum { ITEMS = 1000, THREADS = 4 };

typedef struct {
    atomic_uint done[ITEMS];
    atomic_uint threads[THREADS];
    uint64_t last; // the item that ends the loop
} Loop;

static bool count_item(void *context, unsigned thread, uint64_t item)
{
    Loop *loop = context;
    assert(thread < THREADS);
    atomic_fetch_add(&loop->done[item], 1);
    atomic_fetch_add(&loop->threads[thread], 1);
    return item != loop->last;
}

static void test_every_item_once(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= THREADS; threads++) {
        Loop *loop = memory_new(1, sizeof *loop);
        loop->last = ITEMS;
        assert_true(parallel_for(threads, ITEMS, count_item, loop));
        for (unsigned i = 0; i < ITEMS; i++)
            assert_int_equal(atomic_load(&loop->done[i]), 1);
        free(loop);
    }
}

static void test_end_early(void **state)
{
    (void)state;
    Loop *loop = memory_new(1, sizeof *loop);
    loop->last = 10;
    assert_false(parallel_for(THREADS, ITEMS, count_item, loop));
    for (unsigned i = 0; i <= loop->last; i++)
        assert_int_equal(atomic_load(&loop->done[i]), 1);
    free(loop);
    assert_true(parallel_for(2, 0, count_item, NULL));
}

static void test_array(void **state)
{
    (void)state;
    size_t capacity = 0;
    unsigned *list = NULL;
    for (unsigned i = 0; i < 1000; i++) {
        list = array_grow(list, &capacity, i + 1, sizeof *list);
        assert_true(capacity > i);
        list[i] = i;
    }
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    free(list);
}

static void test_limits(void **state)
{
    (void)state;
    enum { CLOCK_PERIOD = 1024 };
    atomic_bool stop = false;
    Limits limits = {.nodes = 5000, .stop = &stop};
    assert_false(limits_reached_every(&limits, 4999, CLOCK_PERIOD));
    assert_true(limits_reached_every(&limits, 5000, CLOCK_PERIOD));
    assert_false(limits_expired(&limits));
    atomic_store(&stop, true);
    assert_true(limits_expired(&limits));
    assert_true(limits_reached_every(&limits, CLOCK_PERIOD, CLOCK_PERIOD));
    Limits past = {.deadline = clock_seconds() - 1};
    assert_true(limits_expired(&past));
    Limits none = {0};
    assert_false(limits_reached_every(&none, 0, CLOCK_PERIOD));
}

TEST_GROUP(parallel)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_item_once), cmocka_unit_test(test_end_early),
                                       cmocka_unit_test(test_array), cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
