// Tests of the search for gravity games: reachable rows, their defences, wins by fours and claimed values are compared
// with the rules; the evaluation is checked in positions with a clear advantage.
#include "support/check.h"
#include "support/oracle.h"

#include "engine/search/gravity/gravity_internal.h"
#include "threats/lines.h"

#include <string.h>

typedef struct {
    SearchThread thread;
    PatternTables *tables;
} Bench;

static void open_bench(Bench *bench, const Rules *rules)
{
    Error error = {0};
    memset(bench, 0, sizeof *bench);
    assert_done(pattern_tables_open(&bench->tables, rules, NULL, &error), error);
    assert_done(search_thread_open(&bench->thread, bench->tables, NULL, rules, &error), error);
}

static void close_bench(Bench *bench)
{
    search_thread_close(&bench->thread);
    pattern_tables_close(bench->tables);
}

static const char *const rules_list[] = {
    "5x5:k=3,gravity",       "7x6:k=4,gravity",           "6x6:k=4,p=2,gravity",     "6x5:k=4,p=3,q=2,gravity",
    "5x6:k=3,exact,gravity", "6x6:k=4,p=2,exact,gravity", "4x7:k=5,p=4,q=1,gravity", "9x3:k=4,p=2,gravity",
};

// --- Rows ---

// The stones of the row complete it, or another one before them, and no cell is missing below.
static void check_row(const Board *board, const PatternBoard *patterns, const GravityRow *row, Side side)
{
    Cell stones[SEARCH_TURN_MAX];
    unsigned count = gravity_row_stones(patterns, row, stones);
    Board copy = *board;
    board_set_turn(&copy, side, count);
    bool has_won = false;
    for (unsigned i = 0; i < count && !has_won; i++) {
        assert_true(board_is_legal(&copy, stones[i]));
        board_play(&copy, stones[i]);
        has_won = board_winner(&copy) != WINNER_NONE;
    }
    assert_true(has_won);
}

static void test_rows(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    unsigned found = 0, missing = 0;
    for (size_t i = 0; i < sizeof rules_list / sizeof rules_list[0]; i++) {
        Rules rules = rules_of(rules_list[i]);
        Bench bench;
        open_bench(&bench, &rules);
        for (unsigned long step = 0; step < test_steps() / 40; step++) {
            Board board;
            if (!scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules) - 8), &rng))
                continue;
            search_set(&bench.thread, &board);
            Side side = rng_below(&rng, 2) == 0 ? SIDE_FIRST : SIDE_SECOND;
            unsigned most = 1 + rng_below(&rng, rules.p);
            GravityRow row = gravity_row_within(&bench.thread.patterns, side, most);
            assert_int_equal(row.stones > 0, lines_can_complete(&board, side, most));
            assert_true(row.stones <= most);
            if (row.stones > 0)
                check_row(&board, &bench.thread.patterns, &row, side);
            found += row.stones > 0;
            missing += row.stones == 0;
        }
        close_bench(&bench);
    }
    assert_true(found > 50 && missing > 50);
}

// --- What stops them ---

typedef struct {
    Side side;
    uint64_t stops;
    unsigned turns, holding; // turns in all, and those that leave the other side nothing to complete
} Holding;

static void try_turns(Board *board, unsigned left, uint64_t used, Holding *holding)
{
    if (left == 0 || board_is_over(board)) {
        holding->turns++;
        unsigned stones = board_stones_left(board);
        if (lines_can_complete(board, side_other(holding->side), stones))
            return;
        holding->holding++;
        assert_true((used & holding->stops) != 0);
        return;
    }
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, legal);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, legal[i]);
        try_turns(board, left - 1, used | UINT64_C(1) << cell_column(legal[i]), holding);
        board_undo(board, legal[i], before);
    }
}

// Every turn that holds has a stone in one of the columns, and where there is none no turn holds. The side to move must
// not win itself.
static void test_stops(void **state)
{
    (void)state;
    Rng rng = rng_make(8);
    unsigned held = 0, lost = 0;
    for (size_t i = 0; i < sizeof rules_list / sizeof rules_list[0]; i++) {
        Rules rules = rules_of(rules_list[i]);
        Bench bench;
        open_bench(&bench, &rules);
        for (unsigned long step = 0; step < test_steps() / 20; step++) {
            Board board;
            if (!scatter_stones(&board, &rules, rng_below(&rng, rules_cells(&rules) - 2), &rng))
                continue;
            PatternBoard *patterns = &bench.thread.patterns;
            pattern_board_set(patterns, &board);
            Side side = board_side(&board);
            unsigned left = board_stones_left(&board);
            if (lines_can_complete(&board, side, left))
                continue;
            GravityRow threat = gravity_threat(patterns);
            if (threat.stones == 0)
                continue;
            Holding holding = {.side = side, .stops = gravity_stops(patterns, &threat, left)};
            try_turns(&board, left, 0, &holding);
            assert_true(holding.turns > 0 && (holding.stops != 0 || holding.holding == 0));
            held += holding.holding > 0;
            lost += holding.stops == 0;
        }
        close_bench(&bench);
    }
    assert_true(held > 20 && lost > 5);
}

// --- Fours ---

static Search *open_thinker(const Rules *rules)
{
    Search *search = NULL;
    Error error = {0};
    SearchOptions options = {.threads = 1, .megabytes = 1};
    assert_done(search_open(&search, &options, rules, &error), error);
    return search;
}

// A win by fours is a win by the rules, also after the stone that it names.
static void test_fours(void **state)
{
    (void)state;
    static const char *const list[] = {"5x4:k=3,gravity", "4x5:k=3,exact,gravity", "5x4:k=4,gravity"};
    Rng rng = rng_make(13);
    unsigned found = 0;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        Rules rules = rules_of(list[i]);
        Search *search = open_thinker(&rules);
        Bench bench;
        open_bench(&bench, &rules);
        bench.thread.search = search; // its limits are asked for
        ValueOracle oracle;
        value_oracle_open(&oracle, 18);
        for (unsigned long step = 0; step < test_steps() / 100; step++) {
            Board board;
            if (!scatter_stones(&board, &rules, 4 + rng_below(&rng, 12), &rng))
                continue;
            search_set(&bench.thread, &board);
            Cell first = CELL_NONE;
            unsigned stones = gravity_vcf(&bench.thread, 1000, &first);
            assert_true(pattern_board_is_right(&bench.thread.patterns));
            if (stones == 0)
                continue;
            assert_true(stones % 2 == 1 && board_is_legal(&board, first));
            assert_int_equal(value_oracle_value(&oracle, &board), 1);
            board_play(&board, first);
            assert_true(board_is_over(&board) || value_oracle_value(&oracle, &board) == -1);
            found += stones > 1;
        }
        value_oracle_close(&oracle);
        close_bench(&bench);
        search_close(search);
    }
    assert_true(found > 10);
}

// --- Lines ---

// All turns of a position in order: none twice, each with the value it claims.
static void test_many_lines(void **state)
{
    (void)state;
    static const char *const list[] = {"4x4:k=3,p=2,gravity", "5x4:k=4,gravity", "4x4:k=4,p=3,q=2,gravity"};
    Rng rng = rng_make(3);
    for (size_t r = 0; r < sizeof list / sizeof list[0]; r++) {
        Rules rules = rules_of(list[r]);
        Search *search = open_thinker(&rules);
        ValueOracle oracle;
        value_oracle_open(&oracle, 18);
        for (unsigned step = 0; step < 20; step++) {
            Board board;
            if (!scatter_stones(&board, &rules, 5 + step % 6, &rng))
                continue;
            SearchLimits limits = {.limits.nodes = 5000, .lines = 8};
            SearchInfo report;
            search_run(search, &board, &limits, &report);
            assert_true(report.line_count > 0);
            for (unsigned i = 0; i < report.line_count; i++) {
                const SearchLine *line = &report.lines[i];
                Board copy = board;
                unsigned stones = board_stones_left(&copy);
                for (unsigned j = 0; j < line->turn.count; j++) {
                    assert_true(board_is_legal(&copy, line->turn.stones[j]));
                    board_play(&copy, line->turn.stones[j]);
                }
                assert_true(line->turn.count == stones || board_is_over(&copy));
                int after = value_oracle_value(&oracle, &copy);
                after = board_side(&copy) == board_side(&board) ? after : -after;
                if (search_distance(line->score) >= 0)
                    assert_int_equal(after, line->score > 0 ? 1 : -1);
                for (unsigned j = 0; j < i; j++)
                    assert_false(search_turn_is(&report.lines[j].turn, line->turn.stones, line->turn.count));
            }
        }
        value_oracle_close(&oracle);
        search_close(search);
    }
}

// What is proven is true, after searches that met the same stones in many orders.
static void test_claims(void **state)
{
    (void)state;
    static const char *const list[] = {"4x4:k=4,p=2,gravity", "5x3:k=3,p=2,gravity", "4x4:k=4,p=3,q=2,gravity",
                                       "3x6:k=3,p=2,exact,gravity"};
    Rng rng = rng_make(21);
    unsigned proven = 0;
    for (size_t r = 0; r < sizeof list / sizeof list[0]; r++) {
        Rules rules = rules_of(list[r]);
        Search *search = open_thinker(&rules);
        ValueOracle oracle;
        value_oracle_open(&oracle, 18);
        for (unsigned long step = 0; step < test_steps() / 50; step++) {
            Board board;
            if (!scatter_stones(&board, &rules, rng_below(&rng, 10), &rng))
                continue;
            SearchLimits limits = {.limits.nodes = 2000};
            SearchInfo report;
            search_run(search, &board, &limits, &report);
            int score = report.lines[0].score, truth = value_oracle_value(&oracle, &board);
            if (search_distance(score) >= 0)
                assert_int_equal(truth, score > 0 ? 1 : -1);
            proven += search_distance(score) >= 0;
        }
        value_oracle_close(&oracle);
        search_close(search);
    }
    assert_true(proven > 20);
}

// --- Evaluation ---

static int value_of(const char *rules_text, const char *drawing)
{
    Rules rules = rules_of(rules_text);
    Game game;
    read_drawing(&game, rules_text, drawing);
    Bench bench;
    open_bench(&bench, &rules);
    search_set(&bench.thread, &game.board);
    int value = search_value(&bench.thread, 0, 0);
    close_bench(&bench);
    return value;
}

// On a board of even height the first side gets the odd rows from below: a threat on the third is worth more to it than
// one on the second.
static void test_threats_in_the_air(void **state)
{
    (void)state;
    int third = value_of("7x6:k=4,gravity", ". . . . . . .\n"
                                            ". . . . . . .\n"
                                            ". . . . . . .\n"
                                            ". . X X X . .\n"
                                            ". . O O X . .\n"
                                            ". O X X O O .\n"
                                            "turn X 1\n");
    int second = value_of("7x6:k=4,gravity", ". . . . . . .\n"
                                             ". . . . . . .\n"
                                             ". . . . . . .\n"
                                             ". . O O X . .\n"
                                             ". . X X X . .\n"
                                             ". O X O O O .\n"
                                             "turn X 1\n");
    assert_true(third > second);
    assert_true(second > 0);
}

// Two threats of the same row one above the other are worth more than one.
static void test_stacked_threats(void **state)
{
    (void)state;
    int one = value_of("7x6:k=4,gravity", ". . . . . . .\n"
                                          ". . . . . . .\n"
                                          ". . X O X . .\n"
                                          ". . X X X . .\n"
                                          ". . O O X . .\n"
                                          ". O X O O O .\n"
                                          "turn X 1\n");
    int two = value_of("7x6:k=4,gravity", ". . . . . . .\n"
                                          ". . . . . . .\n"
                                          ". . X X X . .\n"
                                          ". . X X X . .\n"
                                          ". . O O X . .\n"
                                          ". O X O O O .\n"
                                          "turn X 1\n");
    assert_true(two > one + 200);
}

// Threats on the third row win in the end, whatever is above them; right below another one they cannot be stopped even
// before that.
static void test_threats_right_above_another(void **state)
{
    (void)state;
    int apart = value_of("7x6:k=4,gravity", ". . O X O . .\n"
                                            ". . X X X . .\n"
                                            ". . X O O . .\n"
                                            ". . X X X . .\n"
                                            ". . O O X . .\n"
                                            ". O X X O O .\n"
                                            "turn X 1\n");
    int stacked = value_of("7x6:k=4,gravity", ". . X O X . .\n"
                                              ". . O X O . .\n"
                                              ". . X X X . .\n"
                                              ". . X X X . .\n"
                                              ". . O O X . .\n"
                                              ". O X X O O .\n"
                                              "turn X 1\n");
    assert_true(apart > 200);
    assert_true(stacked > apart + 400);
}

TEST_GROUP(search_gravity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_fours),
        cmocka_unit_test(test_many_lines),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_threats_in_the_air),
        cmocka_unit_test(test_stacked_threats),
        cmocka_unit_test(test_threats_right_above_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
