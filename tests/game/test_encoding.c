// Tests of the encoding of positions as text: all positions of tiny boards, thousands of random positions of others.
#include "base/rng.h"
#include "game/encoding.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const games[] = {
    "tictactoe", "connect4",        "connect6",  "1x1:k=1",        "1x9:k=3",
    "9x1:k=3",   "5x3:k=3,p=2,q=2", "64x64:k=5", "64x2:k=5,exact", "3x40:k=11,gravity",
};
enum { GAMES = sizeof games / sizeof games[0] };

// --- The factor ---

// Pairs of different offsets that share an index row * factor + column, on a board of this size.
static unsigned collisions(int width, int height, int factor)
{
    unsigned count = 0;
    for (int r = 1 - height; r < height; r++)
        for (int c = 1 - width; c < width; c++)
            for (int r2 = 1 - height; r2 < height; r2++)
                for (int c2 = 1 - width; c2 < width; c2++)
                    count += (r != r2 || c != c2) && r * factor + c == r2 * factor + c2;
    return count;
}

// With the paper's factor n and all factors below 2n - 1, offsets collide; with 2n - 1 they do not. A single row has no
// collisions.
static void test_the_smallest_factor(void **state)
{
    (void)state;
    for (int width = 2; width <= 7; width++)
        for (int height = 2; height <= 5; height++) {
            for (int factor = width; factor < 2 * width - 1; factor++)
                assert_true(collisions(width, height, factor) > 0);
            assert_int_equal(collisions(width, height, 2 * width - 1), 0);
        }
    for (int width = 1; width <= 7; width++)
        assert_int_equal(collisions(width, 1, width), 0);
}

// The example of the header: the same index by the paper's formula, different ones here.
static void test_the_example(void **state)
{
    (void)state;
    Rules rules = rules_of("tictactoe");
    Cell left = cell_at(0, 0), right = cell_at(2, 0), middle = cell_at(1, 0), up = cell_at(0, 1);
    assert_int_equal(0 * 3 + (2 - 0), 1 * 3 + (0 - 1));
    assert_int_equal(encoding_index(&rules, ENCODING_RELATIVE, left, right), 2);
    assert_int_equal(encoding_index(&rules, ENCODING_RELATIVE, middle, up), 4);
}

static void test_indices_and_cells(void **state)
{
    (void)state;
    static const char *const sizes[] = {"1x1:k=1", "1x5:k=2", "5x1:k=2", "2x3:k=2", "4x3:k=2", "64x64:k=5"};
    for (size_t g = 0; g < sizeof sizes / sizeof sizes[0]; g++) {
        Rules rules = rules_of(sizes[g]);
        unsigned step = rules.width > 10 ? 21 : 1;
        for (unsigned origin = 0; origin < rules_cells(&rules); origin += step)
            for (unsigned i = 0; i < rules_cells(&rules); i++) {
                Cell from = cell_at(origin % rules.width, origin / rules.width);
                Cell to = cell_at(i % rules.width, i / rules.width), back = 0;
                for (Encoding encoding = ENCODING_RELATIVE; encoding <= ENCODING_ABSOLUTE; encoding++) {
                    int index = encoding_index(&rules, encoding, from, to);
                    assert_true(encoding_cell(&rules, encoding, from, index, &back));
                    assert_int_equal(back, to);
                }
                assert_int_equal(encoding_index(&rules, ENCODING_ABSOLUTE, from, to), i);
            }
    }
}

static void test_off_the_board(void **state)
{
    (void)state;
    Rules rules = rules_of("4x3:k=2");
    Cell cell = 0;
    assert_false(encoding_cell(&rules, ENCODING_ABSOLUTE, 0, 12, &cell));
    assert_false(encoding_cell(&rules, ENCODING_ABSOLUTE, 0, -1, &cell));
    assert_false(encoding_cell(&rules, ENCODING_RELATIVE, cell_at(0, 0), -1, &cell)); // left of column a
    assert_false(encoding_cell(&rules, ENCODING_RELATIVE, cell_at(3, 0), 1, &cell));  // right of column d
    assert_false(encoding_cell(&rules, ENCODING_RELATIVE, cell_at(3, 0), -7, &cell)); // below row 1
    assert_false(encoding_cell(&rules, ENCODING_RELATIVE, cell_at(0, 2), 7, &cell));  // above row 3
    assert_true(encoding_cell(&rules, ENCODING_RELATIVE, cell_at(3, 1), -10, &cell)); // three left, one down
    assert_int_equal(cell, cell_at(0, 0));
}

// --- Texts ---

static void assert_text(const Board *board, Encoding encoding, Cell origin, const char *expected)
{
    static StoneLists lists;
    Text text = {0};
    encoding_lists(board, encoding, SYMMETRY_IDENTITY, origin, &lists);
    encoding_write(&lists, &board->rules, encoding, &text);
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void test_by_hand(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "tictactoe");
    assert_text(&game.board, ENCODING_ABSOLUTE, 0, "0");
    assert_text(&game.board, ENCODING_RELATIVE, 0, "/");
    play_text(&game, "b1 a2"); // 1 * 3^1 + 2 * 3^3
    assert_text(&game.board, ENCODING_ABSOLUTE, 0, "57");
    assert_text(&game.board, ENCODING_RELATIVE, cell_at(1, 0), "0/4");
    begin_game(&game, "connect6");
    play_text(&game, "j10 k11 k9 j9 i9");
    assert_text(&game.board, ENCODING_RELATIVE, cell_at(9, 9), "-38 -37 0/-36 38");
    begin_game(&game, "19x19:k=6");
    play_text(&game, "s19"); // 3^360
    assert_text(&game.board, ENCODING_ABSOLUTE, 0,
                "580298835530106426357294126901881226488675749834211803982760395689336838920615499470542642"
                "9662904979537365662938773593537918329060451697709838267789886857631025156060199201");
}

static void test_names(void **state)
{
    (void)state;
    Encoding encoding = ENCODING_RELATIVE;
    assert_true(encoding_find(span_of("absolute"), &encoding));
    assert_int_equal(encoding, ENCODING_ABSOLUTE);
    assert_true(encoding_find(span_of("relative"), &encoding));
    assert_int_equal(encoding, ENCODING_RELATIVE);
    assert_false(encoding_find(span_of("other"), &encoding));
    assert_string_equal(encoding_name(ENCODING_ABSOLUTE), "absolute");
}

// Writes and reads a position; the stones must be the same.
static void go_around(const Board *board, Encoding encoding, Cell origin, Text *text)
{
    static StoneLists lists, again;
    static Board back;
    Error error = {0};
    encoding_lists(board, encoding, SYMMETRY_IDENTITY, origin, &lists);
    text->length = 0;
    encoding_write(&lists, &board->rules, encoding, text);
    assert_done(encoding_read((Span){text->data, text->length}, &board->rules, encoding, &again, &error), error);
    assert_int_equal(encoding_compare(&lists, &again), 0);
    assert_true(encoding_board(&again, &board->rules, encoding, origin, &back));
    for (unsigned row = 0; row < board->rules.height; row++)
        for (int side = 0; side < 2; side++)
            assert_true(back.line[row][side] == board->line[row][side]);
}

// --- Exhaustively ---

// A position of a tiny board by its number in base 3.
static void set_up(Board *board, const Rules *rules, unsigned number)
{
    board_init(board, rules);
    for (unsigned i = 0; i < rules_cells(rules); i++, number /= 3)
        if (number % 3 != 0)
            board_put(board, cell_at(i % rules->width, i / rules->width), (Side)(number % 3 - 1));
}

static unsigned power(unsigned exponent)
{
    return exponent == 0 ? 1 : 3 * power(exponent - 1);
}

static void test_all_absolute_positions(void **state)
{
    (void)state;
    static const char *const sizes[] = {"1x1:k=1", "3x2:k=2", "1x7:k=2", "7x1:k=2", "3x3:k=3"};
    Text text = {0};
    for (size_t g = 0; g < sizeof sizes / sizeof sizes[0]; g++) {
        Rules rules = rules_of(sizes[g]);
        for (unsigned number = 0; number < power(rules_cells(&rules)); number++) {
            static Board board;
            char expected[16];
            set_up(&board, &rules, number);
            go_around(&board, ENCODING_ABSOLUTE, 0, &text);
            (void)snprintf(expected, sizeof expected, "%u", number);
            assert_string_equal(text.data, expected);
        }
    }
    text_close(&text);
}

// A relative code and its arrangement computed independently: each stone as row, column, side.
typedef struct {
    char code[80], shape[160];
} Pair;

static void draw_shape(const Board *board, Cell origin, char shape[160])
{
    int length = 0;
    for (int row = 0; row < board->rules.height; row++)
        for (int column = 0; column < board->rules.width; column++) {
            Stone stone = board_stone(board, cell_at((unsigned)column, (unsigned)row));
            if (stone != STONE_NONE)
                length += snprintf(shape + length, 160 - (size_t)length, "%d,%d%c", row - (int)cell_row(origin),
                                   column - (int)cell_column(origin), "XO"[stone]);
        }
}

static int by_code(const void *a, const void *b)
{
    return strcmp(((const Pair *)a)->code, ((const Pair *)b)->code);
}

static int by_shape(const void *a, const void *b)
{
    return strcmp(((const Pair *)a)->shape, ((const Pair *)b)->shape);
}

// Neighbours in either order: the codes are equal exactly if the arrangements are equal.
static void assert_one_to_one(Pair *pairs, size_t count)
{
    for (int order = 0; order < 2; order++) {
        qsort(pairs, count, sizeof *pairs, order == 0 ? by_code : by_shape);
        for (size_t i = 1; i < count; i++)
            assert_int_equal(strcmp(pairs[i - 1].code, pairs[i].code) == 0,
                             strcmp(pairs[i - 1].shape, pairs[i].shape) == 0);
    }
}

static void test_all_relative_positions(void **state)
{
    (void)state;
    static const char *const sizes[] = {"2x2:k=2", "3x2:k=2", "2x3:k=2", "6x1:k=2", "1x6:k=2", "4x2:k=2"};
    for (size_t g = 0; g < sizeof sizes / sizeof sizes[0]; g++) {
        Rules rules = rules_of(sizes[g]);
        unsigned cells = rules_cells(&rules), all = power(cells);
        Pair *pairs = calloc((size_t)all * cells, sizeof *pairs);
        size_t count = 0;
        Text text = {0};
        assert_non_null(pairs);
        for (unsigned number = 0; number < all; number++) {
            static Board board;
            set_up(&board, &rules, number);
            for (unsigned i = 0; i < cells; i++) {
                Cell origin = cell_at(i % rules.width, i / rules.width);
                if (board_stone(&board, origin) != STONE_FIRST)
                    continue;
                go_around(&board, ENCODING_RELATIVE, origin, &text);
                (void)snprintf(pairs[count].code, sizeof pairs[count].code, "%s", text.data);
                draw_shape(&board, origin, pairs[count++].shape);
            }
        }
        assert_one_to_one(pairs, count);
        text_close(&text);
        free(pairs);
    }
}

// --- Random positions ---

// A board with some stones of both, at least one of the first, which is returned.
static Cell scatter(Board *board, const Rules *rules, Rng *rng)
{
    unsigned cells = rules_cells(rules), wanted = 1 + rng_below(rng, cells < 60 ? cells : 60);
    Cell first = CELL_NONE;
    board_init(board, rules);
    for (unsigned i = 0; i < wanted; i++) {
        unsigned at = rng_below(rng, cells);
        Cell cell = cell_at(at % rules->width, at / rules->width);
        if (board_stone(board, cell) != STONE_NONE)
            continue;
        board_put(board, cell, first == CELL_NONE ? SIDE_FIRST : (Side)rng_below(rng, 2));
        first = first == CELL_NONE ? cell : first;
    }
    return first;
}

static void test_random_positions(void **state)
{
    (void)state;
    Rng rng = rng_make(11);
    Text text = {0};
    for (unsigned long i = 0; i < test_steps() / 6; i++) {
        static Board board;
        Rules rules = rules_of(games[i % GAMES]);
        Cell first = scatter(&board, &rules, &rng);
        go_around(&board, ENCODING_RELATIVE, first, &text);
        go_around(&board, ENCODING_ABSOLUTE, first, &text);
    }
    text_close(&text);
}

static void test_a_full_board(void **state)
{
    (void)state;
    static Board board;
    Rules rules = rules_of("64x64:k=5");
    Text text = {0};
    board_init(&board, &rules);
    for (unsigned i = 0; i < RULES_CELLS_MAX; i++)
        board_put(&board, (Cell)i, (Side)(i > 0));
    go_around(&board, ENCODING_ABSOLUTE, 0, &text);
    assert_int_equal(text.length, 1955);
    go_around(&board, ENCODING_RELATIVE, 0, &text);
    text_close(&text);
}

// The lists under a symmetry are those of the board under this symmetry.
static void test_symmetries(void **state)
{
    (void)state;
    Rng rng = rng_make(12);
    for (int i = 0; i < 400; i++) {
        static Board board, picture;
        static StoneLists lists, expected;
        Rules rules = rules_of(games[(unsigned)i % GAMES]);
        Cell first = scatter(&board, &rules, &rng);
        for (Symmetry symmetry = 0; symmetry < symmetry_count(&rules); symmetry++) {
            Cell origin = symmetry_cell(&rules, symmetry, first);
            symmetry_board(&board, symmetry, &picture);
            for (Encoding encoding = ENCODING_RELATIVE; encoding <= ENCODING_ABSOLUTE; encoding++) {
                encoding_lists(&board, encoding, symmetry, origin, &lists);
                encoding_lists(&picture, encoding, SYMMETRY_IDENTITY, origin, &expected);
                assert_int_equal(encoding_compare(&lists, &expected), 0);
            }
        }
    }
}

// --- Invalid texts ---

static void test_bad_texts(void **state)
{
    (void)state;
    static StoneLists lists;
    static const char *const relative[] = {
        "",        "0",       "0//",  "0 /",           " 0/",     "0/ 1",  "0/1 ",  "0  1/", "1 0/", "0 0/",
        "+0/",     "-0/",     "00/",  "0/0",           "x/",      "0/1.5", "0/1/2", "1/",    "/1",   "0/13",
        "0 -1 2/", "-2 0 1/", "0/14", "0/99999999999", "0/32768",
    };
    static const char *const absolute[] = {
        "", "00", "01", "+1", "-1", "x", "1 ", " 1", "1.5", "19683", "99999999999999999999"};
    Rules rules = rules_of("tictactoe");
    Error error = {0};
    for (size_t i = 0; i < sizeof relative / sizeof relative[0]; i++)
        if (encoding_read(span_of(relative[i]), &rules, ENCODING_RELATIVE, &lists, &error) != STATUS_BAD_INPUT)
            fail_msg("'%s' is accepted", relative[i]);
    for (size_t i = 0; i < sizeof absolute / sizeof absolute[0]; i++)
        if (encoding_read(span_of(absolute[i]), &rules, ENCODING_ABSOLUTE, &lists, &error) != STATUS_BAD_INPUT)
            fail_msg("'%s' is accepted", absolute[i]);
    assert_done(encoding_read(span_of("19682"), &rules, ENCODING_ABSOLUTE, &lists, &error), error); // 3^9 - 1
    assert_int_equal(lists.count[1], 9);
    assert_done(encoding_read(span_of("0 10/12"), &rules, ENCODING_RELATIVE, &lists, &error), error);
    char longest[2001];
    memset(longest, '9', 2000);
    longest[2000] = '\0';
    assert_refused(encoding_read(span_of(longest), &rules, ENCODING_ABSOLUTE, &lists, &error), error, "not a number");
    Rules largest = rules_of("64x64:k=5");
    longest[1955] = '\0';
    assert_refused(encoding_read(span_of(longest), &largest, ENCODING_ABSOLUTE, &lists, &error), error, "larger");
}

TEST_GROUP(encoding)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_smallest_factor),
        cmocka_unit_test(test_the_example),
        cmocka_unit_test(test_indices_and_cells),
        cmocka_unit_test(test_off_the_board),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_all_absolute_positions),
        cmocka_unit_test(test_all_relative_positions),
        cmocka_unit_test(test_random_positions),
        cmocka_unit_test(test_a_full_board),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_bad_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
