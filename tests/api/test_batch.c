// Tests of the batches of the public library: every game of a batch is played beside a KrowGame, which must agree.
#include "support/check.h"

#include <krow/krow.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 9, STEPS = 150 };

typedef struct {
    KrowRules rules;
    KrowBatch *batch;
    KrowBatchView view;
    KrowGame *games[GAMES];
    uint8_t *bytes;
    float *floats;
} Pair;

static void open_pair(Pair *pair, const char *text)
{
    assert_int_equal(krow_rules_parse(text, &pair->rules, NULL), KROW_OK);
    pair->batch = krow_batch_open(&pair->rules, GAMES, NULL);
    assert_non_null(pair->batch);
    krow_batch_view(pair->batch, &pair->view);
    assert_int_equal(pair->view.count, GAMES);
    size_t cells = (size_t)pair->rules.width * pair->rules.height;
    assert_int_equal(pair->view.actions, pair->rules.gravity ? pair->rules.width : cells);
    for (unsigned i = 0; i < GAMES; i++)
        pair->games[i] = krow_game_new(&pair->rules, NULL);
    pair->bytes = calloc((size_t)GAMES * KROW_PLANES * cells, 1);
    pair->floats = calloc((size_t)GAMES * KROW_PLANES * cells, sizeof pair->floats[0]);
}

static void close_pair(Pair *pair)
{
    for (unsigned i = 0; i < GAMES; i++)
        krow_game_free(pair->games[i]);
    krow_batch_close(pair->batch);
    free(pair->bytes);
    free(pair->floats);
}

// The cell of an action in a game; KROW_CELL_NONE if its column is full.
static KrowCell cell_of_action(const Pair *pair, const KrowGame *game, int32_t action)
{
    unsigned number = (unsigned)action, width = pair->rules.width;
    if (!pair->rules.gravity)
        return krow_cell(number % width, number / width);
    for (unsigned row = 0; row < pair->rules.height; row++)
        if (krow_game_at(game, krow_cell(number, row)) == KROW_NONE)
            return krow_cell(number, row);
    return KROW_CELL_NONE;
}

static void assert_observation(const Pair *pair, unsigned i)
{
    const KrowGame *game = pair->games[i];
    size_t cells = (size_t)pair->rules.width * pair->rules.height, begin = (size_t)i * KROW_PLANES * cells;
    uint8_t planes[KROW_PLANES * KROW_CELLS_MAX];
    krow_game_observe(game, planes);
    assert_memory_equal(planes, pair->bytes + begin, KROW_PLANES * cells);
    KrowSide side = krow_game_side(game);
    for (size_t n = 0; n < cells; n++) {
        KrowCell cell = krow_cell((unsigned)n % pair->rules.width, (unsigned)n / pair->rules.width);
        KrowSide stone = krow_game_at(game, cell);
        unsigned expected[KROW_PLANES] = {stone == side, stone == krow_side_other(side), krow_game_stones_left(game)};
        for (unsigned plane = 0; plane < KROW_PLANES; plane++) {
            size_t at = begin + plane * cells + n;
            assert_int_equal(pair->bytes[at], expected[plane]);
            assert_true(pair->floats[at] == (float)expected[plane]);
        }
    }
}

static void assert_pair(Pair *pair)
{
    const KrowBatchView *view = &pair->view;
    krow_batch_observe(pair->batch, pair->bytes);
    krow_batch_observe_float(pair->batch, pair->floats);
    for (unsigned i = 0; i < GAMES; i++) {
        const KrowGame *game = pair->games[i];
        assert_int_equal(view->side[i], krow_game_side(game));
        assert_int_equal(view->left[i], krow_game_stones_left(game));
        assert_int_equal(view->played[i], krow_game_played(game));
        assert_int_equal(view->over[i], krow_game_is_over(game));
        uint8_t legal[KROW_CELLS_MAX];
        assert_int_equal(krow_game_legal_actions(game, legal), view->actions);
        for (size_t action = 0; action < view->actions; action++) {
            KrowCell cell = cell_of_action(pair, game, (int32_t)action);
            assert_int_equal(view->legal[i * view->actions + action], krow_game_is_legal(game, cell));
            assert_int_equal(legal[action], krow_game_is_legal(game, cell));
        }
        assert_observation(pair, i);
    }
}

static void assert_ended(const Pair *pair, unsigned i, const KrowGame *game)
{
    bool ended = krow_game_is_over(game);
    assert_int_equal(pair->view.ended[i], ended);
    assert_int_equal(pair->view.winner[i], krow_game_winner(game));
    assert_true(pair->view.reward[i] == (ended && krow_game_winner(game) != KROW_NONE ? 1.0F : 0.0F));
}

static void play_beside(const char *rules, bool restart)
{
    Pair pair = {0};
    open_pair(&pair, rules);
    unsigned ended = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        int32_t actions[GAMES];
        krow_batch_random(pair.batch, actions);
        assert_int_equal(krow_batch_step(pair.batch, actions, restart, NULL), KROW_OK);
        for (unsigned i = 0; i < GAMES; i++) {
            KrowGame *game = pair.games[i];
            if (krow_game_is_over(game)) {
                assert_int_equal(actions[i], -1);
                assert_int_equal(pair.view.ended[i], 0);
                continue;
            }
            KrowCell cell = cell_of_action(&pair, game, actions[i]);
            assert_int_equal(krow_game_play_action(game, actions[i], NULL), KROW_OK);
            assert_int_equal(krow_game_stone(game, krow_game_played(game) - 1), cell);
            assert_ended(&pair, i, game);
            ended += krow_game_is_over(game);
            if (krow_game_is_over(game) && restart)
                while (krow_game_undo(game))
                    ;
        }
        assert_pair(&pair);
    }
    assert_true(restart ? ended > GAMES : ended == GAMES);
    close_pair(&pair);
}

static void test_playing(void **state)
{
    (void)state;
    static const char *const all[] = {"tictactoe",     "connect4",        "9x5:k=4,p=2,q=1",
                                      "8x8:k=5,exact", "5x9:k=3,p=3,q=2", "9x4:k=4,p=2,gravity"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        play_beside(all[i], false);
        play_beside(all[i], true);
    }
}

// Every row of the widest board is stored in whole words.
static void test_large_boards(void **state)
{
    (void)state;
    static const char *const all[] = {"64x64:k=64", "63x64:k=5,gravity", "1x64:k=3", "64x1:k=3"};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        Pair pair = {0};
        open_pair(&pair, all[n]);
        for (unsigned i = 0; i < GAMES; i++) {
            int32_t action = (int32_t)pair.view.actions - 1;
            assert_int_equal(krow_game_play(pair.games[i], cell_of_action(&pair, pair.games[i], action), NULL),
                             KROW_OK);
        }
        int32_t actions[GAMES];
        for (unsigned i = 0; i < GAMES; i++)
            actions[i] = (int32_t)pair.view.actions - 1;
        assert_int_equal(krow_batch_step(pair.batch, actions, false, NULL), KROW_OK);
        assert_pair(&pair);
        close_pair(&pair);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    Pair pair = {0};
    open_pair(&pair, "connect4");
    KrowError error = {0};
    assert_null(krow_batch_open(&pair.rules, 0, &error));
    assert_int_equal(error.status, KROW_BAD_INPUT);
    assert_null(krow_batch_open(&pair.rules, KROW_BATCH_MAX + 1, NULL));
    assert_null(krow_batch_open(&(KrowRules){0}, 1, NULL));

    // One wrong action, and no game changes.
    int32_t wrong[] = {-1, 7, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int32_t actions[GAMES] = {0};
        actions[5] = wrong[i];
        assert_int_equal(krow_batch_step(pair.batch, actions, false, &error), KROW_BAD_INPUT);
        assert_non_null(strstr(error.text, "game 5"));
        assert_pair(&pair);
    }

    KrowGame *full = krow_game_new(&pair.rules, NULL);
    assert_int_equal(krow_game_read(full, "111111", NULL), KROW_OK);
    assert_int_equal(krow_game_play_action(full, 0, &error), KROW_BAD_INPUT);
    assert_non_null(strstr(error.text, "full"));
    assert_int_equal(krow_game_play_action(full, 7, &error), KROW_BAD_INPUT);
    assert_int_equal(krow_game_play_action(full, -1, &error), KROW_BAD_INPUT);
    assert_int_equal(krow_game_played(full), 6);
    krow_game_free(full);

    KrowRules other;
    assert_int_equal(krow_rules_parse("gomoku", &other, NULL), KROW_OK);
    KrowGame *game = krow_game_new(&other, NULL);
    assert_int_equal(krow_batch_set_game(pair.batch, 0, game, NULL), KROW_BAD_INPUT);
    assert_int_equal(krow_batch_set_game(pair.batch, GAMES, pair.games[0], NULL), KROW_BAD_INPUT);
    assert_null(krow_batch_game(pair.batch, GAMES, NULL));
    krow_game_free(game);
    close_pair(&pair);
    krow_batch_close(NULL);
}

// Games go in and come out with their stones; a reset begins on the empty board.
static void test_single_games(void **state)
{
    (void)state;
    Pair pair = {0};
    open_pair(&pair, "connect4");
    static const char *const moves[] = {"", "4", "4453", "1212121", "111111"};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(krow_game_read(pair.games[i], moves[i], NULL), KROW_OK);
        assert_int_equal(krow_batch_set_game(pair.batch, i, pair.games[i], NULL), KROW_OK);
    }
    assert_pair(&pair);
    assert_int_equal(pair.view.winner[3], KROW_FIRST);
    for (unsigned i = 0; i < 5; i++) {
        KrowGame *copy = krow_batch_game(pair.batch, i, NULL);
        char text[2][256];
        krow_game_write(copy, text[0], sizeof text[0]);
        krow_game_write(pair.games[i], text[1], sizeof text[1]);
        assert_string_equal(text[0], text[1]);
        assert_int_equal(krow_game_key(copy), krow_game_key(pair.games[i]));
        krow_game_free(copy);
    }
    uint8_t which[GAMES] = {[2] = 1, [3] = 1};
    krow_batch_reset(pair.batch, which);
    for (unsigned i = 2; i < 4; i++)
        while (krow_game_undo(pair.games[i]))
            ;
    assert_pair(&pair);
    krow_batch_reset(pair.batch, NULL);
    for (unsigned i = 0; i < GAMES; i++)
        while (krow_game_undo(pair.games[i]))
            ;
    assert_pair(&pair);
    close_pair(&pair);
}

// The same seed gives the same actions, and every legal action is chosen.
static void test_random_actions(void **state)
{
    (void)state;
    Pair pair = {0};
    open_pair(&pair, "5x2:k=3");
    int32_t first[GAMES], again[GAMES];
    unsigned seen[10] = {0};
    for (unsigned round = 0; round < 200; round++) {
        krow_batch_seed(pair.batch, round);
        krow_batch_random(pair.batch, first);
        krow_batch_seed(pair.batch, round);
        krow_batch_random(pair.batch, again);
        assert_memory_equal(first, again, sizeof first);
        for (unsigned i = 0; i < GAMES; i++)
            seen[first[i]]++;
    }
    for (unsigned action = 0; action < 10; action++)
        assert_in_range(seen[action], 120, 240); // 180 expected
    close_pair(&pair);
}

TEST_GROUP(batch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_playing),      cmocka_unit_test(test_large_boards),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_single_games), cmocka_unit_test(test_random_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
