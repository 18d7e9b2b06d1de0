// Tests of the potential of cells: compared with the simple sum over windows, computed by hand, rotated and mirrored,
// and at its limits.
#include "bench/papers/bench_papers.h"
#include "game/symmetry.h"
#include "papers/patterns/potential.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

static const char *const games[] = {"gomoku",          "7x6:k=4,gravity",
                                    "9x9:k=6,p=2,q=1", "64x1:k=30",
                                    "2x64:k=40",       "64x3:k=8",
                                    "5x4:k=3,p=4,q=2", "1x64:k=3,exact",
                                    "1x1:k=1",         "20x20:k=20,p=3,q=2",
                                    "6x6:k=3,exact",   "8x5:k=4,gravity,p=2,q=1,exact",
                                    "64x64:k=64",      "4x3:k=1",
                                    "64x64:k=3",       "12x9:k=5,exact",
                                    "40x40:k=13",      "10x2:k=9,exact,p=3",
                                    "3x30:k=2",        "64x2:k=32,exact",
                                    "5x5:k=5,p=25"};
enum { GAMES = sizeof games / sizeof games[0] };

static const unsigned bases[] = {1, 2, 3, 10, 97, 100};
enum { BASES = sizeof bases / sizeof bases[0] };

static Potential *open_potential(const Rules *rules, unsigned base)
{
    Potential *potential = potential_open(rules, base);
    return potential;
}

// --- The plain sum ---

// What windows add: powers, as long as 64 times the most that a cell can have times the base is within 2^52.
static void plain_powers(const Rules *rules, unsigned base, double power[RULES_SIDE_MAX + 1])
{
    int k = rules->k, side = rules->width > rules->height ? rules->width : rules->height;
    double through = 4 * fmin(k, side - k + 1);
    power[0] = 1;
    for (int n = 1; n <= k; n++) {
        double next = power[n - 1] * base;
        power[n] = 64 * through * next * base <= 4503599627370496.0 ? next : power[n - 1];
    }
}

typedef struct {
    Board board; // played beside the potential
    Potential *potential;
    double base;
    double power[RULES_SIDE_MAX + 1];
    unsigned count;
    Cell stones[RULES_CELLS_MAX];
    BoardState states[RULES_CELLS_MAX];
} Walk;

static void check_cell(const Walk *walk, Cell cell)
{
    const Board *board = &walk->board;
    double value[2];
    for (unsigned side = 0; side < 2; side++) {
        value[side] = bench_potential_plain(board, cell, (Side)side, walk->power);
        if (potential_of(walk->potential, cell, (Side)side) != value[side]) {
            print_board(board);
            print_error("side %u, column %u, row %u: %.0f, plainly %.0f\n", side, cell_column(cell), cell_row(cell),
                        potential_of(walk->potential, cell, (Side)side), value[side]);
            fail();
        }
    }
    Side side = board_side(board);
    assert_true(potential_sum(walk->potential, cell) == value[0] + value[1]);
    assert_true(potential_gain(walk->potential, cell, false) ==
                (walk->base - 1) * value[side] + value[side_other(side)]);
    assert_true(potential_gain(walk->potential, cell, true) ==
                (walk->base - 1) * value[side] - value[side_other(side)]);
}

// All empty cells of small boards, some of large ones.
static void check_cells(const Walk *walk, Rng *rng)
{
    const Rules *rules = &walk->board.rules;
    unsigned cells = rules_cells(rules), tries = cells < 100 ? cells : 100;
    for (unsigned i = 0; i < tries; i++) {
        unsigned at = tries == cells ? i : rng_below(rng, cells);
        Cell cell = cell_at(at % rules->width, at / rules->width);
        if (board_stone(&walk->board, cell) == STONE_NONE)
            check_cell(walk, cell);
    }
    // Those around the last stone are most likely to be wrong.
    for (int i = 0; i < 81 && walk->count > 0 && tries < cells; i++) {
        Cell last = walk->stones[walk->count - 1];
        int x = (int)cell_column(last) + i % 9 - 4, y = (int)cell_row(last) + i / 9 - 4;
        if (x >= 0 && y >= 0 && x < rules->width && y < rules->height &&
            board_stone(&walk->board, cell_at((unsigned)x, (unsigned)y)) == STONE_NONE)
            check_cell(walk, cell_at((unsigned)x, (unsigned)y));
    }
}

static const Potential *sorted_by; // qsort has no room for it

static int compare_cells(const void *a, const void *b)
{
    double x = potential_sum(sorted_by, *(const Cell *)a), y = potential_sum(sorted_by, *(const Cell *)b);
    return x > y ? -1 : x < y ? 1 : cell_compare(a, b);
}

static int compare_cells_reversed(const void *a, const void *b)
{
    double x = potential_sum(sorted_by, *(const Cell *)a), y = potential_sum(sorted_by, *(const Cell *)b);
    return x > y ? -1 : x < y ? 1 : cell_compare(b, a);
}

static void check_best(const Walk *walk, Rng *rng)
{
    Cell legal[RULES_CELLS_MAX], best[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&walk->board, legal);
    unsigned most = rng_below(rng, 3) == 0 ? walk->board.cells : rng_below(rng, 10);
    sorted_by = walk->potential;
    qsort(legal, count, sizeof legal[0], compare_cells);
    unsigned found = potential_best(walk->potential, best, most, NULL);
    assert_int_equal(found, most < count ? most : count);
    assert_memory_equal(best, legal, found * sizeof best[0]);
    // Reversed ranks reverse the order of equals.
    uint16_t rank[RULES_CELLS_MAX];
    for (unsigned i = 0; i < RULES_CELLS_MAX; i++)
        rank[i] = (uint16_t)(RULES_CELLS_MAX - i);
    qsort(legal, count, sizeof legal[0], compare_cells_reversed);
    assert_int_equal(potential_best(walk->potential, best, most, rank), found);
    assert_memory_equal(best, legal, found * sizeof best[0]);
}

// --- Random play ---

// A cell within a few steps of the last stone, so that windows fill up, or any.
static Cell choose_cell(const Walk *walk, Rng *rng)
{
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&walk->board, legal);
    Cell cell = legal[rng_below(rng, count)];
    for (int i = 0; i < 20 && walk->count > 0 && rng_below(rng, 8) != 0; i++) {
        Cell last = walk->stones[walk->count - 1], tried = legal[rng_below(rng, count)];
        if (abs((int)cell_column(tried) - (int)cell_column(last)) < 3 &&
            abs((int)cell_row(tried) - (int)cell_row(last)) < 3)
            return tried;
    }
    return cell;
}

static void step(Walk *walk, Rng *rng)
{
    if (board_is_over(&walk->board) || (walk->count > 0 && rng_below(rng, 4) == 0)) {
        walk->count--;
        board_undo(&walk->board, walk->stones[walk->count], walk->states[walk->count]);
        potential_undo(walk->potential, walk->stones[walk->count], walk->states[walk->count]);
    } else {
        Cell cell = choose_cell(walk, rng);
        walk->stones[walk->count] = cell;
        walk->states[walk->count] = board_play(&walk->board, cell);
        BoardState before = potential_play(walk->potential, cell);
        assert_memory_equal(&before, &walk->states[walk->count], sizeof before);
        walk->count++;
    }
}

static void begin_walk(Walk *walk, const Rules *rules, unsigned base)
{
    walk->count = 0;
    walk->base = base;
    walk->potential = open_potential(rules, base);
    board_init(&walk->board, rules);
    plain_powers(rules, base, walk->power);
}

static void test_values_follow_the_board(void **state)
{
    (void)state;
    static Walk walk;
    Rng rng = rng_make(3);
    unsigned rounds = (unsigned)(test_steps() / 20000);
    for (unsigned round = 0; round < (rounds > 0 ? rounds : 1); round++)
        for (int g = 0; g < GAMES; g++) {
            Rules rules = rules_of(games[g]);
            begin_walk(&walk, &rules, bases[rng_below(&rng, BASES)]);
            unsigned steps = rules_cells(&rules) > 1000 ? 12 : rules_cells(&rules) > 1 ? 60 : 3;
            for (unsigned i = 0; i < steps; i++) {
                check_cells(&walk, &rng);
                check_best(&walk, &rng);
                step(&walk, &rng);
            }
            assert_same_board(potential_board(walk.potential), &walk.board);
            while (walk.count > 0) {
                walk.count--;
                potential_undo(walk.potential, walk.stones[walk.count], walk.states[walk.count]);
            }
            board_init(&walk.board, &rules);
            check_cells(&walk, &rng);
            potential_close(walk.potential);
        }
}

// Positions that have little or nothing to do with each other, one after another; some were never played.
static void test_whole_positions(void **state)
{
    (void)state;
    static Walk walk;
    Rng rng = rng_make(4);
    unsigned long rounds = test_steps() / 20000 + 1;
    for (int g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        begin_walk(&walk, &rules, bases[rng_below(&rng, BASES)]);
        for (unsigned long i = 0; i < rounds; i++) {
            unsigned cells = rules_cells(&rules), kept = rng_below(&rng, 4);
            for (unsigned j = 0; j < cells && !rules.gravity; j++) {
                Cell cell = cell_at(j % rules.width, j / rules.width);
                Stone stone = board_stone(&walk.board, cell);
                if (stone != STONE_NONE && rng_below(&rng, kept + 1) == 0)
                    board_take(&walk.board, cell, (Side)stone);
                if (board_stone(&walk.board, cell) == STONE_NONE && rng_below(&rng, 3 * kept + 2) == 0)
                    board_put(&walk.board, cell, rng_below(&rng, 2) == 0 ? SIDE_FIRST : SIDE_SECOND);
            }
            if (rules.gravity)
                (void)scatter_stones(&walk.board, &rules, rng_below(&rng, cells), &rng);
            else
                (void)board_set_turn(&walk.board, rng_below(&rng, 2) == 0 ? SIDE_FIRST : SIDE_SECOND, 1);
            potential_set(walk.potential, &walk.board);
            assert_same_board(potential_board(walk.potential), &walk.board);
            check_cells(&walk, &rng);
            check_best(&walk, &rng);
        }
        potential_close(walk.potential);
    }
}

// A symmetric image of a position has the same values.
static void test_pictures_have_the_same_values(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    for (int g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        Potential *seen = open_potential(&rules, POTENTIAL_BASE), *potential = open_potential(&rules, POTENTIAL_BASE);
        Board board, picture;
        (void)scatter_stones(&board, &rules, rules_cells(&rules) / 3, &rng);
        potential_set(potential, &board);
        for (Symmetry symmetry = 0; symmetry < symmetry_count(&rules); symmetry++) {
            symmetry_board(&board, symmetry, &picture);
            potential_set(seen, &picture);
            for (unsigned i = 0; i < rules_cells(&rules); i++) {
                Cell cell = cell_at(i % rules.width, i / rules.width), image = symmetry_cell(&rules, symmetry, cell);
                for (unsigned side = 0; side < 2 && board_stone(&board, cell) == STONE_NONE; side++)
                    assert_true(potential_of(potential, cell, (Side)side) == potential_of(seen, image, (Side)side));
            }
        }
        potential_close(seen);
        potential_close(potential);
    }
}

// --- By hand ---

static void check_value(const Potential *potential, const char *name, double first, double second)
{
    Cell cell = cell_of(&potential_board(potential)->rules, name);
    assert_true(potential_of(potential, cell, SIDE_FIRST) == first);
    assert_true(potential_of(potential, cell, SIDE_SECOND) == second);
}

static Potential *potential_of_drawing(const char *rules, const char *drawing)
{
    Game game;
    read_drawing(&game, rules, drawing);
    Potential *potential = open_potential(&game.board.rules, POTENTIAL_BASE);
    potential_set(potential, &game.board);
    return potential;
}

static void test_values_by_hand(void **state)
{
    (void)state;
    // Windows: abc and bcd have both, cde has O, def is empty.
    Potential *potential = potential_of_drawing("6x1:k=3", ".XO...\nturn X 1\n");
    check_value(potential, "a1", 0, 0);
    check_value(potential, "d1", 1, 11);
    check_value(potential, "e1", 1, 11);
    check_value(potential, "f1", 1, 1);
    Cell d1 = cell_of(&potential_board(potential)->rules, "d1");
    assert_true(potential_sum(potential, d1) == 12);
    assert_true(potential_gain(potential, d1, false) == 10 * 1 - (1 - 11));
    assert_true(potential_gain(potential, d1, true) == 10 * 1 - (1 + 11));
    potential_close(potential);
    // A window without a stone of X beside it: cde is none for X where a longer row does not win.
    potential = potential_of_drawing("6x1:k=3,exact", ".X....\nturn O 1\n");
    check_value(potential, "a1", 10, 0);
    check_value(potential, "c1", 20, 1);
    check_value(potential, "d1", 11, 2);
    check_value(potential, "f1", 1, 1);
    potential_close(potential);
    // An open three of X among nine cells: a1 to e1 and so on up to e1 to i1 hold two, three, three, three and two.
    potential = potential_of_drawing("9x1:k=5", "...XXX...\nturn O 1\n");
    check_value(potential, "c1", 100 + 1000 + 1000, 0);
    check_value(potential, "b1", 100 + 1000, 0);
    check_value(potential, "a1", 100, 0);
    check_value(potential, "g1", 1000 + 1000 + 100, 0);
    potential_close(potential);
    // Stones fall: cells that cannot be reached have values as well, but are not listed.
    potential = potential_of_drawing("3x3:k=3,gravity", "...\n...\nX..\nturn O 1\n");
    check_value(potential, "c3", 10 + 1 + 1, 0 + 1 + 1);
    Cell best[9];
    assert_int_equal(potential_best(potential, best, 9, NULL), 3);
    assert_int_equal(best[0], cell_of(&potential_board(potential)->rules, "c1"));
    assert_int_equal(best[1], cell_of(&potential_board(potential)->rules, "b1"));
    assert_int_equal(best[2], cell_of(&potential_board(potential)->rules, "a2"));
    potential_close(potential);
}

// --- Limits ---

// The most a cell can have, every other cell taken by the side to move: 64 such gains stay exact, and no smaller limit
// would do.
static void check_limits(const Rules *rules, unsigned base)
{
    Potential *potential = open_potential(rules, base);
    Board board;
    board_init(&board, rules);
    Cell middle = cell_at(rules->width / 2u, rules->height / 2u);
    for (unsigned i = 0; i < rules_cells(rules); i++)
        if (cell_at(i % rules->width, i / rules->width) != middle)
            board_put(&board, cell_at(i % rules->width, i / rules->width), SIDE_FIRST);
    (void)board_set_turn(&board, SIDE_FIRST, 1);
    potential_set(potential, &board);
    double value = potential_of(potential, middle, SIDE_FIRST);
    assert_true(value == floor(value));
    assert_true(64 * fabs(potential_gain(potential, middle, false)) <= POTENTIAL_LIMIT);
    potential_close(potential);
}

static void test_sums_stay_exact(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 64; k++)
        for (int b = 0; b < BASES; b++) {
            check_limits(&(Rules){.width = 64, .height = 64, .k = (uint8_t)k, .p = 1, .q = 1}, bases[b]);
            check_limits(&(Rules){.width = (uint8_t)k, .height = 1, .k = (uint8_t)k, .p = 1, .q = 1}, bases[b]);
        }
}

// Rows of up to 12 are counted in full with a base of 10, those of up to 6 with 100.
static void test_where_powers_end(void **state)
{
    (void)state;
    static const struct {
        unsigned k, base;
        bool full;
    } cases[] = {{12, 10, true}, {13, 10, false}, {6, 100, true}, {7, 100, false}, {5, 10, true}, {64, 1, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rules rules = {.width = 64, .height = 64, .k = (uint8_t)cases[i].k, .p = 1, .q = 1};
        double power[RULES_SIDE_MAX + 1];
        plain_powers(&rules, cases[i].base, power);
        assert_int_equal(power[cases[i].k - 1] == pow(cases[i].base, cases[i].k - 1), cases[i].full);
    }
}

TEST_GROUP(potential)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_follow_the_board),
        cmocka_unit_test(test_whole_positions),
        cmocka_unit_test(test_pictures_have_the_same_values),
        cmocka_unit_test(test_values_by_hand),
        cmocka_unit_test(test_sums_stay_exact),
        cmocka_unit_test(test_where_powers_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
