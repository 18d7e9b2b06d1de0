// Tests of ladders: the pairings, the result of each step, and the rating differences.
#include "cli/interrupt.h"
#include "papers/experiment/reproduce.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// `sequences` beats `adjacent` nearly always, and the two of `adjacent` are about equal.
static const PaperTrial trials[] = {
    {.unit = "score",
     .published = NAN,
     .measure = &paper_measure_ladder,
     .game = "5x5:k=4",
     .agents = {"sequences", "adjacent", "adjacent:reach=2"},
     .games = 60},
    {0},
};
static const PaperTable tables[] = {{"ladder", "", trials}, {0}};
static const Paper paper = {.name = "ours", .title = "", .tables = tables};

static void run(double scale, Reproduction *done)
{
    Error error = {0};
    ExperimentOptions args = {.seed = 1, .stop = interrupt_flag(), .scale = scale, .db = "none"};
    assert_done(reproduce_run(&paper, NULL, &args, done, &error), error);
    assert_int_equal(done->count, 1);
}

static void test_only_neighbours_play(void **state)
{
    (void)state;
    assert_int_equal(paper_trial_games(&trials[0], 1), 120);
    assert_int_equal(paper_trial_games(&trials[0], 0.1), 12);
}

static void test_steps_and_ratings(void **state)
{
    (void)state;
    Reproduction done;
    run(1, &done);
    const PaperFigure *list = done.tables[0].figures.list;
    assert_int_equal(done.tables[0].figures.count, 5);
    assert_string_equal(list[0].label, "sequences against adjacent");
    assert_string_equal(list[1].label, "adjacent against adjacent:reach=2");
    for (unsigned i = 0; i < 2; i++) {
        assert_string_equal(list[i].unit, "score");
        assert_true(list[i].n == 60 && list[i].wanted == 60 && tally_games(list[i].games) == 60);
        assert_float_equal(list[i].measured, tally_score(list[i].games), 1e-12);
        assert_true(list[i].limits.low <= list[i].measured && list[i].measured <= list[i].limits.high);
    }
    assert_true(list[0].measured > 0.85 && fabs(list[1].measured - 0.5) < 0.3);
    assert_string_equal(list[0].note, "above 85 %: too large a step");
    assert_non_null(list[1].note);
    // Ratings above the last agent, which is the anchor; each game of the middle one counts for both its neighbours.
    static const char *const names[] = {"sequences", "adjacent", "adjacent:reach=2"};
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(list[2 + i].label, names[i]);
        assert_string_equal(list[2 + i].unit, "elo");
        assert_int_equal(list[2 + i].n, i == 1 ? 120 : 60);
        assert_int_equal(list[2 + i].wanted, i == 1 ? 120 : 60);
    }
    assert_true(list[4].measured == 0 && list[4].limits.low == 0 && list[4].limits.high == 0);
    assert_true(list[2].measured > list[3].measured + 200);
    assert_true(list[2].limits.low < list[2].measured && list[2].measured < list[2].limits.high);
    reproduce_close(&done);
}

// A step is judged by its score, at both ends.
static void test_notes(void **state)
{
    (void)state;
    Reproduction done;
    run(0.04, &done); // a pair of games each: a score of 0, 1/4, 1/2, 3/4 or 1
    const PaperFigure *list = done.tables[0].figures.list;
    for (unsigned i = 0; i < 2; i++) {
        const char *expected = list[i].measured < 0.6    ? "below 60 %: too small a step"
                               : list[i].measured > 0.85 ? "above 85 %: too large a step"
                                                         : "within 60 to 85 %";
        assert_string_equal(list[i].note, expected);
    }
    reproduce_close(&done);
}

// Every ladder of levels that ships: the highest level first, each of them once, for every preset.
static void test_the_levels_of_every_preset(void **state)
{
    (void)state;
    PaperPlace place = {0};
    Error error = {0};
    assert_done(paper_find(papers(), paper_count(), span_of("levels"), &place, &error), error);
    const Paper *levels = place.paper;
    int count = 0;
    for (const PaperTable *table = levels->tables; table->name != NULL; table++, count++) {
        const PaperTrial *trial = &table->trials[0];
        assert_string_equal(trial->game, table->name);
        assert_true(trial->measure == &paper_measure_ladder && trial->games % 2 == 0 &&
                    table->trials[1].measure == NULL);
        unsigned agents = paper_agents(trial);
        assert_int_equal(agents, strcmp(table->name, "tictactoe") == 0 ? 3 : 10);
        for (unsigned i = 0; i < agents; i++) {
            char name[32];
            (void)snprintf(name, sizeof name, "level:n=%u", agents - i);
            assert_string_equal(trial->agents[i], name);
        }
        assert_string_equal(table->name, rules_presets[count].name);
    }
    assert_int_equal(count, rules_preset_count);
}

TEST_GROUP(ladder)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_neighbours_play),
        cmocka_unit_test(test_steps_and_ratings),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_the_levels_of_every_preset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
