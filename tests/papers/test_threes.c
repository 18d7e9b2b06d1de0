// Tests of fours and threes: claimed wins are played against every defence and, on small boards, compared with a simple
// search to the end of the game.
#include "support/check.h"

#include "base/rng.h"
#include "game/notation.h"
#include "papers/connect5/forcing.h"
#include "papers/connect5/threes.h"
#include "threats/lines.h"

#include <stdlib.h>
#include <string.h>

enum { CAP = 1000, TABLE_BYTES = 1 << 18 };

typedef struct {
    Threes *threes;
    Forcing *forcing;
    uint64_t replies;
} Searches;

static Searches open_searches(const Rules *rules)
{
    Searches searches = {.replies = 0};
    Error error = {0};
    assert_done(threes_open(&searches.threes, rules, TABLE_BYTES, &error), error);
    searches.forcing = forcing_open(rules, CAP);
    return searches;
}

static void close_searches(Searches *searches)
{
    threes_close(searches->threes);
    forcing_close(searches->forcing);
}

// --- Every defence ---

static const char *play_through(Searches *searches, const Board *before);

// After a move of the attacker: any reply, and the attacker's next move.
static const char *check_replies(Searches *searches, const Board *board)
{
    Cell replies[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, replies);
    const char *fault = count == 0 ? "the game is over" : NULL;
    for (unsigned i = 0; i < count && fault == NULL; i++) {
        Board next = *board;
        (void)board_play(&next, replies[i]);
        searches->replies++;
        if (board_is_over(&next))
            return board_winner(&next) != WINNER_NONE ? "the defender wins" : "the game is over";
        fault = play_through(searches, &next);
    }
    return fault;
}

// What is wrong with the win that is claimed, or NULL. Forcing sequences have a test of their own.
static const char *play_through(Searches *searches, const Board *before)
{
    ForcingResult forced;
    ThreesResult result;
    Board board = *before;
    forcing_run(searches->forcing, &board, CAP, &forced);
    if (forced.won)
        return NULL;
    threes_run(searches->threes, &board, &(Limits){.nodes = 0}, &result);
    if (!result.won)
        return "a reply holds";
    if (result.stones % 2 == 0 || result.stones > board.cells - board_count(&board))
        return "an impossible number of stones";
    (void)board_play(&board, result.move);
    return check_replies(searches, &board);
}

static void check_win(Searches *searches, const Board *board, const ThreesResult *result)
{
    const char *fault = play_through(searches, board);
    if (fault == NULL)
        return;
    print_board(board);
    print_error("won in %u stones with %u threes: %s\n", result->stones, result->threes, fault);
    fail();
}

// --- Random positions ---

typedef struct {
    const char *rules;
    unsigned least, most; // stones
} Shape;

static const Shape shapes[] = {
    {"7x7:k=5", 8, 30},       {"6x6:k=4", 4, 20},  {"9x9:k=5", 10, 40},      {"9x9:k=5,exact", 10, 40},
    {"6x6:k=4,exact", 4, 20}, {"7x7:k=4", 2, 16},  {"11x5:k=5", 10, 32},     {"5x5:k=3", 0, 6},
    {"13x13:k=5", 20, 50},    {"8x8:k=6", 14, 44}, {"5x4:k=3,exact", 0, 12}, {"9x9:k=5,q=2", 1, 30},
};

static void test_random_wins(void **state)
{
    (void)state;
    Rng rng = rng_make(45);
    unsigned by_threes = 0, longer = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Rules rules = rules_of(shapes[i].rules);
        Searches searches = open_searches(&rules);
        unsigned wins = 0, found[3] = {0};
        for (unsigned long step = 0; step < test_steps() / 300; step++) {
            Board board;
            ThreesResult result;
            unsigned stones = shapes[i].least + rng_below(&rng, shapes[i].most - shapes[i].least + 1);
            if (!scatter_stones(&board, &rules, stones, &rng))
                continue;
            threes_run(searches.threes, &board, &(Limits){.nodes = 3000}, &result);
            assert_true(result.nodes <= 3001 + 64);
            if (!result.won)
                continue;
            wins++;
            found[result.threes < 3 ? result.threes : 2]++;
            check_win(&searches, &board, &result);
        }
        print_message("# %s: %u wins, %u with one three, %u with more, %llu replies\n", shapes[i].rules, wins, found[1],
                      found[2], (unsigned long long)searches.replies);
        by_threes += found[1];
        longer += found[2];
        close_searches(&searches);
    }
    assert_true(by_threes > 0 && longer > 0);
}

// --- To the end of the game ---

static bool plain_wins(Board *board, Side attacker)
{
    if (board_is_over(board))
        return board_winner(board) == (attacker == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
    bool attacks = board_side(board) == attacker;
    if (lines_can_complete(board, board_side(board), 1))
        return attacks;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool wins = !attacks;
    for (unsigned i = 0; i < count && wins != attacks; i++) {
        BoardState before = board_play(board, cells[i]);
        wins = plain_wins(board, attacker);
        board_undo(board, cells[i], before);
    }
    return wins;
}

// Few cells are empty, so that everything can be tried.
static const Shape small[] = {
    {"5x4:k=3", 4, 8},         {"4x4:k=3,exact", 3, 8}, {"5x5:k=4", 13, 16},
    {"5x5:k=4,exact", 13, 16}, {"6x4:k=4", 12, 16},     {"7x3:k=3,exact", 8, 12},
};

static void test_small(void **state)
{
    (void)state;
    Rng rng = rng_make(46);
    unsigned claimed = 0, by_threes = 0;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        Rules rules = rules_of(small[i].rules);
        Searches searches = open_searches(&rules);
        for (unsigned long step = 0; step < test_steps() / 30; step++) {
            Board board;
            ThreesResult result;
            unsigned stones = small[i].least + rng_below(&rng, small[i].most - small[i].least + 1);
            if (!scatter_stones(&board, &rules, stones, &rng))
                continue;
            threes_run(searches.threes, &board, &(Limits){.nodes = 1000}, &result);
            if (!result.won || (result.threes == 0 && step % 16 != 0))
                continue;
            bool wins = plain_wins(&board, board_side(&board));
            claimed++;
            by_threes += result.threes > 0;
            if (wins)
                continue;
            print_board(&board);
            print_error("no win\n");
            fail();
        }
        close_searches(&searches);
    }
    print_message("# %u wins, %u by threes\n", claimed, by_threes);
    assert_true(by_threes > 0);
}

// --- Positions set up by hand ---

static ThreesResult search_drawing(const char *rules, const char *drawing, const Limits *limits)
{
    Game game;
    ThreesResult result;
    read_drawing(&game, rules, drawing);
    Searches searches = open_searches(&game.board.rules);
    threes_run(searches.threes, &game.board, limits, &result);
    if (result.won)
        check_win(&searches, &game.board, &result);
    close_searches(&searches);
    return result;
}

static void check_drawing(const char *rules, const char *drawing, bool won, unsigned threes)
{
    ThreesResult result = search_drawing(rules, drawing, &(Limits){.nodes = 0});
    if (result.won == won && result.threes == threes)
        return;
    print_error("%s\n%swon %d with %u threes; expected %d, %u\n", rules, drawing, result.won, result.threes, won,
                threes);
    fail();
}

// Two open twos that cross: a stone on both makes two threes.
static const char crossing[] =
    ".........\n.........\n.........\n....X....\n....X....\n..XX.....\n.........\n.........\n"
    ".........\nturn X 1\n";

static void test_drawings(void **state)
{
    (void)state;
    // Forcing sequences alone need no three.
    check_drawing("9x1:k=5", "...XXX...\nturn X 1\n", true, 0);
    check_drawing("9x1:k=5", "....X....\nturn X 1\n", false, 0);
    check_drawing("9x9:k=5", crossing, true, 1);
    // A four of the defender on the way, which he answers first: it takes the cross away, or it does not help.
    check_drawing("9x9:k=5",
                  ".........\n.........\n.........\n....X....\n....X....\n..XX.....\n.........\n.........\nOOO......\n"
                  "turn X 1\n",
                  true, 1);
}

// A double three of X, and below it rows of closed threes of O, with which he can make a four in two ways each.
static bool wins_against_threes(unsigned threes)
{
    Rules rules = rules_of("40x60:k=5");
    Board board;
    board_init(&board, &rules);
    static const Cell crossing_cells[] = {55 << 6 | 19, 54 << 6 | 19, 53 << 6 | 18, 53 << 6 | 17};
    for (unsigned i = 0; i < 4; i++)
        board_put(&board, crossing_cells[i], SIDE_FIRST);
    for (unsigned i = 0; i < threes; i++) {
        unsigned column = i % 6 * 6, row = i / 6 * 6;
        board_put(&board, cell_at(column, row), SIDE_FIRST);
        for (unsigned j = 1; j <= 3; j++)
            board_put(&board, cell_at(column + j, row), SIDE_SECOND);
    }
    assert_int_equal(board_set_turn(&board, SIDE_FIRST, 1), 0);
    Searches searches = open_searches(&rules);
    ThreesResult result;
    threes_run(searches.threes, &board, &(Limits){.nodes = 100000}, &result);
    close_searches(&searches);
    return result.won;
}

// X answers every four of O and wins, but a three with more replies than there is room for is not followed: to look at
// those that have room would not be enough, and at all of them would be beyond the list.
static void test_many_replies(void **state)
{
    (void)state;
    assert_true(wins_against_threes(0));
    assert_true(wins_against_threes(2));
    assert_false(wins_against_threes(30));
}

static void test_limits(void **state)
{
    (void)state;
    atomic_bool stop = true;
    assert_true(search_drawing("9x9:k=5", crossing, &(Limits){.depth = 1}).won);
    assert_false(search_drawing("9x9:k=5", crossing, &(Limits){.nodes = 3}).won);
    assert_false(search_drawing("9x9:k=5", crossing, &(Limits){.stop = &stop}).won);
    assert_false(search_drawing("9x9:k=5", crossing, &(Limits){.deadline = 1e-9}).won);
    Rules gomoku = rules_of("gomoku"), connect4 = rules_of("connect4"), connect6 = rules_of("connect6");
    assert_true(threes_suits(&gomoku));
    assert_false(threes_suits(&connect4));
    assert_false(threes_suits(&connect6));
    threes_close(NULL);
}

TEST_GROUP(threes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawings), cmocka_unit_test(test_many_replies), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_small),    cmocka_unit_test(test_random_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
