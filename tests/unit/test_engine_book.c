// The opening book of the engine: what stands in it is legal, and it is found in every symmetric picture.
#include "agents/engine_book.h"
#include "rules/notation.h"
#include "rules/symmetry.h"
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
        assert_true(engine_book_count(book) >= 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_main_game_has_one),     cmocka_unit_test(test_other_games_have_none),
        cmocka_unit_test(test_found_in_every_picture),      cmocka_unit_test(test_equals_are_drawn_by_lot),
        cmocka_unit_test(test_not_in_the_middle_of_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
