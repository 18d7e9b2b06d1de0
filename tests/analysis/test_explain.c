// Tests of explanations: turns in drawn positions and their sentences.
#include "analysis/explain.h"
#include "support/check.h"

#include <string.h>

// A turn of an agent that has proven nothing.
static void explain_turn(const Game *game, const Cell *stones, unsigned count, const char *between, Text *text)
{
    Decision decision = {.count = count};
    memcpy(decision.stones, stones, count * sizeof stones[0]);
    explain_decision(game, &decision, between, text);
}

static void check_words(const Game *game, const char *stones, const char *expected, int line)
{
    Cell cells[8];
    unsigned count = 0;
    Span rest = span_of(stones), word;
    while (span_next_word(&rest, " ", &word)) {
        char name[8] = "";
        memcpy(name, word.at, word.length);
        cells[count++] = cell_of(&game->board.rules, name);
    }
    Text text = {0};
    explain_turn(game, cells, count, " ", &text);
    if (strcmp(text.data, expected) != 0) {
        print_board(&game->board);
        _assert_string_equal(text.data, expected, __FILE__, line);
    }
    text_close(&text);
}

#define assert_words(rules, drawing, stones, expected)                                                                 \
    do {                                                                                                               \
        Game drawn;                                                                                                    \
        read_drawing(&drawn, rules, drawing);                                                                          \
        check_words(&drawn, stones, expected, __LINE__);                                                               \
    } while (0)

static void test_ends(void **state)
{
    (void)state;
    assert_words("tictactoe", "X X .\nO O .\n. . .\nturn X 1", "c3", "Completes three in a row, a3 b3 c3, and wins.");
    assert_words("tictactoe", "X O X\nX O O\nO X .\nturn X 1", "c1", "Fills the board: the game is a draw.");
    // Longer rows win too, and are called what they are.
    assert_words("9x1:k=4", "X X X . X X . . O\nturn X 1", "d1",
                 "Completes six in a row, a1 b1 c1 d1 e1 f1, and wins.");
    assert_words("9x1:k=4,exact", "X X . X X . O O .\nturn X 1", "c1", "No row of four can be completed through it.");
    assert_words("12x1:k=9", "X X X X X X X X . . . .\nturn X 1", "i1",
                 "Completes nine in a row, from a1 to i1, and wins.");
    assert_words("3x3:k=1", ". . .\n. . .\n. . .\nturn O 1", "b2", "Completes one in a row, b2, and wins.");
    // A turn may end early.
    assert_words("6x6:k=3,p=2,q=1", "......\n......\n......\n......\n......\nXX....\nturn X 2", "c1",
                 "Completes three in a row, a1 b1 c1, and wins.");
}

static void test_blocks(void **state)
{
    (void)state;
    assert_words("connect4", ".......\n.......\n.......\n.......\n.......\n.OOOX.X\nturn X 1", "a1",
                 "Blocks O's three b1 c1 d1: O could have won at a1.");
    assert_words("connect4", ".......\n.......\n.......\n.......\n......X\n..OOO.X\nturn X 1", "f1",
                 "No turn keeps O from winning: O can complete four at b1 next turn.");
    assert_words("connect4", ".......\n.......\n.......\n.......\n......X\n..OOOXX\nturn X 1", "g3",
                 "Leaves O a win: O can complete four at b1 next turn.");
    assert_words("tictactoe", "X . .\n. . .\nO O .\nturn X 1", "c1",
                 "Blocks O's pair a1 b1: O could have won at c1. Threatens to complete three at b2.");
    // Two rows that meet.
    assert_words("tictactoe", ". X O\nX . O\nO O .\nturn X 1", "c1",
                 "No turn keeps O from winning: O can complete three at b2 next turn.");
    assert_words("5x5:k=4", "O....\nO....\nO...X\n.....\n.OOO.\nturn X 1", "a1",
                 "No turn keeps O from winning: O can complete four at e1 or a2 next turn.");
    assert_words("5x5:k=4", "X....\nO....\nO...X\nO....\n.OOOX\nturn X 1", "a1",
                 "Blocks O's three b1 c1 d1 and O's three a2 a3 a4: O could have won at a1.");
}

static void test_threats(void **state)
{
    (void)state;
    assert_words("9x3:k=5", ".........\n.OXXX....\n.........\nturn X 1", "f2", "Threatens to complete five at g2.");
    assert_words("9x3:k=5", ".........\n..XXX....\n.........\nturn X 1", "f2",
                 "Makes two threats at once, b2 and g2: O can stop only one of them.");
    assert_words("9x3:k=5", ".........\n..XXX.X..\n.........\nturn X 1", "h2",
                 "Misses a win: X could complete five in this turn.");
    // Where O would fill the cell, X stands on it.
    assert_words(
        "connect4", ".......\n.......\n.X.....\nXXX....\nXOO....\nOXOO...\nturn X 1", "e1",
        "Threatens to complete four at d2 and, if O fills it, at d3: that cannot be stopped. Blocks O's pair c1 d1.");
    // X has no turn any more in which it could carry out the threat.
    assert_words("tictactoe", "X X O\nO O X\nX . .\nturn X 1", "c1",
                 "Neither side can complete three any more: the game will be a draw.");
}

static void test_several_stones(void **state)
{
    (void)state;
    assert_words("12x3:k=6,p=2,q=1", "............\n...XXX......\n............\nturn X 2", "g2 a1",
                 "Threatens to complete six from the four d2 e2 f2 g2: O needs both stones to stop it.");
    assert_words("12x3:k=6,p=2,q=1", "............\n.OXXX.......\n............\nturn X 2", "f2 a1",
                 "Threatens to complete six from the four c2 d2 e2 f2: O needs one stone to stop it.");
    assert_words("12x3:k=6,p=2,q=1", "..O.........\n...XXXX.....\n............\nturn O 2", "c2 h2",
                 "Blocks X's four d2 e2 f2 g2: X could have won next turn.");
    assert_words("12x3:k=6,p=2,q=1", "..O.........\n...XXXX.....\n............\nturn O 2", "b2 h2",
                 "Blocks X's four d2 e2 f2 g2: X could have won next turn.");
    assert_words("12x3:k=6,p=2,q=1", "..O.........\n...XXXX.....\n............\nturn O 2", "a1 b1",
                 "Leaves X a win: X can complete six from the four d2 e2 f2 g2 next turn.");
    // The last stone of a turn.
    assert_words("12x3:k=6,p=2,q=1", "..O.........\n..OXXXX.....\n............\nturn O 1", "h2",
                 "Blocks X's four d2 e2 f2 g2: X could have won next turn.");
    assert_words("12x3:k=6,p=2,q=1", "..O.........\n...XXXX.....\n............\nturn O 1", "h2",
                 "No turn keeps X from winning: X can complete six from the four d2 e2 f2 g2 next turn.");
    assert_words("7x7:k=4,p=2,q=1", ".......\n.......\n.......\n...X...\n...O...\n.......\n.......\nturn O 1", "e4",
                 "Threatens to complete four from the pair d3 e4: X needs both stones to stop it.");
    assert_words("7x7:k=4,p=2", ".......\n..X....\n...X...\n...O...\n..O....\n.......\n.......\nturn X 2", "c4 e3",
                 "Misses a win: X could complete four in this turn. Leaves O a win: O can complete four from the pair "
                 "c3 d4 next turn.");
    assert_words("7x7:k=4,p=2", ".......\n.......\n..XX...\n...O...\n.......\n.......\n.......\nturn X 2", "c4 d3",
                 "Misses a win: X could complete four in this turn.");
    assert_words("5x5:k=3,p=4,q=1", ".....\n.....\n.....\n.....\n.....\nturn X 1", "c3",
                 "No turn keeps O from winning: O can complete three next turn.");
    assert_words("12x1:k=5,p=3", "...X....O...\nturn X 3", "a1 e1 l1",
                 "Threatens to complete five from the three a1 d1 e1: O needs two stones to stop it.");
    assert_words("12x1:k=5,p=3", "...X....O...\nturn X 3", "g1 e1 l1",
                 "Threatens to complete five from the three d1 e1 g1: O needs two stones to stop it.");
    assert_words("16x1:k=5,p=3", ".......XO.......\nturn X 3", "g1 f1 p1",
                 "Threatens to complete five from the three f1 g1 h1: O needs one stone to stop it.");
    assert_words(
        "16x1:k=5,p=3", ".....X......X...\nturn X 3", "g1 h1 n1",
        "Threatens to complete five from the three f1 g1 h1 and the pair m1 n1: O needs all three stones to stop it.");
}

static void test_open_rows(void **state)
{
    (void)state;
    // A four and a three.
    assert_words(
        "9x9:k=5",
        ".........\n.........\n....X....\n....X....\nOXXX.....\n.........\n.........\n..O......\n.O.......\nturn X 1",
        "e5",
        "Threatens to complete five at f5. Makes an open three e5 e6 e7, which one more stone turns into two threats "
        "at once.");
    // Where a row is won, that it is open too goes without saying.
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n..XXX.X..\n.........\n.........\n.........\nO.......O\nturn O 1",
        "f5", "Blocks X's four c5 d5 e5 g5: X could have won at f5.");
    assert_words("gomoku",
                 "...............\n...............\n...............\n...............\n...............\n..............."
                 "\n...............\n...............\n...............\n...............\n...............\n.............."
                 ".\n...............\n...............\n...............\nturn X 1",
                 "h8", "Takes the centre. Takes part in 20 rows of five that O has not blocked.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...XX....\n.........\n.........\n..O......\n.........\nturn X 1",
        "f5", "Makes an open three d5 e5 f5, which one more stone turns into two threats at once.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...XX....\n.........\n.........\n..O......\n.........\nturn X 1",
        "g5", "Makes an open three d5 e5 g5, which one more stone turns into two threats at once.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.....X...\n.....X...\n...XX....\n.........\n.........\n..O......\n.........\nturn X 1",
        "f5",
        "Makes an open three d5 e5 f5 and an open three f5 f6 f7, each of which one more stone turns into two threats "
        "at once.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...XXX...\n.........\n...O.....\n..O......\n.........\nturn O 1",
        "g5", "Blocks X's open three d5 e5 f5, before it becomes two threats at once.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...XXX...\n.........\n...O.....\n..O......\n.........\nturn O 1",
        "b5", "Stands in the way of X's three d5 e5 f5. Builds a pair with room for five: b5 d3.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...XXX...\n.........\n...O.....\n..O......\n.........\nturn O 1",
        "e4", "Takes part in five rows of five that X has not blocked.");
    // Two pairs that would become a four and a four.
    assert_words(
        "9x9:k=5",
        ".........\n....O....\n....X....\n....X....\nOXXX.....\n....X....\n.........\n..O......\n.........\nturn O 1",
        "e5", "Keeps X from making two threats at once there. Blocks X's three b5 c5 d5.");
    assert_words(
        "connect4", ".......\n.......\n.......\n.......\n...O...\n..XX...\nturn O 1", "e1",
        "Blocks X's open pair c1 d1, before it becomes two threats at once. Builds a pair with room for four: d2 e1.");
    assert_words("connect4", ".......\n.......\n.......\n.......\n...O...\n..XX...\nturn O 1", "a1",
                 "Stands in the way of X's pair c1 d1.");
}

static void test_falling_stones(void **state)
{
    (void)state;
    assert_words("connect4", ".......\n.......\n.......\nXX.....\nXXO..O.\nOOX.OXO\nturn X 1", "c3",
                 "Prepares four at d3, to be completed once d2 is filled.");
    assert_words("connect4", ".......\n.......\n.......\n.......\n.......\n.......\nturn X 1", "d1",
                 "No cell is nearer to the centre. Takes part in seven rows of four that O has not blocked.");
    assert_words("connect4", ".......\n.......\n.......\nXXX....\nOXO....\nXOO...O\nturn X 1", "g2",
                 "Takes part in three rows of four that O has not blocked.");
    assert_words("connect4", ".......\n.......\n.......\nXX.....\nOXO....\nXOO...O\nturn X 1", "c3",
                 "Prepares four at d3 and d4, to be completed once the cells below are filled. Blocks O's pair c1 c2.");
    assert_words("connect4", ".......\n.......\n.......\nXXX....\nOXO....\nXOO...O\nturn O 1", "g2",
                 "Builds a pair with room for four: g1 g2.");
    assert_words("connect4", ".......\n.......\n.......\nXXX....\nOXO....\nXOO...O\nturn O 1", "d1",
                 "Threatens to complete four at e1.");
    assert_words("connect4", ".......\n.......\n.......\nXXX....\nOXO....\nXOOX..O\nturn O 1", "g2",
                 "Playing d2 instead would let X win on top of it. Builds a pair with room for four: g1 g2.");
    // All other columns give X a cell to stand on.
    assert_words("5x3:k=4,gravity", "OXO..\nXXX..\nOXO..\nturn O 1", "e1", "Every other column lets X win next turn.");
}

static void test_quiet_turns(void **state)
{
    (void)state;
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...X.....\n.........\n.........\n..O......\n.........\nturn O 1",
        "i9", "Takes part in three rows of five that X has not blocked.");
    assert_words(
        "9x9:k=5",
        ".........\n.........\n.........\n.........\n...XX....\n.........\n.........\n..O......\n.........\nturn O 1",
        "f5", "Stands in the way of X's pair d5 e5. Builds a pair with room for five: c2 f5.");
    assert_words(
        "tictactoe", "X O X\nO O X\n. X .\nturn X 1", "a1",
        "Misses a win: X could complete three in this turn. Neither side can complete three any more: the game will "
        "be a draw.");
    assert_words("8x1:k=4", "XO.XO.OX\nturn X 1", "c1",
                 "Neither side can complete four any more: the game will be a draw.");
    assert_words("6x6:k=4", "......\n......\n......\n......\n......\n......\nturn X 1", "c3",
                 "No cell is nearer to the centre. Takes part in eleven rows of four that O has not blocked.");
}

// What an agent has proven is said where it is news.
static void check_proof(const char *drawing, const char *stone, Proven proven, int distance, const char *expected)
{
    Game game;
    read_drawing(&game, "tictactoe", drawing);
    Decision decision = {.count = 1, .proven = proven, .distance = distance};
    decision.stones[0] = cell_of(&game.board.rules, stone);
    Text text = {0};
    explain_decision(&game, &decision, "\n", &text);
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void test_proofs(void **state)
{
    (void)state;
    const char *corner = "X . .\n. . .\n. O .\nturn X 1", *fork = "X . .\nO . .\nX O .\nturn X 1";
    check_proof(corner, "c3", PROVEN_WIN, 5,
                "Threatens to complete three at b3.\nWins by force, within 5 stones of both sides.");
    check_proof(corner, "c3", PROVEN_WIN, -1, "Threatens to complete three at b3.\nWins by force.");
    check_proof(corner, "c3", PROVEN_LOSS, 4,
                "Threatens to complete three at b3.\nO can win by force whatever X plays.");
    check_proof(corner, "c3", PROVEN_DRAW, -1,
                "Threatens to complete three at b3.\nWith best play of both sides the game is a draw.");
    check_proof(corner, "c3", PROVEN_NOTHING, -1, "Threatens to complete three at b3.");
    check_proof(fork, "c3", PROVEN_WIN, 3, "Makes two threats at once, b2 and b3: O can stop only one of them.");
    check_proof("X X .\n. O .\n. O .\nturn X 1", "c3", PROVEN_WIN, 1, "Completes three in a row, a3 b3 c3, and wins.");
    check_proof("O . O\n. X .\nO . X\nturn X 1", "b3", PROVEN_LOSS, 2,
                "No turn keeps O from winning: O can complete three at a2 next turn.");
}

// Any turn of any game has at least one sentence and at most three.
static void test_all_games(void **state)
{
    (void)state;
    static const char *const games[] = {
        "tictactoe",
        "connect4",
        "gomoku",
        "standard",
        "connect6",
        "7x7:k=4,p=2",
        "9x1:k=4,p=3,q=2",
        "3x3:k=1",
        "4x4:k=2,p=16",
        "6x6:k=4,p=5,gravity",
        "64x1:k=30",
        "64x64:k=5,p=9,q=4",
        "5x5:k=4,exact,gravity",
    };
    Rng rng = rng_make(5);
    unsigned rounds = test_count(10, 2);
    for (unsigned i = 0; i < rounds * sizeof games / sizeof games[0]; i++) {
        Game game;
        begin_game(&game, games[i / rounds]);
        for (unsigned turns = 0; turns < 40 && !game_is_over(&game); turns++) {
            Game after;
            game_copy(&after, &game);
            for (unsigned left = board_stones_left(&game.board); left > 0 && !game_is_over(&after); left--) {
                Cell cells[RULES_CELLS_MAX];
                unsigned count = board_legal_cells(&after.board, cells);
                game_play(&after, cells[rng_below(&rng, count)]);
            }
            Text text = {0};
            explain_turn(&game, after.stones + game.played, (unsigned)(after.played - game.played), "\n", &text);
            unsigned sentences = 1;
            for (size_t n = 0; n < text.length; n++)
                sentences += text.data[n] == '\n';
            assert_true(text.length > 0 && text.data[text.length - 1] == '.');
            assert_in_range(sentences, 1, EXPLAIN_SENTENCES);
            text_close(&text);
            game_copy(&game, &after);
        }
    }
}

TEST_GROUP(explain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),           cmocka_unit_test(test_blocks),    cmocka_unit_test(test_threats),
        cmocka_unit_test(test_several_stones), cmocka_unit_test(test_open_rows), cmocka_unit_test(test_falling_stones),
        cmocka_unit_test(test_quiet_turns),    cmocka_unit_test(test_proofs),    cmocka_unit_test(test_all_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
