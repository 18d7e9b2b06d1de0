// Tests of the optimisers on functions whose optimum is known, seen through games that are won with the odds of the
// difference.
#include "support/check.h"

#include "lab/evolve/optimiser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    OptimiserPlan plan;
    OptimiserPoint optimum;
    double curvature; // of the strength, in logits
    unsigned games;   // of each pair of points
} Problem;

// Strength in logits: 0 at the optimum, lower elsewhere.
static double strength(const Problem *problem, const OptimiserPoint *point)
{
    double sum = 0;
    for (unsigned d = 0; d < problem->plan.dimensions; d++) {
        double step = problem->plan.step[d];
        double at = step > 0 ? (double)lround(point->at[d] / step) * step : point->at[d];
        sum -= problem->curvature * (at - problem->optimum.at[d]) * (at - problem->optimum.at[d]);
    }
    return sum;
}

static void play(const Problem *problem, const Optimiser *optimiser, Rng *rng, double *scores)
{
    unsigned n = problem->plan.points;
    memset(scores, 0, n * sizeof *scores);
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++) {
            double ahead = strength(problem, &optimiser->points[a]) - strength(problem, &optimiser->points[b]);
            double odds = 1 / (1 + exp(-ahead)), won = 0;
            for (unsigned game = 0; game < problem->games; game++)
                won += rng_below(rng, 1u << 30) < odds * (1u << 30);
            scores[a] += won / problem->games / (n - 1);
            scores[b] += 1 / (double)(n - 1) - won / problem->games / (n - 1);
        }
}

static OptimiserPoint solve(const Problem *problem, uint64_t noise)
{
    Optimiser optimiser;
    Rng rng = rng_make(noise);
    double scores[OPTIMISER_POINTS_MAX];
    optimiser_open(&optimiser, &problem->plan);
    for (unsigned i = 0; i < problem->plan.generations; i++) {
        for (unsigned p = 0; p < problem->plan.points; p++)
            for (unsigned d = 0; d < problem->plan.dimensions; d++)
                assert_true(optimiser.points[p].at[d] >= 0 && optimiser.points[p].at[d] <= 1);
        play(problem, &optimiser, &rng, scores);
        optimiser_take(&optimiser, scores);
    }
    OptimiserPoint estimate = optimiser.estimate;
    optimiser_close(&optimiser);
    return estimate;
}

static Problem problem_of(OptimiserKind kind, unsigned dimensions)
{
    bool genetic = kind == OPTIMISER_GENETIC;
    Problem problem = {
        .plan = {.kind = kind, .dimensions = dimensions, .generations = genetic ? 25 : 250, .points = genetic ? 10 : 2},
        .optimum = {{0.7, 0.25, 0.5}},
        .curvature = 12,
        .games = genetic ? 4 : 16};
    return problem;
}

// The mean distance of the estimate from the optimum over several seeds, in each dimension.
static double mean_distance(Problem problem)
{
    enum { SEEDS = 20 };
    double sum = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        problem.plan.seed = seed;
        OptimiserPoint found = solve(&problem, seed + 100);
        for (unsigned d = 0; d < problem.plan.dimensions; d++)
            sum += fabs(found.at[d] - problem.optimum.at[d]) / problem.plan.dimensions;
    }
    return sum / SEEDS;
}

static void both_find_the_optimum(void **state)
{
    (void)state;
    for (unsigned dimensions = 1; dimensions <= 3; dimensions++)
        for (OptimiserKind kind = OPTIMISER_GENETIC; kind <= OPTIMISER_SPSA; kind++)
            assert_true(mean_distance(problem_of(kind, dimensions)) < 0.06);
}

// With scores of the opposite sign they go away from it.
static void scores_decide(void **state)
{
    (void)state;
    for (OptimiserKind kind = OPTIMISER_GENETIC; kind <= OPTIMISER_SPSA; kind++) {
        Problem problem = problem_of(kind, 2);
        problem.curvature = -problem.curvature;
        assert_true(mean_distance(problem) > 0.4);
    }
}

static void the_optimum_may_be_at_an_end(void **state)
{
    (void)state;
    for (OptimiserKind kind = OPTIMISER_GENETIC; kind <= OPTIMISER_SPSA; kind++) {
        Problem problem = problem_of(kind, 2);
        problem.optimum = (OptimiserPoint){{0, 1}};
        problem.plan.start = (OptimiserPoint){{1, 0}};
        assert_true(mean_distance(problem) < 0.06);
    }
}

// Five values: the estimate rounds to the best one, although all points between two are the same to the games.
static void whole_numbers_are_found(void **state)
{
    (void)state;
    for (OptimiserKind kind = OPTIMISER_GENETIC; kind <= OPTIMISER_SPSA; kind++) {
        Problem problem = problem_of(kind, 1);
        unsigned right = 0;
        problem.plan.step[0] = 0.25;
        problem.optimum.at[0] = 0.75;
        for (unsigned seed = 1; seed <= 20; seed++) {
            problem.plan.seed = seed;
            right += lround(solve(&problem, seed).at[0] / 0.25) == 3;
        }
        assert_true(right >= 18);
    }
}

// The points of SPSA are different values of a whole number, also at the ends.
static void points_of_whole_numbers_differ(void **state)
{
    (void)state;
    for (unsigned start = 0; start <= 20; start++) {
        Problem problem = problem_of(OPTIMISER_SPSA, 1);
        Optimiser optimiser;
        problem.plan.step[0] = 0.5;
        problem.plan.start.at[0] = start / 20.0;
        problem.plan.seed = start;
        optimiser_open(&optimiser, &problem.plan);
        assert_true(lround(optimiser.points[0].at[0] * 2) != lround(optimiser.points[1].at[0] * 2));
        optimiser_close(&optimiser);
    }
}

static void the_same_seed_gives_the_same_estimate(void **state)
{
    (void)state;
    for (OptimiserKind kind = OPTIMISER_GENETIC; kind <= OPTIMISER_SPSA; kind++) {
        Problem problem = problem_of(kind, 2);
        problem.plan.seed = 7;
        OptimiserPoint one = solve(&problem, 1), two = solve(&problem, 1);
        assert_memory_equal(&one, &two, sizeof one);
        problem.plan.seed = 8;
        two = solve(&problem, 1);
        assert_memory_not_equal(&one, &two, sizeof one);
    }
}

TEST_GROUP(evolve)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_find_the_optimum),          cmocka_unit_test(scores_decide),
        cmocka_unit_test(the_optimum_may_be_at_an_end),   cmocka_unit_test(whole_numbers_are_found),
        cmocka_unit_test(points_of_whole_numbers_differ), cmocka_unit_test(the_same_seed_gives_the_same_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
