// Tests of cell patterns: compared with play on a simple board; claims from the counters without search; the
// evaluation.
#include "support/check.h"
#include "support/pattern_board_bench.h"

#include <stdlib.h>
#include <string.h>

// --- Kinds of cells, one stone a turn, by play: what counts is rows through the cell ---

typedef struct {
    Cell cells[RULES_CELLS_MAX];
    unsigned count;
} Cells;

// The cells that complete a row for a side if it is to move.
static void find_completing(const Board *board, Side side, Cells *found)
{
    Board mine = *board;
    Cell cells[RULES_CELLS_MAX];
    give_turn(&mine, side, board->rules.p);
    unsigned count = board_is_over(&mine) ? 0 : board_legal_cells(&mine, cells);
    found->count = 0;
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&mine, cells[i]);
        if (board_winner(&mine) != WINNER_NONE)
            found->cells[found->count++] = cells[i];
        board_undo(&mine, cells[i], before);
    }
}

static unsigned count_completing(const Board *board, Side side)
{
    Cells found;
    find_completing(board, side, &found);
    return found.count;
}

// A stone of either side anywhere, whosever turn it is and whatever rows there are.
static void place(Board *board, Cell cell, Side side)
{
    board->rules.gravity = false;
    board->state.turn &= ~(UINT64_C(3) << 33);
    give_turn(board, side, 2);
    board_play(board, cell);
}

static Stone stone_at(const Board *board, int x, int y)
{
    bool is_in = x >= 0 && y >= 0 && x < board->rules.width && y < board->rules.height;
    return is_in ? board_stone(board, cell_at((unsigned)x, (unsigned)y)) : STONE_NONE;
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

// The empty cells on a line through a cell from which a row might include it.
static void find_near(const Board *board, Cell cell, const int step[2], Cells *found)
{
    found->count = 0;
    for (int i = 1 - board->rules.k; i < board->rules.k; i++) {
        int x = (int)cell_column(cell) + i * step[0], y = (int)cell_row(cell) + i * step[1];
        bool is_in = x >= 0 && y >= 0 && x < board->rules.width && y < board->rules.height;
        if (i != 0 && is_in && stone_at(board, x, y) == STONE_NONE)
            found->cells[found->count++] = cell_at((unsigned)x, (unsigned)y);
    }
}

// Whether stones of a side stand in a row through a cell that has one.
static bool has_row(const Board *board, Cell cell, Side side, const int step[2])
{
    int x = (int)cell_column(cell), y = (int)cell_row(cell), run = 1, k = board->rules.k;
    for (int i = 1; stone_at(board, x + i * step[0], y + i * step[1]) == (Stone)side; i++)
        run++;
    for (int i = 1; stone_at(board, x - i * step[0], y - i * step[1]) == (Stone)side; i++)
        run++;
    return board->rules.exact ? run == k : run >= k;
}

// Cells of a line that complete a row through a cell with a stone.
static unsigned count_through(const Board *board, Cell cell, Side side, const int step[2])
{
    Cells near;
    find_near(board, cell, step, &near);
    unsigned count = 0;
    for (unsigned i = 0; i < near.count; i++) {
        Board next = *board;
        place(&next, near.cells[i], side);
        count += has_row(&next, cell, side, step);
    }
    return count;
}

// One more stone leaves two cells that complete, or more.
static bool is_open_three(const Board *board, Cell cell, Side side, const int step[2])
{
    Cells near;
    find_near(board, cell, step, &near);
    for (unsigned i = 0; i < near.count; i++) {
        Board next = *board;
        place(&next, near.cells[i], side);
        if (count_through(&next, cell, side, step) > 1)
            return true;
    }
    return false;
}

static CellPattern kind_by_play(const Board *board, Cell cell, Side side)
{
    Board next = *board;
    unsigned completing = 0, threes = 0;
    place(&next, cell, side);
    if (board_winner(&next) != WINNER_NONE)
        return CELL_COMPLETES;
    for (unsigned i = 0; i < 4; i++) {
        unsigned found = count_through(&next, cell, side, steps[i]);
        completing += found;
        threes += found == 0 && is_open_three(&next, cell, side, steps[i]);
    }
    if (completing > 1)
        return CELL_OPEN_FOUR;
    if (completing > 0)
        return threes > 0 ? CELL_FOUR_THREE : CELL_FOUR;
    return threes > 1 ? CELL_DOUBLE_THREE : threes > 0 ? CELL_THREE : CELL_QUIET;
}

typedef CellPattern KindBy(const Board *board, Cell cell, Side side);

// Every cell, and the counters.
static void check_kinds(const PatternBoard *patterns, const Board *board, KindBy *kind_by)
{
    unsigned counted[2][CELL_QUIET + 1] = {{0}};
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t empty = pattern_board_empty_row(patterns, row); empty != 0; empty &= empty - 1)
            for (unsigned side = 0; side < 2; side++) {
                Cell cell = cell_at(bits_lowest(empty), row);
                CellPattern kind = kind_by(board, cell, (Side)side);
                counted[side][kind]++;
                if (pattern_board_cell_pattern(patterns, cell, (Side)side) != kind) {
                    print_board(board);
                    print_error("column %u row %u side %u: %u, by play %u\n", cell_column(cell), row, side,
                                pattern_board_cell_pattern(patterns, cell, (Side)side), kind);
                    fail();
                }
            }
    unsigned situation = 0;
    for (unsigned kind = 0; kind < PATTERN_BOARD_COUNTERS; kind++)
        for (unsigned side = 0; side < 2; side++) {
            bool is_other = side != (unsigned)board_side(board);
            assert_int_equal(pattern_board_count(patterns, (Side)side, kind), counted[side][kind]);
            situation |= (unsigned)(counted[side][kind] > 0) << (kind + (is_other ? PATTERN_BOARD_COUNTERS : 0));
        }
    assert_int_equal(pattern_board_situation(patterns), situation);
}

static void check_kinds_of(const char *text, unsigned long positions, KindBy *kind_by, Rng *rng)
{
    Rules rules = rules_of(text);
    PatternBoardBench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    pattern_board_bench_open(bench, &rules);
    for (unsigned long i = 0; i < positions; i++) {
        Board board;
        if (!scatter_stones(&board, &rules, rng_below(rng, rules_cells(&rules)), rng))
            continue;
        pattern_board_set(&bench->patterns, &board);
        check_kinds(&bench->patterns, &board, kind_by);
    }
    pattern_board_bench_close(bench);
    free(bench);
}

static void test_kinds_one_stone_a_turn(void **state)
{
    (void)state;
    static const char *const rules[] = {"8x8:k=5",       "8x8:k=5,exact", "6x6:k=4",       "6x6:k=4,exact", "5x5:k=3",
                                        "5x5:k=3,exact", "9x7:k=6",       "9x3:k=5,exact", "4x4:k=2",       "3x3:k=1"};
    Rng rng = rng_make(4);
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        check_kinds_of(rules[i], test_steps() / 1500 + 5, kind_by_play, &rng);
}

// --- Kinds of cells, several stones a turn, by windows ---

// Stones that k cells in a row lack for a side, and more than k if there can be no row.
static unsigned missing(const Board *board, Side side, int x, int y, const int step[2])
{
    unsigned k = board->rules.k, empty = 0;
    int last_x = x + (int)(k - 1) * step[0], last_y = y + (int)(k - 1) * step[1];
    if (x < 0 || y < 0 || last_x < 0 || last_y < 0 || x >= board->rules.width || last_x >= board->rules.width ||
        y >= board->rules.height || last_y >= board->rules.height)
        return k + 1;
    if (board->rules.exact && (stone_at(board, x - step[0], y - step[1]) == (Stone)side ||
                               stone_at(board, last_x + step[0], last_y + step[1]) == (Stone)side))
        return k + 1;
    for (unsigned i = 0; i < k; i++) {
        Stone stone = stone_at(board, x + (int)i * step[0], y + (int)i * step[1]);
        if (stone != STONE_NONE && stone != (Stone)side)
            return k + 1;
        empty += stone == STONE_NONE;
    }
    return empty;
}

// The least of a direction, through a cell.
static unsigned least_missing(const Board *board, Side side, Cell cell, const int step[2])
{
    unsigned least = board->rules.k + 1u;
    for (int i = 0; i < board->rules.k; i++) {
        int x = (int)cell_column(cell) - i * step[0], y = (int)cell_row(cell) - i * step[1];
        unsigned found = missing(board, side, x, y, step);
        least = found < least ? found : least;
    }
    return least;
}

// Whether one stone anywhere stops what can be completed in a direction.
static bool one_stone_stops(const Board *board, Side side, Cell cell, const int step[2])
{
    Cells near;
    find_near(board, cell, step, &near);
    for (unsigned i = 0; i < near.count; i++) {
        Board stopped = *board;
        place(&stopped, near.cells[i], side_other(side));
        if (least_missing(&stopped, side, cell, step) > board->rules.p)
            return true;
    }
    return false;
}

static CellPattern kind_by_windows(const Board *board, Cell cell, Side side)
{
    Board next = *board;
    place(&next, cell, side);
    unsigned least = UINT32_MAX, p = board->rules.p;
    bool is_open = false;
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned found = least_missing(&next, side, cell, steps[direction]);
        least = found < least ? found : least;
        is_open |= found == p && found <= board->rules.k && !one_stone_stops(&next, side, cell, steps[direction]);
    }
    if (least > board->rules.k || least > p)
        return CELL_QUIET;
    return least < p ? (CellPattern)(least < 3 ? least : 3) : is_open ? CELL_FOUR : CELL_THREE;
}

static void test_kinds_several_stones_a_turn(void **state)
{
    (void)state;
    static const char *const rules[] = {"9x9:k=6,p=2,q=1",        "8x8:k=5,p=2,q=1,exact", "7x7:k=4,p=2,q=2",
                                        "8x8:k=7,p=3,q=1",        "9x6:k=6,p=4,q=1",       "6x6:k=3,p=2,q=1",
                                        "9x9:k=8,p=5,q=1",        "12x12:k=10,p=7,q=2",    "12x3:k=12,p=8,q=4",
                                        "9x2:k=5,p=8,q=1",        "11x11:k=11,p=3,q=3",    "7x7:k=4,p=2,q=1,gravity",
                                        "14x4:k=12,p=6,q=1,exact"};
    Rng rng = rng_make(5);
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        check_kinds_of(rules[i], test_steps() / 1000 + 5, kind_by_windows, &rng);
}

// --- What may be claimed, one stone a turn ---

// Cells on which a side makes a four, or more.
static unsigned count_fours(const PatternBoard *patterns, Side side)
{
    return pattern_board_count(patterns, side, CELL_COMPLETES) + pattern_board_count(patterns, side, CELL_OPEN_FOUR) +
           pattern_board_count(patterns, side, CELL_FOUR_THREE) + pattern_board_count(patterns, side, CELL_FOUR);
}

static bool is_four(CellPattern kind)
{
    return kind <= CELL_FOUR && kind != CELL_DOUBLE_THREE;
}

// Whether the side to move has won with its third stone from now, or before, whatever the other does.
static bool wins_in_three(const Board *board)
{
    Side side = board_side(board);
    Cells against;
    if (board_is_over(board))
        return false;
    if (count_completing(board, side) > 0)
        return true;
    find_completing(board, side_other(side), &against);
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        if (against.count > 0 && cells[i] != against.cells[0])
            continue;
        Board next = *board;
        board_play(&next, cells[i]);
        if (count_completing(&next, side) > 1 && count_completing(&next, side_other(side)) == 0)
            return true;
    }
    return false;
}

// Whether a stone wins like that with two more turns, whatever the answers.
static bool wins_in_five(const Board *board, Cell cell)
{
    Board next = *board;
    board_play(&next, cell);
    if (count_completing(&next, board_side(&next)) > 0)
        return false;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_is_over(&next) ? 0 : board_legal_cells(&next, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&next, cells[i]);
        bool wins = wins_in_three(&next);
        board_undo(&next, cells[i], before);
        if (!wins)
            return false;
    }
    return count > 0;
}

enum { CLAIM_LOST, CLAIM_OPEN_FOUR, CLAIM_FOUR_THREE, CLAIM_DOUBLE_THREE, CLAIM_ANSWERS, CLAIMS };

typedef struct {
    unsigned long tried[CLAIMS];
} Tried;

static void expect(Tried *tried, unsigned claim, bool holds, const Board *board, Cell cell)
{
    tried->tried[claim]++;
    if (holds)
        return;
    print_board(board);
    print_error("claim %u, column %u row %u\n", claim, cell_column(cell), cell_row(cell));
    fail();
}

// The cell that completes a row after a stone: where a four is answered.
static Cell answer_to(const Board *board, Cell cell)
{
    Board next = *board;
    Side side = board_side(board);
    board_play(&next, cell);
    Cells found;
    find_completing(&next, side, &found);
    assert_int_equal(found.count, 1);
    return found.cells[0];
}

static bool all_answers_lose(const Board *board)
{
    Board next = *board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&next, cells[i]);
        bool is_lost = count_completing(&next, board_side(&next)) > 0;
        board_undo(&next, cells[i], before);
        if (!is_lost)
            return false;
    }
    return true;
}

// One cell for a stone of the side to move; neither side completes a row now.
static void check_claims_at(const PatternBoard *patterns, const Board *board, Cell cell, Tried *tried)
{
    Side side = pattern_board_side(patterns), other = side_other(side);
    CellPattern own = pattern_board_cell_pattern(patterns, cell, side),
                others = pattern_board_cell_pattern(patterns, cell, other);
    Board next = *board;
    board_play(&next, cell);
    if (own == CELL_OPEN_FOUR)
        expect(tried, CLAIM_OPEN_FOUR, count_completing(&next, side) > 1 && count_completing(&next, other) == 0, board,
               cell);
    if (own == CELL_FOUR_THREE && !is_four(pattern_board_cell_pattern(patterns, answer_to(board, cell), other)))
        expect(tried, CLAIM_FOUR_THREE, wins_in_five(board, cell), board, cell);
    if (own == CELL_DOUBLE_THREE && count_fours(patterns, other) == 0)
        expect(tried, CLAIM_DOUBLE_THREE, wins_in_five(board, cell), board, cell);
    if (pattern_board_count(patterns, other, CELL_OPEN_FOUR) > 0 && !is_four(own) && !is_four(others))
        expect(tried, CLAIM_ANSWERS, wins_in_three(&next), board, cell);
}

static void check_claims(const PatternBoard *patterns, const Board *board, Tried *tried)
{
    Side side = pattern_board_side(patterns);
    if (pattern_board_count(patterns, side, CELL_COMPLETES) > 0)
        return;
    if (pattern_board_count(patterns, side_other(side), CELL_COMPLETES) > 1)
        expect(tried, CLAIM_LOST, all_answers_lose(board), board, 0);
    if (pattern_board_count(patterns, side_other(side), CELL_COMPLETES) > 0)
        return;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t empty = pattern_board_empty_row(patterns, row); empty != 0; empty &= empty - 1)
            check_claims_at(patterns, board, cell_at(bits_lowest(empty), row), tried);
}

// Every claim has to be met with somewhere.
static void test_claims(void **state)
{
    (void)state;
    static const char *const texts[] = {"8x8:k=5",       "8x8:k=5,exact", "6x6:k=4",
                                        "6x6:k=4,exact", "7x5:k=4",       "9x8:k=6,exact"};
    Rng rng = rng_make(6);
    Tried tried = {{0}};
    PatternBoardBench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Rules rules = rules_of(texts[i]);
        pattern_board_bench_open(bench, &rules);
        for (unsigned long n = test_steps() / 500 + 40; n > 0; n--) {
            Board board;
            if (!scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules) * 2 / 3), &rng))
                continue;
            pattern_board_set(&bench->patterns, &board);
            check_claims(&bench->patterns, &board, &tried);
        }
        pattern_board_bench_close(bench);
    }
    free(bench);
    for (unsigned claim = 0; claim < CLAIMS; claim++)
        assert_true(tried.tried[claim] > 0);
}

// --- Several stones a turn: what can be completed in this turn ---

static bool wins_this_turn(Board *board, unsigned left)
{
    Cell cells[RULES_CELLS_MAX];
    Side side = board_side(board);
    unsigned count = left > 0 && !board_is_over(board) ? board_legal_cells(board, cells) : 0;
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        bool wins =
            board_winner(board) != WINNER_NONE || (board_side(board) == side && wins_this_turn(board, left - 1));
        board_undo(board, cells[i], before);
        if (wins)
            return true;
    }
    return false;
}

// A cell whose row then needs that many stones: with one stone more in the turn it is won.
static bool claims_this_turn(const PatternBoard *patterns)
{
    unsigned most = patterns->state.turn_left < patterns->rules.p ? patterns->state.turn_left : patterns->rules.p;
    for (unsigned need = 0; need < most; need++)
        if (pattern_board_count(patterns, pattern_board_side(patterns), need) > 0)
            return true;
    return false;
}

static void test_wins_within_a_turn(void **state)
{
    (void)state;
    static const char *const texts[] = {"5x5:k=4,p=2,q=1", "5x5:k=4,p=3,q=2", "5x5:k=3,p=2,q=1,exact",
                                        "4x4:k=4,p=4,q=1"};
    Rng rng = rng_make(7);
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Rules rules = rules_of(texts[i]);
        PatternBoardBench *bench = calloc(1, sizeof *bench);
        assert_non_null(bench);
        pattern_board_bench_open(bench, &rules);
        for (unsigned long n = test_steps() / 1000 + 10; n > 0; n--) {
            Board board;
            if (!scatter_stones(&board, &rules, 4 + rng_below(&rng, rules_cells(&rules) - 5), &rng))
                continue;
            pattern_board_set(&bench->patterns, &board);
            assert_int_equal(claims_this_turn(&bench->patterns), wins_this_turn(&board, board_stones_left(&board)));
        }
        pattern_board_bench_close(bench);
        free(bench);
    }
}

// --- The value ---

// The same for both sides but for whose turn it is: what one gains the other loses.
static void test_value_of_mirrored_sides(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5,p=2,q=2");
    Rng rng = rng_make(8);
    PatternBoardBench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    pattern_board_bench_open(bench, &rules);
    for (unsigned long n = test_steps() / 500 + 20; n > 0; n--) {
        Board board, mirrored;
        if (!scatter_stones(&board, &rules, rng_below(&rng, 50), &rng))
            continue;
        board_init(&mirrored, &rules);
        for (unsigned row = 0; row < rules.height; row++)
            for (unsigned column = 0; column < rules.width; column++)
                if (board_stone(&board, cell_at(column, row)) != STONE_NONE)
                    place(&mirrored, cell_at(column, row), board_stone(&board, cell_at(column, row)) == STONE_FIRST);
        give_turn(&mirrored, side_other(board_side(&board)), board_stones_left(&board));
        pattern_board_set(&bench->patterns, &board);
        int value = pattern_board_value(&bench->patterns);
        pattern_board_set(&bench->patterns, &mirrored);
        assert_int_equal(pattern_board_value(&bench->patterns), value);
    }
    pattern_board_bench_close(bench);
    free(bench);
}

TEST_GROUP(cell_patterns)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_one_stone_a_turn),
        cmocka_unit_test(test_kinds_several_stones_a_turn),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_wins_within_a_turn),
        cmocka_unit_test(test_value_of_mirrored_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
