// Tests of patterns: text, symmetric images, inclusion; compared with simple definitions on random patterns.
#include "support/check.h"
#include "threats/pattern.h"

#include <stdlib.h>
#include <string.h>

static Pattern pattern_of(const char *text)
{
    Error error = {0};
    Pattern pattern;
    assert_done(pattern_parse(span_of(text), 2, &pattern, &error), error);
    assert_true(pattern_is_good(&pattern));
    return pattern;
}

static void assert_text(const Pattern *pattern, const char *expected)
{
    char text[PATTERN_TEXT_SIZE];
    pattern_format(pattern, text);
    assert_string_equal(text, expected);
}

// --- A pattern as a grid of characters with an empty rim ---

enum { SIDE = PATTERN_SIDE_MAX };

typedef struct {
    char at[SIDE][SIDE]; // row from the bottom, column
} Grid;

static Grid grid_of(const Pattern *pattern)
{
    Grid grid;
    memset(&grid, '-', sizeof grid);
    for (unsigned i = 0; i < pattern->count; i++)
        grid.at[pattern->cell[i].row][pattern->cell[i].column] = pattern->cell[i].own ? 'x' : '.';
    return grid;
}

// The text of a grid including its empty rim.
static void grid_text(const Grid *grid, char text[PATTERN_TEXT_SIZE])
{
    char *to = text;
    for (int row = SIDE - 1; row >= 0; row--) {
        memcpy(to, grid->at[row], SIDE);
        to += SIDE;
        *to++ = row > 0 ? '/' : '\0';
    }
}

static Pattern pattern_of_grid(const Grid *grid)
{
    char text[PATTERN_TEXT_SIZE];
    grid_text(grid, text);
    return pattern_of(text);
}

// Up to this many cells in a box of random size, at least one of them own.
static Pattern random_pattern(Rng *rng, unsigned cells, unsigned side)
{
    Grid grid;
    memset(&grid, '-', sizeof grid);
    unsigned width = rng_below(rng, side) + 1, height = rng_below(rng, side) + 1;
    for (unsigned i = rng_below(rng, cells) + 1; i > 0; i--)
        grid.at[rng_below(rng, height)][rng_below(rng, width)] = i == 1 || rng_below(rng, 2) ? 'x' : '.';
    return pattern_of_grid(&grid);
}

// --- Text ---

static void test_text(void **state)
{
    (void)state;
    Pattern four = pattern_of(".xxxx.");
    assert_int_equal(four.count, 6);
    assert_int_equal(four.own, 4);
    assert_int_equal(four.width, 6);
    assert_int_equal(four.height, 1);
    assert_int_equal(four.tier, 2);
    assert_text(&four, ".xxxx.");
    // The rim is removed, rows may be short, and the first row is the top row.
    Pattern corner = pattern_of("-----/-x/-.x--/-/");
    assert_text(&corner, "x-/.x");
    assert_int_equal(corner.cell[0].row, 0);
    assert_false(corner.cell[0].own);
    assert_int_equal(corner.cell[2].row, 1);
    assert_int_equal(corner.cell[2].column, 0);
}

static void test_random_texts(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    for (unsigned long i = 0; i < test_steps() / 20; i++) {
        Pattern pattern = random_pattern(&rng, PATTERN_CELLS_MAX, SIDE), again;
        char text[PATTERN_TEXT_SIZE];
        pattern_format(&pattern, text);
        again = pattern_of(text);
        assert_memory_equal(&pattern, &again, sizeof pattern);
    }
}

static void refuse(const char *text, unsigned tier, const char *words)
{
    Error error = {0};
    Pattern pattern;
    assert_refused(pattern_parse(span_of(text), tier, &pattern, &error), error, words);
}

static void test_bad_texts(void **state)
{
    (void)state;
    refuse("", 1, "no own cell");
    refuse("..-./.", 1, "no own cell");
    refuse("xx.o.", 1, "at character 4 of the pattern 'xx.o.'");
    refuse("xx.\nx", 1, "at character 4");
    refuse("xx/X", 1, "expected x, ., - or / at character 4");
    refuse("x", PATTERN_TIER_MAX + 1, "the tier must be at most 20, not 21");
    refuse("------------------------x", 1, "too many columns (at most 24) at character 25");
}

static void test_limits(void **state)
{
    (void)state;
    char text[256] = "x";
    Pattern pattern;
    Error error = {0};
    // 24 rows are allowed, 25 are not.
    memset(text + 1, '/', 23);
    text[24] = '.';
    pattern = pattern_of(text);
    assert_int_equal(pattern.height, 24);
    memset(text + 1, '/', 24);
    text[25] = '.';
    refuse(text, 1, "too many rows (at most 24) at character 25");
    // 64 cells are allowed, 65 are not.
    memset(text, 0, sizeof text);
    for (unsigned i = 0; i < 8 * 9; i++)
        text[i] = i % 9 == 8 ? '/' : i % 2 ? 'x' : '.';
    pattern = pattern_of(text);
    assert_int_equal(pattern.count, PATTERN_CELLS_MAX);
    text[72] = 'x';
    assert_refused(pattern_parse(span_of(text), 1, &pattern, &error), error, "too many cells (at most 64)");
    assert_refused(pattern_parse(span_of(text), 1, &pattern, &error), error, "at character 73");
}

static void test_good(void **state)
{
    (void)state;
    Pattern good = pattern_of("-x./xx-"), bad;
    bad = good, bad.tier = PATTERN_TIER_MAX + 1;
    assert_false(pattern_is_good(&bad));
    bad = good, bad.own = 2;
    assert_false(pattern_is_good(&bad));
    bad = good, bad.count = 0;
    assert_false(pattern_is_good(&bad));
    bad = good, bad.width = 4;
    assert_false(pattern_is_good(&bad));
    bad = good, bad.height = 1;
    assert_false(pattern_is_good(&bad));
    bad = good, bad.cell[0] = good.cell[1], bad.cell[1] = good.cell[0];
    assert_false(pattern_is_good(&bad));
    bad = good, bad.cell[1] = bad.cell[0];
    assert_false(pattern_is_good(&bad));
    bad = good, bad.count = PATTERN_CELLS_MAX + 1;
    assert_false(pattern_is_good(&bad));
    // Not at the corner.
    bad = pattern_of("x");
    bad.cell[0].column = 1, bad.width = 2;
    assert_false(pattern_is_good(&bad));
    bad = pattern_of("x");
    bad.cell[0].row = 1, bad.height = 2;
    assert_false(pattern_is_good(&bad));
}

static void test_suits(void **state)
{
    (void)state;
    Rules gomoku = rules_of("gomoku"), connect4 = rules_of("connect4"), connect6 = rules_of("connect6");
    Rules exact = rules_of("15x15:k=5,exact");
    assert_true(pattern_suits(&gomoku));
    assert_false(pattern_suits(&connect4));
    assert_false(pattern_suits(&connect6));
    assert_true(pattern_suits(&exact));
}

// --- Symmetric images ---

// A symmetry of a grid, cell by cell.
static Grid turn_grid(const Pattern *pattern, Symmetry symmetry)
{
    Grid from = grid_of(pattern), to;
    memset(&to, '-', sizeof to);
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            int x = symmetry & SYMMETRY_TRANSPOSE ? row : column, y = symmetry & SYMMETRY_TRANSPOSE ? column : row;
            x = symmetry & SYMMETRY_MIRROR ? SIDE - 1 - x : x;
            y = symmetry & SYMMETRY_FLIP ? SIDE - 1 - y : y;
            to.at[y][x] = from.at[row][column];
        }
    return to;
}

static void test_turns(void **state)
{
    (void)state;
    Rng rng = rng_make(2);
    for (unsigned long i = 0; i < test_steps() / 100; i++) {
        Pattern pattern = random_pattern(&rng, 20, 1 + (unsigned)i % SIDE);
        for (Symmetry symmetry = 0; symmetry < SYMMETRY_MAX; symmetry++) {
            Pattern turned, back;
            Grid grid = turn_grid(&pattern, symmetry);
            Pattern plain = pattern_of_grid(&grid);
            pattern_turn(&pattern, symmetry, &turned);
            assert_true(pattern_is_good(&turned));
            assert_memory_equal(&turned, &plain, sizeof turned);
            pattern_turn(&turned, symmetry_inverse(symmetry), &back);
            assert_true(pattern_equal(&pattern, &back));
        }
    }
}

static void test_versions(void **state)
{
    (void)state;
    Pattern versions[PATTERN_VERSIONS_MAX];
    static const struct {
        const char *text;
        unsigned count;
    } known[] = {
        {"x", 1},     {".xxxx.", 2}, {"xxx.", 4},        {"x--/-x-/--x", 2}, {"x./.x", 2},
        {"xx/x.", 4}, {"x./..", 4},  {".x./xxx/.x.", 1}, {"x--/x--/xx.", 8}, {"-x-/x--/-.x", 8},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Pattern pattern = pattern_of(known[i].text);
        assert_int_equal(pattern_versions(&pattern, versions), known[i].count);
        assert_true(pattern_equal(&pattern, &versions[0]));
        for (unsigned a = 0; a < known[i].count; a++)
            for (unsigned b = 0; b < a; b++)
                assert_false(pattern_equal(&versions[a], &versions[b]));
    }
}

// All images have the same canonical image, which is the smallest of them.
static void test_canonical(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    for (unsigned long i = 0; i < test_steps() / 200; i++) {
        Pattern pattern = random_pattern(&rng, 12, 5), canonical;
        char first[PATTERN_TEXT_SIZE], text[PATTERN_TEXT_SIZE];
        bool is_among = false;
        pattern_canonical(&pattern, &canonical);
        pattern_format(&canonical, first);
        for (Symmetry symmetry = 0; symmetry < SYMMETRY_MAX; symmetry++) {
            Pattern turned, again;
            pattern_turn(&pattern, symmetry, &turned);
            pattern_format(&turned, text);
            assert_true(canonical.height < turned.height ||
                        (canonical.height == turned.height && strcmp(first, text) <= 0));
            is_among |= strcmp(first, text) == 0;
            pattern_canonical(&turned, &again);
            assert_memory_equal(&canonical, &again, sizeof again);
        }
        assert_true(is_among);
    }
}

static void test_lacking(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned k, lacking;
    } cases[] = {{"xxxxx", 5, 0},       {".xxxx.", 5, 1},      {"xx.x.xx", 5, 2}, {"xx-xx", 5, PATTERN_TIER_MAX + 1},
                 {"x--/-.-/--x", 3, 1}, {"--x/-.-/.--", 3, 2}, {"x/./x", 3, 1},   {"x", 1, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Pattern pattern;
        Error error = {0};
        assert_done(pattern_parse(span_of(cases[i].text), 0, &pattern, &error), error);
        Rules rules = {.width = 20, .height = 20, .k = (uint8_t)cases[i].k, .p = 1, .q = 1};
        assert_int_equal(pattern_lacking(&pattern, &rules), cases[i].lacking);
    }
    // Under `exact` both cells beside the row must be empty cells of the pattern.
    static const struct {
        const char *text;
        unsigned lacking;
    } exact[] = {{".xxxxx.", 0}, {"xxxxx.", PATTERN_TIER_MAX + 1}, {"..xxxx..", 1}, {"..xxxx.x", 1}};
    Rules rules = rules_of("15x15:k=5,exact");
    for (unsigned i = 0; i < 4; i++) {
        Pattern pattern;
        Error error = {0};
        assert_done(pattern_parse(span_of(exact[i].text), 0, &pattern, &error), error);
        assert_int_equal(pattern_lacking(&pattern, &rules), exact[i].lacking);
    }
}

// --- Parts ---

static bool plain_is_part(const Pattern *part, const Pattern *whole)
{
    Grid small = grid_of(part), large = grid_of(whole);
    for (int up = -SIDE; up <= SIDE; up++)
        for (int right = -SIDE; right <= SIDE; right++) {
            bool fits = true;
            for (int row = 0; row < SIDE && fits; row++)
                for (int column = 0; column < SIDE && fits; column++) {
                    int y = row + up, x = column + right;
                    bool inside = y >= 0 && y < SIDE && x >= 0 && x < SIDE;
                    fits = small.at[row][column] == '-' || (inside && large.at[y][x] == small.at[row][column]);
                }
            if (fits)
                return true;
        }
    return false;
}

// Some cells of a pattern, one of them own, occasionally with one mark changed.
static Pattern random_part(const Pattern *whole, Rng *rng)
{
    Grid grid;
    memset(&grid, '-', sizeof grid);
    unsigned kept = rng_below(rng, whole->count);
    bool has_own = false;
    for (unsigned i = 0; i < whole->count; i++)
        if (i == kept || rng_below(rng, 2)) {
            const PatternCell *at = &whole->cell[i];
            grid.at[at->row][at->column] = at->own ? 'x' : '.';
            has_own |= at->own;
        }
    const PatternCell *at = &whole->cell[kept];
    if (!has_own || rng_below(rng, 4) == 0)
        grid.at[at->row][at->column] = 'x';
    return pattern_of_grid(&grid);
}

static void test_parts(void **state)
{
    (void)state;
    Rng rng = rng_make(4);
    unsigned parts = 0, others = 0;
    for (unsigned long i = 0; i < test_steps() / 200; i++) {
        Pattern whole = random_pattern(&rng, 30, 2 + (unsigned)i % 8), part = random_part(&whole, &rng);
        if (rng_below(&rng, 4) == 0)
            part = random_pattern(&rng, 6, 4);
        bool expected = plain_is_part(&part, &whole);
        assert_int_equal(pattern_is_part(&part, &whole), expected);
        assert_true(pattern_is_part(&whole, &whole));
        parts += expected;
        others += !expected;
    }
    assert_true(parts > others / 10 && others > parts / 10);
}

// --- Cells of a board ---

static void test_of_cells(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "6x5:k=4", "......\n.X.O..\n.XX...\n.O.X..\n......\nturn X 1\n");
    PatternCells cells = {{0}};
    Pattern pattern;
    cells.rows[3] = 0x7;
    cells.rows[2] = 0x6;
    cells.rows[1] = 0x8;
    assert_true(pattern_of_cells(&game.board, SIDE_FIRST, &cells, 3, &pattern));
    assert_text(&pattern, ".x.-/-xx-/---x");
    assert_int_equal(pattern.tier, 3);
    assert_true(pattern_is_good(&pattern));
    // The other side, and the tier.
    cells = (PatternCells){{0}};
    cells.rows[3] = 0x18;
    assert_true(pattern_of_cells(&game.board, SIDE_SECOND, &cells, 0, &pattern));
    assert_text(&pattern, "x.");
    assert_false(pattern_of_cells(&game.board, SIDE_SECOND, &cells, PATTERN_TIER_MAX + 1, &pattern));
    assert_false(pattern_of_cells(&game.board, SIDE_SECOND, &cells, 256, &pattern));
    // Without own cells, and without any cells.
    cells.rows[3] = 0x10;
    assert_false(pattern_of_cells(&game.board, SIDE_SECOND, &cells, 1, &pattern));
    cells.rows[3] = 0;
    assert_false(pattern_of_cells(&game.board, SIDE_SECOND, &cells, 1, &pattern));
}

static void test_of_too_many_cells(void **state)
{
    (void)state;
    Game game;
    Pattern pattern;
    PatternCells cells = {{0}};
    begin_game(&game, "30x9:k=5");
    play_text(&game, "a1");
    for (unsigned row = 0; row < 8; row++)
        cells.rows[row] = 0xff;
    assert_true(pattern_of_cells(&game.board, SIDE_FIRST, &cells, 1, &pattern));
    cells.rows[8] = 1;
    assert_false(pattern_of_cells(&game.board, SIDE_FIRST, &cells, 1, &pattern));
    cells = (PatternCells){{1 | UINT64_C(1) << 23}};
    assert_true(pattern_of_cells(&game.board, SIDE_FIRST, &cells, 1, &pattern));
    assert_int_equal(pattern.width, PATTERN_SIDE_MAX);
    cells = (PatternCells){{1 | UINT64_C(1) << 24}};
    assert_false(pattern_of_cells(&game.board, SIDE_FIRST, &cells, 1, &pattern));
}

TEST_GROUP(pattern)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_suits),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_lacking),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_of_cells),
        cmocka_unit_test(test_of_too_many_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
