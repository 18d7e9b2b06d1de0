// Simultaneous perturbation stochastic approximation.
#include "base/memory.h"
#include "lab/evolve/optimiser_internal.h"

#include <math.h>

// Spall, Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization (1998): the exponents
// and the stability constant. The distance is in units of the range; STRIDE is what a first step moves if one point
// wins every game.
static const double STEP_EXPONENT = 0.602, DISTANCE_EXPONENT = 0.101, STABILITY = 0.1;
static const double DISTANCE = 0.15, STRIDE = 0.2;

static void make_points(Optimiser *optimiser, const OptimiserPoint *current)
{
    double distance = DISTANCE / pow(optimiser->generation + 1, DISTANCE_EXPONENT);
    for (unsigned d = 0; d < optimiser->plan.dimensions; d++) {
        // Whole numbers must differ, also at an end of the range.
        double half = optimiser->plan.step[d] / 2, middle = fmin(fmax(current->at[d], half), 1 - half);
        unsigned upper = rng_below(&optimiser->rng, 2);
        optimiser->points[upper].at[d] = fmin(middle + fmax(distance, half), 1);
        optimiser->points[1 - upper].at[d] = fmax(middle - fmax(distance, half), 0);
    }
}

void spsa_open(Optimiser *optimiser)
{
    optimiser->path = memory_new(optimiser->plan.generations + 1, sizeof *optimiser->path);
    optimiser->path[0] = optimiser->plan.start;
    make_points(optimiser, &optimiser->path[0]);
}

// The mean over the last quarter.
static void estimate(Optimiser *optimiser)
{
    unsigned last = optimiser->generation, count = last / 4 + 1;
    for (unsigned d = 0; d < optimiser->plan.dimensions; d++) {
        double sum = 0;
        for (unsigned i = last + 1 - count; i <= last; i++)
            sum += optimiser->path[i].at[d];
        optimiser->estimate.at[d] = sum / count;
    }
}

void spsa_take(Optimiser *optimiser, const double *scores)
{
    unsigned k = optimiser->generation;
    double delay = STABILITY * optimiser->plan.generations;
    // The slope is the difference divided by the distance, which falls, too.
    double fall = pow((delay + 1) / (delay + k), STEP_EXPONENT) * pow(k, DISTANCE_EXPONENT);
    const OptimiserPoint *current = &optimiser->path[k - 1];
    OptimiserPoint *next = &optimiser->path[k];
    for (unsigned d = 0; d < optimiser->plan.dimensions; d++) {
        // At an end of the range the points are closer to each other, so the direction counts, not the distance.
        double towards = optimiser->points[0].at[d] > optimiser->points[1].at[d] ? 1 : -1;
        double stride = fmax(STRIDE, optimiser->plan.step[d]) * fall;
        next->at[d] = optimiser_clamp(current->at[d] + stride * (scores[0] - scores[1]) * towards);
    }
    estimate(optimiser);
    make_points(optimiser, next);
}
