// Tests of what the measures compute from games, opponents that are not available, and interruptions.
#include "papers/reproduce_fixture.h"

#include <stdio.h>

// --- What comes of games ---

static void test_games_whose_ends_are_known(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    run("known", &args, &done);
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 4);
    // Every pair is WL: it has no spread, and the games stand for themselves.
    check_figure(&figures->list[0], 0.5, stats_share(10, 20), (Tally){10, 0, 10});
    // Drawn games are not won, but half a score.
    check_figure(&figures->list[1], 0, stats_share(0, 20), (Tally){0, 20, 0});
    check_figure(&figures->list[2], 0.5, stats_share(10, 20), (Tally){0, 20, 0});
    check_figure(&figures->list[3], 1, stats_share(20, 20), (Tally){20, 0, 0});
    assert_string_equal(figures->list[0].label, "random against adjacent");
    assert_int_equal(paper_compare(&figures->list[0]), 0);
    assert_int_equal(paper_compare(&figures->list[1]), 1);  // at most 16 % at 0 of 20
    assert_int_equal(paper_compare(&figures->list[3]), -1); // at least 84 % at 20 of 20
    reproduce_close(&done);
}

static void test_a_share_of_wins_leaves_draws_out(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    run("played", &args, &done);
    const PaperFigure *figure = &done.tables[0].figures.list[0];
    assert_int_equal(figure->n, 60);
    assert_true(figure->games.draws > 0 && figure->games.wins > 0);
    assert_near(figure->measured, figure->games.wins / 60.0);
    assert_true(figure->limits.low > 0 && figure->limits.low < figure->measured);
    assert_true(figure->limits.high < 1 && figure->limits.high > figure->measured);
    reproduce_close(&done);
}

static void test_a_field_has_a_row_for_each_agent_and_each_pair(void **state)
{
    (void)state;
    static const char *const labels[] = {"random",
                                         "adjacent",
                                         "adjacent:reach=2",
                                         "random against adjacent",
                                         "random against adjacent:reach=2",
                                         "adjacent against adjacent:reach=2"};
    ExperimentOptions args = args_at(0.5, "none");
    Reproduction done;
    run("field", &args, &done);
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_string_equal(figures->list[i].label, labels[i]);
        assert_int_equal(figures->list[i].n, i < 3 ? 20 : 10);
        assert_int_equal(figures->list[i].wanted, figures->list[i].n);
    }
    // Each agent's games are those of its pairs, seen from its side.
    const PaperFigure *random = &figures->list[3], *last = &figures->list[5];
    assert_int_equal(figures->list[0].games.wins, random->games.wins + figures->list[4].games.wins);
    assert_int_equal(figures->list[1].games.wins, random->games.losses + last->games.wins);
    assert_int_equal(figures->list[2].games.losses, figures->list[4].games.wins + last->games.wins);
    reproduce_close(&done);
}

static void test_pairs_make_a_cross_table(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(0.5, "none");
    Reproduction done;
    run("field", &args, &done);
    PaperCross cross;
    assert_true(paper_cross(&done.tables[0].figures, &cross));
    assert_int_equal(cross.count, 3);
    assert_string_equal(cross.players[2], "adjacent:reach=2");
    assert_false(cross.has_published);
    const PaperFigure *pair = &done.tables[0].figures.list[3];
    const PaperCrossCell *cell = &cross.measured[1], *turned = &cross.measured[PAPER_AGENTS_MAX];
    assert_near(cell->score, pair->measured);
    assert_near(turned->score, 1 - pair->measured);
    assert_near(cell->wins, pair->games.wins / 10.0);
    assert_near(turned->wins, pair->games.losses / 10.0);
    assert_near(turned->draws, cell->draws);
    paper_close_cross(&cross);
    json_t *json = reproduce_json(&done);
    json_t *shown = json_object_get(json_array_get(json_object_get(json, "tables"), 0), "cross");
    assert_int_equal(json_array_size(json_object_get(shown, "players")), 3);
    json_decref(json);
    reproduce_close(&done);
    // Pairs that are not all there are a list.
    run("known", &args, &done);
    assert_false(paper_cross(&done.tables[0].figures, &cross));
    reproduce_close(&done);
    PaperCrossCell printed = {NAN, 0.36, 0.64, 0};
    char text[PAPER_CROSS_SIZE];
    assert_string_equal(paper_cross_text(&printed, text), "36-64-0");
}

static void test_a_measure_of_another_kind(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    run("other", &args, &done);
    json_t *object = reproduce_json(&done);
    json_t *row = json_array_get(json_object_get(json_array_get(json_object_get(object, "tables"), 0), "rows"), 0);
    assert_string_equal(json_string_value(json_object_get(row, "unit")), "nodes");
    assert_near(json_number_value(json_object_get(row, "measured")), 7);
    assert_true(json_is_false(json_object_get(row, "inside")));
    assert_null(json_object_get(row, "wins"));
    json_decref(object);
    reproduce_close(&done);
}

static void test_units(void **state)
{
    (void)state;
    assert_int_equal(paper_units(&counted_trials[0]), 6);
    assert_string_equal(paper_unit(&counted_trials[0], 0).unit, "wins");
    assert_string_equal(paper_unit(&counted_trials[0], 5).unit, "alternatives");
    assert_int_equal(paper_units(&known_trials[0]), 1);
    assert_true(paper_is_share("draws") && paper_is_share("losses") && paper_is_share("wins") &&
                paper_is_share("score"));
    assert_false(paper_is_share("turns") || paper_is_share("researches"));
}

// What is not counted is not 0.
static void test_what_nobody_counts(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    run("uncounted", &args, &done);
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 4);
    assert_int_equal(figures->list[0].n, 20);
    assert_near(figures->list[0].measured, 1);
    assert_true(isnan(figures->list[0].limits.low) && isnan(figures->list[0].limits.high)); // all alike
    assert_true(isnan(figures->list[1].measured) && isnan(figures->list[1].limits.low));
    assert_int_equal(figures->list[1].n, 0);
    assert_int_equal(figures->list[1].wanted, 20);
    // Rows that were not run, all of them, each with its unit.
    assert_string_equal(figures->list[2].unit, "draws");
    assert_string_equal(figures->list[3].unit, "researches");
    for (unsigned i = 2; i < 4; i++)
        assert_true(figures->list[i].note != NULL && figures->list[i].n == 0 && isnan(figures->list[i].measured));
    reproduce_close(&done);
}

// --- Opponents ---

static void test_a_stand_in(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    run("opponent", &args, &done);
    const PaperFigure *figure = &done.tables[0].figures.list[0];
    assert_true(isnan(figure->measured) && figure->n == 0 && !figure->has_games && figure->note != NULL);
    assert_int_equal(figure->wanted, 4);
    reproduce_close(&done);
    args.opponent = "adjacent";
    run("opponent", &args, &done);
    figure = &done.tables[0].figures.list[0];
    assert_int_equal(figure->n, 4);
    assert_string_equal(figure->label, "random against somebody (stand-in: adjacent)");
    reproduce_close(&done);
    Error error = {0};
    assert_refused(reproduce_run(&ours, table_of("known"), &args, &done, &error), error,
                   "--opponent: no trial of ours/known uses it");
    reproduce_close(&done);
    args.opponent = "missing";
    assert_refused(reproduce_run(&ours, table_of("opponent"), &args, &done, &error), error, "no agent 'missing'");
    reproduce_close(&done);
}

// Names in braces are replaced by the setting of the row; other braces stay.
static void test_settings_of_a_stand_in(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    args.opponent = "adjacent:reach={reach}";
    run("setting", &args, &done);
    const PaperFigure *figure = &done.tables[0].figures.list[0];
    assert_int_equal(figure->n, 2);
    assert_string_equal(figure->label, "random against somebody (stand-in: adjacent:reach=2)");
    reproduce_close(&done);
    static const char *const texts[][2] = {{"{re}", "5"},          {"{re}{reach}x", "52x"}, {"{rea} {", "{rea} {"},
                                           {"a{}b{re", "a{}b{re"}, {"{{re}}", "{5}"},       {"", ""}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        args.opponent = texts[i][0];
        char *text = paper_opponent(&setting_trials[0], &args);
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
    args.opponent = "{re}";
    char *text = paper_opponent(&opponent_trials[0], &args);
    assert_string_equal(text, "{re}");
    free(text);
}

// Wins by a crash of the opponent are reported as such.
static void test_faults_are_counted(void **state)
{
    (void)state;
    char opponent[512];
    const char *program = getenv("FAKE_ENGINE"); // NOLINT(concurrency-mt-unsafe)
    assert_non_null(program);
    (void)snprintf(opponent, sizeof opponent, "exec:'%s' ugi off 0", program);
    ExperimentOptions args = args_at(1, "none");
    args.opponent = opponent;
    args.host.no_sandbox = true;
    Reproduction done;
    run("opponent", &args, &done);
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->list[0].games.wins, 4);
    assert_int_equal(figures->faults, 4);
    json_t *object = reproduce_json(&done);
    json_t *table = json_array_get(json_object_get(object, "tables"), 0);
    assert_int_equal(json_integer_value(json_object_get(table, "faults")), 4);
    json_decref(object);
    reproduce_close(&done);
}

static void test_nothing_is_played_before_all_is_checked(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    Error error = {0};
    assert_refused(reproduce_run(&ours, table_of("bad"), &args, &done, &error), error,
                   "table bad: there is no agent 'missing'");
    assert_int_equal(done.count, 0);
    reproduce_close(&done);
}

// --- Interruptions ---

static void test_interrupted(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    Reproduction done;
    Error error = {0};
    assert_int_equal(reproduce_run(&ours, table_of("stopped"), &args, &done, &error), STATUS_INTERRUPTED);
    assert_true(interrupt_take());
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 3);
    check_figure(&figures->list[0], 0.5, stats_share(10, 20), (Tally){0, 20, 0});
    for (unsigned i = 1; i < 3; i++) {
        assert_int_equal(figures->list[i].n, 0);
        assert_int_equal(figures->list[i].wanted, 20);
        assert_true(isnan(figures->list[i].measured) && isnan(figures->list[i].limits.low));
    }
    assert_string_equal(figures->list[2].note, "not run: interrupted");
    json_t *object = reproduce_json(&done);
    json_t *rows = json_object_get(json_array_get(json_object_get(object, "tables"), 0), "rows");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 2), "measured")));
    json_decref(object);
    reproduce_close(&done);
    // Signals are as before for the tests that follow.
    (void)signal(SIGINT, SIG_DFL);
}

TEST_GROUP(reproduce)
{
    extra_agent_add(&counting);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_whose_ends_are_known),
        cmocka_unit_test(test_a_share_of_wins_leaves_draws_out),
        cmocka_unit_test(test_a_field_has_a_row_for_each_agent_and_each_pair),
        cmocka_unit_test(test_pairs_make_a_cross_table),
        cmocka_unit_test(test_a_measure_of_another_kind),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_what_nobody_counts),
        cmocka_unit_test(test_a_stand_in),
        cmocka_unit_test(test_settings_of_a_stand_in),
        cmocka_unit_test(test_faults_are_counted),
        cmocka_unit_test(test_nothing_is_played_before_all_is_checked),
        cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
