// Tests of exact position keys, compared with symmetry_canonical, and of sets of keys.
#include "game/position_set.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static PositionView view;

static void key_of(const Board *board, uint64_t *key)
{
    memset(key, 0, POSITION_WORDS_MAX * sizeof *key);
    position_view_begin(&view, board);
    position_view_key(&view, key);
}

static const char *const games[] = {"3x3:k=3",     "4x3:k=3", "4x4:k=3,gravity", "2x2:k=2,p=2", "7x6:k=4",
                                    "5x1:k=5,p=2", "6x6:k=4", "1x4:k=2,gravity", "19x19:k=6",   "64x64:k=5,gravity"};
enum { GAMES = sizeof games / sizeof games[0] };

// Few stones on small boards, so that symmetric pairs occur at random.
static void test_keys_are_equal_for_pictures_only(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    unsigned equal = 0;
    for (unsigned long n = 0; n < test_steps() / 20; n++) {
        Rules rules = rules_of(games[rng_below(&rng, GAMES)]);
        static Board a, b, canonical_a, canonical_b;
        unsigned stones = 1 + rng_below(&rng, 4);
        if (!scatter_stones(&a, &rules, stones, &rng) || !scatter_stones(&b, &rules, stones, &rng))
            continue;
        if (n % 2 == 0)
            symmetry_board(&a, rng_below(&rng, symmetry_count(&rules)), &b);
        uint64_t key_a[POSITION_WORDS_MAX], key_b[POSITION_WORDS_MAX];
        key_of(&a, key_a);
        key_of(&b, key_b);
        (void)symmetry_canonical(&a, &canonical_a);
        (void)symmetry_canonical(&b, &canonical_b);
        bool same = memcmp(canonical_a.line, canonical_b.line, a.line_count * sizeof a.line[0]) == 0;
        assert_int_equal(memcmp(key_a, key_b, sizeof key_a) == 0, same);
        equal += same;
    }
    assert_true(equal > 100);
}

// A key can be loaded as any symmetric image, after any other position; a stone updates it correctly.
static void test_load_and_stones(void **state)
{
    (void)state;
    Rng rng = rng_make(2);
    static PositionView loaded;
    for (unsigned n = 0; n < 2000; n++) {
        Rules rules = rules_of(games[n % GAMES]);
        static Board board, other, canonical, again;
        if (!scatter_stones(&board, &rules, rng_below(&rng, 9), &rng) ||
            !scatter_stones(&other, &rules, rng_below(&rng, 9), &rng))
            continue;
        uint64_t key[POSITION_WORDS_MAX], after[POSITION_WORDS_MAX] = {0}, expected[POSITION_WORDS_MAX];
        key_of(&board, key);
        position_view_begin(&loaded, &other);
        position_view_load(&loaded, key, board.state.turn);
        (void)symmetry_canonical(&board, &canonical);
        (void)symmetry_canonical(&loaded.board, &again);
        assert_same_board(&canonical, &again);
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&loaded.board, cells);
        Cell cell = cells[rng_below(&rng, count)];
        position_view_key_after(&loaded, cell, board_side(&loaded.board), after);
        (void)board_play(&loaded.board, cell);
        key_of(&loaded.board, expected);
        assert_memory_equal(after, expected, sizeof after);
    }
}

static void test_sets(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    PositionSet set = {.words = 3};
    uint64_t keys[1000][3];
    unsigned count = 0;
    for (unsigned n = 0; n < 3000; n++) {
        uint64_t key[3] = {rng_below(&rng, 10), rng_below(&rng, 10) << 20, rng_below(&rng, 10)};
        bool known = false;
        for (unsigned i = 0; i < count && !known; i++)
            known = memcmp(keys[i], key, sizeof key) == 0;
        assert_int_equal(position_set_has(&set, key), known);
        assert_true(position_set_add(&set, key, UINT64_MAX));
        assert_true(position_set_has(&set, key));
        if (!known)
            memcpy(keys[count++], key, sizeof key);
        assert_int_equal(set.count, count);
    }
    for (unsigned i = 0; i < count; i++)
        assert_memory_equal(position_set_key(&set, i), keys[i], sizeof keys[i]);
    position_set_close(&set);
    assert_int_equal(set.count, 0);
    position_set_close(&set);
}

static void test_a_set_stays_within_its_memory(void **state)
{
    (void)state;
    PositionSet set = {.words = 1};
    uint64_t key = 1, limit = 5000;
    while (position_set_add(&set, &key, limit))
        key++;
    assert_true(position_set_bytes(&set) <= limit && position_set_bytes(&set) > limit / 2);
    assert_int_equal(set.count, key - 1);
    for (uint64_t known = 1; known < key; known++)
        assert_true(position_set_has(&set, &known) && position_set_add(&set, &known, limit));
    assert_false(position_set_has(&set, &key));
    position_set_close(&set);
}

TEST_GROUP(position_set)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_equal_for_pictures_only),
        cmocka_unit_test(test_load_and_stones),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_a_set_stays_within_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
