// Tests of several runs of learning: how many a scale plays, their mean, its limits and its verdict, and a run that was
// cut short.
#include "support/check.h"

#include "cli/interrupt.h"
#include "papers/experiment/reproduce.h"

#include <math.h>
#include <string.h>

enum { RUNS = 3, GAMES = 6, UNITS = 3 };

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static const PaperUnit further[] = {{"versions", 20}, {"slowest", NAN}, {0}};

static const PaperTrial several = {.unit = "score",
                                   .published = 0.5,
                                   .measure = &paper_measure_learning,
                                   .game = "gomoku",
                                   .agents = {"patterns:ties=first,prove=none", "constant"},
                                   .games = GAMES,
                                   .start = PAPER_EMPTY_BOARD,
                                   .set = "test",
                                   .runs = RUNS,
                                   .further = further};

static void measure(const PaperTrial *trial, double scale, uint64_t seed, PaperFigures *figures)
{
    ExperimentOptions options = {.seed = seed, .stop = interrupt_flag(), .scale = scale, .db = "none"};
    Error error = {0};
    *figures = (PaperFigures){0};
    assert_done(paper_measure_run(trial->measure, trial, &options, figures, &error), error);
    assert_int_equal(figures->count, UNITS);
}

static void test_scales_give_whole_runs(void **state)
{
    (void)state;
    static const struct {
        double scale, of_run;
        unsigned runs, games;
    } cases[] = {{1, 1, 3, 18}, {2, 1, 6, 36}, {0.7, 1, 2, 12}, {1.0 / 3, 1, 1, 6}, {1.0 / 9, 1.0 / 3, 1, 2}};
    PaperTrial one = several, games = several;
    one.runs = 0;
    games.set = NULL;
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(paper_runs(&several, cases[i].scale), cases[i].runs);
        assert_near(paper_run_scale(&several, cases[i].scale), cases[i].of_run);
        assert_int_equal(paper_trial_games(&several, cases[i].scale), cases[i].games);
        assert_int_equal(paper_runs(&games, cases[i].scale), 1);
        assert_near(paper_run_scale(&games, cases[i].scale), cases[i].scale);
    }
    assert_int_equal(paper_runs(&one, 0.3), 1);
    assert_near(paper_run_scale(&one, 0.3), 0.3);
}

// Each run is that of its seed alone; the limits are Student's for three values.
static void test_runs_make_a_mean(void **state)
{
    (void)state;
    PaperFigures all, alone[RUNS];
    PaperTrial one = several;
    one.runs = 0;
    measure(&several, 1, 5, &all);
    assert_int_equal(all.curve_count, RUNS);
    for (unsigned i = 0; i < RUNS; i++) {
        measure(&one, 1, 5 + i, &alone[i]);
        assert_int_equal(all.curves[i].seed, 5 + i);
        assert_int_equal(all.curves[i].curve.count, GAMES);
    }
    for (unsigned unit = 0; unit < UNITS - 1; unit++) {
        double sum = 0, squares = 0, lowest = INFINITY, highest = -INFINITY;
        for (unsigned i = 0; i < RUNS; i++) {
            double value = alone[i].list[unit].measured;
            assert_int_equal(alone[i].list[unit].runs, 0);
            sum += value;
            squares += value * value;
            lowest = fmin(lowest, value);
            highest = fmax(highest, value);
        }
        const PaperFigure *figure = &all.list[unit];
        double mean = sum / RUNS, error = 4.302652729911275 * sqrt((squares / RUNS - mean * mean) / (RUNS - 1));
        assert_true(error > 0);
        assert_near(figure->measured, mean);
        assert_true(fabs(figure->limits.low - fmax(mean - error, 0)) < 1e-9);
        assert_true(fabs(figure->limits.high - (unit == 0 ? fmin(mean + error, 1) : mean + error)) < 1e-9);
        assert_true(figure->spread.low == lowest && figure->spread.high == highest);
        assert_true(figure->runs == RUNS && figure->n == RUNS * GAMES && figure->wanted == RUNS * GAMES);
        assert_int_equal(paper_verdict(figure), PAPER_TOO_FEW);
    }
    assert_true(all.list[2].measured == all.list[2].spread.high && isnan(all.list[2].limits.low));
    char note[PAPER_NOTE_SIZE];
    assert_non_null(strstr(paper_note(&all.list[1], note), "3 runs: "));
    paper_close_figures(&all);
    for (unsigned i = 0; i < RUNS; i++)
        paper_close_figures(&alone[i]);
}

// One run of several is shown with the limits of its games, which leave out the variation between runs: no verdict.
static void test_one_run_of_several_is_not_judged(void **state)
{
    (void)state;
    PaperFigures figures;
    PaperTrial wide = several; // on a small board, where games are short
    wide.game = "7x7:k=4";
    wide.games = 40;
    measure(&wide, 1.0 / RUNS, 1, &figures);
    const PaperFigure *score = &figures.list[0];
    assert_true(score->runs == 1 && score->n == 40 && score->wanted == 40 && !score->is_partial);
    assert_true(!isnan(score->limits.low));
    assert_int_equal(paper_verdict(score), PAPER_TOO_FEW);
    PaperFigure judged = *score;
    judged.runs = 10;
    judged.limits = (Interval){0.45, 0.6};
    assert_int_equal(paper_verdict(&judged), PAPER_INSIDE);
    paper_close_figures(&figures);
    // The beginning of a run is shorter than the published one.
    measure(&wide, 0.1 / RUNS, 1, &figures);
    assert_int_equal(figures.list[0].n, 4);
    assert_int_equal(paper_verdict(&figures.list[0]), PAPER_SHORTER);
    paper_close_figures(&figures);
}

static unsigned occurrences(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

// The chart has one line per trial: the mean of its runs. A table with more rows than a chart has room for lines shows
// the final figures of all rows instead.
static void test_runs_are_one_line_of_the_chart(void **state)
{
    (void)state;
    PaperTrial trials[] = {several, several, several, several, several, {0}};
    ExperimentOptions options = {.seed = 1, .stop = interrupt_flag(), .scale = 1, .db = "none"};
    for (unsigned rows = 2; rows <= 5; rows += 3) {
        PaperTable table = {"several", "runs", trials + 5 - rows};
        PaperFigures figures = {0}, more;
        for (unsigned i = 0; i < rows; i++) {
            measure(&table.trials[i], 1, 1, &more);
            paper_move_figures(&figures, &more);
        }
        Text text = {0};
        paper_draw(&table, &figures, &options, &text);
        // Lines for score, versions and patterns, or a labelled row for each unit.
        assert_int_equal(occurrences(text.data, "<polyline"), rows == 2 ? 6 : 0);
        assert_int_equal(occurrences(text.data, "text-anchor=\"end\"><title>"), rows == 2 ? 0 : 5 * UNITS);
        text_close(&text);
        paper_close_figures(&figures);
    }
}

TEST_GROUP(paper_learning)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_give_whole_runs),
        cmocka_unit_test(test_runs_make_a_mean),
        cmocka_unit_test(test_one_run_of_several_is_not_judged),
        cmocka_unit_test(test_runs_are_one_line_of_the_chart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
