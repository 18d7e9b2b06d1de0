// krow train: the generations.
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "lab/train/train_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_GAMES = 64 }; // games between two writes

static const double PLAY_SHARE = 0.6; // of the hours, for self-play

// --- Self-play ---

typedef struct {
    const TrainRun *run;
    SelfPlay **players; // by thread
    ScoredGame *games;  // of the block
    unsigned first;     // number of its first game
    Status status;
    Error *error;
} Block;

static bool play_game(void *context, unsigned thread, uint64_t item)
{
    Block *block = context;
    Error error = {0};
    Status status = self_play_game(block->players[thread], block->first + item, block->run->options->stop,
                                   &block->games[item], &error);
    if (status == STATUS_OK)
        return true;
    block->status = error_set(block->error, status, "%s", error.text);
    return false;
}

static Status play_block(Block *block, unsigned count, const char *path, size_t *size, Error *error)
{
    Text text = {0};
    block->status = STATUS_OK;
    (void)parallel_for(block->run->options->jobs, count, play_game, block);
    for (unsigned i = 0; i < count && block->status == STATUS_OK; i++)
        scored_games_add(&block->games[i], &text);
    Status status = block->status;
    if (status == STATUS_OK)
        status = scored_games_append(path, *size, (Span){text.data, text.length}, error);
    *size += text.length;
    text_close(&text);
    return status;
}

static void show_games(const TrainRun *run, unsigned number, unsigned games, double began, unsigned before)
{
    const TrainRunOptions *options = run->options;
    double seconds = clock_seconds() - began, speed = seconds > 0 ? (games - before) / seconds : 0;
    Text text = {0};
    text_add(&text, "generation %u: %u", number, games);
    if (options->hours <= 0)
        text_add(&text, " of %u", options->games);
    text_add(&text, " games, %.1f games/s", speed);
    if (options->hours <= 0 && speed > 0)
        progress_add_wait(&text, (options->games - games) / speed);
    reporter_show(options->reporter, "%s", text.data);
    text_close(&text);
}

// The moment at which self-play ends; INFINITY if the number of games decides.
static double play_until(const TrainRun *run)
{
    const TrainRunOptions *options = run->options;
    return options->hours > 0 ? run->began + 3600 * options->hours * PLAY_SHARE / options->generations : INFINITY;
}

static Status begin_games(const TrainRun *run, const char *path, unsigned number, unsigned *count, size_t *size,
                          Error *error)
{
    ScoredGames games;
    char name[TRAIN_PATH_SIZE];
    if (access(path, F_OK) == 0) {
        Status status = scored_games_read(&games, path, error);
        if (status == STATUS_OK) {
            *count = games.count;
            *size = games.file_size;
            scored_games_close(&games);
        }
        return status;
    }
    Text source = {0}, header = {0};
    train_network_name(run, run->best, name);
    const char *file = strrchr(name, '/');
    text_add(&source, "self-play of generation %u with the network '%s', %llu nodes, seed %llu, krow " KROW_VERSION,
             number, file != NULL ? file + 1 : name, (unsigned long long)run->options->nodes,
             (unsigned long long)run->options->seed);
    scored_games_header(&run->options->rules, (Span){source.data, source.length}, &header);
    Status status = file_write(path, (Span){header.data, header.length}, error);
    *size = header.length;
    text_close(&source);
    text_close(&header);
    return status;
}

static Status play_games(TrainRun *run, unsigned number, Error *error)
{
    const TrainRunOptions *options = run->options;
    TrainGeneration *generation = &run->generations[number - 1];
    char path[TRAIN_PATH_SIZE], network[TRAIN_PATH_SIZE];
    size_t size = 0;
    unsigned count = 0;
    train_path(run, path, "games-%u.scored", number);
    train_network_name(run, run->best, network);
    Status status = begin_games(run, path, number, &count, &size, error);
    SelfPlayOptions play = {.rules = options->rules,
                            .smallest = options->smallest,
                            .largest = options->largest,
                            .nodes = options->nodes,
                            .varied = options->varied,
                            .seed = rng_derive(options->seed, number),
                            .network = network};
    Block block = {.run = run,
                   .error = error,
                   .players = memory_new(options->jobs, sizeof(SelfPlay *)),
                   .games = memory_new(BLOCK_GAMES, sizeof *block.games)};
    for (unsigned i = 0; i < options->jobs; i++)
        block.players[i] = self_play_open(&play);
    double began = clock_seconds(), until = play_until(run);
    // At least one block, however little time there is.
    for (unsigned before = count;
         status == STATUS_OK && count < options->games && (count == 0 || clock_seconds() < until);) {
        unsigned left = options->games - count, games = left < BLOCK_GAMES ? left : BLOCK_GAMES;
        block.first = count;
        status = play_block(&block, games, path, &size, error);
        count += status == STATUS_OK ? games : 0;
        show_games(run, number, count, began, before);
    }
    for (unsigned i = 0; i < options->jobs; i++)
        self_play_close(block.players[i]);
    free(block.players);
    free(block.games);
    reporter_end(options->reporter);
    generation->games = count;
    return status;
}

// --- Training ---

typedef struct {
    const TrainRun *run;
    TrainGeneration *generation;
    unsigned number;
} Watch;

static void show_training(void *context, const TrainProgress *progress)
{
    Watch *watch = context;
    TrainGeneration *generation = watch->generation;
    reporter_show(watch->run->options->reporter, "generation %u: epoch %u of %u, %.0f %%, loss %.4f", watch->number,
                  progress->epoch, progress->epochs, 100 * progress->done, progress->trained);
    if (!progress->is_epoch || progress->epoch > TRAIN_EPOCHS_MAX)
        return;
    generation->epochs = progress->epoch;
    generation->epoch[progress->epoch - 1] =
        (TrainEpoch){progress->trained, progress->held, progress->result, progress->simple};
    (void)train_state_write(watch->run, NULL); // the losses of epochs before an interruption
    reporter_note(watch->run->options->reporter,
                  "generation %u, epoch %u: held-out loss %.4f; of results %.4f, without a network %.4f", watch->number,
                  progress->epoch, progress->held, progress->result, progress->simple);
}

static Status write_network(TrainRun *run, unsigned number, Network *network, Error *error)
{
    const TrainRunOptions *options = run->options;
    const TrainGeneration *generation = &run->generations[number - 1];
    const TrainEpoch *last = &generation->epoch[generation->epochs > 0 ? generation->epochs - 1 : 0];
    char path[TRAIN_PATH_SIZE], game[RULES_TEXT_SIZE];
    Text text = {0};
    rules_format(&options->rules, game);
    text_add(&network->source, "krow train %s", game);
    if (options->largest > 0)
        text_add(&network->source, " --sizes %u-%u", options->smallest, options->largest);
    text_add(&network->source, " --games %u --nodes %llu --varied %u --epochs %u --rate %g --results %u --seed %llu\n",
             options->games, (unsigned long long)options->nodes, options->varied, options->epochs, options->rate,
             options->results, (unsigned long long)options->seed);
    text_add(&network->source,
             "generation %u: %u games, %u of them new; loss over held-out games %.4f, without a "
             "network %.4f, krow " KROW_VERSION "\n",
             number, generation->all_games, generation->games, last->result, last->simple);
    network->smallest = options->smallest;
    network->largest = options->largest;
    network_format(network, &text);
    train_path(run, path, "network-%u.net", number);
    Status status = file_write(path, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status train_on(TrainRun *run, unsigned number, Trainer *trainer, Error *error)
{
    const TrainRunOptions *options = run->options;
    TrainGeneration *generation = &run->generations[number - 1];
    Watch watch = {run, generation, number};
    char path[TRAIN_PATH_SIZE];
    Network *network;
    TrainReport report;
    TrainOptions how = train_options();
    train_path(run, path, "training-%u.checkpoint", number);
    how.epochs = options->epochs;
    how.threads = options->jobs;
    how.rate = options->rate;
    how.result_share = options->results / 100.0;
    how.seed = rng_derive(options->seed, TRAIN_GENERATIONS_MAX + number);
    how.checkpoint = path;
    how.stop = options->stop;
    how.progress = show_training;
    how.context = &watch;
    Status status = network_new(&network, &options->rules, error);
    if (status != STATUS_OK)
        return status;
    status = trainer_run(trainer, &how, network, &report, error);
    reporter_end(options->reporter);
    generation->all_games = report.games + report.held_games;
    generation->positions = report.held_positions;
    if (status == STATUS_OK)
        status = write_network(run, number, network, error);
    network_close(network);
    if (status == STATUS_OK)
        (void)unlink(path);
    return status;
}

static Status train(TrainRun *run, unsigned number, Error *error)
{
    Trainer *trainer;
    ScoredGames *games = memory_new(number, sizeof *games);
    Status status = trainer_open(&trainer, &run->options->rules, error);
    for (unsigned i = 0; i < number && status == STATUS_OK; i++) {
        char path[TRAIN_PATH_SIZE];
        train_path(run, path, "games-%u.scored", i + 1);
        status = scored_games_read(&games[i], path, error);
        if (status == STATUS_OK)
            status = trainer_add(trainer, &games[i], error);
    }
    if (status == STATUS_OK)
        status = train_on(run, number, trainer, error);
    trainer_close(trainer);
    for (unsigned i = 0; i < number; i++)
        scored_games_close(&games[i]);
    free(games);
    return status;
}

// --- Generations ---

static Status copy_best(const TrainRun *run, Error *error)
{
    static const size_t NETWORK_FILE_MOST = (size_t)64 << 20;
    char from[TRAIN_PATH_SIZE], to[TRAIN_PATH_SIZE];
    Text text = {0};
    train_network_name(run, run->best, from);
    train_path(run, to, "network.net");
    Status status = file_read(from, NETWORK_FILE_MOST, &text, error);
    if (status == STATUS_OK)
        status = file_write(to, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status finish(TrainRun *run, unsigned number, Error *error)
{
    TrainGeneration *generation = &run->generations[number - 1];
    Status status = STATUS_OK;
    if (run->options->gate_games > 0)
        status = train_gate(run, number, error);
    else
        generation->is_best = true;
    if (status != STATUS_OK)
        return status;
    generation->is_finished = true;
    if (generation->is_best) {
        run->best = number;
        status = copy_best(run, error);
    }
    return status == STATUS_OK ? train_state_write(run, error) : status;
}

// The parts of a generation that are missing.
static Status run_generation(TrainRun *run, unsigned number, Error *error)
{
    TrainGeneration *generation = &run->generations[number - 1];
    if (generation->is_finished)
        return STATUS_OK;
    run->count = number;
    Status status = train_state_write(run, error);
    if (status == STATUS_OK && !generation->has_network) {
        status = play_games(run, number, error);
        if (status == STATUS_OK)
            status = train(run, number, error);
        generation->has_network = status == STATUS_OK;
        if (status == STATUS_OK)
            status = train_state_write(run, error);
    }
    return status == STATUS_OK ? finish(run, number, error) : status;
}

Status train_run(TrainRun *run, const TrainRunOptions *options, Error *error)
{
    SelfPlayOptions play = {.rules = options->rules,
                            .smallest = options->smallest,
                            .largest = options->largest,
                            .nodes = options->nodes,
                            .network = options->from};
    *run = (TrainRun){.options = options, .began = clock_seconds()};
    Network *network = NULL;
    Status status = self_play_check(&play, error);
    if (status == STATUS_OK && !network_suits(&options->rules))
        status = network_new(&network, &options->rules, error); // the reason
    if (status == STATUS_OK)
        status = network_read(&network, options->from, &options->rules, error);
    network_close(network);
    if (status == STATUS_OK)
        status = file_make_folder(options->folder, error);
    if (status == STATUS_OK)
        status = train_state_read(run, error);
    for (unsigned number = 1; number <= options->generations && status == STATUS_OK; number++)
        status = run_generation(run, number, error);
    return status;
}
