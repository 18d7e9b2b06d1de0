// Tests of the pattern table against a simple definition, of incremental keys against recomputed ones, of the figures
// of the paper, and of the corrected count of a turn against the exact count.
#include "support/check.h"

#include "base/rng.h"
#include "papers/kagami/line_keys.h"
#include "papers/kagami/line_keys_agreement.h"
#include "threats/threats.h"

#include <stdlib.h>
#include <string.h>

static LineKeys keys;
static WindowTally tally;

static void open_keys(const Rules *rules)
{
    Error error = {0};
    assert_done(line_keys_open(&keys, rules, &error), error);
}

// --- The table ---

typedef struct {
    unsigned k, p;
    bool exact;
    unsigned digits[2 * LINE_KEYS_K_MAX - 1];
} PlainLine;

// Whether a window of the line that begins here is a threat of the side in the middle.
static bool plain_threat(const PlainLine *line, unsigned low)
{
    unsigned own = line->digits[line->k - 1], stones = 0, length = 2 * line->k - 1;
    for (unsigned i = low; i < low + line->k; i++) {
        if (line->digits[i] == 3 - own)
            return false;
        stones += line->digits[i] == own;
    }
    if (line->exact &&
        ((low > 0 && line->digits[low - 1] == own) || (low + line->k < length && line->digits[low + line->k] == own)))
        return false;
    return stones < line->k && line->k - stones <= line->p;
}

// The smallest set of empty cells with one in every threat: all sets are tried.
static unsigned plain_count(const PlainLine *line)
{
    unsigned length = 2 * line->k - 1, best = length;
    for (uint32_t set = 0; set < 1u << length; set++) {
        bool meets_all = bits_count(set) < best;
        for (unsigned low = 0; low < line->k && meets_all; low++) {
            bool meets = !plain_threat(line, low);
            for (unsigned i = low; i < low + line->k; i++)
                meets = meets || ((set >> i & 1) != 0 && line->digits[i] == 0);
            meets_all = meets;
        }
        if (meets_all)
            best = bits_count(set);
    }
    return best;
}

static void check_entry(PlainLine *line, uint32_t key)
{
    uint32_t rest = key;
    for (unsigned i = 0; i < 2 * line->k - 1; i++, rest /= 3)
        line->digits[i] = rest % 3;
    unsigned expected = line->digits[line->k - 1] == 0 ? 0 : plain_count(line);
    if (keys.threats[key] == expected && expected <= 2)
        return;
    print_error("k=%u p=%u exact=%d key %u: %u, plainly %u\n", line->k, line->p, line->exact, key, keys.threats[key],
                expected);
    fail();
}

// All entries of small tables, and some of large ones.
static void test_table(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    for (unsigned k = 1; k <= LINE_KEYS_K_MAX; k++)
        for (unsigned kind = 0; kind < 2 * WINDOW_TALLY_P_MAX; kind++) {
            PlainLine line = {.k = k, .p = kind / 2 + 1, .exact = kind % 2 != 0};
            Rules rules = {.width = 9, .height = 9, .k = (uint8_t)k, .p = (uint16_t)line.p, .q = 1};
            rules.exact = line.exact;
            open_keys(&rules);
            uint32_t entries = 3 * keys.weight[2 * k - 2];
            unsigned some = k < 4 ? entries : k < 7 ? 200 : 4;
            for (uint32_t i = 0; i < some; i++)
                check_entry(&line, some == entries ? i : rng_below(&rng, entries));
            line_keys_close(&keys);
        }
}

static void test_suits(void **state)
{
    (void)state;
    Rules connect6 = rules_of("connect6"), eight = rules_of("9x9:k=8,p=4"), nine = rules_of("9x9:k=9,p=2");
    Rules falling = rules_of("connect4"), five = rules_of("9x9:k=6,p=5");
    assert_true(line_keys_suits(&connect6) && line_keys_suits(&eight));
    assert_false(line_keys_suits(&nine) || line_keys_suits(&falling) || line_keys_suits(&five));
}

// --- Keys ---

static const int steps[LINE_KEYS_DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

// The key of a cell as the paper says it, with borders as stones of the second side or left out.
static uint32_t plain_key(const Board *board, Cell cell, unsigned direction, bool borders)
{
    int k = board->rules.k;
    uint32_t key = 0, weight = 1;
    for (int i = 1 - k; i < k; i++, weight *= 3) {
        int x = (int)cell_column(cell) + i * steps[direction][0], y = (int)cell_row(cell) + i * steps[direction][1];
        bool outside = x < 0 || y < 0 || x >= board->rules.width || y >= board->rules.height;
        Stone stone = outside ? STONE_NONE : board_stone(board, cell_at((unsigned)x, (unsigned)y));
        if (outside ? borders : stone != STONE_NONE)
            key += weight * (stone == STONE_FIRST ? 2 : 1);
    }
    return key;
}

static void check_keys(const Board *board)
{
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned column = 0; column < board->rules.width; column++)
            for (unsigned direction = 0; direction < LINE_KEYS_DIRECTIONS; direction++) {
                Cell cell = cell_at(column, row);
                uint32_t key = keys.key[cell][direction];
                assert_int_equal(key, plain_key(board, cell, direction, false));
                assert_int_equal(key + keys.border[cell][direction], plain_key(board, cell, direction, true));
            }
}

// Stones are placed on any cell and removed in any order.
static void test_followed(void **state)
{
    (void)state;
    static const char *const games[] = {"19x19:k=6,p=2", "7x5:k=4",  "5x9:k=8,p=3",
                                        "64x2:k=5,p=2",  "1x64:k=3", "1x1:k=1"};
    Rng rng = rng_make(2);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i]);
        Board board;
        board_init(&board, &rules);
        open_keys(&rules);
        for (unsigned long n = 0; n < test_steps() / 200; n++) {
            Cell cell = cell_at(rng_below(&rng, rules.width), rng_below(&rng, rules.height));
            Stone stone = board_stone(&board, cell);
            Side side = stone != STONE_NONE ? (Side)stone : (Side)rng_below(&rng, 2);
            (stone == STONE_NONE ? board_put : board_take)(&board, cell, side);
            (stone == STONE_NONE ? line_keys_put : line_keys_take)(&keys, cell, side);
            check_keys(&board);
        }
        LineKeys *other = malloc(sizeof *other);
        assert_non_null(other);
        *other = keys;
        line_keys_set(&keys, &board);
        assert_memory_equal(other->key, keys.key, sizeof keys.key);
        free(other);
        line_keys_close(&keys);
    }
}

// --- The figures ---

static CellSet turn_of(Cell a, Cell b)
{
    CellSet one = cell_set_with(&cell_set_none, a);
    return cell_set_with(&one, b);
}

// A drawn row with the stones of the turn as a and b, on the middle row of a board of Connect6.
typedef struct {
    Board board;
    Cell a, b;
} Figure;

static void read_figure(const char *row, Figure *figure)
{
    Rules rules = rules_of("25x19:k=6,p=2,q=1");
    board_init(&figure->board, &rules);
    figure->a = figure->b = CELL_NONE;
    for (unsigned i = 0; row[i] != '\0'; i++) {
        Cell cell = cell_at(i, 9);
        if (row[i] == 'X' || row[i] == 'O')
            board_put(&figure->board, cell, row[i] == 'X' ? SIDE_FIRST : SIDE_SECOND);
        figure->a = row[i] == 'a' ? cell : figure->a;
        figure->b = row[i] == 'b' ? cell : figure->b;
    }
    open_keys(&rules);
    line_keys_set(&keys, &figure->board);
}

static unsigned look_up(Cell cell)
{
    return keys.threats[keys.key[cell][0] + keys.border[cell][0]]; // borders are white stones to black
}

// What stones a and b make by the table with both on the board, and the corrected count of the turn.
static void check_figure(const char *row, LineCase how, unsigned a, unsigned b, unsigned turn)
{
    Figure figure;
    unsigned direction;
    read_figure(row, &figure);
    CellSet stones = turn_of(figure.a, figure.b);
    assert_int_equal(line_keys_case(&figure.board, figure.a, figure.b, SIDE_FIRST, &direction), how);
    assert_int_equal(line_keys_case(&figure.board, figure.b, figure.a, SIDE_FIRST, &direction), how);
    assert_int_equal(line_keys_turn(&keys, &figure.board, &stones, SIDE_FIRST), turn);
    line_keys_put(&keys, figure.a, SIDE_FIRST);
    line_keys_put(&keys, figure.b, SIDE_FIRST);
    assert_int_equal(look_up(figure.a), a);
    assert_int_equal(look_up(figure.b), b);
    line_keys_close(&keys);
}

static void test_figures(void **state)
{
    (void)state;
    // Fig. 12: the key in the text; a black stone in the empty middle would make one threat.
    Figure figure;
    read_figure("X..XXa.O...", &figure);
    assert_int_equal(keys.key[figure.a][0], 2 * 1 + 2 * 27 + 2 * 81 + 1 * 2187);
    assert_int_equal(line_keys_stone(&keys, figure.a, 0, SIDE_FIRST), 1);
    line_keys_close(&keys);
    // Fig. 13: A would be two threats by the sum, and is one; B would be four.
    check_figure("....OXXab..........", LINE_CASE_NEAR, 1, 1, 1);
    check_figure(".....XXab..........", LINE_CASE_NEAR, 2, 2, 2);
    // Fig. 14: A, two cells with both stones; B, nine cells, one threat that both make; C, twelve cells.
    check_figure("......aXbX.........", LINE_CASE_NEAR, 2, 2, 2);
    check_figure("......abXX.........", LINE_CASE_NEAR, 2, 2, 2);
    check_figure("....OaXXX..XXbO....", LINE_CASE_MIDDLE, 1, 1, 1);
    check_figure("..XXXa..........bXXX..", LINE_CASE_FAR, 2, 2, 4);
}

static void test_cases(void **state)
{
    (void)state;
    // The limits of the cases, both stones counted: 6, 7, 11, 12 cells.
    check_figure("a....b", LINE_CASE_NEAR, 0, 0, 0);
    check_figure("a.....b", LINE_CASE_MIDDLE, 0, 0, 0);
    check_figure("a.........b", LINE_CASE_MIDDLE, 0, 0, 0);
    check_figure("a..........b", LINE_CASE_FAR, 0, 0, 0);
    check_figure("a.O.b", LINE_CASE_OPPOSED, 0, 0, 0);
    check_figure("Oa.X.bO", LINE_CASE_NEAR, 0, 0, 0);
    // Opposing stones between: both count. Not between: no matter.
    check_figure("..XXXaObXXX...", LINE_CASE_OPPOSED, 1, 1, 2);
    // Half of an odd sum is rounded up: one of the stones makes two alone.
    check_figure("..XaXX.b....", LINE_CASE_NEAR, 2, 1, 2);
    // Case b takes one off even where only one of them makes a threat, but nothing off nothing.
    check_figure("OXXXa.......bO", LINE_CASE_MIDDLE, 1, 0, 0);
    check_figure("..XXXa.......b", LINE_CASE_MIDDLE, 2, 0, 1);
}

static void check_readings(const char *row, unsigned all, unsigned two, unsigned strict)
{
    const unsigned expected[LINE_CORRECTIONS] = {all, two, strict};
    Figure figure;
    read_figure(row, &figure);
    CellSet stones = turn_of(figure.a, figure.b);
    for (int i = 0; i < LINE_CORRECTIONS; i++) {
        keys.correction = (LineCorrection)i;
        assert_int_equal(line_keys_turn(&keys, &figure.board, &stones, SIDE_FIRST), expected[i]);
    }
    line_keys_close(&keys);
}

// Section IV.A: "we only need to deal with the patterns which the sum of the threats is 2"; example (a) has a sum of 4.
static void test_readings(void **state)
{
    (void)state;
    check_readings("....OXXab..........", 1, 1, 1);
    check_readings("......aXbX.........", 2, 2, 4); // example (a)
    check_readings(".....XXab..........", 2, 2, 4); // Fig. 13 B
    check_readings("..XaXX.b....", 2, 2, 3);
    check_readings("....OaXXX..XXbO....", 1, 1, 1); // example (b)
    check_readings("OXXXa.......bO", 0, 1, 1);
    check_readings("..XXXa.......b", 1, 1, 1);
    check_readings("..XXXa.....bXXX..", 3, 4, 4);
    check_readings("..XXXa..........bXXX..", 4, 4, 4);
}

// The same in every direction, with the borders near.
static void test_directions(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=6,p=2");
    for (unsigned direction = 0; direction < LINE_KEYS_DIRECTIONS; direction++)
        for (int side = 0; side < 2; side++) {
            int x = direction == 3 ? 8 : direction == 1 ? 4 : 0, y = direction == 0 ? 4 : 0;
            Board board;
            Cell cells[9];
            unsigned along;
            board_init(&board, &rules);
            open_keys(&rules);
            for (int i = 0; i < 9; i++)
                cells[i] = cell_at((unsigned)(x + i * steps[direction][0]), (unsigned)(y + i * steps[direction][1]));
            for (unsigned i = 1; i < 3; i++) {
                board_put(&board, cells[i], (Side)side);
                line_keys_put(&keys, cells[i], (Side)side);
            }
            // One cell between the border and four stones: the cell beyond them is in all windows.
            CellSet turn = turn_of(cells[3], cells[4]);
            assert_int_equal(line_keys_case(&board, cells[3], cells[4], (Side)side, &along), LINE_CASE_NEAR);
            assert_int_equal(along, direction);
            assert_int_equal(line_keys_turn(&keys, &board, &turn, (Side)side), 1);
            turn = turn_of(cells[0], cells[3]);
            assert_int_equal(line_keys_turn(&keys, &board, &turn, (Side)side), 1);
            turn = turn_of(cells[0], cells[6]);
            assert_int_equal(line_keys_turn(&keys, &board, &turn, (Side)side), 0);
            board_put(&board, cells[5], side_other((Side)side));
            assert_int_equal(line_keys_case(&board, cells[3], cells[6], (Side)side, &along), LINE_CASE_OPPOSED);
            assert_int_equal(line_keys_case(&board, cells[3], cells[4], (Side)side, &along), LINE_CASE_NEAR);
            line_keys_close(&keys);
        }
}

// --- One stone a turn, and more than two ---

static unsigned count_drawn(const char *text, const char *row, Side side)
{
    Rules rules = rules_of(text);
    Board board;
    CellSet turn = cell_set_none;
    board_init(&board, &rules);
    for (unsigned i = 0; row[i] != '\0'; i++)
        if (row[i] == 'X' || row[i] == 'O')
            board_put(&board, cell_at(i, 0), row[i] == 'X' ? SIDE_FIRST : SIDE_SECOND);
        else if (row[i] == 'a')
            turn = cell_set_with(&turn, cell_at(i, 0));
    open_keys(&rules);
    line_keys_set(&keys, &board);
    unsigned count = line_keys_turn(&keys, &board, &turn, side);
    line_keys_close(&keys);
    return count;
}

static void test_other_turns(void **state)
{
    (void)state;
    assert_int_equal(count_drawn("9x1:k=5", ".XXXa....", SIDE_FIRST), 2);
    assert_int_equal(count_drawn("9x1:k=5", "OXXXa....", SIDE_FIRST), 1);
    assert_int_equal(count_drawn("9x1:k=5", "OXXXa....", SIDE_SECOND), 0);
    // Three within a window are one and not three; one that is far is counted for itself.
    assert_int_equal(count_drawn("12x1:k=6,p=3", "Oaaa...O....", SIDE_FIRST), 1);
    assert_int_equal(count_drawn("30x1:k=6,p=3", "OXaa.........O.aXX......", SIDE_FIRST), 2);
    // The first two stand near, the last one in the middle distance: one is taken off.
    assert_int_equal(count_drawn("20x1:k=6,p=3", "OaXa...XXa..........", SIDE_FIRST), 2);
    // Four stones of which two and two share a line of their own.
    assert_int_equal(count_drawn("40x1:k=6,p=4", "aa......O.....................aa......", SIDE_FIRST), 3);
}

// --- Against the exact count ---

static void fill_line(Board *board, const Rules *rules, Rng *rng)
{
    board_init(board, rules);
    unsigned own = 2 + rng_below(rng, 4), other = rng_below(rng, 3);
    for (unsigned i = 0; i < rules->width; i++) {
        unsigned chance = rng_below(rng, 10);
        if (chance < own + other)
            board_put(board, cell_at(i, 0), chance < own ? SIDE_FIRST : SIDE_SECOND);
    }
}

static bool draw_pair(const Board *board, Rng *rng, CellSet *turn)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    if (count < 2)
        return false;
    unsigned a = rng_below(rng, count), b = rng_below(rng, count - 1);
    *turn = turn_of(cells[a], cells[b + (b >= a)]);
    return true;
}

// If every sum is corrected, the count along one line is never too high, and right unless cases a or b apply: what the
// stones share is at most what the correction takes off. If only sums of two are, it can be too high, but never two.
static void test_one_line(void **state)
{
    (void)state;
    static const char *const games[] = {"40x1:k=6,p=2", "30x1:k=5,p=2", "24x1:k=4,p=2", "50x1:k=8,p=2", "20x1:k=3,p=2"};
    Rng rng = rng_make(3);
    uint64_t seen[LINE_CASES] = {0}, low = 0, high = 0;
    unsigned open = UINT32_MAX;
    for (unsigned long n = 0; n < test_steps(); n++) {
        unsigned game = (unsigned)(n * 5 / test_steps()), direction;
        LineKeysCounts found;
        Rules rules = rules_of(games[game]);
        if (game != open) {
            line_keys_close(&keys);
            open_keys(&rules);
            window_tally_init(&tally, &rules);
            open = game;
        }
        Board board;
        CellSet turn;
        fill_line(&board, &rules, &rng);
        keys.correction = LINE_CORRECTION_ALL;
        line_keys_set(&keys, &board);
        window_tally_set(&tally, &board);
        if (!draw_pair(&board, &rng, &turn) || !line_keys_compare(&keys, &tally, &turn, SIDE_FIRST, &found) ||
            found.exact == 0)
            continue;
        LineCase how = line_keys_case(&board, turn.cell[0], turn.cell[1], SIDE_FIRST, &direction);
        seen[how]++;
        low += found.counted < found.exact;
        assert_true(how == LINE_CASE_NEAR || how == LINE_CASE_MIDDLE ? found.counted <= found.exact
                                                                     : found.counted == found.exact);
        keys.correction = LINE_CORRECTION_TWO;
        unsigned two = line_keys_turn(&keys, &board, &turn, SIDE_FIRST);
        assert_true(two >= found.counted && (two <= found.exact || two > 2));
        high += two > found.exact;
    }
    line_keys_close(&keys);
    assert_int_equal(seen[LINE_CASE_APART], 0);
    for (unsigned i = LINE_CASE_OPPOSED; i < LINE_CASES; i++)
        assert_true(seen[i] > 0);
    assert_true(low > 0 && high > 0);
}

static unsigned alone(Cell cell, Side side)
{
    unsigned threats = 0;
    for (unsigned direction = 0; direction < LINE_KEYS_DIRECTIONS; direction++)
        threats += line_keys_stone(&keys, cell, direction, side);
    return threats;
}

// The short way to count two stones, in either order.
static void check_pair(const Board *board, const CellSet *turn)
{
    for (int side = 0; side < 2; side++) {
        Cell a = turn->cell[0], b = turn->cell[1];
        unsigned apart = alone(a, (Side)side) + alone(b, (Side)side);
        unsigned whole = line_keys_turn(&keys, board, turn, (Side)side);
        assert_int_equal(line_keys_pair(&keys, board, a, b, (Side)side, apart), whole);
        assert_int_equal(line_keys_pair(&keys, board, b, a, (Side)side, apart), whole);
    }
}

// Whether two threats of a turn on different lines have an empty cell in common.
static bool lines_cross(const CellSet *turn, Side side)
{
    unsigned windows[64], count = 0;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
            WindowRange range = tally.through[turn->cell[i]][direction];
            for (unsigned j = range.first; j < range.first + (unsigned)range.count; j++)
                if (window_tally_need(&tally, j, side) <= tally.board.rules.p)
                    windows[count++] = j;
        }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++) {
            CellSet a = window_tally_target(&tally, windows[i]), b = window_tally_target(&tally, windows[j]);
            if (tally.window[windows[i]].line != tally.window[windows[j]].line && cell_sets_meet(&a, &b))
                return true;
        }
    return false;
}

// On boards it is too high only where threats of different lines have an empty cell in common; and the short way to
// count two stones comes to the same.
static void test_too_high_where_lines_cross(void **state)
{
    (void)state;
    Rules rules = rules_of("12x11:k=6,p=2,q=1");
    Rng rng = rng_make(4);
    uint64_t high = 0;
    open_keys(&rules);
    window_tally_init(&tally, &rules);
    for (unsigned long n = 0; n < test_steps(); n++) {
        static Board board;
        CellSet turn;
        LineKeysCounts found;
        if (n % 64 == 0) {
            board_init(&board, &rules);
            for (unsigned i = 0; i < 50; i++) {
                Cell cell = cell_at(rng_below(&rng, 12), rng_below(&rng, 11));
                if (board_stone(&board, cell) == STONE_NONE)
                    board_put(&board, cell, i % 4 == 0 ? SIDE_SECOND : SIDE_FIRST);
            }
            line_keys_set(&keys, &board);
            window_tally_set(&tally, &board);
        }
        if (!draw_pair(&board, &rng, &turn))
            continue;
        check_pair(&board, &turn);
        if (!line_keys_compare(&keys, &tally, &turn, SIDE_FIRST, &found) || found.counted <= found.exact)
            continue;
        high++;
        window_tally_put(&tally, turn.cell[0], SIDE_FIRST);
        window_tally_put(&tally, turn.cell[1], SIDE_FIRST);
        assert_true(lines_cross(&turn, SIDE_FIRST));
        window_tally_take(&tally, turn.cell[0], SIDE_FIRST);
        window_tally_take(&tally, turn.cell[1], SIDE_FIRST);
    }
    line_keys_close(&keys);
    assert_true(high > 0);
}

// Floors below what was measured with 2000 boards: 99.9, 100.0, 99.7, 62.3 and 100.0 %.
static void test_agreement(void **state)
{
    (void)state;
    static const double floors[LINE_CASES] = {0.99, 0.99, 0.98, 0.55, 0.99};
    Rules rules = rules_of("connect6");
    LineKeysAgreement cases[LINE_CASES], all = {0};
    LineKeysSample sample = {.boards = (unsigned)(test_steps() / 200 + 200), .turns = 100};
    assert_int_equal(line_keys_agree(&rules, &sample, cases, NULL), STATUS_OK);
    uint64_t same_kind = 0, high = 0;
    for (unsigned i = 0; i < LINE_CASES; i++) {
        assert_true(cases[i].turns > 50);
        assert_true((double)line_keys_same(&cases[i]) >= floors[i] * (double)cases[i].turns);
        same_kind += line_keys_same_kind(&cases[i]);
        high += line_keys_too_high(&cases[i]);
        all.turns += cases[i].turns;
    }
    assert_true((double)same_kind >= 0.97 * (double)all.turns && same_kind < all.turns);
    assert_true((double)high <= 0.01 * (double)all.turns);
}

// What the numbers of an agreement mean.
static void test_kinds(void **state)
{
    (void)state;
    LineKeysAgreement agreement = {.turns = 28};
    agreement.counts[0][1] = 1; // neither forces an answer
    agreement.counts[1][1] = 2;
    agreement.counts[2][1] = 4; // too high
    agreement.counts[3][2] = 8; // too high
    agreement.counts[2][3] = 16;
    agreement.counts[1][2] = 32;
    agreement.counts[3][3] = 64;
    assert_int_equal(line_keys_same(&agreement), 66);
    assert_int_equal(line_keys_same_kind(&agreement), 67);
    assert_int_equal(line_keys_too_high(&agreement), 12);
}

TEST_GROUP(line_keys)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),       cmocka_unit_test(test_suits),
        cmocka_unit_test(test_followed),    cmocka_unit_test(test_figures),
        cmocka_unit_test(test_cases),       cmocka_unit_test(test_directions),
        cmocka_unit_test(test_other_turns), cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_agreement),   cmocka_unit_test(test_too_high_where_lines_cross),
        cmocka_unit_test(test_kinds),       cmocka_unit_test(test_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
