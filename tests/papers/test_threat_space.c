// Tests of the threat-space search of Liu and Lin: drawn positions, wins it misses or claims wrongly, and random
// positions compared with the exact search.
#include "support/check.h"

#include "base/rng.h"
#include "bench/positions/claim.h"
#include "game/diagram.h"
#include "game/notation.h"
#include "papers/kagami/threat_space.h"

#include <stdlib.h>
#include <string.h>

static ThreatSpace *open_search(const Rules *rules)
{
    ThreatSpace *search = NULL;
    Error error = {0};
    assert_done(threat_space_open(&search, rules, &error), error);
    return search;
}

static DoubleThreat *open_exact(const Rules *rules)
{
    DoubleThreat *search = NULL;
    Error error = {0};
    assert_done(double_threat_open(&search, rules, 1 << 16, &error), error);
    return search;
}

// --- Drawn positions ---

static DoubleThreatResult search_drawing(const char *rules, const char *drawing)
{
    Game game;
    DoubleThreatResult result;
    read_drawing(&game, rules, drawing);
    ThreatSpace *search = open_search(&game.board.rules);
    threat_space_run(search, &game.board, &(Limits){0}, &result);
    threat_space_close(search);
    return result;
}

static DoubleThreatResult search_exactly(const char *rules, const char *drawing)
{
    Game game;
    DoubleThreatResult result;
    read_drawing(&game, rules, drawing);
    DoubleThreat *search = open_exact(&game.board.rules);
    double_threat_run(search, &game.board, &(Limits){0}, &result);
    double_threat_close(search);
    return result;
}

static Claim check_claim(const char *rules, const char *drawing, const CellSet *turn)
{
    Game game;
    read_drawing(&game, rules, drawing);
    DoubleThreat *search = open_exact(&game.board.rules);
    Claim claim = claim_check(search, &game.board, turn, &(Limits){0});
    double_threat_close(search);
    return claim;
}

static void expect(const char *rules, const char *drawing, DoubleThreatVerdict verdict, unsigned turns)
{
    DoubleThreatResult result = search_drawing(rules, drawing);
    bool as_expected = result.verdict == verdict && (verdict == DOUBLE_THREAT_NONE || result.turns == turns);
    if (as_expected && (verdict != DOUBLE_THREAT_WON || check_claim(rules, drawing, &result.turn) == CLAIM_HOLDS))
        return;
    print_error("%s\n%sverdict %d, %u turns; expected %d, %u\n", rules, drawing, (int)result.verdict, result.turns,
                (int)verdict, turns);
    fail();
}

static const char threes[] = "............\n"
                             "............\n"
                             "..XX...XX...\n"
                             "..XX...XX...\n"
                             "............\n"
                             ".....XX.....\n"
                             "............\n"
                             "turn X 2\n";

static void test_drawings(void **state)
{
    (void)state;
    // A row at once; in the middle of a turn only if one stone is enough.
    expect("8x1:k=5,p=2", "XX.XX...\nturn X 2\n", DOUBLE_THREAT_WON, 1);
    expect("8x1:k=5,p=2", "XX.XX...\nturn X 1\n", DOUBLE_THREAT_WON, 1);
    expect("9x1:k=6,p=2", ".XXXX....\nturn X 2\n", DOUBLE_THREAT_WON, 1);
    expect("4x4:k=1", "....\n....\n....\n....\nturn X 1\n", DOUBLE_THREAT_WON, 1);
    // Two rows of three become four threats; more of them take longer.
    expect("9x3:k=6,p=2", ".........\n..XXX....\n..XXX....\nturn X 2\n", DOUBLE_THREAT_WON, 2);
    expect("12x7:k=6,p=2", threes, DOUBLE_THREAT_WON, 3);
    // The defender's four has to be answered first: with a stone that leaves nothing to attack with, or attacks itself.
    expect("9x3:k=6,p=2", ".OOOO....\n..XXX....\n.........\nturn X 2\n", DOUBLE_THREAT_NONE, 0);
    expect("9x3:k=6,p=2", "OOOO.....\n..XXX....\n..XXX....\nturn X 2\n", DOUBLE_THREAT_NONE, 0);
    expect(
        "9x9:k=6,p=2",
        "....X....\n....X....\n....X....\n....X....\nOOOO.....\n.........\n..XXX....\n.........\n.........\nturn X 2\n",
        DOUBLE_THREAT_WON, 1);
    // One stone a turn: an open four; a four and another; a four whose answer is a five.
    expect("8x1:k=5", "..XXX...\nturn X 1\n", DOUBLE_THREAT_WON, 2);
    expect("6x6:k=5", "......\n...X..\n...X..\nOXX.X.\n......\n...X..\nturn X 1\n", DOUBLE_THREAT_WON, 2);
    expect("8x2:k=5", "OOO.O...\n..XXX...\nturn X 1\n", DOUBLE_THREAT_NONE, 0);
    // Three stones a turn.
    expect("12x2:k=6,p=3", "....XX......\n....XX......\nturn X 3\n", DOUBLE_THREAT_WON, 2);
    expect("9x2:k=6,p=3", "..XX.....\n..XX.....\nturn X 3\n", DOUBLE_THREAT_NONE, 0);
    // Six in a row are no five under `exact`.
    expect("9x1:k=5,exact", "OXXXX.X..\nturn X 1\n", DOUBLE_THREAT_NONE, 0);
    // Nothing to attack with.
    expect("9x9:k=6,p=2",
           ".........\n.........\n.........\n.........\n....X....\n.........\n.........\n.........\n.........\n"
           "turn X 2\n",
           DOUBLE_THREAT_NONE, 0);
}

// One stone makes four threats where two rows cross, the other meets the defender far away.
static const char cross[] = "OOOO........\n"
                            "............\n"
                            "............\n"
                            "............\n"
                            "...XXX......\n"
                            "......X.....\n"
                            "......X.....\n"
                            "......X.....\n"
                            "............\n"
                            "............\n"
                            "turn X 2\n";

static void test_free_stone(void **state)
{
    (void)state;
    expect("12x10:k=6,p=2", cross, DOUBLE_THREAT_WON, 2);
}

// In row 1 a stone on each side makes a threat, and another one stands in column e. Three threats in all, but case b of
// the correction takes one off, so that the paper's search does not see the win in two turns.
static void test_correction(void **state)
{
    (void)state;
    const char *rules = "15x6:k=6,p=2";
    const char *drawing = "...............\n"
                          "....X..........\n"
                          "....X..........\n"
                          "....X..........\n"
                          "...............\n"
                          "OXXX.......XXXO\n"
                          "turn X 2\n";
    assert_int_equal(search_exactly(rules, drawing).turns, 2);
    DoubleThreatResult result = search_drawing(rules, drawing);
    assert_true(result.verdict != DOUBLE_THREAT_WON || result.turns > 2);
}

// In the middle of a turn the threats of its first stones are not counted, but a row that no defensive stone met is
// completed: here four at the top, which the two threats below leave alone.
static void test_threats_before(void **state)
{
    (void)state;
    expect("12x5:k=6,p=2", "OXXXX..O....\n............\n............\n............\n..XXX.......\nturn X 1\n",
           DOUBLE_THREAT_WON, 2);
    Game game;
    DoubleThreatResult result;
    read_drawing(&game, "12x5:k=6,p=2",
                 "OXXXX..O....\n............\n............\n............\n..XXX.......\nturn X 1\n");
    ThreatSpace *search = open_search(&game.board.rules);
    threat_space_run(search, &game.board, &(Limits){.depth = 2}, &result);
    assert_int_equal(result.verdict, DOUBLE_THREAT_WON);
    threat_space_close(search);
}

// As the paper says, all answers at once stop more than any single answer.
static void test_missed(void **state)
{
    (void)state;
    const char *rules = "7x7:k=5,p=2";
    const char *drawing = ".O.....\n..X..X.\n..X....\n.O.....\n....O.O\n.....X.\n...X...\nturn O 2\n";
    expect(rules, drawing, DOUBLE_THREAT_NONE, 0);
    DoubleThreatResult exact = search_exactly(rules, drawing);
    assert_true(exact.verdict == DOUBLE_THREAT_WON && exact.turns == 3);
}

// The paper's count is too high where lines cross at an empty cell: a3 and b3 make a threat along the row, one along
// column b and one along the diagonal from a3 to e7, and a stone on b4 stops the last two.
static void test_claimed_wrongly(void **state)
{
    (void)state;
    const char *rules = "7x7:k=5,p=2";
    const char *drawing = "O.O.X..\nO......\nOXX.O..\n.......\n...X...\n..O....\n.X.....\nturn X 2\n";
    DoubleThreatResult result = search_drawing(rules, drawing);
    assert_true(result.verdict == DOUBLE_THREAT_WON && result.turns == 2);
    assert_true(cell_sets_equal(&result.turn, &(CellSet){{cell_at(0, 2), cell_at(1, 2), CELL_NONE, CELL_NONE}}));
    assert_int_equal(check_claim(rules, drawing, &result.turn), CLAIM_REFUTED);
    assert_int_equal(search_exactly(rules, drawing).verdict, DOUBLE_THREAT_NONE);
}

static CellSet read_turn(const Rules *rules, const char *stones)
{
    CellSet turn = cell_set_none;
    Span rest = span_of(stones), word;
    while (span_next_word(&rest, " ", &word)) {
        char name[4] = {0};
        memcpy(name, word.at, word.length);
        turn = cell_set_with(&turn, cell_of(rules, name));
    }
    return turn;
}

static Claim claim_of(const char *text, const char *drawing, const char *stones)
{
    Rules rules = rules_of(text);
    CellSet turn = read_turn(&rules, stones);
    return check_claim(text, drawing, &turn);
}

static void test_claims(void **state)
{
    (void)state;
    const char *rows = ".........\n..XXX....\n..XXX....\nturn X 2\n";
    const char *four = ".OOOO....\n..XXX....\n..XXX....\nturn X 2\n";
    assert_int_equal(claim_of("9x1:k=6,p=2", ".XXXX....\nturn X 2\n", "f1 g1"), CLAIM_HOLDS);
    assert_int_equal(claim_of("9x3:k=6,p=2", rows, "f1 f2"), CLAIM_HOLDS);
    assert_int_equal(claim_of("9x3:k=6,p=2", rows, "f1 a3"), CLAIM_REFUTED);
    assert_int_equal(claim_of("9x3:k=6,p=2", four, "f1 f2"), CLAIM_REFUTED); // the defender completes his row
    assert_int_equal(claim_of("12x7:k=6,p=2", threes, "e4 f4"), CLAIM_HOLDS);
    // A turn that leaves a stone, with which the defender would win himself.
    const char *one =
        "............\n............\n............\n............\n...OOO......\n......O.....\n......O.....\n"
        "......O.....\n............\nOXX.........\nturn X 2\n";
    assert_int_equal(claim_of("12x10:k=6,p=2", one, "d1 e1"), CLAIM_REFUTED);
}

// --- The conservative defence ---

static void expect_defence(const char *rules, const char *drawing, const char *stones, const char *defence)
{
    Game game;
    read_drawing(&game, rules, drawing);
    ThreatSpace *search = open_search(&game.board.rules);
    CellSet turn = read_turn(&game.board.rules, stones);
    Span rest = span_of(defence), word;
    Cell cells[THREAT_SPACE_DEFENCE_MAX];
    unsigned count = threat_space_defence(search, &game.board, &turn, cells);
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        assert_true(span_next_word(&rest, " ", &word) && span_is(word, name));
    }
    assert_false(span_next_word(&rest, " ", &word));
    threat_space_close(search);
}

static void test_defence(void **state)
{
    (void)state;
    // Fig. 10: a Live4 is answered by four stones.
    expect_defence("12x1:k=6,p=2", "...XX.......\nturn X 2\n", "f1 g1", "b1 c1 h1 i1");
    // Five in a row: only those beside it, as the cells further out are in no answer of two stones.
    expect_defence("12x1:k=6,p=2", "...XXX......\nturn X 2\n", "g1 h1", "c1 i1");
    // Closed on one side: either of the two empty cells stops it.
    expect_defence("12x1:k=6,p=2", "..OXX.......\nturn X 2\n", "f1 g1", "h1 i1");
    // Three windows that share one cell.
    expect_defence("12x1:k=6,p=2", "O.XX........\nturn X 2\n", "e1 f1", "g1");
    // Along two lines; a stone that makes nothing adds nothing.
    expect_defence("6x6:k=6,p=2", "......\n......\nX.....\nX.....\nX.....\n.XXX..\nturn X 2\n", "a1 e6", "e1 f1 a5 a6");
    expect_defence("8x8:k=6,p=2",
                   "........\n........\n........\n........\n........\n........\n........\n........\n"
                   "turn X 2\n",
                   "a1 h8", "");
}

// --- Limits ---

static void test_limits(void **state)
{
    (void)state;
    Game game;
    atomic_bool stop;
    atomic_init(&stop, true);
    read_drawing(&game, "12x7:k=6,p=2", threes);
    ThreatSpace *search = open_search(&game.board.rules);
    DoubleThreatResult whole, result;
    threat_space_run(search, &game.board, &(Limits){0}, &whole);
    assert_true(whole.verdict == DOUBLE_THREAT_WON && whole.turns > 2);
    threat_space_run(search, &game.board, &(Limits){.depth = whole.turns - 1}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.turns == whole.turns - 1);
    assert_true(result.nodes > 10); // one position, and the sets of stones looked at there
    threat_space_run(search, &game.board, &(Limits){.depth = whole.turns}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_WON && result.nodes == whole.nodes);
    threat_space_run(search, &game.board, &(Limits){.nodes = whole.nodes - 1}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.nodes == whole.nodes);
    threat_space_run(search, &game.board, &(Limits){.nodes = whole.nodes}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_WON && cell_sets_equal(&result.turn, &whole.turn));
    threat_space_run(search, &game.board, &(Limits){.stop = &stop}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.turns == 1 && result.nodes == 1);
    threat_space_run(search, &game.board, &(Limits){.deadline = 1e-9}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.nodes == 1);
    threat_space_close(search);
}

static void test_suits(void **state)
{
    (void)state;
    Rules connect6 = rules_of("connect6"), connect4 = rules_of("connect4"), nine = rules_of("9x9:k=9,p=2");
    assert_true(threat_space_suits(&connect6));
    assert_false(threat_space_suits(&connect4) || threat_space_suits(&nine));
    threat_space_close(NULL);
}

// A turn has more stones than are followed.
static void test_long_first_turn(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=6,p=2,q=5");
    Board board;
    board_init(&board, &rules);
    ThreatSpace *search = open_search(&rules);
    DoubleThreatResult result;
    threat_space_run(search, &board, &(Limits){0}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.turns == 0 && result.nodes == 0);
    threat_space_close(search);
}

// --- Random positions ---

typedef struct {
    const char *rules;
    unsigned least, most;  // stones
    double found, refuted; // shares: of the exact wins at least, of the claims at most
} Shape;

enum { SLACK = 3 }; // positions, as there may be few

// Shares somewhat wider than what was measured. With more stones a turn more lines cross.
static const Shape shapes[] = {
    {"9x9:k=6,p=2", 12, 30, 0.85, 0.03},     {"7x7:k=5,p=2", 6, 18, 0.8, 0.04}, {"9x9:k=5", 8, 24, 0.95, 0.01},
    {"8x8:k=5,p=2,exact", 8, 24, 0.8, 0.05}, {"6x6:k=5,p=3", 6, 18, 0.9, 0.2},  {"5x5:k=5,p=4", 6, 14, 0.9, 0.2},
    {"9x3:k=5,p=2,q=2", 4, 14, 0.8, 0.05},
};

typedef struct {
    unsigned exact, found, claims, refuted;
    uint64_t key; // of all that was found
} Tally;

static bool scatter(Board *board, const Rules *rules, const Shape *shape, Rng *rng)
{
    unsigned stones = shape->least + rng_below(rng, shape->most - shape->least + 1);
    board_init(board, rules);
    for (unsigned i = 0; i < stones && !board_is_over(board); i++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(board, cells);
        (void)board_play(board, cells[rng_below(rng, count)]);
    }
    return !board_is_over(board);
}

static void compare(ThreatSpace *search, DoubleThreat *exact, const Board *board, Tally *all)
{
    Limits limits = {.nodes = 1000};
    DoubleThreatResult result, truth;
    Board before = *board;
    threat_space_run(search, board, &limits, &result);
    double_threat_run(exact, board, &limits, &truth);
    assert_same_board(board, &before);
    assert_true(result.nodes <= limits.nodes + 1);
    bool won = result.verdict == DOUBLE_THREAT_WON, really = truth.verdict == DOUBLE_THREAT_WON;
    all->key = (all->key ^ result.nodes ^ (uint64_t)result.verdict << 32) * UINT64_C(0x9e3779b97f4a7c15);
    all->exact += really;
    all->found += won && really;
    all->claims += won;
    all->refuted += won && claim_check(exact, board, &result.turn, &limits) == CLAIM_REFUTED;
    // An immediate row needs no count of threats.
    assert_int_equal(won && result.turns == 1, really && truth.turns == 1);
}

static void play_shape(const Shape *shape, Tally *all)
{
    Rules rules = rules_of(shape->rules);
    Rng rng = rng_make(7);
    ThreatSpace *search = open_search(&rules);
    DoubleThreat *exact = open_exact(&rules);
    for (unsigned long n = 0; n < test_steps() / 150 + 60; n++) {
        Board board;
        if (scatter(&board, &rules, shape, &rng))
            compare(search, exact, &board, all);
    }
    double_threat_close(exact);
    threat_space_close(search);
}

static void test_random(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Tally all = {0}, again = {0};
        play_shape(&shapes[i], &all);
        play_shape(&shapes[i], &again);
        assert_true(all.key == again.key);
        print_message("# %s: %u wins, %u found, %u claims, %u refuted\n", shapes[i].rules, all.exact, all.found,
                      all.claims, all.refuted);
        assert_true(all.exact > 0 && (double)all.found + SLACK >= shapes[i].found * (double)all.exact);
        assert_true((double)all.refuted <= shapes[i].refuted * (double)all.claims + SLACK);
    }
}

TEST_GROUP(threat_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawings),        cmocka_unit_test(test_threats_before),
        cmocka_unit_test(test_missed),          cmocka_unit_test(test_claimed_wrongly),
        cmocka_unit_test(test_defence),         cmocka_unit_test(test_limits),
        cmocka_unit_test(test_suits),           cmocka_unit_test(test_random),
        cmocka_unit_test(test_long_first_turn), cmocka_unit_test(test_free_stone),
        cmocka_unit_test(test_correction),      cmocka_unit_test(test_claims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
