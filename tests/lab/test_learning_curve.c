// Tests of the learning curve: scores, limits and sums compared with simple counts.
#include "support/check.h"

#include "lab/learn/learning_curve.h"

#include <math.h>
#include <stdio.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static OwnCounts counts_of(uint64_t learned, uint64_t refuted, uint64_t undecided)
{
    OwnCounts own = {0};
    assert_true(own_counts_add(&own, "undecided", undecided));
    assert_true(own_counts_add(&own, "matched", 1000));
    assert_true(own_counts_add(&own, "learned", learned));
    assert_true(own_counts_add(&own, "refuted", refuted));
    return own;
}

static void there_is_no_score_before_the_first_game(void **state)
{
    (void)state;
    LearningCurve curve;
    learning_curve_open(&curve, 3);
    LearningPoint end = learning_curve_end(&curve);
    assert_true(isnan(end.score.value) && isnan(end.score.limits.low) && isnan(end.recent.value));
    assert_int_equal(end.learned, 0);
    assert_int_equal(learning_curve_patterns(&curve, 0), 0);
    curve.before = 7;
    assert_int_equal(learning_curve_patterns(&curve, 0), 7);
    learning_curve_close(&curve);
    learning_curve_close(&curve);
}

static void draws_are_halves(void **state)
{
    (void)state;
    static const unsigned points[] = {2, 0, 1, 2, 1};
    static const double scores[] = {1, 0.5, 0.5, 0.625, 0.6};
    LearningCurve curve;
    learning_curve_open(&curve, 5);
    OwnCounts none = {0};
    for (unsigned i = 0; i < 5; i++) {
        learning_curve_add(&curve, points[i], &none);
        assert_near(learning_curve_end(&curve).score.value, scores[i]);
        assert_near(curve.points[i].recent.value, scores[i]);
        assert_near(curve.points[i].recent.limits.low, curve.points[i].score.limits.low);
        assert_near(curve.points[i].recent.limits.high, curve.points[i].score.limits.high);
    }
    Tally games = learning_curve_end(&curve).games;
    assert_true(games.wins == 2 && games.draws == 2 && games.losses == 1);
    learning_curve_close(&curve);
}

static void patterns_that_could_not_be_saved_are_not_known(void **state)
{
    (void)state;
    LearningCurve curve;
    learning_curve_open(&curve, 2);
    OwnCounts own = {0};
    assert_true(own_counts_add(&own, "learned", 5) && own_counts_add(&own, "unsaved", 2));
    learning_curve_add(&curve, 1, &own);
    learning_curve_add(&curve, 1, &own);
    curve.before = 10;
    LearningPoint end = learning_curve_end(&curve);
    assert_true(end.learned == 10 && end.unsaved == 4);
    assert_int_equal(learning_curve_patterns(&curve, 1), 13);
    assert_int_equal(learning_curve_patterns(&curve, 2), 16);
    // More unsaved than learned, where even memory could not take them.
    LearningPoint none = {.learned = 1, .unsaved = 2};
    assert_int_equal(learning_point_saved(&none), 0);
    learning_curve_close(&curve);
}

static void patterns_are_those_before_and_those_learned(void **state)
{
    (void)state;
    LearningCurve curve;
    learning_curve_open(&curve, 3);
    for (unsigned i = 0; i < 3; i++) {
        OwnCounts own = counts_of(10 + i, i, UINT64_C(5) * i);
        learning_curve_add(&curve, 1, &own);
    }
    curve.before = 100;
    assert_int_equal(learning_curve_patterns(&curve, 0), 100);
    assert_int_equal(learning_curve_patterns(&curve, 1), 110);
    assert_int_equal(learning_curve_patterns(&curve, 3), 133);
    assert_int_equal(curve.points[1].refuted, 1);
    LearningPoint end = learning_curve_end(&curve);
    assert_true(end.learned == 33 && end.refuted == 3 && end.undecided == 15);
    learning_curve_close(&curve);
}

// Random wins, draws and losses, recounted from the start after each game.
static void scores_are_those_of_plain_counting(void **state)
{
    (void)state;
    enum { GAMES = 337 };
    unsigned points[GAMES];
    Rng rng = rng_make(7);
    LearningCurve curve;
    learning_curve_open(&curve, GAMES);
    OwnCounts none = {0};
    for (unsigned i = 0; i < GAMES; i++) {
        points[i] = i < 150 ? rng_below(&rng, 2) : rng_below(&rng, 3);
        learning_curve_add(&curve, points[i], &none);
        HeadToHead all = {0};
        unsigned recent = 0, from = i + 1 > LEARNING_RECENT ? i + 1 - LEARNING_RECENT : 0;
        for (unsigned j = 0; j + 1 <= i; j += 2)
            stats_add_pair(&all, points[j], points[j + 1]);
        if (i % 2 == 0)
            tally_add(&all.games, points[i]);
        for (unsigned j = from; j <= i; j++)
            recent += points[j];
        const LearningPoint *point = &curve.points[i];
        Interval limits = stats_score_wilson(&all);
        assert_near(point->score.value, tally_score(all.games));
        assert_near(point->score.limits.low, limits.low);
        assert_near(point->score.limits.high, limits.high);
        assert_near(point->recent.value, recent / 2.0 / (i + 1 - from));
        assert_true(point->recent.limits.low <= point->recent.value &&
                    point->recent.value <= point->recent.limits.high);
        assert_true(tally_games(point->games) == i + 1);
    }
    learning_curve_close(&curve);
}

// The mean of two curves, over the games that both have; the limits are those of two values.
static void a_mean_has_the_limits_of_its_curves(void **state)
{
    (void)state;
    LearningCurve curves[2], mean;
    for (unsigned i = 0; i < 2; i++) {
        learning_curve_open(&curves[i], 4);
        for (unsigned game = 0; game < 4 - i; game++) {
            OwnCounts own = counts_of(1 + 2 * i, 0, 0);
            learning_curve_add(&curves[i], i == 0 ? 2 : game % 2, &own);
        }
    }
    curves[1].before = 10;
    learning_curve_mean((const LearningCurve *const[]){&curves[0], &curves[1]}, 2, &mean);
    assert_int_equal(mean.count, 3);
    assert_near(mean.points[0].score.value, 0.5); // 1 and 0
    assert_near(mean.points[1].score.value, (1 + 0.25) / 2);
    // Student with one degree of freedom, 12.7062: half the difference times this; cut at 0 and 1.
    assert_true(mean.points[1].score.limits.low == 0 && mean.points[1].score.limits.high == 1);
    assert_int_equal(learning_curve_patterns(&mean, 1), (1 + 13) / 2);
    assert_int_equal(learning_curve_patterns(&mean, 3), (3 + 19) / 2);
    learning_curve_close(&mean);
    learning_curve_mean((const LearningCurve *const[]){&curves[1]}, 1, &mean);
    assert_int_equal(mean.count, 3);
    assert_near(mean.points[2].score.limits.low, curves[1].points[2].score.limits.low);
    assert_int_equal(learning_curve_patterns(&mean, 3), 19);
    learning_curve_close(&mean);
    learning_curve_close(&curves[0]);
    learning_curve_close(&curves[1]);
}

static void counts_are_found_by_name(void **state)
{
    (void)state;
    OwnCounts own = counts_of(3, 2, 1), none = {0};
    assert_int_equal(own_counts_value(&own, "learned"), 3);
    assert_int_equal(own_counts_value(&own, "undecided"), 1);
    assert_int_equal(own_counts_value(&own, "learn"), 0);
    assert_int_equal(own_counts_value(&own, "zzz"), 0);
    assert_int_equal(own_counts_value(&none, "learned"), 0);
}

TEST_GROUP(learning_curve)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_no_score_before_the_first_game),
        cmocka_unit_test(draws_are_halves),
        cmocka_unit_test(patterns_are_those_before_and_those_learned),
        cmocka_unit_test(patterns_that_could_not_be_saved_are_not_known),
        cmocka_unit_test(scores_are_those_of_plain_counting),
        cmocka_unit_test(a_mean_has_the_limits_of_its_curves),
        cmocka_unit_test(counts_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
