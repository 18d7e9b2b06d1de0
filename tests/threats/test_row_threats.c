// Tests of threes and fours: drawn lines, and random boards against the definition of threats/row_threats.h applied
// cell by cell.
#include "support/check.h"

#include "threats/lines.h"
#include "threats/row_threats.h"

#include <stdio.h>
#include <string.h>

// --- Drawn lines ---

static void add_cells(const Board *board, const RowThreat *row, uint64_t cells, Text *text)
{
    for (; cells != 0; cells &= cells - 1)
        text_add(text, "%c", 'a' + cell_column(lines_cell(board, row->line, bits_lowest(cells))));
}

// "open 3 bcd>ae!ae": kind, stones, next stones, stops.
static void describe(const Board *board, const RowThreat *row, Text *text)
{
    text_add(text, "%s%s%s%u ", text->length > 0 ? ", " : "",
             row->is_open      ? "open "
             : row->is_waiting ? "waiting "
                               : "",
             row->is_split ? "split " : "", board->rules.k - row->lacks);
    add_cells(board, row, row->stones, text);
    text_add(text, ">");
    add_cells(board, row, row->next, text);
    text_add(text, "!");
    add_cells(board, row, row->stops, text);
}

static void check_drawing(const char *options, const char *drawing, const char *expected)
{
    char rules_text[64];
    (void)snprintf(rules_text, sizeof rules_text, "%zux1:%s", strlen(drawing), options);
    Rules rules = rules_of(rules_text);
    Board board;
    board_init(&board, &rules);
    for (unsigned x = 0; drawing[x] != '\0'; x++)
        if (drawing[x] != '.')
            board_put(&board, cell_at(x, 0), drawing[x] == 'X' ? SIDE_FIRST : SIDE_SECOND);
    (void)board_set_turn(&board, SIDE_FIRST, 1);
    RowThreats threats;
    row_threats_find(&board, SIDE_FIRST, &threats);
    Text text = {0};
    for (unsigned i = 0; i < threats.count; i++)
        describe(&board, &threats.row[i], &text);
    if (strcmp(text.length > 0 ? text.data : "", expected) != 0)
        fail_msg("%s: found '%s', expected '%s'", drawing, text.length > 0 ? text.data : "", expected);
    text_close(&text);
    row_threats_close(&threats);
}

static void test_drawn_lines(void **state)
{
    (void)state;
    static const char *const lines[][3] = {
        {"k=5", "..XXX..", "open 3 cde>bf!bf"},
        {"k=5", "O.XXX..", "open 3 cde>f!bfg"},
        {"k=5", "O.XXX.O", "3 cde>bf!"},
        {"k=5", "OXXX..", "3 bcd>ef!"},
        {"k=5", ".XX.X.", "open split 3 bce>d!adf"},
        {"k=5", "OXX.X.", "split 3 bce>df!"},
        {"k=5", ".X.XX.X.", "open split 3 bde>cf!cf"},
        {"k=5", "X.X.X.X", "split 3 ace>bdf!"},
        {"k=5", ".XXXX.", "open 4 bcde>af!"},
        {"k=5", ".XXXX.X", "open 4 bcde>af!"},
        {"k=5", "OXXXX.", "4 bcde>f!f"},
        {"k=5", "XXX.X", "split 4 abce>d!d"},
        {"k=5", "X.XXX.X", "split 4 acde>b!b, split 4 cdeg>f!f"},
        {"k=5", "XX..X..XX", "split 3 abe>cd!, split 3 ehi>fg!"},
        {"k=5", "OXXXXO", ""},
        {"k=5", "O.XXXO", ""},
        {"k=5", "..XX...", ""},
        {"k=5", "XXXXX..XXX", ""},
        {"k=5,exact", ".XXXX.X", "4 bcde>a!a"},
        {"k=5,exact", "..XXX..X", "open 3 cde>b!abf"},
        {"k=6", "..XXXX..", "open 4 cdef>bg!bg"},
        {"k=4", ".XX..", "open 2 bc>d!ade"},
        {"k=3", ".X..X.", ""},
        {"k=3", ".XX.", "open 2 bc>ad!"},
        {"k=2", ".X.", ""},
        {"k=5,p=2,q=1", "..XXX..", ""},
        {"k=4,gravity", "..XX..", "open 2 cd>be!be"},
        {"k=4,gravity", "OXXX.", "3 bcd>e!e"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        check_drawing(lines[i][0], lines[i][1], lines[i][2]);
}

static void test_a_row_under_gravity_waits_for_its_cell(void **state)
{
    (void)state;
    Game game;
    read_drawing(
        &game, "7x6:k=4,gravity",
        ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. X X X . . .\nX O O O X . O\nturn X 1\n");
    RowThreats threats;
    row_threats_find(&game.board, SIDE_FIRST, &threats);
    assert_int_equal(threats.count, 1); // a2 and e2 can be played
    assert_true(threats.row[0].is_open && !threats.row[0].is_waiting);
    row_threats_close(&threats);
    read_drawing(
        &game, "7x6:k=4,gravity",
        ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\nO X X X . . .\nX O O O . X O\nturn X 1\n");
    row_threats_find(&game.board, SIDE_FIRST, &threats);
    assert_int_equal(threats.count, 1); // e2 is above an empty cell
    assert_true(threats.row[0].is_waiting && !threats.row[0].is_open);
    assert_int_equal(threats.row[0].next, UINT64_C(1) << 4);
    row_threats_close(&threats);
}

// --- The definition, cell by cell ---

enum { CELLS_MAX = 16 };

// The cells of a line; a set of them has one bit each, in their order.
typedef struct {
    const Board *board;
    Side side;
    unsigned line, count, starts; // starts: of windows
    Cell cell[CELLS_MAX];
} PlainLine;

static Stone stone_of(const PlainLine *line, const Board *board, int i)
{
    return i < 0 || i >= (int)line->count ? STONE_NONE : board_stone(board, line->cell[i]);
}

static bool is_own(const PlainLine *line, const Board *board, int i)
{
    return i >= 0 && i < (int)line->count && stone_of(line, board, i) == (Stone)line->side;
}

static bool is_empty(const PlainLine *line, const Board *board, int i)
{
    return i >= 0 && i < (int)line->count && stone_of(line, board, i) == STONE_NONE;
}

static bool may_play(const PlainLine *line, const Board *board, int i)
{
    return is_empty(line, board, i) && (!board->rules.gravity || cell_row(line->cell[i]) == 0 ||
                                        board_stone(board, (Cell)(line->cell[i] - 64)) != STONE_NONE);
}

static unsigned run_through(const PlainLine *line, const Board *board, int i)
{
    int low = i, high = i;
    while (is_own(line, board, low - 1))
        low--;
    while (is_own(line, board, high + 1))
        high++;
    return (unsigned)(high - low) + 1;
}

static bool wins_with(const PlainLine *line, const Board *board, int i)
{
    unsigned length = run_through(line, board, i);
    return board->rules.exact ? length == board->rules.k : length >= board->rules.k;
}

// Whether the window is a row once it is filled, and its empty cells.
static bool is_live(const PlainLine *line, unsigned low, unsigned *empty)
{
    Board filled = *line->board;
    *empty = 0;
    for (unsigned i = low; i < low + filled.rules.k; i++) {
        if (stone_of(line, line->board, (int)i) == (Stone)side_other(line->side))
            return false;
        if (!is_empty(line, line->board, (int)i))
            continue;
        *empty |= 1u << i;
        board_put(&filled, line->cell[i], line->side);
    }
    return wins_with(line, &filled, (int)low);
}

// Whether cell i is in a run of k - 1 stones with a playable completing cell at each end, both among `ends`.
static bool is_open_run(const PlainLine *line, const Board *board, int i, unsigned ends)
{
    int low = i, high = i;
    if (!is_own(line, board, i) || run_through(line, board, i) + 1 != board->rules.k)
        return false;
    while (is_own(line, board, low - 1))
        low--;
    while (is_own(line, board, high + 1))
        high++;
    if (low == 0 || (ends >> (low - 1) & 1) == 0 || (ends >> (high + 1) & 1) == 0)
        return false;
    return may_play(line, board, low - 1) && may_play(line, board, high + 1) && wins_with(line, board, low - 1) &&
           wins_with(line, board, high + 1);
}

// The cells of a set on which a stone makes an open (k-1) with completing cells in the set.
static unsigned opening_cells(const PlainLine *line, const Board *board, unsigned empty)
{
    unsigned found = 0;
    for (unsigned i = 0; i < line->count; i++) {
        if ((empty >> i & 1) == 0 || !may_play(line, board, (int)i))
            continue;
        Board next = *board;
        board_put(&next, line->cell[i], line->side);
        found |= is_open_run(line, &next, (int)i, empty) ? 1u << i : 0;
    }
    return found;
}

static unsigned completing_cells(const PlainLine *line)
{
    unsigned found = 0;
    for (unsigned i = 0; i < line->count; i++)
        if (is_empty(line, line->board, (int)i) && wins_with(line, line->board, (int)i))
            found |= 1u << i;
    return found;
}

typedef struct {
    unsigned lacks, empty, next, stops;
    bool open, waiting;
} PlainRow;

static unsigned playable_of(const PlainLine *line, unsigned cells)
{
    unsigned found = 0;
    for (unsigned i = 0; i < line->count; i++)
        found |= (cells >> i & 1) != 0 && may_play(line, line->board, (int)i) ? 1u << i : 0;
    return found;
}

// The cells of the whole board on which an opposing stone leaves no open (k-1) to be made; all must be in the line.
static unsigned stops_of(const PlainLine *line, unsigned empty)
{
    unsigned found = 0;
    for (unsigned i = 0; i < line->board->cells; i++) {
        Cell cell = cell_at(i % line->board->rules.width, i / line->board->rules.width);
        unsigned at = 0;
        while (at < line->count && line->cell[at] != cell)
            at++;
        if (board_stone(line->board, cell) != STONE_NONE ||
            (line->board->rules.gravity && cell_row(cell) != board_drop_row(line->board, cell_column(cell))))
            continue;
        Board next = *line->board;
        board_put(&next, cell, side_other(line->side));
        if (opening_cells(line, &next, empty) != 0)
            continue;
        assert_true(at < line->count);
        found |= 1u << at;
    }
    return found;
}

static PlainRow plain_row(const PlainLine *line, unsigned lacks, unsigned empty, unsigned stones)
{
    PlainRow row = {.lacks = lacks, .empty = empty, .next = playable_of(line, empty)};
    if (lacks == 2) {
        unsigned opening = opening_cells(line, line->board, empty);
        row.open = opening != 0;
        row.next = row.open ? opening : row.next;
        row.stops = row.open ? stops_of(line, empty) : 0;
        return row;
    }
    for (unsigned i = 0; i < line->count; i++)
        row.open |= (stones >> i & 1) != 0 && is_open_run(line, line->board, (int)i, empty);
    row.waiting = row.next == 0;
    row.next = row.waiting ? empty : row.next;
    row.stops = row.open ? 0 : row.next;
    return row;
}

// The rows of a line: windows that lack as many stones, joined as long as two are linked.
static unsigned plain_rows(const PlainLine *line, unsigned lacks, PlainRow *rows)
{
    unsigned empty[CELLS_MAX], stones[CELLS_MAX], group[CELLS_MAX], windows = 0, count = 0;
    unsigned completing = lacks == 2 ? completing_cells(line) : 0, k = line->board->rules.k;
    for (unsigned low = 0; low + k <= line->count; low++) {
        if (!is_live(line, low, &empty[windows]) || bits_count(empty[windows]) != lacks ||
            (empty[windows] & completing) != 0)
            continue;
        stones[windows] = ((1u << k) - 1) << low & ~empty[windows];
        group[windows] = windows;
        windows++;
    }
    for (unsigned round = 0; round < windows; round++)
        for (unsigned i = 0; i < windows; i++)
            for (unsigned j = 0; j < windows; j++)
                if ((stones[i] == stones[j] || (empty[i] & empty[j]) != 0) && group[j] > group[i])
                    group[j] = group[i];
    for (unsigned i = 0; i < windows; i++) {
        unsigned all = 0, own = 0;
        for (unsigned j = 0; j < windows; j++) {
            all |= group[j] == group[i] ? empty[j] : 0;
            own |= group[j] == group[i] ? stones[j] : 0;
        }
        bool is_first = true;
        for (unsigned j = 0; j < i; j++)
            is_first &= group[j] != group[i];
        if (is_first)
            rows[count++] = plain_row(line, lacks, all, own);
    }
    return count;
}

static unsigned set_of(const PlainLine *line, uint64_t bits)
{
    unsigned set = 0;
    for (; bits != 0; bits &= bits - 1)
        for (unsigned i = 0; i < line->count; i++)
            set |= lines_cell(line->board, line->line, bits_lowest(bits)) == line->cell[i] ? 1u << i : 0;
    return set;
}

static bool is_found(const PlainLine *line, const PlainRow *row, const RowThreats *threats)
{
    for (unsigned i = 0; i < threats->count; i++) {
        const RowThreat *found = &threats->row[i];
        if (found->line != line->line || found->lacks != row->lacks || set_of(line, found->empty) != row->empty)
            continue;
        assert_int_equal(found->is_open, row->open);
        assert_int_equal(found->is_waiting, row->waiting);
        assert_int_equal(set_of(line, found->next), row->next);
        assert_int_equal(set_of(line, found->stops), row->stops);
        assert_int_equal(bits_count(found->stones), line->board->rules.k - row->lacks);
        return true;
    }
    return false;
}

static void check_board(const Board *board, Side side, unsigned kinds[5])
{
    RowThreats threats;
    row_threats_find(board, side, &threats);
    unsigned count = 0;
    for (unsigned index = 0; index < board->line_count; index++) {
        PlainLine line = {.board = board, .side = side, .line = index};
        for (uint64_t mask = lines_mask(board, index); mask != 0; mask &= mask - 1)
            line.cell[line.count++] = lines_cell(board, index, bits_lowest(mask));
        for (unsigned lacks = 1; lacks <= (board->rules.k > 3 ? 2u : 1u); lacks++) {
            PlainRow rows[CELLS_MAX];
            unsigned found = plain_rows(&line, lacks, rows);
            for (unsigned i = 0; i < found; i++) {
                if (board->rules.gravity && lacks == 2 && !rows[i].open)
                    continue;
                if (!is_found(&line, &rows[i], &threats))
                    print_board(board);
                assert_true(is_found(&line, &rows[i], &threats));
                count++;
                kinds[rows[i].waiting ? 4 : 2 * (lacks - 1) + rows[i].open]++;
            }
        }
    }
    assert_int_equal(threats.count, count);
    row_threats_close(&threats);
}

static void test_random_boards(void **state)
{
    (void)state;
    static const char *const games[] = {"9x3:k=5",
                                        "7x7:k=5",
                                        "12x1:k=4",
                                        "9x9:k=6",
                                        "6x6:k=4",
                                        "5x5:k=3",
                                        "10x2:k=5,exact",
                                        "8x8:k=4,exact",
                                        "6x6:k=5,exact",
                                        "7x6:k=4,gravity",
                                        "8x5:k=4,gravity,exact"};
    enum { GAMES = sizeof games / sizeof games[0] };
    Rng rng = rng_make(21);
    unsigned kinds[5] = {0};
    for (unsigned long round = 0; round < test_steps() / 5; round++) {
        Rules rules = rules_of(games[round % GAMES]);
        Board board;
        board_init(&board, &rules);
        unsigned stones = rng_below(&rng, rules_cells(&rules)), first = 2 + rng_below(&rng, 6);
        for (unsigned i = 0; i < stones; i++) {
            unsigned x = rng_below(&rng, rules.width), y = rng_below(&rng, rules.height);
            y = rules.gravity ? board_drop_row(&board, x) : y;
            if (y < rules.height && board_stone(&board, cell_at(x, y)) == STONE_NONE)
                board_put(&board, cell_at(x, y), rng_below(&rng, 8) < first ? SIDE_FIRST : SIDE_SECOND);
        }
        if (board_set_turn(&board, SIDE_FIRST, 1) != 0 || board_is_over(&board))
            continue;
        check_board(&board, SIDE_FIRST, kinds);
        check_board(&board, SIDE_SECOND, kinds);
    }
    for (unsigned i = 0; i < 5; i++)
        assert_true(kinds[i] > 20);
}

TEST_GROUP(row_threats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawn_lines),
        cmocka_unit_test(test_a_row_under_gravity_waits_for_its_cell),
        cmocka_unit_test(test_random_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
