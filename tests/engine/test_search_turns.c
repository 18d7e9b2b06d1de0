// Tests of the search for several stones per turn: claims are compared with the rules on small boards, wins by threats
// are played against every reply, and every set of stones is listed once.
#include "support/check.h"
#include "support/oracle.h"

#include "engine/search/turns/turns_internal.h"
#include "game/notation.h"
#include "threats/lines.h"

#include <stdlib.h>
#include <string.h>

static Search *open_thinker(const Rules *rules)
{
    Search *search = NULL;
    Error error = {0};
    SearchOptions options = {.threads = 1, .megabytes = 1};
    assert_done(search_open(&search, &options, rules, &error), error);
    return search;
}

// --- Claims against the rules ---

typedef struct {
    const char *rules;
    unsigned least, most; // stones at the start
} Small;

static const Small smalls[] = {
    {"4x4:k=3,p=2", 3, 8},
    {"4x4:k=4,p=2", 4, 10},
    {"5x3:k=3,p=3,q=1", 1, 7},
    {"4x4:k=3,p=2,exact", 3, 9},
    {"4x4:k=4,p=3,exact", 5, 11},
    {"6x2:k=4,p=2,q=2", 1, 6},
    {"4x4:k=3,p=1,q=2", 4, 10},
    {"4x4:k=3,gravity", 2, 8},
    {"5x4:k=4,gravity", 6, 12},
    {"4x4:k=4,p=2,gravity", 4, 10},
    {"5x3:k=3,p=2,gravity", 1, 6},
    {"5x4:k=4,p=3,gravity", 6, 12},
    {"4x4:k=3,p=2,gravity,exact", 2, 8},
    {"3x5:k=3,gravity,exact", 2, 8},
    {"4x4:k=4,p=4,q=2", 3, 9},
    {"5x3:k=3,p=8,q=3", 0, 8},
    {"4x3:k=1,p=2", 0, 4},
    {"4x4:k=2,p=2,exact", 0, 4},
};

static void play_line_turn(Board *board, const SearchTurn *turn)
{
    unsigned stones = board_stones_left(board);
    assert_true(turn->count > 0 && turn->count <= stones);
    for (unsigned i = 0; i < turn->count; i++) {
        assert_true(board_is_legal(board, turn->stones[i]));
        board_play(board, turn->stones[i]);
    }
    assert_true(turn->count == stones || board_is_over(board));
}

static int value_for(ValueOracle *oracle, Board *board, Side side)
{
    int value = value_oracle_value(oracle, board);
    return board_side(board) == side ? value : -value;
}

static void check_claim(ValueOracle *oracle, const Board *board, const SearchLine *line, bool is_final)
{
    Board copy = *board;
    Side side = board_side(board);
    int truth = value_for(oracle, &copy, side), distance = search_distance(line->score);
    play_line_turn(&copy, &line->turn);
    int after = value_for(oracle, &copy, side);
    bool is_right = true;
    if (distance >= 0) {
        is_right = truth == (line->score > 0 ? 1 : -1) && after == truth;
        is_right &= distance > 0 && distance <= (int)(board->cells - board_count(board));
    } else if (is_final) {
        is_right = truth == 0 && after == 0;
    }
    if (is_right)
        return;
    print_board(board);
    print_error("score %d, final %d, truth %d, after %d\n", line->score, is_final, truth, after);
    fail();
}

// Claims are many: wins, losses, and draws to which the whole tree was searched.
static void test_claims(void **state)
{
    (void)state;
    Rng rng = rng_make(11);
    unsigned wins = 0, losses = 0, draws = 0;
    for (size_t i = 0; i < sizeof smalls / sizeof smalls[0]; i++) {
        Rules rules = rules_of(smalls[i].rules);
        Search *search = open_thinker(&rules);
        ValueOracle oracle;
        value_oracle_open(&oracle, 18);
        for (unsigned long step = 0; step < test_steps() / 400; step++) {
            Board board;
            unsigned stones = smalls[i].least + rng_below(&rng, smalls[i].most - smalls[i].least + 1);
            if (!scatter_stones(&board, &rules, stones, &rng))
                continue;
            static const uint64_t nodes[] = {30, 300, 3000};
            SearchLimits limits = {.limits.nodes = nodes[step % 3]};
            SearchInfo report;
            search_run(search, &board, &limits, &report);
            assert_int_equal(report.line_count, 1);
            check_claim(&oracle, &board, &report.lines[0], report.is_final);
            wins += report.lines[0].score >= SEARCH_PROVEN;
            losses += report.lines[0].score <= -SEARCH_PROVEN;
            draws += report.is_final && report.lines[0].score == 0;
        }
        value_oracle_close(&oracle);
        search_close(search);
    }
    assert_true(wins > 10 && losses > 5 && draws > 5);
}

// All turns of a position in order: none twice, each with the value it claims.
static void test_many_lines(void **state)
{
    (void)state;
    Rules rules = rules_of("4x4:k=3,p=2");
    Search *search = open_thinker(&rules);
    ValueOracle oracle;
    value_oracle_open(&oracle, 18);
    Rng rng = rng_make(3);
    for (unsigned step = 0; step < 20; step++) {
        Board board;
        if (!scatter_stones(&board, &rules, 7 + step % 4, &rng))
            continue;
        SearchLimits limits = {.limits.nodes = 20000, .lines = 8};
        SearchInfo report;
        search_run(search, &board, &limits, &report);
        for (unsigned i = 0; i < report.line_count; i++) {
            Board copy = board;
            play_line_turn(&copy, &report.lines[i].turn);
            int after = value_for(&oracle, &copy, board_side(&board)), score = report.lines[i].score;
            if (search_distance(score) >= 0)
                assert_int_equal(after, score > 0 ? 1 : -1);
            assert_true(i == 0 || score <= report.lines[i - 1].score);
            for (unsigned j = 0; j < i; j++) {
                const SearchTurn *turn = &report.lines[j].turn;
                assert_false(search_turn_is(&report.lines[i].turn, turn->stones, turn->count));
            }
        }
    }
    value_oracle_close(&oracle);
    search_close(search);
}

// --- Lists ---

static void open_worker(SearchThread *thread, PatternTables **tables, const Rules *rules)
{
    Error error = {0};
    *thread = (SearchThread){0};
    assert_done(pattern_tables_open(tables, rules, NULL, &error), error);
    assert_done(search_thread_open(thread, *tables, NULL, rules, &error), error);
    assert_ptr_equal(thread->variant, &search_turns);
}

static void close_worker(SearchThread *thread, PatternTables *tables)
{
    search_thread_close(thread);
    pattern_tables_close(tables);
}

// The positions that a turn can lead to, by the rules alone, each once; sorted.
static unsigned reachable(Board *board, unsigned left, uint64_t *keys, unsigned count)
{
    if (left == 0 || board_is_over(board)) {
        for (unsigned i = 0; i < count; i++)
            if (keys[i] == board->state.stones_key)
                return count;
        keys[count] = board->state.stones_key;
        return count + 1;
    }
    Cell cells[RULES_CELLS_MAX];
    unsigned legal = board_legal_cells(board, cells);
    for (unsigned i = 0; i < legal; i++) {
        BoardState before = board_play(board, cells[i]);
        count = reachable(board, left - 1, keys, count);
        board_undo(board, cells[i], before);
    }
    return count;
}

// Where no row can be completed a list without widths has every set of stones, and none twice.
static void test_lists(void **state)
{
    (void)state;
    static const char *const games[] = {"4x4:k=4,p=2",     "5x3:k=5,p=3",     "5x4:k=4,p=2",
                                        "4x4:k=4,p=3,q=2", "6x6:k=6,p=1,q=2", "4x2:k=4,p=4"};
    static const Widths all = {{64, 64, 64, 64, 64, 64, 64, 64}};
    Rng rng = rng_make(8);
    unsigned checked = 0;
    for (unsigned step = 0; step < 120; step++) {
        Rules rules = rules_of(games[step % 6]);
        SearchThread thread;
        PatternTables *tables;
        open_worker(&thread, &tables, &rules);
        Board board;
        Cell stones[SEARCH_TURN_MAX];
        uint64_t keys[1024];
        bool begun = scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules) / 2), &rng);
        if (begun) {
            search_set(&thread, &board);
            search_turns.begin(&thread);
        }
        if (begun && rows_finish(&thread.patterns, stones) == 0) {
            TurnList list = turn_list_make(&thread, NULL, &all, false);
            unsigned count = reachable(&board, board_stones_left(&board), keys, 0);
            assert_true(list.is_pruned || list.count == count);
            for (unsigned i = 0; i < list.count; i++) {
                unsigned placed = turn_play(&thread, &list.turns[i]), at = 0;
                while (at < count && keys[at] != thread.patterns.state.stones_key)
                    at++;
                assert_true(at < count); // reached by the rules, and not before
                keys[at] = 0;
                turn_undo(&thread, placed);
            }
            checked += !list.is_pruned;
        }
        close_worker(&thread, tables);
    }
    assert_true(checked > 60);
}

// --- Rows ---

// Whether the side to move completes a row in this turn, by trying all stones.
static bool can_finish(Board *board, unsigned left)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool won = false;
    for (unsigned i = 0; i < count && left > 0 && !won; i++) {
        BoardState before = board_play(board, cells[i]);
        won = board_winner(board) != WINNER_NONE || can_finish(board, left - 1);
        board_undo(board, cells[i], before);
    }
    return won;
}

static void test_finish(void **state)
{
    (void)state;
    static const char *const games[] = {"5x5:k=4,p=2",       "5x5:k=4,p=3,exact", "6x5:k=4,p=2",     "5x5:k=3,p=3",
                                        "5x5:k=3,p=2,exact", "6x6:k=4,p=1,q=3",   "5x4:k=4,p=1,q=4", "6x4:k=5,p=4"};
    Rng rng = rng_make(21);
    unsigned found = 0, none = 0;
    for (unsigned step = 0; step < 400; step++) {
        Rules rules = rules_of(games[step % 8]);
        SearchThread thread;
        PatternTables *tables;
        Board board;
        if (!scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules) * 3 / 4), &rng))
            continue;
        open_worker(&thread, &tables, &rules);
        search_set(&thread, &board);
        Cell stones[SEARCH_TURN_MAX];
        unsigned count = rows_finish(&thread.patterns, stones), left = board_stones_left(&board);
        assert_int_equal(count > 0, can_finish(&board, left));
        assert_true(count <= left && (count == 0 || !can_finish(&board, count - 1)));
        for (unsigned i = 0; i < count; i++) {
            assert_true(board_is_legal(&board, stones[i]));
            board_play(&board, stones[i]);
        }
        assert_int_equal(board_winner(&board) != WINNER_NONE, count > 0);
        found += count > 0;
        none += count == 0;
        close_worker(&thread, tables);
    }
    assert_true(found > 50 && none > 50);
}

// --- Wins by threats ---

typedef struct {
    SearchThread *thread;
    unsigned turns;   // most that a line took
    unsigned replies; // that were looked at
} Walk;

static void check_win(Walk *walk, Board *board, unsigned stones_left, unsigned turns);

// Every reply of p stones: it wins nothing, and either a row can be completed then or the win is found again.
static void check_replies(Walk *walk, Board *board, unsigned from, unsigned left, unsigned stones, unsigned turns)
{
    Side attacker = side_other(board_side(board));
    if (left == 0) {
        walk->replies++;
        if (!lines_can_complete(board, board_side(board), board->rules.p))
            check_win(walk, board, stones, turns + 1);
        return;
    }
    (void)attacker;
    unsigned width = board->rules.width;
    for (unsigned i = from; i < rules_cells(&board->rules); i++) {
        Cell cell = cell_at(i % width, i / width);
        if (!board_is_legal(board, cell))
            continue;
        BoardState before = board_play(board, cell);
        assert_int_equal(board_winner(board), WINNER_NONE);
        check_replies(walk, board, i + 1, left - 1, stones, turns);
        board_undo(board, cell, before);
    }
}

static void check_win(Walk *walk, Board *board, unsigned stones, unsigned turns)
{
    SearchThread *thread = walk->thread;
    search_set(thread, board);
    vcdt_begin(turn_state(thread), &thread->patterns);
    VcdtWin found = vcdt_find(thread, 8, 100000);
    if (found.stones == 0 || found.stones > stones)
        print_board(board);
    assert_true(found.stones > 0 && found.stones <= stones);
    walk->turns = turns > walk->turns ? turns : walk->turns;
    Board copy = *board;
    unsigned left = board_stones_left(board);
    for (unsigned i = 0; i < found.turn.count; i++) {
        assert_true(board_is_legal(&copy, found.turn.stones[i]));
        board_play(&copy, found.turn.stones[i]);
    }
    if (board_winner(&copy) != WINNER_NONE)
        return;
    assert_int_equal(found.turn.count, left);
    check_replies(walk, &copy, 0, board_stones_left(&copy), found.stones - left - board_stones_left(&copy), turns);
}

static void test_attacks(void **state)
{
    (void)state;
    static const Small games[] = {{"8x8:k=5,p=2", 8, 26},       {"7x7:k=4,p=2", 3, 12}, {"9x9:k=6,p=2", 16, 36},
                                  {"8x8:k=5,p=2,exact", 8, 26}, {"6x6:k=5,p=3", 6, 16}, {"9x5:k=5,p=2,q=2", 8, 22}};
    Rng rng = rng_make(4);
    unsigned longer = 0, shorter = 0;
    for (unsigned i = 0; i < 6; i++) {
        Rules rules = rules_of(games[i].rules);
        Search *search = open_thinker(&rules); // for its limits
        SearchThread thread;
        PatternTables *tables;
        open_worker(&thread, &tables, &rules);
        thread.search = search;
        for (unsigned long step = 0; step < test_steps() / 1000; step++) {
            Board board;
            unsigned stones = games[i].least + rng_below(&rng, games[i].most - games[i].least + 1);
            if (!scatter_stones(&board, &rules, stones, &rng))
                continue;
            search_set(&thread, &board);
            search_turns.begin(&thread);
            VcdtWin found = vcdt_find(&thread, 4, 500);
            if (found.stones <= board_stones_left(&board))
                continue;
            Walk walk = {.thread = &thread};
            check_win(&walk, &board, found.stones, 0);
            longer += walk.turns > 0;
            shorter += walk.turns == 0;
        }
        close_worker(&thread, tables);
        search_close(search);
    }
    assert_true(longer > 0 && shorter > 0);
}

// --- Losses ---

// Turns by the rules: sets of the stones that are left in the turn.
static uint64_t count_turns(const Board *board)
{
    uint64_t turns = 1, empty = board->cells - board_count(board);
    for (unsigned i = 0; i < board_stones_left(board); i++)
        turns = turns * (empty - i) / (i + 1);
    return turns;
}

// Neither side can complete a row in its next turn, so that no turn is known to be of no use.
static bool is_quiet(const Board *board)
{
    Side side = board_side(board);
    return !board_is_over(board) && !lines_can_complete(board, side, board_stones_left(board)) &&
           !lines_can_complete(board, side_other(side), board->rules.p);
}

// Where all turns that were tried lose, but there are more turns than nodes, nothing is proven: the score is as bad as
// one can be that proves nothing.
static void test_losses_that_are_not_proven(void **state)
{
    (void)state;
    static const char *const games[] = {"9x9:k=5,p=2", "10x10:k=6,p=2", "9x9:k=6,p=3", "12x12:k=6,p=2,q=1"};
    Rng rng = rng_make(77);
    unsigned lost = 0;
    for (unsigned i = 0; i < 4; i++) {
        Rules rules = rules_of(games[i]);
        Search *search = open_thinker(&rules);
        for (unsigned step = 0; step < 100; step++) {
            Board board;
            unsigned cells = rules_cells(&rules);
            if (!scatter_stones(&board, &rules, cells / 10 + rng_below(&rng, cells / 4), &rng) || !is_quiet(&board))
                continue;
            SearchLimits limits = {.limits.nodes = 300};
            SearchInfo report;
            search_run(search, &board, &limits, &report);
            assert_true(report.lines[0].score > -SEARCH_PROVEN || report.nodes >= count_turns(&board));
            lost += report.lines[0].score == -SEARCH_VALUE_MAX;
        }
        search_close(search);
    }
    assert_true(lost >= 5);
}

// After every turn of the side to move the other one completes a row or is found to win.
static void check_loss(Search *search, Board *board, Side loser, unsigned from)
{
    if (board_side(board) != loser) {
        SearchLimits limits = {.limits.nodes = 3000};
        SearchInfo report;
        if (lines_can_complete(board, board_side(board), board_stones_left(board)))
            return;
        search_run(search, board, &limits, &report);
        assert_true(report.lines[0].score >= SEARCH_PROVEN);
        return;
    }
    unsigned width = board->rules.width;
    for (unsigned i = from; i < rules_cells(&board->rules); i++) {
        Cell cell = cell_at(i % width, i / width);
        if (!board_is_legal(board, cell))
            continue;
        BoardState before = board_play(board, cell);
        assert_false(board_is_over(board));
        check_loss(search, board, loser, i + 1);
        board_undo(board, cell, before);
    }
}

// Where the turns that must be looked at are few, as all others leave a row open, a loss is proven, also one that takes
// more than the next turn.
static void test_losses_that_are_proven(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=5,p=2");
    Search *search = open_thinker(&rules), *other = open_thinker(&rules);
    Rng rng = rng_make(19);
    unsigned longer = 0;
    for (unsigned step = 0; step < 150; step++) {
        Board board;
        if (!scatter_stones(&board, &rules, 9 + 2 * rng_below(&rng, 8), &rng))
            continue;
        SearchLimits limits = {.limits.nodes = 300};
        SearchInfo report;
        search_run(search, &board, &limits, &report);
        int score = report.lines[0].score;
        if (score > -SEARCH_PROVEN)
            continue;
        check_loss(other, &board, board_side(&board), 0);
        longer += search_distance(score) > 4;
    }
    assert_true(longer >= 3);
    search_close(search);
    search_close(other);
}

// Three rows that two stones stop in four ways, each of which loses; any other turn does so sooner.
static void test_all_answers_lose(void **state)
{
    (void)state;
    enum { ANSWERS = 4, LINES = 6 };
    Rules rules = rules_of("connect6");
    Search *search = open_thinker(&rules);
    Game game;
    game_init(&game, &rules);
    assert_int_equal(
        game_read(&game, span_of("i9 h9 h10 j10 j11 i10 i11 g9 h8 g8 k11 h11 i7 f10 k12 k13 j12 j13 i8 j6 j7"), NULL),
        STATUS_OK);
    SearchLimits limits = {.limits.nodes = 20000, .lines = LINES};
    SearchInfo report;
    search_run(search, &game.board, &limits, &report);
    assert_int_equal(report.line_count, LINES);
    for (unsigned i = 0; i < LINES; i++) {
        assert_true(report.lines[i].score <= -SEARCH_PROVEN);
        assert_int_equal(search_distance(report.lines[i].score), i < ANSWERS ? 8 : 4);
        assert_true(report.lines[i].pv_count >= 4); // what refutes it is reported
    }
    search_close(search);
}

// --- Everything else ---

static const char *const odd[] = {"1x1:k=1,gravity",
                                  "64x1:k=30,p=3",
                                  "1x64:k=5,gravity",
                                  "64x64:k=5,p=2,gravity",
                                  "7x5:k=7,p=2",
                                  "3x3:k=3,p=8,q=8",
                                  "12x12:k=3,p=5,q=1",
                                  "64x64:k=64,p=2",
                                  "20x20:k=12,p=4",
                                  "9x9:k=5,p=1,q=3",
                                  "30x30:k=20,p=8,gravity",
                                  "10x10:k=1,p=3,gravity",
                                  "19x19:k=6,p=2,q=1,exact",
                                  "8x8:k=8,p=8,exact"};

// Whole games between two searches: turns are legal, and the same again with the same limits.
static void test_odd_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        Rules rules = rules_of(odd[i]);
        Search *search = open_thinker(&rules), *again = open_thinker(&rules);
        Board board;
        board_init(&board, &rules);
        for (unsigned turn = 0; turn < 12 && !board_is_over(&board); turn++) {
            SearchLimits limits = {.limits.nodes = 60};
            SearchInfo report, same;
            search_run(search, &board, &limits, &report);
            search_run(again, &board, &limits, &same);
            assert_int_equal(report.nodes, same.nodes);
            assert_int_equal(report.lines[0].score, same.lines[0].score);
            assert_memory_equal(&report.lines[0].turn, &same.lines[0].turn, sizeof(SearchTurn));
            play_line_turn(&board, &report.lines[0].turn);
        }
        search_close(search);
        search_close(again);
    }
}

static void test_stop(void **state)
{
    (void)state;
    atomic_bool stop = true;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        Rules rules = rules_of(odd[i]);
        Search *search = open_thinker(&rules);
        Board board;
        board_init(&board, &rules);
        SearchLimits limits = {.limits.stop = &stop};
        SearchInfo report;
        search_run(search, &board, &limits, &report);
        assert_true(report.nodes < 2000);
        play_line_turn(&board, &report.lines[0].turn);
        search_close(search);
    }
}

TEST_GROUP(search_turns)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_many_lines),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_finish),
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_odd_rules),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_losses_that_are_not_proven),
        cmocka_unit_test(test_losses_that_are_proven),
        cmocka_unit_test(test_all_answers_lose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
