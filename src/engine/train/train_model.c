// The floating-point model: evaluation, slopes by back-propagation, and rounding to a network.
#include "engine/train/train_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Vectors wider than the registers of the oldest processors are passed within this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

enum { FLOATS = 8, ROWS = NETWORK_WIDTH / FLOATS };
typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Masks __attribute__((vector_size(32)));

// Only in release builds, as in engine/eval/pattern_board.c.
#ifdef NDEBUG
#define TRAIN_UNROLLED _Pragma("GCC unroll 4")
#else
#define TRAIN_UNROLLED
#endif

static const float CELL_MOST = (NETWORK_CELL_ONE - 1) / (float)NETWORK_CELL_ONE, LAYER_MOST = 8;

// --- Memory ---

// The blocks begin at multiples of 32 bytes.
static size_t whole(size_t numbers)
{
    return (numbers + FLOATS - 1) / FLOATS * FLOATS;
}

Status train_model_open(TrainModel *model, const NetworkShapes *shapes, Error *error)
{
    size_t vectors = (size_t)shapes->count * NETWORK_WIDTH;
    size_t layers = whole(shapes->stages * sizeof(TrainLayers) / sizeof(float));
    unsigned shared = shapes->halves * (shapes->count / shapes->pairs);
    *model = (TrainModel){.shapes = shapes->count, .stages = shapes->stages, .shared = shared};
    model->count = vectors + NETWORK_WIDTH + layers + (size_t)shared * NETWORK_WIDTH;
    model->numbers = aligned_alloc(sizeof(Floats), model->count * sizeof(float));
    if (model->numbers == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the model");
    memset(model->numbers, 0, model->count * sizeof(float));
    model->vectors = (float(*)[NETWORK_WIDTH])(void *)model->numbers;
    model->bias = model->numbers + vectors;
    model->layers = (TrainLayers *)(void *)(model->bias + NETWORK_WIDTH);
    model->halves = (float(*)[NETWORK_WIDTH])(void *)(model->bias + NETWORK_WIDTH + layers);
    return STATUS_OK;
}

void train_model_close(TrainModel *model)
{
    free(model->numbers);
    *model = (TrainModel){0};
}

static float random_float(Rng *rng, float most)
{
    return ((float)(rng_next(rng) >> 40) / (float)(1 << 23) - 1) * most;
}

static void randomise(float *numbers, size_t count, float most, Rng *rng)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = random_float(rng, most);
}

void train_model_begin(TrainModel *parts, Rng *rng)
{
    // Uniform numbers with the variance 2 / inputs (He and others 2015); a draw is rare at first.
    static const float DRAWS_ARE_RARE = 3, LITTLE = 0.1F;
    memset(parts->numbers, 0, parts->count * sizeof(float));
    randomise(parts->halves[0], (size_t)parts->shared * NETWORK_WIDTH, LITTLE, rng);
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        parts->bias[i] = LITTLE;
    for (unsigned stage = 0; stage < parts->stages; stage++) {
        TrainLayers *layers = &parts->layers[stage];
        randomise(layers->first[0], (size_t)NETWORK_INPUTS * NETWORK_FIRST, sqrtf(6.0F / NETWORK_INPUTS), rng);
        randomise(layers->second[0], (size_t)NETWORK_FIRST * NETWORK_SECOND, sqrtf(6.0F / NETWORK_FIRST), rng);
        randomise(layers->last[0], (size_t)NETWORK_SECOND * NETWORK_OUTPUTS, LITTLE, rng);
        for (unsigned i = 0; i < NETWORK_OUTPUTS; i++)
            layers->last_bias[i] = DRAWS_ARE_RARE;
    }
}

// --- Parts ---

// Calls `run` for each shape with the parts of its half-lines.
typedef void EachShape(TrainModel *model, unsigned shape, unsigned first, unsigned second);

static void each_shape(const NetworkShapes *shapes, TrainModel *model, EachShape *run)
{
    unsigned kinds = shapes->count / shapes->pairs;
    for (unsigned kind = 0; kind < kinds; kind++)
        for (unsigned high = 0; high < shapes->halves; high++)
            for (unsigned low = 0; low <= high; low++)
                run(model, kind * shapes->pairs + network_pair(high, low), kind * shapes->halves + high,
                    kind * shapes->halves + low);
}

static void add_halves(TrainModel *model, unsigned shape, unsigned first, unsigned second)
{
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        model->vectors[shape][i] += model->halves[first][i] + model->halves[second][i];
}

static void add_slopes(TrainModel *slopes, unsigned shape, unsigned first, unsigned second)
{
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        slopes->halves[first][i] += slopes->vectors[shape][i];
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        slopes->halves[second][i] += slopes->vectors[shape][i];
}

void train_model_compose(const TrainModel *parts, const NetworkShapes *shapes, TrainModel *model)
{
    memcpy(model->numbers, parts->numbers, parts->count * sizeof(float));
    each_shape(shapes, model, add_halves);
    train_model_limit(model);
}

void train_model_share_slopes(TrainModel *slopes, const NetworkShapes *shapes)
{
    memset(slopes->halves, 0, (size_t)slopes->shared * NETWORK_WIDTH * sizeof(float));
    each_shape(shapes, slopes, add_slopes);
}

// --- Evaluation ---

// What one evaluation leaves for its slopes.
typedef struct {
    float inputs[NETWORK_INPUTS], first[NETWORK_FIRST], second[NETWORK_SECOND], odds[NETWORK_OUTPUTS];
} Pass;

static inline Floats row(const float *from)
{
    Floats row;
    memcpy(&row, from, sizeof row);
    return row;
}

static inline void add_row(float *to, Floats row)
{
    Floats sum;
    memcpy(&sum, to, sizeof sum);
    sum += row;
    memcpy(to, &sum, sizeof sum);
}

// The sums of the four vectors of a cell and the bias.
static inline void sum_cell(const TrainModel *model, const uint32_t shapes[4], Floats sums[ROWS])
{
    const float *a = model->vectors[shapes[0]], *b = model->vectors[shapes[1]], *c = model->vectors[shapes[2]],
                *d = model->vectors[shapes[3]];
    TRAIN_UNROLLED
    for (unsigned i = 0; i < ROWS; i++) {
        size_t at = (size_t)i * FLOATS;
        sums[i] = row(model->bias + at) + row(a + at) + row(b + at) + row(c + at) + row(d + at);
    }
}

static void view(const TrainModel *model, const TrainPosition *position, const uint32_t (*shapes)[4], float *inputs)
{
    const Floats most = (Floats){0} + CELL_MOST;
    Floats view[ROWS] = {{0}};
    for (unsigned cell = 0; cell < position->cells; cell++) {
        Floats sums[ROWS];
        const float times = position->times[cell];
        sum_cell(model, shapes[cell], sums);
        TRAIN_UNROLLED
        for (unsigned i = 0; i < ROWS; i++) {
            Masks above = sums[i] > most, positive = sums[i] > 0;
            Masks clipped = ((Masks)sums[i] & positive & ~above) | ((Masks)most & above);
            view[i] += (Floats)clipped * times;
        }
    }
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        inputs[i] = view[i / FLOATS][i % FLOATS] / NETWORK_VIEW_SHARE;
}

static float clipped(float output)
{
    return output < 0 ? 0 : output > LAYER_MOST ? LAYER_MOST : output;
}

static void evaluate(const TrainModel *model, const TrainPosition *position, Pass *pass)
{
    const TrainLayers *layers = &model->layers[position->stage];
    view(model, position, (const uint32_t(*)[4])position->own, pass->inputs);
    view(model, position, (const uint32_t(*)[4])position->other, pass->inputs + NETWORK_WIDTH);
    memcpy(pass->first, layers->first_bias, sizeof pass->first);
    for (unsigned i = 0; i < NETWORK_INPUTS; i++)
        for (unsigned j = 0; j < NETWORK_FIRST; j++)
            pass->first[j] += pass->inputs[i] * layers->first[i][j];
    memcpy(pass->second, layers->second_bias, sizeof pass->second);
    for (unsigned i = 0; i < NETWORK_FIRST; i++)
        for (unsigned j = 0; j < NETWORK_SECOND; j++)
            pass->second[j] += clipped(pass->first[i]) * layers->second[i][j];
    memcpy(pass->odds, layers->last_bias, sizeof pass->odds);
    for (unsigned i = 0; i < NETWORK_SECOND; i++)
        for (unsigned j = 0; j < NETWORK_OUTPUTS; j++)
            pass->odds[j] += clipped(pass->second[i]) * layers->last[i][j];
    pass->odds[0] += position->simple / 2;
    pass->odds[1] -= position->simple / 2;
}

void train_model_odds(const TrainModel *model, const TrainPosition *position, float odds[2])
{
    Pass pass;
    evaluate(model, position, &pass);
    memcpy(odds, pass.odds, sizeof pass.odds);
}

// --- Loss ---

typedef struct {
    double win, draw, loss;
} Chances;

static Chances chances_of(const float odds[2])
{
    double a = (double)odds[0], b = (double)odds[1], most = fmax(0, fmax(a, b));
    double win = exp(a - most), loss = exp(b - most), draw = exp(-most), sum = win + draw + loss;
    return (Chances){win / sum, draw / sum, loss / sum};
}

static double logarithm(double chance)
{
    return log(fmax(chance, 1e-9));
}

// The loss, and its slopes by both odds.
static double loss_of(const TrainPosition *position, const Chances *chances, float slopes[2])
{
    const double share = (double)position->share;
    double won = position->result > 0.75F, lost = position->result < 0.25F, target = position->expected;
    double result = won > 0 ? chances->win : lost > 0 ? chances->loss : chances->draw;
    double expected = fmin(fmax(chances->win + chances->draw / 2, 1e-6), 1 - 1e-6), away = expected - target;
    slopes[0] = (float)(share * (chances->win - won) + (1 - share) * away * chances->win / expected);
    slopes[1] = (float)(share * (chances->loss - lost) - (1 - share) * away * chances->loss / (1 - expected));
    return -share * logarithm(result) -
           (1 - share) * (target * logarithm(expected) + (1 - target) * logarithm(1 - expected));
}

// --- Slopes ---

// Adds the slopes of one view to those of the vectors of its cells.
static void slope_view(const TrainModel *model, const TrainPosition *position, const uint32_t (*shapes)[4],
                       const float *slopes, TrainModel *to)
{
    const Floats most = (Floats){0} + CELL_MOST;
    Floats by[ROWS], bias[ROWS] = {{0}};
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        by[i / FLOATS][i % FLOATS] = slopes[i] / NETWORK_VIEW_SHARE;
    for (unsigned cell = 0; cell < position->cells; cell++) {
        Floats sums[ROWS];
        const float times = position->times[cell];
        sum_cell(model, shapes[cell], sums);
        TRAIN_UNROLLED
        for (unsigned i = 0; i < ROWS; i++) {
            Masks inside = (sums[i] > 0) & (sums[i] < most);
            Floats slope = (Floats)((Masks)(by[i] * times) & inside);
            bias[i] += slope;
            TRAIN_UNROLLED
            for (unsigned direction = 0; direction < 4; direction++)
                add_row(to->vectors[shapes[cell][direction]] + (size_t)i * FLOATS, slope);
        }
    }
    for (unsigned i = 0; i < NETWORK_WIDTH; i++)
        to->bias[i] += bias[i / FLOATS][i % FLOATS];
}

// Whether a clipped output passes slopes on.
static bool is_inside(float output)
{
    return output > 0 && output < LAYER_MOST;
}

static void slope_layers(const TrainLayers *layers, const Pass *pass, const float odds[2], TrainLayers *to,
                         float inputs[NETWORK_INPUTS])
{
    float first[NETWORK_FIRST], second[NETWORK_SECOND];
    for (unsigned j = 0; j < NETWORK_OUTPUTS; j++)
        to->last_bias[j] += odds[j];
    for (unsigned i = 0; i < NETWORK_SECOND; i++) {
        second[i] = 0;
        for (unsigned j = 0; j < NETWORK_OUTPUTS; j++) {
            to->last[i][j] += clipped(pass->second[i]) * odds[j];
            second[i] += layers->last[i][j] * odds[j];
        }
        second[i] = is_inside(pass->second[i]) ? second[i] : 0;
        to->second_bias[i] += second[i];
    }
    for (unsigned i = 0; i < NETWORK_FIRST; i++) {
        first[i] = 0;
        for (unsigned j = 0; j < NETWORK_SECOND; j++) {
            to->second[i][j] += clipped(pass->first[i]) * second[j];
            first[i] += layers->second[i][j] * second[j];
        }
        first[i] = is_inside(pass->first[i]) ? first[i] : 0;
        to->first_bias[i] += first[i];
    }
    for (unsigned i = 0; i < NETWORK_INPUTS; i++) {
        inputs[i] = 0;
        for (unsigned j = 0; j < NETWORK_FIRST; j++) {
            to->first[i][j] += pass->inputs[i] * first[j];
            inputs[i] += layers->first[i][j] * first[j];
        }
    }
}

double train_model_loss(const TrainModel *model, const TrainPosition *position, TrainModel *slopes)
{
    Pass pass;
    float odds[2], inputs[NETWORK_INPUTS];
    evaluate(model, position, &pass);
    Chances chances = chances_of(pass.odds);
    double loss = loss_of(position, &chances, odds);
    if (slopes == NULL)
        return loss;
    slope_layers(&model->layers[position->stage], &pass, odds, &slopes->layers[position->stage], inputs);
    slope_view(model, position, (const uint32_t(*)[4])position->own, inputs, slopes);
    slope_view(model, position, (const uint32_t(*)[4])position->other, inputs + NETWORK_WIDTH, slopes);
    return loss;
}

TrainComparison train_model_compare(const TrainModel *model, const TrainPosition *position)
{
    Pass pass;
    evaluate(model, position, &pass);
    Chances chances = chances_of(pass.odds);
    double expected = chances.win + chances.draw / 2, simple = 1 / (1 + exp(-(double)position->simple));
    double result = position->result;
    return (TrainComparison){-result * logarithm(expected) - (1 - result) * logarithm(1 - expected),
                             -result * logarithm(simple) - (1 - result) * logarithm(1 - simple)};
}

// --- Rounding ---

static void limit(float *numbers, size_t count, float most)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = numbers[i] > most ? most : numbers[i] < -most ? -most : numbers[i];
}

static const float VECTOR_MOST = (float)NETWORK_VECTOR_MAX / NETWORK_VECTOR_ONE,
                   WEIGHT_MOST = (float)NETWORK_WEIGHT_MAX / NETWORK_WEIGHT_ONE;

void train_model_limit(TrainModel *model)
{
    limit(model->numbers, (size_t)model->shapes * NETWORK_WIDTH + NETWORK_WIDTH, VECTOR_MOST);
    for (unsigned stage = 0; stage < model->stages; stage++)
        limit((float *)&model->layers[stage], sizeof(TrainLayers) / sizeof(float), WEIGHT_MOST);
}

static void round_short(const float *from, int16_t *to, size_t count, int one)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int16_t)lrintf(from[i] * (float)one);
}

static void round_long(const float *from, int32_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int32_t)lrintf(from[i] * (float)(NETWORK_LAYER_ONE * NETWORK_WEIGHT_ONE));
}

void train_model_round(const TrainModel *model, Network *network)
{
    round_short(model->vectors[0], network->vectors, (size_t)model->shapes * NETWORK_WIDTH, NETWORK_VECTOR_ONE);
    round_short(model->bias, network->bias, NETWORK_WIDTH, NETWORK_VECTOR_ONE);
    for (unsigned stage = 0; stage < model->stages; stage++) {
        const TrainLayers *from = &model->layers[stage];
        NetworkLayers *to = &network->layers[stage];
        round_short(from->first[0], to->first[0], (size_t)NETWORK_INPUTS * NETWORK_FIRST, NETWORK_WEIGHT_ONE);
        round_short(from->second[0], to->second[0], (size_t)NETWORK_FIRST * NETWORK_SECOND, NETWORK_WEIGHT_ONE);
        round_short(from->last[0], to->last[0], (size_t)NETWORK_SECOND * NETWORK_OUTPUTS, NETWORK_WEIGHT_ONE);
        round_long(from->first_bias, to->first_bias, NETWORK_FIRST);
        round_long(from->second_bias, to->second_bias, NETWORK_SECOND);
        round_long(from->last_bias, to->last_bias, NETWORK_OUTPUTS);
    }
    network_prepare(network);
}

static void take_short(const int16_t *from, float *to, size_t count, int one)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)from[i] / (float)one;
}

static void take_long(const int32_t *from, float *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)from[i] / (float)(NETWORK_LAYER_ONE * NETWORK_WEIGHT_ONE);
}

void train_model_take(TrainModel *model, const Network *network)
{
    take_short(network->vectors, model->vectors[0], (size_t)model->shapes * NETWORK_WIDTH, NETWORK_VECTOR_ONE);
    take_short(network->bias, model->bias, NETWORK_WIDTH, NETWORK_VECTOR_ONE);
    for (unsigned stage = 0; stage < model->stages; stage++) {
        const NetworkLayers *from = &network->layers[stage];
        TrainLayers *to = &model->layers[stage];
        take_short(from->first[0], to->first[0], (size_t)NETWORK_INPUTS * NETWORK_FIRST, NETWORK_WEIGHT_ONE);
        take_short(from->second[0], to->second[0], (size_t)NETWORK_FIRST * NETWORK_SECOND, NETWORK_WEIGHT_ONE);
        take_short(from->last[0], to->last[0], (size_t)NETWORK_SECOND * NETWORK_OUTPUTS, NETWORK_WEIGHT_ONE);
        take_long(from->first_bias, to->first_bias, NETWORK_FIRST);
        take_long(from->second_bias, to->second_bias, NETWORK_SECOND);
        take_long(from->last_bias, to->last_bias, NETWORK_OUTPUTS);
    }
}
