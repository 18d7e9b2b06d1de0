// Tests of networks: the numbering of shapes, the evaluation against its definition, and files.
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/eval/network.h"
#include "engine/search/search.h"
#include "support/check.h"
#include "support/pattern_board_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const games[] = {"gomoku",    "9x9:k=5,exact",       "connect6",        "connect4",
                                    "tictactoe", "9x8:k=4,p=2,gravity", "7x7:k=3,p=3,q=5", "9x9:k=1"};
enum { GAMES = sizeof games / sizeof games[0] };

// --- Shapes ---

// What a half-line is, as text: its cells up to the first obstacle, "x" and "o" for the first and the second side. A
// stone of the other side than the first stone is an obstacle, as is a wall.
static void describe(unsigned reach, const unsigned *cells, char *text)
{
    static const char letters[] = "#xo.";
    char colour = 0;
    unsigned length = 0;
    for (; length < reach; length++) {
        char letter = letters[cells[length]];
        if (letter == '#' || (letter != '.' && colour != 0 && letter != colour))
            break;
        colour = letter != '.' ? letter : colour;
        text[length] = letter;
    }
    text[length] = '\0';
}

// Every window has the number of its half-line, every number occurs, and exchanging colours is exchanging numbers.
static void test_half_lines(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        NetworkShapes shapes;
        Error error = {0};
        assert_done(network_shapes_open(&shapes, &rules, &error), error);
        unsigned reach = shapes.reach, windows = 1u << (2 * reach), seen = 0;
        char(*names)[16] = memory_new(shapes.halves, sizeof *names);
        bool *is_seen = memory_new(shapes.halves, sizeof *is_seen);
        for (unsigned window = 0; window < windows; window++) {
            unsigned cells[8] = {0}, mirrored = 0, exchanged = 0;
            char name[16];
            for (unsigned i = 0; i < reach; i++) {
                cells[i] = window >> (2 * i) & 3;
                mirrored |= cells[i] << (2 * (reach - 1 - i));
                exchanged |= ((cells[i] & 1) << 1 | cells[i] >> 1) << (2 * i);
            }
            describe(reach, cells, name);
            unsigned number = shapes.half_right[window];
            assert_in_range(number, 0, shapes.halves - 1);
            assert_int_equal(shapes.half_left[mirrored], number);
            assert_int_equal(shapes.half_right[exchanged], network_half_exchanged(&shapes, number));
            if (!is_seen[number])
                (void)snprintf(names[number], sizeof names[number], "%s", name);
            assert_string_equal(names[number], name);
            seen += !is_seen[number];
            is_seen[number] = true;
        }
        assert_int_equal(seen, shapes.halves);
        for (unsigned a = 0; a < shapes.halves; a++)
            for (unsigned b = 0; b < a; b++)
                assert_string_not_equal(names[a], names[b]);
        free(names);
        free(is_seen);
        network_shapes_close(&shapes);
    }
}

// The published sizes: 351, 1,653, 7,260 and 30,628 pairs for rows of 4 to 7.
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        unsigned count;
    } sizes[] = {{"9x9:k=4", 351},   {"gomoku", 1653},         {"connect6", 7260},
                 {"standard", 7260}, {"19x19:k=7,p=3", 30628}, {"connect4", 3 * 351}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Rules rules = rules_of(sizes[i].game);
        NetworkShapes shapes;
        Error error = {0};
        assert_done(network_shapes_open(&shapes, &rules, &error), error);
        assert_int_equal(shapes.count, sizes[i].count);
        for (unsigned shape = 0; shape < shapes.count; shape++) {
            unsigned exchanged = network_shape_exchanged(&shapes, shape);
            assert_in_range(exchanged, 0, shapes.count - 1);
            assert_int_equal(network_shape_exchanged(&shapes, exchanged), shape);
        }
        network_shapes_close(&shapes);
    }
    Rules large = rules_of("30x30:k=5"), wide = rules_of("20x20:k=9");
    assert_false(network_suits(&large));
    assert_false(network_suits(&wide));
}

// --- Evaluation ---

static int random_number(Rng *rng, int most)
{
    return (int)rng_below(rng, 2 * (uint32_t)most + 1) - most;
}

static Network *random_network(const Rules *rules, uint64_t seed)
{
    Network *network;
    Error error = {0};
    Rng rng = rng_make(seed);
    assert_done(network_new(&network, rules, &error), error);
    for (size_t i = 0; i < (size_t)network->shapes.count * NETWORK_WIDTH; i++)
        network->vectors[i] = (int16_t)random_number(&rng, 900);
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        network->bias[i] = (int16_t)random_number(&rng, 2000);
    for (unsigned stage = 0; stage < network->shapes.stages; stage++) {
        NetworkLayers *layers = &network->layers[stage];
        for (unsigned j = 0; j < NETWORK_FIRST; j++) {
            for (unsigned i = 0; i < NETWORK_INPUTS; i++)
                layers->first[i][j] = (int16_t)random_number(&rng, 40);
            for (unsigned i = 0; i < NETWORK_SECOND; i++)
                layers->second[j][i] = (int16_t)random_number(&rng, 60);
            layers->first_bias[j] = random_number(&rng, 20000);
        }
        for (unsigned j = 0; j < NETWORK_SECOND; j++) {
            layers->second_bias[j] = random_number(&rng, 20000);
            for (unsigned i = 0; i < NETWORK_OUTPUTS; i++)
                layers->last[j][i] = (int16_t)random_number(&rng, 60);
        }
        for (unsigned j = 0; j < NETWORK_OUTPUTS; j++)
            layers->last_bias[j] = random_number(&rng, 20000);
    }
    network_prepare(network);
    return network;
}

typedef struct {
    PatternBoardBench bench;
    Network *network;
    NetworkState *state;
    Board board[160];
    unsigned depth, start;
} Walk;

static void walk_open(Walk *walk, const char *game, uint64_t seed)
{
    Rules rules = rules_of(game);
    Error error = {0};
    pattern_board_bench_open(&walk->bench, &rules);
    walk->network = random_network(&rules, seed);
    assert_done(network_state_open(&walk->state, walk->network, &error), error);
    board_init(&walk->board[0], &rules);
    walk->depth = 0;
    pattern_board_set(&walk->bench.patterns, &walk->board[0]);
    network_state_set(walk->state, &walk->bench.patterns);
}

static void walk_close(Walk *walk)
{
    network_state_close(walk->state);
    network_close(walk->network);
    pattern_board_bench_close(&walk->bench);
}

// A stone, a stone taken back, or the position set afresh.
static void walk_step(Walk *walk, Rng *rng)
{
    Board *board = &walk->board[walk->depth];
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, legal);
    bool goes_back = count == 0 || walk->depth + 1 == sizeof walk->board / sizeof walk->board[0];
    if ((goes_back || rng_below(rng, 3) == 0) && walk->depth > walk->start) {
        pattern_board_undo(&walk->bench.patterns);
        walk->depth--;
    } else if (goes_back || rng_below(rng, 100) == 0) {
        pattern_board_set(&walk->bench.patterns, board);
        walk->start = walk->depth = goes_back ? 0 : walk->depth;
        if (goes_back)
            pattern_board_set(&walk->bench.patterns, &walk->board[0]);
        network_state_set(walk->state, &walk->bench.patterns);
    } else {
        Cell cell = legal[rng_below(rng, count)];
        board_copy(board + 1, board);
        board_play(board + 1, cell);
        pattern_board_play(&walk->bench.patterns, cell);
        walk->depth++;
    }
}

// After any number of stones and steps back the evaluation is that of the definition.
static void test_follows(void **state)
{
    (void)state;
    unsigned compared = 0;
    for (unsigned g = 0; g < GAMES; g++) {
        static Walk walk;
        Rng rng = rng_make(g);
        walk = (Walk){0};
        walk_open(&walk, games[g], 70 + g);
        for (unsigned long i = 0; i < test_steps() / 200; i++) {
            unsigned steps = 1 + rng_below(&rng, 4);
            while (steps-- > 0)
                walk_step(&walk, &rng);
            int simple = random_number(&rng, 500);
            NetworkOdds odds = network_odds(walk.state, &walk.bench.patterns, simple);
            NetworkOdds plain = network_odds_plain(walk.network, &walk.bench.patterns, simple);
            assert_int_equal(odds.win, plain.win);
            assert_int_equal(odds.loss, plain.loss);
            compared++;
        }
        walk_close(&walk);
    }
    assert_true(compared >= GAMES);
}

// The same numbers on every machine, with and without vector instructions: the checksum of evaluations is a constant.
static void test_same_everywhere(void **state)
{
    (void)state;
    Text text = {0};
    for (unsigned g = 0; g < GAMES; g++) {
        static Walk walk;
        Rng rng = rng_make(1000 + g);
        walk = (Walk){0};
        walk_open(&walk, games[g], 7);
        for (unsigned i = 0; i < 60; i++) {
            walk_step(&walk, &rng);
            NetworkOdds odds = network_odds(walk.state, &walk.bench.patterns, (int)i);
            text_add(&text, "%d %d %d\n", odds.win, odds.loss, network_value(walk.network, odds));
        }
        walk_close(&walk);
    }
    assert_int_equal(checksum_crc32((Span){text.data, text.length}), 0x1d3a0dc2u);
    text_close(&text);
}

// With all colours exchanged the side to move has the same prospects.
static void test_exchanged(void **state)
{
    (void)state;
    Rules rules = rules_of("11x9:k=5");
    PatternBoardBench bench;
    Network *network = random_network(&rules, 3);
    Rng rng = rng_make(9);
    pattern_board_bench_open(&bench, &rules);
    for (unsigned round = 0; round < 50; round++) {
        Board board, exchanged;
        board_init(&board, &rules);
        board_init(&exchanged, &rules);
        for (unsigned i = 0; i < 20; i++) {
            Cell cell = cell_at(rng_below(&rng, 11), rng_below(&rng, 9));
            if (board_stone(&board, cell) != STONE_NONE)
                continue;
            board_put(&board, cell, i % 3 == 0 ? SIDE_FIRST : SIDE_SECOND);
            board_put(&exchanged, cell, i % 3 == 0 ? SIDE_SECOND : SIDE_FIRST);
        }
        if (board_set_turn(&board, SIDE_FIRST, 1) != 0 || board_set_turn(&exchanged, SIDE_SECOND, 1) != 0)
            continue;
        pattern_board_set(&bench.patterns, &board);
        NetworkOdds odds = network_odds_plain(network, &bench.patterns, 10);
        pattern_board_set(&bench.patterns, &exchanged);
        NetworkOdds other = network_odds_plain(network, &bench.patterns, 10);
        assert_int_equal(odds.win, other.win);
        assert_int_equal(odds.loss, other.loss);
    }
    network_close(network);
    pattern_board_bench_close(&bench);
}

// Values rise with the odds of winning, and chances add up.
static void test_values(void **state)
{
    (void)state;
    Rules rules = rules_of("tictactoe");
    Network *network = random_network(&rules, 1);
    for (int loss = -2400; loss <= 2400; loss += 300) {
        int last = INT32_MIN;
        for (int win = -2400; win <= 2400; win += 37) {
            int value = network_value(network, (NetworkOdds){win, loss});
            assert_true(value >= last);
            last = value;
            NetworkChances chances = network_chances((NetworkOdds){win, loss});
            assert_int_equal(chances.win + chances.draw + chances.loss, NETWORK_CHANCES);
            assert_true(chances.draw <= NETWORK_CHANCES);
            // The value is the logarithm of the expected result over its rest.
            double expected = chances.win + chances.draw / 2.0, rest = chances.loss + chances.draw / 2.0;
            if (expected > 500 && rest > 500)
                assert_true(abs((int)(WEIGHTS_UNIT * log(expected / rest)) - value) <= 3);
        }
    }
    network_close(network);
}

// --- Files ---

static void test_files(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        Network *network = random_network(&rules, g), *again = NULL;
        Text text = {0}, copy = {0};
        Error error = {0};
        text_add(&network->source, "one\ntwo\n");
        network->smallest = 13;
        network->largest = 20;
        network_format(network, &text);
        assert_done(network_parse(&again, &rules, (Span){text.data, text.length}, &error), error);
        network_format(again, &copy);
        assert_int_equal(text.length, copy.length);
        assert_memory_equal(text.data, copy.data, text.length);
        assert_non_null(strstr(text.data, "\nboards 13-20\n"));
        assert_non_null(strstr(text.data, "\nsource one\nsource two\nchecksum "));
        assert_memory_equal(network->views, again->views, (size_t)network->shapes.count * 2 * NETWORK_WIDTH * 2);
        network_close(network);
        network_close(again);
        text_close(&text);
        text_close(&copy);
    }
}

static void refuse(const Text *text, size_t length, const char *game, const char *words)
{
    Rules rules = rules_of(game);
    Network *network;
    Error error = {0};
    assert_refused(network_parse(&network, &rules, (Span){text->data, length}, &error), error, words);
    assert_null(network);
}

// Damage anywhere is found: every byte of the header, and any byte of the numbers.
static void test_damaged(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=3");
    Network *network = random_network(&rules, 5);
    Text text = {0};
    Rng rng = rng_make(4);
    network_format(network, &text);
    network_close(network);
    refuse(&text, 0, "9x9:k=3", "the first line is not 'krow network 1'");
    refuse(&text, text.length - 1, "9x9:k=3", "bytes of numbers instead of");
    refuse(&text, text.length, "9x9:k=4", "a network for the family 'k=3', but this game is of the family k=4");
    refuse(&text, text.length, "40x40:k=3", "networks support");
    size_t numbers = (size_t)(strstr(text.data, "\n\n") - text.data) + 2;
    for (unsigned i = 0; i < numbers + 300; i++) {
        size_t at = i < numbers ? i : numbers + rng_below(&rng, (uint32_t)(text.length - numbers));
        Network *damaged;
        Error error = {0};
        text.data[at] ^= 4;
        assert_int_equal(network_parse(&damaged, &rules, (Span){text.data, text.length}, &error), STATUS_BAD_INPUT);
        text.data[at] ^= 4;
    }
    text_close(&text);
    text_add(&text, "krow network 1\nfamily k=3\nboards 20-13\n\n");
    refuse(&text, text.length, "9x9:k=3", "line 3: '20-13' is not a range of sizes such as 13-20");
    text_close(&text);
}

// The compiled networks are used for the sizes of the boards that they were trained on.
static void test_compiled(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        bool has;
    } cases[] = {{"gomoku", true},   {"13x20:k=5", true}, {"12x15:k=5", false},     {"15x21:k=5", false},
                 {"9x9:k=5", false}, {"standard", false}, {"15x15:k=5,p=2", false}, {"15x15:k=5,gravity", false}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rules rules = rules_of(cases[i].game);
        Network *network;
        Error error = {0};
        assert_done(network_read(&network, "", &rules, &error), error);
        assert_int_equal(network != NULL, cases[i].has);
        network_close(network);
    }
}

static void test_by_name(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=4");
    Network *network = random_network(&rules, 6), *read = NULL;
    Text text = {0};
    Error error = {0};
    char path[] = "/tmp/krow_network_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    network_format(network, &text);
    assert_done(file_write(path, (Span){text.data, text.length}, &error), error);
    assert_done(network_read(&read, path, &rules, &error), error);
    assert_memory_equal(read->vectors, network->vectors, (size_t)network->shapes.count * NETWORK_WIDTH * 2);
    network_close(read);
    assert_done(network_read(&read, "none", &rules, &error), error);
    assert_null(read);
    assert_done(file_write(path, span_of("krow network 1\nfamly k=4\n"), &error), error);
    assert_refused(network_read(&read, path, &rules, &error), error, "line 2: unknown line 'famly k=4'");
    assert_non_null(strstr(error.text, path));
    (void)unlink(path);
    assert_failed(network_read(&read, path, &rules, &error), STATUS_IO, error, "cannot read");
    network_close(network);
    text_close(&text);
}

// A search with a network finds forced wins as without it, and plays differently where nothing is forced.
static void test_search(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    Text text = {0};
    char path[] = "/tmp/krow_network_XXXXXX";
    int fd = mkstemp(path), values[2];
    assert_true(fd >= 0);
    (void)close(fd);
    begin_game(&game, "gomoku");
    Network *network = random_network(&game.board.rules, 8);
    network_format(network, &text);
    assert_done(file_write(path, (Span){text.data, text.length}, &error), error);
    for (unsigned i = 0; i < 2; i++) {
        Search *search;
        SearchInfo info;
        SearchOptions options = {.megabytes = 1, .network = i == 0 ? "none" : path};
        assert_done(search_open(&search, &options, &game.board.rules, &error), error);
        begin_game(&game, "gomoku");
        play_text(&game, "h8 a1 h9 a15 h10 o1");
        search_run(search, &game.board, &(SearchLimits){.limits.nodes = 2000}, &info);
        assert_int_equal(search_distance(info.lines[0].score), 3);
        begin_game(&game, "gomoku");
        play_text(&game, "h8 i9 g7");
        search_run(search, &game.board, &(SearchLimits){.limits.nodes = 500}, &info);
        values[i] = info.lines[0].score;
        search_close(search);
    }
    assert_int_not_equal(values[0], values[1]);
    (void)unlink(path);
    network_close(network);
    text_close(&text);
}

TEST_GROUP(network)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_lines),      cmocka_unit_test(test_sizes),     cmocka_unit_test(test_follows),
        cmocka_unit_test(test_same_everywhere), cmocka_unit_test(test_exchanged), cmocka_unit_test(test_values),
        cmocka_unit_test(test_files),           cmocka_unit_test(test_damaged),   cmocka_unit_test(test_compiled),
        cmocka_unit_test(test_by_name),         cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
