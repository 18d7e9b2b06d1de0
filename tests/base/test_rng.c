// Tests of the random number generator: published numbers, dependence on the seed alone.
#include "base/clock.h"
#include "base/rng.h"
#include "support/check.h"

#include <string.h>

// The first numbers of splitmix64 from seed 1234567, as published in many places.
static void test_seeding_is_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u};
    Rng rng = rng_make(1234567);
    assert_memory_equal(rng.word, expected, sizeof expected);
}

// The test vector of xoshiro256** from the state 1, 2, 3, 4.
static void test_numbers_are_xoshiro256(void **state)
{
    (void)state;
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240, 1216172134540287360};
    Rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(rng_next(&rng) == expected[i]);
}

static void test_same_seed_same_numbers(void **state)
{
    (void)state;
    Rng a = rng_make(0), b = rng_make(0), c = rng_make(1);
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        uint64_t number = rng_next(&a);
        assert_true(number == rng_next(&b));
        differs = differs || number != rng_next(&c);
    }
    assert_true(differs);
}

static void test_below(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    unsigned counts[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint32_t number = rng_below(&rng, 7);
        assert_true(number < 7);
        counts[number]++;
        assert_int_equal(rng_below(&rng, 1), 0);
        assert_true(rng_below(&rng, UINT32_MAX) < UINT32_MAX);
    }
    // Five standard deviations of a fair die with 1000 expected throws per face.
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 850, 1150);
}

static void test_derived_seeds_differ(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    uint64_t seeds[COUNT * COUNT];
    for (unsigned i = 0; i < COUNT * COUNT; i++) {
        seeds[i] = rng_derive(i / COUNT, i % COUNT);
        assert_true(seeds[i] == rng_derive(i / COUNT, i % COUNT));
        for (unsigned j = 0; j < i; j++)
            assert_true(seeds[i] != seeds[j]);
    }
}

static void test_clock_goes_on(void **state)
{
    (void)state;
    double before = clock_seconds();
    clock_sleep(0.002);
    assert_true(clock_seconds() - before >= 0.002);
}

TEST_GROUP(rng)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeding_is_splitmix64),  cmocka_unit_test(test_numbers_are_xoshiro256),
        cmocka_unit_test(test_same_seed_same_numbers), cmocka_unit_test(test_below),
        cmocka_unit_test(test_derived_seeds_differ),   cmocka_unit_test(test_clock_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
