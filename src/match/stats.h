// Statistics of head-to-head results: score, Elo, normalised Elo, likelihood of superiority, SPRT.
//
// Pure functions of counts. Unbounded numbers are INFINITY (check with isfinite; JSON has null). docs/statistics.md
// explains every number with its formula and source.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STATS_Z95 1.959963984540054 // the normal quantile of two-sided 95 %

// Games of one side against another, from that side's view.
typedef struct {
    uint32_t wins, draws, losses;
} Tally;

// A pair is one opening played twice with colours reversed. Its kind is the number of half points that A scored in it.
enum { PAIR_LL, PAIR_LD, PAIR_EVEN, PAIR_WD, PAIR_WW, PAIR_KINDS }; // EVEN is DD or WL

// The results of A against B. A game of a complete pair is counted in `games` and, with the other game, in `pairs`.
typedef struct {
    Tally games;
    uint32_t pairs[PAIR_KINDS];
} HeadToHead;

typedef struct {
    double low, high;
} Interval;

// A number with its 95 % interval. The error is half the width: INFINITY if an end is unbounded.
typedef struct {
    double value, error;
    Interval range;
} Estimate;

// Counts a game in which A scored 0, 1 or 2 half points.
void tally_add(Tally *tally, unsigned half_points);
double tally_games(Tally tally);
double tally_score(Tally tally); // from 0 to 1; 0.5 without games

// All games of an agent against the others, in both colours; for the table see ratings.h.
Tally tally_of_agent(const Tally *table, unsigned agents, unsigned agent);

// Counts both games of a pair, given A's half points in each.
void stats_add_pair(HeadToHead *results, unsigned half_points, unsigned half_points_reversed);
double stats_pairs(const HeadToHead *results);

double stats_score_to_elo(double score); // -INFINITY at 0, INFINITY at 1

// The score with its interval: from the variance between pairs, and between games for games outside of pairs (or if all
// pairs are equal); by Wilson's formula if all games ended equally.
Estimate stats_score(const HeadToHead *results);

// Elo of A minus Elo of B. Without games 0, unbounded. All won: INFINITY with an infinite error and a finite low end.
Estimate stats_elo(const HeadToHead *results);

// Normalised Elo: the score above one half in units of its standard deviation per game, times 800 / ln 10.
Estimate stats_nelo(const HeadToHead *results);

// Likelihood of superiority: the probability, from 0 to 1, that A is the stronger one.
double stats_los(const HeadToHead *results);

// Whether a side is significantly stronger: the 95 % interval of Elo excludes 0, and a sign test of the pairs (of the
// games if there are no pairs) agrees. docs/statistics.md has the rule.
typedef enum { STATS_TOO_SMALL, STATS_A_STRONGER, STATS_B_STRONGER } Judgement;
Judgement stats_judge(const HeadToHead *results);

// Wilson's 95 % interval for a share. `successes` may count draws as halves; the interval is then too wide, never too
// narrow.
Interval stats_share(double successes, double trials);

// A sample of non-negative integers, such as lengths of games: count, sum and sum of squares. Sums of integers are
// exact in a double, whatever their order.
typedef struct {
    uint32_t n;
    double sum, squares;
} Sample;

void sample_add(Sample *sample, double value);

// The mean with Student's interval, truncated at 0. If all values are equal, the spread is unknown: the error and both
// ends are NAN.
Estimate sample_mean(const Sample *sample);

// Two non-negative numbers per game, a part and a whole, such as turns decided in some way and all turns: count, sums,
// squares and products.
typedef struct {
    uint32_t n;
    double part, whole, part_squares, whole_squares, products;
} Ratio;

void ratio_add(Ratio *ratio, double part, double whole);

// The sum of the parts divided by that of the wholes. Turns of one game are correlated, so the interval is based on
// games: Student's for the residuals part - ratio * whole, truncated at 0. Without wholes the value is 0; if all
// residuals are 0, or with a single game, the error and both ends are NAN.
Estimate ratio_value(const Ratio *ratio);

// Wilson's interval of the score for the number of independent games that would have the variance of these pairs and
// games. Unlike that of stats_score it remains valid if nearly everything was won or lost.
Interval stats_score_wilson(const HeadToHead *results);

// A sequential probability ratio test of H0 "A is elo0 stronger" against H1 "A is elo1 stronger".
typedef struct {
    double elo0, elo1;
    double alpha, beta; // probability of accepting H1 if H0 holds, and of H0 if H1 holds
    bool is_logistic;   // in logistic Elo, that of stats_elo, instead of normalised Elo
} Sprt;

typedef enum { SPRT_RUNNING, SPRT_H0, SPRT_H1 } SprtVerdict;

typedef struct {
    double llr;      // log-likelihood ratio of H1 over H0
    Interval bounds; // H0 is accepted at or below the low one, H1 at or above the high one
    SprtVerdict verdict;
} SprtState;

#define SPRT_ERROR 0.05 // default of alpha and beta

bool sprt_is_valid(const Sprt *sprt); // elo0 < elo1, finite; alpha and beta above 0, their sum below 1
Interval sprt_bounds(double alpha, double beta);

// In normalised Elo. 0 without pairs. Intended for close sides: it underrates a large difference, which stats_judge
// finds after few games.
double sprt_llr(const uint32_t pairs[PAIR_KINDS], double nelo0, double nelo1);
const char *sprt_model_name(const Sprt *sprt);                     // "normalised", "logistic"
SprtState sprt_state(const Sprt *sprt, const HeadToHead *results); // uses complete pairs only
const char *sprt_verdict_name(SprtVerdict verdict);                // "running", "H0", "H1"
