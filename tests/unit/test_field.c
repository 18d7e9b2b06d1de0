// The field followed stone by stone: everything against plain recomputation, forth and back.
#include "support/check.h"
#include "support/field_bench.h"

#include <stdlib.h>
#include <string.h>

// --- Stones and passes, forth and back ---

enum { STEPS_MAX = 400 };

// What must be the same again after undo: all of a field but what is beyond its use in the log.
typedef struct {
    FieldState state;
    uint64_t plane[BOARD_LINES_MAX][2], pairs[BOARD_LINES_MAX][FIELD_PAIR_WORDS];
    uint32_t words[FIELD_MARGIN + RULES_CELLS_MAX + FIELD_MARGIN];
} Snapshot;

typedef struct {
    FieldBench bench;
    Board board[STEPS_MAX + 1];
    Snapshot before[STEPS_MAX + 1];
    bool is_pass[STEPS_MAX + 1];
    unsigned depth;
} Walk;

static void take_snapshot(Snapshot *snapshot, const Field *field)
{
    memset(snapshot, 0, sizeof *snapshot);
    memcpy(&snapshot->state, &field->state, sizeof snapshot->state);
    memcpy(snapshot->plane, field->plane, sizeof snapshot->plane);
    memcpy(snapshot->pairs, field->pairs, sizeof snapshot->pairs);
    memcpy(snapshot->words, field->words, sizeof snapshot->words);
}

static void check_same(const Snapshot *snapshot, const Field *field)
{
    assert_memory_equal(&snapshot->state, &field->state, sizeof snapshot->state);
    assert_memory_equal(snapshot->plane, field->plane, sizeof snapshot->plane);
    assert_memory_equal(snapshot->pairs, field->pairs, sizeof snapshot->pairs);
    assert_memory_equal(snapshot->words, field->words, sizeof snapshot->words);
}

static void check_walk(const Walk *walk)
{
    const Field *field = &walk->bench.field;
    const Board *board = &walk->board[walk->depth];
    if (!field_is_right(field)) {
        print_board(board);
        fail();
    }
    assert_int_equal(field_key(field), board_key(board));
    assert_int_equal(field->state.won != 0, board_winner(board) != WINNER_NONE);
    assert_int_equal(field->state.count, board_count(board));
    assert_int_equal(field_side(field), board_side(board));
    assert_int_equal(field_is_full(field), board_count(board) == board->cells);
}

// What can be asked cell by cell, and that margins stay as they are; more to do, so not after every step.
static void check_cells(const Walk *walk)
{
    const Field *field = &walk->bench.field;
    const Board *board = &walk->board[walk->depth];
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_winner(board) == WINNER_NONE ? board_legal_cells(board, legal) : 0, found = 0;
    for (unsigned row = 0; row < board->rules.height; row++) {
        found += bits_count(field_legal_row(field, row));
        for (unsigned column = 0; column < board->rules.width; column++)
            assert_int_equal(field_is_empty(field, cell_at(column, row)),
                             board_stone(board, cell_at(column, row)) == STONE_NONE);
    }
    if (board_winner(board) == WINNER_NONE)
        assert_int_equal(found, count);
    for (unsigned i = 0; i < FIELD_MARGIN; i++)
        assert_true(field->words[i] == 0 && field->words[FIELD_MARGIN + RULES_CELLS_MAX + i] == 0);
}

static void walk_on(Walk *walk, Cell cell)
{
    Board *next = &walk->board[walk->depth + 1];
    take_snapshot(&walk->before[walk->depth], &walk->bench.field);
    *next = walk->board[walk->depth];
    walk->is_pass[walk->depth++] = cell == CELL_NONE;
    if (cell == CELL_NONE) {
        give_turn(next, side_other(board_side(next)), next->rules.p);
        field_pass(&walk->bench.field);
    } else {
        board_play(next, cell);
        field_play(&walk->bench.field, cell);
    }
}

static void walk_back(Walk *walk)
{
    walk->depth--;
    if (walk->is_pass[walk->depth])
        field_unpass(&walk->bench.field);
    else
        field_undo(&walk->bench.field);
    check_same(&walk->before[walk->depth], &walk->bench.field);
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
    field_bench_open(&walk->bench, &rules);
    if (!scatter_stones(&walk->board[0], &rules, rng_below(rng, rules_cells(&rules) / 3 + 1), rng))
        board_init(&walk->board[0], &rules);
    field_set(&walk->bench.field, &walk->board[0]);
    for (unsigned long i = 0; i < steps; i++) {
        walk_step(walk, rng);
        check_walk(walk);
        if (i % 16 == 0)
            check_cells(walk);
    }
    field_bench_close(&walk->bench);
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
    FieldBench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    field_bench_open(bench, &rules);
    Board board;
    board_init(&board, &rules);
    field_set(&bench->field, &board);
    field_play(&bench->field, cell_at(20, 20));
    assert_int_equal(field_count(&bench->field, SIDE_FIRST, CELL_FOUR), 4 * 2);
    assert_int_equal(field_count(&bench->field, SIDE_FIRST, CELL_THREE), 4 * 2 * 8);
    assert_true(field_is_right(&bench->field));
    field_bench_close(bench);
    free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_steps),
        cmocka_unit_test(test_the_largest_board),
        cmocka_unit_test(test_a_stone_that_changes_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
