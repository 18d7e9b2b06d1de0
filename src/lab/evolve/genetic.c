// The genetic algorithm: selection, crossover and mutation.
#include "lab/evolve/optimiser_internal.h"

#include <math.h>

// Chosen on noisy quadratic functions of one to four dimensions, as in the tests.
static const double BLEND = 0.5;                           // BLX-alpha: how far children may lie outside of parents
static const double FIRST_WIDTH = 0.15, LAST_WIDTH = 0.02; // deviation of a mutation, in units of the range
static const double MUTATION = 0.5;                        // share of coordinates that mutate

enum { TRIES = 8 }; // to make a child that differs from the points so far

// Each dimension is cut into as many strips as there are random points, and each strip has one (Latin hypercube).
void genetic_open(Optimiser *optimiser)
{
    unsigned others = optimiser->plan.points - 1;
    unsigned strips[OPTIMISER_POINTS_MAX];
    optimiser->points[0] = optimiser->plan.start;
    for (unsigned d = 0; d < optimiser->plan.dimensions; d++) {
        for (unsigned i = 0; i < others; i++)
            strips[i] = i;
        rng_shuffle(&optimiser->rng, strips, others, sizeof strips[0]);
        for (unsigned i = 0; i < others; i++)
            optimiser->points[i + 1].at[d] = (strips[i] + optimiser_uniform(&optimiser->rng)) / others;
    }
}

// Sorts by score, the best first; equal scores keep their order.
static void rank(const Optimiser *optimiser, const double *scores, OptimiserPoint *ranked)
{
    unsigned order[OPTIMISER_POINTS_MAX];
    for (unsigned i = 0; i < optimiser->plan.points; i++) {
        unsigned place = i;
        for (; place > 0 && scores[order[place - 1]] < scores[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    for (unsigned i = 0; i < optimiser->plan.points; i++)
        ranked[i] = optimiser->points[order[i]];
}

static OptimiserPoint mean_of(const OptimiserPoint *points, unsigned count, unsigned dimensions)
{
    OptimiserPoint mean = {0};
    for (unsigned d = 0; d < dimensions; d++)
        for (unsigned i = 0; i < count; i++)
            mean.at[d] += points[i].at[d] / count;
    return mean;
}

// The better one of two ranked points.
static const OptimiserPoint *choose_parent(Optimiser *optimiser, const OptimiserPoint *ranked)
{
    unsigned a = rng_below(&optimiser->rng, optimiser->plan.points);
    unsigned b = rng_below(&optimiser->rng, optimiser->plan.points);
    return &ranked[a < b ? a : b];
}

static double mutation_width(const Optimiser *optimiser, unsigned d)
{
    double left = 1 - (double)optimiser->generation / optimiser->plan.generations;
    // A whole number should have a chance to change to the last generation.
    return fmax(LAST_WIDTH + (FIRST_WIDTH - LAST_WIDTH) * left, optimiser->plan.step[d] / 2);
}

static OptimiserPoint make_child(Optimiser *optimiser, const OptimiserPoint *ranked)
{
    OptimiserPoint child = {0};
    Rng *rng = &optimiser->rng;
    const OptimiserPoint *mother = choose_parent(optimiser, ranked), *father = choose_parent(optimiser, ranked);
    for (unsigned d = 0; d < optimiser->plan.dimensions; d++) {
        double share = optimiser_uniform(rng) * (1 + 2 * BLEND) - BLEND;
        double value = mother->at[d] + share * (father->at[d] - mother->at[d]);
        if (optimiser_uniform(rng) < MUTATION)
            value += mutation_width(optimiser, d) * optimiser_normal(rng);
        child.at[d] = optimiser_clamp(value);
    }
    return child;
}

// Whether two points are the same setting of the options.
static bool are_same(const OptimiserPlan *plan, const OptimiserPoint *a, const OptimiserPoint *b)
{
    for (unsigned d = 0; d < plan->dimensions; d++) {
        double step = plan->step[d];
        bool same = step > 0 ? lround(a->at[d] / step) == lround(b->at[d] / step) : a->at[d] == b->at[d];
        if (!same)
            return false;
    }
    return true;
}

static bool has_point(const Optimiser *optimiser, unsigned count, const OptimiserPoint *point)
{
    for (unsigned i = 0; i < count; i++)
        if (are_same(&optimiser->plan, &optimiser->points[i], point))
            return true;
    return false;
}

void genetic_take(Optimiser *optimiser, const double *scores)
{
    OptimiserPoint ranked[OPTIMISER_POINTS_MAX];
    rank(optimiser, scores, ranked);
    optimiser->estimate = mean_of(ranked, optimiser->plan.points / 2, optimiser->plan.dimensions);
    optimiser->points[0] = ranked[0];
    for (unsigned i = 1; i < optimiser->plan.points; i++) {
        OptimiserPoint child = i == 1 ? optimiser->estimate : make_child(optimiser, ranked);
        for (unsigned tries = 0; tries < TRIES && has_point(optimiser, i, &child); tries++)
            child = make_child(optimiser, ranked);
        optimiser->points[i] = child;
    }
}
