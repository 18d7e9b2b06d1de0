// Tests of ratings: known strengths are recovered from simulated games; irrelevant changes have no effect.
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "match/ratings.h"
#include "support/check.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not within %g of %.9g", value, tolerance, expected);
}

static RatingFit fit_table(const Tally *table, unsigned agents, RatingOptions options, AgentRating *ratings)
{
    RatingFit fit;
    Error error = {0};
    if (ratings_fit(&(RatingGames){table, agents}, &options, ratings, &fit, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return fit;
}

// A table of Davidson's model; strengths and advantage are in Elo of this model, whose scale does not depend on draws.
typedef struct {
    const double *strengths;
    double advantage, draw_odds;
} Truth;

static unsigned play(const Truth *truth, unsigned first, unsigned second, Rng *rng)
{
    double x = (truth->strengths[first] - truth->strengths[second] + truth->advantage) * log(10) / 400;
    double win = exp(x / 2), draw = truth->draw_odds, loss = exp(-x / 2);
    double at = (double)(rng_next(rng) >> 11) * 0x1p-53 * (win + draw + loss);
    return at < win ? 2 : at < win + draw ? 1 : 0;
}

static void simulate(const Truth *truth, unsigned agents, unsigned games, Rng *rng, Tally *table)
{
    memset(table, 0, (size_t)agents * agents * sizeof *table);
    for (unsigned i = 0; i < agents; i++)
        for (unsigned j = 0; j < agents; j++)
            for (unsigned game = 0; i != j && game < games; game++)
                tally_add(&table[i * agents + j], play(truth, i, j, rng));
}

// 40 tournaments of 8 agents: 95 % of the intervals contain the true rating and the true advantage.
static void known_ratings_are_recovered(void **state)
{
    (void)state;
    enum { AGENTS = 8, RUNS = 40 };
    const double strengths[AGENTS] = {-350, -200, -100, -50, 0, 100, 250, 350}; // mean 0
    Truth truth = {.strengths = strengths, .advantage = 120, .draw_odds = 0.5};
    double scale = 2 / 2.5; // 1 - share of draws between equals
    Rng rng = rng_make(11);
    Tally table[AGENTS * AGENTS];
    AgentRating ratings[AGENTS];
    unsigned held = 0, advantage_held = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        simulate(&truth, AGENTS, 40, &rng, table);
        RatingFit fit = fit_table(table, AGENTS, (RatingOptions){.first_advantage = true}, ratings);
        assert_int_equal(fit.groups, 1);
        assert_near(fit.draw_share, 0.2, 0.05);
        advantage_held += fabs(fit.advantage - scale * truth.advantage) <= fit.advantage_error;
        for (unsigned i = 0; i < AGENTS; i++) {
            held += fabs(ratings[i].rating - scale * strengths[i]) <= ratings[i].error;
            assert_near(ratings[i].rating, scale * strengths[i], 3 * ratings[i].error);
            assert_true(ratings[i].error > 5 && ratings[i].error < 60);
        }
    }
    assert_in_range(held, RUNS * AGENTS * 91 / 100, RUNS * AGENTS * 99 / 100);
    assert_in_range(advantage_held, RUNS * 85 / 100, RUNS);
}

static void symmetric_tables_give_equal_ratings(void **state)
{
    (void)state;
    enum { AGENTS = 5 };
    Tally table[AGENTS * AGENTS] = {0};
    for (unsigned i = 0; i < AGENTS; i++)
        for (unsigned j = 0; j < AGENTS; j++)
            table[i * AGENTS + j] = i != j ? (Tally){7, 2, 3} : (Tally){0};
    AgentRating ratings[AGENTS];
    RatingFit fit = fit_table(table, AGENTS, (RatingOptions){.first_advantage = true}, ratings);
    for (unsigned i = 0; i < AGENTS; i++) {
        assert_near(ratings[i].rating, 0, 1e-6);
        assert_near(ratings[i].error, ratings[0].error, 1e-6);
        assert_int_equal(ratings[i].games.wins, 40);
        assert_int_equal(ratings[i].games.losses, 40);
        assert_int_equal(ratings[i].games.draws, 16);
    }
    assert_true(fit.advantage > fit.advantage_error);
}

// Two agents, the second one anchored: the same result as stats.c for these games.
static void two_agents_agree_with_elo(Tally first, double tolerance, double error_tolerance)
{
    Tally table[4] = {[1] = first, [2] = first};
    table[2].wins = first.losses; // the same results as second player
    table[2].losses = first.wins;
    HeadToHead results = {.games = {2 * first.wins, 2 * first.draws, 2 * first.losses}};
    AgentRating ratings[2];
    RatingOptions options = {.anchored = true, .anchor = 1, .anchor_rating = 1000, .prior = RATINGS_PRIOR_MIN};
    fit_table(table, 2, options, ratings);
    Estimate elo = stats_elo(&results);
    assert_near(ratings[1].rating, 1000, 1e-9);
    assert_near(ratings[1].error, 0, 1e-9);
    assert_near(ratings[0].rating - 1000, elo.value, tolerance);
    assert_near(ratings[0].error, elo.error, error_tolerance * elo.error);
}

static void two_agents_are_a_head_to_head(void **state)
{
    (void)state;
    two_agents_agree_with_elo((Tally){300, 0, 200}, 1e-4, 0.01); // without draws it is the same formula
    two_agents_agree_with_elo((Tally){450, 0, 50}, 1e-4, 0.02);
    two_agents_agree_with_elo((Tally){260, 40, 200}, 0.1, 0.02); // with draws the same slope at equality
    two_agents_agree_with_elo((Tally){300, 100, 100}, 1.5, 0.05);
    two_agents_agree_with_elo((Tally){250, 225, 25}, 5, 0.1);
}

static void order_of_agents_does_not_matter(void **state)
{
    (void)state;
    enum { AGENTS = 6 };
    const unsigned order[AGENTS] = {3, 0, 5, 1, 4, 2};
    const double strengths[AGENTS] = {0, 80, -120, 200, -40, 10};
    Truth truth = {.strengths = strengths, .advantage = 60, .draw_odds = 0.8};
    Rng rng = rng_make(3);
    Tally table[AGENTS * AGENTS], shuffled[AGENTS * AGENTS];
    simulate(&truth, AGENTS, 12, &rng, table);
    for (unsigned i = 0; i < AGENTS; i++)
        for (unsigned j = 0; j < AGENTS; j++)
            shuffled[order[i] * AGENTS + order[j]] = table[i * AGENTS + j];
    AgentRating ratings[AGENTS], other[AGENTS];
    RatingFit fit = fit_table(table, AGENTS, (RatingOptions){.first_advantage = true}, ratings);
    RatingFit other_fit = fit_table(shuffled, AGENTS, (RatingOptions){.first_advantage = true}, other);
    assert_near(fit.advantage, other_fit.advantage, 1e-6);
    for (unsigned i = 0; i < AGENTS; i++) {
        assert_near(ratings[i].rating, other[order[i]].rating, 1e-6);
        assert_near(ratings[i].error, other[order[i]].error, 1e-6);
    }
    fit_table(table, AGENTS, (RatingOptions){.first_advantage = true}, other);
    for (unsigned i = 0; i < AGENTS; i++) { // the same table gives bit-identical results
        assert_true(ratings[i].rating == other[i].rating);
        assert_true(ratings[i].error == other[i].error);
    }
}

static void anchors_shift_and_keep_differences(void **state)
{
    (void)state;
    Tally table[9] = {[1] = {6, 1, 3}, [3] = {4, 2, 4}, [2] = {8, 0, 2}, [6] = {3, 3, 4}, [5] = {5, 1, 4}};
    AgentRating free[3], fixed[3];
    fit_table(table, 3, (RatingOptions){0}, free);
    fit_table(table, 3, (RatingOptions){.anchored = true, .anchor = 2, .anchor_rating = 1500}, fixed);
    assert_near(free[0].rating + free[1].rating + free[2].rating, 0, 1e-9);
    for (unsigned i = 0; i < 3; i++)
        assert_near(fixed[i].rating - 1500, free[i].rating - free[2].rating, 1e-9);
    assert_near(fixed[2].error, 0, 1e-9);
    assert_true(fixed[0].error > free[0].error); // the anchor's uncertainty is part of every error
}

static void sweeps_stay_finite_and_are_marked(void **state)
{
    (void)state;
    Tally table[9] = {[1] = {20, 0, 0}, [2] = {20, 0, 0}, [5] = {20, 0, 0}, [7] = {0, 0, 20}};
    AgentRating ratings[3], longer[3];
    fit_table(table, 3, (RatingOptions){0}, ratings);
    assert_int_equal(ratings[0].edge, RATING_WON_ALL);
    assert_int_equal(ratings[1].edge, RATING_INSIDE);
    assert_int_equal(ratings[2].edge, RATING_LOST_ALL);
    assert_true(ratings[0].rating > 200 && ratings[0].rating < 2000);
    assert_near(ratings[0].rating, -ratings[2].rating, 200);
    assert_true(ratings[0].error > 100 && isfinite(ratings[0].error));
    for (unsigned i = 0; i < 9; i++) {
        table[i].wins *= 10;
        table[i].losses *= 10;
    }
    fit_table(table, 3, (RatingOptions){0}, longer);
    assert_true(longer[0].rating > ratings[0].rating); // more wins without a loss are worth more
}

static void draws_alone_are_equality(void **state)
{
    (void)state;
    Tally table[4] = {[1] = {0, 30, 0}, [2] = {0, 30, 0}};
    AgentRating ratings[2];
    RatingFit fit = fit_table(table, 2, (RatingOptions){.first_advantage = true}, ratings);
    assert_near(ratings[0].rating, 0, 1e-6);
    assert_true(ratings[0].error > 0 && isfinite(ratings[0].error));
    assert_true(fit.draw_share > 0.9);
    assert_near(fit.advantage, 0, 1e-6);
}

static void groups_are_found(void **state)
{
    (void)state;
    enum { AGENTS = 6 };
    Tally table[AGENTS * AGENTS] = {
        [0 * AGENTS + 2] = {6, 0, 4}, // 0 and 2
        [1 * AGENTS + 4] = {3, 1, 6}, // 1, 4 and 5
        [5 * AGENTS + 4] = {5, 0, 5}, // agent 3 played only itself
        [3 * AGENTS + 3] = {5, 0, 5},
    };
    AgentRating ratings[AGENTS];
    RatingFit fit =
        fit_table(table, AGENTS, (RatingOptions){.anchored = true, .anchor = 0, .anchor_rating = 800}, ratings);
    const unsigned groups[AGENTS] = {0, 1, 0, 2, 1, 1};
    assert_int_equal(fit.groups, 3);
    for (unsigned i = 0; i < AGENTS; i++)
        assert_int_equal(ratings[i].group, groups[i]);
    assert_near(ratings[0].rating, 800, 1e-9);
    assert_near(ratings[1].rating + ratings[4].rating + ratings[5].rating, 0, 1e-9);
    assert_near(ratings[3].rating, 0, 1e-9);
    assert_true(isinf(ratings[3].error) && isfinite(ratings[1].error));
    assert_near(tally_games(ratings[3].games), 0, 0);
}

// The hardest case for the solver: no draws, each agent loses every game to the previous one, maximum number of agents.
static void largest_ladder_is_solved(void **state)
{
    (void)state;
    enum { AGENTS = RATINGS_MAX_AGENTS };
    static Tally table[AGENTS * AGENTS];
    static AgentRating ratings[AGENTS];
    for (unsigned i = 0; i + 1 < AGENTS; i++)
        table[i * AGENTS + i + 1] = (Tally){100, 0, 0};
    const double priors[] = {RATINGS_PRIOR, RATINGS_PRIOR_MIN};
    for (unsigned k = 0; k < 2; k++) {
        fit_table(table, AGENTS, (RatingOptions){.prior = priors[k]}, ratings);
        for (unsigned i = 0; i + 1 < AGENTS; i++)
            assert_true(ratings[i].rating > ratings[i + 1].rating && isfinite(ratings[i].error));
    }
    // The winner was always the first player, so the advantage explains all results and the rating errors are large.
    RatingFit fit = fit_table(table, AGENTS, (RatingOptions){.first_advantage = true}, ratings);
    assert_true(fit.advantage > 1000);
    for (unsigned i = 0; i < AGENTS; i++)
        assert_true(fabs(ratings[i].rating) < 10 && ratings[i].error > 500);
}

// At the maximum likelihood, the expected points and draws of every agent, computed here from the reported numbers,
// equal the actual ones. (This property makes Davidson's model suitable for tournament tables.)
static void expected_points_are_the_points(void **state)
{
    (void)state;
    enum { AGENTS = 4 };
    const double strengths[AGENTS] = {0, 150, -100, 60};
    Truth truth = {.strengths = strengths, .advantage = 90, .draw_odds = 1.2};
    Rng rng = rng_make(5);
    Tally table[AGENTS * AGENTS];
    AgentRating ratings[AGENTS];
    simulate(&truth, AGENTS, 30, &rng, table);
    RatingOptions options = {.first_advantage = true, .prior = RATINGS_PRIOR_MIN};
    RatingFit fit = fit_table(table, AGENTS, options, ratings);
    double scale = 400 / log(10) * (1 - fit.draw_share), draw = 2 * fit.draw_share / (1 - fit.draw_share);
    double points[AGENTS] = {0}, draws = 0, real_draws = 0;
    for (unsigned i = 0; i < AGENTS; i++) {
        real_draws += ratings[i].games.draws / 2.0;
        for (unsigned j = 0; j < AGENTS; j++) {
            double x = (ratings[i].rating - ratings[j].rating + fit.advantage) / scale;
            double sum = exp(x / 2) + draw + exp(-x / 2), games = tally_games(table[i * AGENTS + j]);
            points[i] += games * (exp(x / 2) + draw / 2) / sum;
            points[j] += games * (exp(-x / 2) + draw / 2) / sum;
            draws += games * draw / sum;
        }
    }
    assert_near(draws, real_draws, 1e-4);
    for (unsigned i = 0; i < AGENTS; i++)
        assert_near(points[i], tally_score(ratings[i].games) * tally_games(ratings[i].games), 1e-4);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    Tally table[4] = {0};
    AgentRating ratings[2];
    RatingFit fit;
    Error error;
    const RatingOptions bad[] = {
        {.anchored = true, .anchor = 2},
        {.anchored = true, .anchor_rating = NAN},
        {.prior = -1},
        {.prior = NAN},
        {.prior = INFINITY},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ratings_fit(&(RatingGames){table, 2}, &bad[i], ratings, &fit, &error), STATUS_BAD_INPUT);
    RatingOptions good = {0};
    assert_int_equal(ratings_fit(&(RatingGames){table, 0}, &good, ratings, &fit, &error), STATUS_BAD_INPUT);
    assert_int_equal(ratings_fit(&(RatingGames){table, RATINGS_MAX_AGENTS + 1}, &good, ratings, &fit, NULL),
                     STATUS_BAD_INPUT);
    assert_int_equal(ratings_fit(&(RatingGames){table, 2}, &good, ratings, &fit, &error),
                     STATUS_OK); // no games yet
    assert_int_equal(fit.groups, 2);
}

TEST_GROUP(ratings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_ratings_are_recovered),
        cmocka_unit_test(symmetric_tables_give_equal_ratings),
        cmocka_unit_test(two_agents_are_a_head_to_head),
        cmocka_unit_test(order_of_agents_does_not_matter),
        cmocka_unit_test(anchors_shift_and_keep_differences),
        cmocka_unit_test(sweeps_stay_finite_and_are_marked),
        cmocka_unit_test(draws_alone_are_equality),
        cmocka_unit_test(groups_are_found),
        cmocka_unit_test(largest_ladder_is_solved),
        cmocka_unit_test(expected_points_are_the_points),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
