// Tests of wins with turns that leave the defender free stones: every claimed win is played against every reply,
// regardless of zones, and on tiny boards a full search confirms it.
#include "support/check.h"

#include "base/rng.h"
#include "bench/positions/proof.h"
#include "bench/positions/strategy.h"
#include "threats/lines.h"
#include "threats/search/single_threat_internal.h"

#include <stdlib.h>
#include <string.h>

static DoubleThreat *open_search(const Rules *rules, size_t bytes)
{
    DoubleThreat *search = NULL;
    Error error = {0};
    assert_done(double_threat_open(&search, rules, bytes, &error), error);
    return search;
}

typedef struct {
    const char *rules;
    unsigned least, most; // stones
} Shape;

// --- Every reply ---

typedef struct {
    unsigned wins;   // with free stones
    unsigned twice;  // two such turns, or more
    unsigned longer; // of more than three turns
} Wins;

static void check_strategy(DoubleThreat *search, const Board *board, const DoubleThreatResult *result)
{
    StrategyReplies replies = board->rules.p > 2 ? REPLIES_STOPPING : REPLIES_ALL;
    StrategyCheck check = strategy_check(search, board, result, replies, 0);
    if (check.fault == NULL && check.positions > 0 && !check.is_unfinished)
        return;
    print_board(board);
    print_error("win in %u, %u singles: %s\n", result->turns, result->singles, check.fault);
    fail();
}

static void look_at(DoubleThreat *search, const Board *board, unsigned singles, Wins *wins)
{
    DoubleThreatResult plain, result;
    Limits limits = {.nodes = board->rules.p > 2 ? 500 : 2000, .depth = 6};
    double_threat_run(search, board, &limits, &plain);
    if (plain.verdict == DOUBLE_THREAT_WON)
        return;
    double_threat_run_with_singles(search, board, &limits, singles, &result);
    assert_int_not_equal(result.verdict, DOUBLE_THREAT_NONE);
    if (result.verdict != DOUBLE_THREAT_WON)
        return;
    wins->wins += result.singles > 0;
    wins->twice += result.singles > 1;
    wins->longer += result.turns > 3;
    check_strategy(search, board, &result);
}

static const Shape shapes[] = {
    {"8x8:k=5,p=2", 8, 26},       {"7x7:k=4,p=2,q=1", 1, 8}, {"8x8:k=5,p=2,exact", 8, 26},
    {"7x6:k=4,p=2,exact", 1, 12}, {"9x9:k=6,p=2", 16, 40},
};

static void test_every_reply(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
    Wins all = {0};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Rules rules = rules_of(shapes[i].rules);
        DoubleThreat *search = open_search(&rules, 1 << 20);
        Wins wins = {0};
        for (unsigned long step = 0; step < test_steps() / 400; step++) {
            Board board;
            if (scatter_stones(&board, &rules, shapes[i].least + rng_below(&rng, shapes[i].most - shapes[i].least + 1),
                               &rng))
                look_at(search, &board, 1 + (unsigned)step % 3, &wins);
        }
        print_message("# %s: %u wins, %u twice, %u longer\n", shapes[i].rules, wins.wins, wins.twice, wins.longer);
        all.wins += wins.wins;
        all.longer += wins.longer;
        double_threat_close(search);
    }
    assert_true(all.wins > 0 && all.longer > 0);
}

// Stones of a side within three by three cells.
static void put_group(Board *board, Side side, unsigned stones, Rng *rng)
{
    unsigned column = rng_below(rng, board->rules.width - 2u), row = rng_below(rng, board->rules.height - 2u);
    for (unsigned i = 0; i < stones; i++) {
        Cell cell = cell_at(column + rng_below(rng, 3), row + rng_below(rng, 3));
        if (board_stone(board, cell) == STONE_NONE)
            board_put(board, cell, side);
    }
}

// Groups of both sides, with one stone of the turn left: it can make a threat, but hardly enough of them. With three or
// more stones per turn, there are two or more free stones.
static const char *const group_rules[] = {"10x8:k=5,p=2", "14x8:k=6,p=3", "14x8:k=6,p=3,exact", "9x9:k=6,p=2"};

static void test_groups(void **state)
{
    (void)state;
    Rng rng = rng_make(23);
    unsigned found = 0;
    for (size_t i = 0; i < sizeof group_rules / sizeof group_rules[0]; i++) {
        Rules rules = rules_of(group_rules[i]);
        DoubleThreat *search = open_search(&rules, 1 << 20);
        Wins wins = {0};
        for (unsigned long step = 0; step < test_steps() / (rules.p > 2 ? 6000 : 1000) + 4; step++) {
            Board board;
            board_init(&board, &rules);
            for (unsigned group = 2 + rng_below(&rng, 2); group > 0; group--)
                put_group(&board, SIDE_FIRST, 1 + rules.p, &rng);
            for (unsigned group = rng_below(&rng, 3); group > 0; group--)
                put_group(&board, SIDE_SECOND, 3, &rng);
            if (board_set_turn(&board, SIDE_FIRST, 1) == 0)
                look_at(search, &board, 1 + (unsigned)step % 2, &wins);
        }
        print_message("# %s: %u wins, %u twice, %u longer\n", group_rules[i], wins.wins, wins.twice, wins.longer);
        found += wins.wins;
        double_threat_close(search);
    }
    assert_true(found > 0);
}

// --- Hand-made positions ---

// First no win by double threats within the turns that a win with free stones takes, then a win with this many turns
// that leave free stones.
static void check_drawing(const char *rules, const char *drawing, unsigned singles, unsigned turns, bool every_reply)
{
    Game game;
    read_drawing(&game, rules, drawing);
    DoubleThreat *search = open_search(&game.board.rules, 1 << 20);
    DoubleThreatResult result;
    StrategyCheck check = {0};
    double_threat_run(search, &game.board, &(Limits){.depth = turns}, &result);
    assert_int_not_equal(result.verdict, DOUBLE_THREAT_WON);
    double_threat_run_with_singles(search, &game.board, &(Limits){.nodes = 100000}, singles, &result);
    if (result.verdict == DOUBLE_THREAT_WON)
        check = strategy_check(search, &game.board, &result, every_reply ? REPLIES_ALL : REPLIES_STOPPING, 0);
    if (result.verdict != DOUBLE_THREAT_WON || result.turns != turns || result.singles != singles ||
        check.fault != NULL) {
        print_error("%s\n%sverdict %d, %u turns, %u singles: %s\n", rules, drawing, (int)result.verdict, result.turns,
                    result.singles, check.fault);
        fail();
    }
    double_threat_close(search);
}

static void test_drawings(void **state)
{
    (void)state;
    check_drawing("6x5:k=4,p=2", "X.O.O.\n..X...\n.X...O\n.....X\n.....O\nturn X 1\n", 1, 3, true);
    check_drawing("6x5:k=4,p=2", "....XO\n......\n......\nXOX...\nXO...O\nturn X 1\n", 1, 5, true);
    check_drawing("6x6:k=5,p=2", "....XX\n.O..X.\n....O.\n...O.X\n....X.\n....O.\nturn O 2\n", 1, 4, true);
    // The larger boards have many replies; under sanitizers, only those that stop something are tried.
    bool all = test_count(1, 0) > 0;
    check_drawing("8x8:k=5,p=2",
                  ".XX....O\n........\nX.......\nO..X....\nO.O..O..\n........\n.....X..\nO.......\nturn X 2\n", 1, 4,
                  all);
    check_drawing("8x8:k=5,p=2",
                  ".......O\n..O....X\n........\n......OO\n..X...X.\n........\n.X......\n........\nturn X 1\n", 2, 5,
                  all);
    check_drawing("17x7:k=6,p=3",
                  ".................\n"
                  "XX....XX....XX...\n"
                  "XX....XX....XX...\n"
                  ".................\n"
                  ".................\n"
                  ".................\n"
                  ".................\n"
                  "turn X 1\n",
                  1, 3, false);
}

// Under `exact` a window beside an own stone is no threat, however few stones it lacks. The zones of this search, which
// reaches its limit, have such windows.
static void test_overlines(void **state)
{
    (void)state;
    Game game;
    Wins wins = {0};
    read_drawing(&game, "8x8:k=5,p=2,exact",
                 "..X.....\n.X......\nX..XO..O\n........\nOO.OXO..\n.X......\n........\nOXO.X...\nturn X 1\n");
    DoubleThreat *search = open_search(&game.board.rules, 1 << 20);
    look_at(search, &game.board, 3, &wins);
    double_threat_close(search);
}

// --- Zones ---

// A cell of a window that needs this many more stones than a turn has; the free stones of the shortest answer count.
static unsigned expected_level(unsigned more, unsigned free, unsigned most)
{
    return more > free + most ? ZONE_NEVER : more > free ? more - free : 1;
}

static void test_levels(void **state)
{
    (void)state;
    static ThreatZone zone;
    Game game;
    read_drawing(&game, "22x7:k=6,p=3",
                 "......................\n"
                 "......................\n"
                 ".XX....XX....XX.......\n"
                 ".XX....XX....XX.......\n"
                 "......................\n"
                 "......................\n"
                 "..................O...\n"
                 "turn X 1\n");
    const Rules *rules = &game.board.rules;
    DoubleThreat *search = open_search(rules, 1 << 20);
    DoubleThreatResult result;
    double_threat_run_with_singles(search, &game.board, &(Limits){.nodes = 20000}, 1, &result);
    assert_true(result.verdict == DOUBLE_THREAT_WON && result.singles == 1);
    for (unsigned most = 0; most < 3; most++) {
        Settling settling = {.turns = result.turns - 2, .zone = &zone};
        zone.most = most;
        memset(zone.level, ZONE_NEVER, sizeof zone.level);
        BoardState before = double_threat_play(&search->tally, &result.turn);
        assert_true(single_threat_push_answers(search, &result.turn, &settling));
        assert_true(single_threat_settle(search, &settling));
        search->answer_count -= settling.count;
        double_threat_undo(&search->tally, &result.turn, before);
        unsigned free = 0;
        for (unsigned i = 0; i < settling.count; i++)
            free = free > 3 - cell_set_count(&settling.answers[i]) ? free : 3 - cell_set_count(&settling.answers[i]);
        assert_true(free > 0);
        // Next to the single stone, and in the empty corner.
        assert_int_equal(zone.level[cell_of(rules, "t1")], expected_level(2, free, most));
        assert_int_equal(zone.level[cell_of(rules, "v7")], expected_level(3, free, most));
    }
    double_threat_close(search);
}

// --- All turns of both sides ---

static bool solve(Board *board, Side attacker, unsigned turns);

// Stone by stone, in cell order within a turn; false if a reply holds.
static bool solve_replies(Board *board, Side attacker, unsigned from, unsigned turns)
{
    if (board_is_over(board))
        return false;
    if (board_side(board) == attacker)
        return solve(board, attacker, turns);
    bool wins = true;
    for (unsigned cell = from; cell < RULES_CELLS_MAX && wins; cell++)
        if (board_is_legal(board, (Cell)cell)) {
            BoardState before = board_play(board, (Cell)cell);
            wins = solve_replies(board, attacker, cell + 1, turns);
            board_undo(board, (Cell)cell, before);
        }
    return wins;
}

static bool solve_turns(Board *board, Side attacker, unsigned from, unsigned turns)
{
    if (board_is_over(board))
        return false;
    if (board_side(board) != attacker)
        return !lines_can_complete(board, side_other(attacker), board_stones_left(board)) &&
               solve_replies(board, attacker, 0, turns);
    bool wins = false;
    for (unsigned cell = from; cell < RULES_CELLS_MAX && !wins; cell++)
        if (board_is_legal(board, (Cell)cell)) {
            BoardState before = board_play(board, (Cell)cell);
            wins = solve_turns(board, attacker, cell + 1, turns);
            board_undo(board, (Cell)cell, before);
        }
    return wins;
}

// Whether the attacker, who is to move, completes a row within this many turns against all replies; tries all sets of
// cells, with and without threats.
static bool solve(Board *board, Side attacker, unsigned turns)
{
    if (lines_can_complete(board, attacker, board_stones_left(board)))
        return turns > 0;
    return turns > 1 && solve_turns(board, attacker, 0, turns - 1);
}

static const struct {
    const char *rules, *drawing;
} solved[] = {
    {"6x5:k=4,p=2", "X.O.O.\n..X...\n.X...O\n.....X\n.....O\nturn X 1\n"},
    {"6x6:k=4,p=2", "......\n.....X\n......\n......\n..O.XO\n......\nturn X 1\n"},
};

static void test_all_turns(void **state)
{
    (void)state;
    for (size_t i = 0; i < test_count(sizeof solved / sizeof solved[0], 1); i++) {
        Game game;
        check_drawing(solved[i].rules, solved[i].drawing, 1, 3, true);
        read_drawing(&game, solved[i].rules, solved[i].drawing);
        assert_true(solve(&game.board, SIDE_FIRST, 3));
        assert_false(solve(&game.board, SIDE_FIRST, 2));
    }
}

TEST_GROUP(single_threat)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawings), cmocka_unit_test(test_overlines), cmocka_unit_test(test_every_reply),
        cmocka_unit_test(test_groups),   cmocka_unit_test(test_levels),    cmocka_unit_test(test_all_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
