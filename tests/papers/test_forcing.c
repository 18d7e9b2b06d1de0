// Tests of forcing sequences: the example of the paper list by list; claimed wins are played against every reply.
#include "support/check.h"

#include "base/rng.h"
#include "game/notation.h"
#include "papers/connect5/forcing.h"
#include "threats/lines.h"
#include "threats/search/double_threat.h"

#include <string.h>

enum { CAP = 150 };

static Forcing *open_search(const Rules *rules, unsigned sequences)
{
    Forcing *search = forcing_open(rules, sequences);
    return search;
}

// --- Lists ---

static void write_cells(Text *text, const ForcingStep *steps, unsigned length, bool answers)
{
    for (unsigned i = 0; i < length; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(answers ? steps[i].answer : steps[i].move, name);
        text_add(text, "%s%s", i > 0 ? "+" : "", name);
    }
}

// Sequences as the paper writes them: (moves,answers), one after another.
static void write_sequences(const Forcing *search, unsigned from, unsigned to, Text *text)
{
    for (unsigned i = from; i < to; i++) {
        unsigned length = 0;
        const ForcingStep *steps = forcing_sequence(search, i, &length);
        text_add(text, "(");
        write_cells(text, steps, length, false);
        text_add(text, ",");
        write_cells(text, steps, length, true);
        text_add(text, ")");
    }
}

// What a search lists with this cap, and " wins " with the sequence that wins.
static void check_listing(ForcingListing listing, const char *rules, const char *drawing, unsigned cap,
                          const char *list)
{
    Game game;
    read_drawing(&game, rules, drawing);
    Forcing *search = open_search(&game.board.rules, cap);
    forcing_set_listing(search, listing);
    ForcingResult result;
    Text text = {0};
    forcing_run(search, &game.board, cap, &result);
    write_sequences(search, 0, result.sequences, &text);
    if (result.won) {
        text_add(&text, " wins ");
        write_sequences(search, result.sequences, result.sequences + 1, &text);
    }
    assert_string_equal(text.length > 0 ? text.data : "", list);
    text_close(&text);
    forcing_close(search);
}

static void check_list(const char *rules, const char *drawing, unsigned cap, const char *list)
{
    check_listing(FORCING_DISTINCT, rules, drawing, cap, list);
}

// Section 4.3. A is c4, B c6, C e4, D e8 and E d5: A and C share a row, B and C a diagonal, and so do B and D. After B
// and C there are three on a diagonal, and E makes them an open four.
static const char example[] = ". . . . . . . . . .\n"
                              ". . O . O . . . . .\n"
                              ". . X . . . . . . .\n"
                              ". . X . X . . . . .\n"
                              ". . . . X . . . . .\n"
                              ". . X . X . . . . .\n"
                              ". . . . . . . . . .\n"
                              ". . . . O X . . . .\n"
                              ". . . . . . . . . .\n"
                              ". . . . . . . . . .\n"
                              "turn X 1\n";

static void test_example(void **state)
{
    (void)state;
    // The forcing moves; no chains.
    check_list("10x10:k=5", example, 4, "(c4,c6)(c6,c4)(e4,e8)(e8,e4)");
    // Three merged sequences, and a fourth move wins: chaining comes after merging.
    const char all[] = "(c4,c6)(c6,c4)(e4,e8)(e8,e4)(c4+e4,c6+e8)(c6+e4,c4+e8)(c6+e8,c4+e4)";
    Text text = {0};
    text_add(&text, "%s wins (c6+e4+d5,c4+e8+b7)", all);
    check_list("10x10:k=5", example, 7, text.data);
    check_list("10x10:k=5", example, CAP, text.data);
    text_close(&text);
    // A smaller list ends when it is full.
    check_list("10x10:k=5", example, 5, "(c4,c6)(c6,c4)(e4,e8)(e8,e4)(c4+e4,c6+e8)");
    check_list("10x10:k=5", example, 0, "");
}

static void test_rules_of_stopping(void **state)
{
    (void)state;
    // A threat of the attacker wins with one stone, also if the defender has one; one of the defender ends the search.
    check_list("8x2:k=5", "OOOO....\nXXXX....\nturn X 1\n", CAP, " wins (,)");
    check_list("8x3:k=5", "........\nOOOO....\n..XXX...\nturn X 1\n", CAP, "");
    // An open three: two threats at once.
    check_list("9x1:k=5", "...XXX...\nturn X 1\n", CAP, " wins (c1,b1)");
}

static void test_chains(void **state)
{
    (void)state;
    // d1 forces e1, and with d2 and d3 more; e1 forces d1 and ends there.
    check_list("5x6:k=5", ".....\n.....\n.....\n...X.\n...X.\nXXX..\nturn X 1\n", CAP,
               "(d1,e1)(e1,d1)(d1+d4,e1+d5)(d1+d5,e1+d4)");
    // The same if e1 is a threat of the defender then: listed, and not chained.
    check_list("5x6:k=5", ".....\n.....\n....O\n...XO\n...XO\nXXX..\nturn X 1\n", CAP, "(d1,e1)(e1,d1)");
    // That threat is on d2, a forcing move of its own: merged, the two meet it. d1 and e2 do not.
    check_list("5x6:k=5", ".....\nO....\n.O...\n..O..\nXXX..\nXXX..\nturn X 1\n", CAP,
               "(d1,e1)(e1,d1)(d2,e2)(e2,d2)(d1+d2,e1+e2)(e1+d2,d1+e2)(e1+e2,d1+d2)");
    // Here d2 comes only after c2. After d1 and e1 there is no time for it; the other way round the sequences hold.
    check_list("8x6:k=5", "........\nO.......\n.O..X...\n..OX....\nXX...O..\nXXX..O..\nturn X 1\n", CAP,
               "(d1,e1)(e1,d1)(c2,f5)(f5,c2)(c2+d2,f5+e2)(c2+e2,f5+d2)(c2+d2+d1,f5+e2+e1)(e1+c2+d2,d1+f5+e2)"
               "(e1+c2+e2,d1+f5+d2)(c2+d2+d1+d4,f5+e2+e1+d5)(c2+d2+d1+d5,f5+e2+e1+d4)(e1+c2+e2+e3,d1+f5+d2+e5)"
               "(e1+c2+e2+e5,d1+f5+d2+e3)");
}

static void test_merging(void **state)
{
    (void)state;
    // Last moves in one row: four cells apart they share a window, five cells apart they do not.
    check_list("11x6:k=5", ".O....O....\n...........\n.X....X....\n.X....X....\n.X....X....\n...........\nturn X 1\n",
               CAP, "(b1,b5)(b5,b1)(g1,g5)(g5,g1)");
    check_list("11x6:k=5", ".O...O.....\n...........\n.X...X.....\n.X...X.....\n.X...X.....\n...........\nturn X 1\n",
               CAP, "(b1,b5)(b5,b1)(f1,f5)(f5,f1)(b1+f1,b5+f5)(b1+f5,b5+f1)(b5+f1,b1+f5)(b5+f5,b1+f1)");
}

static unsigned count_listed(ForcingListing listing, const char *rules, const char *drawing)
{
    Game game;
    ForcingResult result;
    read_drawing(&game, rules, drawing);
    Forcing *search = open_search(&game.board.rules, CAP);
    forcing_set_listing(search, listing);
    forcing_run(search, &game.board, CAP, &result);
    assert_false(result.won);
    forcing_close(search);
    return result.sequences;
}

static void test_every_permutation(void **state)
{
    (void)state;
    // The example of the paper has the same list.
    check_listing(FORCING_EVERY, "10x10:k=5", example, CAP,
                  "(c4,c6)(c6,c4)(e4,e8)(e8,e4)(c4+e4,c6+e8)(c6+e4,c4+e8)(c6+e8,c4+e4) wins (c6+e4+d5,c4+e8+b7)");
    // Three forcing pairs in columns a, c and e: 6 moves, 8 merged pairs and 4 merged triples with 4 chained moves,
    // such as a1+c1+e1 and then b1. With permutations there are 10 triples and 12 chained moves.
    const char *three = "O.O.O..\n.......\nXOXOX..\nXOXOX..\nXOXOX..\n.......\nturn X 1\n";
    assert_int_equal(count_listed(FORCING_DISTINCT, "7x6:k=5", three), 22);
    assert_int_equal(count_listed(FORCING_EVERY, "7x6:k=5", three), 36);
}

static void test_gravity(void **state)
{
    (void)state;
    // The answer e1 opens e2, which completes a row.
    check_list("8x4:k=4,gravity", "........\n........\n.....XXX\nOXX..OXO\nturn X 1\n", CAP, " wins (d1,e1)");
    // d1 opens d2, which completes one of the defender, so that it forces nothing.
    check_list("8x4:k=4,gravity", "........\n........\nOOO.....\nOXX.....\nturn X 1\n", CAP, "(e1,d1)");
}

// --- Random positions ---

static void refute(const Board *board, const ForcingStep *steps, unsigned length, const char *fault)
{
    Text text = {0};
    write_cells(&text, steps, length, false);
    print_board(board);
    print_error("%s: %s\n", text.data, fault);
    text_close(&text);
    fail();
}

// Every reply to every move, by the plain rules: the answer of the sequence goes on, any other loses at once, and after
// the last move all do.
static void check_win(const Board *root, const ForcingStep *steps, unsigned length, const ForcingResult *result)
{
    Board board = *root;
    Side attacker = board_side(root);
    if (length == 0) {
        (void)board_play(&board, result->move);
        assert_true(result->stones == 1 && board_winner(&board) != WINNER_NONE);
        return;
    }
    assert_true(result->stones == 2 * length + 1 && result->move == steps[0].move);
    for (unsigned i = 0; i < length; i++) {
        if (!board_is_legal(&board, steps[i].move))
            refute(root, steps, length, "not a legal move");
        (void)board_play(&board, steps[i].move);
        Cell replies[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&board, replies);
        if (count == 0)
            refute(root, steps, length, "the game is over");
        for (unsigned j = 0; j < count; j++) {
            BoardState before = board_play(&board, replies[j]);
            if (board_winner(&board) != WINNER_NONE)
                refute(root, steps, length, "the defender wins");
            if ((replies[j] != steps[i].answer || i + 1 == length) && !lines_can_complete(&board, attacker, 1))
                refute(root, steps, length, "a reply holds");
            board_undo(&board, replies[j], before);
        }
        (void)board_play(&board, steps[i].answer);
    }
}

typedef struct {
    const char *rules;
    unsigned least, most; // stones
} Shape;

static const Shape shapes[] = {
    {"9x9:k=5", 14, 40},
    {"7x7:k=4", 8, 24},
    {"6x6:k=4", 6, 20},
    {"6x6:k=4,gravity", 6, 28},
    {"7x6:k=4,gravity", 8, 30},
    {"9x9:k=5,exact", 14, 40},
    {"7x7:k=4,exact", 8, 24},
    {"8x8:k=4,gravity", 8, 40},
    {"7x7:k=3,gravity,exact", 4, 24},
    {"8x7:k=4,gravity,exact", 8, 40},
    {"13x13:k=5", 30, 80},
    {"5x5:k=3", 0, 6},
    {"4x4:k=2", 0, 1},
    {"12x12:k=6", 50, 90},
    {"64x3:k=4", 40, 80},
    {"3x3:k=1", 0, 0},
    {"6x6:k=3,exact", 4, 16},
    {"9x9:k=5,q=3", 0, 30},
    {"5x5:k=3,q=3", 0, 6},
};

typedef struct {
    unsigned wins, long_wins, merged, full, none;
} Tally;

// No two sequences of the list have the same stones.
static void check_keys(const Forcing *search, unsigned count)
{
    uint64_t keys[CAP] = {0};
    for (unsigned i = 0; i < count; i++) {
        unsigned length = 0;
        const ForcingStep *steps = forcing_sequence(search, i, &length);
        for (unsigned j = 0; j < length; j++)
            keys[i] ^= zobrist_stone[steps[j].move][0] ^ zobrist_stone[steps[j].answer][1];
        for (unsigned j = 0; j < i; j++)
            assert_true(keys[j] != keys[i]);
    }
}

static void look_at(Forcing *search, DoubleThreat *complete, const Board *board, unsigned cap, Tally *tally)
{
    bool distinct = cap % 3 != 0;
    forcing_set_listing(search, distinct ? FORCING_DISTINCT : FORCING_EVERY);
    ForcingResult result;
    unsigned length = 0;
    forcing_run(search, board, cap, &result);
    const ForcingStep *steps = forcing_sequence(search, result.sequences, &length);
    assert_true(result.sequences <= cap);
    if (distinct)
        check_keys(search, result.sequences);
    tally->full += result.sequences == cap;
    tally->none += !result.won;
    if (!result.won)
        return;
    check_win(board, steps, length, &result);
    tally->wins++;
    tally->long_wins += length > 2;
    if (complete == NULL)
        return;
    DoubleThreatResult found;
    double_threat_run(complete, board, &(Limits){.nodes = 20000}, &found);
    assert_true(found.verdict != DOUBLE_THREAT_NONE);
    assert_true(found.verdict != DOUBLE_THREAT_WON || 2 * found.turns - 1 <= result.stones);
}

static void test_random_wins(void **state)
{
    (void)state;
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    Rng rng = rng_make(61);
    for (size_t i = 0; i < SHAPES; i++) {
        Rules rules = rules_of(shapes[i].rules);
        Forcing *search = open_search(&rules, CAP);
        DoubleThreat *complete = NULL;
        Error error = {0};
        Tally tally = {0};
        if (double_threat_suits(&rules))
            assert_done(double_threat_open(&complete, &rules, 1 << 16, &error), error);
        for (unsigned long step = 0; step < test_steps() / 30; step++) {
            Board board;
            unsigned stones = shapes[i].least + rng_below(&rng, shapes[i].most - shapes[i].least + 1);
            if (scatter_stones(&board, &rules, stones, &rng))
                look_at(search, complete, &board, step % 2 == 0 ? CAP : 1 + rng_below(&rng, CAP), &tally);
        }
        print_message("# %s: %u wins, %u of more than two moves, %u full, %u none\n", shapes[i].rules, tally.wins,
                      tally.long_wins, tally.full, tally.none);
        assert_true(tally.wins > 0);
        double_threat_close(complete);
        forcing_close(search);
    }
}

static void test_suits(void **state)
{
    (void)state;
    Rules connect4 = rules_of("connect4"), connect6 = rules_of("connect6");
    assert_true(forcing_suits(&connect4));
    assert_false(forcing_suits(&connect6));
    forcing_close(NULL);
}

TEST_GROUP(forcing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example), cmocka_unit_test(test_rules_of_stopping), cmocka_unit_test(test_chains),
        cmocka_unit_test(test_merging), cmocka_unit_test(test_gravity),           cmocka_unit_test(test_random_wins),
        cmocka_unit_test(test_suits),   cmocka_unit_test(test_every_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
