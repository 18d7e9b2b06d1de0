// Tests of book entries: positions, turns, and the choice of the recommended move.
#include "agents/book/book.h"
#include "base/rng.h"
#include "game/notation.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static BookSpec spec_of(const char *rules, Encoding encoding, bool symmetric)
{
    return (BookSpec){
        .name = "test", .rules = rules_of(rules), .encoding = encoding, .symmetric = symmetric, .turns = 9};
}

// The code of a position after whole turns.
static void view_game(BookView *view, const BookSpec *spec, const Game *game)
{
    unsigned depth = 0;
    assert_true(book_depth(game, &depth));
    assert_true(book_view(view, spec, game, depth));
    assert_int_equal(view->depth, depth);
}

static void see(BookView *view, const BookSpec *spec, Game *game, const char *moves)
{
    game_init(game, &spec->rules);
    play_text(game, moves);
    view_game(view, spec, game);
}

static void assert_code(const BookSpec *spec, const char *moves, const char *expected)
{
    static BookView view;
    static Game game;
    see(&view, spec, &game, moves);
    assert_string_equal(view.code.data, expected);
    book_view_close(&view);
}

// Whether two ways lead to the same code.
static bool same_code(const BookSpec *spec, const char *a, const char *b)
{
    static BookView one, other;
    static Game game;
    see(&one, spec, &game, a);
    see(&other, spec, &game, b);
    bool same = strcmp(one.code.data, other.code.data) == 0;
    book_view_close(&one);
    book_view_close(&other);
    return same;
}

static void assert_turn(const BookSpec *spec, const char *moves, const char *turn, const char *expected)
{
    static BookView view;
    static Game game;
    Text text = {0};
    see(&view, spec, &game, moves);
    unsigned before = game.played;
    Game after = game;
    play_text(&after, turn);
    book_write_turn(&view, after.stones + before, after.played - before, &text);
    assert_string_equal(text.data, expected);
    book_view_close(&view);
    text_close(&text);
}

// The stones a name stands for, "" where it is no turn here.
static void assert_stones_of(const BookSpec *spec, const char *moves, const char *turn, const char *expected)
{
    static BookView view;
    static Game game;
    Cell stones[RULES_CELLS_MAX];
    unsigned count = 0;
    Text text = {0};
    see(&view, spec, &game, moves);
    bool good = book_read_turn(&view, &game.board, span_of(turn), stones, &count);
    text_add(&text, "%s", "");
    for (unsigned i = 0; good && i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(stones[i], name);
        text_add(&text, "%s%s", i > 0 ? " " : "", name);
    }
    assert_string_equal(text.data, expected);
    book_view_close(&view);
    text_close(&text);
}

// --- Names and kinds ---

static void test_names(void **state)
{
    (void)state;
    char longest[BOOK_NAME_SIZE + 1];
    memset(longest, 'a', sizeof longest);
    assert_true(book_name_is_good(span_of("My-book_2.1")));
    assert_true(book_name_is_good((Span){longest, BOOK_NAME_SIZE - 1}));
    assert_false(book_name_is_good((Span){longest, BOOK_NAME_SIZE}));
    const char *const bad[] = {"", "a b", "a,b", "a+b", "a/b", "ä", "a\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(book_name_is_good(span_of(bad[i])));
    assert_false(book_name_is_good((Span){"a\0b", 3}));
}

static void test_usual_encodings(void **state)
{
    (void)state;
    static const char *const relative[] = {"connect6", "gomoku", "standard", "11x11:k=6,p=2,q=1"};
    static const char *const absolute[] = {"tictactoe", "connect4", "19x19:k=6,p=2,q=2", "10x11:k=6", "11x10:k=6"};
    for (size_t i = 0; i < sizeof relative / sizeof relative[0]; i++) {
        Rules rules = rules_of(relative[i]);
        assert_int_equal(book_usual_encoding(&rules), ENCODING_RELATIVE);
    }
    for (size_t i = 0; i < sizeof absolute / sizeof absolute[0]; i++) {
        Rules rules = rules_of(absolute[i]);
        assert_int_equal(book_usual_encoding(&rules), ENCODING_ABSOLUTE);
    }
}

// --- Depth ---

static void test_depth(void **state)
{
    (void)state;
    Game game;
    unsigned depth = 99;
    begin_game(&game, "9x9:k=9,p=3,q=2");
    for (unsigned stones = 0; stones <= 20; stones++) {
        bool begins = stones == 0 || (stones >= 2 && (stones - 2) % 3 == 0);
        assert_int_equal(book_depth(&game, &depth), begins);
        if (begins)
            assert_int_equal(depth, stones == 0 ? 0 : 1 + (stones - 2) / 3);
        game_play(&game, cell_at(stones % 9, stones / 9));
    }
    begin_game(&game, "tictactoe");
    play_text(&game, "a1 b1 a2 b2 a3");
    assert_false(book_depth(&game, &depth)); // won
}

// A position that was set up has a depth where it could have been played, and a code where that is absolute.
static void test_set_up_positions(void **state)
{
    (void)state;
    static BookView view;
    Game game;
    unsigned depth = 0;
    BookSpec absolute = spec_of("tictactoe", ENCODING_ABSOLUTE, false);
    BookSpec relative = spec_of("tictactoe", ENCODING_RELATIVE, false);
    read_drawing(&game, "tictactoe", "...\n.X.\n..O\n");
    assert_true(book_depth(&game, &depth));
    assert_int_equal(depth, 2);
    assert_true(book_view(&view, &absolute, &game, depth));
    assert_string_equal(view.code.data, "99"); // 2 * 3^2 + 3^4
    assert_false(book_view(&view, &relative, &game, depth));
    read_drawing(&game, "tictactoe", "...\n.X.\n...\nturn X 1\n");
    assert_false(book_depth(&game, &depth)); // the wrong side
    read_drawing(&game, "9x9:k=5,p=2,q=1",
                 ".........\n.........\n.........\n.........\n....X....\n.........\n"
                 ".........\n.........\n.........\nturn O 1\n");
    assert_false(book_depth(&game, &depth)); // the middle of a turn
    book_view_close(&view);
}

// --- Codes ---

static void test_codes(void **state)
{
    (void)state;
    BookSpec relative = spec_of("connect6", ENCODING_RELATIVE, false);
    assert_code(&relative, "", "/");
    assert_code(&relative, "a1", "0/");
    assert_code(&relative, "j10 k11 i9", "0/-38 38");
    assert_true(same_code(&relative, "j10 k11 i9", "c3 b2 d4"));                 // moved
    assert_false(same_code(&relative, "j10 k11 i9", "j10 k9 i11"));              // mirrored
    assert_true(same_code(&relative, "j10 k11 i9 a1 s19", "j10 i9 k11 s19 a1")); // the order within turns
    assert_false(same_code(&relative, "j10 k11 i9 j9 j8", "j9 k11 i9 j10 j8"));  // the same stones, another first one
    BookSpec absolute = spec_of("connect6", ENCODING_ABSOLUTE, false);
    assert_true(same_code(&absolute, "j10 k11 i9 j9 j8", "j9 k11 i9 j10 j8"));
    assert_false(same_code(&absolute, "j10 k11 i9", "c3 b2 d4"));
    // The order of turns: the second player's A, then C, or C, then A.
    assert_true(same_code(&relative, "j10 a1 a2 b1 b2 c1 c2", "j10 c1 c2 b1 b2 a1 a2"));
}

static void test_symmetric_codes(void **state)
{
    (void)state;
    for (Encoding encoding = ENCODING_RELATIVE; encoding <= ENCODING_ABSOLUTE; encoding++) {
        BookSpec spec = spec_of("connect6", encoding, true);
        assert_true(same_code(&spec, "j10 k11 i9", "j10 k9 i11"));
        assert_true(same_code(&spec, "j10 k10 l11", "j10 j11 k12"));
        assert_true(same_code(&spec, "j10 k10 l11", "j10 i10 h9"));
        assert_false(same_code(&spec, "j10 k10 l11", "j10 k10 l12"));
        assert_int_equal(same_code(&spec, "j10 k10 l11", "d5 c5 b4"), encoding == ENCODING_RELATIVE);
        spec = spec_of("connect4", encoding, true);
        assert_true(same_code(&spec, "a b", "g f"));
        assert_int_equal(same_code(&spec, "a b", "b a"), encoding == ENCODING_RELATIVE); // mirrored and moved
    }
}

// With more than one stone at the first turn: the lowest and leftmost of them, in whatever order they were placed.
static void test_first_stones(void **state)
{
    (void)state;
    BookSpec spec = spec_of("9x9:k=5,p=2,q=3", ENCODING_RELATIVE, false);
    assert_code(&spec, "e5 d5 f4", "0 15 16/"); // from f4: d5 and e5 are a row up, two and one to the left
    assert_true(same_code(&spec, "e5 d5 f4", "f4 e5 d5"));
    assert_true(same_code(&spec, "e5 d5 f4 a1 b1", "d5 f4 e5 b1 a1"));
    spec.symmetric = true;
    assert_true(same_code(&spec, "e5 d5 f4", "e5 f5 d4"));
    assert_true(same_code(&spec, "e5 d5 f4 e6 e7", "b2 b1 a3 c2 d2"));
}

// --- Turns ---

static void test_turn_names(void **state)
{
    (void)state;
    BookSpec relative = spec_of("connect6", ENCODING_RELATIVE, false);
    assert_turn(&relative, "", "c4", "0");
    assert_turn(&relative, "j10", "k11 i9", "-38 38");
    assert_turn(&relative, "j10", "i9 k11", "-38 38");
    BookSpec absolute = spec_of("connect6", ENCODING_ABSOLUTE, false);
    assert_turn(&absolute, "", "b2", "20");
    BookSpec symmetric = spec_of("connect6", ENCODING_RELATIVE, true);
    // A lone stone has all eight symmetries: these are one turn.
    assert_turn(&symmetric, "j10", "j11 j12", "-74 -37");
    assert_turn(&symmetric, "j10", "k10 l10", "-74 -37");
    assert_turn(&symmetric, "j10", "h10 i10", "-74 -37");
    // Turned and turned back; near an edge another picture of it.
    assert_stones_of(&symmetric, "j10", "-74 -37", "j8 j9");
    assert_stones_of(&symmetric, "j2", "-74 -37", "j3 j4");
    assert_stones_of(&symmetric, "s19", "-74 -37", "s17 s18");
    assert_stones_of(&symmetric, "a1", "-38 -36", ""); // a corner has no cells on both sides
}

static void test_turns_on_the_board(void **state)
{
    (void)state;
    BookSpec spec = spec_of("connect6", ENCODING_RELATIVE, false);
    assert_stones_of(&spec, "", "0", "j10"); // the middle
    assert_stones_of(&spec, "j10", "-38 38", "i9 k11");
    assert_stones_of(&spec, "b2", "-38 38", "a1 c3");
    assert_stones_of(&spec, "a2", "-38 38", ""); // falls off the board
    assert_stones_of(&spec, "b1", "-38 38", "");
    assert_stones_of(&spec, "j10", "0 1", "");   // taken
    assert_stones_of(&spec, "j10", "1", "");     // too few
    assert_stones_of(&spec, "j10", "1 2 3", ""); // too many
    assert_stones_of(&spec, "j10", "", "");
    assert_stones_of(&spec, "j10", "2 1", ""); // not as it is written
    assert_stones_of(&spec, "j10", "1 x", "");
    BookSpec even = spec_of("4x6:k=3", ENCODING_RELATIVE, false);
    assert_stones_of(&even, "", "0", "b3");
    BookSpec absolute = spec_of("3x2:k=3", ENCODING_ABSOLUTE, false);
    assert_stones_of(&absolute, "", "5", "c2");
    assert_stones_of(&absolute, "", "6", "");
}

static void test_turns_under_gravity(void **state)
{
    (void)state;
    BookSpec spec = spec_of("5x4:k=4,p=3,q=3,gravity", ENCODING_ABSOLUTE, false);
    assert_turn(&spec, "", "ccc", "2 7 12");
    assert_stones_of(&spec, "", "2 7 12", "c1 c2 c3"); // from the lowest upwards
    assert_stones_of(&spec, "", "2 7 17", "");         // c4 would float
    BookSpec relative = spec_of("5x4:k=4,gravity", ENCODING_RELATIVE, false);
    assert_stones_of(&relative, "", "0", "c1");
    assert_stones_of(&relative, "b", "9", "b2");
}

// A turn ends with the game, also where its stones win in another order than they were placed in.
static void test_turns_that_win(void **state)
{
    (void)state;
    BookSpec spec = spec_of("9x3:k=3,p=2,q=2", ENCODING_ABSOLUTE, false);
    assert_stones_of(&spec, "a1 b1 a3 b3", "2", "c1");      // the only stone of a turn that won
    assert_stones_of(&spec, "a1 b1 a3 b3", "2 26", "c1");   // i3 is not needed any more
    assert_stones_of(&spec, "a1 b1 a3 b3", "3 4", "d1 e1"); // does not win
    assert_stones_of(&spec, "a1 b1 a3 b3", "5", "");        // half a turn
    BookSpec last = spec_of("3x1:k=3,p=2,q=1", ENCODING_ABSOLUTE, false);
    assert_stones_of(&last, "a1", "1 2", "b1 c1"); // fills the board
}

// Every turn from every position of random games: its name leads back to it, or to a picture of it.
static void test_names_lead_back(void **state)
{
    (void)state;
    static const char *const games[] = {
        "tictactoe",       "connect4",      "connect6", "7x5:k=4,p=3,q=2", "6x6:k=6,p=2,q=2,gravity",
        "5x5:k=3,p=2,q=3", "30x3:k=3,exact"};
    static BookView view, after_view, again_view;
    Rng rng = rng_make(4);
    Text name = {0};
    for (unsigned i = 0; i < 1200; i++) {
        BookSpec spec = spec_of(games[i % (sizeof games / sizeof games[0])], (Encoding)(i / 7 % 2), i / 14 % 2 == 0);
        Game game, before;
        game_init(&game, &spec.rules);
        for (unsigned depth = 0; depth < 6 && !game_is_over(&game); depth++) {
            Cell cells[RULES_CELLS_MAX], back[RULES_CELLS_MAX];
            unsigned stones = board_stones_left(&game.board), count = 0;
            before = game;
            assert_true(book_view(&view, &spec, &game, depth));
            for (unsigned j = 0; j < stones && !game_is_over(&game); j++)
                game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
            name.length = 0;
            book_write_turn(&view, game.stones + before.played, game.played - before.played, &name);
            bool fits = book_read_turn(&view, &before.board, (Span){name.data, name.length}, back, &count);
            if (!fits) { // only the first turn, put into the middle, can fall off the board
                assert_true(depth == 0 && spec.encoding == ENCODING_RELATIVE);
                continue;
            }
            for (unsigned j = 0; j < count; j++)
                game_play(&before, back[j]);
            if (before.played != game.played) // ended earlier by the order of its stones
                continue;
            assert_true(book_view(&after_view, &spec, &game, depth + 1));
            assert_true(book_view(&again_view, &spec, &before, depth + 1));
            assert_string_equal(after_view.code.data, again_view.code.data);
        }
    }
    text_close(&name);
    book_view_close(&view);
    book_view_close(&after_view);
    book_view_close(&again_view);
}

// --- Choice ---

// Moves are distinguished by their cell, which is their number.
static BookReason choose(Side side, unsigned s, const BookCounts *moves, unsigned count, int *chosen)
{
    // In either order: the choice does not depend on it.
    int found[2];
    BookReason reasons[2];
    for (int order = 0; order < 2; order++) {
        static BookChoice choice;
        const BookMove *move = NULL;
        book_choice_begin(&choice, side, s);
        for (unsigned i = 0; i < count; i++) {
            Cell cell = (Cell)(order == 0 ? i : count - 1 - i);
            book_choice_add(&choice, moves[cell], &cell, 1);
        }
        reasons[order] = book_choice_end(&choice, &move);
        assert_int_equal(choice.moves, count);
        assert_int_equal(move == NULL, reasons[order] == BOOK_NOTHING);
        found[order] = move != NULL ? move->stones[0] : -1;
    }
    assert_int_equal(found[0], found[1]);
    assert_int_equal(reasons[0], reasons[1]);
    *chosen = found[0];
    return reasons[0];
}

#define assert_choice(reason, move, side, ...)                                                                         \
    do {                                                                                                               \
        const BookCounts moves[] = {__VA_ARGS__};                                                                      \
        int chosen = -2;                                                                                               \
        assert_int_equal(choose(side, 4, moves, sizeof moves / sizeof moves[0], &chosen), reason);                     \
        assert_int_equal(chosen, move);                                                                                \
    } while (0)

static void test_choice_by_ratio(void **state)
{
    (void)state;
    // 7 of 10 before 2 of 2, since 2 games are fewer than 4; 3 of 4 before 7 of 10.
    assert_choice(BOOK_BY_RATIO, 0, SIDE_FIRST, {7, 0, 3}, {2, 0, 0});
    assert_choice(BOOK_BY_RATIO, 2, SIDE_FIRST, {7, 0, 3}, {2, 0, 0}, {3, 0, 1});
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {6, 0, 4}, {4, 0, 0});
    // Seen from the second player wins and losses change places.
    assert_choice(BOOK_BY_RATIO, 1, SIDE_SECOND, {7, 0, 3}, {3, 0, 7});
    // Exactly a half is not better than a half; 51 of 101 is.
    assert_choice(BOOK_NOTHING, -1, SIDE_FIRST, {5, 0, 5});
    assert_choice(BOOK_BY_RATIO, 0, SIDE_FIRST, {51, 0, 50});
    // Ties count as seen, but not in the ratio: 2 wins and 1 loss in 4 games.
    assert_choice(BOOK_BY_RATIO, 0, SIDE_FIRST, {2, 1, 1});
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {3, 0, 2}, {2, 9, 1});
    assert_choice(BOOK_NOTHING, -1, SIDE_FIRST, {0, 8, 0});
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {0, 8, 0}, {3, 0, 2});
    // Equal ratios: the one seen more often, then the first on the board.
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {3, 0, 1}, {6, 0, 2});
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {3, 0, 1}, {3, 1, 1});
    assert_choice(BOOK_BY_RATIO, 0, SIDE_FIRST, {3, 0, 1}, {3, 0, 1});
    // Products of more than 64 bits, and ratios that are the same as rounded numbers.
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {3500000000u, 0, 1000000000}, {4200000000u, 0, 900000000});
    assert_choice(BOOK_BY_RATIO, 1, SIDE_FIRST, {4000000000u, 0, 3999999999u}, {3999999999u, 0, 3999999998u});
}

static void test_choice_by_wins(void **state)
{
    (void)state;
    // The paper's example: 2 of 2 before 2 of 3 before 1 of 1.
    assert_choice(BOOK_BY_WINS, 0, SIDE_FIRST, {2, 0, 0}, {2, 0, 1}, {1, 0, 0});
    assert_choice(BOOK_BY_WINS, 0, SIDE_FIRST, {2, 0, 1}, {1, 0, 0});
    assert_choice(BOOK_BY_WINS, 0, SIDE_FIRST, {2, 0, 0}, {2, 1, 0});
    assert_choice(BOOK_BY_WINS, 1, SIDE_SECOND, {2, 0, 0}, {0, 0, 1});
    // Where no move that was seen often is better than a half.
    assert_choice(BOOK_BY_WINS, 1, SIDE_FIRST, {50, 0, 50}, {1, 0, 2});
    assert_choice(BOOK_BY_WINS, 2, SIDE_FIRST, {1, 0, 9}, {1, 0, 2}, {1, 0, 1});
    // Three games are rare, four are not.
    assert_choice(BOOK_BY_WINS, 0, SIDE_FIRST, {3, 0, 0}, {1, 0, 3});
    // Equal in everything: the first on the board.
    assert_choice(BOOK_BY_WINS, 0, SIDE_FIRST, {1, 0, 1}, {1, 1, 0});
    // No win at all: nothing is recommended.
    assert_choice(BOOK_NOTHING, -1, SIDE_FIRST, {0, 0, 1}, {0, 2, 0}, {1, 0, 3});
    int chosen = -2;
    assert_int_equal(choose(SIDE_FIRST, 4, NULL, 0, &chosen), BOOK_NOTHING);
}

static void test_choice_by_threshold(void **state)
{
    (void)state;
    const BookCounts moves[] = {{7, 0, 3}, {2, 0, 0}, {1, 0, 0}};
    int chosen = -2;
    assert_int_equal(choose(SIDE_FIRST, 1, moves, 3, &chosen), BOOK_BY_RATIO);
    assert_int_equal(chosen, 1); // 100 %, and seen more often than the other
    assert_int_equal(choose(SIDE_FIRST, 11, moves, 3, &chosen), BOOK_BY_WINS);
    assert_int_equal(chosen, 0);
}

static void test_ratio(void **state)
{
    (void)state;
    assert_true(book_ratio((BookCounts){1, 0, 0}, SIDE_FIRST) == 1.0); // as the paper says
    assert_true(book_ratio((BookCounts){7, 5, 3}, SIDE_FIRST) == 0.7);
    assert_true(book_ratio((BookCounts){7, 5, 3}, SIDE_SECOND) == 0.3);
    assert_true(book_ratio((BookCounts){0, 5, 0}, SIDE_SECOND) == 0.5);
}

// Moves of several stones are compared by all of them.
static void test_choice_among_equals(void **state)
{
    (void)state;
    static BookChoice choice;
    const Cell turns[][2] = {{5, 9}, {5, 7}, {6, 7}};
    const BookMove *move = NULL;
    book_choice_begin(&choice, SIDE_FIRST, 4);
    for (int i = 0; i < 3; i++)
        book_choice_add(&choice, (BookCounts){1, 0, 0}, turns[i], 2);
    assert_int_equal(book_choice_end(&choice, &move), BOOK_BY_WINS);
    assert_int_equal(move->stones[0], 5);
    assert_int_equal(move->stones[1], 7);
}

TEST_GROUP(book)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_usual_encodings),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_set_up_positions),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_symmetric_codes),
        cmocka_unit_test(test_first_stones),
        cmocka_unit_test(test_turn_names),
        cmocka_unit_test(test_turns_on_the_board),
        cmocka_unit_test(test_turns_under_gravity),
        cmocka_unit_test(test_turns_that_win),
        cmocka_unit_test(test_names_lead_back),
        cmocka_unit_test(test_choice_by_ratio),
        cmocka_unit_test(test_choice_by_wins),
        cmocka_unit_test(test_choice_by_threshold),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_choice_among_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
