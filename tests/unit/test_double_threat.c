// Double threats: every win that is claimed is played through with every reply, and on small boards a search written as
// plainly as possible finds the same wins, free stones and all.
#include "support/check.h"

#include "agents/agent.h"
#include "analysis/lines.h"
#include "analysis/threats.h"
#include "bench/proof.h"
#include "match/referee.h"
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

static void check_proof(DoubleThreat *search, const Board *board, const DoubleThreatResult *result, bool every_reply)
{
    Proof proof;
    proof_check(search, board, result, every_reply, &proof);
    if (proof.fault == NULL)
        return;
    print_board(board);
    print_error("win in %u: %s\n", result->turns, proof.fault);
    fail();
}

// --- Random positions ---

// Stones at random up to a turn that begins or goes on; those of a turn near each other, so that rows come about.
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
} Shape;

static const Shape shapes[] = {
    {"8x8:k=5,p=2", 8, 26},  {"7x7:k=4,p=2", 3, 14},        {"9x9:k=6,p=2", 12, 34}, {"8x8:k=5,p=2,exact", 8, 26},
    {"9x9:k=5", 12, 30},     {"7x7:k=4,exact", 8, 20},      {"6x6:k=5,p=3", 6, 18},  {"9x5:k=5,p=2,q=2", 8, 24},
    {"12x2:k=6,p=2", 4, 12}, {"7x7:k=6,p=3,exact", 10, 24}, {"6x6:k=6,p=4", 8, 20},  {"5x5:k=3,p=2", 0, 6},
};

static void test_random_wins(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    unsigned found[4] = {0}; // wins by their turns, those of four and more together
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Rules rules = rules_of(shapes[i].rules);
        DoubleThreat *search = open_search(&rules, 1 << 16);
        for (unsigned long step = 0; step < test_steps() / 300; step++) {
            Board board;
            unsigned stones = shapes[i].least + rng_below(&rng, shapes[i].most - shapes[i].least + 1);
            if (!scatter(&board, &rules, stones, &rng))
                continue;
            DoubleThreatResult result;
            double_threat_run(search, &board, &(DoubleThreatLimits){.nodes = 200}, &result);
            if (result.verdict != DOUBLE_THREAT_WON)
                continue;
            found[result.turns < 4 ? result.turns - 1 : 3]++;
            check_proof(search, &board, &result, rules.p < 3);
        }
        double_threat_close(search);
    }
    for (int i = 0; i < 4; i++)
        assert_true(found[i] > 0);
}

// --- The same search as plainly as possible ---

static bool plain_attack(Board *board, unsigned turns);

// Whether the attacker wins whatever is replied: every set of cells from this one on.
static bool plain_replies(Board *board, Side attacker, Cell from, unsigned turns)
{
    if (board_winner(board) != WINNER_NONE)
        return false;
    if (board_is_over(board) || board_side(board) == attacker)
        return !board_is_over(board) &&
               (lines_can_complete(board, attacker, board_stones_left(board)) || plain_attack(board, turns));
    bool wins = true;
    for (Cell cell = from; cell < RULES_CELLS_MAX && wins; cell++)
        if (board_is_legal(board, cell)) {
            BoardState before = board_play(board, cell);
            wins = plain_replies(board, attacker, (Cell)(cell + 1), turns);
            board_undo(board, cell, before);
        }
    return wins;
}

// A whole turn of the attacker is on the board: of the right kind, and winning?
static bool plain_after_turn(Board *board, Side attacker, unsigned turns)
{
    if (board_is_over(board))
        return board_winner(board) != WINNER_NONE;
    if (lines_can_complete(board, side_other(attacker), board_stones_left(board)) ||
        threats_exact(board, attacker).count < board->rules.p)
        return false;
    return plain_replies(board, attacker, 0, turns);
}

static bool plain_turns(Board *board, Side attacker, Cell from, unsigned turns)
{
    if (board_is_over(board) || board_side(board) != attacker)
        return plain_after_turn(board, attacker, turns);
    bool wins = false;
    for (Cell cell = from; cell < RULES_CELLS_MAX && !wins; cell++)
        if (board_is_legal(board, cell)) {
            BoardState before = board_play(board, cell);
            wins = plain_turns(board, attacker, (Cell)(cell + 1), turns);
            board_undo(board, cell, before);
        }
    return wins;
}

// Whether the side to move wins within so many turns, the one that completes the row included.
static bool plain_attack(Board *board, unsigned turns)
{
    Side attacker = board_side(board);
    if (lines_can_complete(board, attacker, board_stones_left(board)))
        return turns > 0;
    return turns > 1 && plain_turns(board, attacker, 0, turns - 1);
}

// Small enough for it; the last number is how many turns it looks ahead.
static const struct {
    Shape shape;
    unsigned turns;
} small[] = {
    {{"5x5:k=4,p=2", 6, 14}, 3},       {{"6x5:k=5,p=2", 10, 20}, 3},  {{"6x6:k=4", 8, 22}, 4},
    {{"5x5:k=4,p=2,exact", 6, 14}, 3}, {{"6x6:k=4,exact", 8, 22}, 4}, {{"4x4:k=4,p=3", 4, 10}, 3},
    {{"7x4:k=5,p=2,q=2", 8, 18}, 3},   {{"12x2:k=6,p=2", 4, 12}, 3},
};

static void test_complete(void **state)
{
    (void)state;
    Rng rng = rng_make(8);
    unsigned wins = 0, long_wins = 0, none = 0;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        Rules rules = rules_of(small[i].shape.rules);
        DoubleThreat *search = open_search(&rules, 1 << 16);
        for (unsigned long step = 0; step < test_steps() / 1000; step++) {
            Board board;
            unsigned stones = small[i].shape.least + rng_below(&rng, small[i].shape.most - small[i].shape.least + 1);
            if (!scatter(&board, &rules, stones, &rng))
                continue;
            DoubleThreatResult result;
            double_threat_run(search, &board, &(DoubleThreatLimits){.turns = small[i].turns}, &result);
            unsigned plain = 1;
            while (plain <= small[i].turns && !plain_attack(&board, plain))
                plain++;
            bool won = result.verdict == DOUBLE_THREAT_WON;
            if (won ? result.turns != plain : plain <= small[i].turns) {
                print_board(&board);
                print_error("verdict %d, %u turns; plainly %u\n", (int)result.verdict, result.turns, plain);
                fail();
            }
            wins += won;
            long_wins += won && result.turns > 2;
            none += result.verdict == DOUBLE_THREAT_NONE;
        }
        double_threat_close(search);
    }
    print_message("# %u wins, %u of more than two turns, %u none\n", wins, long_wins, none);
    assert_true(wins > 0 && long_wins > 0 && none > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_wins),
        cmocka_unit_test(test_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
