// Tests of reviews: values against plain minimax, mistakes of drawn games, steps and interruption, accuracy.
#include "analysis/review.h"
#include "support/check.h"

#include "base/rng.h"
#include "game/notation.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"Black", "White"};

static void review_moves(Review *review, const char *game, const char *moves)
{
    Rules rules;
    Game played;
    Board root;
    Error error = {0};
    assert_done(rules_parse(span_of(game), &rules, &error), error);
    board_init(&root, &rules);
    game_init(&played, &rules);
    assert_done(game_read(&played, span_of(moves), &error), error);
    assert_done(review_open(review, &played, &root, &error), error);
}

static void run(Review *review)
{
    unsigned steps = 0;
    while (review_step(review, NULL))
        assert_true(++steps < 2000);
    assert_true(review->is_complete);
    assert_int_equal(review->done, review->total);
    review_judge(review);
}

// The value for the side to move: 1, 0 or -1.
static int minimax(Game *game)
{
    Side side = board_side(&game->board);
    if (board_winner(&game->board) != WINNER_NONE)
        return (board_winner(&game->board) == WINNER_FIRST) == (side == SIDE_FIRST) ? 1 : -1;
    if (game_is_over(game))
        return 0;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    int best = -1;
    for (unsigned i = 0; i < count && best < 1; i++) {
        game_play(game, cells[i]);
        int value = board_side(&game->board) == side ? minimax(game) : -minimax(game);
        (void)game_undo(game);
        best = value > best ? value : best;
    }
    return best;
}

// In a solved game every value is exact, and so is every loss.
static void test_exact(void **state)
{
    (void)state;
    Rules rules;
    Board root;
    Rng rng = rng_make(11);
    assert_int_equal(rules_parse(span_of("tictactoe"), &rules, NULL), STATUS_OK);
    board_init(&root, &rules);
    for (int round = 0; round < 8; round++) {
        Game game;
        Review review;
        game_init(&game, &rules);
        while (!game_is_over(&game)) {
            Cell cells[RULES_CELLS_MAX];
            unsigned count = board_legal_cells(&game.board, cells);
            game_play(&game, cells[rng_below(&rng, count)]);
        }
        assert_int_equal(review_open(&review, &game, &root, NULL), STATUS_OK);
        run(&review);
        assert_int_equal(review.turn_count, game.played);
        for (unsigned i = 0; i < review.turn_count; i++) {
            Game before, after;
            review_game(&review, i, &before);
            review_game(&review, i + 1, &after);
            int value = minimax(&before), reached = -minimax(&after);
            assert_true(fabs(eval_chance(&review.points[i].eval, review.points[i].mover) - (value + 1) / 2.0) < 1e-9);
            assert_true(fabs(review.turns[i].loss - (value - reached) / 2.0) < 1e-9);
            ReviewKind kind = value == reached ? REVIEW_FINE : reached < 0 ? REVIEW_LETS_WIN : REVIEW_MISSED_WIN;
            assert_int_equal(review.turns[i].kind, kind);
        }
        review_close(&review);
    }
}

// O does not stop a threat, and X does not complete it.
static void test_words(void **state)
{
    (void)state;
    Review review;
    Text words = {0};
    review_moves(&review, "tictactoe", "b2 a1 c1 b1 b3");
    run(&review);
    assert_int_equal(review.turns[3].kind, REVIEW_LETS_WIN);
    review_describe(&review, 3, names, &words);
    assert_string_equal(words.data, "White's b1 lets Black win by force. Better was a3.");
    json_t *turning = review_turning_json(&review, 4, names);
    assert_string_equal(json_string_value(json_object_get(turning, "kind")), "misses");
    assert_int_equal(json_integer_value(json_object_get(turning, "ply")), 5);
    json_decref(turning);
    assert_null(review_turning_json(&review, 2, names));
    assert_int_equal(review.sides[SIDE_FIRST].kinds[REVIEW_MISSED_WIN], 1);
    text_close(&words);
    review_close(&review);
}

// Nothing unproven is certain, and no turn gains.
static void test_searches(void **state)
{
    (void)state;
    Review review;
    review_moves(&review, "9x9:k=5", "e5 a1 f5 a3 g5 a5");
    run(&review);
    for (unsigned i = 0; i <= review.turn_count; i++) {
        double chance = review.points[i].eval.chance_first;
        assert_true(review.points[i].eval.proven != PROVEN_NOTHING || (chance > 0 && chance < 1));
    }
    for (unsigned i = 0; i < review.turn_count; i++) {
        Side mover = review.points[i].mover;
        assert_true(review.points[i].eval.proven != PROVEN_NOTHING ||
                    eval_chance(&review.points[i].eval, mover) >= eval_chance(&review.points[i + 1].eval, mover));
    }
    assert_int_equal(review.points[6].eval.proven, PROVEN_WIN);
    review_close(&review);
}

// Turns of several stones, an unfinished one at the end, and a set-up position.
static void test_turns(void **state)
{
    (void)state;
    Review review;
    review_moves(&review, "5x5:k=4,p=2,q=1", "c3 a1 a2 b3 d3 a5 b5 e3");
    assert_int_equal(review.turn_count, 5); // e3 wins, which ends its turn early
    assert_int_equal(review.points[2].stones, 3);
    review_close(&review);
    review_moves(&review, "6x6:k=5,p=2,q=1", "c3 a1 a2 b3");
    assert_int_equal(review.turn_count, 2);
    assert_int_equal(review.points[2].stones, 3);
    review_close(&review);
    // More stones than the engine searches.
    Rules rules;
    Game game;
    Error error = {0};
    assert_int_equal(rules_parse(span_of("9x9:k=5,p=9"), &rules, NULL), STATUS_OK);
    game_init(&game, &rules);
    assert_int_equal(review_open(&review, &game, &game.board, &error), STATUS_FAILED);
    review_close(&review);
}

static void test_interruption(void **state)
{
    (void)state;
    Review review;
    atomic_bool stop = true;
    review_moves(&review, "tictactoe", "a1 b1 a2 c3 a3");
    assert_false(review_step(&review, &stop));
    assert_false(review.is_complete);
    review_judge(&review);
    assert_int_equal(review.sides[SIDE_FIRST].turns, 0);
    atomic_store(&stop, false);
    run(&review);
    assert_int_equal(review.turns[1].kind, REVIEW_LETS_WIN);
    assert_false(review.turns[3].is_counted); // lost anyway
    review_close(&review);
}

// The formula: https://lichess.org/page/accuracy.
static void test_accuracy(void **state)
{
    (void)state;
    assert_true(review_accuracy(0) > 99.99);
    assert_true(fabs(review_accuracy(0.1) - 63.59) < 0.01);
    assert_true(review_accuracy(1) == 0);
    for (int percent = 0; percent < 80; percent++)
        assert_true(review_accuracy(percent / 100.0) > review_accuracy((percent + 1) / 100.0));
}

static void test_tries(void **state)
{
    (void)state;
    Review review;
    review_moves(&review, "tictactoe", "a1 b1 a2");
    run(&review);
    const ReviewPoint *point = &review.points[1]; // O answers a corner
    Game game;
    ReviewTry tried;
    review_game(&review, 1, &game);
    Cell centre = cell_of(&review.rules, "b2"), edge = cell_of(&review.rules, "b1");
    review_try(&review.evaluation, &game, &centre, 1, &point->eval, names, NULL, &tried);
    assert_int_equal(tried.verdict, REVIEW_TRY_BEST);
    text_close(&tried.words);
    review_try(&review.evaluation, &game, &edge, 1, &point->eval, names, NULL, &tried);
    assert_int_equal(tried.verdict, REVIEW_TRY_WRONG);
    assert_non_null(strstr(tried.words.data, "Black then wins by force. Black answers "));
    text_close(&tried.words);
    review_close(&review);
}

static void test_eval_text(void **state)
{
    (void)state;
    Rules rules;
    PositionEval eval, read;
    Text text = {0};
    assert_int_equal(rules_parse(span_of("gomoku"), &rules, NULL), STATUS_OK);
    eval = (PositionEval){.is_known = true,
                          .score = -1.25,
                          .chance_first = 0.61,
                          .proven = PROVEN_LOSS,
                          .distance = 7,
                          .depth = 12,
                          .best_count = 1,
                          .best = {cell_of(&rules, "h8")}};
    eval_write(&eval, &text);
    assert_string_equal(text.data, "-1.25 0.6100 loss 7 12 h8");
    assert_true(eval_read(span_of(text.data), &rules, &read));
    assert_true(read.is_known && read.proven == PROVEN_LOSS && read.distance == 7 && read.best[0] == eval.best[0]);
    static const char *const wrong[] = {"", "1", "1 2 win 3 4", "1 0.5 nothing 3 4", "1 0.5 win 3", "1 0.5 - - 4 zz99"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(eval_read(span_of(wrong[i]), &rules, &read));
    text_close(&text);
}

TEST_GROUP(review)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),        cmocka_unit_test(test_words),    cmocka_unit_test(test_turns),
        cmocka_unit_test(test_interruption), cmocka_unit_test(test_accuracy), cmocka_unit_test(test_tries),
        cmocka_unit_test(test_eval_text),    cmocka_unit_test(test_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
