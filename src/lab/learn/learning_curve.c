// Records the score and the number of patterns after each game of a learning run.
#include "lab/learn/learning_curve.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void learning_curve_open(LearningCurve *curve, unsigned games)
{
    *curve = (LearningCurve){.capacity = games};
    curve->half_points = memory_new(games, sizeof *curve->half_points);
    curve->points = memory_new(games, sizeof *curve->points);
}

void learning_curve_close(LearningCurve *curve)
{
    free(curve->half_points);
    free(curve->points);
    *curve = (LearningCurve){0};
}

// Adds games from <= number < to; games without their pair's other game count individually.
static void add_results(const LearningCurve *curve, unsigned from, unsigned to, HeadToHead *results)
{
    for (unsigned i = from; i < to; i++) {
        bool whole = i % 2 == 0 && i + 1 < to;
        if (whole)
            stats_add_pair(results, curve->half_points[i], curve->half_points[i + 1]);
        else
            tally_add(&results->games, curve->half_points[i]);
        i += whole;
    }
}

static LearningScore score_of(const HeadToHead *results)
{
    return (LearningScore){tally_score(results->games), stats_score_wilson(results)};
}

void learning_curve_add(LearningCurve *curve, unsigned half_points, const OwnCounts *own)
{
    assert(curve->count < curve->capacity && half_points <= 2);
    LearningPoint point = learning_curve_end(curve);
    curve->half_points[curve->count++] = (uint8_t)half_points;
    unsigned count = curve->count;
    if (count % 2 == 0)
        add_results(curve, count - 2, count, &curve->pairs);
    HeadToHead all = curve->pairs, recent = {0};
    if (count % 2 != 0)
        tally_add(&all.games, half_points);
    add_results(curve, count > LEARNING_RECENT ? count - LEARNING_RECENT : 0, count, &recent);
    point.games = all.games;
    point.score = score_of(&all);
    point.recent = score_of(&recent);
    point.learned += own_counts_value(own, "learned");
    point.refuted += own_counts_value(own, "refuted");
    point.undecided += own_counts_value(own, "undecided");
    point.unsaved += own_counts_value(own, "unsaved");
    curve->points[count - 1] = point;
}

uint64_t learning_point_saved(const LearningPoint *point)
{
    // A pattern that was written but could not be read back counts as unsaved too, and may not count as learned.
    return point->learned > point->unsaved ? point->learned - point->unsaved : 0;
}

uint64_t learning_curve_patterns(const LearningCurve *curve, unsigned games)
{
    assert(games <= curve->count);
    return curve->before + (games > 0 ? learning_point_saved(&curve->points[games - 1]) : 0);
}

typedef struct {
    Sample score, recent, patterns, versions;
} Means;

static LearningScore score_of_sample(const Sample *sample)
{
    Estimate mean = sample_mean(sample);
    return (LearningScore){mean.value, {mean.range.low, fmin(mean.range.high, 1)}};
}

void learning_curve_mean(const LearningCurve *const *curves, unsigned count, LearningCurve *mean)
{
    unsigned games = curves[0]->count;
    for (unsigned i = 1; i < count; i++)
        games = curves[i]->count < games ? curves[i]->count : games;
    learning_curve_open(mean, curves[0]->capacity);
    mean->count = games;
    if (count == 1)
        mean->before = curves[0]->before;
    for (unsigned game = 0; game < games; game++) {
        Means means = {0};
        for (unsigned i = 0; i < count; i++) {
            const LearningPoint *point = &curves[i]->points[game];
            sample_add(&means.score, point->score.value);
            sample_add(&means.recent, point->recent.value);
            sample_add(&means.patterns, (double)learning_curve_patterns(curves[i], game + 1));
            sample_add(&means.versions, (double)point->versions);
        }
        mean->points[game] = count == 1
                                 ? curves[0]->points[game]
                                 : (LearningPoint){.score = score_of_sample(&means.score),
                                                   .recent = score_of_sample(&means.recent),
                                                   .learned = (uint64_t)round(sample_mean(&means.patterns).value),
                                                   .versions = (uint64_t)round(sample_mean(&means.versions).value)};
    }
}

LearningPoint learning_curve_end(const LearningCurve *curve)
{
    LearningScore none = {NAN, {NAN, NAN}};
    return curve->count > 0 ? curve->points[curve->count - 1] : (LearningPoint){.score = none, .recent = none};
}
