// Tests of the parity bounds of the exact solver by brute force: on small boards, no reachable position has a score
// above its bound. Also compares the lines as bits with the board.
#include "solver/gravity/gravity_solver_internal.h"
#include "support/check.h"

#include <stdlib.h>

// --- All positions of a small board, with their scores ---

typedef struct {
    uint64_t key;
    int8_t score;
} Known;

// The positions of a board, found in the simplest way: every move, wins counted cell by cell.
typedef struct {
    unsigned width, height, k;
    const GravityEngine *engine;
    void *shape;
    Known *known;
    uint64_t mask;            // places of `known`, less 1
    unsigned long positions;  // met so far
    unsigned long claims[2];  // positions of which the bound says something: by the parity of the empty cells
    unsigned long decided[2]; // those it calls lost
} Walk;

static unsigned bit_at(const Walk *walk, unsigned column, unsigned row)
{
    return column * (walk->height + 1) + row;
}

// How many stones in a row there are beyond a cell.
static unsigned run(const Walk *walk, uint64_t stones, int column, int row, int dx, int dy)
{
    unsigned length = 0;
    for (int x = column + dx, y = row + dy; x >= 0 && x < (int)walk->width && y >= 0 && y < (int)walk->height;
         x += dx, y += dy, length++)
        if ((stones >> bit_at(walk, (unsigned)x, (unsigned)y) & 1) == 0)
            break;
    return length;
}

static bool wins(const Walk *walk, uint64_t stones, unsigned column, unsigned row)
{
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (unsigned i = 0; i < 4; i++) {
        int dx = directions[i][0], dy = directions[i][1];
        if (1 + run(walk, stones, (int)column, (int)row, dx, dy) + run(walk, stones, (int)column, (int)row, -dx, -dy) >=
            walk->k)
            return true;
    }
    return false;
}

static void check_bound(Walk *walk, uint64_t own, uint64_t mask, unsigned empty, int score)
{
    GravityPosition position = {own, mask};
    int bound = walk->engine->bound(walk->shape, &position), none = (int)(walk->width * walk->height + 1) / 2;
    assert_true(score <= bound);
    walk->claims[empty % 2] += bound < none;
    walk->decided[empty % 2] += bound < 0;
    walk->positions++;
}

static Known *place_of(Walk *walk, uint64_t key)
{
    uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (walk->known[i & walk->mask].key != 0 && walk->known[i & walk->mask].key != key + 1)
        i++;
    return &walk->known[i & walk->mask];
}

static int walk_from(Walk *walk, uint64_t own, uint64_t mask, unsigned empty)
{
    Known *known = place_of(walk, own + mask);
    if (known->key != 0)
        return known->score;
    int best = empty == 0 ? 0 : -(int)empty;
    for (unsigned column = 0; column < walk->width; column++) {
        unsigned row = 0;
        while (mask >> bit_at(walk, column, row) & 1)
            row++;
        if (row == walk->height)
            continue;
        uint64_t stone = UINT64_C(1) << bit_at(walk, column, row);
        int score =
            wins(walk, own, column, row) ? (int)(empty + 1) / 2 : -walk_from(walk, own ^ mask, mask | stone, empty - 1);
        best = score > best ? score : best;
    }
    if (empty > 0)
        check_bound(walk, own, mask, empty, best);
    assert_true(walk->positions < walk->mask);
    *place_of(walk, own + mask) = (Known){own + mask + 1, (int8_t)best};
    return best;
}

static void walk_open(Walk *walk, const char *text, const GravityEngine *engine, unsigned bits)
{
    Rules rules = rules_of(text);
    *walk = (Walk){.width = rules.width, .height = rules.height, .k = rules.k, .engine = engine};
    walk->shape = aligned_alloc(64, (engine->shape_size + 63) / 64 * 64);
    walk->known = calloc((size_t)1 << bits, sizeof *walk->known);
    walk->mask = (UINT64_C(1) << bits) - 1;
    assert_non_null(walk->shape);
    assert_non_null(walk->known);
    engine->shape_init(walk->shape, &rules);
}

static void walk_close(Walk *walk)
{
    free(walk->shape);
    free(walk->known);
}

static void no_score_is_above_its_bound(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        unsigned long steps; // that have to be asked for
        unsigned bits;       // logarithm of places for positions
    } all[] = {
        {"3x3:k=3,gravity", 0, 14},       {"4x3:k=3,gravity", 0, 16},       {"3x4:k=3,gravity", 0, 16},
        {"5x3:k=3,gravity", 0, 20},       {"3x5:k=3,gravity", 0, 18},       {"4x4:k=3,gravity", 0, 18},
        {"4x4:k=4,gravity", 0, 18},       {"3x6:k=3,gravity", 0, 20},       {"4x5:k=4,gravity", 60000, 23},
        {"5x4:k=4,gravity", 60000, 23},   {"4x5:k=3,gravity", 60000, 22},   {"5x4:k=3,gravity", 60000, 22},
        {"4x6:k=4,gravity", 5000000, 26}, {"5x5:k=4,gravity", 5000000, 28},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (test_steps() < all[i].steps)
            continue;
        Walk walk;
        walk_open(&walk, all[i].rules, &gravity_engine_64, all[i].bits);
        walk_from(&walk, 0, 0, walk.width * walk.height);
        assert_true(walk.claims[0] > 0 && walk.decided[0] > 0);
        assert_int_equal(walk.claims[1], walk.decided[1]);
        assert_true(walk.claims[1] > 0);
        walk_close(&walk);
    }
}

// --- The same in words of every size ---

static void fill(Rng *rng, const Rules *rules, GravityPosition *position)
{
    *position = (GravityPosition){0};
    for (unsigned column = 0; column < rules->width; column++) {
        unsigned at = column * (rules->height + 1u), stones = rng_below(rng, rules->height + 1u);
        for (unsigned row = 0; row < stones; row++) {
            position->mask |= (GravityWide)1 << (at + row);
            position->own |= (GravityWide)rng_below(rng, 2) << (at + row);
        }
    }
}

// Empty cells that complete a row, found by placing a stone on each.
static GravityWide plain_threats(const Rules *rules, const GravityPosition *position, Side side)
{
    Board board;
    board_init(&board, rules);
    GravityWide threats = 0;
    for (unsigned i = 0; i < board.cells; i++) {
        unsigned column = i / rules->height, row = i % rules->height, at = column * (rules->height + 1u) + row;
        if (position->mask >> at & 1)
            board_put(&board, cell_at(column, row), position->own >> at & 1 ? SIDE_FIRST : SIDE_SECOND);
    }
    for (unsigned i = 0; i < board.cells; i++) {
        unsigned column = i / rules->height, row = i % rules->height, at = column * (rules->height + 1u) + row;
        if (position->mask >> at & 1)
            continue;
        board_put(&board, cell_at(column, row), side);
        if (board_wins_at(&board, cell_at(column, row), side))
            threats |= (GravityWide)1 << at;
        board_take(&board, cell_at(column, row), side);
    }
    return threats;
}

static void check_engine(const GravityEngine *engine, const char *text, Rng *rng)
{
    Rules rules = rules_of(text);
    void *shape = aligned_alloc(64, (engine->shape_size + 63) / 64 * 64);
    assert_non_null(shape);
    engine->shape_init(shape, &rules);
    for (unsigned long i = 0; i < test_steps() / 600; i++) {
        GravityPosition position;
        GravityWide threats[2];
        fill(rng, &rules, &position);
        engine->threats(shape, &position, threats);
        assert_true(threats[0] == plain_threats(&rules, &position, SIDE_FIRST));
        assert_true(threats[1] == plain_threats(&rules, &position, SIDE_SECOND));
    }
    free(shape);
}

static void threats_equal_the_plain_ones(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    check_engine(&gravity_engine_7x6, "7x6:k=4,gravity", &rng);
    static const char *const small[] = {"7x6:k=4,gravity",  "8x7:k=4,gravity",  "9x6:k=5,gravity", "4x4:k=3,gravity",
                                        "3x9:k=4,gravity",  "12x2:k=3,gravity", "1x9:k=2,gravity", "32x1:k=7,gravity",
                                        "1x63:k=9,gravity", "5x5:k=1,gravity",  "6x5:k=6,gravity"};
    static const char *const large[] = {"9x8:k=4,gravity", "11x10:k=5,gravity", "64x1:k=20,gravity",
                                        "2x63:k=9,gravity"};
    static const char *const fours[] = {"7x6:k=4,gravity", "8x7:k=4,gravity", "4x4:k=4,gravity", "4x15:k=4,gravity",
                                        "12x4:k=4,gravity"};
    for (size_t i = 0; i < sizeof fours / sizeof fours[0]; i++) {
        check_engine(&gravity_engine_64_fours, fours[i], &rng);
        check_engine(&gravity_engine_128_fours, fours[i], &rng);
    }
    check_engine(&gravity_engine_128_fours, "11x10:k=4,gravity", &rng);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        check_engine(&gravity_engine_64, small[i], &rng);
        check_engine(&gravity_engine_128, small[i], &rng);
    }
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        check_engine(&gravity_engine_128, large[i], &rng);
}

// The engine for one board and those for any have the same bounds.
static void bounds_are_the_same_in_words_of_every_size(void **state)
{
    (void)state;
    Rng rng = rng_make(4);
    Rules rules = rules_of("connect4");
    const GravityEngine *const engines[] = {&gravity_engine_7x6, &gravity_engine_64_fours, &gravity_engine_128_fours,
                                            &gravity_engine_64, &gravity_engine_128};
    enum { ENGINES = sizeof engines / sizeof engines[0] };
    void *shapes[ENGINES];
    for (unsigned e = 0; e < ENGINES; e++) {
        shapes[e] = aligned_alloc(64, (engines[e]->shape_size + 63) / 64 * 64);
        assert_non_null(shapes[e]);
        engines[e]->shape_init(shapes[e], &rules);
    }
    unsigned claims = 0;
    for (unsigned long i = 0; i < test_steps(); i++) {
        GravityPosition position;
        fill(&rng, &rules, &position);
        int bound = engines[0]->bound(shapes[0], &position);
        for (unsigned e = 1; e < ENGINES; e++)
            assert_int_equal(engines[e]->bound(shapes[e], &position), bound);
        claims += bound <= 0;
    }
    assert_true(claims > 0);
    for (unsigned e = 0; e < ENGINES; e++)
        free(shapes[e]);
}

TEST_GROUP(gravity_bounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_score_is_above_its_bound),
        cmocka_unit_test(threats_equal_the_plain_ones),
        cmocka_unit_test(bounds_are_the_same_in_words_of_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
