// Optimisers of functions that are only seen through noisy comparisons: the points of a generation play each other, and
// the optimiser takes their scores. The same plan with the same scores gives the same points.
//
// - Genetic: a population with tournament selection, blend crossover (BLX-0.5, Eshelman and Schaffer 1993) and Gaussian
//   mutation whose width falls over the generations. The best point survives and is judged again. The estimate is the
//   mean of the better half: single scores are noisy.
// - SPSA (Spall 1992, 1998): two points on opposite sides of the current one in a random direction; the current point
//   moves by their difference. Steps fall as 1 / (A + k)^0.602, distances as 1 / k^0.101. The estimate is the mean of
//   the current points over the last quarter so far, which averages the noise.
//
// A point is in the unit cube. A dimension of whole numbers has a step, the distance of two neighbours; the optimiser
// keeps points that are compared apart by it.
#pragma once

#include "base/rng.h"

#include <stdbool.h>

enum { OPTIMISER_DIMENSIONS_MAX = 12, OPTIMISER_POINTS_MAX = 64, OPTIMISER_GENERATIONS_MAX = 10000 };

typedef enum { OPTIMISER_GENETIC, OPTIMISER_SPSA } OptimiserKind;

typedef struct {
    double at[OPTIMISER_DIMENSIONS_MAX]; // from 0 to 1
} OptimiserPoint;

typedef struct {
    OptimiserKind kind;
    unsigned dimensions, generations;
    unsigned points;                       // of a generation: 4 or more; SPSA: 2
    double step[OPTIMISER_DIMENSIONS_MAX]; // 0: any number; at most 1
    OptimiserPoint start;
    uint64_t seed;
} OptimiserPlan;

typedef struct {
    OptimiserPlan plan;
    Rng rng;
    unsigned generation;                         // completed so far
    OptimiserPoint points[OPTIMISER_POINTS_MAX]; // to be compared next, plan.points of them
    OptimiserPoint estimate;                     // of the optimum, so far
    OptimiserPoint *path;                        // SPSA: the current point of each generation
} Optimiser;

void optimiser_open(Optimiser *optimiser, const OptimiserPlan *plan);
void optimiser_close(Optimiser *optimiser);

// Takes the scores of the points, from 0 to 1, and makes the next points.
void optimiser_take(Optimiser *optimiser, const double *scores);
