// The thinker where a turn is one stone: what it calls proven is held against the exact solver and against plain play,
// and it does the same every time, stops when told to, and tells several lines.
#include "support/check.h"

#include "base/rng.h"
#include "search/exact.h"
#include "search/thinker.h"

#include <string.h>

static Thinker *open_thinker(const Rules *rules, unsigned threads)
{
    Thinker *thinker;
    Error error = {0};
    assert_done(thinker_open(&thinker, &(ThinkerOptions){.threads = threads, .megabytes = 1}, rules, &error), error);
    return thinker;
}

// --- Proven is proven ---

// Whether the side to move wins within so many stones, whatever the other does; by the rules alone.
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
    Thinker *thinker;
    Exact *exact;
    unsigned proven, compared, played;
} Judge;

enum { PLAIN_STONES = 5, EXACT_NODES = 200000 };

static void check_line(Judge *judge, Board *board, const ThinkerLine *line)
{
    int distance = thinker_distance(line->score);
    if (distance < 0)
        return;
    judge->proven++;
    unsigned empty = board->cells - board_count(board);
    ExactResult truth;
    Error error = {0};
    assert_done(exact_run(judge->exact, board, EXACT_VALUE, &(ExactLimits){.nodes = EXACT_NODES}, &truth, &error),
                error);
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
    judge.thinker = open_thinker(&judge.rules, 1);
    assert_done(exact_open(&judge.exact, &(ExactOptions){.megabytes = 8}, &judge.rules, &error), error);
    unsigned cells = rules_cells(&judge.rules);
    for (unsigned i = 0; i < positions; i++) {
        Board board;
        unsigned stones = 3 + (unsigned)(rng_below(rng, cells / 2));
        if (!scatter_stones(&board, &judge.rules, stones, rng))
            continue;
        ThinkerReport report;
        thinker_run(judge.thinker, &board, &(ThinkerLimits){.nodes = 2000, .lines = 1 + i % 3}, &report);
        check_line(&judge, &board, &report.lines[0]);
    }
    exact_close(judge.exact);
    thinker_close(judge.thinker);
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
    ThinkerReport first = {0}, second = {0};
    for (unsigned i = 0; i < 2; i++) {
        Thinker *thinker = open_thinker(&rules, 1);
        thinker_run(thinker, &game.board, &(ThinkerLimits){.nodes = 20000, .lines = 2}, i == 0 ? &first : &second);
        thinker_close(thinker);
    }
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
    Thinker *thinker = open_thinker(&rules, 1);
    ThinkerReport fresh, again;
    ThinkerLimits limits = {.nodes = 8000};
    thinker_run(thinker, &game.board, &limits, &fresh);
    thinker_run(thinker, &other.board, &limits, &again);
    thinker_new_game(thinker);
    thinker_run(thinker, &game.board, &limits, &again);
    thinker_close(thinker);
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
    Thinker *thinker = open_thinker(&rules, 2);
    atomic_bool stop = true;
    ThinkerReport report;
    thinker_run(thinker, &game.board, &(ThinkerLimits){.stop = &stop}, &report);
    thinker_close(thinker);
    assert_int_equal(report.line_count, 1);
    assert_int_equal(report.lines[0].turn.count, 1);
    assert_true(board_is_legal(&game.board, report.lines[0].turn.stones[0]));
    assert_true(report.nodes < 2000);
}

typedef struct {
    unsigned calls, deepest;
} Told;

static void count_report(void *context, const ThinkerReport *report)
{
    Told *told = context;
    assert_true(report->line_count > 0 && report->lines[0].turn.count == 1);
    told->calls++;
    told->deepest = report->lines[0].depth;
}

static void test_depth_and_progress(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 i9 j8");
    Thinker *thinker = open_thinker(&rules, 1);
    Told told = {0};
    ThinkerReport report;
    ThinkerLimits limits = {.depth = 4, .lines = 3, .progress = count_report, .context = &told};
    thinker_run(thinker, &game.board, &limits, &report);
    thinker_close(thinker);
    assert_int_equal(told.calls, 12); // three lines at each depth
    assert_int_equal(told.deepest, 4);
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
    Thinker *thinker = open_thinker(&rules, 1);
    ThinkerReport report;
    thinker_run(thinker, &game.board, &(ThinkerLimits){.nodes = 1000}, &report);
    assert_int_equal(report.lines[0].score, 32000 - 1);
    game_undo(&game);
    game_undo(&game);
    play_text(&game, "k1 a9");
    thinker_run(thinker, &game.board, &(ThinkerLimits){.nodes = 1000}, &report);
    assert_int_equal(thinker_distance(report.lines[0].score), 3);
    assert_true(report.is_final);
    thinker_close(thinker);
}

// A position that is lost has a turn all the same, and says so.
static void test_loses_at_once(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 a1 h9 a2 h10 b4 h11");
    Thinker *thinker = open_thinker(&rules, 1);
    ThinkerReport report;
    thinker_run(thinker, &game.board, &(ThinkerLimits){.nodes = 1000, .lines = 2}, &report);
    assert_int_equal(report.line_count, 2);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(report.lines[i].score, 2 - THINKER_WIN);
    thinker_close(thinker);
}

static void check_order(void *context, const ThinkerReport *report)
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

// After each depth its lines are told in order, also where there are fewer turns than lines wanted.
static void test_lines_in_order(void **state)
{
    static const char *const games[] = {"gomoku", "tictactoe", "connect4"};
    (void)state;
    for (unsigned g = 0; g < 3; g++) {
        Rules rules = rules_of(games[g]);
        Game game;
        begin_game(&game, games[g]);
        play_text(&game, "b1");
        Thinker *thinker = open_thinker(&rules, 1);
        ThinkerReport report;
        unsigned depth = 0;
        ThinkerLimits limits = {.nodes = 20000, .depth = 4, .lines = 9, .progress = check_order, .context = &depth};
        thinker_run(thinker, &game.board, &limits, &report);
        assert_int_equal(depth, 4);
        assert_int_equal(report.depth, 4);
        thinker_close(thinker);
    }
}

int main(void)
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
