// Training: positions of games, batches in several threads, and the optimiser.
#include "engine/train/trainer.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/train/train_positions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOLD_OUT = 16,   // one game in this many is held out
    CHUNKS = 8,      // parts of a batch, each with slopes of its own, so that results do not depend on threads
    CHUNK_GAMES = 4, // games of a part
    BATCH_GAMES = CHUNKS * CHUNK_GAMES,
    SAVE_SECONDS = 60, // between checkpoints
};

// Adam: the shares of the old averages of slopes and of their squares.
static const float KEEP_SLOPES = 0.9F, KEEP_SQUARES = 0.999F, LEAST = 1e-8F;

typedef struct {
    const ScoredGames *games;
    unsigned number;
} GamePlace;

// Sums over positions.
typedef struct {
    double loss, result, simple;
    uint64_t positions, results; // results: positions whose result counts
} Sums;

struct Trainer {
    TrainFamily family;
    GamePlace *learned, *held;
    size_t learned_capacity, held_capacity;
    unsigned learned_count, held_count;
    TrainModel parts, model, slopes[CHUNKS];
    float *averages, *squares; // owned; of slopes
    TrainPositions *readers;   // owned; by thread
    unsigned threads;
    Sums sums[CHUNKS];
    const GamePlace *batch; // the games being looked at
    unsigned batch_count;
    const TrainOptions *options;
    uint64_t step, steps;
    double saved; // when the last checkpoint was written
};

TrainOptions train_options(void)
{
    return (TrainOptions){.epochs = 4, .threads = 1, .rate = 0.002, .seed = 1};
}

// --- Memory ---

Status trainer_open(Trainer **opened, const Rules *rules, Error *error)
{
    Trainer *trainer = memory_new(1, sizeof *trainer);
    *opened = NULL;
    Status status = train_family_open(&trainer->family, rules, error);
    if (status == STATUS_OK)
        status = train_model_open(&trainer->model, &trainer->family.shapes, error);
    if (status == STATUS_OK)
        status = train_model_open(&trainer->parts, &trainer->family.shapes, error);
    for (unsigned i = 0; i < CHUNKS && status == STATUS_OK; i++)
        status = train_model_open(&trainer->slopes[i], &trainer->family.shapes, error);
    if (status != STATUS_OK) {
        trainer_close(trainer);
        return status;
    }
    trainer->averages = memory_new(trainer->model.count, sizeof(float));
    trainer->squares = memory_new(trainer->model.count, sizeof(float));
    *opened = trainer;
    return STATUS_OK;
}

static void close_readers(Trainer *trainer)
{
    for (unsigned i = 0; i < trainer->threads; i++)
        train_positions_close(&trainer->readers[i]);
    free(trainer->readers);
    trainer->readers = NULL;
    trainer->threads = 0;
}

void trainer_close(Trainer *trainer)
{
    if (trainer == NULL)
        return;
    close_readers(trainer);
    for (unsigned i = 0; i < CHUNKS; i++)
        train_model_close(&trainer->slopes[i]);
    train_model_close(&trainer->model);
    train_model_close(&trainer->parts);
    train_family_close(&trainer->family);
    free(trainer->averages);
    free(trainer->squares);
    free(trainer->learned);
    free(trainer->held);
    free(trainer);
}

Status trainer_add(Trainer *trainer, const ScoredGames *games, Error *error)
{
    const Rules *a = &games->rules, *b = &trainer->family.rules;
    if (a->k != b->k || a->p != b->p || a->gravity != b->gravity || a->exact != b->exact)
        return error_set(error, STATUS_BAD_INPUT, "the games are of another family of rules");
    for (unsigned i = 0; i < games->count; i++) {
        bool is_held = i % HOLD_OUT == 0;
        GamePlace **list = is_held ? &trainer->held : &trainer->learned;
        unsigned *count = is_held ? &trainer->held_count : &trainer->learned_count;
        *list = array_grow(*list, is_held ? &trainer->held_capacity : &trainer->learned_capacity, *count + 1,
                           sizeof **list);
        (*list)[(*count)++] = (GamePlace){games, i};
    }
    return STATUS_OK;
}

// --- Batches ---

typedef struct {
    const Trainer *trainer;
    TrainModel *slopes; // NULL: held out
    Sums *sums;
} Look;

static void look_at(void *context, const TrainPosition *position)
{
    Look *look = context;
    look->sums->loss += train_model_loss(&look->trainer->model, position, look->slopes);
    look->sums->positions++;
    if (look->slopes != NULL)
        return;
    if (!position->has_result)
        return;
    TrainComparison comparison = train_model_compare(&look->trainer->model, position);
    look->sums->results++;
    look->sums->result += comparison.model;
    look->sums->simple += comparison.simple;
}

static bool look_at_chunk(void *context, unsigned thread, uint64_t chunk, bool learns)
{
    Trainer *trainer = context;
    Look look = {trainer, learns ? &trainer->slopes[chunk] : NULL, &trainer->sums[chunk]};
    if (learns)
        memset(look.slopes->numbers, 0, look.slopes->count * sizeof(float));
    for (unsigned i = (unsigned)chunk; i < trainer->batch_count; i += CHUNKS)
        train_positions_each(&trainer->readers[thread], trainer->batch[i].games, trainer->batch[i].number, look_at,
                             &look);
    return true;
}

static bool learn_chunk(void *context, unsigned thread, uint64_t chunk)
{
    return look_at_chunk(context, thread, chunk, true);
}

static bool test_chunk(void *context, unsigned thread, uint64_t chunk)
{
    return look_at_chunk(context, thread, chunk, false);
}

static Sums look_at_all(Trainer *trainer, const GamePlace *games, unsigned count, ParallelItem *chunk)
{
    Sums all = {0};
    trainer->batch = games;
    trainer->batch_count = count;
    memset(trainer->sums, 0, sizeof trainer->sums);
    (void)parallel_for(trainer->threads, CHUNKS, chunk, trainer);
    for (unsigned i = 0; i < CHUNKS; i++) {
        all.loss += trainer->sums[i].loss;
        all.result += trainer->sums[i].result;
        all.simple += trainer->sums[i].simple;
        all.positions += trainer->sums[i].positions;
        all.results += trainer->sums[i].results;
    }
    return all;
}

// --- The optimiser ---

static double rate_now(const Trainer *trainer)
{
    static const double PI = 3.14159265358979323846;
    return trainer->options->rate * 0.5 * (1 + cos(PI * (double)trainer->step / (double)trainer->steps));
}

// Adds up the slopes of all chunks in the first one.
static void sum_slopes(Trainer *trainer)
{
    float *sum = trainer->slopes[0].numbers;
    for (unsigned chunk = 1; chunk < CHUNKS; chunk++) {
        const float *slopes = trainer->slopes[chunk].numbers;
        for (size_t i = 0; i < trainer->parts.count; i++)
            sum[i] += slopes[i];
    }
    train_model_share_slopes(&trainer->slopes[0], &trainer->family.shapes);
}

static void take_step(Trainer *trainer, uint64_t positions)
{
    float *numbers = trainer->parts.numbers;
    const float *slopes = trainer->slopes[0].numbers;
    sum_slopes(trainer);
    trainer->step++;
    double first = 1 - pow((double)KEEP_SLOPES, (double)trainer->step);
    double second = 1 - pow((double)KEEP_SQUARES, (double)trainer->step);
    float rate = (float)(rate_now(trainer) * sqrt(second) / first), share = 1 / (float)positions;
    for (size_t i = 0; i < trainer->parts.count; i++) {
        float slope = slopes[i] * share;
        trainer->averages[i] = KEEP_SLOPES * trainer->averages[i] + (1 - KEEP_SLOPES) * slope;
        trainer->squares[i] = KEEP_SQUARES * trainer->squares[i] + (1 - KEEP_SQUARES) * slope * slope;
        numbers[i] -= rate * trainer->averages[i] / (sqrtf(trainer->squares[i]) + LEAST);
    }
    train_model_limit(&trainer->parts);
    train_model_compose(&trainer->parts, &trainer->family.shapes, &trainer->model);
}

// --- Checkpoints ---

// What identifies a training; a checkpoint of another one is an error.
static void format_head(const Trainer *trainer, char head[160])
{
    const TrainOptions *options = trainer->options;
    (void)snprintf(head, 160, "krow training 1\n%u %u games, %u epochs, rate %g, results %g, seed %llu, %zu numbers\n",
                   trainer->learned_count, trainer->held_count, options->epochs, options->rate, options->result_share,
                   (unsigned long long)options->seed, trainer->model.count);
}

static Status save(Trainer *trainer, Error *error)
{
    char head[160];
    Text text = {0};
    size_t bytes = trainer->model.count * sizeof(float);
    if (trainer->options->checkpoint == NULL)
        return STATUS_OK;
    format_head(trainer, head);
    text_add(&text, "%sstep %llu\n", head, (unsigned long long)trainer->step);
    text_add_span(&text, (Span){(const char *)trainer->parts.numbers, bytes});
    text_add_span(&text, (Span){(const char *)trainer->averages, bytes});
    text_add_span(&text, (Span){(const char *)trainer->squares, bytes});
    Status status = file_write(trainer->options->checkpoint, (Span){text.data, text.length}, error);
    text_close(&text);
    trainer->saved = clock_seconds();
    return status;
}

static bool take_checkpoint(Trainer *trainer, Span content)
{
    char head[160];
    Span line = {0};
    int64_t step;
    size_t bytes = trainer->model.count * sizeof(float);
    format_head(trainer, head);
    size_t length = strlen(head);
    if (content.length < length || memcmp(content.at, head, length) != 0)
        return false;
    content = (Span){content.at + length, content.length - length};
    if (!span_next_part(&content, '\n', &line) || line.length < 5 || content.length != 3 * bytes ||
        !span_to_int((Span){line.at + 5, line.length - 5}, 0, (int64_t)trainer->steps, &step))
        return false;
    trainer->step = (uint64_t)step;
    memcpy(trainer->parts.numbers, content.at, bytes);
    memcpy(trainer->averages, content.at + bytes, bytes);
    memcpy(trainer->squares, content.at + 2 * bytes, bytes);
    return true;
}

// Continues from the checkpoint if there is one.
static Status resume(Trainer *trainer, Error *error)
{
    static const size_t FILE_MOST = (size_t)1 << 30;
    const char *path = trainer->options->checkpoint;
    Text text = {0};
    if (path == NULL || file_read(path, FILE_MOST, &text, NULL) != STATUS_OK) {
        text_close(&text);
        return STATUS_OK;
    }
    bool fits = take_checkpoint(trainer, (Span){text.data, text.length});
    text_close(&text);
    return fits ? STATUS_OK
                : error_set(error, STATUS_BAD_INPUT,
                            "%s is a checkpoint of other games or options; remove it to start afresh", path);
}

// --- Epochs ---

static unsigned batches_of(const Trainer *trainer)
{
    return (trainer->learned_count + BATCH_GAMES - 1) / BATCH_GAMES;
}

static void report(const Trainer *trainer, const TrainProgress *progress)
{
    if (trainer->options->progress != NULL)
        trainer->options->progress(trainer->options->context, progress);
}

// Trains one epoch from its first step that is still to be done; `games` are in the order of the epoch.
static Status train_epoch(Trainer *trainer, const GamePlace *games, TrainProgress *progress, Error *error)
{
    unsigned batches = batches_of(trainer);
    Sums epoch = {0};
    for (unsigned batch = (unsigned)(trainer->step % batches); batch < batches; batch++) {
        unsigned first = batch * BATCH_GAMES, left = trainer->learned_count - first;
        Sums sums = look_at_all(trainer, games + first, left < BATCH_GAMES ? left : BATCH_GAMES, learn_chunk);
        take_step(trainer, sums.positions > 0 ? sums.positions : 1);
        epoch.loss += sums.loss;
        epoch.positions += sums.positions;
        progress->trained = epoch.positions > 0 ? epoch.loss / (double)epoch.positions : 0;
        progress->done = (double)trainer->step / (double)trainer->steps;
        report(trainer, progress);
        bool stops = stop_is_raised(trainer->options->stop);
        if (stops || clock_seconds() > trainer->saved + SAVE_SECONDS) {
            Status status = save(trainer, error);
            if (status != STATUS_OK || stops)
                return status != STATUS_OK ? status : error_set(error, STATUS_INTERRUPTED, "interrupted");
        }
    }
    return STATUS_OK;
}

static void test_epoch(Trainer *trainer, TrainProgress *progress, TrainReport *to)
{
    Sums sums = look_at_all(trainer, trainer->held, trainer->held_count, test_chunk);
    double positions = sums.positions > 0 ? (double)sums.positions : 1;
    double results = sums.results > 0 ? (double)sums.results : 1;
    progress->is_epoch = true;
    progress->held = sums.loss / positions;
    progress->result = sums.result / results;
    progress->simple = sums.simple / results;
    to->held_positions = sums.positions;
    report(trainer, progress);
}

static Status train_all(Trainer *trainer, TrainReport *to, Error *error)
{
    unsigned batches = batches_of(trainer);
    GamePlace *games = memory_new(trainer->learned_count, sizeof *games);
    Status status = STATUS_OK;
    for (uint64_t epoch = trainer->step / batches; epoch < trainer->options->epochs && status == STATUS_OK; epoch++) {
        TrainProgress progress = {.epoch = (unsigned)epoch + 1, .epochs = trainer->options->epochs};
        Rng rng = rng_make(rng_derive(trainer->options->seed, epoch + 1));
        memcpy(games, trainer->learned, trainer->learned_count * sizeof *games);
        rng_shuffle(&rng, games, trainer->learned_count, sizeof *games);
        status = train_epoch(trainer, games, &progress, error);
        if (status == STATUS_OK)
            test_epoch(trainer, &progress, to);
        to->last = progress;
    }
    free(games);
    return status;
}

static Status check_options(const Trainer *trainer, Error *error)
{
    if (trainer->learned_count < BATCH_GAMES || trainer->held_count == 0)
        return error_set(error, STATUS_FAILED, "%u games are too few to train on; %u is the minimum",
                         trainer->learned_count + trainer->held_count, BATCH_GAMES + BATCH_GAMES / HOLD_OUT + 1);
    return STATUS_OK;
}

Status trainer_run(Trainer *trainer, const TrainOptions *options, Network *network, TrainReport *to, Error *error)
{
    Rng rng = rng_make(options->seed);
    *to = (TrainReport){.games = trainer->learned_count, .held_games = trainer->held_count};
    Status status = check_options(trainer, error);
    if (status != STATUS_OK)
        return status;
    trainer->options = options;
    trainer->step = 0;
    trainer->steps = (uint64_t)batches_of(trainer) * options->epochs;
    trainer->saved = clock_seconds();
    trainer->threads = options->threads > 0 ? options->threads : 1;
    trainer->readers = memory_new(trainer->threads, sizeof *trainer->readers);
    for (unsigned i = 0; i < trainer->threads; i++)
        trainer->readers[i] =
            (TrainPositions){.family = &trainer->family, .result_share = (float)options->result_share};
    train_model_begin(&trainer->parts, &rng);
    memset(trainer->averages, 0, trainer->model.count * sizeof(float));
    memset(trainer->squares, 0, trainer->model.count * sizeof(float));
    status = resume(trainer, error);
    train_model_compose(&trainer->parts, &trainer->family.shapes, &trainer->model);
    if (status == STATUS_OK)
        status = train_all(trainer, to, error);
    if (status == STATUS_OK)
        train_model_round(&trainer->model, network);
    close_readers(trainer);
    return status;
}
