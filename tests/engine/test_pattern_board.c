// Tests of the incremental pattern board: everything is compared with a full recomputation after play and undo.
#include "support/check.h"
#include "support/pattern_board_bench.h"

#include <stdlib.h>
#include <string.h>

// --- Stones and passes, forth and back ---

enum { STEPS_MAX = 400 };

// What must be the same again after undo: all of a pattern board but what is beyond its use in the log.
typedef struct {
    PatternState state;
    uint64_t plane[BOARD_LINES_MAX][2], pairs[BOARD_LINES_MAX][PATTERN_BOARD_PAIR_WORDS];
    uint32_t words[PATTERN_BOARD_MARGIN + RULES_CELLS_MAX + PATTERN_BOARD_MARGIN];
} Snapshot;

typedef struct {
    PatternBoardBench bench;
    Board board[STEPS_MAX + 1];
    Snapshot before[STEPS_MAX + 1];
    bool is_pass[STEPS_MAX + 1];
    unsigned depth;
} Walk;

static void take_snapshot(Snapshot *snapshot, const PatternBoard *patterns)
{
    memset(snapshot, 0, sizeof *snapshot);
    memcpy(&snapshot->state, &patterns->state, sizeof snapshot->state);
    memcpy(snapshot->plane, patterns->plane, sizeof snapshot->plane);
    memcpy(snapshot->pairs, patterns->pairs, sizeof snapshot->pairs);
    memcpy(snapshot->words, patterns->words, sizeof snapshot->words);
}

static void check_same(const Snapshot *snapshot, const PatternBoard *patterns)
{
    assert_memory_equal(&snapshot->state, &patterns->state, sizeof snapshot->state);
    assert_memory_equal(snapshot->plane, patterns->plane, sizeof snapshot->plane);
    assert_memory_equal(snapshot->pairs, patterns->pairs, sizeof snapshot->pairs);
    assert_memory_equal(snapshot->words, patterns->words, sizeof snapshot->words);
}

static void check_walk(const Walk *walk)
{
    const PatternBoard *patterns = &walk->bench.patterns;
    const Board *board = &walk->board[walk->depth];
    if (!pattern_board_is_right(patterns)) {
        print_board(board);
        fail();
    }
    assert_int_equal(pattern_board_key(patterns), board_key(board));
    assert_int_equal(patterns->state.won != 0, board_winner(board) != WINNER_NONE);
    assert_int_equal(patterns->state.count, board_count(board));
    assert_int_equal(pattern_board_side(patterns), board_side(board));
    assert_int_equal(pattern_board_is_full(patterns), board_count(board) == board->cells);
}

// What can be asked cell by cell, and that margins stay as they are; more to do, so not after every step.
static void check_cells(const Walk *walk)
{
    const PatternBoard *patterns = &walk->bench.patterns;
    const Board *board = &walk->board[walk->depth];
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_winner(board) == WINNER_NONE ? board_legal_cells(board, legal) : 0, found = 0;
    for (unsigned row = 0; row < board->rules.height; row++) {
        found += bits_count(pattern_board_legal_row(patterns, row));
        for (unsigned column = 0; column < board->rules.width; column++)
            assert_int_equal(pattern_board_is_empty(patterns, cell_at(column, row)),
                             board_stone(board, cell_at(column, row)) == STONE_NONE);
    }
    if (board_winner(board) == WINNER_NONE)
        assert_int_equal(found, count);
    for (unsigned i = 0; i < PATTERN_BOARD_MARGIN; i++)
        assert_true(patterns->words[i] == 0 && patterns->words[PATTERN_BOARD_MARGIN + RULES_CELLS_MAX + i] == 0);
}

static void walk_on(Walk *walk, Cell cell)
{
    Board *next = &walk->board[walk->depth + 1];
    take_snapshot(&walk->before[walk->depth], &walk->bench.patterns);
    *next = walk->board[walk->depth];
    walk->is_pass[walk->depth++] = cell == CELL_NONE;
    if (cell == CELL_NONE) {
        give_turn(next, side_other(board_side(next)), next->rules.p);
        pattern_board_pass(&walk->bench.patterns);
    } else {
        board_play(next, cell);
        pattern_board_play(&walk->bench.patterns, cell);
    }
}

static void walk_back(Walk *walk)
{
    walk->depth--;
    if (walk->is_pass[walk->depth])
        pattern_board_unpass(&walk->bench.patterns);
    else
        pattern_board_undo(&walk->bench.patterns);
    check_same(&walk->before[walk->depth], &walk->bench.patterns);
}

// Stones are drawn from a small part of the board half of the time, so that rows come about on large boards too.
static void walk_step(Walk *walk, Rng *rng)
{
    Cell cells[RULES_CELLS_MAX];
    const Board *board = &walk->board[walk->depth];
    bool is_over = board_is_over(board) || walk->depth == STEPS_MAX;
    unsigned count = is_over ? 0 : board_legal_cells(board, cells);
    if (walk->depth > 0 && (is_over || rng_below(rng, 5) == 0)) {
        unsigned back = rng_below(rng, 8) == 0 ? walk->depth : 1 + rng_below(rng, 3);
        for (; back > 0 && walk->depth > 0; back--)
            walk_back(walk);
    } else if (!is_over) {
        unsigned among = rng_below(rng, 2) == 0 && count > 12 ? 12 : count;
        walk_on(walk, rng_below(rng, 10) == 0 ? CELL_NONE : cells[rng_below(rng, among)]);
    }
}

// Begins on a board with stones, in the middle of a turn if it so happens.
static void walk_randomly(const char *text, unsigned long steps, Rng *rng)
{
    Walk *walk = calloc(1, sizeof *walk);
    assert_non_null(walk);
    Rules rules = rules_of(text);
    pattern_board_bench_open(&walk->bench, &rules);
    if (!scatter_stones(&walk->board[0], &rules, rng_below(rng, rules_cells(&rules) / 3 + 1), rng))
        board_init(&walk->board[0], &rules);
    pattern_board_set(&walk->bench.patterns, &walk->board[0]);
    for (unsigned long i = 0; i < steps; i++) {
        walk_step(walk, rng);
        check_walk(walk);
        if (i % 16 == 0)
            check_cells(walk);
    }
    pattern_board_bench_close(&walk->bench);
    free(walk);
}

static const char *const all_rules[] = {
    "15x15:k=5",
    "15x15:k=5,exact",
    "19x19:k=6,p=2,q=1",
    "19x19:k=7,p=3,q=1",
    "7x6:k=4,gravity",
    "9x9:k=4,p=2,q=1,gravity",
    "7x7:k=4,exact",
    "6x5:k=3,p=2,q=2",
    "4x4:k=2,exact",
    "5x5:k=2",
    "3x3:k=1",
    "64x1:k=6",
    "1x64:k=5,gravity",
    "60x5:k=5", // as wide as stones do the same work everywhere, and wider
    "61x5:k=5",
    "64x5:k=4,p=2,q=1",
    "57x4:k=8,p=4,q=2",
    "58x4:k=8",
    "20x20:k=8,exact,p=2,q=1",
    "16x16:k=10",
    "14x14:k=12,p=2,q=1",
    "20x6:k=12,exact",
    "12x12:k=9,p=8,q=3",
    "5x4:k=3,p=20,q=7",
};

static void test_random_steps(void **state)
{
    (void)state;
    enum { COUNT = sizeof all_rules / sizeof all_rules[0] };
    Rng rng = rng_make(2);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned game = 0; game < 3; game++)
            walk_randomly(all_rules[i], test_steps() / (10ul * COUNT) + 20, &rng);
}

static void test_the_largest_board(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    walk_randomly("64x64:k=5,p=2,q=1", test_steps() / 1000 + 20, &rng);
    walk_randomly("64x64:k=9", test_steps() / 2000 + 10, &rng);
    walk_randomly("64x64:k=40,exact", test_steps() / 2000 + 10, &rng);
}

// The first stone makes a threat possible on every cell in its reach, which one stone stops unless they are neighbours:
// more of one kind than packed counters hold.
static void test_a_stone_that_changes_much(void **state)
{
    (void)state;
    Rules rules = rules_of("40x40:k=10,p=8,q=1");
    PatternBoardBench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    pattern_board_bench_open(bench, &rules);
    Board board;
    board_init(&board, &rules);
    pattern_board_set(&bench->patterns, &board);
    pattern_board_play(&bench->patterns, cell_at(20, 20));
    assert_int_equal(pattern_board_count(&bench->patterns, SIDE_FIRST, CELL_FOUR), 4 * 2);
    assert_int_equal(pattern_board_count(&bench->patterns, SIDE_FIRST, CELL_THREE), 4 * 2 * 8);
    assert_true(pattern_board_is_right(&bench->patterns));
    pattern_board_bench_close(bench);
    free(bench);
}

TEST_GROUP(pattern_board)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_steps),
        cmocka_unit_test(test_the_largest_board),
        cmocka_unit_test(test_a_stone_that_changes_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
