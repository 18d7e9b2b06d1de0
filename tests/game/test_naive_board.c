// Compares the board with the naive board: perft numbers, and all properties after every random step.
#include "game/game.h"
#include "game/perft.h"
#include "support/check.h"
#include "support/invariants.h"

#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>

// Every board size is tested with all combinations of p and q from 1 to 3: 9 times 12 rules.
static const char *const perft_shapes[] = {
    "4x3:k=3", "3x4:k=3,gravity", "5x2:k=3,exact", "4x4:k=3,gravity,exact", "6x1:k=2",       "1x5:k=2,gravity",
    "3x3:k=1", "2x2:k=2",         "5x4:k=4",       "3x3:k=3,exact",         "7x2:k=2,exact", "6x5:k=4,gravity",
};

static Rules with_turns(const char *shape, unsigned p, unsigned q)
{
    Rules rules = rules_of(shape);
    rules.p = (uint16_t)p;
    rules.q = (uint16_t)q;
    assert_int_equal(rules_check(&rules, NULL), STATUS_OK);
    return rules;
}

// The depth that the naive board reaches with at most `most` leaves, or the end of the game.
static void compare_perft(const Rules *rules, uint64_t most)
{
    NaiveBoard *naive = malloc(sizeof *naive);
    assert_non_null(naive);
    naive_init(naive, rules);
    Board board;
    board_init(&board, rules);
    uint64_t last = 1;
    for (unsigned depth = 1; last > 0 && last * rules->width <= most && depth <= rules_cells(rules) + 1; depth++) {
        Perft perft;
        last = naive_perft(naive, (int)depth);
        assert_true(perft_run(&board, depth, NULL, &perft));
        if (perft.counts[depth] != last) {
            char text[RULES_TEXT_SIZE];
            rules_format(rules, text);
            print_error("%s, depth %u: %llu, naive %llu\n", text, depth, (unsigned long long)perft.counts[depth],
                        (unsigned long long)last);
            fail();
        }
    }
    free(naive);
}

static void test_sequences(void **state)
{
    (void)state;
    uint64_t most = test_is_long() ? 50000 : test_steps() / 20;
    for (size_t i = 0; i < sizeof perft_shapes / sizeof perft_shapes[0]; i++)
        for (unsigned p = 1; p <= 3; p++)
            for (unsigned q = 1; q <= 3; q++) {
                Rules rules = with_turns(perft_shapes[i], p, q);
                compare_perft(&rules, most);
            }
}

// --- Random play and undo, with all properties checked after every step ---

// A board played with board_play, the same through a game (which finds earlier states by division), and the naive one.
typedef struct {
    Board board;
    Game game;
    NaiveBoard naive;
    BoardState before[RULES_CELLS_MAX];
    Cell cell[RULES_CELLS_MAX];
} Trio;

static void trio_play(Trio *trio, Cell cell)
{
    unsigned at = board_count(&trio->board);
    trio->cell[at] = cell;
    trio->before[at] = board_play(&trio->board, cell);
    game_play(&trio->game, cell);
    naive_play(&trio->naive, (int)cell_column(cell), (int)cell_row(cell));
}

static void trio_undo(Trio *trio)
{
    unsigned at = board_count(&trio->board) - 1;
    board_undo(&trio->board, trio->cell[at], trio->before[at]);
    assert_true(game_undo(&trio->game));
    naive_undo(&trio->naive);
}

static void trio_check(const Trio *trio)
{
    Error error = {0};
    if (invariants_check(&trio->board, &trio->naive, &error) != STATUS_OK) {
        Text text = {0};
        invariants_draw(&trio->board, &trio->naive, &text);
        print_error("%s\n%s", error.text, text.data);
        text_close(&text);
        fail();
    }
    assert_same_board(&trio->board, &trio->game.board);
}

// Mostly plays; at the end and occasionally undoes, sometimes many stones. Half of the time, stones are in a small part
// of the board, so that rows occur on large boards too.
static void trio_step(Trio *trio, Rng *rng)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&trio->board, cells), played = board_count(&trio->board);
    if (played > 0 && (count == 0 || rng_below(rng, 5) == 0)) {
        unsigned back = rng_below(rng, 16) == 0 ? played : 1 + rng_below(rng, 3);
        for (; back > 0 && board_count(&trio->board) > 0; back--)
            trio_undo(trio);
    } else if (count > 0) {
        unsigned among = rng_below(rng, 2) == 0 && count > 12 ? 12 : count;
        trio_play(trio, cells[rng_below(rng, among)]);
    }
}

static void random_steps(const Rules *rules, unsigned long steps, Rng *rng)
{
    Trio *trio = malloc(sizeof *trio);
    assert_non_null(trio);
    board_init(&trio->board, rules);
    game_init(&trio->game, rules);
    naive_init(&trio->naive, rules);
    trio_check(trio);
    for (unsigned long i = 0; i < steps; i++) {
        trio_step(trio, rng);
        trio_check(trio);
    }
    free(trio);
}

static const char *const random_shapes[] = {
    "3x3:k=3",         "7x6:k=4,gravity", "5x5:k=4,exact",   "9x4:k=3",
    "4x9:k=3,gravity", "15x15:k=5",       "15x15:k=5,exact", "19x19:k=6",
    "8x8:k=1",         "6x6:k=2",         "64x1:k=9",        "1x64:k=7,gravity",
    "2x64:k=5",        "64x3:k=4,exact",  "33x7:k=6",        "10x10:k=3,gravity,exact",
};

static void test_random_play(void **state)
{
    (void)state;
    enum { SHAPES = sizeof random_shapes / sizeof random_shapes[0] };
    unsigned long steps = test_steps() / (9ul * SHAPES) + 1;
    Rng rng = rng_make(20);
    for (size_t i = 0; i < SHAPES; i++)
        for (unsigned p = 1; p <= 3; p++)
            for (unsigned q = 1; q <= 3; q++) {
                Rules rules = with_turns(random_shapes[i], p, q);
                random_steps(&rules, steps, &rng);
            }
}

// Few steps, because the naive board is slow on large boards; includes the corners of the largest board.
static void test_random_play_on_the_largest_board(void **state)
{
    (void)state;
    unsigned long steps = test_steps() / 100 + 1;
    Rng rng = rng_make(21);
    for (unsigned p = 1; p <= 3; p++) {
        Rules rules = with_turns(p % 2 == 1 ? "64x64:k=4" : "64x64:k=3,gravity,exact", p, 4 - p);
        random_steps(&rules, steps, &rng);
    }
}

TEST_GROUP(naive_board)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_random_play),
        cmocka_unit_test(test_random_play_on_the_largest_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
