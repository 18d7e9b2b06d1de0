// Chooses the optimiser of a plan; random numbers.
#include "lab/evolve/optimiser_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

double optimiser_uniform(Rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

// Box and Muller.
double optimiser_normal(Rng *rng)
{
    const double pi = 3.14159265358979323846;
    double radius = sqrt(-2 * log(1 - optimiser_uniform(rng)));
    return radius * cos(2 * pi * optimiser_uniform(rng));
}

double optimiser_clamp(double value)
{
    return fmin(fmax(value, 0), 1);
}

void optimiser_open(Optimiser *optimiser, const OptimiserPlan *plan)
{
    assert(plan->dimensions >= 1 && plan->dimensions <= OPTIMISER_DIMENSIONS_MAX);
    assert(plan->generations >= 1 && plan->generations <= OPTIMISER_GENERATIONS_MAX);
    assert(plan->kind == OPTIMISER_SPSA ? plan->points == 2 : plan->points >= 4);
    assert(plan->points <= OPTIMISER_POINTS_MAX);
    *optimiser = (Optimiser){.plan = *plan, .rng = rng_make(plan->seed), .estimate = plan->start};
    if (plan->kind == OPTIMISER_SPSA)
        spsa_open(optimiser);
    else
        genetic_open(optimiser);
}

void optimiser_close(Optimiser *optimiser)
{
    free(optimiser->path);
    *optimiser = (Optimiser){0};
}

void optimiser_take(Optimiser *optimiser, const double *scores)
{
    assert(optimiser->generation < optimiser->plan.generations);
    optimiser->generation++;
    if (optimiser->plan.kind == OPTIMISER_SPSA)
        spsa_take(optimiser, scores);
    else
        genetic_take(optimiser, scores);
}
