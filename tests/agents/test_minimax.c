// Tests of the search under rating agents: compared with a simple minimax without pruning, table or deepening; proven
// values compared with the rules.
#include "agents/agent.h"
#include "match/referee.h"
#include "support/check.h"
#include "support/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Raters of the test ---

static uint64_t mix(uint64_t number)
{
    return rng_derive(number, 17);
}

// Utilities from the key of the position: no two alike, and nothing to be guessed from them.
typedef struct {
    bool has_value;
    unsigned left_out; // a cell in that many is not listed; 0: all are
    unsigned asked;
} Hashed;

static void rate_by_hash(void *context, const Game *game, Ratings *ratings)
{
    Hashed *hashed = context;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    uint64_t key = board_key(&game->board);
    hashed->asked++;
    for (unsigned i = 0; i < count; i++) {
        uint64_t number = mix(key ^ cells[i]);
        if (hashed->left_out == 0 || number % hashed->left_out != 0 || (ratings->count == 0 && i + 1 == count))
            ratings->cells[ratings->count++] = (RatedCell){cells[i], (double)(number >> 44)};
    }
    if (hashed->has_value)
        ratings->value = (double)(mix(key) >> 44) - 0x1p19;
}

static void rate_alike(void *context, const Game *game, Ratings *ratings)
{
    (void)context;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    for (unsigned i = 0; i < count; i++)
        ratings->cells[ratings->count++] = (RatedCell){cells[i], 0};
}

// --- The plain minimax ---

enum { EMPTY_MAX = 7 }; // empty cells of the positions it is asked about

typedef struct {
    const Rater *rater;
    unsigned depth, width;
    bool marks;
} Plain;

static int by_utility(const void *a, const void *b)
{
    double x = ((const RatedCell *)a)->utility, y = ((const RatedCell *)b)->utility;
    return (x < y) - (x > y);
}

static bool is_among(const Cell *cells, unsigned count, Cell cell)
{
    for (unsigned i = 0; i < count; i++)
        if (cells[i] == cell)
            return true;
    return false;
}

// The value for the side to move; -INFINITY where every cell is marked.
static double plain_value(const Plain *plain, Game *game, unsigned ply, const Cell *marked, unsigned marked_count)
{
    Side side = board_side(&game->board);
    Winner winner = board_winner(&game->board);
    if (winner != WINNER_NONE)
        return ((int)winner - 1 == (int)side ? 1 : -1) * (MINIMAX_WIN - ply * MINIMAX_STONE);
    if (game_is_over(game))
        return 0;
    static Ratings ratings;
    rater_ask(plain->rater, game, &ratings);
    RatedCell cells[EMPTY_MAX];
    unsigned count = ratings.count;
    assert_in_range(count, 1, EMPTY_MAX);
    memcpy(cells, ratings.cells, count * sizeof cells[0]);
    qsort(cells, count, sizeof cells[0], by_utility);
    double best = isnan(ratings.value) ? cells[0].utility : ratings.value;
    if (ply < plain->depth) {
        Cell marks[4 * EMPTY_MAX];
        for (unsigned i = 0; i < marked_count; i++)
            marks[i] = marked[i];
        best = -INFINITY;
        for (unsigned i = 0; i < count && (plain->width == 0 || i < plain->width); i++) {
            Cell cell = cells[i].cell;
            if (is_among(marks, marked_count, cell))
                continue;
            game_play(game, cell);
            bool same = board_side(&game->board) == side;
            double value = plain_value(plain, game, ply + 1, marks, plain->marks && same ? marked_count : 0);
            (void)game_undo(game);
            best = fmax(best, same ? value : -value);
            if (plain->marks)
                marks[marked_count++] = cell;
        }
    }
    return best;
}

// --- Random positions ---

static const char *const shapes[] = {
    "3x3:k=3",       "4x3:k=3",       "4x3:k=4,gravity", "3x3:k=3,gravity",       "4x4:k=3,gravity,exact",
    "5x2:k=3,exact", "4x3:k=3,exact", "6x2:k=2",         "4x4:k=3,gravity,exact", "3x4:k=4,gravity",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

// A position with few empty cells, at any place of a turn. False when the game came to its end.
static bool random_position(Game *game, Rng *rng)
{
    Rules rules = rules_of(shapes[rng_below(rng, SHAPES)]);
    rules.p = (uint16_t)(1 + rng_below(rng, 3));
    rules.q = (uint16_t)(1 + rng_below(rng, 3));
    game_init(game, &rules);
    unsigned cells = rules_cells(&rules), fewest = cells > EMPTY_MAX ? cells - EMPTY_MAX : 0;
    unsigned stones = fewest + rng_below(rng, 3);
    while (game->played < stones && !game_is_over(game)) {
        Cell legal[RULES_CELLS_MAX];
        game_play(game, legal[rng_below(rng, board_legal_cells(&game->board, legal))]);
    }
    return !game_is_over(game);
}

static Minimax *open_search(const Game *game, const MinimaxOptions *options)
{
    Minimax *search = NULL;
    Error error = {0};
    assert_done(minimax_open(&search, options, &game->board.rules, &error), error);
    return search;
}

static NegamaxResult run_within(const Game *game, const MinimaxOptions *options, const Rater *rater, uint64_t seed,
                                uint64_t nodes)
{
    Minimax *search = open_search(game, options);
    Rng rng = rng_make(seed);
    Limits limits = {.nodes = nodes};
    NegamaxResult result = minimax_run(search, game, rater, &limits, &rng);
    minimax_close(search);
    return result;
}

static NegamaxResult run(const Game *game, const MinimaxOptions *options, const Rater *rater, uint64_t seed)
{
    return run_within(game, options, rater, seed, 0);
}

static void check_value(Game *game, const MinimaxOptions *options, const Rater *rater, double expected)
{
    NegamaxResult result = run(game, options, rater, 3);
    if (minimax_utility(result.value) != expected) {
        char rules[RULES_TEXT_SIZE];
        rules_format(&game->board.rules, rules);
        print_error("%s after %u stones, depth %u, width %u, table %zu, deepening %d: %g instead of %g\n", rules,
                    game->played, options->depth, options->width, options->table_bytes, options->deepening,
                    minimax_utility(result.value), expected);
        fail();
    }
}

// With every cell considered: pruning, marks, table and deepening change nothing in the value of a position.
static void test_value_is_that_of_plain_minimax(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    for (unsigned long i = 0; i < test_steps() / 60; i++) {
        Game game;
        if (!random_position(&game, &rng))
            continue;
        Hashed hashed = {.has_value = rng_below(&rng, 2) == 0};
        Rater rater = {rate_by_hash, &hashed};
        MinimaxOptions options = {.depth = 1 + rng_below(&rng, EMPTY_MAX)};
        Plain plain = {.rater = &rater, .depth = options.depth};
        double expected = plain_value(&plain, &game, 0, NULL, 0);
        check_value(&game, &options, &rater, expected);
        options.unmarked = true;
        check_value(&game, &options, &rater, expected);
        options.table_bytes = 1 << 12;
        check_value(&game, &options, &rater, expected);
        options.unmarked = false;
        check_value(&game, &options, &rater, expected);
        options.deepening = true;
        options.table_bytes = 1 << 16;
        // A proven end may be found before the full depth, and then it is the same end.
        check_value(&game, &options, &rater, expected);
    }
}

// With few cells a level, and some that the rater leaves out: the marks by rank are part of what is searched.
static void test_value_with_a_limited_width(void **state)
{
    (void)state;
    Rng rng = rng_make(2);
    for (unsigned long i = 0; i < test_steps() / 60; i++) {
        Game game;
        if (!random_position(&game, &rng))
            continue;
        Hashed hashed = {.has_value = rng_below(&rng, 2) == 0, .left_out = rng_below(&rng, 2) * 5};
        Rater rater = {rate_by_hash, &hashed};
        MinimaxOptions options = {.depth = 1 + rng_below(&rng, EMPTY_MAX), .width = 1 + rng_below(&rng, 4)};
        Plain plain = {.rater = &rater, .depth = options.depth, .width = options.width, .marks = true};
        double expected = plain_value(&plain, &game, 0, NULL, 0);
        check_value(&game, &options, &rater, expected);
        options.table_bytes = 1 << 12;
        check_value(&game, &options, &rater, expected);
        options.deepening = true;
        check_value(&game, &options, &rater, expected);
        options.plain = options.unmarked = true;
        plain.marks = false;
        check_value(&game, &options, &rater, plain_value(&plain, &game, 0, NULL, 0));
    }
}

// --- What is proven ---

// The value of the game by the rules alone: 1, 0 or -1 for the side to move.
static int solve(Game *game)
{
    Side side = board_side(&game->board);
    Winner winner = board_winner(&game->board);
    if (winner != WINNER_NONE)
        return (int)winner - 1 == (int)side ? 1 : -1;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    int best = count > 0 ? -1 : 0;
    for (unsigned i = 0; i < count && best < 1; i++) {
        game_play(game, cells[i]);
        int value = board_side(&game->board) == side ? solve(game) : -solve(game);
        (void)game_undo(game);
        best = value > best ? value : best;
    }
    return best;
}

static void check_proven(Game *game, const NegamaxResult *result, unsigned counts[3])
{
    int value = result->won ? 1 : result->lost ? -1 : 0;
    unsigned empty = game->board.cells - board_count(&game->board);
    if (result->distance >= 0)
        assert_in_range(result->distance, 1, empty);
    assert_int_equal(result->distance >= 0, value != 0);
    if (!result->proven)
        return;
    assert_int_equal(solve(game), value);
    counts[value + 1]++;
}

static void test_what_is_proven_is_true(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    unsigned cut[3] = {0}, whole[3] = {0}, stopped[3] = {0}, searches = 0;
    for (unsigned long i = 0; i < test_steps() / 60; i++) {
        Game game;
        if (!random_position(&game, &rng))
            continue;
        Hashed hashed = {.has_value = true, .left_out = rng_below(&rng, 2) * 7};
        Rater rater = {rate_by_hash, &hashed};
        MinimaxOptions options = {.depth = 1 + rng_below(&rng, EMPTY_MAX), .width = 1 + rng_below(&rng, 4)};
        options.deepening = rng_below(&rng, 2) == 0;
        options.table_bytes = rng_below(&rng, 2) << 14;
        NegamaxResult result = run(&game, &options, &rater, i);
        check_proven(&game, &result, cut);
        // Nothing cut, to the end of the game: everything is proven.
        hashed.left_out = 0;
        options.width = 0;
        options.depth = 20;
        result = run(&game, &options, &rater, i);
        assert_true(result.proven);
        check_proven(&game, &result, whole);
        // Stopped on the way, only what is proven by then.
        result = run_within(&game, &options, &rater, i, 1 + rng_below(&rng, (uint32_t)result.nodes));
        check_proven(&game, &result, stopped);
        searches++;
    }
    for (int i = 0; i < 3; i++)
        assert_true(whole[i] > searches / 50);
    assert_true(cut[2] > searches / 10); // wins need only one line of one's own, so that they survive a small width
    assert_true(cut[0] + cut[1] > 0);
    assert_true(stopped[2] > 0);
}

// A win that depends on replies that were never looked at is none.
static void test_a_win_by_a_blind_eye_is_not_proven(void **state)
{
    (void)state;
    Game game;
    // X has an open two of k=4 and moves; O could still stop it, but a list of width 1 rarely holds the answer.
    read_drawing(&game, "6x6:k=4", "......\n......\n......\n..XX..\n......\nO....O\nturn X 1\n");
    Rater rater = {rate_alike, NULL};
    unsigned wins = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        MinimaxOptions options = {.depth = 3, .width = 3};
        NegamaxResult result = run(&game, &options, &rater, seed);
        wins += result.won;
        assert_false(result.proven);
    }
    assert_true(wins > 0);
}

// --- Sets of stones ---

// One turn of two stones on an empty board: each of the pairs once with marks, twice without.
static void test_every_set_once(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x4:k=4,p=2,q=2");
    Rater rater = {rate_alike, NULL};
    MinimaxOptions options = {.depth = 2};
    assert_int_equal(run(&game, &options, &rater, 1).nodes, 1 + 20 + 20 * 19 / 2);
    options.unmarked = true;
    assert_int_equal(run(&game, &options, &rater, 1).nodes, 1 + 20 + 20 * 19);
    begin_game(&game, "5x4:k=4,p=3,q=3");
    options = (MinimaxOptions){.depth = 3};
    assert_int_equal(run(&game, &options, &rater, 1).nodes, 1 + 20 + 190 + 1140);
    // The opponent's turn is a turn of its own: nothing that the first turn marked is closed to it. After the first of
    // six pairs it looks at one pair, and at a second stone that has no partner left; after the others a pair is
    // enough.
    begin_game(&game, "4x1:k=4,p=2,q=2");
    options.depth = 4;
    assert_int_equal(run(&game, &options, &rater, 1).nodes, 1 + 4 + 6 + 3 + 5 * 2);
}

// Under gravity a stone may need the other one below it; such a pair has one order, and must be found.
static void test_a_stone_upon_a_stone(void **state)
{
    (void)state;
    Game game;
    // Two ends of a row, in any order.
    read_drawing(&game, "4x4:k=4,p=2,q=1,gravity", "....\n.XX.\nXOOX\nOXXO\nturn X 2\n");
    Rater rater = {rate_alike, NULL};
    MinimaxOptions options = {.depth = 2};
    for (uint64_t seed = 0; seed < 20; seed++) {
        NegamaxResult result = run(&game, &options, &rater, seed);
        assert_true(result.won && result.proven);
        assert_int_equal(result.distance, 2);
    }
    // d3 and d4 on it: the diagonal from a1 needs both, in this order.
    read_drawing(&game, "4x4:k=4,p=2,q=1,gravity", "....\nO.X.\nOXOO\nXOXX\nturn X 2\n");
    for (uint64_t seed = 0; seed < 20; seed++) {
        NegamaxResult result = run(&game, &options, &rater, seed);
        assert_true(result.won);
        assert_int_equal(result.line[0], cell_of(&game.board.rules, "d3"));
        assert_int_equal(result.line[1], cell_of(&game.board.rules, "d4"));
    }
}

// --- Limits ---

static void test_limits_are_kept(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    Hashed hashed = {0};
    Rater rater = {rate_by_hash, &hashed};
    MinimaxOptions options = {.depth = 6, .width = 12, .deepening = true};
    Minimax *search = open_search(&game, &options);
    atomic_bool stop = false;
    NegamaxResult result;
    for (uint64_t nodes = 1; nodes < 3000; nodes = nodes * 3 / 2 + 1) {
        Rng rng = rng_make(1);
        Limits limits = {.nodes = nodes, .stop = &stop};
        hashed.asked = 0;
        result = minimax_run(search, &game, &rater, &limits, &rng);
        assert_in_range(result.nodes, nodes, nodes + 1);
        assert_in_range(hashed.asked, 1, nodes + 1);
        assert_true(result.line_count >= 1 && board_is_legal(&game.board, result.line[0]));
    }
    Limits limits = {.depth = 2};
    Rng rng = rng_make(1);
    result = minimax_run(search, &game, &rater, &limits, &rng);
    assert_int_equal(result.depth, 2);
    assert_int_equal(result.line_count, 2);
    // Stopped before it began, or out of time: the best rated cell.
    static Ratings ratings;
    rater_ask(&rater, &game, &ratings);
    qsort(ratings.cells, ratings.count, sizeof ratings.cells[0], by_utility);
    atomic_store(&stop, true);
    limits = (Limits){.stop = &stop};
    result = minimax_run(search, &game, &rater, &limits, &rng);
    assert_int_equal(result.line[0], ratings.cells[0].cell);
    assert_true(minimax_utility(result.value) == ratings.cells[0].utility && !result.proven && result.line_count == 1);
    limits = (Limits){.deadline = 1e-9};
    result = minimax_run(search, &game, &rater, &limits, &rng);
    assert_int_equal(result.line[0], ratings.cells[0].cell);
    minimax_close(search);
}

// A search that was stopped leaves no marks behind, and the table of one turn has no say in the next.
static void test_a_search_does_not_remember(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=4,p=3,q=2");
    Hashed hashed = {.has_value = true};
    Rater rater = {rate_by_hash, &hashed};
    MinimaxOptions options = {.depth = 4, .width = 5, .deepening = true, .table_bytes = 1 << 16};
    Minimax *used = open_search(&game, &options);
    Limits limits = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        NegamaxResult result;
        Rng rng = rng_make(seed);
        limits.nodes = 30 + seed * 7;
        result = minimax_run(used, &game, &rater, &limits, &rng);
        rng = rng_make(seed);
        limits.nodes = 0;
        result = minimax_run(used, &game, &rater, &limits, &rng);
        NegamaxResult fresh = run(&game, &options, &rater, seed);
        assert_int_equal(fresh.nodes, result.nodes);
        assert_true(fresh.value == result.value);
        assert_int_equal(fresh.line_count, result.line_count);
        assert_memory_equal(fresh.line, result.line, fresh.line_count * sizeof fresh.line[0]);
    }
    minimax_close(used);
}

// Among equals every cell is drawn, and a better rated one is preferred to them.
static void test_equals_are_drawn_by_lot(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "3x3:k=3");
    Rater rater = {rate_alike, NULL};
    MinimaxOptions options = {.depth = 2, .width = 4};
    unsigned counts[9] = {0};
    for (uint64_t seed = 0; seed < 1800; seed++) {
        Cell cell = run(&game, &options, &rater, seed).line[0];
        counts[cell_row(cell) * 3 + cell_column(cell)]++;
    }
    for (int i = 0; i < 9; i++)
        assert_in_range(counts[i], 140, 260);
}

// --- As agents ---

static void decide(Agent *agent, const Game *game, uint64_t seed, Budget budget, Decision *decision)
{
    Rng rng = rng_make(seed);
    AgentTask task = {.budget = budget, .rng = &rng};
    agent_decide(agent, game, &task, decision);
    Game after = *game;
    Error error = {0};
    assert_done(referee_play(&after, decision, &error), error);
}

static void open_agent(Agent *agent, const char *text, const Game *game)
{
    Error error = {0};
    assert_done(agent_open(agent, span_of(text), &game->board.rules, &error), error);
}

static void test_wins_and_blocks(void **state)
{
    (void)state;
    Game game;
    Agent agent;
    Decision decision;
    // X wins with two stones at once.
    read_drawing(&game, "9x7:k=6,p=2,q=1",
                 ".........\n.........\n.OO......\n..XXXX...\n..O......\n.O.......\n.........\nturn X 2\n");
    open_agent(&agent, "adjacent:depth=2,width=0", &game);
    for (uint64_t seed = 0; seed < 10; seed++) {
        decide(&agent, &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.count, 2);
        assert_int_equal(decision.proven, PROVEN_WIN);
        assert_int_equal(decision.distance, 2);
        assert_int_equal(cell_row(decision.stones[0]), 3);
        assert_int_equal(cell_row(decision.stones[1]), 3);
        assert_int_equal(decision.depth, 2);
        assert_int_equal(decision.line_count, 2);
    }
    agent_close(&agent);
    // The only cell that does not lose at once.
    read_drawing(&game, "6x6:k=4", "......\n......\n......\n.OXXX.\n.O....\n......\nturn O 1\n");
    open_agent(&agent, "adjacent:depth=2,width=0", &game);
    for (uint64_t seed = 0; seed < 10; seed++) {
        decide(&agent, &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.stones[0], cell_of(&game.board.rules, "f3"));
        assert_int_equal(decision.proven, PROVEN_NOTHING);
    }
    agent_close(&agent);
    // Nothing helps: lost in two stones, and it says so only where it has looked at every cell.
    read_drawing(&game, "6x6:k=4", "......\n......\n......\n..XXX.\n.O.O..\n......\nturn O 1\n");
    open_agent(&agent, "random:depth=2,width=0", &game);
    decide(&agent, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.proven, PROVEN_LOSS);
    assert_int_equal(decision.distance, 2);
    agent_close(&agent);
    open_agent(&agent, "adjacent:depth=2,width=0", &game);
    decide(&agent, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.proven, PROVEN_NOTHING);
    agent_close(&agent);
}

// A turn that is longer than the search sees is searched again from where it ends.
static void test_long_turns(void **state)
{
    (void)state;
    Game game;
    Agent agent;
    Decision decision;
    begin_game(&game, "8x8:k=8,p=7,q=5");
    open_agent(&agent, "adjacent:depth=2,width=3", &game);
    decide(&agent, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.count, 5);
    assert_int_equal(decision.depth, 2);
    uint64_t nodes = decision.nodes;
    decide(&agent, &game, 1, (Budget){.nodes = nodes / 2}, &decision);
    assert_int_equal(decision.count, 5);
    assert_in_range(decision.nodes, nodes / 2, nodes / 2 + 10);
    agent_close(&agent);
    // The first stones of a turn may win it.
    read_drawing(&game, "5x5:k=3,p=4,q=2", ".....\n.....\n.XX..\n.....\n.....\nturn X 4\n");
    open_agent(&agent, "random:depth=3,width=0,deepening=1", &game);
    decide(&agent, &game, 1, (Budget){0}, &decision);
    assert_int_equal(decision.count, 1);
    assert_int_equal(decision.distance, 1);
    agent_close(&agent);
}

// depth=0 is no search, and the options change nothing then.
static void test_no_search_by_default(void **state)
{
    (void)state;
    Game game;
    Agent plain, other;
    Decision a, b;
    begin_game(&game, "gomoku");
    play_text(&game, "h8");
    open_agent(&plain, "adjacent", &game);
    open_agent(&other, "adjacent:depth=0,width=3,table=2,deepening=1", &game);
    assert_null(plain.search);
    assert_null(other.search);
    for (uint64_t seed = 0; seed < 20; seed++) {
        decide(&plain, &game, seed, (Budget){.depth = 3}, &a);
        decide(&other, &game, seed, (Budget){.depth = 3}, &b);
        assert_int_equal(a.stones[0], b.stones[0]);
    }
    agent_close(&plain);
    agent_close(&other);
}

// Every agent that rates cells plays under the search, all kinds of rules, and repeats itself.
static void test_every_rating_agent(void **state)
{
    (void)state;
    static const char *const games[] = {"connect4",
                                        "7x7:k=5,p=2,q=1",
                                        "1x1:k=1",
                                        "4x5:k=4,p=20",
                                        "64x1:k=30",
                                        "6x6:k=3,exact",
                                        "8x3:k=3,gravity,exact",
                                        "5x4:k=4,p=3,q=2,gravity"};
    for (int k = 0; k < agent_kind_count; k++)
        for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
            Game game, last;
            begin_game(&game, games[g]);
            if (agent_kinds[k]->rate == NULL || !agent_plays_alone(agent_kinds[k], &game.board.rules))
                continue;
            char text[128];
            (void)snprintf(text, sizeof text, "%s:depth=3,width=3%s%s", agent_kinds[k]->name,
                           g % 2 == 0 ? ",table=1,deepening=1" : "",
                           agent_kinds[k] == &agent_montecarlo ? ",playouts=2" : "");
            for (int round = 0; round < 2; round++) {
                Agent agent;
                Decision decision;
                Error error = {0};
                begin_game(&game, games[g]);
                open_agent(&agent, text, &game);
                while (!game_is_over(&game)) {
                    decide(&agent, &game, game.played, (Budget){.nodes = 100}, &decision);
                    assert_done(referee_play(&game, &decision, &error), error);
                }
                agent_close(&agent);
                if (round == 1)
                    assert_memory_equal(game.stones, last.stones, game.played * sizeof game.stones[0]);
                last = game;
            }
        }
}

TEST_GROUP(minimax)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_that_of_plain_minimax),
        cmocka_unit_test(test_value_with_a_limited_width),
        cmocka_unit_test(test_what_is_proven_is_true),
        cmocka_unit_test(test_a_win_by_a_blind_eye_is_not_proven),
        cmocka_unit_test(test_every_set_once),
        cmocka_unit_test(test_a_stone_upon_a_stone),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_a_search_does_not_remember),
        cmocka_unit_test(test_equals_are_drawn_by_lot),
        cmocka_unit_test(test_wins_and_blocks),
        cmocka_unit_test(test_long_turns),
        cmocka_unit_test(test_no_search_by_default),
        cmocka_unit_test(test_every_rating_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
