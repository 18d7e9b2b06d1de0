// Tests of training: scored games, self-play, slopes against differences, and training that is stopped and continued.
#include "base/file.h"
#include "engine/train/self_play.h"
#include "engine/train/train_positions.h"
#include "engine/train/trainer.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void temporary(char path[], bool keep)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    if (!keep)
        (void)unlink(path);
}

// --- Games ---

static void play_games(const char *rules, unsigned count, Text *text)
{
    SelfPlayOptions options = {.rules = rules_of(rules), .nodes = 60, .seed = 5, .network = "none"};
    Error error = {0};
    static ScoredGame game;
    assert_done(self_play_check(&options, &error), error);
    SelfPlay *player = self_play_open(&options);
    scored_games_header(&options.rules, span_of("test"), text);
    for (unsigned i = 0; i < count; i++) {
        assert_done(self_play_game(player, i, NULL, &game, &error), error);
        scored_games_add(&game, text);
    }
    self_play_close(player);
}

// Games are legal, have scores for the chosen stones alone, and are the same again in any order.
static void test_self_play(void **state)
{
    (void)state;
    static const char *const games[] = {"9x9:k=5", "connect4", "9x9:k=6,p=2",
                                        "3x3:k=3", "1x1:k=1",  "6x6:k=4,p=3,gravity"};
    for (unsigned g = 0; g < sizeof games / sizeof games[0]; g++) {
        SelfPlayOptions options = {.rules = rules_of(games[g]), .nodes = 60, .seed = 5, .network = "none"};
        Error error = {0};
        Text text = {0};
        ScoredGames read;
        static ScoredGame game, again;
        SelfPlay *player = self_play_open(&options);
        play_games(games[g], 6, &text);
        assert_done(scored_games_parse(&read, (Span){text.data, text.length}, &error), error);
        assert_int_equal(read.count, 6);
        assert_false(read.was_cut);
        assert_int_equal(read.file_size, text.length);
        for (unsigned i = 6; i-- > 0;) {
            scored_games_get(&read, i, &game);
            assert_done(self_play_game(player, i, NULL, &again, &error), error);
            assert_int_equal(game.count, again.count);
            assert_int_equal(game.doubled, again.doubled);
            assert_memory_equal(game.stones, again.stones, game.count * sizeof game.stones[0]);
            assert_memory_equal(game.scores, again.scores, game.count * sizeof game.scores[0]);
            for (unsigned stone = 0; stone < game.count; stone++)
                assert_int_equal(game.scores[stone] == SCORED_NONE, stone < game.opening);
        }
        self_play_close(player);
        scored_games_close(&read);
        text_close(&text);
    }
}

// Varied turns have no score, in some games; all games end regularly.
static void test_varied(void **state)
{
    (void)state;
    static const char *const games[] = {"9x9:k=5", "connect4", "9x9:k=6,p=2"};
    for (unsigned g = 0; g < sizeof games / sizeof games[0]; g++) {
        SelfPlayOptions options = {
            .rules = rules_of(games[g]), .nodes = 60, .varied = 40, .seed = 5, .network = "none"};
        Error error = {0};
        static ScoredGame game;
        unsigned varied = 0, plain = 0;
        SelfPlay *player = self_play_open(&options);
        for (unsigned i = 0; i < 12; i++) {
            unsigned without = 0;
            assert_done(self_play_game(player, i, NULL, &game, &error), error);
            for (unsigned stone = game.opening; stone < game.count; stone++)
                without += game.scores[stone] == SCORED_NONE;
            varied += without > 0;
            plain += without == 0;
        }
        assert_in_range(varied, 2, 8);
        assert_in_range(plain, 4, 10);
        self_play_close(player);
    }
}

// The positions that a reader gives are those of the game: compared with all cells of each, computed afresh.
typedef struct {
    const TrainFamily *family;
    const TrainModel *model;
    const ScoredGame *game;
    Rules rules;
    unsigned last_varied, seen, results;
} Compare;

static void compare_position(void *context, const TrainPosition *position)
{
    Compare *self = context;
    static uint32_t own[81][4], other[81][4];
    float times[81], empty = 0;
    TrainPosition plain = *position;
    PatternBoard patterns;
    Game game;
    for (unsigned i = 0; i < position->cells; i++)
        empty += position->times[i];
    unsigned stones = rules_cells(&self->rules) - (unsigned)empty;
    game_init(&game, &self->rules);
    for (unsigned i = 0; i < stones; i++)
        game_play(&game, self->game->stones[i]);
    pattern_board_open(&patterns, self->family->tables, &self->rules);
    pattern_board_set(&patterns, &game.board);
    bool is_first = pattern_board_side(&patterns) == SIDE_FIRST;
    plain.cells = 0;
    plain.times = times;
    plain.own = is_first ? own : other;
    plain.other = is_first ? other : own;
    for (unsigned row = 0; row < self->rules.height; row++)
        for (unsigned column = 0; column < self->rules.width; column++) {
            if (!pattern_board_is_empty(&patterns, cell_at(column, row)))
                continue;
            network_cell_shapes(&self->family->shapes, &patterns, cell_at(column, row), own[plain.cells]);
            for (unsigned i = 0; i < 4; i++)
                other[plain.cells][i] = network_shape_exchanged(&self->family->shapes, own[plain.cells][i]);
            times[plain.cells++] = 1;
        }
    pattern_board_close(&patterns);
    double loss = train_model_loss(self->model, position, NULL), expected = train_model_loss(self->model, &plain, NULL);
    assert_true(fabs(loss - expected) < 1e-4);
    assert_true(position->share == (position->has_result ? 0.25F : 0));
    assert_int_equal(position->has_result, stones >= self->last_varied);
    assert_true(self->game->scores[stones] != SCORED_NONE);
    self->seen++;
    self->results += position->has_result;
}

static void test_positions(void **state)
{
    (void)state;
    static const char *const games[] = {"7x7:k=5", "connect4", "9x9:k=6,p=2"};
    for (unsigned g = 0; g < sizeof games / sizeof games[0]; g++) {
        SelfPlayOptions options = {
            .rules = rules_of(games[g]), .nodes = 60, .varied = 30, .seed = 7, .network = "none"};
        Error error = {0};
        Text text = {0};
        ScoredGames read;
        static ScoredGame game;
        TrainFamily family;
        TrainModel parts, model;
        Rng rng = rng_make(4);
        SelfPlay *player = self_play_open(&options);
        scored_games_header(&options.rules, span_of("test"), &text);
        for (unsigned i = 0; i < 8; i++) {
            assert_done(self_play_game(player, i, NULL, &game, &error), error);
            scored_games_add(&game, &text);
        }
        self_play_close(player);
        assert_done(scored_games_parse(&read, (Span){text.data, text.length}, &error), error);
        assert_done(train_family_open(&family, &options.rules, &error), error);
        assert_done(train_model_open(&parts, &family.shapes, &error), error);
        assert_done(train_model_open(&model, &family.shapes, &error), error);
        train_model_begin(&parts, &rng);
        train_model_compose(&parts, &family.shapes, &model);
        static TrainPositions reader;
        reader = (TrainPositions){.family = &family, .result_share = 0.25F};
        Compare compare = {.family = &family, .model = &model, .game = &game, .rules = options.rules};
        for (unsigned i = 0; i < read.count; i++) {
            scored_games_get(&read, i, &game);
            compare.last_varied = game.count;
            while (compare.last_varied > 0 && game.scores[compare.last_varied - 1] != SCORED_NONE)
                compare.last_varied--;
            train_positions_each(&reader, &read, i, compare_position, &compare);
        }
        assert_true(compare.seen > compare.results && compare.results > 0);
        train_positions_close(&reader);
        train_model_close(&parts);
        train_model_close(&model);
        train_family_close(&family);
        scored_games_close(&read);
        text_close(&text);
    }
}

// Boards of several sizes, and a stop.
static void test_sizes(void **state)
{
    (void)state;
    SelfPlayOptions options = {
        .rules = rules_of("gomoku"), .smallest = 6, .largest = 8, .nodes = 30, .seed = 1, .network = "none"};
    atomic_bool stop = true;
    Error error = {0};
    static ScoredGame game;
    unsigned sizes = 0;
    SelfPlay *player = self_play_open(&options);
    for (unsigned i = 0; i < 12; i++) {
        assert_done(self_play_game(player, i, NULL, &game, &error), error);
        assert_in_range(game.width, 6, 8);
        assert_int_equal(game.width, game.height);
        sizes |= 1u << game.width;
    }
    assert_int_equal(sizes, 7u << 6);
    assert_failed(self_play_game(player, 0, &stop, &game, &error), STATUS_INTERRUPTED, error, "interrupted");
    self_play_close(player);
}

// Every damaged byte of a game is found; a file that ends within a game is complete up to the one before.
static void test_damage(void **state)
{
    (void)state;
    Text text = {0};
    Error error = {0};
    ScoredGames games;
    play_games("3x3:k=3", 3, &text);
    size_t header = (size_t)(strstr(text.data, "\n\n") - text.data) + 2;
    for (size_t at = header; at < text.length; at++) {
        text.data[at] ^= 1;
        Status status = scored_games_parse(&games, (Span){text.data, text.length}, &error);
        // A damaged length may lead beyond the end, as if the file had been cut off.
        assert_true(status == STATUS_BAD_INPUT || games.was_cut);
        if (status == STATUS_OK)
            scored_games_close(&games);
        text.data[at] ^= 1;
    }
    for (size_t length = header; length <= text.length; length++) {
        assert_done(scored_games_parse(&games, (Span){text.data, length}, &error), error);
        assert_true(games.count <= 3 && games.was_cut == (games.file_size < length));
        scored_games_close(&games);
    }
    assert_refused(scored_games_parse(&games, span_of("krow games"), &error), error, "not a file of scored games");
    assert_refused(scored_games_parse(&games, span_of("krow scored games 1\nrule x\n"), &error), error,
                   "line 2: unknown line 'rule x'");
    assert_refused(scored_games_parse(&games, span_of("krow scored games 1\n\n"), &error), error, "'rules' is missing");
    text_close(&text);
}

// Appending replaces what was cut off.
static void test_append(void **state)
{
    (void)state;
    char path[] = "/tmp/krow_scored_XXXXXX";
    Text text = {0};
    Error error = {0};
    ScoredGames games;
    temporary(path, true);
    play_games("3x3:k=3", 3, &text);
    assert_done(file_write(path, (Span){text.data, text.length - 3}, &error), error);
    assert_done(scored_games_read(&games, path, &error), error);
    assert_true(games.was_cut);
    assert_int_equal(games.count, 2);
    Span last = {text.data + games.file_size, text.length - games.file_size};
    assert_done(scored_games_append(path, games.file_size, last, &error), error);
    scored_games_close(&games);
    assert_done(scored_games_read(&games, path, &error), error);
    assert_int_equal(games.count, 3);
    assert_false(games.was_cut);
    scored_games_close(&games);
    (void)unlink(path);
    assert_failed(scored_games_append("/nowhere/x", 0, last, &error), STATUS_IO, error, "cannot write /nowhere/x");
    text_close(&text);
}

// --- The model ---

// The slopes by back-propagation are those of differences.
static void test_slopes(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=3");
    NetworkShapes shapes;
    TrainModel parts, model, slopes;
    Error error = {0};
    Rng rng = rng_make(3);
    uint32_t own[20][4], other[20][4];
    float times[20];
    assert_done(network_shapes_open(&shapes, &rules, &error), error);
    assert_done(train_model_open(&model, &shapes, &error), error);
    assert_done(train_model_open(&slopes, &shapes, &error), error);
    assert_done(train_model_open(&parts, &shapes, &error), error);
    train_model_begin(&parts, &rng);
    for (size_t i = 0; i < parts.count; i++)
        parts.numbers[i] *= 1.5F; // some numbers are clipped
    train_model_compose(&parts, &shapes, &model);
    for (unsigned cell = 0; cell < 20; cell++)
        times[cell] = (float)(1 + cell % 3);
    for (unsigned cell = 0; cell < 20; cell++)
        for (unsigned direction = 0; direction < 4; direction++) {
            own[cell][direction] = rng_below(&rng, shapes.count);
            other[cell][direction] = network_shape_exchanged(&shapes, own[cell][direction]);
        }
    static const float results[] = {0, 0.5F, 1};
    unsigned compared = 0;
    for (unsigned round = 0; round < 3; round++) {
        TrainPosition position = {.simple = 0.3F,
                                  .result = results[round],
                                  .expected = 0.3F,
                                  .share = 0.5F,
                                  .cells = 20,
                                  .times = times,
                                  .own = own,
                                  .other = other};
        memset(slopes.numbers, 0, slopes.count * sizeof(float));
        (void)train_model_loss(&model, &position, &slopes);
        train_model_share_slopes(&slopes, &shapes);
        for (unsigned i = 0; i < 400; i++) {
            size_t at = rng_below(&rng, (uint32_t)parts.count);
            const float step = 1.0F / 1024;
            float number = parts.numbers[at];
            parts.numbers[at] = number + step;
            train_model_compose(&parts, &shapes, &model);
            double above = train_model_loss(&model, &position, NULL);
            parts.numbers[at] = number - step;
            train_model_compose(&parts, &shapes, &model);
            double below = train_model_loss(&model, &position, NULL);
            parts.numbers[at] = number;
            double slope = (above - below) / (2 * (double)step), mine = (double)slopes.numbers[at];
            // Clipping bends the loss within a step here and there.
            compared += fabs(slope - mine) < 0.002 + 0.02 * fabs(slope);
        }
    }
    assert_true(compared >= 1190);
    train_model_close(&parts);
    train_model_close(&model);
    train_model_close(&slopes);
    network_shapes_close(&shapes);
}

// Rounded to a network, the model gives the same odds, nearly.
static void test_rounding(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=4");
    Network *network;
    NetworkShapes shapes;
    TrainModel model, again;
    PatternTables *tables;
    PatternBoard patterns;
    Game game;
    Error error = {0};
    Rng rng = rng_make(8);
    assert_done(network_new(&network, &rules, &error), error);
    assert_done(network_shapes_open(&shapes, &rules, &error), error);
    assert_done(train_model_open(&model, &shapes, &error), error);
    assert_done(train_model_open(&again, &shapes, &error), error);
    assert_done(pattern_tables_open(&tables, &rules, NULL, &error), error);
    pattern_board_open(&patterns, tables, &rules);
    train_model_begin(&again, &rng);
    train_model_compose(&again, &shapes, &model);
    train_model_round(&model, network);
    train_model_take(&again, network);
    for (size_t i = 0; i < model.count - (size_t)model.shared * NETWORK_WIDTH; i++)
        assert_true(fabsf(model.numbers[i] - again.numbers[i]) <= 0.5F / NETWORK_WEIGHT_ONE + 1e-6F);
    begin_game(&game, "9x9:k=4");
    play_text(&game, "e5 d4 e4 e6 d5");
    pattern_board_set(&patterns, &game.board);
    uint32_t own[81][4], other[81][4];
    float times[81];
    TrainPosition position = {.times = times, .own = other, .other = own}; // the second side is to move
    for (unsigned row = 0; row < 9; row++)
        for (unsigned column = 0; column < 9; column++) {
            if (!pattern_board_is_empty(&patterns, cell_at(column, row)))
                continue;
            network_cell_shapes(&shapes, &patterns, cell_at(column, row), own[position.cells]);
            for (unsigned i = 0; i < 4; i++)
                other[position.cells][i] = network_shape_exchanged(&shapes, own[position.cells][i]);
            times[position.cells++] = 1;
        }
    float odds[2];
    train_model_odds(&again, &position, odds);
    NetworkOdds rounded = network_odds_plain(network, &patterns, 0);
    assert_true(fabs((double)odds[0] * WEIGHTS_UNIT - rounded.win) < 3);
    assert_true(fabs((double)odds[1] * WEIGHTS_UNIT - rounded.loss) < 3);
    pattern_board_close(&patterns);
    pattern_tables_close(tables);
    train_model_close(&model);
    train_model_close(&again);
    network_shapes_close(&shapes);
    network_close(network);
}

// --- Training ---

typedef struct {
    TrainProgress first, last;
    unsigned steps, stop_at;
    atomic_bool stop;
} Watch;

static void watch(void *context, const TrainProgress *progress)
{
    Watch *self = context;
    self->steps++;
    if (progress->is_epoch && progress->epoch == 1)
        self->first = *progress;
    self->last = *progress;
    if (self->steps == self->stop_at)
        atomic_store(&self->stop, true);
}

static Status train(const ScoredGames *games, unsigned threads, const char *checkpoint, Watch *seen, Text *to,
                    Error *error)
{
    Trainer *trainer;
    Network *network;
    TrainReport report;
    TrainOptions options = train_options();
    options.epochs = 3;
    options.result_share = 0.5;
    options.threads = threads;
    options.checkpoint = checkpoint;
    options.progress = watch;
    options.context = seen;
    options.stop = &seen->stop;
    assert_done(trainer_open(&trainer, &games->rules, error), *error);
    assert_done(trainer_add(trainer, games, error), *error);
    assert_done(network_new(&network, &games->rules, error), *error);
    Status status = trainer_run(trainer, &options, network, &report, error);
    if (status == STATUS_OK) {
        assert_int_equal(report.games + report.held_games, games->count);
        network_format(network, to);
    }
    network_close(network);
    trainer_close(trainer);
    return status;
}

// Training lowers the loss, and gives the same network with two threads and after an interruption.
static void test_training(void **state)
{
    (void)state;
    char path[] = "/tmp/krow_training_XXXXXX";
    Text text = {0}, once = {0}, parallel = {0}, continued = {0};
    ScoredGames games;
    Error error = {0};
    static Watch seen, other, cut;
    temporary(path, false);
    play_games("7x7:k=4", 300, &text);
    assert_done(scored_games_parse(&games, (Span){text.data, text.length}, &error), error);
    assert_done(train(&games, 1, NULL, &seen, &once, &error), error);
    assert_true(seen.last.is_epoch && seen.last.epoch == 3);
    assert_true(seen.last.trained < seen.first.trained);
    assert_true(seen.last.result < seen.last.simple);
    assert_done(train(&games, 2, NULL, &other, &parallel, &error), error);
    assert_int_equal(once.length, parallel.length);
    assert_memory_equal(once.data, parallel.data, once.length);
    cut.stop_at = 13;
    assert_failed(train(&games, 1, path, &cut, &continued, &error), STATUS_INTERRUPTED, error, "interrupted");
    cut = (Watch){0};
    assert_done(train(&games, 2, path, &cut, &continued, &error), error);
    assert_true(cut.steps < seen.steps);
    assert_int_equal(once.length, continued.length);
    assert_memory_equal(once.data, continued.data, once.length);
    games.count--;
    assert_refused(train(&games, 1, path, &cut, &continued, &error), error,
                   "is a checkpoint of other games or options");
    games.count = 10;
    assert_failed(train(&games, 1, NULL, &cut, &continued, &error), STATUS_FAILED, error, "10 games are too few");
    (void)unlink(path);
    scored_games_close(&games);
    text_close(&text);
    text_close(&once);
    text_close(&parallel);
    text_close(&continued);
}

TEST_GROUP(train)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_self_play), cmocka_unit_test(test_varied),   cmocka_unit_test(test_damage),
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_append),   cmocka_unit_test(test_positions),
        cmocka_unit_test(test_slopes),    cmocka_unit_test(test_rounding), cmocka_unit_test(test_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
