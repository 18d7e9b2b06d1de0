// Tests of generalised threats: lines computed by hand, and random boards compared with a second version written cell
// by cell.
#include "support/check.h"

#include "base/rng.h"
#include "game/symmetry.h"
#include "papers/levin/generalised.h"

#include <stdio.h>
#include <stdlib.h>

static const GeneralisedStyle plain = {.c = GENERALISED_C};
static const GeneralisedStyle contiguous = {.c = GENERALISED_C, .windows = GENERALISED_CONTIGUOUS};

// n_t with c = 6; a board value is then a number to the base 64.
enum { N1 = 1, N2 = 64, N3 = 4096, N4 = 262144, N5 = 16777216 };

// --- By hand ---

// The values of the cells of a drawn board of one row, from left to right; stones are 0.
static void check_line(const char *rules, const char *drawing, const GeneralisedStyle *style, const uint64_t *expected)
{
    Game game;
    read_drawing(&game, rules, drawing);
    Generalised threats;
    generalised_read(&game.board, style, &threats);
    for (unsigned x = 0; x < game.board.rules.width; x++)
        if (generalised_cell(&threats, cell_at(x, 0)) != expected[x]) {
            print_error("%s %s: column %u has %llu, not %llu\n", rules, drawing, x,
                        (unsigned long long)generalised_cell(&threats, cell_at(x, 0)), (unsigned long long)expected[x]);
            fail();
        }
}

// The line of the header.
static void test_the_line_computed_by_hand(void **state)
{
    (void)state;
    check_line("9x1:k=4", "..XX..O..\nturn X 1\n", &plain, (uint64_t[]){N2, N2 + N2, 0, 0, N2 + N1, N2 + N1, 0, 0, 0});
    Game game;
    read_drawing(&game, "9x1:k=4", "..XX..O..\nturn X 1\n");
    Generalised threats;
    generalised_read(&game.board, &plain, &threats);
    assert_true(threats.total[SIDE_FIRST] == 320 && threats.total[SIDE_SECOND] == 2);
    assert_true(generalised_utility(&threats, SIDE_FIRST) == 318);
    assert_true(generalised_utility(&threats, SIDE_SECOND) == -318);
    assert_true(threats.value[SIDE_FIRST][cell_at(4, 0)] == N2 && threats.value[SIDE_SECOND][cell_at(4, 0)] == N1);
}

// A live window of six cells between stones of the opponent: all its cells have a value, unless windows are contiguous.
// Where a check had fewer than k cells, there is no second value.
static void test_live_windows_have_values(void **state)
{
    (void)state;
    check_line("8x1:k=6,p=2", "O..XXX.O\nturn X 2\n", &plain, (uint64_t[]){0, N3, N3, 0, 0, 0, N3, 0});
    check_line("8x1:k=6,p=2", "O..XXX.O\nturn X 2\n", &contiguous, (uint64_t[]){0, N3, 0, 0, 0, 0, N3, 0});
    check_line("9x1:k=6,p=2", "...XX.O..\nturn X 2\n", &plain, (uint64_t[]){N2, N2, N2, 0, 0, N2, 0, 0, 0});
    // The backward check of c has four cells, but its forward check has three.
    check_line("6x1:k=4", "...X.O\nturn X 1\n", &plain, (uint64_t[]){N1, N1, N1, 0, N1, 0});
    // The extension stops at the other colour.
    check_line("8x1:k=6,p=2", ".O.XXX.O\nturn X 2\n", &plain, (uint64_t[]){0, 0, 0, 0, 0, 0, 0, 0});
}

// A cell that sees a part of a row only is dominated by the cells that see all of it: g and h here see three stones of
// four, and two.
static void test_shadows(void **state)
{
    (void)state;
    check_line("12x1:k=6,p=2", ".XXXX.......\nturn O 2\n", &plain,
               (uint64_t[]){N4, 0, 0, 0, 0, N4 + N4, N4, 0, 0, 0, 0, 0});
    // A row of its own more than k = 3 steps away is not dominated: the k-th step is the last one that is.
    check_line("12x1:k=3", ".XX....O..X.\nturn O 1\n", &plain,
               (uint64_t[]){N2 + N2, 0, 0, N2 + N2, 0, 0, 0, 0, N1 + N1, N1 + N1, 0, N1});
    check_line("12x1:k=3", ".XX.....O...\nturn O 1\n", &plain,
               (uint64_t[]){N2 + N2, 0, 0, N2 + N2, 0, 0, 0, N1 + N1, 0, N1 + N1, N1, 0});
}

// A dominated value dominates nothing. k = 4: h sees two O and is dominated by e, three steps away, which sees three X.
// So l, four steps from h and seven from e, keeps its single X, and so does n; m is in a window with it if windows are
// extended.
static void test_what_is_not_set_dominates_nothing(void **state)
{
    (void)state;
    check_line("15x1:k=4", ".XXX....OOX....\nturn X 1\n", &plain,
               (uint64_t[]){N3 + N3, 0, 0, 0, N3 + N3, 0, 0, 0, 0, 0, 0, N1, N1, N1, 0});
    check_line("15x1:k=4", ".XXX....OOX....\nturn X 1\n", &contiguous,
               (uint64_t[]){N3 + N3, 0, 0, 0, N3 + N3, 0, 0, 0, 0, 0, 0, N1, 0, N1, 0});
}

// Without k cells there is no threat, at the edge or between stones of the other player.
static void test_places_that_are_too_narrow(void **state)
{
    (void)state;
    check_line("7x1:k=5", "OXX.XXO\nturn X 1\n", &plain, (uint64_t[]){0, 0, 0, N4 + N4, 0, 0, 0});
    check_line("7x1:k=6", "OXX.XXO\nturn X 1\n", &plain, (uint64_t[]){0, 0, 0, 0, 0, 0, 0});
    check_line("4x1:k=4", "XX..\nturn X 1\n", &plain, (uint64_t[]){0, 0, N2, N2});
    // After the end of the game too a value is at most k - 1: rows beyond x do not count.
    check_line("6x1:k=3", "XXX...\nturn O 1\n", &plain, (uint64_t[]){0, 0, 0, N2 + N2, 0, 0});
    // Two rows at once: the gap in the middle of an open four closes it from both sides.
    check_line("9x1:k=5", "..XX.XX..\nturn O 1\n", &plain, (uint64_t[]){0, 0, 0, 0, N4 + N4, 0, 0, 0, 0});
}

// Under exact five of six cells are no place for a row of four if it would have a stone too many.
static void test_overlines(void **state)
{
    (void)state;
    check_line("7x1:k=4", ".XX.XX.\nturn O 1\n", &plain, (uint64_t[]){0, 0, 0, N3 + N3, 0, 0, 0});
    check_line("7x1:k=4,exact", ".XX.XX.\nturn O 1\n", &plain, (uint64_t[]){0, 0, 0, 0, 0, 0, 0});
    check_line("8x1:k=4,exact", "..XXX.X.\nturn O 1\n", &plain, (uint64_t[]){0, N3 + N3, 0, 0, 0, 0, 0, 0});
}

// Four directions are summed, and under gravity only cells that can be played have a value.
static void test_boards(void **state)
{
    (void)state;
    Game game;
    Generalised threats;
    read_drawing(&game, "3x3:k=3", "X.O\n...\nX.O\nturn X 1\n");
    generalised_read(&game.board, &plain, &threats);
    // a2: its column has two X on both sides of it. b2: two diagonals with one X and one O have no room; its row and
    // column are empty.
    assert_true(threats.value[SIDE_FIRST][cell_at(0, 1)] == N2 + N2);
    assert_true(threats.value[SIDE_SECOND][cell_at(2, 1)] == N2 + N2);
    assert_true(generalised_cell(&threats, cell_at(1, 1)) == 0);
    read_drawing(&game, "4x2:k=3,gravity", "....\nXX..\nturn X 1\n");
    generalised_read(&game.board, &plain, &threats);
    assert_true(generalised_cell(&threats, cell_at(2, 0)) == N2 + N2);
    assert_true(generalised_cell(&threats, cell_at(3, 0)) == 0);
    assert_true(threats.total[0] == N2 + N2 && threats.total[1] == 0);
}

static void test_priorities(void **state)
{
    (void)state;
    static const GeneralisedStyle clever = {.c = GENERALISED_C, .prioritise = true};
    uint64_t n6 = UINT64_C(1) << 30;
    // Two stones left: four become six. O's four has to be blocked as before.
    check_line("8x1:k=6,p=2", ".XXXX...\nturn X 2\n", &clever, (uint64_t[]){n6, 0, 0, 0, 0, 2 * n6, n6, 0});
    check_line("8x1:k=6,p=2", ".OOOO...\nturn X 2\n", &clever, (uint64_t[]){N4, 0, 0, 0, 0, N4 + N4, N4, 0});
    // One stone left: a fifth stone wins nothing, a fourth makes a threat of three, a sixth wins.
    check_line("8x1:k=6,p=2", ".XXXX...\nturn X 1\n", &clever, (uint64_t[]){N1, 0, 0, 0, 0, N1 + N1, N1, 0});
    check_line("8x1:k=6,p=2", ".XXX....\nturn X 1\n", &clever, (uint64_t[]){N3, 0, 0, 0, N3, N3, N3, 0});
    check_line("8x1:k=6,p=2", ".XXXXX..\nturn X 1\n", &clever, (uint64_t[]){2 * n6, 0, 0, 0, 0, 0, 2 * n6, 0});
}

// --- Large k ---

static void test_weights_stop_at_the_largest_number(void **state)
{
    (void)state;
    Game game;
    Generalised threats;
    char drawing[200] = ".XXXXXXXXXXXXXXXXXXXXXXXXXXXX.X.................................\nturn X 1\n";
    read_drawing(&game, "64x1:k=30", drawing);
    generalised_read(&game.board, &plain, &threats);
    assert_true(generalised_cell(&threats, cell_at(29, 0)) == UINT64_MAX);
    assert_true(generalised_cell(&threats, cell_at(0, 0)) == 0);
    assert_true(threats.total[0] == UINT64_MAX && threats.total[1] == 0);
    // A constant that fits keeps them apart.
    GeneralisedStyle style = {.c = generalised_constant(&game.board.rules, GENERALISED_C)};
    assert_int_equal(style.c, 2);
    generalised_read(&game.board, &style, &threats);
    assert_true(generalised_cell(&threats, cell_at(29, 0)) == UINT64_C(1) << 57);
    assert_true(threats.total[0] == UINT64_C(1) << 57);
    // 2^60 is the largest weight that fits with c = 6: eleven stones. Twelve are cut off without a second value too.
    read_drawing(&game, "64x1:k=30", ".XXXXXXXXXXX....................................................\nturn X 1\n");
    generalised_read(&game.board, &plain, &threats);
    assert_true(generalised_cell(&threats, cell_at(0, 0)) == UINT64_C(1) << 60);
    read_drawing(&game, "64x1:k=30", ".XXXXXXXXXXXX...................................................\nturn X 1\n");
    generalised_read(&game.board, &plain, &threats);
    assert_true(generalised_cell(&threats, cell_at(0, 0)) == UINT64_MAX);
}

static void test_constants(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        unsigned wanted, c;
    } cases[] = {
        {"connect6", 6, 6},   {"1x1:k=1", 6, 6},    {"2x2:k=2", 16, 16},  {"12x1:k=12", 6, 6}, {"13x1:k=13", 6, 5},
        {"64x1:k=30", 16, 2}, {"64x64:k=64", 6, 1}, {"connect6", 16, 15}, {"connect6", 3, 3},  {"9x9:k=9", 9, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rules rules = rules_of(cases[i].rules);
        assert_int_equal(generalised_constant(&rules, cases[i].wanted), cases[i].c);
    }
}

// --- Against a version written cell by cell ---

typedef struct {
    int length, k, mover, stone[RULES_SIDE_MAX]; // 0 and 1 players, 2 empty
    bool rated[RULES_SIDE_MAX], exact, extended;
    Cell cell[RULES_SIDE_MAX];
} PlainLine;

typedef struct {
    int stones, side;
    bool is_short; // fewer than k cells
} PlainThreat;

static int stone_at(const PlainLine *line, int x)
{
    return x >= 0 && x < line->length ? line->stone[x] : 3;
}

// One check of a cell; `d` is 1 for the forward check and -1 for the backward one.
static PlainThreat plain_check(const PlainLine *line, int x, int d)
{
    int player = 2, ahead = 1, behind = 0, most = 0;
    for (; ahead < line->k; ahead++) {
        int stone = stone_at(line, x + d * ahead);
        if (stone == 3 || (stone != 2 && player != 2 && stone != player))
            break;
        player = stone != 2 ? stone : player;
    }
    if (player == 2)
        player = stone_at(line, x - d);
    if (player >= 2)
        return (PlainThreat){0, 0, true};
    while (behind < line->k - 1 && stone_at(line, x - d * (behind + 1)) == player)
        behind++;
    bool is_short = ahead + behind < line->k;
    while (line->extended && ahead + behind < line->k) {
        int stone = stone_at(line, x - d * (behind + 1));
        if (stone != player && stone != 2)
            break;
        behind++;
    }
    for (int from = -behind; from + line->k <= ahead; from++) {
        int stones = 0;
        for (int i = from; i < from + line->k; i++)
            stones += stone_at(line, x + d * i) == player;
        bool longer =
            stone_at(line, x + d * (from - 1)) == player || stone_at(line, x + d * (from + line->k)) == player;
        most = stones > most && !(line->exact && longer) ? stones : most;
    }
    return (PlainThreat){most, player, is_short};
}

static void plain_line(const PlainLine *line, Generalised *threats)
{
    PlainThreat first[RULES_SIDE_MAX], second[RULES_SIDE_MAX];
    bool set[RULES_SIDE_MAX] = {0};
    for (int x = 0; x < line->length; x++) {
        PlainThreat none = {0, 0, true}, a = line->rated[x] ? plain_check(line, x, 1) : none;
        PlainThreat b = line->rated[x] ? plain_check(line, x, -1) : none;
        bool takes_a = a.stones > b.stones || (a.stones == b.stones && a.side == line->mover);
        first[x] = takes_a ? a : b;
        second[x] = a.is_short || b.is_short ? none : takes_a ? b : a;
    }
    for (int t = line->k; t > 0; t--)
        for (int x = 0; x < line->length; x++) {
            bool dominated = false;
            for (int y = 0; y < line->length; y++)
                dominated = dominated || (abs(x - y) <= line->k && set[y] && first[y].stones > t);
            if (first[x].stones != t || dominated)
                continue;
            set[x] = true;
            threats->value[first[x].side][line->cell[x]] += UINT64_C(1) << 4 * (t - 1);
            if (second[x].stones > 0)
                threats->value[second[x].side][line->cell[x]] += UINT64_C(1) << 4 * (second[x].stones - 1);
        }
}

// The line that begins at a cell, if one does: the step before it leaves the board.
static void plain_line_from(const Board *board, Cell begin, const int step[2], bool extended, Generalised *threats)
{
    int x = (int)cell_column(begin), y = (int)cell_row(begin);
    int width = board->rules.width, height = board->rules.height, dx = step[0], dy = step[1];
    if (x - dx >= 0 && y - dy >= 0 && y - dy < height)
        return;
    PlainLine line = {
        .k = board->rules.k, .mover = (int)board_side(board), .exact = board->rules.exact, .extended = extended};
    for (; x < width && y >= 0 && y < height; x += dx, y += dy) {
        Cell cell = cell_at((unsigned)x, (unsigned)y);
        line.cell[line.length] = cell;
        line.rated[line.length] = board_is_legal(board, cell);
        line.stone[line.length++] = (int)board_stone(board, cell);
    }
    plain_line(&line, threats);
}

static void plain_read(const Board *board, bool extended, Generalised *threats)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    *threats = (Generalised){0};
    for (int d = 0; d < 4; d++)
        for (unsigned y = 0; y < board->rules.height; y++)
            for (unsigned x = 0; x < board->rules.width; x++)
                plain_line_from(board, cell_at(x, y), steps[d], extended, threats);
}

static const char *const games[] = {
    "9x9:k=5",           "7x6:k=4,gravity", "8x8:k=4,exact",     "12x3:k=6,p=2,q=1",      "5x5:k=3,p=2,q=1",
    "13x13:k=6,p=2,q=1", "16x1:k=4,exact",  "1x16:k=3",          "9x7:k=4,gravity,exact", "4x4:k=2",
    "3x3:k=1",           "64x2:k=9",        "40x1:k=12,p=3,q=3", "15x15:k=5,exact",
};
enum { GAMES = sizeof games / sizeof games[0] };

// A position from play with stones close together, so that rows occur.
static void random_position(Board *board, const Rules *rules, Rng *rng)
{
    board_init(board, rules);
    unsigned stones = rng_below(rng, rules_cells(rules)), at = rng_below(rng, rules_cells(rules));
    Cell cells[RULES_CELLS_MAX];
    for (unsigned i = 0; i < stones && !board_is_over(board); i++) {
        unsigned count = board_legal_cells(board, cells);
        at = (at + rng_below(rng, 3)) % count;
        (void)board_play(board, cells[rng_below(rng, 3) == 0 ? rng_below(rng, count) : at]);
    }
}

static void compare(const Board *board, const Generalised *a, const Generalised *b)
{
    for (unsigned y = 0; y < board->rules.height; y++)
        for (unsigned x = 0; x < board->rules.width; x++)
            for (int side = 0; side < 2; side++)
                if (a->value[side][cell_at(x, y)] != b->value[side][cell_at(x, y)]) {
                    print_error("column %u, row %u, side %d: %llx, plainly %llx\n", x, y, side,
                                (unsigned long long)a->value[side][cell_at(x, y)],
                                (unsigned long long)b->value[side][cell_at(x, y)]);
                    fail();
                }
}

static void test_against_the_plain_version(void **state)
{
    (void)state;
    static const GeneralisedStyle styles[] = {{.c = 4}, {.c = 4, .windows = GENERALISED_CONTIGUOUS}};
    Rng rng = rng_make(8);
    Generalised fast, slow;
    uint64_t sum = 0;
    for (unsigned long i = 0; i < test_steps() / 30; i++) {
        Rules rules = rules_of(games[i % GAMES]);
        Board board;
        random_position(&board, &rules, &rng);
        if (board_is_over(&board))
            continue;
        for (size_t j = 0; j < sizeof styles / sizeof styles[0]; j++) {
            generalised_read(&board, &styles[j], &fast);
            plain_read(&board, styles[j].windows == GENERALISED_EXTENDED, &slow);
            compare(&board, &fast, &slow);
            sum += fast.total[0] + fast.total[1];
        }
    }
    assert_true(sum > 0);
}

// --- Symmetry ---

static void test_symmetric_boards_have_symmetric_values(void **state)
{
    (void)state;
    Rng rng = rng_make(9);
    Generalised here, there;
    for (unsigned long i = 0; i < test_steps() / 100; i++) {
        Rules rules = rules_of(games[i % GAMES]);
        Board board, seen;
        random_position(&board, &rules, &rng);
        generalised_read(&board, &plain, &here);
        for (Symmetry symmetry = 1; symmetry < symmetry_count(&rules); symmetry++) {
            symmetry_board(&board, symmetry, &seen);
            generalised_read(&seen, &plain, &there);
            for (unsigned c = 0; c < rules_cells(&rules); c++) {
                Cell cell = cell_at(c % rules.width, c / rules.width), other = symmetry_cell(&rules, symmetry, cell);
                for (int side = 0; side < 2; side++)
                    assert_true(here.value[side][cell] == there.value[side][other]);
            }
            assert_true(here.total[0] == there.total[0] && here.total[1] == there.total[1]);
        }
    }
}

// With exchanged colours, only the owners change.
static void test_neither_player_is_preferred(void **state)
{
    (void)state;
    Rng rng = rng_make(10);
    Generalised here, there;
    for (unsigned long i = 0; i < test_steps() / 100; i++) {
        Rules rules = rules_of(games[i % GAMES]);
        Board board, other;
        random_position(&board, &rules, &rng);
        if (board_is_over(&board))
            continue;
        other = board;
        for (unsigned l = 0; l < board.line_count; l++) {
            other.line[l][0] = board.line[l][1];
            other.line[l][1] = board.line[l][0];
        }
        // Equal threats of both players may count for the side to move.
        (void)board_set_turn(&other, side_other(board_side(&board)), board_stones_left(&board));
        generalised_read(&board, &plain, &here);
        generalised_read(&other, &plain, &there);
        for (unsigned c = 0; c < rules_cells(&rules); c++) {
            Cell cell = cell_at(c % rules.width, c / rules.width);
            assert_true(here.value[0][cell] == there.value[1][cell] && here.value[1][cell] == there.value[0][cell]);
        }
        assert_true(generalised_utility(&here, SIDE_FIRST) == generalised_utility(&there, SIDE_SECOND));
    }
}

TEST_GROUP(generalised)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_line_computed_by_hand),
        cmocka_unit_test(test_live_windows_have_values),
        cmocka_unit_test(test_shadows),
        cmocka_unit_test(test_what_is_not_set_dominates_nothing),
        cmocka_unit_test(test_places_that_are_too_narrow),
        cmocka_unit_test(test_overlines),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_weights_stop_at_the_largest_number),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_against_the_plain_version),
        cmocka_unit_test(test_symmetric_boards_have_symmetric_values),
        cmocka_unit_test(test_neither_player_is_preferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
