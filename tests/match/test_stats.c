// Tests of match statistics against a published example, hand-computed cases and simulations.
#include <math.h>

#include "base/rng.h"
#include "match/stats.h"
#include "support/check.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not within %g of %.9g", value, tolerance, expected);
}

static HeadToHead results_of_games(uint32_t wins, uint32_t draws, uint32_t losses)
{
    return (HeadToHead){.games = {wins, draws, losses}};
}

// Even pairs count as two draws.
static HeadToHead results_of_pairs(uint32_t ll, uint32_t ld, uint32_t even, uint32_t wd, uint32_t ww)
{
    return (HeadToHead){
        .games = {.wins = wd + 2 * ww, .draws = ld + 2 * even + wd, .losses = 2 * ll + ld},
        .pairs = {ll, ld, even, wd, ww},
    };
}

// A long test of a chess engine with published numbers: every digit must agree.
static void published_vector_is_reproduced(void **state)
{
    (void)state;
    HeadToHead results = results_of_pairs(379, 10170, 21828, 10640, 343);
    Estimate elo = stats_elo(&results), nelo = stats_nelo(&results);
    assert_near(elo.value, 1.59, 0.005);
    assert_near(elo.error, 1.21, 0.005);
    assert_near(nelo.value, 3.05, 0.005);
    assert_near(nelo.error, 2.31, 0.005);
    assert_near(stats_los(&results), 0.9951, 0.00005);
    assert_near(sprt_llr(results.pairs, 0, 2), 2.94598, 0.000005);
    Sprt sprt = {.elo0 = 0, .elo1 = 2, .alpha = 0.05, .beta = 0.05};
    SprtState sprt_now = sprt_state(&sprt, &results);
    assert_near(sprt_now.bounds.high, 2.94444, 0.000005);
    assert_int_equal(sprt_now.verdict, SPRT_H1);
    assert_int_equal(stats_judge(&results), STATS_A_STRONGER);
}

static void counting_agrees_with_points(void **state)
{
    (void)state;
    HeadToHead results = {0};
    stats_add_pair(&results, 2, 1);
    stats_add_pair(&results, 0, 2);
    stats_add_pair(&results, 1, 1);
    tally_add(&results.games, 0); // a game whose partner is not finished
    assert_int_equal(results.pairs[PAIR_WD], 1);
    assert_int_equal(results.pairs[PAIR_EVEN], 2);
    assert_near(stats_pairs(&results), 3, 0);
    assert_int_equal(results.games.wins, 2);
    assert_int_equal(results.games.draws, 3);
    assert_int_equal(results.games.losses, 2);
    assert_near(tally_score(results.games), 0.5, 0);
}

static void no_games_say_nothing(void **state)
{
    (void)state;
    HeadToHead none = {0};
    assert_near(stats_score(&none).value, 0.5, 0);
    Estimate elo = stats_elo(&none), nelo = stats_nelo(&none);
    assert_near(elo.value, 0, 0);
    assert_near(nelo.value, 0, 0);
    assert_true(isinf(elo.error) && isinf(nelo.error));
    assert_true(elo.range.low == -INFINITY && elo.range.high == INFINITY);
    assert_near(stats_los(&none), 0.5, 0);
    assert_near(sprt_llr(none.pairs, 0, 5), 0, 0);
    assert_int_equal(stats_judge(&none), STATS_TOO_SMALL);
}

static void all_wins_are_infinite_with_a_finite_floor(void **state)
{
    (void)state;
    HeadToHead won = results_of_pairs(0, 0, 0, 0, 10), lost = results_of_pairs(10, 0, 0, 0, 0);
    Estimate elo = stats_elo(&won), nelo = stats_nelo(&won);
    assert_true(elo.value == INFINITY && elo.error == INFINITY && elo.range.high == INFINITY);
    assert_near(elo.range.low, stats_score_to_elo(stats_share(20, 20).low), 1e-9);
    assert_true(elo.range.low > 200);
    assert_true(nelo.value == INFINITY && nelo.error == INFINITY);
    assert_near(stats_los(&won), 1 - exp2(-21), 1e-12);
    assert_near(stats_los(&lost), exp2(-21), 1e-12);
    assert_int_equal(stats_judge(&won), STATS_A_STRONGER);
    assert_int_equal(stats_judge(&lost), STATS_B_STRONGER);
    assert_true(stats_elo(&lost).value == -INFINITY);
    assert_true(stats_nelo(&lost).value == -INFINITY);
}

static void all_draws_are_equality_with_an_error(void **state)
{
    (void)state;
    HeadToHead drawn = results_of_pairs(0, 0, 50, 0, 0);
    Estimate elo = stats_elo(&drawn);
    assert_near(elo.value, 0, 0);
    assert_true(elo.error > 50 && elo.error < 80);
    assert_near(stats_nelo(&drawn).value, 0, 0);
    assert_true(isfinite(stats_nelo(&drawn).error));
    assert_near(stats_los(&drawn), 0.5, 0);
}

// In fifty pairs, each side won its game as first player: the pairs have no variance, the games do.
static void pairs_without_spread_fall_back_on_games(void **state)
{
    (void)state;
    HeadToHead split = {.games = {50, 0, 50}, .pairs = {[PAIR_EVEN] = 50}};
    HeadToHead unpaired = results_of_games(50, 0, 50);
    assert_near(stats_elo(&split).error, stats_elo(&unpaired).error, 1e-12);
    assert_true(isfinite(stats_nelo(&split).error));
}

// 60 - 20 - 20: score 0.7, variance 0.64 - 0.49 + 0.01 = 0.16 per game, computed by hand.
static void single_games_use_the_trinomial_variance(void **state)
{
    (void)state;
    HeadToHead results = results_of_games(60, 20, 20);
    Estimate score = stats_score(&results), elo = stats_elo(&results);
    assert_near(score.value, 0.7, 1e-12);
    assert_near(score.error, STATS_Z95 * 0.04, 1e-12);
    assert_near(elo.value, 147.1907, 1e-4);
    assert_near(elo.range.low, -400 * log10(1 / (0.7 - STATS_Z95 * 0.04) - 1), 1e-9);
    assert_near(stats_nelo(&results).value, 0.5 * 800 / log(10), 1e-9);
    assert_near(stats_los(&results), 1 - erfc(5 / sqrt(2)) / 2, 1e-12);
}

// Pairs in which the first player nearly always wins: single games vary a lot, pairs hardly.
static void pairs_take_out_the_first_move(void **state)
{
    (void)state;
    HeadToHead paired = {.games = {110, 0, 90}, .pairs = {[PAIR_LL] = 5, [PAIR_EVEN] = 80, [PAIR_WW] = 15}};
    HeadToHead unpaired = {.games = paired.games};
    assert_near(stats_elo(&paired).value, stats_elo(&unpaired).value, 0);
    assert_near(stats_elo(&paired).error / stats_elo(&unpaired).error, sqrt(0.19 / 0.495), 0.01);
    // An unfinished pair changes little.
    HeadToHead running = paired;
    tally_add(&running.games, 1);
    assert_near(stats_elo(&running).error, stats_elo(&paired).error, 0.2);
}

static void sides_are_symmetric(void **state)
{
    (void)state;
    HeadToHead a = results_of_pairs(3, 9, 20, 14, 8), b = results_of_pairs(8, 14, 20, 9, 3);
    assert_near(stats_elo(&a).value, -stats_elo(&b).value, 1e-9);
    assert_near(stats_elo(&a).error, stats_elo(&b).error, 1e-9);
    assert_near(stats_nelo(&a).value, -stats_nelo(&b).value, 1e-9);
    assert_near(stats_nelo(&a).error, stats_nelo(&b).error, 1e-9);
    assert_near(stats_los(&a), 1 - stats_los(&b), 1e-12);
    assert_near(sprt_llr(a.pairs, -5, 5), -sprt_llr(b.pairs, -5, 5), 1e-9);
}

static void judgement_wants_enough_decided_pairs(void **state)
{
    (void)state;
    HeadToHead three = results_of_pairs(0, 0, 7, 3, 0); // its Elo interval excludes 0, but three wins prove nothing
    assert_true(stats_elo(&three).range.low > 0);
    assert_int_equal(stats_judge(&three), STATS_TOO_SMALL);
    HeadToHead five = results_of_games(5, 0, 0), six = results_of_games(6, 0, 0); // 2 x 2^-5 is above 5 %
    assert_int_equal(stats_judge(&five), STATS_TOO_SMALL);
    assert_int_equal(stats_judge(&six), STATS_A_STRONGER);
    HeadToHead close = results_of_games(52, 0, 48), clear = results_of_games(30, 0, 70);
    assert_int_equal(stats_judge(&close), STATS_TOO_SMALL);
    assert_int_equal(stats_judge(&clear), STATS_B_STRONGER);
}

// The values were computed independently with Wilson's formula.
static void shares_have_wilson_intervals(void **state)
{
    (void)state;
    Interval half = stats_share(5, 10), none = stats_share(0, 10), all = stats_share(10, 10);
    assert_near(half.low, 0.236593, 1e-6);
    assert_near(half.high, 0.763407, 1e-6);
    assert_near(none.low, 0, 0);
    assert_near(none.high, 0.277533, 1e-6);
    assert_near(all.low, 1 - none.high, 1e-12);
    assert_near(all.high, 1, 0);
    Interval unknown = stats_share(0, 0);
    assert_near(unknown.low, 0, 0);
    assert_near(unknown.high, 1, 0);
}

static void assert_interval(Interval interval, Interval expected)
{
    assert_near(interval.low, expected.low, 1e-9);
    assert_near(interval.high, expected.high, 1e-9);
}

static void scores_have_wilson_intervals_of_their_pairs(void **state)
{
    (void)state;
    HeadToHead none = {0}, single = results_of_games(30, 0, 10), won = results_of_pairs(0, 0, 0, 0, 10);
    assert_interval(stats_score_wilson(&none), (Interval){0, 1});
    assert_interval(stats_score_wilson(&single), stats_share(30, 40));
    assert_interval(stats_score_wilson(&won), stats_share(20, 20));
    // Both games of a pair always have the same result: 40 games are worth 20.
    HeadToHead alike = results_of_pairs(5, 0, 0, 0, 15);
    assert_interval(stats_score_wilson(&alike), stats_share(15, 20));
    // Most pairs cancel: WL 16 times and WW 4 times, the variance of a pair is 0.04; 24 of 40 games are worth 120.
    HeadToHead cancelled = {.games = {24, 0, 16}, .pairs = {0, 0, 16, 0, 4}};
    assert_interval(stats_score_wilson(&cancelled), stats_share(72, 120));
    // Draws: 10 won, 20 drawn, 10 lost have half the variance of 20 won and 20 lost.
    HeadToHead drawn = results_of_games(10, 20, 10);
    assert_interval(stats_score_wilson(&drawn), stats_share(40, 80));
}

static void sprt_checks_its_parameters(void **state)
{
    (void)state;
    assert_true(sprt_is_valid(&(Sprt){0, 5, 0.05, 0.05, false}));
    assert_false(sprt_is_valid(&(Sprt){5, 5, 0.05, 0.05, false}));
    assert_false(sprt_is_valid(&(Sprt){0, NAN, 0.05, 0.05, false}));
    assert_false(sprt_is_valid(&(Sprt){0, 5, 0, 0.05, false}));
    assert_false(sprt_is_valid(&(Sprt){0, 5, 0.5, 0.5, false}));
    Interval bounds = sprt_bounds(0.05, 0.1);
    assert_near(bounds.low, log(0.1 / 0.95), 1e-12);
    assert_near(bounds.high, log(0.9 / 0.05), 1e-12);
    assert_string_equal(sprt_verdict_name(SPRT_RUNNING), "running");
    assert_string_equal(sprt_verdict_name(SPRT_H0), "H0");
    assert_string_equal(sprt_verdict_name(SPRT_H1), "H1");
}

// Empty categories neither divide by zero nor decide the test. The closed form counts a clean sweep for H1, but slowly:
// see docs/statistics.md.
static void sprt_survives_empty_cells(void **state)
{
    (void)state;
    Sprt sprt = {.elo0 = 0, .elo1 = 50, .alpha = 0.05, .beta = 0.05};
    HeadToHead one = results_of_pairs(0, 0, 0, 0, 1), sweep = results_of_pairs(0, 0, 0, 0, 400);
    HeadToHead even = results_of_pairs(0, 0, 200, 0, 0), clear = results_of_pairs(0, 2, 5, 20, 30);
    assert_int_equal(sprt_state(&sprt, &one).verdict, SPRT_RUNNING);
    assert_true(sprt_state(&sprt, &one).llr > 0);
    assert_true(sprt_state(&sprt, &sweep).llr > sprt_state(&sprt, &one).llr);
    assert_int_equal(sprt_state(&sprt, &even).verdict, SPRT_H0);
    assert_int_equal(sprt_state(&sprt, &clear).verdict, SPRT_H1);
}

// Plays pairs until the test decides; A wins a decided game with the given probability in thousandths.
static SprtVerdict simulate(const Sprt *sprt, uint32_t win, Rng *rng)
{
    HeadToHead results = {0};
    for (unsigned i = 0; i < 100000; i++) {
        unsigned half_points[2];
        for (unsigned game = 0; game < 2; game++) {
            bool drawn = rng_below(rng, 4) == 0;
            half_points[game] = drawn ? 1 : rng_below(rng, 1000) < win ? 2 : 0;
        }
        stats_add_pair(&results, half_points[0], half_points[1]);
        SprtState now = sprt_state(sprt, &results);
        if (now.verdict != SPRT_RUNNING)
            return now.verdict;
    }
    return SPRT_RUNNING;
}

static void sprt_keeps_its_error_rates(void **state)
{
    (void)state;
    enum { RUNS = 400 };
    // A quarter drawn, 0.598 of the rest won: score 0.5735, deviation of a game 0.4266, hence 60 nElo.
    Sprt sprt = {.elo0 = 0, .elo1 = 60, .alpha = 0.05, .beta = 0.05};
    Rng rng = rng_make(2024);
    unsigned false_h1 = 0, false_h0 = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        false_h1 += simulate(&sprt, 500, &rng) != SPRT_H0;
        false_h0 += simulate(&sprt, 598, &rng) != SPRT_H1;
    }
    assert_true(false_h1 <= RUNS * 8 / 100);
    assert_true(false_h0 <= RUNS * 8 / 100);
}

// In many small matches between sides of known strength, 95 % of the intervals should contain the true value.
static void intervals_cover_the_truth(void **state)
{
    (void)state;
    enum { RUNS = 1000, PAIRS = 60 };
    Rng rng = rng_make(7);
    double truth = 0.125 + 0.75 * 0.6; // a quarter drawn, 60 % of the rest won
    double deviation = sqrt(0.75 * 0.6 + 0.25 * 0.25 - truth * truth), nelo = (truth - 0.5) / deviation * 800 / log(10);
    unsigned elo_holds = 0, nelo_holds = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        HeadToHead results = {0};
        for (unsigned i = 0; i < PAIRS; i++) {
            unsigned first = rng_below(&rng, 4) == 0 ? 1 : rng_below(&rng, 10) < 6 ? 2 : 0;
            unsigned second = rng_below(&rng, 4) == 0 ? 1 : rng_below(&rng, 10) < 6 ? 2 : 0;
            stats_add_pair(&results, first, second);
        }
        Interval elo_range = stats_elo(&results).range, nelo_range = stats_nelo(&results).range;
        elo_holds += elo_range.low <= stats_score_to_elo(truth) && stats_score_to_elo(truth) <= elo_range.high;
        nelo_holds += nelo_range.low <= nelo && nelo <= nelo_range.high;
    }
    assert_in_range(elo_holds, 925, 970);
    assert_in_range(nelo_holds, 925, 970);
}

static Sample sample_of(const double *values, unsigned count)
{
    Sample sample = {0};
    for (unsigned i = 0; i < count; i++)
        sample_add(&sample, values[i]);
    return sample;
}

// Quantiles of Student's t-distribution from tables; the game lengths of Liu and Lin, Table II.
static void a_mean_has_the_interval_of_student(void **state)
{
    (void)state;
    static const double lengths[] = {31, 121, 123, 131, 47, 18, 118, 128, 120, 34};
    static const double quantiles[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462};
    Sample sample = sample_of(lengths, 10);
    Estimate mean = sample_mean(&sample);
    assert_near(mean.value, 87.1, 1e-12);
    // The sum of squares is 96289, so the variance is 20424.9 / 9.
    assert_near(mean.error, 2.262157 * sqrt(20424.9 / 9 / 10), 0.001);
    assert_near(mean.range.low, mean.value - mean.error, 1e-12);
    assert_near(mean.range.high, mean.value + mean.error, 1e-12);
    for (unsigned n = 2; n <= 8; n++) {
        static const double values[] = {1000, 1001, 1000, 1001, 1000, 1001, 1000, 1001};
        sample = sample_of(values, n);
        double ones = n / 2, variance = ones * (n - ones) / n / (n - 1); // NOLINT(bugprone-integer-division)
        assert_near(sample_mean(&sample).error / sqrt(variance / n) / quantiles[n - 2], 1, 0.0013);
    }
    static const double low[] = {0, 0, 0, 7};
    sample = sample_of(low, 4);
    assert_near(sample_mean(&sample).range.low, 0, 0);
}

static void a_mean_of_few_or_of_equals_has_no_limits(void **state)
{
    (void)state;
    static const double same[] = {120, 120, 120, 120, 120, 120, 120, 120, 120, 120};
    for (unsigned n = 0; n <= 10; n++) {
        Sample sample = sample_of(same, n);
        Estimate mean = sample_mean(&sample);
        assert_true(mean.value == (n > 0 ? 120 : 0) && isnan(mean.error));
        assert_true(isnan(mean.range.low) && isnan(mean.range.high));
    }
}

// Samples of ten throws of a die: 95 % of the intervals should contain 2.5.
static void means_cover_the_truth(void **state)
{
    (void)state;
    enum { RUNS = 1000 };
    Rng rng = rng_make(5);
    unsigned holds = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        Sample sample = {0};
        for (unsigned i = 0; i < 10; i++)
            sample_add(&sample, rng_below(&rng, 6));
        Interval range = sample_mean(&sample).range;
        holds += range.low <= 2.5 && 2.5 <= range.high;
    }
    assert_in_range(holds, 930, 970);
}

// Four games with 1 of 4, 3 of 6, 0 of 2 and 4 of 8 turns: 8 of 20. The residuals are -0.6, 0.6, -0.8 and 0.8; the sum
// of their squares is 2.
static void a_ratio_has_the_interval_of_its_games(void **state)
{
    (void)state;
    static const double parts[] = {1, 3, 0, 4}, wholes[] = {4, 6, 2, 8};
    Ratio ratio = {0};
    for (unsigned i = 0; i < 4; i++)
        ratio_add(&ratio, parts[i], wholes[i]);
    Estimate value = ratio_value(&ratio);
    assert_near(value.value, 0.4, 1e-12);
    assert_near(value.error, 3.18245 * sqrt(4 * 2.0 / 3) / 20, 0.001);
    assert_near(value.range.low, value.value - value.error, 1e-12);
    assert_near(value.range.high, value.value + value.error, 1e-12);
    // With equal totals, the share is the mean of the shares.
    static const double lengths[] = {31, 121, 123, 131, 47};
    Sample sample = sample_of(lengths, 5);
    ratio = (Ratio){0};
    for (unsigned i = 0; i < 5; i++)
        ratio_add(&ratio, lengths[i], 10);
    assert_near(ratio_value(&ratio).value, sample_mean(&sample).value / 10, 1e-12);
    assert_near(ratio_value(&ratio).error, sample_mean(&sample).error / 10, 1e-9);
    ratio = (Ratio){0};
    for (unsigned i = 0; i < 4; i++)
        ratio_add(&ratio, i == 3 ? 7 : 0, 7);
    assert_near(ratio_value(&ratio).range.low, 0, 0);
}

static void a_ratio_of_few_or_of_equals_has_no_limits(void **state)
{
    (void)state;
    Ratio ratio = {0};
    for (unsigned n = 0; n < 30; n++) {
        Estimate value = ratio_value(&ratio);
        assert_true(fabs(value.value - (n > 0 ? 0.7 : 0)) < 1e-12);
        assert_true(isnan(value.error) && isnan(value.range.low) && isnan(value.range.high));
        ratio_add(&ratio, 0.7 * (n + 3), n + 3);
    }
    ratio = (Ratio){0};
    ratio_add(&ratio, 0, 0);
    ratio_add(&ratio, 0, 0);
    assert_true(ratio_value(&ratio).value == 0 && isnan(ratio_value(&ratio).error));
}

// Games in which all, half or none of the turns count: the interval over games contains the true share; one over turns
// would not.
static void ratios_cover_the_truth(void **state)
{
    (void)state;
    enum { RUNS = 1000, GAMES = 60 };
    Rng rng = rng_make(17);
    unsigned holds = 0, of_turns = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        Ratio ratio = {0};
        for (unsigned i = 0; i < GAMES; i++) {
            unsigned turns = 5 + rng_below(&rng, 15);
            ratio_add(&ratio, rng_below(&rng, 2) == 0 ? turns : 0, turns);
        }
        Interval range = ratio_value(&ratio).range, share = stats_share(ratio.part, ratio.whole);
        holds += range.low <= 0.5 && 0.5 <= range.high;
        of_turns += share.low <= 0.5 && 0.5 <= share.high;
    }
    assert_in_range(holds, 925, 970);
    assert_true(of_turns < 700);
}

// For a one-sided result, 97 of 100 won, an interval that is symmetric around the score would be too short too often.
// Pairs with equal results half of the time do not change this.
static void intervals_cover_a_landslide(void **state)
{
    (void)state;
    enum { RUNS = 1000, PAIRS = 60 };
    Rng rng = rng_make(11);
    unsigned wilson_holds = 0, score_holds = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        HeadToHead results = {0};
        for (unsigned i = 0; i < PAIRS; i++) {
            unsigned first = rng_below(&rng, 100) < 97 ? 2 : 0;
            unsigned second = rng_below(&rng, 2) == 0 ? first : rng_below(&rng, 100) < 97 ? 2 : 0;
            stats_add_pair(&results, first, second);
        }
        Interval wilson = stats_score_wilson(&results), score = stats_score(&results).range;
        wilson_holds += wilson.low <= 0.97 && 0.97 <= wilson.high;
        score_holds += score.low <= 0.97 && 0.97 <= score.high;
        assert_true(score.low > 0 && score.high <= 1 && isfinite(stats_elo(&results).error) == (score.high < 1));
    }
    assert_in_range(wilson_holds, 925, 985);
    assert_true(score_holds >= 925);
}

TEST_GROUP(stats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vector_is_reproduced),
        cmocka_unit_test(counting_agrees_with_points),
        cmocka_unit_test(no_games_say_nothing),
        cmocka_unit_test(all_wins_are_infinite_with_a_finite_floor),
        cmocka_unit_test(all_draws_are_equality_with_an_error),
        cmocka_unit_test(pairs_without_spread_fall_back_on_games),
        cmocka_unit_test(single_games_use_the_trinomial_variance),
        cmocka_unit_test(pairs_take_out_the_first_move),
        cmocka_unit_test(sides_are_symmetric),
        cmocka_unit_test(judgement_wants_enough_decided_pairs),
        cmocka_unit_test(shares_have_wilson_intervals),
        cmocka_unit_test(scores_have_wilson_intervals_of_their_pairs),
        cmocka_unit_test(sprt_checks_its_parameters),
        cmocka_unit_test(sprt_survives_empty_cells),
        cmocka_unit_test(sprt_keeps_its_error_rates),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(a_mean_has_the_interval_of_student),
        cmocka_unit_test(a_mean_of_few_or_of_equals_has_no_limits),
        cmocka_unit_test(means_cover_the_truth),
        cmocka_unit_test(a_ratio_has_the_interval_of_its_games),
        cmocka_unit_test(a_ratio_of_few_or_of_equals_has_no_limits),
        cmocka_unit_test(ratios_cover_the_truth),
        cmocka_unit_test(intervals_cover_a_landslide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
