// Tests of the pattern index against a simple version: every symmetric image of every pattern at every place.
#include "papers/patterns/pattern_index.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static void add_text(PatternIndex *index, const char *text, unsigned tier)
{
    Error error = {0};
    Pattern pattern;
    assert_done(pattern_parse(span_of(text), tier, &pattern, &error), error);
    pattern_index_add(index, &pattern);
}

// --- The plain version ---

// Whether a picture lies with its corner there when a stone of `side` stands on `cell`, which is one of its own cells.
static bool lies_at(const Board *board, Cell cell, Side side, const Pattern *picture, unsigned column, unsigned row)
{
    bool has_cell = false;
    for (unsigned i = 0; i < picture->count; i++) {
        unsigned x = column + picture->cell[i].column, y = row + picture->cell[i].row;
        if (x >= board->rules.width || y >= board->rules.height)
            return false;
        Stone stone = cell_at(x, y) == cell ? (Stone)side : board_stone(board, cell_at(x, y));
        if (stone != (picture->cell[i].own ? (Stone)side : STONE_NONE))
            return false;
        has_cell |= cell_at(x, y) == cell;
    }
    return has_cell;
}

static unsigned count_plain(const PatternIndex *index, const Board *board, Cell cell, Side side)
{
    unsigned found = 0;
    for (unsigned number = 0; number < pattern_index_count(index); number++) {
        Pattern versions[PATTERN_VERSIONS_MAX];
        unsigned count = pattern_versions(pattern_index_get(index, number), versions);
        for (unsigned i = 0; i < count; i++)
            for (unsigned row = 0; row < board->rules.height; row++)
                for (unsigned column = 0; column < board->rules.width; column++)
                    found += lies_at(board, cell, side, &versions[i], column, row);
    }
    return found;
}

// --- What the index finds ---

enum { FOUND_MAX = 4096 };

typedef struct {
    unsigned count, most;
    PatternMatch match[FOUND_MAX];
} Found;

static bool keep(void *context, const PatternMatch *match)
{
    Found *found = context;
    assert_true(found->count < FOUND_MAX);
    found->match[found->count++] = *match;
    return found->count != found->most;
}

static bool same_match(const PatternMatch *a, const PatternMatch *b)
{
    return a->number == b->number && a->picture == b->picture && a->column == b->column && a->row == b->row;
}

// Each result is correct and occurs once.
static void check_found(const PatternIndex *index, const Board *board, Cell cell, Side side, const Found *found)
{
    for (unsigned i = 0; i < found->count; i++) {
        const PatternMatch *match = &found->match[i];
        const Pattern *pattern = pattern_index_get(index, match->number);
        Pattern a, b;
        assert_true(lies_at(board, cell, side, match->picture, match->column, match->row));
        pattern_canonical(pattern, &a);
        pattern_canonical(match->picture, &b);
        assert_true(pattern_equal(&a, &b));
        assert_int_equal(match->tier, pattern->tier);
        assert_int_equal(match->size, pattern->count);
        for (unsigned j = 0; j < i; j++)
            assert_false(same_match(match, &found->match[j]));
    }
}

static void check_best(const PatternIndex *index, const Board *board, Cell cell, Side side, const Found *found)
{
    PatternMatch best;
    assert_int_equal(pattern_index_best(index, board, cell, side, &best), found->count > 0);
    for (unsigned i = 0; i < found->count; i++) {
        const PatternMatch *match = &found->match[i];
        bool tier = best.tier < match->tier, same_tier = best.tier == match->tier;
        bool size = best.size < match->size, same_size = best.size == match->size;
        assert_true(tier || (same_tier && (size || (same_size && best.number <= match->number))));
    }
}

static unsigned compare(const PatternIndex *index, const Board *board, Cell cell, Side side)
{
    static Found found;
    found.count = found.most = 0;
    pattern_index_each(index, board, cell, side, keep, &found);
    unsigned expected = count_plain(index, board, cell, side);
    if (found.count != expected) {
        print_board(board);
        print_error("column %u, row %u, side %u: %u found, %u by the plain version\n", cell_column(cell),
                    cell_row(cell), (unsigned)side, found.count, expected);
        fail();
    }
    check_found(index, board, cell, side, &found);
    check_best(index, board, cell, side, &found);
    return found.count;
}

// --- Random patterns on random boards ---

static void scatter(Board *board, Rng *rng, unsigned stones)
{
    for (unsigned i = 0; i < stones; i++) {
        Cell cell = cell_at(rng_below(rng, board->rules.width), rng_below(rng, board->rules.height));
        if (board_stone(board, cell) == STONE_NONE)
            board_put(board, cell, i % 3 == 0 ? SIDE_SECOND : SIDE_FIRST);
    }
}

// Cells near one another that this side could have a pattern of; some large ones reach over all of the board.
static PatternCells random_cells(const Board *board, Side side, Rng *rng)
{
    PatternCells cells = {{0}};
    unsigned wide = rng_below(rng, 4) == 0 ? 24 : 5, count = rng_below(rng, wide == 24 ? 64 : 14) + 1;
    unsigned column = rng_below(rng, board->rules.width), row = rng_below(rng, board->rules.height);
    for (unsigned i = 0; i < count; i++) {
        unsigned x = column + rng_below(rng, wide), y = row + rng_below(rng, wide);
        bool inside = x < board->rules.width && y < board->rules.height;
        if (inside && board_stone(board, cell_at(x, y)) != (Stone)side_other(side))
            cells.rows[y] |= UINT64_C(1) << x;
    }
    return cells;
}

// Patterns that the board has somewhere, turned; now and then one mark is changed.
static void add_random(PatternIndex *index, const Board *board, Rng *rng)
{
    Side side = rng_below(rng, 2) ? SIDE_FIRST : SIDE_SECOND;
    PatternCells cells = random_cells(board, side, rng);
    Pattern pattern, turned;
    if (!pattern_of_cells(board, side, &cells, rng_below(rng, 4), &pattern))
        return;
    if (rng_below(rng, 4) == 0 && !pattern.cell[0].own) {
        pattern.cell[0].own = true;
        pattern.own++;
    }
    pattern_turn(&pattern, rng_below(rng, SYMMETRY_MAX), &turned);
    pattern_index_add(index, &turned);
}

// For both sides on a few cells, empty ones included.
static unsigned compare_some(const PatternIndex *index, const Board *board, Rng *rng)
{
    unsigned found = 0;
    for (unsigned i = 0; i < 12; i++) {
        Cell cell = cell_at(rng_below(rng, board->rules.width), rng_below(rng, board->rules.height));
        Stone stone = board_stone(board, cell);
        if (stone != STONE_SECOND)
            found += compare(index, board, cell, SIDE_FIRST);
        if (stone != STONE_FIRST)
            found += compare(index, board, cell, SIDE_SECOND);
    }
    return found;
}

static void test_random(void **state)
{
    (void)state;
    static const char *const games[] = {"7x7:k=4",  "15x15:k=5", "19x5:k=5", "1x9:k=3",
                                        "30x2:k=6", "26x26:k=5", "2x40:k=7"};
    Rng rng = rng_make(7);
    PatternIndex *index = pattern_index_open();
    unsigned long rounds = test_steps() / 10000 + 1, found = 0;
    for (unsigned long i = 0; i < rounds * sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i % (sizeof games / sizeof games[0])]);
        Board board;
        board_init(&board, &rules);
        scatter(&board, &rng, board.cells * (1 + rng_below(&rng, 3)) / 3);
        pattern_index_close(index);
        index = pattern_index_open();
        assert_int_equal(compare_some(index, &board, &rng), 0);
        for (unsigned j = 0; j < 30; j++)
            add_random(index, &board, &rng);
        found += compare_some(index, &board, &rng);
    }
    assert_true(found > rounds * 20);
    pattern_index_close(index);
}

// The widest board, whose rows fill their machine words.
static void test_wide_board(void **state)
{
    (void)state;
    Rules rules = rules_of("64x64:k=5");
    Board board;
    Rng rng = rng_make(8);
    PatternIndex *index = pattern_index_open();
    board_init(&board, &rules);
    scatter(&board, &rng, 3000);
    for (unsigned j = 0; j < 10; j++)
        add_random(index, &board, &rng);
    add_text(index, "x----------------------x/......-/-----------------------x", 1);
    unsigned found = 0;
    for (unsigned i = 0; i < 20; i++) {
        unsigned at = i < 10 ? i : 44 + i;
        Cell cell = i % 2 ? cell_at(at, rng_below(&rng, 64)) : cell_at(rng_below(&rng, 64), at);
        Stone stone = board_stone(&board, cell);
        found += compare(index, &board, cell, stone == STONE_SECOND ? SIDE_SECOND : SIDE_FIRST);
    }
    assert_true(found > 0);
    pattern_index_close(index);
}

// --- Parts ---

static bool has_part_plain(const PatternIndex *index, const Pattern *pattern)
{
    for (unsigned number = 0; number < pattern_index_count(index); number++) {
        Pattern versions[PATTERN_VERSIONS_MAX];
        unsigned count = pattern_versions(pattern_index_get(index, number), versions);
        for (unsigned i = 0; i < count; i++)
            if (pattern_is_part(&versions[i], pattern))
                return true;
    }
    return false;
}

static void test_parts(void **state)
{
    (void)state;
    Rules rules = rules_of("15x15:k=5");
    Rng rng = rng_make(9);
    PatternIndex *index = pattern_index_open();
    unsigned with = 0, without = 0;
    for (unsigned long i = 0; i < test_steps() / 30; i++) {
        Board board;
        board_init(&board, &rules);
        scatter(&board, &rng, 150);
        if (i % 50 == 0) {
            pattern_index_close(index);
            index = pattern_index_open();
        }
        if (i % 3 == 0)
            add_random(index, &board, &rng);
        PatternCells cells = random_cells(&board, SIDE_FIRST, &rng);
        Pattern pattern;
        if (!pattern_of_cells(&board, SIDE_FIRST, &cells, 1, &pattern))
            continue;
        bool expected = has_part_plain(index, &pattern);
        assert_int_equal(pattern_index_has_part(index, &pattern), expected);
        with += expected;
        without += !expected;
    }
    assert_true(with > without / 20 && without > with / 20);
    // Each is part of itself, turned or not.
    for (unsigned i = 0; i < pattern_index_count(index); i++)
        for (Symmetry symmetry = 0; symmetry < SYMMETRY_MAX; symmetry++) {
            Pattern turned;
            pattern_turn(pattern_index_get(index, i), symmetry, &turned);
            assert_true(pattern_index_has_part(index, &turned));
        }
    pattern_index_close(index);
}

// --- The rest ---

static const char drawing[] = ".......\n"
                              ".XXX...\n"
                              "...O...\n"
                              ".......\n"
                              ".......\nturn X 1\n";

static void test_best(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "7x5:k=4", drawing);
    PatternIndex *index = pattern_index_open();
    PatternMatch match;
    Cell cell = cell_at(2, 3);
    assert_false(pattern_index_best(index, &game.board, cell, SIDE_FIRST, &match));
    add_text(index, "..xxx/.....", 1); // the empty cells are not all there
    add_text(index, "xxx/..-", 2);
    add_text(index, ".xxx..", 1);
    add_text(index, ".xxx.", 1);
    add_text(index, "-xxx./.----", 1); // the same size, but later
    assert_true(pattern_index_best(index, &game.board, cell, SIDE_FIRST, &match));
    assert_int_equal(match.number, 3);
    assert_int_equal(match.tier, 1);
    assert_int_equal(match.size, 5);
    PatternCells cells = {{0}};
    cells.rows[0] = 1;
    pattern_match_cells(&match, &cells);
    assert_int_equal(cells.rows[3], 0x1f);
    assert_int_equal(cells.rows[0], 1);
    // As if a stone were there.
    assert_false(pattern_index_best(index, &game.board, cell_at(5, 1), SIDE_FIRST, &match));
    add_text(index, "xxxx", 0);
    assert_true(pattern_index_best(index, &game.board, cell_at(4, 3), SIDE_FIRST, &match));
    assert_int_equal(match.tier, 0);
    assert_int_equal(match.number, 5);
    pattern_index_close(index);
}

static void test_ended_walk(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "7x5:k=4", drawing);
    PatternIndex *index = pattern_index_open();
    add_text(index, "xx", 1);
    add_text(index, "xx.", 1);
    add_text(index, "x", 1);
    static Found found;
    Cell cell = cell_at(2, 3);
    found.count = found.most = 0;
    pattern_index_each(index, &game.board, cell, SIDE_FIRST, keep, &found);
    unsigned all = found.count;
    assert_int_equal(all, 2 + 2 + 1);
    for (unsigned most = 1; most < all; most++) {
        found.count = 0;
        found.most = most;
        pattern_index_each(index, &game.board, cell, SIDE_FIRST, keep, &found);
        assert_int_equal(found.count, most);
    }
    pattern_index_close(index);
}

static void test_open_and_close(void **state)
{
    (void)state;
    PatternIndex *index = pattern_index_open();
    assert_int_equal(pattern_index_count(index), 0);
    add_text(index, "xx.", 2);
    assert_int_equal(pattern_index_count(index), 1);
    assert_int_equal(pattern_index_get(index, 0)->tier, 2);
    pattern_index_close(index);
    pattern_index_close(NULL);
}

TEST_GROUP(pattern_index)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_wide_board), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_best),   cmocka_unit_test(test_ended_walk), cmocka_unit_test(test_open_and_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
