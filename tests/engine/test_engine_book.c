// Tests of the opening book of the engine: its entries are legal and are found in every symmetric image.
#include "engine/book/engine_book.h"
#include "game/notation.h"
#include "game/symmetry.h"
#include "support/check.h"

#include <string.h>

static const char *const presets[] = {"gomoku", "gomoku19", "gomoku20", "standard", "connect5", "connect6"};

static EngineBook *open_book(const Rules *rules)
{
    EngineBook *book = NULL;
    Error error = {0};
    assert_done(engine_book_open(&book, rules, &error), error);
    return book;
}

// Every line of the file is read when the book of its game is opened, which fails on the first that is no legal turn.
static void test_every_main_game_has_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        Rules rules = rules_of(presets[i]);
        EngineBook *book = open_book(&rules);
        assert_non_null(book);
        engine_book_close(book);
    }
}

static void test_other_games_have_none(void **state)
{
    (void)state;
    static const char *const others[] = {"15x15:k=5,p=2", "15x14:k=5", "connect4", "19x19:k=6,p=2,q=2"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        Rules rules = rules_of(others[i]);
        assert_null(open_book(&rules));
    }
}

static bool is_same(const EngineBookTurn *turn, const EngineBookTurn *other, const Rules *rules, Symmetry symmetry)
{
    if (turn->count != other->count || turn->score != other->score)
        return false;
    for (unsigned i = 0; i < turn->count; i++)
        if (symmetry_cell(rules, symmetry, turn->stones[i]) != other->stones[i])
            return false;
    return true;
}

// Plays on by the book as far as it goes. Every picture of a position has a turn, and each is the picture of one that
// the position itself has.
static void check_play(const char *preset, Rng *rng)
{
    Game game;
    begin_game(&game, preset);
    const Rules *rules = &game.board.rules;
    EngineBook *book = open_book(rules);
    EngineBookTurn turn, other;
    while (!game_is_over(&game) && engine_book_find(book, &game.board, rng, &turn)) {
        for (Symmetry i = 0; i < symmetry_count(rules); i++) {
            Board picture;
            symmetry_board(&game.board, i, &picture);
            assert_true(engine_book_find(book, &picture, rng, &turn));
            bool found = false;
            for (unsigned tries = 0; tries < 1000 && !found; tries++)
                found = engine_book_find(book, &game.board, rng, &other) && is_same(&other, &turn, rules, i);
            assert_true(found);
        }
        assert_true(engine_book_find(book, &game.board, rng, &turn));
        for (unsigned i = 0; i < turn.count; i++)
            game_play(&game, turn.stones[i]);
    }
    assert_true(game.played > 0 && !game_is_over(&game));
    engine_book_close(book);
}

static void test_found_in_every_picture(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
        for (unsigned round = 0; round < 3; round++)
            check_play(presets[i], &rng);
}

// The empty board of an even side has four middles, which are equally good.
static void test_equals_are_drawn_by_lot(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku20");
    EngineBook *book = open_book(&rules);
    Board board;
    board_init(&board, &rules);
    Rng rng = rng_make(8);
    unsigned seen = 0;
    for (unsigned i = 0; i < 100; i++) {
        EngineBookTurn turn;
        assert_true(engine_book_find(book, &board, &rng, &turn));
        unsigned column = cell_column(turn.stones[0]), row = cell_row(turn.stones[0]);
        seen |= 1u << (2 * (column > 9) + (row > 9));
    }
    assert_int_equal(seen, 15);
    engine_book_close(book);
}

static void test_not_in_the_middle_of_a_turn(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    play_text(&game, "j10 a1");
    EngineBook *book = open_book(&game.board.rules);
    Rng rng = rng_make(1);
    EngineBookTurn turn;
    assert_false(engine_book_find(book, &game.board, &rng, &turn));
    engine_book_close(book);
}

// --- Other books ---

static EngineBook *read_book(const Rules *rules, const EngineBookLine *lines, unsigned count)
{
    EngineBook *book = NULL;
    Error error = {0};
    assert_done(engine_book_read(&book, rules, lines, count, &error), error);
    assert_non_null(book);
    return book;
}

// The picture of a turn, its stones in their order.
static void check_picture(const EngineBook *book, const Game *game, const char *turns, Symmetry symmetry, Rng *rng)
{
    const Rules *rules = &game->board.rules;
    Board picture;
    EngineBookTurn turn;
    symmetry_board(&game->board, symmetry, &picture);
    assert_true(engine_book_find(book, &picture, rng, &turn));
    unsigned at = 0;
    Span rest = span_of(turns), word = {0};
    for (; span_next_word(&rest, ",", &word); at++) {
        Cell cell;
        Error error = {0};
        assert_done(cell_parse(word, rules, &cell, &error), error);
        assert_true(at < turn.count);
        assert_int_equal(turn.stones[at], symmetry_cell(rules, symmetry, cell));
    }
    assert_int_equal(turn.count, at);
    assert_int_equal(turn.score, 7);
}

// Positions that are no picture of themselves have just one answer in each picture. A quarter turn, which only squares
// have, is the one symmetry that is not its own inverse.
static void test_one_answer_in_every_picture(void **state)
{
    (void)state;
    static const EngineBookLine lines[] = {
        {"9x9:k=5", "b3 d2", "f7", 7},           {"9x9:k=5", "e5 e6 d7", "f3", 7},
        {"8x8:k=6,p=2,q=1", "b3", "d4,g2", 7},   {"7x7:k=5,p=3,q=1", "b1 c2 a3 d7", "e2,g3,a5", 7},
        {"9x6:k=5", "b3 d2 h5", "c6", 7},        {"5x11:k=4,p=2,q=1", "b3 d9 e2", "a1,d4", 7},
        {"7x6:k=4,gravity", "b1 b2 f1", "e1", 7}};
    enum { COUNT = sizeof lines / sizeof lines[0] };
    static const unsigned pictures[COUNT] = {8, 8, 8, 8, 4, 4, 2};
    Rng rng = rng_make(2);
    for (unsigned i = 0; i < COUNT; i++) {
        Game game;
        begin_game(&game, lines[i].game);
        play_text(&game, lines[i].stones);
        EngineBook *book = read_book(&game.board.rules, lines, COUNT);
        assert_int_equal(symmetry_count(&game.board.rules), pictures[i]);
        for (Symmetry symmetry = 0; symmetry < pictures[i]; symmetry++)
            check_picture(book, &game, lines[i].turns, symmetry, &rng);
        engine_book_close(book);
    }
}

// A position that is its own picture has the answers of the book and their pictures, and no others.
static void test_answers_of_a_position_that_is_its_own_picture(void **state)
{
    (void)state;
    static const EngineBookLine line = {"9x9:k=5", "d4 f6 c3", "c5 g8", 3}; // all on a diagonal
    Game game;
    begin_game(&game, line.game);
    play_text(&game, line.stones);
    EngineBook *book = read_book(&game.board.rules, &line, 1);
    Rng rng = rng_make(3);
    static const char *const answers[] = {"c5", "e3", "g8", "h7"};
    unsigned seen = 0;
    for (unsigned i = 0; i < 100; i++) {
        EngineBookTurn turn;
        assert_true(engine_book_find(book, &game.board, &rng, &turn));
        unsigned at = 0;
        while (at < 4 && turn.stones[0] != cell_of(&game.board.rules, answers[at]))
            at++;
        assert_true(at < 4 && turn.count == 1);
        seen |= 1u << at;
    }
    assert_int_equal(seen, 15);
    engine_book_close(book);
}

static void test_wrong_lines_are_told(void **state)
{
    (void)state;
    static const struct {
        EngineBookLine line;
        const char *words;
    } wrong[] = {
        {{"9x9:k=5", "a1", "a1", 0}, "the opening book after 'a1': 'a1' is not free"},
        {{"9x9:k=5", "a1", "b2,c3", 0}, "'b2,c3' has too many stones"},
        {{"9x9:k=6,p=2,q=1", "a1", "b2", 0}, "'b2' has too few stones"},
        {{"9x9:k=5", "a1 a1", "b2", 0}, "the opening book after 'a1 a1'"},
        {{"9x9:k=5", "", "z9", 0}, "z9"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Rules rules = rules_of(wrong[i].line.game);
        EngineBook *book = NULL;
        Error error = {0};
        assert_refused(engine_book_read(&book, &rules, &wrong[i].line, 1, &error), error, wrong[i].words);
        assert_null(book);
    }
}

TEST_GROUP(engine_book)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_main_game_has_one),
        cmocka_unit_test(test_other_games_have_none),
        cmocka_unit_test(test_found_in_every_picture),
        cmocka_unit_test(test_equals_are_drawn_by_lot),
        cmocka_unit_test(test_not_in_the_middle_of_a_turn),
        cmocka_unit_test(test_one_answer_in_every_picture),
        cmocka_unit_test(test_answers_of_a_position_that_is_its_own_picture),
        cmocka_unit_test(test_wrong_lines_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
