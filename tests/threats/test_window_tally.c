// Compares the tally with simple definitions: stones of windows after every play and undo, threats, the number of
// stones that stop them, and all answers.
#include "support/check.h"

#include "base/rng.h"
#include "threats/threats.h"
#include "threats/window_tally.h"

#include <stdlib.h>

static const char *const games[] = {
    "5x4:k=3",           "6x6:k=4,p=2,q=1",   "9x9:k=6,p=2,q=1",   "7x5:k=4,p=3,q=2", "8x1:k=4,p=2", "1x9:k=5,p=4",
    "6x6:k=4,p=2,exact", "9x3:k=3,p=1,exact", "8x8:k=5,p=4,exact", "4x4:k=1",         "5x5:k=3,p=4", "12x12:k=7,p=3",
};

enum { TARGETS_MAX = 2048, ANSWERS_MAX = 256 };

static void check_windows(const WindowTally *tally, const Board *board)
{
    for (unsigned i = 0; i < tally->count; i++)
        for (int side = 0; side < 2; side++) {
            Window window = tally->window[i];
            uint64_t bits = window_bits(board, window);
            unsigned own = bits_count(board->line[window.line][side] & bits);
            bool is_dead = (board->line[window.line][!side] & bits) != 0;
            assert_int_equal(window_tally_need(tally, i, (Side)side),
                             is_dead ? WINDOW_TALLY_NEVER : board->rules.k - own);
        }
}

// Both in the order of their cells.
static int compare_sets(const void *a, const void *b)
{
    const CellSet *x = a, *y = b;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX; i++)
        if (x->cell[i] != y->cell[i])
            return (int)x->cell[i] - (int)y->cell[i];
    return 0;
}

static void check_answers(const Board *board, Side side, const CellSet *targets, unsigned count)
{
    ThreatAnswers plain;
    CellSet answers[ANSWERS_MAX];
    threats_answers(board, side, &plain);
    assert_int_equal(targets_least(targets, count, board->rules.p), plain.exact.count);
    if (plain.count > 0 && !plain.is_truncated) {
        unsigned found = targets_answers(targets, count, plain.size, plain.size, answers, ANSWERS_MAX);
        assert_int_equal(found, plain.count);
        qsort(answers, found, sizeof answers[0], compare_sets);
        for (unsigned i = 0; i < found; i++) {
            assert_int_equal(cell_set_count(&answers[i]), plain.size);
            assert_memory_equal(answers[i].cell, plain.cells + (size_t)i * plain.size, plain.size * sizeof(Cell));
        }
        assert_int_equal(targets_answers(targets, count, plain.size, plain.size, answers, found - 1), found);
    }
    threats_answers_close(&plain);
}

// Threats of a side: the number of windows, and the same windows found through their cells.
static void check_threats(const WindowTally *tally, Side side)
{
    static CellSet targets[TARGETS_MAX];
    static Window windows[WINDOWS_MAX];
    const Board *board = &tally->board;
    unsigned count = window_tally_threats(tally, side, targets, TARGETS_MAX), through = 0;
    assert_int_equal(count, threats_windows(board, side, windows));
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned empty = window_cells(board, windows[i].line, window_empty(board, windows[i]), cells);
        assert_int_equal(cell_set_count(&targets[i]), empty);
        for (unsigned j = 0; j < empty; j++)
            assert_true(cell_set_has(&targets[i], cells[j]));
    }
    check_answers(board, side, targets, count);
    if (count > 0)
        assert_int_equal(window_tally_threats(tally, side, targets, count - 1), count);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned column = 0; column < board->rules.width; column++) {
            CellSet some[WINDOW_DIRECTIONS * RULES_SIDE_MAX];
            unsigned here =
                window_tally_threats_through(tally, cell_at(column, row), side, some, 0, WINDOW_DIRECTIONS * 64);
            through += here;
            if (here > 0)
                assert_int_equal(window_tally_threats_through(tally, cell_at(column, row), side, some, 0, here - 1),
                                 here);
        }
    assert_int_equal(through, count * board->rules.k);
}

static void step(WindowTally *tally, BoardState *before, Cell *cells, Rng *rng)
{
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&tally->board, legal), played = board_count(&tally->board);
    if (count == 0 || (played > 0 && rng_below(rng, 4) == 0)) {
        window_tally_undo(tally, cells[played - 1], before[played - 1]);
        return;
    }
    cells[played] = legal[rng_below(rng, count)];
    before[played] = window_tally_play(tally, cells[played]);
}

static void test_random_play(void **state)
{
    (void)state;
    static WindowTally tally, other;
    static BoardState before[RULES_CELLS_MAX];
    static Cell cells[RULES_CELLS_MAX];
    Rng rng = rng_make(3);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i]);
        window_tally_init(&tally, &rules);
        window_tally_init(&other, &rules);
        for (unsigned long n = 0; n < test_steps() / 300; n++) {
            step(&tally, before, cells, &rng);
            check_windows(&tally, &tally.board);
            for (int side = 0; side < 2 && !board_is_over(&tally.board); side++)
                check_threats(&tally, (Side)side);
            window_tally_set(&other, &tally.board);
            assert_same_board(&other.board, &tally.board);
            assert_memory_equal(other.stones, tally.stones, tally.count * sizeof tally.stones[0]);
        }
    }
}

// Playing and undoing stones of either side in any order gives the same state as setting up the position.
static void test_put_and_take(void **state)
{
    (void)state;
    static WindowTally tally, other;
    Rng rng = rng_make(4);
    Rules rules = rules_of("7x6:k=4,p=2,q=1");
    window_tally_init(&tally, &rules);
    window_tally_init(&other, &rules);
    Board empty = tally.board;
    for (unsigned long n = 0; n < test_steps() / 30; n++) {
        Cell cell = cell_at(rng_below(&rng, 7), rng_below(&rng, 6));
        Stone stone = board_stone(&tally.board, cell);
        if (stone == STONE_NONE)
            window_tally_put(&tally, cell, (Side)rng_below(&rng, 2));
        else
            window_tally_take(&tally, cell, (Side)stone);
        check_windows(&tally, &tally.board);
        window_tally_set(&other, &tally.board);
        assert_memory_equal(other.stones, tally.stones, tally.count * sizeof tally.stones[0]);
    }
    for (unsigned i = 0; i < 42; i++) {
        Stone stone = board_stone(&tally.board, cell_at(i % 7, i / 7));
        if (stone != STONE_NONE)
            window_tally_take(&tally, cell_at(i % 7, i / 7), (Side)stone);
    }
    assert_same_board(&tally.board, &empty);
}

static void test_sets(void **state)
{
    (void)state;
    CellSet set = cell_set_none;
    const Cell cells[] = {40, 7, 100, 63};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(cell_set_count(&set), i);
        assert_false(cell_set_has(&set, cells[i]));
        set = cell_set_with(&set, cells[i]);
        assert_true(cell_set_has(&set, cells[i]));
    }
    assert_true(cell_sets_equal(&set, &(CellSet){{7, 40, 63, 100}}));
    CellSet one = cell_set_with(&cell_set_none, 100), two = cell_set_with(&cell_set_none, 8);
    assert_true(cell_sets_meet(&set, &one) && cell_sets_meet(&one, &set));
    assert_false(cell_sets_meet(&set, &two) || cell_sets_meet(&cell_set_none, &cell_set_none));
}

TEST_GROUP(window_tally)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_play),
        cmocka_unit_test(test_put_and_take),
        cmocka_unit_test(test_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
