// Tests of the search over potentials: compared with a simple minimax; proven values compared with the rules; random
// choices and limits; the agents `constant` and `incremental`.
#include "agents/agent.h"
#include "bench/papers/bench_papers.h"
#include "papers/patterns/potential_search.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- The plain minimax ---

typedef struct {
    PotentialSearchOptions options;
    double power[RULES_SIDE_MAX + 1];
    unsigned depth;
    uint64_t nodes;
} Plain;

static Plain plain_of(const PotentialSearchOptions *options, unsigned depth)
{
    Plain plain = {.options = *options, .depth = depth};
    for (unsigned n = 0; n <= 9; n++) // the rows of these tests are no longer
        plain.power[n] = pow(options->base, n);
    return plain;
}

static double plain_sum(const Plain *plain, const Board *board, Cell cell)
{
    return bench_potential_plain(board, cell, SIDE_FIRST, plain->power) +
           bench_potential_plain(board, cell, SIDE_SECOND, plain->power);
}

static double plain_gain(const Plain *plain, const Board *board, Cell cell)
{
    double own = bench_potential_plain(board, cell, board_side(board), plain->power);
    double other = bench_potential_plain(board, cell, side_other(board_side(board)), plain->power);
    double before = plain->options.summed ? own + other : own - other;
    return plain->options.base * own - before;
}

// All legal cells, best first, equals in the order of reading from a1.
static unsigned plain_cells(const Plain *plain, const Board *board, Cell cells[RULES_CELLS_MAX])
{
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, legal);
    for (unsigned i = 0; i < count; i++) {
        unsigned place = i;
        double sum = plain_sum(plain, board, legal[i]);
        for (; place > 0 && plain_sum(plain, board, cells[place - 1]) < sum; place--)
            cells[place] = cells[place - 1];
        cells[place] = legal[i];
    }
    return count;
}

static double plain_value(Plain *plain, Board *board, unsigned ply, double value);

// What a stone is worth to the side that places it; `value` is that of the game for the same side.
static double plain_stone(Plain *plain, Board *board, unsigned ply, double value, Cell cell)
{
    Side side = board_side(board);
    double after = value + plain_gain(plain, board, cell);
    BoardState before = board_play(board, cell);
    plain->nodes++;
    double worth = board_winner(board) != WINNER_NONE ? 2 * POTENTIAL_LIMIT - (ply + 1)
                   : board_is_over(board)             ? 0
                   : board_side(board) == side        ? plain_value(plain, board, ply + 1, after)
                                                      : -plain_value(plain, board, ply + 1, -after);
    board_undo(board, cell, before);
    return worth;
}

static double plain_value(Plain *plain, Board *board, unsigned ply, double value)
{
    if (ply == plain->depth)
        return value;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = plain_cells(plain, board, cells);
    double best = -INFINITY;
    for (unsigned i = 0; i < count && i < plain->options.branching; i++)
        best = fmax(best, plain_stone(plain, board, ply, value, cells[i]));
    return best;
}

// The root: cells that are among the best for certain, and those that may be, as lots fall.
typedef struct {
    double certain, possible; // the best value among each
    bool lots;                // some of the second kind are left out
    uint64_t nodes;           // with all of the second kind
} PlainRoot;

static PlainRoot plain_root(const PotentialSearchOptions *options, const Board *board, unsigned depth)
{
    Plain plain = plain_of(options, depth);
    Board copy = *board;
    Cell cells[RULES_CELLS_MAX] = {0};
    unsigned count = plain_cells(&plain, board, cells),
             listed = count < options->branching ? count : options->branching;
    double least = plain_sum(&plain, board, cells[listed - 1]);
    PlainRoot root = {-INFINITY, -INFINITY, false, 0};
    for (unsigned i = 0; i < count; i++) {
        double sum = plain_sum(&plain, board, cells[i]);
        if (sum < least)
            break;
        double value = plain_stone(&plain, &copy, 0, 0, cells[i]);
        root.lots |= i >= listed;
        root.possible = fmax(root.possible, value);
        root.certain = sum > least ? fmax(root.certain, value) : root.certain;
    }
    root.nodes = plain.nodes;
    return root;
}

// --- Random positions ---

static const char *const shapes[] = {
    "3x3:k=3", "4x4:k=3", "5x4:k=4,gravity", "6x3:k=3,exact", "4x4:k=4,p=2,q=1",         "5x3:k=3,p=3,q=2",
    "7x5:k=4", "9x1:k=3", "4x4:k=2",         "6x5:k=4,exact", "5x5:k=3,p=2,q=1,gravity", "4x3:k=3,p=12"};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

// A position of random play; false when the game came to its end.
static bool random_position(Game *game, Rng *rng, unsigned empty_max)
{
    return begin_near_the_end(game, shapes[rng_below(rng, SHAPES)], empty_max, rng);
}

static PotentialSearchOptions random_options(Rng *rng)
{
    static const unsigned bases[] = {1, 1, 2, 10, 10, 100}; // with 1, values differ by 1
    return (PotentialSearchOptions){
        .depth = 1 + rng_below(rng, 5),
        .branching = 1 + rng_below(rng, 8),
        .base = bases[rng_below(rng, sizeof bases / sizeof bases[0])],
        .summed = rng_below(rng, 3) == 0,
    };
}

static NegamaxResult run(const Board *board, const PotentialSearchOptions *options, const Limits *limits, uint64_t seed)
{
    PotentialSearch *search = potential_search_open(options, &board->rules);
    Rng rng = rng_make(seed);
    NegamaxResult result = potential_search_run(search, board, limits, &rng);
    potential_search_close(search);
    return result;
}

static bool is_decided(double value)
{
    return fabs(value) > (double)POTENTIAL_SEARCH_WIN / 2;
}

// Plays the expected line: it is legal, ends where the search ended, and adds up to what was said.
static void check_line(const Board *board, const PotentialSearchOptions *options, const NegamaxResult *result)
{
    Plain plain = plain_of(options, result->depth);
    Board after = *board;
    double value = 0;
    for (unsigned i = 0; i < result->line_count; i++) {
        assert_true(board_is_legal(&after, result->line[i]));
        double gain = plain_gain(&plain, &after, result->line[i]);
        value += board_side(&after) == board_side(board) ? gain : -gain;
        (void)board_play(&after, result->line[i]);
    }
    assert_true(board_is_over(&after) || result->line_count == result->depth);
    if (result->won || result->lost) {
        assert_int_equal(result->line_count, result->distance);
        assert_int_equal((int)board_winner(&after) - 1 == (int)board_side(board), result->value > 0);
    } else {
        assert_true((double)result->value == (board_is_over(&after) ? 0 : value));
    }
}

static void check_against_plain(const Game *game, const PotentialSearchOptions *options, uint64_t seed)
{
    const Board *board = &game->board;
    NegamaxResult result = run(board, options, &(Limits){0}, seed);
    PlainRoot root = {0};
    uint64_t all = 0;
    for (unsigned depth = 1; depth <= result.depth; depth++) {
        root = plain_root(options, board, depth);
        all += root.nodes;
        // Deepening ends with the first depth that finds a win or a loss.
        if (depth < result.depth && !root.lots)
            assert_false(is_decided(root.possible));
    }
    if (root.lots)
        assert_true((double)result.value >= root.certain && (double)result.value <= root.possible);
    else
        assert_true((double)result.value == root.possible);
    Plain plain = plain_of(options, result.depth);
    Board copy = *board;
    assert_true(plain_stone(&plain, &copy, 0, 0, result.line[0]) == (double)result.value);
    unsigned empty = board->cells - board_count(board);
    assert_true((result.won || result.lost) || result.depth == options->depth || result.depth == empty);
    assert_int_equal(result.distance >= 0, (result.won || result.lost));
    assert_true(result.nodes <= all);
    check_line(board, options, &result);
}

static void test_value_is_that_of_plain_minimax(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    unsigned long tries = test_steps() / 25;
    for (unsigned long i = 0; i < tries; i++) {
        Game game;
        if (!random_position(&game, &rng, 12))
            continue;
        PotentialSearchOptions options = random_options(&rng);
        check_against_plain(&game, &options, i);
    }
}

// Gomoku, where pruning matters.
static void test_pruning_changes_nothing_but_nodes(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "9x9:k=5");
    play_text(&game, "e5 d4 e4 e6 c3 d6 f5");
    PotentialSearchOptions options = {.depth = 4, .branching = 6, .base = POTENTIAL_BASE};
    NegamaxResult result = run(&game.board, &options, &(Limits){0}, 1);
    PlainRoot root = plain_root(&options, &game.board, 4);
    assert_true((double)result.value == root.possible);
    assert_true(result.nodes < root.nodes / 4);
    check_against_plain(&game, &options, 2);
}

// --- What is proven ---

static void test_what_is_proven_is_true(void **state)
{
    (void)state;
    Rng rng = rng_make(6);
    unsigned proven[3] = {0}, open = 0;
    unsigned long tries = test_steps() / 20;
    for (unsigned long i = 0; i < tries; i++) {
        Game game;
        if (!random_position(&game, &rng, 8))
            continue;
        PotentialSearchOptions options = random_options(&rng);
        options.depth = 1 + rng_below(&rng, 8);
        NegamaxResult result = run(&game.board, &options, &(Limits){0}, i);
        int claim = result.won ? 1 : result.lost ? -1 : 0;
        // If every cell is searched, ends of games and full boards are proven.
        unsigned empty = game.board.cells - board_count(&game.board);
        if (options.branching >= empty)
            assert_int_equal(result.proven, claim != 0 || result.depth == empty);
        open += !result.proven;
        if (!result.proven)
            continue;
        assert_int_equal(true_value(&game.board), claim);
        proven[claim + 1]++;
    }
    assert_true(proven[0] > 5 && proven[1] > 5 && proven[2] > 5 && open > 5);
}

// An open four of X with O to move: O knows that it loses as far as it looks, but not that nothing else helps. With
// every cell looked at it does.
static void test_losses_are_proven_with_every_cell_only(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "7x7:k=5", ".......\n.......\n.......\n.XXXX..\n..OO...\n..O....\n.......\nturn O 1\n");
    PotentialSearchOptions options = {.depth = 2, .branching = 6, .base = POTENTIAL_BASE};
    NegamaxResult result = run(&game.board, &options, &(Limits){0}, 1);
    assert_true(result.lost && result.distance == 2 && !result.proven);
    options.branching = 49;
    result = run(&game.board, &options, &(Limits){0}, 1);
    assert_true(result.lost && result.distance == 2 && result.proven);
}

// --- Lots ---

// Every cell that is as good as any is played about as often as the others.
static void check_lots(const Board *board, const PotentialSearchOptions *options, const char *const *names,
                       unsigned count)
{
    enum { RUNS = 4000 };
    unsigned played[RULES_CELLS_MAX] = {0}, sum = 0;
    PotentialSearch *search = NULL;
    Rng rng = rng_make(17);
    search = potential_search_open(options, &board->rules);
    for (int i = 0; i < RUNS; i++) {
        NegamaxResult result;
        result = potential_search_run(search, board, &(Limits){0}, &rng);
        played[result.line[0]]++;
    }
    potential_search_close(search);
    for (unsigned i = 0; i < count; i++) {
        unsigned times = played[cell_of(&board->rules, names[i])];
        assert_in_range(times, RUNS / count * 4 / 5, RUNS / count * 6 / 5);
        sum += times;
    }
    assert_int_equal(sum, RUNS);
}

static void test_equals_are_drawn_by_lot(void **state)
{
    (void)state;
    Game game;
    // The corners and the middle of an empty board have three windows each.
    static const char *const diagonals[] = {"a1", "a4", "d1", "d4", "b2", "b3", "c2", "c3"};
    PotentialSearchOptions options = {.depth = 1, .branching = 16, .base = POTENTIAL_BASE};
    begin_game(&game, "4x4:k=4");
    check_lots(&game.board, &options, diagonals, 8);
    options.branching = 3;
    check_lots(&game.board, &options, diagonals, 8);
    // Equals by what comes of them, which a search of three stones only finds out with a bound below the best.
    static const char *const corners[] = {"a1", "a3", "c1", "c3"};
    begin_game(&game, "3x3:k=3");
    play_text(&game, "b2");
    options = (PotentialSearchOptions){.depth = 3, .branching = 9, .base = POTENTIAL_BASE};
    check_lots(&game.board, &options, corners, 4);
}

// --- Limits ---

static void begin_middle(Game *game)
{
    begin_game(game, "9x9:k=5");
    play_text(game, "e5 d4 e4 e6 c3 d6");
}

static void assert_same_result(const NegamaxResult *a, const NegamaxResult *b)
{
    assert_true(a->value == b->value && a->depth == b->depth && a->proven == b->proven && a->distance == b->distance);
    assert_int_equal(a->line_count, b->line_count);
    assert_memory_equal(a->line, b->line, a->line_count * sizeof(Cell));
}

static void test_an_interrupted_depth_does_not_count(void **state)
{
    (void)state;
    Game game;
    begin_middle(&game);
    PotentialSearchOptions options = {.depth = 5, .branching = 6, .base = POTENTIAL_BASE};
    NegamaxResult whole[6];
    for (unsigned depth = 1; depth <= 5; depth++) {
        whole[depth] = run(&game.board, &options, &(Limits){.depth = depth}, 9);
        assert_int_equal(whole[depth].depth, depth);
        assert_true(depth == 1 || whole[depth].nodes > whole[depth - 1].nodes);
    }
    for (uint64_t nodes = 1; nodes < whole[5].nodes + 10; nodes += 7) {
        NegamaxResult result = run(&game.board, &options, &(Limits){.nodes = nodes}, 9);
        assert_same_result(&result, &whole[result.depth]);
        assert_true(result.depth == 1 || whole[result.depth].nodes <= nodes);
        assert_true(result.depth == 5 || whole[result.depth + 1].nodes > nodes);
        assert_true(result.nodes == (result.depth == 5        ? whole[5].nodes
                                     : nodes < whole[1].nodes ? whole[1].nodes
                                                              : nodes));
    }
}

static void test_a_search_that_must_end_at_once(void **state)
{
    (void)state;
    Game game;
    begin_middle(&game);
    atomic_bool stop = true;
    PotentialSearchOptions options = {.depth = 5, .branching = 6, .base = POTENTIAL_BASE};
    NegamaxResult first = run(&game.board, &options, &(Limits){.depth = 1}, 4);
    NegamaxResult result = run(&game.board, &options, &(Limits){.stop = &stop}, 4);
    assert_same_result(&result, &first);
    // A moment that is long over.
    result = run(&game.board, &options, &(Limits){.deadline = 1e-9}, 4);
    assert_same_result(&result, &first);
    stop = false;
    result = run(&game.board, &options, &(Limits){.stop = &stop}, 4);
    assert_int_equal(result.depth, 5);
}

// One search after another finds the same as a new one: what it follows is that of the position.
static void test_searches_do_not_depend_on_those_before(void **state)
{
    (void)state;
    Game game;
    PotentialSearch *search = NULL;
    PotentialSearchOptions options = {.depth = 3, .branching = 5, .base = POTENTIAL_BASE};
    begin_game(&game, "9x9:k=5");
    search = potential_search_open(&options, &game.board.rules);
    for (uint64_t seed = 0; seed < 40 && !game_is_over(&game); seed++) {
        NegamaxResult result, anew = run(&game.board, &options, &(Limits){0}, seed);
        Rng rng = rng_make(seed);
        result = potential_search_run(search, &game.board, &(Limits){0}, &rng);
        assert_same_result(&result, &anew);
        assert_true(result.nodes == anew.nodes);
        game_play(&game, result.line[0]);
    }
    potential_search_close(search);
}

// --- The agents ---

static Decision decide_within(const Game *game, const char *text, Budget budget, uint64_t seed)
{
    Agent agent;
    Error error = {0};
    Decision decision;
    Rng rng = rng_make(seed);
    assert_done(agent_open(&agent, span_of(text), &game->board.rules, &error), error);
    agent_decide(&agent, game, &(AgentTask){.budget = budget, .rng = &rng}, &decision);
    agent_close(&agent);
    return decision;
}

static Decision decide(const Game *game, const char *text, uint64_t seed)
{
    return decide_within(game, text, (Budget){0}, seed);
}

static void expect_stone(const char *drawing, const char *agent, const char *name)
{
    Game game;
    read_drawing(&game, "9x9:k=5", drawing);
    Decision decision = decide(&game, agent, 3);
    assert_int_equal(decision.count, 1);
    assert_int_equal(decision.stones[0], cell_of(&game.board.rules, name));
}

static void test_rows_are_finished_and_stopped(void **state)
{
    (void)state;
    static const char *const finish =
        ".........\n.........\n...O.....\n.XXXX.O..\n...OO....\n...O.....\n.........\n.........\n.........\nturn X 1\n";
    static const char *const stop =
        ".........\n.........\n.........\nOXXXX....\n....O....\n...O.....\n.........\n.........\n.........\nturn O 1\n";
    expect_stone(finish, "incremental", "f6");
    expect_stone(stop, "incremental", "f6");
    expect_stone(stop, "constant", "f6");
}

// X makes an open four of three: `incremental` sees that it wins.
static void test_what_a_decision_says(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "9x9:k=5",
                 ".........\n.........\n.........\n..XXX....\n...O.....\n..O......\n.O.......\n.........\n.........\n"
                 "turn X 1\n");
    Decision decision = decide(&game, "incremental", 1);
    assert_true(decision.score == (double)(POTENTIAL_SEARCH_WIN - 3));
    assert_int_equal(decision.depth, 3);
    assert_int_equal(decision.line_count, 3);
    assert_int_equal(decision.proven, PROVEN_NOTHING); // three of its replies were not looked at
    decision = decide(&game, "incremental:branching=81", 1);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 3);
    play_text(&game, "f6 a9");
    decision = decide(&game, "incremental", 1);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 1);
    assert_int_equal(decision.depth, 1);
}

// A turn is longer than the search looks ahead; that many nodes are enough for some of its stones only.
static void test_turns_of_several_stones(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "7x7:k=6,p=4,q=3");
    for (unsigned depth = 1; depth <= 5; depth++) {
        char text[64];
        (void)snprintf(text, sizeof text, "incremental:branching=3,depth=%u", depth);
        Decision decision = decide(&game, text, depth);
        assert_int_equal(decision.count, 3);
        assert_int_equal(decision.line_count, depth);
    }
    play_text(&game, "d4 d5 e4");
    Decision decision = decide(&game, "incremental:branching=3", 1);
    assert_int_equal(decision.count, 4);
    assert_int_equal(decision.depth, 5);
    // The nodes are those of the turn, and not of each search: after the first, depth 1 is all there is.
    decision = decide_within(&game, "incremental:branching=3,depth=2", (Budget){.nodes = 15}, 1);
    assert_int_equal(decision.count, 4);
    assert_int_equal(decision.depth, 2);
    assert_int_equal(decision.nodes, 15 + 3 + 3);
    decision = decide_within(&game, "incremental", (Budget){.depth = 2}, 1);
    assert_int_equal(decision.depth, 2);
    // Two stones are lacking and two are left: both ends of the row.
    read_drawing(&game, "8x3:k=6,p=2,q=1", "........\n..XXXX..\n........\nturn X 2\n");
    decision = decide(&game, "incremental", 1);
    assert_int_equal(decision.count, 2);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 2);
}

// Both readings of what a stone changes, one stone deep; test_potential.c has the numbers.
static void test_two_readings_of_a_gain(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "6x1:k=3", ".XO...\nturn X 1\n");
    assert_true(decide(&game, "incremental:depth=1", 1).score == 20);
    assert_true(decide(&game, "incremental:depth=1,before=signed,m=3", 1).score == 3 - (1 - 4));
    Decision decision = decide(&game, "incremental:depth=1,before=summed", 1);
    assert_true(decision.score == 10 - (1 + 1));
    assert_int_equal(decision.stones[0], cell_of(&game.board.rules, "f1"));
}

// `constant` rates what the potential says, and the board by what its cells are worth to each side.
static void test_ratings_of_constant(void **state)
{
    (void)state;
    Game game;
    Agent agent;
    Error error = {0};
    read_drawing(&game, "6x1:k=3", ".XO...\nturn X 1\n");
    assert_done(agent_open(&agent, span_of("constant"), &game.board.rules, &error), error);
    agent_rate(&agent, &game);
    static const double utilities[] = {0, 12, 12, 2}; // a1, d1, e1, f1: see test_potential.c
    assert_int_equal(agent.ratings->count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_true(agent.ratings->cells[i].utility == utilities[i]);
    assert_true(agent.ratings->value == 3 - 23);
    agent_close(&agent);
    assert_done(agent_open(&agent, span_of("constant:m=3"), &game.board.rules, &error), error);
    agent_rate(&agent, &game);
    assert_true(agent.ratings->cells[1].utility == 1 + 4);
    agent_close(&agent);
}

TEST_GROUP(potential_search)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_that_of_plain_minimax),
        cmocka_unit_test(test_pruning_changes_nothing_but_nodes),
        cmocka_unit_test(test_what_is_proven_is_true),
        cmocka_unit_test(test_losses_are_proven_with_every_cell_only),
        cmocka_unit_test(test_equals_are_drawn_by_lot),
        cmocka_unit_test(test_an_interrupted_depth_does_not_count),
        cmocka_unit_test(test_a_search_that_must_end_at_once),
        cmocka_unit_test(test_searches_do_not_depend_on_those_before),
        cmocka_unit_test(test_rows_are_finished_and_stopped),
        cmocka_unit_test(test_what_a_decision_says),
        cmocka_unit_test(test_turns_of_several_stones),
        cmocka_unit_test(test_two_readings_of_a_gain),
        cmocka_unit_test(test_ratings_of_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
