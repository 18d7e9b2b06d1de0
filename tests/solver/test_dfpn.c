// Tests of the df-pn solver for small boards: compared with a full search and known values; limits; claims made without
// search.
#include "base/clock.h"
#include "solver/dfpn/dfpn.h"
#include "solver/dfpn/dfpn_internal.h"
#include "support/check.h"

enum { TABLE = 1 << 20, EMPTY_MAX = 7 };

static const Limits no_limits = {0};

static Dfpn *open_solver(const Rules *rules, size_t bytes)
{
    Error error = {0};
    Dfpn *solver = NULL;
    assert_true(dfpn_suits(rules));
    assert_done(dfpn_open(&solver, rules, bytes, &error), error);
    return solver;
}

// --- Positions ---

static const char *const odd_rules[] = {
    "3x3:k=3",
    "4x3:k=3,exact",
    "4x4:k=4",
    "4x4:k=3,p=2,q=1",
    "4x4:k=4,p=2,q=2",
    "5x4:k=4,p=3,q=2",
    "5x5:k=5,p=2,q=1",
    "5x5:k=4,q=3",
    "5x5:k=4,exact",
    "5x4:k=3,p=2,exact",
    "5x4:k=2,exact",
    "6x4:k=4",
    "7x4:k=5,p=2",
    "8x8:k=5",
    "9x1:k=3",
    "1x9:k=2,p=2,exact",
    "12x1:k=9,p=3",
    "64x1:k=30",
    "1x64:k=3,p=5,q=2,exact",
    "3x3:k=1",
    "3x3:k=1,exact",
    "2x2:k=2,p=4,q=3",
    "5x5:k=3,p=9,q=4",
    "4x4:k=3,gravity",
    "4x4:k=3,p=2,q=1,gravity",
    "5x4:k=4,p=2,gravity",
    "4x4:k=3,p=3,gravity,exact",
    "5x4:k=4,p=2,q=1,gravity,exact",
    "64x1:k=20,p=2,gravity",
};
enum { ODD_RULES = sizeof odd_rules / sizeof *odd_rules };

// A position that was played, with few cells left.
static bool play_randomly(Board *board, const Rules *rules, Rng *rng)
{
    unsigned cells = rules_cells(rules), empty = 1 + rng_below(rng, EMPTY_MAX);
    return scatter_stones(board, rules, empty < cells ? cells - empty : 0, rng);
}

// Stones of any number and colour, anywhere; with gravity the cells above an empty one of a column are empty.
static bool set_up_randomly(Board *board, const Rules *rules, Rng *rng)
{
    board_init(board, rules);
    unsigned empty = board->cells, most = 1 + rng_below(rng, EMPTY_MAX);
    while (empty > most) {
        unsigned column = rng_below(rng, rules->width);
        unsigned row = rules->gravity ? board_drop_row(board, column) : rng_below(rng, rules->height);
        if (row >= rules->height || board_stone(board, cell_at(column, row)) != STONE_NONE)
            continue;
        board_put(board, cell_at(column, row), rng_below(rng, 2) ? SIDE_FIRST : SIDE_SECOND);
        empty--;
    }
    return board_set_turn(board, rng_below(rng, 2) ? SIDE_FIRST : SIDE_SECOND, 1 + rng_below(rng, rules->p)) == 0;
}

static bool make_position(Board *board, const Rules *rules, Rng *rng)
{
    return rng_below(rng, 2) ? play_randomly(board, rules, rng) : set_up_randomly(board, rules, rng);
}

static int value_after(Board *board, Cell cell)
{
    Side side = board_side(board);
    BoardState before = board_play(board, cell);
    int value = true_value(board);
    value = board_side(board) == side ? value : -value;
    board_undo(board, cell, before);
    return value;
}

static void fail_on(const Board *board, const ExactResult *result, int value)
{
    char text[RULES_TEXT_SIZE];
    rules_format(&board->rules, text);
    print_board(board);
    fail_msg("%s: the value is %d, found %d to %d", text, value, result->low, result->high);
}

// --- Against all play ---

static void check_cells(Dfpn *solver, Board *board, const ExactResult *result)
{
    ExactCells all, best;
    dfpn_cells(solver, board, NULL, &no_limits, &all);
    dfpn_cells(solver, board, result, &no_limits, &best);
    Cell legal[RULES_CELLS_MAX];
    assert_int_equal(all.count, board_legal_cells(board, legal));
    assert_int_equal(best.count, all.count);
    for (unsigned i = 0; i < all.count; i++) {
        int value = value_after(board, legal[i]);
        assert_int_equal(all.list[i].cell, legal[i]);
        if (all.list[i].low != value || all.list[i].high != value)
            fail_on(board, &(ExactResult){.low = all.list[i].low, .high = all.list[i].high}, value);
        assert_int_equal(best.list[i].low == result->low, value == result->low);
        assert_true(best.list[i].low <= value && value <= best.list[i].high);
    }
}

static void check_position(Dfpn *solver, Board *board)
{
    int value = true_value(board);
    ExactResult result;
    dfpn_run(solver, board, &no_limits, &result);
    if (result.low != value || result.high != value)
        fail_on(board, &result, value);
    assert_true(result.has_best && board_is_legal(board, result.best));
    assert_int_equal(value_after(board, result.best), value);
    check_cells(solver, board, &result);
}

// A new solver also solves a symmetric image of each position.
static void check_symmetric(const Board *board, const ExactResult *result, Rng *rng)
{
    Board image;
    symmetry_board(board, rng_below(rng, symmetry_count(&board->rules)), &image);
    Dfpn *solver = open_solver(&board->rules, TABLE / 64);
    ExactResult other;
    dfpn_run(solver, &image, &no_limits, &other);
    assert_int_equal(other.low, result->low);
    assert_int_equal(other.high, result->high);
    dfpn_close(solver);
}

static void test_against_all_play(void **state)
{
    (void)state;
    Rng rng = rng_make(9);
    for (unsigned i = 0; i < ODD_RULES; i++) {
        Rules rules = rules_of(odd_rules[i]);
        Dfpn *solver = open_solver(&rules, TABLE);
        for (unsigned long step = 0; step < test_steps() / 4000 + 1; step++) {
            Board board;
            if (!make_position(&board, &rules, &rng))
                continue;
            check_position(solver, &board);
            ExactResult result;
            dfpn_run(solver, &board, &no_limits, &result);
            check_symmetric(&board, &result, &rng);
        }
        dfpn_close(solver);
    }
}

// Rules by chance, from the empty board on if it is small enough for a search of all play.
static void test_random_rules(void **state)
{
    (void)state;
    Rng rng = rng_make(10);
    for (unsigned long step = 0; step < test_steps() / 800 + 1; step++) {
        Rules rules = {.width = (uint8_t)(1 + rng_below(&rng, 5)), .height = (uint8_t)(1 + rng_below(&rng, 5))};
        unsigned longest = rules.width > rules.height ? rules.width : rules.height, cells = rules_cells(&rules);
        rules.k = (uint8_t)(1 + rng_below(&rng, longest));
        rules.p = (uint16_t)(1 + rng_below(&rng, cells < 4 ? cells : 4));
        rules.q = (uint16_t)(1 + rng_below(&rng, cells < 4 ? cells : 4));
        rules.gravity = rng_below(&rng, 3) == 0;
        rules.exact = rng_below(&rng, 3) == 0;
        Board board;
        if (!make_position(&board, &rules, &rng))
            continue;
        Dfpn *solver = open_solver(&rules, 0); // a table of one bucket
        check_position(solver, &board);
        dfpn_close(solver);
    }
}

// --- Known values ---

typedef struct {
    const char *rules;
    int value; // for the first player
} Known;

static const Known known[] = {
    {"tictactoe", 0},       {"4x3:k=3", 1},         {"4x4:k=4", 0}, {"5x5:k=5", 0},          {"5x5:k=4", 0},
    {"6x6:k=4", 1},         {"6x4:k=4", 0},         {"7x5:k=4", 1}, {"6x6:k=4,p=2,q=1", -1}, {"6x5:k=4,p=2,q=1", -1},
    {"5x5:k=5,p=2,q=1", 0}, {"4x4:k=4,gravity", 0}, {"8x8:k=8", 0}, {"8x8:k=1", 1},          {"64x1:k=2", 1},
};

static void test_known(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        Rules rules = rules_of(known[i].rules);
        Dfpn *solver = open_solver(&rules, 32 << 20);
        Board board;
        board_init(&board, &rules);
        ExactResult result, again;
        dfpn_run(solver, &board, &no_limits, &result);
        if (result.low != known[i].value || result.high != known[i].value)
            fail_on(&board, &result, known[i].value);
        dfpn_run(solver, &board, &no_limits, &again);
        assert_int_equal(again.low, known[i].value);
        assert_true(again.nodes <= 2); // both answers are in the table
        dfpn_close(solver);
    }
}

static void test_suits(void **state)
{
    (void)state;
    Rules rules = rules_of("8x8:k=5"), larger = rules_of("13x5:k=5");
    assert_true(dfpn_suits(&rules));
    assert_false(dfpn_suits(&larger));
}

// Games that are over, and rows that are complete with the stones of this turn.
static void test_ends(void **state)
{
    (void)state;
    Game game;
    ExactResult result;
    begin_game(&game, "3x3:k=3");
    Dfpn *solver = open_solver(&game.board.rules, 0);
    play_text(&game, "a1 a2 b1 b2 c1");
    dfpn_run(solver, &game.board, &no_limits, &result);
    assert_int_equal(result.low, -1);
    assert_int_equal(result.high, -1);
    assert_false(result.has_best);
    game_undo(&game);
    dfpn_run(solver, &game.board, &no_limits, &result);
    assert_int_equal(result.low, 1);
    assert_true(result.has_best);
    assert_int_equal(result.best, cell_of(&game.board.rules, "c1"));
    begin_game(&game, "3x3:k=3");
    play_text(&game, "a1 b1 c1 b2 a2 c2 b3 a3 c3");
    dfpn_run(solver, &game.board, &no_limits, &result);
    assert_int_equal(result.low, 0);
    assert_int_equal(result.high, 0);
    dfpn_close(solver);
}

// --- Strategies ---

// A player of best stones never gets less than the value, against random play.
static void follow(const char *text, Side side, Rng *rng)
{
    Game game;
    begin_game(&game, text);
    Dfpn *solver = open_solver(&game.board.rules, 16 << 20);
    ExactResult result;
    dfpn_run(solver, &game.board, &no_limits, &result);
    int value = board_side(&game.board) == side ? result.low : -result.low;
    while (!game_is_over(&game)) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&game.board, cells);
        dfpn_run(solver, &game.board, &no_limits, &result);
        bool ours = board_side(&game.board) == side;
        assert_true((ours ? result.low : -result.high) >= value);
        game_play(&game, ours ? result.best : cells[rng_below(rng, count)]);
    }
    Winner winner = board_winner(&game.board);
    assert_true((winner == WINNER_NONE ? 0 : (unsigned)winner - 1 == (unsigned)side ? 1 : -1) >= value);
    dfpn_close(solver);
}

static void test_strategies(void **state)
{
    (void)state;
    Rng rng = rng_make(12);
    for (unsigned i = 0; i < test_count(4, 2); i++) {
        follow("6x6:k=4", SIDE_FIRST, &rng);
        follow("5x5:k=4", SIDE_SECOND, &rng);
        follow("6x5:k=4,p=2,q=1", SIDE_SECOND, &rng);
        follow("5x4:k=3,p=2,gravity", i % 2 ? SIDE_FIRST : SIDE_SECOND, &rng);
        follow("4x4:k=3,exact", i % 2 ? SIDE_FIRST : SIDE_SECOND, &rng);
    }
}

// --- Limits ---

// However few nodes there are, the bounds are sound, and with more of them they never get worse.
static void test_few_nodes(void **state)
{
    (void)state;
    static const char *const games[] = {"5x5:k=4", "6x6:k=4", "6x6:k=4,p=2,q=1", "7x4:k=4", "4x4:k=3,p=2,gravity"};
    static const int values[] = {0, 1, -1, 0, -1};
    for (unsigned i = 0; i < 5; i++) {
        Rules rules = rules_of(games[i]);
        Board board;
        board_init(&board, &rules);
        Dfpn *solver = open_solver(&rules, TABLE);
        int lower = -1, upper = 1;
        for (uint64_t nodes = 1; nodes < 4000; nodes *= 2) {
            ExactResult result;
            dfpn_run(solver, &board, &(Limits){.nodes = nodes}, &result);
            assert_true(result.nodes <= nodes + 1);
            assert_true(lower <= result.low && result.high <= upper);
            assert_true(result.low <= values[i] && values[i] <= result.high);
            assert_true(result.has_best && board_is_legal(&board, result.best));
            lower = result.low;
            upper = result.high;
        }
        dfpn_close(solver);
    }
}

static void raise_flag(void *context, const ExactResult *so_far)
{
    assert_true(so_far->nodes > 0 && so_far->low == -1 && so_far->high == 1);
    atomic_store((atomic_bool *)context, true);
}

static void test_stop(void **state)
{
    (void)state;
    Rules rules = rules_of("8x8:k=5");
    Board board;
    board_init(&board, &rules);
    Dfpn *solver = open_solver(&rules, TABLE);
    ExactResult result;
    atomic_bool stop = true;
    dfpn_run(solver, &board, &(Limits){.stop = &stop}, &result);
    assert_true(result.nodes <= 2);
    ExactCells cells;
    dfpn_cells(solver, &board, NULL, &(Limits){.stop = &stop}, &cells);
    assert_int_equal(cells.count, 64);
    assert_int_equal(cells.nodes, 0);
    // Raised by the first report, and a deadline that has passed.
    stop = false;
    dfpn_watch(solver, (ExactWatch){.progress = raise_flag, .context = &stop});
    dfpn_run(solver, &board, &(Limits){.stop = &stop}, &result);
    dfpn_watch(solver, (ExactWatch){0});
    assert_true(stop);
    assert_true(result.low <= 0 && result.high >= 0);
    dfpn_run(solver, &board, &(Limits){.deadline = clock_seconds()}, &result);
    assert_true(result.nodes < 1000);
    dfpn_close(solver);
}

static void test_same_again(void **state)
{
    (void)state;
    Rules rules = rules_of("6x4:k=4");
    Board board;
    board_init(&board, &rules);
    ExactResult result[2];
    for (unsigned i = 0; i < 2; i++) {
        Dfpn *solver = open_solver(&rules, TABLE);
        dfpn_run(solver, &board, &no_limits, &result[i]);
        dfpn_close(solver);
    }
    assert_int_equal(result[0].nodes, result[1].nodes);
    assert_int_equal(result[0].best, result[1].best);
}

// --- Claims without search ---

static SolverPosition numbers_of(const Board *board)
{
    SolverPosition position = {.side = (uint8_t)board_side(board), .left = (uint16_t)board_stones_left(board)};
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned side = 0; side < 2; side++)
            position.stones[side] |= board->line[row][side] << row * board->rules.width;
    return position;
}

// Whether the side to move, or the other one, wins in truth.
static bool truly_wins(Board *board, Side side)
{
    int value = true_value(board);
    return board_side(board) == side ? value == 1 : value == -1;
}

typedef struct {
    unsigned pairings, sums; // claims that were made
} Claims;

static void check_claims(const SolverLines *lines, Board *board, Claims *claims)
{
    SolverPosition position = numbers_of(board);
    SolverView view;
    solver_lines_view(lines, &position, &view);
    for (unsigned side = 0; side < 2; side++) {
        if (!solver_can_be_held(lines, &position, side))
            continue;
        bool pairing = solver_pairing_holds(lines, solver_empty(lines, &position), &view.of[side]);
        bool sum = solver_danger_holds(lines, &position, side, &view.of[side]);
        claims->pairings += pairing && view.of[side].live != 0;
        claims->sums += sum && view.of[side].live != 0;
        if ((pairing || sum) && truly_wins(board, side == 0 ? SIDE_FIRST : SIDE_SECOND)) {
            print_board(board);
            fail_msg("held by %s, but side %u wins", pairing ? "pairs" : "the sum", side);
        }
    }
}

static void test_claims(void **state)
{
    (void)state;
    static const char *const games[] = {"3x3:k=3",         "4x4:k=4",           "5x3:k=3,exact", "4x4:k=4,p=2,q=1",
                                        "5x4:k=4,p=2,q=2", "5x2:k=5,p=3",       "9x1:k=3",       "4x4:k=4,exact",
                                        "5x5:k=5,p=2",     "6x2:k=6,p=2,exact", "5x5:k=4",       "12x1:k=3,p=2",
                                        "8x2:k=5,p=3"};
    Rng rng = rng_make(13);
    Claims claims = {0};
    for (unsigned i = 0; i < sizeof games / sizeof *games; i++) {
        Rules rules = rules_of(games[i]);
        SolverLines lines;
        solver_lines_init(&lines, &rules);
        for (unsigned long step = 0; step < test_steps() / 800 + 1; step++) {
            Board board;
            if (make_position(&board, &rules, &rng))
                check_claims(&lines, &board, &claims);
        }
    }
    assert_true(claims.pairings > 0 && claims.sums > 0);
}

// What the windows say, cell by cell: complete a row with this stone, and no cell of no open window matters.
static void test_view(void **state)
{
    (void)state;
    Rng rng = rng_make(14);
    for (unsigned i = 0; i < ODD_RULES; i++) {
        Rules rules = rules_of(odd_rules[i]);
        SolverLines lines;
        solver_lines_init(&lines, &rules);
        for (unsigned long step = 0; step < test_steps() / 800 + 1; step++) {
            Board board;
            if (!make_position(&board, &rules, &rng))
                continue;
            SolverPosition position = numbers_of(&board);
            SolverView view;
            solver_lines_view(&lines, &position, &view);
            Cell cells[RULES_CELLS_MAX];
            unsigned count = board_legal_cells(&board, cells);
            for (unsigned j = 0; j < count; j++) {
                BoardState before = board_play(&board, cells[j]);
                bool won = board_winner(&board) != WINNER_NONE;
                board_undo(&board, cells[j], before);
                unsigned number = cell_row(cells[j]) * rules.width + cell_column(cells[j]);
                assert_int_equal(view.of[position.side].completing >> number & 1, won);
            }
        }
    }
}

TEST_GROUP(dfpn)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_play),
        cmocka_unit_test(test_random_rules),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_suits),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_strategies),
        cmocka_unit_test(test_few_nodes),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
