// Tests of the search for one stone per turn: proven values compared with the exact solver and with play;
// reproducibility, stopping, several lines.
#include "support/check.h"

#include "base/rng.h"
#include "engine/search/search.h"
#include "solver/exact.h"

#include <string.h>

static Search *open_thinker(const Rules *rules, unsigned threads)
{
    Search *search;
    Error error = {0};
    assert_done(search_open(&search, &(SearchOptions){.threads = threads, .megabytes = 1}, rules, &error), error);
    return search;
}

// --- Proven is proven ---

// Whether the side to move wins within that many stones, whatever the other does; by the rules alone.
static bool wins_within(Board *board, unsigned stones)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool wins = false;
    for (unsigned i = 0; i < count && !wins && stones > 0; i++) {
        BoardState before = board_play(board, cells[i]);
        wins = board_winner(board) != WINNER_NONE;
        if (!wins && stones > 1 && !board_is_over(board)) {
            Cell replies[RULES_CELLS_MAX];
            unsigned reply_count = board_legal_cells(board, replies);
            wins = true;
            for (unsigned j = 0; j < reply_count && wins; j++) {
                BoardState between = board_play(board, replies[j]);
                wins = !board_is_over(board) && wins_within(board, stones - 2);
                board_undo(board, replies[j], between);
            }
        }
        board_undo(board, cells[i], before);
    }
    return wins;
}

typedef struct {
    Rules rules;
    Search *search;
    Exact *exact;
    unsigned proven, compared, played;
} Judge;

enum { PLAIN_STONES = 5, EXACT_NODES = 200000 };

static void check_line(Judge *judge, Board *board, const SearchLine *line)
{
    int distance = search_distance(line->score);
    if (distance < 0)
        return;
    judge->proven++;
    unsigned empty = board->cells - board_count(board);
    ExactResult truth;
    Error error = {0};
    ExactQuery query = {.board = board, .aim = EXACT_VALUE, .limits = &(Limits){.nodes = EXACT_NODES}};
    assert_done(exact_run(judge->exact, &query, &truth, &error), error);
    bool is_right = distance > 0 && (unsigned)distance <= empty && (distance % 2 == 1) == (line->score > 0);
    if (exact_is_known(&truth)) {
        judge->compared++;
        is_right &= (truth.low > 0) == (line->score > 0) && truth.low != 0;
    }
    if (line->score > 0 && distance <= PLAIN_STONES) {
        judge->played++;
        is_right &= wins_within(board, (unsigned)distance);
    }
    if (!is_right) {
        print_board(board);
        print_message("claimed %s in %d, value %d to %d\n", line->score > 0 ? "win" : "loss", distance, truth.low,
                      truth.high);
    }
    assert_true(is_right);
}

static Judge judge_positions(const char *rules_text, unsigned positions, Rng *rng)
{
    Judge judge = {.rules = rules_of(rules_text)};
    Error error = {0};
    judge.search = open_thinker(&judge.rules, 1);
    assert_done(exact_open(&judge.exact, &(ExactOptions){.megabytes = 8}, &judge.rules, &error), error);
    unsigned cells = rules_cells(&judge.rules);
    for (unsigned i = 0; i < positions; i++) {
        Board board;
        unsigned stones = 3 + (unsigned)(rng_below(rng, cells / 2));
        if (!scatter_stones(&board, &judge.rules, stones, rng))
            continue;
        SearchInfo report;
        search_run(judge.search, &board, &(SearchLimits){.limits.nodes = 2000, .lines = 1 + i % 3}, &report);
        check_line(&judge, &board, &report.lines[0]);
    }
    exact_close(judge.exact);
    search_close(judge.search);
    return judge;
}

static void test_proven(void **state)
{
    (void)state;
    static const char *const RULES[] = {"5x5:k=4",  "6x6:k=4",       "6x6:k=5",       "5x5:k=3", "6x6:k=4,exact",
                                        "7x5:k=4",  "5x5:k=3,exact", "6x5:k=5,exact", "8x4:k=4", "9x3:k=3",
                                        "12x2:k=2", "16x1:k=3",      "4x4:k=4"};
    Rng rng = rng_make(11);
    unsigned positions = (unsigned)(test_steps() / 8000 + 16);
    unsigned proven = 0, compared = 0, played = 0, count = sizeof RULES / sizeof *RULES;
    for (unsigned i = 0; i < count; i++) {
        Judge judge = judge_positions(RULES[i], positions, &rng);
        proven += judge.proven;
        compared += judge.compared;
        played += judge.played;
    }
    assert_true(proven > count * positions / 4 && compared > proven / 2 && played > proven / 4);
}

// --- The same again ---

static void test_same_again(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 i9 j8 g9 i7");
    SearchInfo first = {0}, second = {0};
    for (unsigned i = 0; i < 2; i++) {
        Search *search = open_thinker(&rules, 1);
        search_run(search, &game.board, &(SearchLimits){.limits.nodes = 20000, .lines = 2}, i == 0 ? &first : &second);
        search_close(search);
    }
    search_sort_lines(&first); // the limit may have stopped a depth between two lines
    search_sort_lines(&second);
    assert_int_equal(first.nodes, 20000);
    assert_int_equal(first.line_count, 2);
    assert_true(first.lines[0].score >= first.lines[1].score);
    assert_memory_equal(&first.lines[0].turn, &second.lines[0].turn, sizeof first.lines[0].turn);
    assert_int_equal(first.lines[1].score, second.lines[1].score);
    assert_int_equal(first.lines[0].pv_count, second.lines[0].pv_count);
}

// A game that was played before leaves no trace once it has been forgotten.
static void test_new_game(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5");
    Game game, other;
    begin_game(&game, "9x9:k=5");
    play_text(&game, "e5 e6 d5");
    begin_game(&other, "9x9:k=5");
    play_text(&other, "e5 d4 f5 f6");
    Search *search = open_thinker(&rules, 1);
    SearchInfo fresh, again;
    SearchLimits limits = {.limits.nodes = 8000};
    search_run(search, &game.board, &limits, &fresh);
    search_run(search, &other.board, &limits, &again);
    search_new_game(search);
    search_run(search, &game.board, &limits, &again);
    search_close(search);
    assert_int_equal(fresh.lines[0].score, again.lines[0].score);
    assert_memory_equal(&fresh.lines[0].turn, &again.lines[0].turn, sizeof fresh.lines[0].turn);
}

// --- Limits ---

static void test_stop(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 i9");
    Search *search = open_thinker(&rules, 2);
    atomic_bool stop = true;
    SearchInfo report;
    search_run(search, &game.board, &(SearchLimits){.limits.stop = &stop}, &report);
    search_close(search);
    assert_int_equal(report.line_count, 1);
    assert_int_equal(report.lines[0].turn.count, 1);
    assert_true(board_is_legal(&game.board, report.lines[0].turn.stones[0]));
    assert_true(report.nodes < 2000);
}

typedef struct {
    unsigned calls, deepest;
} Reported;

static void count_report(void *context, const SearchInfo *report)
{
    Reported *reported = context;
    assert_true(report->line_count > 0 && report->lines[0].turn.count == 1);
    reported->calls++;
    reported->deepest = report->lines[0].depth;
}

static void test_depth_and_progress(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 i9 j8");
    Search *search = open_thinker(&rules, 1);
    Reported reported = {0};
    SearchInfo report;
    SearchLimits limits = {.limits.depth = 4, .lines = 3, .progress = count_report, .context = &reported};
    search_run(search, &game.board, &limits, &report);
    search_close(search);
    assert_int_equal(reported.calls, 12); // three lines at each depth
    assert_int_equal(reported.deepest, 4);
    assert_int_equal(report.depth, 4);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(report.lines[i].turn.stones[0], report.lines[j].turn.stones[0]);
}

static void test_wins_at_once(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 a1 i8 a3 j8 a5 k8 a7");
    Search *search = open_thinker(&rules, 1);
    SearchInfo report;
    search_run(search, &game.board, &(SearchLimits){.limits.nodes = 1000}, &report);
    assert_int_equal(report.lines[0].score, 32000 - 1);
    game_undo(&game);
    game_undo(&game);
    play_text(&game, "k1 a9");
    search_run(search, &game.board, &(SearchLimits){.limits.nodes = 1000}, &report);
    assert_int_equal(search_distance(report.lines[0].score), 3);
    assert_true(report.is_final);
    search_close(search);
}

// A position that is lost has a turn all the same, and says so.
static void test_loses_at_once(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 a1 h9 a2 h10 b4 h11");
    Search *search = open_thinker(&rules, 1);
    SearchInfo report;
    search_run(search, &game.board, &(SearchLimits){.limits.nodes = 1000, .lines = 2}, &report);
    assert_int_equal(report.line_count, 2);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(report.lines[i].score, 2 - SEARCH_WIN);
    search_close(search);
}

static void check_order(void *context, const SearchInfo *report)
{
    unsigned *depth = context;
    if (report->depth == *depth)
        return; // within a depth
    *depth = report->depth;
    for (unsigned i = 0; i < report->line_count; i++) {
        assert_int_equal(report->lines[i].depth, report->depth);
        assert_true(i == 0 || report->lines[i].score <= report->lines[i - 1].score);
    }
}

// After each depth its lines are reported in order, also where there are fewer turns than lines wanted.
static void test_lines_in_order(void **state)
{
    static const char *const games[] = {"gomoku", "tictactoe", "connect4"};
    (void)state;
    for (unsigned g = 0; g < 3; g++) {
        Rules rules = rules_of(games[g]);
        Game game;
        begin_game(&game, games[g]);
        play_text(&game, "b1");
        Search *search = open_thinker(&rules, 1);
        SearchInfo report;
        unsigned depth = 0;
        SearchLimits limits = {
            .limits.nodes = 20000, .limits.depth = 4, .lines = 9, .progress = check_order, .context = &depth};
        search_run(search, &game.board, &limits, &report);
        assert_int_equal(depth, 4);
        assert_int_equal(report.depth, 4);
        search_close(search);
    }
}

// --- Evaluators ---

// An evaluator that checks the reported stones against the pattern board and has the values of the patterns.
typedef struct {
    Cell stones[RULES_CELLS_MAX];
    Side owners[RULES_CELLS_MAX];
    Side side; // to move in the position that was set
    unsigned count;
} Follower;

static unsigned long plays_seen, values_seen, orders_seen;

static void follower_check(const Follower *self, const PatternBoard *patterns)
{
    unsigned count = 0;
    for (unsigned i = 0; i < patterns->played_count; i++)
        if (patterns->played[i] != CELL_NONE) {
            assert_true(count < self->count && self->stones[count] == patterns->played[i]);
            count++;
        }
    assert_int_equal(count, self->count);
}

static void follower_set(void *state, const PatternBoard *patterns)
{
    Follower *self = state;
    self->count = 0;
    self->side = pattern_board_side(patterns);
    follower_check(self, patterns);
}

static void follower_play(void *state, const PatternBoard *patterns, Cell cell, Side side)
{
    Follower *self = state;
    // Before any pass the owner follows from the position that was set and the stones since then.
    if (self->count == 0 && patterns->played_count == 1)
        assert_int_equal(side, self->side);
    self->owners[self->count] = side;
    self->stones[self->count++] = cell;
    assert_false(pattern_board_is_empty(patterns, cell));
    plays_seen++;
}

static void follower_undo(void *state, const PatternBoard *patterns, Cell cell, Side side)
{
    Follower *self = state;
    assert_int_equal(self->stones[--self->count], cell);
    assert_int_equal(self->owners[self->count], side);
    assert_true(pattern_board_is_empty(patterns, cell));
}

static int follower_value(void *state, const PatternBoard *patterns, int alpha, int beta)
{
    follower_check(state, patterns);
    assert_true(alpha < beta);
    values_seen++;
    return pattern_board_value(patterns);
}

static void follower_order(const void *state, const PatternBoard *patterns, ScoredCell *cells, unsigned count)
{
    follower_check(state, patterns);
    for (unsigned i = 0; i < count; i++)
        cells[i].score = pattern_board_order(patterns, cells[i].cell);
    orders_seen++;
}

static bool follower_supports(const Rules *rules)
{
    return rules->k > 0;
}

static const EvaluatorKind follower = {
    .name = "follower",
    .supports = follower_supports,
    .state_size = sizeof(Follower),
    .set = follower_set,
    .play = follower_play,
    .undo = follower_undo,
    .value = follower_value,
    .order = follower_order,
};

// Every variant reports all stones and takes values and order from its evaluator.
static void test_evaluator(void **state)
{
    (void)state;
    static const char *const games[] = {"15x15:k=5", "19x19:k=6,p=2,q=1", "8x8:k=4,gravity", "8x8:k=5,p=2,gravity"};
    for (unsigned i = 0; i < 4; i++) {
        Rules rules = rules_of(games[i]);
        Board board;
        board_init(&board, &rules);
        board_play(&board, cell_at(rules.width / 2u, 0));
        Search *plain, *followed;
        Error error = {0};
        SearchOptions options = {.threads = 1, .megabytes = 1, .network = "none"};
        assert_done(search_open(&plain, &options, &rules, &error), error);
        options.evaluator = &follower;
        assert_done(search_open(&followed, &options, &rules, &error), error);
        SearchLimits limits = {.limits.nodes = 3000};
        SearchInfo expected, found;
        plays_seen = values_seen = orders_seen = 0;
        search_run(plain, &board, &limits, &expected);
        assert_int_equal(plays_seen, 0);
        search_run(followed, &board, &limits, &found);
        assert_true(plays_seen > 100 && values_seen > 10 && orders_seen > 10);
        assert_string_equal(evaluator_default(&rules)->name, rules.gravity ? "gravity" : "patterns");
        if (!rules.gravity) {
            assert_int_equal(found.lines[0].score, expected.lines[0].score);
            assert_memory_equal(&found.lines[0].turn, &expected.lines[0].turn, sizeof found.lines[0].turn);
        }
        search_close(plain);
        search_close(followed);
    }
}

TEST_GROUP(search)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proven),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_new_game),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_depth_and_progress),
        cmocka_unit_test(test_wins_at_once),
        cmocka_unit_test(test_loses_at_once),
        cmocka_unit_test(test_lines_in_order),
        cmocka_unit_test(test_evaluator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
