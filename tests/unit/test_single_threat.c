// Wins with turns that leave the defender free stones: each one that is claimed is played against every reply, with no
// regard to zones, and on tiny boards a search of the whole game says that it is won.
#include "support/check.h"

#include "analysis/lines.h"
#include "base/rng.h"
#include "bench/proof.h"
#include "bench/strategy.h"
#include "rules/diagram.h"

#include <stdlib.h>
#include <string.h>

static DoubleThreat *open_search(const Rules *rules, size_t bytes)
{
    DoubleThreat *search = NULL;
    Error error = {0};
    assert_done(double_threat_open(&search, rules, bytes, &error), error);
    return search;
}

static void print_board(const Board *board)
{
    Text text = {0};
    diagram_write(board, &text);
    print_error("%s", text.data);
    text_close(&text);
}

static bool scatter(Board *board, const Rules *rules, unsigned stones, Rng *rng)
{
    board_init(board, rules);
    for (unsigned i = 0; i < stones && !board_is_over(board); i++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(board, cells);
        (void)board_play(board, cells[rng_below(rng, count)]);
    }
    return !board_is_over(board);
}

typedef struct {
    const char *rules;
    unsigned least, most; // stones
    unsigned parts;       // of the steps
} Shape;

// --- Every reply ---

typedef struct {
    unsigned wins;   // with free stones
    unsigned twice;  // two such turns, or more
    unsigned longer; // of more than three turns
} Wins;

static void check_strategy(DoubleThreat *search, const Board *board, const DoubleThreatResult *result)
{
    StrategyCheck check;
    strategy_check(search, board, result, REPLIES_ALL, 0, &check);
    if (check.fault == NULL && check.positions > 0 && !check.is_unfinished)
        return;
    print_board(board);
    print_error("win in %u, %u singles: %s\n", result->turns, result->singles, check.fault);
    fail();
}

static void look_at(DoubleThreat *search, const Board *board, unsigned singles, Wins *wins)
{
    DoubleThreatResult plain, result;
    DoubleThreatLimits limits = {.nodes = board->rules.p > 2 ? 300 : 3000, .turns = 6};
    double_threat_run(search, board, &limits, &plain);
    if (plain.verdict == DOUBLE_THREAT_WON)
        return;
    limits.singles = singles;
    double_threat_run(search, board, &limits, &result);
    assert_int_not_equal(result.verdict, DOUBLE_THREAT_NONE);
    if (result.verdict != DOUBLE_THREAT_WON)
        return;
    wins->wins += result.singles > 0;
    wins->twice += result.singles > 1;
    wins->longer += result.turns > 3;
    check_strategy(search, board, &result);
}

// The node limits are small: a position takes milliseconds then, and wins are found all the same.
static const Shape shapes[] = {
    {"8x8:k=5,p=2", 8, 26, 1},         {"7x7:k=4,p=2,q=1", 1, 8, 1}, {"8x8:k=5,p=2,exact", 8, 26, 1},
    {"7x6:k=4,p=2,exact", 1, 12, 1},   {"9x9:k=6,p=2", 16, 40, 1},   {"8x8:k=6,p=3", 10, 40, 20},
    {"7x7:k=6,p=3,exact", 10, 30, 20}, {"7x6:k=6,p=4", 8, 24, 40},
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
        for (unsigned long step = 0; step < test_steps() / 300 / shapes[i].parts; step++) {
            Board board;
            if (scatter(&board, &rules, shapes[i].least + rng_below(&rng, shapes[i].most - shapes[i].least + 1), &rng))
                look_at(search, &board, 1 + (unsigned)step % 3, &wins);
        }
        print_message("# %s: %u wins, %u twice, %u longer\n", shapes[i].rules, wins.wins, wins.twice, wins.longer);
        all.wins += wins.wins;
        all.longer += wins.longer;
        double_threat_close(search);
    }
    assert_true(all.wins > 0 && all.longer > 0);
}

// --- The whole game ---

enum { SOLVED_MAX = 1 << 21 };

// Positions of one game that have been solved; those that do not find room are solved again.
typedef struct {
    uint64_t *keys; // 0: none; the lowest bit is the result
    Side attacker;
} Solver;

// Whether the attacker can force a row, whoever is to move: stone by stone, all cells.
static bool solve(const Solver *solver, Board *board)
{
    if (board_is_over(board))
        return board_winner(board) == (solver->attacker == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
    uint64_t key = board_key(board) | 1, *slot = &solver->keys[key / 2 % SOLVED_MAX];
    if ((*slot | 1) == key)
        return *slot & 1;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool is_attack = board_side(board) == solver->attacker, wins = !is_attack;
    for (unsigned i = 0; i < count && wins != is_attack; i++) {
        BoardState before = board_play(board, cells[i]);
        wins = solve(solver, board);
        board_undo(board, cells[i], before);
    }
    *slot = wins ? key : key - 1;
    return wins;
}

// Few cells are left, so that the whole game can be looked at.
static const Shape tiny[] = {
    {"5x4:k=4,p=2", 8, 12, 1},  {"4x4:k=4,p=2", 3, 8, 1},         {"5x5:k=4,p=2", 13, 17, 1},
    {"5x5:k=5,p=2", 13, 17, 1}, {"5x5:k=4,p=2,exact", 13, 17, 1}, {"6x4:k=4,p=2,q=2", 12, 16, 1},
    {"4x4:k=4,p=3", 4, 8, 1},
};

static void test_whole_game(void **state)
{
    (void)state;
    Rng rng = rng_make(22);
    unsigned wins = 0, missed = 0, found = 0;
    Solver solver = {.keys = malloc(SOLVED_MAX * sizeof solver.keys[0])};
    assert_non_null(solver.keys);
    for (size_t i = 0; i < sizeof tiny / sizeof tiny[0]; i++) {
        Rules rules = rules_of(tiny[i].rules);
        DoubleThreat *search = open_search(&rules, 1 << 16);
        for (unsigned long step = 0; step < test_steps() / 300; step++) {
            Board board;
            if (!scatter(&board, &rules, tiny[i].least + rng_below(&rng, tiny[i].most - tiny[i].least + 1), &rng))
                continue;
            DoubleThreatResult result;
            double_threat_run(search, &board, &(DoubleThreatLimits){.nodes = 2000, .singles = 4}, &result);
            memset(solver.keys, 0, SOLVED_MAX * sizeof solver.keys[0]);
            solver.attacker = board_side(&board);
            bool won = result.verdict == DOUBLE_THREAT_WON, really = solve(&solver, &board);
            if (won && !really) {
                print_board(&board);
                fail_msg("no win in %u turns, %u singles", result.turns, result.singles);
            }
            wins += won;
            found += won && result.singles > 0;
            missed += really && !won;
        }
        double_threat_close(search);
    }
    free(solver.keys);
    print_message("# %u wins, %u with free stones, %u missed\n", wins, found, missed);
    assert_true(wins > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_reply),
        cmocka_unit_test(test_whole_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
