// Tests of the effects of a turn, compared with a simple analysis of small random boards that tries every stone on
// every cell.
#include "analysis/effects.h"

#include "support/check.h"
#include "threats/lines.h"

#include <stdlib.h>

// --- Plain rules ---

// Boards here have at most 64 cells: a set of them is a word.
static uint64_t bit_of(const Board *board, Cell cell)
{
    return UINT64_C(1) << (cell_row(cell) * board->rules.width + cell_column(cell));
}

static bool is_on(const Board *board, int x, int y)
{
    return x >= 0 && y >= 0 && x < board->rules.width && y < board->rules.height;
}

static Cell at(int x, int y)
{
    return cell_at((unsigned)x, (unsigned)y);
}

static bool has_stone(const Board *board, int x, int y, Side side)
{
    return is_on(board, x, y) && board_stone(board, at(x, y)) == (Stone)side;
}

static bool can_play(const Board *board, int x, int y)
{
    return is_on(board, x, y) && board_stone(board, at(x, y)) == STONE_NONE &&
           (!board->rules.gravity || y == 0 || board_stone(board, at(x, y - 1)) != STONE_NONE);
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

// The cells of all winning rows of a side.
static uint64_t winning_cells(const Board *board, Side side)
{
    uint64_t all = 0;
    for (int y = 0; y < board->rules.height; y++)
        for (int x = 0; x < board->rules.width; x++)
            for (int d = 0; d < 4; d++) {
                int dx = steps[d][0], dy = steps[d][1], length = 0;
                uint64_t run = 0;
                if (has_stone(board, x - dx, y - dy, side))
                    continue;
                for (; has_stone(board, x + length * dx, y + length * dy, side); length++)
                    run |= bit_of(board, at(x + length * dx, y + length * dy));
                if (board->rules.exact ? length == board->rules.k : length >= board->rules.k)
                    all |= run;
            }
    return all;
}

// Whether a side can win with up to that many stones, one after another. Without gravity their order is of no matter.
static bool can_win(Board *board, Side side, unsigned stones, int from)
{
    int width = board->rules.width, cells = width * board->rules.height;
    for (int i = board->rules.gravity ? 0 : from; i < cells && stones > 0; i++) {
        if (!can_play(board, i % width, i / width))
            continue;
        board_put(board, at(i % width, i / width), side);
        bool won = winning_cells(board, side) != 0 || can_win(board, side, stones - 1, i + 1);
        board_take(board, at(i % width, i / width), side);
        if (won)
            return true;
    }
    return false;
}

// Whether the other side can place exactly that many stones after which the side cannot win in a turn.
static bool can_stop(Board *board, Side side, unsigned stones, int from)
{
    int width = board->rules.width, cells = width * board->rules.height;
    if (stones == 0)
        return !can_win(board, side, board->rules.p, 0);
    for (int i = board->rules.gravity ? 0 : from; i < cells; i++) {
        if (!can_play(board, i % width, i / width))
            continue;
        board_put(board, at(i % width, i / width), side_other(side));
        bool stopped = can_stop(board, side, stones - 1, i + 1);
        board_take(board, at(i % width, i / width), side_other(side));
        if (stopped)
            return true;
    }
    return false;
}

static unsigned stones_to_stop(Board *board, Side side)
{
    unsigned stones = 0;
    while (stones <= board->rules.p && !can_stop(board, side, stones, 0))
        stones++;
    return stones;
}

// The cells on which one stone of a side wins.
static uint64_t targets_of(Board *board, Side side)
{
    uint64_t targets = 0;
    for (int y = 0; y < board->rules.height; y++)
        for (int x = 0; x < board->rules.width; x++)
            if (can_play(board, x, y)) {
                board_put(board, at(x, y), side);
                targets |= winning_cells(board, side) != 0 ? bit_of(board, at(x, y)) : 0;
                board_take(board, at(x, y), side);
            }
    return targets;
}

// k cells one after another, by the first of them and a direction.
typedef struct {
    uint64_t cells, own, empty;
    bool is_open;  // no stone of the other side in it, and under `exact` none of its own beside it
    unsigned fill; // stones it takes as they fall
} PlainWindow;

static bool look_at(const Board *board, int x, int y, int d, Side side, PlainWindow *window)
{
    int dx = steps[d][0], dy = steps[d][1], k = board->rules.k;
    *window = (PlainWindow){0};
    if (!is_on(board, x + (k - 1) * dx, y + (k - 1) * dy))
        return false;
    unsigned others = 0, highest = 0;
    for (int i = 0; i < k; i++) {
        int cx = x + i * dx, cy = y + i * dy;
        uint64_t bit = bit_of(board, at(cx, cy));
        window->cells |= bit;
        window->own |= has_stone(board, cx, cy, side) ? bit : 0;
        others += has_stone(board, cx, cy, side_other(side));
        if (board_stone(board, at(cx, cy)) != STONE_NONE)
            continue;
        window->empty |= bit;
        unsigned drop = 0;
        for (int below = cy; below >= 0 && board_stone(board, at(cx, below)) == STONE_NONE; below--)
            drop++;
        // In a column the highest cell counts for all.
        window->fill += board->rules.gravity ? (dx == 0 ? 0 : drop) : 1;
        highest = drop > highest ? drop : highest;
    }
    window->fill += board->rules.gravity && dx == 0 ? highest : 0;
    window->is_open = others == 0 && !(board->rules.exact && (has_stone(board, x - dx, y - dy, side) ||
                                                              has_stone(board, x + k * dx, y + k * dy, side)));
    return true;
}

// --- Facts as sets ---

static uint64_t line_set(const Board *board, unsigned line, uint64_t bits)
{
    uint64_t set = 0;
    for (; bits != 0; bits &= bits - 1)
        set |= bit_of(board, lines_cell(board, line, bits_lowest(bits)));
    return set;
}

static uint64_t empty_set(const Board *board, const EffectRows *rows)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < rows->count; i++)
        set |= line_set(board, rows->row[i].line, rows->row[i].empty);
    return set;
}

static uint64_t cell_set(const Board *board, const EffectCells *cells)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < cells->count && i < EFFECTS_CELLS; i++)
        set |= bit_of(board, cells->cell[i]);
    return set;
}

// A list of cells that may be longer than what it names.
static void check_cells(const Board *board, const EffectCells *cells, uint64_t expected)
{
    assert_int_equal(cells->count, bits_count(expected));
    uint64_t set = cell_set(board, cells);
    assert_int_equal(set & ~expected, 0);
    assert_int_equal(bits_count(set), cells->count < EFFECTS_CELLS ? cells->count : EFFECTS_CELLS);
}

// Rows name stones of one side and empty cells, never more than a row needs.
static void check_rows(const Board *board, const EffectRows *rows, Side side)
{
    assert_true(rows->count <= EFFECTS_ROWS);
    for (unsigned i = 0; i < rows->count; i++) {
        const EffectRow *row = &rows->row[i];
        assert_int_equal(row->stones & ~board->line[row->line][side], 0);
        assert_int_equal(row->empty & (board->line[row->line][0] | board->line[row->line][1]), 0);
        assert_int_equal(row->empty & ~lines_mask(board, row->line), 0);
        assert_true(bits_count(row->stones) < board->rules.k);
        assert_true(i == 0 || bits_count(row->stones) <= bits_count(row[-1].stones));
    }
}

// --- What is compared ---

typedef struct {
    Board before, after;
    Side side, other;
    unsigned left, other_next, own_next; // stones of the turn, and of the two that follow
    unsigned count;
    Cell stones[64];
    uint64_t set; // the stones
    Effects effects;
} Turn;

static void check_threats(Turn *turn)
{
    const Effects *effects = &turn->effects;
    unsigned p = turn->before.rules.p;
    assert_int_equal(effects->remaining.count > 0, can_win(&turn->after, turn->other, p, 0));
    assert_int_equal(effects->threats.count > 0, can_win(&turn->after, turn->side, turn->own_next, 0));
    assert_int_equal(effects->misses_win, can_win(&turn->before, turn->side, turn->left, 0));
    assert_int_equal(effects->needed.is_uncertain, turn->own_next < p);
    if (!effects->needed.is_uncertain)
        assert_int_equal(effects->needed.count, stones_to_stop(&turn->after, turn->side));
    check_rows(&turn->before, &effects->stopped, turn->other);
    check_rows(&turn->after, &effects->remaining, turn->other);
    check_rows(&turn->after, &effects->threats, turn->side);
    check_rows(&turn->after, &effects->waiting, turn->side);
    check_rows(&turn->after, &effects->opened, turn->side);
    check_rows(&turn->before, &effects->closed, turn->other);
}

static void check_targets(Turn *turn)
{
    const Effects *effects = &turn->effects;
    if (turn->before.rules.p > 1)
        return;
    uint64_t own = turn->own_next > 0 ? targets_of(&turn->after, turn->side) : 0,
             were = targets_of(&turn->before, turn->other), are = targets_of(&turn->after, turn->other);
    check_cells(&turn->after, &effects->targets, own);
    assert_int_equal(empty_set(&turn->after, &effects->threats), own);
    assert_int_equal(empty_set(&turn->before, &effects->stopped), were & ~are);
    assert_int_equal(empty_set(&turn->after, &effects->remaining), are);
    if (bits_count(own) != 1) {
        assert_int_equal(effects->follow_ups.count, 0);
        return;
    }
    board_put(&turn->after, effects->targets.cell[0], turn->other);
    check_cells(&turn->after, &effects->follow_ups, targets_of(&turn->after, turn->side));
    board_take(&turn->after, effects->targets.cell[0], turn->other);
}

// Whether some turn of that many stones wins, or leaves the other side no win.
static bool some_turn_helps(Board *board, Side side, unsigned stones, int from)
{
    int width = board->rules.width, cells = width * board->rules.height;
    if (winning_cells(board, side) != 0)
        return true;
    if (stones == 0)
        return !can_win(board, side_other(side), board->rules.p, 0);
    bool helps = false;
    for (int i = board->rules.gravity ? 0 : from; i < cells && !helps; i++)
        if (can_play(board, i % width, i / width)) {
            board_put(board, at(i % width, i / width), side);
            helps = some_turn_helps(board, side, stones - 1, i + 1);
            board_take(board, at(i % width, i / width), side);
        }
    return helps;
}

static void check_choices(Turn *turn)
{
    const Effects *effects = &turn->effects;
    Board *board = &turn->before;
    bool helps = some_turn_helps(board, turn->side, turn->left, 0);
    assert_false(effects->no_turn_helps && helps);
    // Where stones fall, several of them may be of no help for reasons that are not looked for.
    if (turn->left == 1 || !board->rules.gravity)
        assert_int_equal(effects->no_turn_helps, !helps);
    bool was_in_danger = can_win(board, turn->other, turn->other_next, 0);
    unsigned choices = 0, safe = 0;
    uint64_t traps = 0;
    for (int i = 0; i < board->cells && turn->left == 1; i++) {
        Cell cell = at(i % board->rules.width, i / board->rules.width);
        if (!can_play(board, i % board->rules.width, i / board->rules.width))
            continue;
        choices++;
        board_put(board, cell, turn->side);
        bool is_safe = winning_cells(board, turn->side) != 0 || !can_win(board, turn->other, board->rules.p, 0);
        board_take(board, cell, turn->side);
        safe += is_safe;
        traps |= !is_safe && !was_in_danger && cell != turn->stones[0] ? bit_of(board, cell) : 0;
    }
    assert_int_equal(effects->choices, choices);
    assert_int_equal(effects->safe, safe);
    check_cells(board, &effects->traps, traps);
}

static void check_fork(Turn *turn)
{
    bool denies = false;
    if (turn->before.rules.p == 1 && turn->left == 1 && !can_win(&turn->before, turn->other, 1, 0)) {
        board_put(&turn->before, turn->stones[0], turn->other);
        denies = stones_to_stop(&turn->before, turn->other) > 1;
        board_take(&turn->before, turn->stones[0], turn->other);
    }
    assert_int_equal(turn->effects.denies_fork, denies);
}

static void check_windows(Turn *turn)
{
    unsigned open = 0, built = 0, hampered = 0, stopped = 0;
    uint64_t waiting = 0;
    for (int i = 0; i < turn->before.cells; i++)
        for (int d = 0; d < 4; d++) {
            int x = i % turn->before.rules.width, y = i / turn->before.rules.width;
            PlainWindow own, other;
            if (!look_at(&turn->after, x, y, d, turn->side, &own) || (own.cells & turn->set) == 0)
                continue;
            (void)look_at(&turn->before, x, y, d, turn->other, &other);
            open += own.is_open;
            built = own.is_open && bits_count(own.own) > built ? bits_count(own.own) : built;
            hampered = other.is_open && bits_count(other.own) > hampered ? bits_count(other.own) : hampered;
            stopped += other.is_open && other.fill <= turn->other_next;
            if (own.is_open && bits_count(own.empty) == 1 && own.fill > turn->before.rules.p)
                waiting |= own.empty;
        }
    const Effects *effects = &turn->effects;
    assert_int_equal(effects->stopped.count > 0, stopped > 0);
    assert_int_equal(effects->open_windows, open);
    assert_int_equal(bits_count(effects->built.stones), built);
    assert_int_equal(bits_count(effects->hampered.stones), hampered);
    assert_int_equal(empty_set(&turn->after, &effects->waiting), waiting);
}

// Whether the other side could still make its row, by windows that have all of its stones.
static void check_room(Turn *turn)
{
    uint64_t stones = line_set(&turn->before, turn->effects.hampered.line, turn->effects.hampered.stones);
    bool has_room = false, is_line = bits_count(stones) > 1; // one stone alone does not tell the line
    for (int i = 0; i < turn->before.cells && is_line; i++)
        for (int d = 0; d < 4; d++) {
            PlainWindow window;
            int x = i % turn->before.rules.width, y = i / turn->before.rules.width;
            if (look_at(&turn->after, x, y, d, turn->other, &window))
                has_room |= window.is_open && (stones & ~window.cells) == 0;
        }
    if (is_line)
        assert_int_equal(turn->effects.hampered_is_closed, !has_room);
}

// --- Open rows, by what one more stone would make of them ---

typedef struct {
    unsigned count;
    uint64_t set[256];
} Sets;

static bool sets_have(const Sets *sets, uint64_t set)
{
    for (unsigned i = 0; i < sets->count; i++)
        if (sets->set[i] == set)
            return true;
    return false;
}

// Whether a stone there completes a row in this direction.
static bool completes(Board *board, int x, int y, int d, Side side)
{
    if (!can_play(board, x, y))
        return false;
    int length = 1;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int i = 1; has_stone(board, x + sign * i * steps[d][0], y + sign * i * steps[d][1], side); i++)
            length++;
    return board->rules.exact ? length == board->rules.k : length >= board->rules.k;
}

// Adds what has become of the row from x, y: k - 1 stones with both ends to be completed, but for the stone tried.
static void add_open(Board *board, int x, int y, int d, Side side, Cell tried, Sets *sets)
{
    int dx = steps[d][0], dy = steps[d][1], k = board->rules.k;
    uint64_t stones = 0;
    for (int i = 0; i < k - 1; i++)
        stones |= has_stone(board, x + i * dx, y + i * dy, side) ? bit_of(board, at(x + i * dx, y + i * dy)) : 0;
    uint64_t bit = bit_of(board, tried);
    if ((int)bits_count(stones) == k - 1 && (stones & bit) != 0 && completes(board, x - dx, y - dy, d, side) &&
        completes(board, x + (k - 1) * dx, y + (k - 1) * dy, d, side) && !sets_have(sets, stones & ~bit))
        sets->set[sets->count++] = stones & ~bit;
}

static void find_open(Board *board, Side side, Sets *sets)
{
    sets->count = 0;
    for (int tried = 0; tried < board->cells; tried++) {
        int width = board->rules.width;
        Cell cell = at(tried % width, tried / width);
        if (!can_play(board, tried % width, tried / width))
            continue;
        board_put(board, cell, side);
        for (int i = 0; i < board->cells; i++)
            for (int d = 0; d < 4; d++)
                if (is_on(board, i % width + (board->rules.k - 2) * steps[d][0],
                          i / width + (board->rules.k - 2) * steps[d][1]))
                    add_open(board, i % width, i / width, d, side, cell, sets);
        board_take(board, cell, side);
    }
}

// The rows are those of one list that are not in the other.
static void check_open(const Board *board, const EffectRows *rows, const Sets *have, const Sets *without)
{
    unsigned expected = 0;
    for (unsigned i = 0; i < have->count; i++)
        expected += !sets_have(without, have->set[i]);
    assert_int_equal(rows->count, expected < EFFECTS_ROWS ? expected : EFFECTS_ROWS);
    for (unsigned i = 0; i < rows->count; i++) {
        uint64_t set = line_set(board, rows->row[i].line, rows->row[i].stones);
        assert_true(sets_have(have, set) && !sets_have(without, set));
    }
}

static void check_open_rows(Turn *turn)
{
    Sets before, after;
    if (turn->before.rules.p > 1 || turn->before.rules.k < 4) {
        assert_int_equal(turn->effects.opened.count + turn->effects.closed.count, 0);
        return;
    }
    find_open(&turn->before, turn->side, &before);
    find_open(&turn->after, turn->side, &after);
    check_open(&turn->after, &turn->effects.opened, &after, &before);
    find_open(&turn->before, turn->other, &before);
    find_open(&turn->after, turn->other, &after);
    check_open(&turn->before, &turn->effects.closed, &before, &after);
}

// --- Random turns ---

static void check_turn(Turn *turn)
{
    const Effects *effects = &turn->effects;
    uint64_t won = winning_cells(&turn->after, turn->side), completed = 0;
    assert_int_equal(effects->side, turn->side);
    assert_int_equal(effects->wins, won != 0);
    assert_int_equal(effects->ends_in_draw, won == 0 && board_count(&turn->after) == turn->after.cells);
    for (unsigned i = 0; i < effects->completed.count; i++)
        completed |= line_set(&turn->after, effects->completed.row[i].line, effects->completed.row[i].stones);
    assert_int_equal(completed, won);
    if (board_is_over(&turn->after)) {
        assert_int_equal(effects->stopped.count + effects->remaining.count + effects->threats.count, 0);
        return;
    }
    check_threats(turn);
    check_targets(turn);
    check_choices(turn);
    check_fork(turn);
    check_windows(turn);
    check_room(turn);
    check_open_rows(turn);
}

static void play_random(Board *board, Rng *rng, Turn *turn)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    Cell cell = cells[rng_below(rng, count)];
    (void)board_play(board, cell);
    if (turn != NULL) {
        turn->stones[turn->count++] = cell;
        turn->set |= bit_of(board, cell);
    }
}

// A random turn of a random position; also of one in the middle of a turn.
static bool draw_turn(Turn *turn, const Rules *rules, Rng *rng)
{
    *turn = (Turn){0};
    board_init(&turn->before, rules);
    for (unsigned stones = rng_below(rng, rules_cells(rules)); stones > 0 && !board_is_over(&turn->before); stones--)
        play_random(&turn->before, rng, NULL);
    if (board_is_over(&turn->before))
        return false;
    turn->side = board_side(&turn->before);
    turn->other = side_other(turn->side);
    turn->left = board_stones_left(&turn->before);
    unsigned empty = turn->before.cells - board_count(&turn->before) - turn->left;
    turn->other_next = empty < rules->p ? empty : rules->p;
    empty -= turn->other_next;
    turn->own_next = empty < rules->p ? empty : rules->p;
    turn->after = turn->before;
    for (unsigned i = 0; i < turn->left && !board_is_over(&turn->after); i++)
        play_random(&turn->after, rng, turn);
    return true;
}

static void test_against_brute_force(void **state)
{
    (void)state;
    // Games with a share each of the turns: the more stones a turn has, the longer it takes to try all.
    static const struct {
        const char *rules;
        unsigned share;
    } games[] = {
        {"3x3:k=3", 20},
        {"5x5:k=4", 20},
        {"6x6:k=4", 20},
        {"7x4:k=5", 20},
        {"8x8:k=5", 20},
        {"8x8:k=6", 20},
        {"7x5:k=4,exact", 20},
        {"8x6:k=5,exact", 20},
        {"7x6:k=4,gravity", 20},
        {"5x5:k=3,gravity", 20},
        {"8x7:k=5,gravity", 20},
        {"7x6:k=4,gravity,exact", 20},
        {"4x4:k=2", 20},
        {"4x4:k=1", 5},
        {"12x1:k=4", 20},
        {"2x9:k=3,gravity", 20},
        {"4x4:k=3,p=2,q=1", 3},
        {"5x4:k=4,p=2,q=1", 2},
        {"5x4:k=4,p=2,gravity", 1},
        {"5x4:k=3,p=2,q=2,exact", 2},
        {"12x1:k=5,p=3", 2},
        {"4x4:k=4,p=3", 1},
        {"4x3:k=3,p=3,q=2,gravity", 1},
        {"6x2:k=6,p=3,q=1", 2},
        {"3x3:k=2,p=3", 2},
    };
    Rng rng = rng_make(8);
    unsigned long budget = test_steps() / 300;
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i].rules);
        unsigned long turns = budget * games[i].share / 20;
        for (unsigned long n = 0; n < (turns > 0 ? turns : 1); n++) {
            Turn turn;
            if (!draw_turn(&turn, &rules, &rng))
                continue;
            effects_find(&turn.before, turn.stones, turn.count, &turn.effects);
            check_turn(&turn);
        }
    }
}

// --- By hand ---

static void test_rows_that_are_cut(void **state)
{
    (void)state;
    // A turn of nine on an empty board of 19 by 19: far more windows of six than a list has room for.
    Game game;
    begin_game(&game, "19x19:k=6,p=9,q=1");
    Cell cell = cell_of(&game.board.rules, "j10");
    Effects effects;
    effects_find(&game.board, &cell, 1, &effects);
    assert_true(effects.remaining.is_cut);
    assert_int_equal(effects.remaining.count, EFFECTS_ROWS);
    assert_true(effects.threats.is_cut);
    assert_int_equal(bits_count(effects.threats.row[0].stones), 1); // rows with stones come before empty ones
    assert_true(effects.is_central);
}

static void test_short_last_turn(void **state)
{
    (void)state;
    // O could make four with c1 and d1, but its next turn is of one stone.
    Game game;
    read_drawing(&game, "7x1:k=4,p=2", "O O . . X . X\nturn X 2");
    Cell cells[] = {cell_of(&game.board.rules, "c1"), cell_of(&game.board.rules, "f1")};
    Effects effects;
    effects_find(&game.board, cells, 2, &effects);
    assert_int_equal(effects.stopped.count, 0);
    assert_int_equal(bits_count(effects.hampered.stones), 2);
}

static void test_the_end_of_hope(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "tictactoe", "X O X\nX O O\nO X .\nturn X 1");
    Cell cell = cell_of(&game.board.rules, "c1");
    Effects effects;
    effects_find(&game.board, &cell, 1, &effects);
    assert_true(effects.ends_in_draw);
    read_drawing(&game, "tictactoe", "X X O\nO O X\nX . .\nturn X 1");
    effects_find(&game.board, &cell, 1, &effects);
    assert_true(effects.is_dead);
    assert_false(effects.is_central);
}

TEST_GROUP(effects)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_rows_that_are_cut),
        cmocka_unit_test(test_short_last_turn),
        cmocka_unit_test(test_the_end_of_hope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
