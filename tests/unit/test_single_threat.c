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
    DoubleThreatLimits limits = {.nodes = 3000, .turns = 6};
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

static const Shape shapes[] = {
    {"8x8:k=5,p=2", 8, 26, 1},       {"7x7:k=4,p=2,q=1", 1, 8, 1},    {"9x9:k=6,p=2", 16, 40, 1},
    {"8x8:k=5,p=2,exact", 8, 26, 1}, {"7x6:k=4,p=2,exact", 1, 12, 1}, {"6x6:k=5,p=3", 6, 18, 4},
    {"12x3:k=5,p=2", 4, 20, 1},      {"6x5:k=5,p=4", 8, 16, 8},       {"5x5:k=4,p=3", 6, 14, 4},
};

static void test_every_reply(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
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
        double_threat_close(search);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_reply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
