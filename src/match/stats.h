// What the results of a head-to-head say: score, Elo, normalised Elo, likelihood of superiority, SPRT.
//
// Pure functions of counts. No number is ever NaN: what is unbounded is INFINITY (check with isfinite; JSON writes
// null). docs/statistics.md explains every number in plain words, with the formulas and where they come from.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STATS_Z95 1.959963984540054 // the normal quantile of two-sided 95 %

// Games of one side against another, seen from that side.
typedef struct {
    uint32_t wins, draws, losses;
} Tally;

// A pair is one opening played twice with colours reversed. Its kind is what A took of it, in half points.
enum { PAIR_LL, PAIR_LD, PAIR_EVEN, PAIR_WD, PAIR_WW, PAIR_KINDS }; // EVEN is DD or WL

// The results of A against B. A game of a complete pair is counted in `games` and, with its twin, in `pairs`.
typedef struct {
    Tally games;
    uint32_t pairs[PAIR_KINDS];
} HeadToHead;

typedef struct {
    double low, high;
} Interval;

// A number and its 95 % interval. The error is half the width: INFINITY when an end is unbounded.
typedef struct {
    double value, error;
    Interval range;
} Estimate;

// Counts a game of which A took 0, 1 or 2 half points.
void tally_add(Tally *tally, unsigned half_points);
double tally_games(Tally tally);
double tally_score(Tally tally); // from 0 to 1; one half for no games

// All games of an agent against the others, in both colours: table[i * agents + j] has those of i as first player
// against j, seen from i.
Tally tally_of_agent(const Tally *table, unsigned agents, unsigned agent);

// Counts both games of a pair, given A's half points in each.
void stats_add_pair(HeadToHead *results, unsigned half_points, unsigned half_points_reversed);
double stats_pairs(const HeadToHead *results);

double stats_score_to_elo(double score); // -INFINITY at 0, INFINITY at 1

// The score with its interval: from the variance between pairs, and between games for games outside of pairs (or when
// all pairs are alike); by Wilson's formula when all games ended alike.
Estimate stats_score(const HeadToHead *results);

// Elo of A minus Elo of B. No games: 0, unbounded. All won: INFINITY, with an error that is infinite and a finite low.
Estimate stats_elo(const HeadToHead *results);

// Normalised Elo: the score above one half in units of its standard deviation per game, times 800 / ln 10.
Estimate stats_nelo(const HeadToHead *results);

// Likelihood of superiority: the probability, from 0 to 1, that A is the stronger one.
double stats_los(const HeadToHead *results);

// May one say who is stronger? Only when the 95 % interval of Elo leaves out 0 and so does a sign test of the pairs
// (of the games, when there are none): see docs/statistics.md for the rule. Else the sample is too small to conclude.
typedef enum { STATS_TOO_SMALL, STATS_A_STRONGER, STATS_B_STRONGER } Judgement;
Judgement stats_judge(const HeadToHead *results);

// Wilson's 95 % interval for a share. `successes` may count draws as halves, which makes it too wide, never too narrow.
Interval stats_share(double successes, double trials);

// Whole numbers that are never negative, as lengths of games: how many, their sum and the sum of their squares. Sums of
// whole numbers are exact in a double, whatever their order.
typedef struct {
    uint32_t n;
    double sum, squares;
} Sample;

void sample_add(Sample *sample, double value);

// The mean with Student's interval, cut off at 0. Where all are alike, or there is but one, their spread says nothing
// yet: the error and both ends are NAN.
Estimate sample_mean(const Sample *sample);

// Two numbers of each of many games, neither ever negative, whose sums are divided: turns decided in some way and all
// turns. How many games, and the sums, squares and products of the numbers.
typedef struct {
    uint32_t n;
    double part, whole, part_squares, whole_squares, products;
} Ratio;

void ratio_add(Ratio *ratio, double part, double whole);

// The sum of the parts over that of the wholes. Turns of one game are alike, so the interval is that of games:
// Student's for what is left of each part when the ratio of its whole is taken away, cut off at 0. Without wholes the
// value is 0; where nothing is left of any game, or there is but one, the error and both ends are NAN.
Estimate ratio_value(const Ratio *ratio);

// The score's interval by Wilson's formula, with as many independent games as would have the variance of these pairs
// and games. Unlike that of stats_score it stays good where nearly everything was won or lost.
Interval stats_score_wilson(const HeadToHead *results);

// A sequential probability ratio test of H0 "A is nelo0 better" against H1 "A is nelo1 better", in normalised Elo.
typedef struct {
    double nelo0, nelo1;
    double alpha, beta; // chance of accepting H1 when H0 holds, and of H0 when H1 holds
} Sprt;

typedef enum { SPRT_RUNNING, SPRT_H0, SPRT_H1 } SprtVerdict;

typedef struct {
    double llr;      // log-likelihood ratio of H1 over H0
    Interval bounds; // H0 is accepted at or below the low one, H1 at or above the high one
    SprtVerdict verdict;
} SprtState;

bool sprt_is_valid(const Sprt *sprt); // nelo0 < nelo1, finite; alpha and beta above 0, their sum below 1
Interval sprt_bounds(double alpha, double beta);

// 0 without pairs. Made for sides that are close: it underrates a landslide, where stats_judge answers after few games.
double sprt_llr(const uint32_t pairs[PAIR_KINDS], double nelo0, double nelo1);
SprtState sprt_state(const Sprt *sprt, const HeadToHead *results); // looks at complete pairs only
const char *sprt_verdict_name(SprtVerdict verdict);                // "running", "H0", "H1"
