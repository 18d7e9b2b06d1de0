// Tests of chains: compared with definitions written cell by cell, and with hand-made cases.
#include "papers/connect5/chains.h"
#include "papers/connect5/evaluation.h"
#include "support/check.h"
#include "threats/lines.h"

static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

// The stone at a place of any numbers: 0, 1, STONE_NONE, or 3 beyond the edge.
static unsigned at(const Board *board, int x, int y)
{
    if (x < 0 || y < 0 || x >= board->rules.width || y >= board->rules.height)
        return 3;
    return (unsigned)board_stone(board, cell_at((unsigned)x, (unsigned)y));
}

static bool is_free(const Board *board, int x, int y)
{
    return at(board, x, y) == STONE_NONE && (!board->rules.gravity || y == 0 || at(board, x, y - 1) < STONE_NONE);
}

// --- Plain definitions ---

// The length of the chain that starts at a cell in a direction; 0 if none starts there.
static unsigned plain_length(const Board *board, int x, int y, const int step[2], unsigned side)
{
    unsigned length = 0;
    if (at(board, x - step[0], y - step[1]) == side)
        return 0;
    for (; at(board, x, y) == side; length++) {
        x += step[0];
        y += step[1];
    }
    return length;
}

static int64_t plain_sum(const Board *board, unsigned side, const int64_t *value)
{
    int64_t sum = 0;
    for (int i = 0; i < board->rules.height * board->rules.width * 4; i++) {
        const int *step = directions[i % 4];
        int x = i / 4 % board->rules.width, y = i / 4 / board->rules.width;
        int n = (int)plain_length(board, x, y, step, side);
        bool valid = is_free(board, x - step[0], y - step[1]) || is_free(board, x + n * step[0], y + n * step[1]);
        if (n >= 2 && n <= board->rules.k && valid)
            sum += value[n];
    }
    return sum;
}

// Whether a chain of `least` to `most` stones ends beside a cell.
static bool plain_is_end(const Board *board, int x, int y, unsigned side, unsigned least, unsigned most)
{
    for (int d = 0; d < 8; d++) {
        int way = d < 4 ? 1 : -1, dx = way * directions[d % 4][0], dy = way * directions[d % 4][1];
        unsigned n = 0;
        while (at(board, x + (int)(n + 1) * dx, y + (int)(n + 1) * dy) == side)
            n++;
        if (n > 0 && n >= least && n <= most)
            return true;
    }
    return false;
}

// Whether a window can be completed with that many stones, none of them elsewhere, and its stones stand one after
// another if they must.
static bool plain_completes(const Board *board, int x, int y, const int step[2], unsigned side, unsigned stones,
                            bool gaps)
{
    int k = board->rules.k, others = 0, chains = 0, hanging = 0;
    unsigned empty = 0;
    for (int i = 0; i < k; i++) {
        int cx = x + i * step[0], cy = y + i * step[1];
        bool on_the_row = step[0] == 0 && i > 0;
        empty += at(board, cx, cy) == STONE_NONE;
        hanging += at(board, cx, cy) == STONE_NONE && !on_the_row && !is_free(board, cx, cy);
        others += at(board, cx, cy) != side && at(board, cx, cy) != STONE_NONE;
        chains += at(board, cx, cy) == side && (i == 0 || at(board, cx - step[0], cy - step[1]) != side);
    }
    bool longer = at(board, x - step[0], y - step[1]) == side || at(board, x + k * step[0], y + k * step[1]) == side;
    return others == 0 && hanging == 0 && empty <= stones && (gaps || chains <= 1) && !(board->rules.exact && longer);
}

// Whether the i-th cell of a window is beside a stone in it, or the window has none.
static bool plain_is_beside(const Board *board, int x, int y, const int step[2], int i, unsigned side)
{
    int stones = 0, k = board->rules.k;
    for (int j = 0; j < k; j++)
        stones += at(board, x + j * step[0], y + j * step[1]) == side;
    return stones == 0 || (i > 0 && at(board, x + (i - 1) * step[0], y + (i - 1) * step[1]) == side) ||
           (i + 1 < k && at(board, x + (i + 1) * step[0], y + (i + 1) * step[1]) == side);
}

static bool plain_is_completion(const Board *board, int x, int y, unsigned side, unsigned stones, bool gaps)
{
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < board->rules.k; i++) {
            const int *step = directions[d];
            int from_x = x - i * step[0], from_y = y - i * step[1];
            if (plain_completes(board, from_x, from_y, step, side, stones, gaps) &&
                (gaps || plain_is_beside(board, from_x, from_y, step, i, side)))
                return true;
        }
    return false;
}

// --- Random boards ---

static const char *const games[] = {"connect4",
                                    "7x6:k=4",
                                    "9x9:k=6,p=2,q=1",
                                    "64x1:k=30",
                                    "1x64:k=3,exact,gravity",
                                    "64x3:k=8",
                                    "5x4:k=3,gravity",
                                    "6x6:k=3,exact",
                                    "1x1:k=1",
                                    "4x3:k=2,gravity",
                                    "8x5:k=4,gravity,exact",
                                    "12x9:k=5",
                                    "64x64:k=64",
                                    "9x7:k=5,p=2,q=1,gravity"};
enum { GAMES = sizeof games / sizeof games[0] };

static void check_sums(const Board *board)
{
    Evaluation evaluation;
    evaluation_init(&evaluation, EVALUATION_CHAINS, &board->rules);
    int64_t sum[2], first = plain_sum(board, 0, evaluation.run_value),
                    second = plain_sum(board, 1, evaluation.run_value);
    for (unsigned line = 0; line < board->line_count; line++)
        assert_true(evaluation.line_cells[line] == lines_mask(board, line));
    chains_add_up(board, evaluation.line_cells, evaluation.run_value, sum);
    assert_true(sum[0] == first && sum[1] == second);
    EvaluationPoints none = evaluation_count(&evaluation, board);
    assert_true(evaluation_value(&evaluation, board, &none, SIDE_FIRST) == first - 2 * second);
    assert_true(evaluation_value(&evaluation, board, &none, SIDE_SECOND) == second - 2 * first);
}

static void check_cells(const Board *board, Rng *rng)
{
    unsigned side = rng_below(rng, 2), least = 1 + rng_below(rng, 3), most = least + rng_below(rng, 2), count = 0;
    unsigned stones = 1 + rng_below(rng, 3);
    bool gaps = rng_below(rng, 2) == 0;
    ChainCells ends, completions;
    chains_ends(board, (Side)side, least, most, &ends);
    chains_completions(board, (Side)side, stones, gaps, &completions);
    for (int y = 0; y < board->rules.height; y++)
        for (int x = 0; x < board->rules.width; x++) {
            bool legal = is_free(board, x, y), end = (ends.row[y] >> x & 1) != 0;
            assert_int_equal(end, legal && plain_is_end(board, x, y, side, least, most));
            assert_int_equal(completions.row[y] >> x & 1,
                             legal && plain_is_completion(board, x, y, side, stones, gaps));
            if (end)
                assert_int_equal(chains_nth(&ends, count++), cell_at((unsigned)x, (unsigned)y));
        }
    assert_int_equal(chains_count(&ends), count);
}

static void test_plain_definitions(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
    unsigned long tries = test_steps() / 20;
    unsigned worth = 0;
    for (unsigned long i = 0; i < tries; i++) {
        Rules rules = rules_of(games[rng_below(&rng, i % 50 == 0 ? GAMES : GAMES - 2)]);
        Board board;
        if (!scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules)), &rng))
            continue;
        check_sums(&board);
        check_cells(&board, &rng);
        worth++;
    }
    assert_true(worth > tries / 10);
}

// --- By hand ---

static int64_t value_of(const char *rules, const char *drawing, Side side)
{
    Game game;
    read_drawing(&game, rules, drawing);
    Evaluation evaluation;
    evaluation_init(&evaluation, EVALUATION_CHAINS, &game.board.rules);
    EvaluationPoints points = evaluation_count(&evaluation, &game.board);
    return evaluation_value(&evaluation, &game.board, &points, side);
}

// "If 16 points were added for one's own two-in-a-row, an opponent's two-in-a-row would subtract 32."
static void test_values_of_the_text(void **state)
{
    (void)state;
    const char *two = ".......\n.......\n.......\n.......\n.......\n..XX...\nturn O 1\n";
    assert_true(value_of("connect4", two, SIDE_FIRST) == 16);
    assert_true(value_of("connect4", two, SIDE_SECOND) == -32);
    const char *three = ".......\n.......\n.......\nX......\nX......\nX..O.O.\nturn O 1\n";
    assert_true(value_of("connect4", three, SIDE_FIRST) == 64);
    assert_true(value_of("connect4", three, SIDE_SECOND) == -128);
    // A single stone is no chain.
    assert_true(value_of("connect4", ".......\n.......\n.......\n.......\n.......\n...X...\nturn O 1\n", SIDE_FIRST) ==
                0);
}

// Fig. 3: a three with no cell beside it that could be chosen does not count, a two that can be blocked does.
static void test_valid_chains(void **state)
{
    (void)state;
    // X's three in a column ends below O. In the bottom row only the pair of O, e1 f1, can be blocked, in g1.
    const char *board = ".......\n.......\nO......\nX......\nXX.....\nXOOXOO.\nturn X 1\n";
    // X: c is not beside a chain of X but b2 is: a2 b2 ends in the empty c2, which is legal. a3 b2 is a chain as well
    // and ends in c1, which is taken, and beyond the edge. b2 a1: c3 hangs in the air, beyond a1 is the edge. O: b1 c1
    // is shut in; e1 f1 is open. a4 stands alone.
    assert_true(value_of("connect4", board, SIDE_FIRST) == 16 - 2 * 16);
    // Without gravity c3 may be chosen, and b2 a1 counts, too.
    assert_true(value_of("7x6:k=4", board, SIDE_FIRST) == 2 * 16 - 2 * 16);
    // A two above an empty cell: neither end can be reached until something stands below it.
    const char *high = ".......\n.......\n.......\n.......\n..XX...\n..OX...\nturn O 1\n";
    // The pair c2 d2 has b2 and e2 in the air. d1 d2 can be blocked in d3. c2 d1: b3 is in the air, and e0 is none.
    assert_true(value_of("connect4", high, SIDE_FIRST) == 16);
    const char *held = ".......\n.......\n.......\n.......\n..XX...\n..OXO..\nturn O 1\n";
    assert_true(value_of("connect4", held, SIDE_FIRST) == 16 + 16);
}

// A row of more than k has no value if it does not win.
static void test_chains_longer_than_k(void **state)
{
    (void)state;
    assert_true(value_of("9x1:k=3,exact", ".XXXX.O..\nturn O 1\n", SIDE_FIRST) == 0);
    assert_true(value_of("9x1:k=3,exact", ".XX.OO...\nturn X 1\n", SIDE_FIRST) == 16 - 32);
}

// The threes of the paper's steps 1 and 2.
static void test_completions_by_hand(void **state)
{
    (void)state;
    Game game;
    ChainCells cells;
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.......\n.XXX.X.\nturn O 1\n");
    chains_completions(&game.board, SIDE_FIRST, 1, false, &cells);
    assert_true(cells.row[0] == 0x11 && chains_count(&cells) == 2);
    assert_int_equal(chains_nth(&cells, 1), cell_at(4, 0));
    read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.......\nXX.X...\nturn O 1\n");
    chains_completions(&game.board, SIDE_FIRST, 1, false, &cells);
    assert_int_equal(chains_count(&cells), 0);
    chains_completions(&game.board, SIDE_FIRST, 1, true, &cells);
    assert_true(cells.row[0] == 4 && chains_count(&cells) == 1);
}

TEST_GROUP(chains)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_definitions),   cmocka_unit_test(test_values_of_the_text),
        cmocka_unit_test(test_valid_chains),        cmocka_unit_test(test_chains_longer_than_k),
        cmocka_unit_test(test_completions_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
