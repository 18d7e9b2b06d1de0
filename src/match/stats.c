// Elo differences, their errors, and the sequential probability ratio test.
#include "match/stats.h"

#include <assert.h>
#include <math.h>

// Normalised Elo per standard deviation of a game: agrees with Elo near equality when every game is decided
// (Van den Bergh, "Comments on Normalized Elo").
#define NELO_PER_DEVIATION (800 / M_LN10)

// Replaces empty cells of the pair counts in an SPRT, so that the variance is not zero (as in Fishtest).
#define SPRT_EMPTY_CELL 1e-3

// The moments of a sample of results 0, 1/(kinds - 1), ... 1.
typedef struct {
    double n, mean;
    double variance;       // of one result, divided by n and not n - 1: the convention of the published test vector
    double skew, kurtosis; // third and fourth standardised moments; 0 and 1 without variance
} SampleMoments;

static SampleMoments shape_of(const double *counts, unsigned kinds)
{
    SampleMoments shape = {.kurtosis = 1};
    double points = 0;
    for (unsigned i = 0; i < kinds; i++) {
        shape.n += counts[i];
        points += counts[i] * i;
    }
    if (shape.n == 0)
        return shape;
    shape.mean = points / (kinds - 1) / shape.n;
    double moment[5] = {0};
    for (unsigned i = 0; i < kinds; i++) {
        double away = (double)i / (kinds - 1) - shape.mean;
        for (unsigned power = 2; power <= 4; power++)
            moment[power] += counts[i] / shape.n * pow(away, power);
    }
    shape.variance = moment[2];
    if (shape.variance > 0) {
        shape.skew = moment[3] / pow(moment[2], 1.5);
        shape.kurtosis = moment[4] / (moment[2] * moment[2]);
    }
    return shape;
}

static SampleMoments shape_of_games(Tally tally)
{
    return shape_of((const double[]){tally.losses, tally.draws, tally.wins}, 3);
}

static SampleMoments shape_of_pairs(const uint32_t pairs[PAIR_KINDS])
{
    double counts[PAIR_KINDS];
    for (unsigned i = 0; i < PAIR_KINDS; i++)
        counts[i] = pairs[i];
    return shape_of(counts, PAIR_KINDS);
}

void tally_add(Tally *tally, unsigned half_points)
{
    assert(half_points <= 2);
    uint32_t *counts[] = {&tally->losses, &tally->draws, &tally->wins};
    ++*counts[half_points];
}

double tally_games(Tally tally)
{
    return (double)tally.wins + tally.draws + tally.losses;
}

double tally_score(Tally tally)
{
    double games = tally_games(tally);
    return games > 0 ? (tally.wins + 0.5 * tally.draws) / games : 0.5;
}

Tally tally_of_agent(const Tally *table, unsigned agents, unsigned agent)
{
    Tally all = {0};
    for (unsigned other = 0; other < agents; other++) {
        Tally first = table[agent * agents + other], second = table[other * agents + agent]; // other's view
        if (other == agent)
            continue;
        all.wins += first.wins + second.losses;
        all.draws += first.draws + second.draws;
        all.losses += first.losses + second.wins;
    }
    return all;
}

void stats_add_pair(HeadToHead *results, unsigned half_points, unsigned half_points_reversed)
{
    tally_add(&results->games, half_points);
    tally_add(&results->games, half_points_reversed);
    results->pairs[half_points + half_points_reversed]++;
}

double stats_pairs(const HeadToHead *results)
{
    double sum = 0;
    for (unsigned i = 0; i < PAIR_KINDS; i++)
        sum += results->pairs[i];
    return sum;
}

double stats_score_to_elo(double score)
{
    if (score <= 0)
        return -INFINITY;
    if (score >= 1)
        return INFINITY;
    return 400 * log10(score / (1 - score));
}

// The variance of the score, for at least one game. The points are a sum over pairs and single games, and the variances
// of independent parts add up; 0 only if all games ended equally.
static double score_variance(const HeadToHead *results)
{
    SampleMoments games = shape_of_games(results->games);
    SampleMoments pairs = shape_of_pairs(results->pairs);
    assert(2 * pairs.n <= games.n);
    // The number of games in pairs. A pair has two games, and four times the variance of its mean.
    double paired = pairs.variance > 0 ? 2 * pairs.n : 0;
    return (paired * 2 * pairs.variance + (games.n - paired) * games.variance) / (games.n * games.n);
}

Estimate stats_score(const HeadToHead *results)
{
    Tally tally = results->games;
    double games = tally_games(tally), score = tally_score(tally);
    Interval range = {0, 1};
    if (games > 0) {
        double error = STATS_Z95 * sqrt(score_variance(results));
        range = (Interval){score - error, score + error};
        if (range.low <= 0 || range.high >= 1 || error <= 0)
            range = stats_score_wilson(results);
    }
    return (Estimate){.value = score, .error = (range.high - range.low) / 2, .range = range};
}

Estimate stats_elo(const HeadToHead *results)
{
    Estimate score = stats_score(results);
    Interval range = {stats_score_to_elo(score.range.low), stats_score_to_elo(score.range.high)};
    bool bounded = isfinite(range.low) && isfinite(range.high);
    return (Estimate){
        .value = stats_score_to_elo(score.value),
        .error = bounded ? (range.high - range.low) / 2 : INFINITY,
        .range = range,
    };
}

// The ratio of the error of a standardised mean t to that of t = 0. Delta method: the variance of t over n results is
// (1 - t skew + t^2 (kurtosis - 1) / 4) / n. At least 1, which is exact at t = 0.
static double nelo_error_factor(const SampleMoments *shape)
{
    double t = (shape->mean - 0.5) / sqrt(shape->variance);
    return sqrt(fmax(1, 1 - t * shape->skew + t * t * (shape->kurtosis - 1) / 4));
}

Estimate stats_nelo(const HeadToHead *results)
{
    Estimate unbounded = {.error = INFINITY, .range = {-INFINITY, INFINITY}};
    double games = tally_games(results->games);
    if (games == 0)
        return unbounded;
    double above = tally_score(results->games) - 0.5;
    // Of one game; with pairs only, sqrt(2 variance of a pair).
    double deviation = sqrt(games * score_variance(results));
    double error = STATS_Z95 * NELO_PER_DEVIATION / sqrt(games);
    double value = 0;
    if (deviation > 0) {
        // Pairs measure the spread only if they differ: after three pairs WL, WL, WL it is not zero.
        SampleMoments shape = shape_of_pairs(results->pairs);
        if (shape.variance == 0)
            shape = shape_of_games(results->games);
        value = above / deviation * NELO_PER_DEVIATION;
        error *= nelo_error_factor(&shape);
    } else if (above != 0) {
        unbounded.value = copysign(INFINITY, above);
        return unbounded;
    }
    return (Estimate){.value = value, .error = error, .range = {value - error, value + error}};
}

double stats_los(const HeadToHead *results)
{
    double games = tally_games(results->games), above = tally_score(results->games) - 0.5;
    if (games == 0 || above == 0)
        return 0.5;
    double variance = score_variance(results);
    if (variance > 0)
        return erfc(-above / sqrt(variance) / M_SQRT2) / 2; // the normal distribution
    // All won or all lost: the posterior of a coin that always showed one side, from a uniform prior (Laplace).
    double doubt = exp2(-games - 1);
    return above > 0 ? 1 - doubt : doubt;
}

// The sign test with continuity correction (Edwards 1948) on wins and losses: if nearly all games are drawn, the normal
// interval alone would take three wins of ten for proof. Above 1.96 it agrees with the exact binomial test.
static bool sign_test_passes(double better, double worse)
{
    return fabs(better - worse) - 1 > STATS_Z95 * sqrt(better + worse);
}

Judgement stats_judge(const HeadToHead *results)
{
    double better = (double)results->pairs[PAIR_WD] + results->pairs[PAIR_WW];
    double worse = (double)results->pairs[PAIR_LD] + results->pairs[PAIR_LL];
    if (stats_pairs(results) == 0) {
        better = results->games.wins;
        worse = results->games.losses;
    }
    Interval range = stats_score(results).range;
    if (!sign_test_passes(better, worse))
        return STATS_TOO_SMALL;
    if (range.low > 0.5 && better > worse)
        return STATS_A_STRONGER;
    if (range.high < 0.5 && better < worse)
        return STATS_B_STRONGER;
    return STATS_TOO_SMALL;
}

// Wilson (1927); unlike share ± error it stays between 0 and 1 and is valid at the ends.
Interval stats_share(double successes, double trials)
{
    assert(successes >= 0 && successes <= trials);
    if (trials == 0)
        return (Interval){0, 1};
    double share = successes / trials, z2 = STATS_Z95 * STATS_Z95;
    double centre = (share + z2 / (2 * trials)) / (1 + z2 / trials);
    double reach = STATS_Z95 / (1 + z2 / trials) * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials));
    return (Interval){
        .low = successes == 0 ? 0 : fmax(centre - reach, 0),
        .high = successes == trials ? 1 : fmin(centre + reach, 1),
    };
}

void sample_add(Sample *sample, double value)
{
    assert(value >= 0);
    sample->n++;
    sample->sum += value;
    sample->squares += value * value;
}

// The two-sided 95 % quantile of Student's distribution: exact for one and two degrees of freedom, above that the
// expansion of Cornish and Fisher, 0.12 % too small for three degrees and far less for more.
static double student_z95(double degrees)
{
    const double z = STATS_Z95, z2 = z * z, share = 0.95;
    if (degrees == 1)
        return tan(M_PI / 2 * share);
    if (degrees == 2)
        return share * sqrt(2 / (1 - share * share));
    double first = (z2 + 1) / 4;
    double second = ((5 * z2 + 16) * z2 + 3) / 96;
    double third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    double fourth = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z * (1 + (first + (second + (third + fourth / degrees) / degrees) / degrees) / degrees);
}

Estimate sample_mean(const Sample *sample)
{
    double n = sample->n, mean = n > 0 ? sample->sum / n : 0;
    double variance = n > 1 ? (n * sample->squares - sample->sum * sample->sum) / (n * (n - 1)) : 0;
    if (variance <= 0)
        return (Estimate){.value = mean, .error = NAN, .range = {NAN, NAN}};
    double error = student_z95(n - 1) * sqrt(variance / n);
    Interval range = {fmax(mean - error, 0), mean + error};
    return (Estimate){.value = mean, .error = error, .range = range};
}

void ratio_add(Ratio *ratio, double part, double whole)
{
    assert(part >= 0 && whole >= 0);
    ratio->n++;
    ratio->part += part;
    ratio->whole += whole;
    ratio->part_squares += part * part;
    ratio->whole_squares += whole * whole;
    ratio->products += part * whole;
}

// The ratio estimator of survey sampling (Cochran 1977, section 2.11) with games as clusters, from the sum of the
// squares of the residuals part - r whole, whose sum is 0.
Estimate ratio_value(const Ratio *ratio)
{
    double n = ratio->n, r = ratio->whole > 0 ? ratio->part / ratio->whole : 0;
    double squares = ratio->part_squares - 2 * r * ratio->products + r * r * ratio->whole_squares;
    // If all games are alike, only rounding errors of these sums remain.
    if (n < 2 || ratio->whole <= 0 || squares <= 1e-12 * ratio->part_squares)
        return (Estimate){.value = r, .error = NAN, .range = {NAN, NAN}};
    double error = student_z95(n - 1) * sqrt(n * squares / (n - 1)) / ratio->whole;
    return (Estimate){.value = r, .error = error, .range = {fmax(r - error, 0), r + error}};
}

// The effective sample size of survey sampling (Kish 1965): n = s (1 - s) / variance of s. Draws, and pairs that cancel
// the advantage of a colour, make it larger than the number of games; pairs won twice make it smaller.
Interval stats_score_wilson(const HeadToHead *results)
{
    double games = tally_games(results->games), score = tally_score(results->games);
    double variance = games > 0 ? score_variance(results) : 0;
    double alone = variance > 0 ? score * (1 - score) / variance : games;
    return stats_share(score * alone, alone);
}

bool sprt_is_valid(const Sprt *sprt)
{
    return isfinite(sprt->elo0) && isfinite(sprt->elo1) && sprt->elo0 < sprt->elo1 && sprt->alpha > 0 &&
           sprt->beta > 0 && sprt->alpha + sprt->beta < 1;
}

// Wald (1945).
Interval sprt_bounds(double alpha, double beta)
{
    return (Interval){.low = log(beta / (1 - alpha)), .high = log((1 - beta) / alpha)};
}

// The pairs for an SPRT; false if there are none.
static bool shape_of_sprt(const uint32_t pairs[PAIR_KINDS], SampleMoments *shape)
{
    double counts[PAIR_KINDS], sum = 0;
    for (unsigned i = 0; i < PAIR_KINDS; i++) {
        counts[i] = pairs[i] > 0 ? pairs[i] : SPRT_EMPTY_CELL;
        sum += pairs[i];
    }
    *shape = shape_of(counts, PAIR_KINDS);
    return sum > 0;
}

// The likelihood ratio of two means for a normal sample of unknown variance: an approximation of the generalised SPRT.
// The arguments are the distances of the mean from the two hypotheses, in standard deviations.
static double llr_of(double pairs, double away0, double away1)
{
    return pairs / 2 * (log1p(away0 * away0) - log1p(away1 * away1));
}

// The hypotheses are means of 1/2 + t0 sigma and 1/2 + t1 sigma (Van den Bergh, "Comments on Normalized Elo"), with
// sigma from the sample. The variance of a pair's mean is half that of a game: hence the square root of two.
double sprt_llr(const uint32_t pairs[PAIR_KINDS], double nelo0, double nelo1)
{
    SampleMoments shape;
    if (!shape_of_sprt(pairs, &shape))
        return 0;
    double t = (shape.mean - 0.5) / sqrt(shape.variance);
    return llr_of(shape.n, t - M_SQRT2 * nelo0 / NELO_PER_DEVIATION, t - M_SQRT2 * nelo1 / NELO_PER_DEVIATION);
}

// The score that is expected of the stronger side.
static double score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

static double logistic_llr(const uint32_t pairs[PAIR_KINDS], double elo0, double elo1)
{
    SampleMoments shape;
    if (!shape_of_sprt(pairs, &shape))
        return 0;
    double sigma = sqrt(shape.variance);
    return llr_of(shape.n, (shape.mean - score_of_elo(elo0)) / sigma, (shape.mean - score_of_elo(elo1)) / sigma);
}

const char *sprt_model_name(const Sprt *sprt)
{
    return sprt->is_logistic ? "logistic" : "normalised";
}

SprtState sprt_state(const Sprt *sprt, const HeadToHead *results)
{
    assert(sprt_is_valid(sprt));
    SprtState state = {
        .llr = (sprt->is_logistic ? logistic_llr : sprt_llr)(results->pairs, sprt->elo0, sprt->elo1),
        .bounds = sprt_bounds(sprt->alpha, sprt->beta),
        .verdict = SPRT_RUNNING,
    };
    if (state.llr >= state.bounds.high)
        state.verdict = SPRT_H1;
    else if (state.llr <= state.bounds.low)
        state.verdict = SPRT_H0;
    return state;
}

const char *sprt_verdict_name(SprtVerdict verdict)
{
    static const char *const names[] = {[SPRT_RUNNING] = "running", [SPRT_H0] = "H0", [SPRT_H1] = "H1"};
    return names[verdict];
}
