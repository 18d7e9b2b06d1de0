// The network (engine/eval/network.h) in floating-point numbers, with its slopes, for training.
#pragma once

#include "base/rng.h"
#include "engine/eval/network.h"

// Numbers of one set of layers.
typedef struct {
    float first[NETWORK_INPUTS][NETWORK_FIRST], first_bias[NETWORK_FIRST];
    float second[NETWORK_FIRST][NETWORK_SECOND], second_bias[NETWORK_SECOND];
    float last[NETWORK_SECOND][NETWORK_OUTPUTS], last_bias[NETWORK_OUTPUTS];
} TrainLayers;

// All numbers of a model, or one slope for each, in one block: the vectors, the bias of cells, the layers, and the
// shared parts of vectors.
//
// A rare shape should be like similar ones. So while a model is trained, the vector of a shape is the sum of a part for
// each of its half-lines, which many shapes share, and one of its own: train_model_compose adds them up.
typedef struct {
    size_t count;
    unsigned shapes, stages, shared; // shared: number of half-lines, for each kind of cell
    float *numbers;                  // owned
    float (*vectors)[NETWORK_WIDTH];
    float *bias;
    TrainLayers *layers;
    float (*halves)[NETWORK_WIDTH];
} TrainModel;

// A position: the shapes of its empty cells, seen by the side to move. Cells with the same shapes may be combined.
typedef struct {
    unsigned stage;  // stones left in the turn, less one
    float simple;    // the simpler evaluation, as the logarithm of odds
    float result;    // of the game: 1 won, 0.5 drawn, 0 lost
    float share;     // of the loss that is for the result; the rest is for the score of the search
    bool has_result; // it counts: no later turn was varied
    float expected;  // by the search: the expected result from 0 to 1
    unsigned cells;
    const float *times;              // borrowed; how many cells have these shapes
    uint32_t (*own)[4], (*other)[4]; // borrowed; shapes for the side to move, and seen by the other side
} TrainPosition;

Status train_model_open(TrainModel *model, const NetworkShapes *shapes, Error *error);
void train_model_close(TrainModel *model); // safe on a zeroed one

// Small random numbers as parts; a model composed of them is close to the simpler evaluation.
void train_model_begin(TrainModel *parts, Rng *rng);

// The model with the sums of the parts.
void train_model_compose(const TrainModel *parts, const NetworkShapes *shapes, TrainModel *model);

// Slopes of a model as slopes of its parts.
void train_model_share_slopes(TrainModel *slopes, const NetworkShapes *shapes);

// The odds of a position by the model: the logarithms of a win and of a loss over a draw.
void train_model_odds(const TrainModel *model, const TrainPosition *position, float odds[2]);

// The loss of a position: the average of the negative logarithms of the probability of its result, and of the expected
// result under the prediction. Adds the slopes of the loss to `slopes`, unless NULL.
double train_model_loss(const TrainModel *model, const TrainPosition *position, TrainModel *slopes);

// The negative logarithm of the result under expected results alone (draws count half), for comparison: of the model,
// and of the simpler evaluation.
typedef struct {
    double model, simple;
} TrainComparison;
TrainComparison train_model_compare(const TrainModel *model, const TrainPosition *position);

// Brings all numbers into the range of the network, and rounds them into it.
void train_model_limit(TrainModel *model);
void train_model_round(const TrainModel *model, Network *network);

// The model of a network, without parts.
void train_model_take(TrainModel *model, const Network *network);
