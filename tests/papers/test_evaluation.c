// Tests of the evaluations, orderings and generators of Kulev and Wu: compared with definitions written cell by cell,
// and with hand-made cases.
#include "base/rng.h"
#include "papers/connect5/candidates.h"
#include "papers/connect5/evaluation.h"
#include "papers/connect5/ordering.h"
#include "support/check.h"
#include "threats/centre.h"

#include <stdlib.h>

static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

// The stone at a place of any numbers: 0, 1, STONE_NONE, or 3 beyond the edge.
static unsigned at(const Board *board, int x, int y)
{
    if (x < 0 || y < 0 || x >= board->rules.width || y >= board->rules.height)
        return 3;
    return (unsigned)board_stone(board, cell_at((unsigned)x, (unsigned)y));
}

// --- Plain definitions ---

static int64_t power_of_four(unsigned n)
{
    int64_t power = 1;
    for (unsigned i = 0; i < n && i < EVALUATION_RUN_MAX; i++)
        power *= 4;
    return power;
}

// The run that begins at a place in a direction, if one does.
static int64_t plain_run(const Board *board, int x, int y, const int step[2], unsigned side)
{
    if (at(board, x, y) != side || at(board, x - step[0], y - step[1]) == side)
        return 0;
    unsigned open = at(board, x - step[0], y - step[1]) == STONE_NONE, n = 0;
    for (; at(board, x, y) == side; n++) {
        x += step[0];
        y += step[1];
    }
    open += at(board, x, y) == STONE_NONE;
    return open * power_of_four(n);
}

static unsigned plain_around(const Board *board, int x, int y, unsigned side)
{
    unsigned count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            count += (dx != 0 || dy != 0) && at(board, x + dx, y + dy) == side;
    return count;
}

// The empty cells of the board around a place.
static unsigned plain_empty_around(const Board *board, int x, int y)
{
    unsigned count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            count += (dx != 0 || dy != 0) && at(board, x + dx, y + dy) == STONE_NONE;
    return count;
}

static int64_t plain_points(const Board *board, EvaluationKind kind, unsigned side)
{
    bool pairs = kind == EVALUATION_EMPTY_NEIGHBORS_DOWN || kind == EVALUATION_EMPTY_NEIGHBORS_UP;
    bool empty = kind == EVALUATION_EMPTY_CELLS_DOWN || kind == EVALUATION_EMPTY_CELLS_UP;
    int64_t sum = 0;
    for (int y = 0; y < board->rules.height; y++)
        for (int x = 0; x < board->rules.width; x++) {
            if (kind == EVALUATION_SIMPLE || kind == EVALUATION_SIMPLEDEF)
                for (int d = 0; d < 4; d++)
                    sum += plain_run(board, x, y, directions[d], side);
            else if (kind == EVALUATION_NEIGHBORS)
                sum += at(board, x, y) == STONE_NONE && plain_around(board, x, y, side) > 0;
            else if (pairs && at(board, x, y) == side)
                sum += plain_around(board, x, y, side);
            else if (empty && at(board, x, y) == side)
                sum += plain_empty_around(board, x, y);
        }
    return pairs ? sum / 2 : sum;
}

// How many stones of a side a row through a cell would have with it, without that stone.
static unsigned plain_row(const Board *board, Cell cell, const int step[2], unsigned side)
{
    unsigned count = 0;
    for (int way = -1; way <= 1; way += 2) {
        int x = (int)cell_column(cell), y = (int)cell_row(cell);
        while (at(board, x += way * step[0], y += way * step[1]) == side)
            count++;
    }
    return count;
}

static uint32_t plain_order(const Board *board, OrderingKind kind, Cell cell)
{
    unsigned side = (unsigned)board_side(board);
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    if (kind == ORDERING_NEIGHBOR)
        return 8 + plain_around(board, x, y, 1 - side) - plain_around(board, x, y, side);
    uint32_t sum = 0;
    for (int d = 0; d < 4; d++)
        for (unsigned s = 0; s < 2; s++) {
            unsigned n = plain_row(board, cell, directions[d], s);
            sum += n == 0 ? 0 : UINT32_C(1) << (n < ORDERING_RUN_MAX ? n : ORDERING_RUN_MAX);
        }
    return sum;
}

static bool plain_is_near(const Board *board, CandidatesKind kind, Cell cell)
{
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            bool knight = abs(dx) + abs(dy) == 3;
            if (at(board, x + dx, y + dy) < 2 && (kind == CANDIDATES_RADIUS2 || !knight))
                return true;
        }
    return false;
}

// --- Random play ---

static const char *const games[] = {
    "13x13:k=5", "7x6:k=4,gravity", "9x9:k=6,p=2,q=1",        "64x1:k=30",       "1x64:k=3,exact",
    "2x64:k=40", "64x3:k=8",        "20x20:k=20,p=3,q=2",     "5x4:k=3,p=4,q=2", "64x64:k=64",
    "1x1:k=1",   "6x6:k=3,exact",   "8x5:k=4,gravity,p=2,q=1"};
enum { GAMES = sizeof games / sizeof games[0] };

static void check_board(const Board *board, const Evaluation *evaluation, const EvaluationPoints *points)
{
    for (unsigned side = 0; side < 2; side++) {
        int64_t plain = plain_points(board, evaluation->kind, side);
        assert_true(points->of[side] == plain);
        assert_true(evaluation_count(evaluation, board).of[side] == plain);
    }
}

static void check_cells(const Board *board)
{
    static Ordering ordering;
    Cell legal[RULES_CELLS_MAX], near[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, legal);
    for (int kind = ORDERING_SIMPLE; kind <= (int)ORDERING_NEIGHBOR; kind++)
        for (unsigned i = 0; i < count; i++) {
            ordering.kind = (OrderingKind)kind;
            assert_int_equal(ordering_rate(&ordering, board, legal[i]),
                             plain_order(board, (OrderingKind)kind, legal[i]));
        }
    for (int kind = 0; kind < CANDIDATES_KINDS; kind++) {
        unsigned listed = candidates_list(board, (CandidatesKind)kind, near), expected = 0;
        for (unsigned i = 0; i < count; i++)
            if (kind == CANDIDATES_ALL || plain_is_near(board, (CandidatesKind)kind, legal[i]))
                assert_int_equal(near[expected++], legal[i]);
        if (board_count(board) > 0)
            assert_int_equal(listed, expected);
    }
}

// After play and undo, the incremental points equal those of the definition.
static void follow(const Rules *rules, EvaluationKind kind, Rng *rng, unsigned steps)
{
    Board board;
    Evaluation evaluation;
    static EvaluationPoints points[RULES_CELLS_MAX + 1];
    static Cell stones[RULES_CELLS_MAX];
    static BoardState states[RULES_CELLS_MAX];
    unsigned count = 0;
    board_init(&board, rules);
    evaluation_init(&evaluation, kind, rules);
    points[0] = evaluation_count(&evaluation, &board);
    while (steps-- > 0) {
        if (board_is_over(&board) || (count > 0 && rng_below(rng, 3) == 0)) {
            count--;
            board_undo(&board, stones[count], states[count]);
        } else {
            // Mostly close together, so that long runs occur.
            Cell cells[RULES_CELLS_MAX];
            unsigned listed =
                candidates_list(&board, rng_below(rng, 8) == 0 ? CANDIDATES_ALL : CANDIDATES_LINE2, cells);
            stones[count] = cells[rng_below(rng, listed < 6 ? listed : 6)];
            points[count + 1] = evaluation_after(&evaluation, &board, stones[count], points[count]);
            states[count] = board_play(&board, stones[count]);
            count++;
        }
        check_board(&board, &evaluation, &points[count]);
        if (!board_is_over(&board))
            check_cells(&board);
    }
}

static void test_points_follow_the_board(void **state)
{
    (void)state;
    Rng rng = rng_make(11);
    unsigned rounds = (unsigned)(test_steps() / 12000);
    for (unsigned round = 0; round < (rounds > 0 ? rounds : 1); round++)
        for (int g = 0; g < GAMES; g++)
            for (int kind = 0; kind < EVALUATION_KINDS; kind++) {
                Rules rules = rules_of(games[g]);
                unsigned cells = rules_cells(&rules);
                follow(&rules, (EvaluationKind)kind, &rng, cells > 1000 ? 8 : cells > 2 ? 60 : 3);
            }
}

// --- By hand ---

static int64_t value_of(const char *drawing, EvaluationKind kind, Side side)
{
    Game game;
    read_drawing(&game, "7x5:k=5", drawing);
    Evaluation evaluation;
    evaluation_init(&evaluation, kind, &game.board.rules);
    EvaluationPoints points = evaluation_count(&evaluation, &game.board);
    return evaluation_value(&evaluation, &game.board, &points, side);
}

static void test_values_by_hand(void **state)
{
    (void)state;
    // Three stones, open at both ends: 2 * 64. Each is a run of one in three directions: six ends less those that are
    // taken or beyond the edge, here none.
    const char *three = ".......\n.......\n..XXX..\n.......\n.......\nturn O 1\n";
    assert_true(value_of(three, EVALUATION_SIMPLE, SIDE_FIRST) == 2 * 64 + 3 * 3 * 2 * 4);
    assert_true(value_of(three, EVALUATION_SIMPLE, SIDE_SECOND) == -(2 * 64 + 3 * 3 * 2 * 4));
    assert_true(value_of(three, EVALUATION_SIMPLEDEF, SIDE_FIRST) == 200);
    assert_true(value_of(three, EVALUATION_SIMPLEDEF, SIDE_SECOND) == -400);
    assert_true(value_of(three, EVALUATION_EMPTY_NEIGHBORS_DOWN, SIDE_FIRST) == 2);
    assert_true(value_of(three, EVALUATION_EMPTY_NEIGHBORS_UP, SIDE_FIRST) == -2);
    assert_true(value_of(three, EVALUATION_NEIGHBORS, SIDE_FIRST) == 12);
    // Each end has seven empty cells around it, the stone between them six.
    assert_true(value_of(three, EVALUATION_EMPTY_CELLS_UP, SIDE_FIRST) == 7 + 6 + 7);
    assert_true(value_of(three, EVALUATION_EMPTY_CELLS_DOWN, SIDE_FIRST) == -(7 + 6 + 7));
    assert_true(value_of(three, EVALUATION_EMPTY_CELLS_DOWN, SIDE_SECOND) == 7 + 6 + 7);
    // One end at the edge, the other blocked: only what goes up and down is left, and the blocking stone's own.
    const char *blocked = ".......\n.......\nXXXO...\n.......\n.......\nturn X 1\n";
    assert_true(value_of(blocked, EVALUATION_SIMPLE, SIDE_FIRST) == (6 + 4 + 4) * 4 + 2 * 4 - (7 * 4));
    assert_true(value_of(blocked, EVALUATION_NEIGHBORS, SIDE_FIRST) == 8 - 7);
    assert_true(value_of(blocked, EVALUATION_EMPTY_CELLS_UP, SIDE_FIRST) == 4 + 6 + 6 - 7);
    // A pair and a single stone beside one another on a diagonal.
    const char *pairs = ".......\n...X...\n..X....\n.X..OO.\n.......\nturn O 1\n";
    assert_true(value_of(pairs, EVALUATION_EMPTY_NEIGHBORS_DOWN, SIDE_FIRST) == 2 - 1);
}

static void test_random_values(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "13x13:k=5");
    Evaluation evaluation;
    evaluation_init(&evaluation, EVALUATION_RANDOM, &game.board.rules);
    EvaluationPoints none = {{0}};
    int64_t sum = 0;
    for (unsigned i = 0; i < 4096; i++) {
        evaluation.seed = rng_derive(3, i);
        int64_t value = evaluation_value(&evaluation, &game.board, &none, SIDE_FIRST);
        assert_true(value == evaluation_value(&evaluation, &game.board, &none, SIDE_FIRST));
        assert_true(value >= -(1 << 20) && value < 1 << 20);
        sum += value;
    }
    assert_true(llabs(sum / 4096) < 1 << 16);
}

static uint32_t order_of(const Game *game, OrderingKind kind, const char *cell)
{
    static Ordering ordering;
    ordering.kind = kind;
    return ordering_rate(&ordering, &game->board, cell_of(&game->board.rules, cell));
}

static void test_orders_by_hand(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "9x5:k=5", ".........\n.........\n.XX.XXO..\n.......O.\n.........\nturn O 1\n");
    assert_int_equal(order_of(&game, ORDERING_SIMPLE, "d3"), 16); // between two pairs of X
    assert_int_equal(order_of(&game, ORDERING_SIMPLE, "a3"), 4);  // beside a pair
    assert_int_equal(order_of(&game, ORDERING_SIMPLE, "f4"),
                     4 + 2 + 2); // at the end of a pair of O, above and beside X
    assert_int_equal(order_of(&game, ORDERING_SIMPLE, "a1"), 0);
    assert_int_equal(order_of(&game, ORDERING_NEIGHBOR, "d3"), 8 + 2);
    assert_int_equal(order_of(&game, ORDERING_NEIGHBOR, "h3"), 8 - 2);
    assert_int_equal(order_of(&game, ORDERING_NEIGHBOR, "g2"), 8 + 1 - 2);
}

static void test_history_counts_by_side(void **state)
{
    (void)state;
    static Ordering ordering = {.kind = ORDERING_HISTORY};
    Game game;
    begin_game(&game, "9x9:k=5");
    Cell e5 = cell_at(4, 4), a1 = cell_at(0, 0);
    ordering_mark(&ordering, SIDE_FIRST, e5);
    ordering_mark(&ordering, SIDE_FIRST, e5);
    ordering_mark(&ordering, SIDE_SECOND, a1);
    assert_int_equal(ordering_rate(&ordering, &game.board, e5), 2);
    assert_int_equal(ordering_rate(&ordering, &game.board, a1), 0);
    play_text(&game, "b2");
    assert_int_equal(ordering_rate(&ordering, &game.board, e5), 0);
    assert_int_equal(ordering_rate(&ordering, &game.board, a1), 1);
    ordering_begin(&ordering);
    assert_int_equal(ordering_rate(&ordering, &game.board, a1), 0);
}

static void test_candidates_of_an_empty_board(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        unsigned count;
    } boards[] = {{"13x13:k=5", 1}, {"12x12:k=5", 4}, {"12x13:k=5", 2}, {"7x6:k=4,gravity", 1}, {"1x1:k=1", 1}};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        Game game;
        Cell cells[RULES_CELLS_MAX];
        begin_game(&game, boards[i].game);
        assert_int_equal(candidates_list(&game.board, CANDIDATES_RADIUS2, cells), boards[i].count);
        assert_int_equal(candidates_list(&game.board, CANDIDATES_LINE2, cells), boards[i].count);
        unsigned all = candidates_list(&game.board, CANDIDATES_ALL, cells);
        assert_int_equal(all, game.board.rules.gravity ? game.board.rules.width : game.board.cells);
    }
}

static void test_knights_moves(void **state)
{
    (void)state;
    Game game;
    Cell cells[RULES_CELLS_MAX];
    begin_game(&game, "9x9:k=5");
    play_text(&game, "e5");
    assert_int_equal(candidates_list(&game.board, CANDIDATES_RADIUS2, cells), 24);
    assert_int_equal(candidates_list(&game.board, CANDIDATES_LINE2, cells), 16);
    // Under gravity those that can be reached: beside a full column, or on top of a stone.
    read_drawing(&game, "9x2:k=3,gravity", "X........\nX........\nturn O 1\n");
    assert_int_equal(candidates_list(&game.board, CANDIDATES_LINE2, cells), 2);
    read_drawing(&game, "1x9:k=3,gravity", ".\n.\n.\n.\n.\n.\n.\n.\nX\nturn O 1\n");
    assert_int_equal(candidates_list(&game.board, CANDIDATES_LINE2, cells), 1);
}

TEST_GROUP(evaluation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_follow_the_board), cmocka_unit_test(test_values_by_hand),
        cmocka_unit_test(test_random_values),           cmocka_unit_test(test_orders_by_hand),
        cmocka_unit_test(test_history_counts_by_side),  cmocka_unit_test(test_candidates_of_an_empty_board),
        cmocka_unit_test(test_knights_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
