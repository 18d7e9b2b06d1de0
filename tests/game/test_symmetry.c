// Tests of symmetries: group axioms, symmetric games, canonical forms.
#include "base/rng.h"
#include "game/symmetry.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static const char *const shapes[] = {
    "5x5:k=3",         "5x3:k=3",   "3x5:k=3,p=2,q=1", "5x5:k=3,gravity",
    "4x6:k=4,gravity", "64x64:k=9", "64x2:k=5",        "6x6:k=4,exact",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void test_how_many_there_are(void **state)
{
    (void)state;
    static const unsigned expected[SHAPES] = {8, 4, 4, 2, 2, 8, 4, 8};
    for (size_t i = 0; i < SHAPES; i++) {
        Rules rules = rules_of(shapes[i]);
        assert_int_equal(symmetry_count(&rules), expected[i]);
    }
}

static void test_each_is_what_its_name_says(void **state)
{
    (void)state;
    Rules rules = rules_of("5x5:k=3");
    Cell cell = cell_at(0, 1); // a2
    assert_int_equal(symmetry_cell(&rules, SYMMETRY_IDENTITY, cell), cell);
    assert_int_equal(symmetry_cell(&rules, SYMMETRY_MIRROR, cell), cell_at(4, 1));
    assert_int_equal(symmetry_cell(&rules, SYMMETRY_FLIP, cell), cell_at(0, 3));
    assert_int_equal(symmetry_cell(&rules, SYMMETRY_TRANSPOSE, cell), cell_at(1, 0));
    assert_int_equal(symmetry_cell(&rules, SYMMETRY_TRANSPOSE | SYMMETRY_MIRROR, cell), cell_at(3, 0));
    assert_int_equal(symmetry_cell(&rules, SYMMETRY_TRANSPOSE | SYMMETRY_FLIP, cell), cell_at(1, 4));
    Rules wide = rules_of("5x3:k=3");
    assert_int_equal(symmetry_cell(&wide, SYMMETRY_MIRROR | SYMMETRY_FLIP, cell_at(0, 0)), cell_at(4, 2));
}

// The composition: `first`, then `second`. Mirrors are added; a transposition exchanges those of the first.
static Symmetry symmetry_compose(Symmetry first, Symmetry second)
{
    Symmetry mirrors = first & (SYMMETRY_MIRROR | SYMMETRY_FLIP);
    if (second & SYMMETRY_TRANSPOSE)
        mirrors = (mirrors & SYMMETRY_MIRROR) << 1 | (mirrors & SYMMETRY_FLIP) >> 1;
    return ((first ^ second) & SYMMETRY_TRANSPOSE) | (mirrors ^ (second & 3));
}

// Inverse and composition agree with applying symmetries one after the other, on every cell.
static void check_laws(const Rules *rules, Symmetry a, Symmetry b)
{
    Symmetry both = symmetry_compose(a, b);
    assert_true(symmetry_inverse(a) < symmetry_count(rules));
    assert_true(both < symmetry_count(rules));
    assert_int_equal(symmetry_compose(a, symmetry_inverse(a)), SYMMETRY_IDENTITY);
    assert_int_equal(symmetry_compose(symmetry_inverse(a), a), SYMMETRY_IDENTITY);
    for (unsigned column = 0; column < rules->width; column++)
        for (unsigned row = 0; row < rules->height; row++) {
            Cell cell = cell_at(column, row), there = symmetry_cell(rules, a, cell);
            assert_int_equal(symmetry_cell(rules, b, there), symmetry_cell(rules, both, cell));
            assert_int_equal(symmetry_cell(rules, symmetry_inverse(a), there), cell);
        }
}

static void test_the_laws_of_a_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        Rules rules = rules_of(shapes[i]);
        for (Symmetry a = 0, a_end = (Symmetry)symmetry_count(&rules); a < a_end; a++)
            for (Symmetry b = 0, b_end = (Symmetry)symmetry_count(&rules); b < b_end; b++)
                check_laws(&rules, a, b);
    }
}

// All symmetries differ: an asymmetric cell has as many images as there are symmetries.
static void test_all_differ(void **state)
{
    (void)state;
    Rules rules = rules_of("5x5:k=3");
    for (Symmetry a = 0; a < 8; a++)
        for (Symmetry b = 0; b < a; b++)
            assert_int_not_equal(symmetry_cell(&rules, a, cell_at(0, 1)), symmetry_cell(&rules, b, cell_at(0, 1)));
}

// A random game and its symmetric image, played in parallel until `stones` or the end.
static void play_pictures(Game *game, Game *picture, Symmetry symmetry, unsigned stones, Rng *rng)
{
    const Rules *rules = &game->board.rules;
    while (game->played < stones && !game_is_over(game)) {
        Cell cells[RULES_CELLS_MAX], cell = cells[rng_below(rng, board_legal_cells(&game->board, cells))];
        game_play(game, cell);
        assert_true(board_is_legal(&picture->board, symmetry_cell(rules, symmetry, cell)));
        game_play(picture, symmetry_cell(rules, symmetry, cell));
    }
}

static void test_the_picture_of_a_game(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
    for (unsigned round = 0; round < 30; round++)
        for (size_t i = 0; i < SHAPES; i++) {
            Rules rules = rules_of(shapes[i]);
            for (Symmetry symmetry = 0, symmetry_end = (Symmetry)symmetry_count(&rules); symmetry < symmetry_end;
                 symmetry++) {
                Game game, picture;
                game_init(&game, &rules);
                game_init(&picture, &rules);
                play_pictures(&game, &picture, symmetry, rng_below(&rng, 30), &rng);
                Board seen, back;
                symmetry_board(&game.board, symmetry, &seen);
                assert_same_board(&seen, &picture.board);
                symmetry_board(&seen, symmetry_inverse(symmetry), &back);
                assert_same_board(&back, &game.board);
            }
        }
}

static void test_pictures_have_one_canonical_form(void **state)
{
    (void)state;
    Rng rng = rng_make(22);
    for (unsigned round = 0; round < 30; round++)
        for (size_t i = 0; i < SHAPES; i++) {
            Rules rules = rules_of(shapes[i]);
            Game game, ignored;
            game_init(&game, &rules);
            game_init(&ignored, &rules);
            play_pictures(&game, &ignored, SYMMETRY_IDENTITY, rng_below(&rng, 30), &rng);
            Board canonical, picture, again, led;
            Symmetry leads = symmetry_canonical(&game.board, &canonical);
            symmetry_board(&game.board, leads, &led);
            assert_same_board(&led, &canonical);
            for (Symmetry symmetry = 0, symmetry_end = (Symmetry)symmetry_count(&rules); symmetry < symmetry_end;
                 symmetry++) {
                symmetry_board(&game.board, symmetry, &picture);
                (void)symmetry_canonical(&picture, &again);
                assert_same_board(&again, &canonical);
                assert_true(board_key(&again) == board_key(&canonical));
            }
        }
}

// The canonical form is the smallest: its rows from the bottom, first player's before the second's.
static void test_the_canonical_form_is_the_smallest(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "3x3:k=3", "..X\n...\n...\n");
    Board canonical;
    (void)symmetry_canonical(&game.board, &canonical);
    // A stone on the top row leaves the rows below it 0; there the left corner is the smaller number.
    assert_int_equal(board_stone(&canonical, cell_at(0, 2)), STONE_FIRST);
    assert_int_equal(board_count(&canonical), 1);
}

// --- Known numbers of positions ---

typedef struct {
    uint64_t *keys;
    size_t count, capacity;
} KeySet;

static void keys_add(KeySet *set, uint64_t key)
{
    if (set->count == set->capacity) {
        set->capacity = set->capacity > 0 ? 2 * set->capacity : 1024;
        set->keys = realloc(set->keys, set->capacity * sizeof *set->keys);
        assert_non_null(set->keys);
    }
    set->keys[set->count++] = key;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The number of different keys; empties the set.
static size_t keys_different(KeySet *set)
{
    if (set->count > 0)
        qsort(set->keys, set->count, sizeof *set->keys, compare_keys);
    size_t different = 0;
    for (size_t i = 0; i < set->count; i++)
        different += i == 0 || set->keys[i] != set->keys[i - 1];
    free(set->keys);
    *set = (KeySet){0};
    return different;
}

static void collect(Board *board, unsigned depth, bool every_depth, KeySet *plain, KeySet *canonical)
{
    if (every_depth || depth == 0) {
        Board form;
        (void)symmetry_canonical(board, &form);
        keys_add(plain, board_key(board));
        keys_add(canonical, board_key(&form));
    }
    Cell cells[RULES_CELLS_MAX];
    unsigned count = depth > 0 ? board_legal_cells(board, cells) : 0;
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        collect(board, depth - 1, every_depth, plain, canonical);
        board_undo(board, cells[i], before);
    }
}

// 5478 positions are reachable, 765 up to symmetry. The short test stops at 5 stones; the long test counts all. The
// numbers after n stones are 1 9 72 252 756 1260, and 1 3 12 38 108 174 up to symmetry.
static void test_positions_of_tictactoe(void **state)
{
    (void)state;
    static const size_t all[] = {1, 9, 72, 252, 756, 1260}, different[] = {1, 3, 12, 38, 108, 174};
    Rules rules = rules_of("tictactoe");
    for (unsigned depth = 0; depth < 6; depth++) {
        Board board;
        KeySet plain = {0}, canonical = {0};
        board_init(&board, &rules);
        collect(&board, depth, false, &plain, &canonical);
        assert_int_equal(keys_different(&plain), all[depth]);
        assert_int_equal(keys_different(&canonical), different[depth]);
    }
    if (!test_is_long())
        return;
    Board board;
    KeySet plain = {0}, canonical = {0};
    board_init(&board, &rules);
    collect(&board, 9, true, &plain, &canonical);
    assert_int_equal(keys_different(&plain), 5478);
    assert_int_equal(keys_different(&canonical), 765);
}

// Positions of Connect Four after n stones: OEIS A212693.
static void test_positions_of_connect_four(void **state)
{
    (void)state;
    static const size_t all[] = {1, 7, 49, 238, 1120, 4263};
    Rules rules = rules_of("connect4");
    for (unsigned depth = 0; depth < 6; depth++) {
        Board board;
        KeySet plain = {0}, canonical = {0};
        board_init(&board, &rules);
        collect(&board, depth, false, &plain, &canonical);
        assert_int_equal(keys_different(&plain), all[depth]);
        size_t different = keys_different(&canonical);
        assert_true(2 * different >= all[depth] && different <= all[depth]);
    }
}

TEST_GROUP(symmetry)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_many_there_are),
        cmocka_unit_test(test_each_is_what_its_name_says),
        cmocka_unit_test(test_the_laws_of_a_group),
        cmocka_unit_test(test_all_differ),
        cmocka_unit_test(test_the_picture_of_a_game),
        cmocka_unit_test(test_pictures_have_one_canonical_form),
        cmocka_unit_test(test_the_canonical_form_is_the_smallest),
        cmocka_unit_test(test_positions_of_tictactoe),
        cmocka_unit_test(test_positions_of_connect_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
