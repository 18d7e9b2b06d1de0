// Tests of measurements of single positions: the results are compared with the same searches run here one by one.
#include "support/check.h"

#include "base/file.h"
#include "cli/interrupt.h"
#include "game/notation.h"
#include "papers/connect5/alphabeta.h"
#include "papers/experiment/reproduce.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GAME "9x9:k=5"

enum { COUNT = 6, DEPTH = 3, CUT = 8000 };

// --- A paper of our own ---

// More and more stones, so that searches become smaller. The last leaves 21 cells, which are soon searched.
#define SOME "a1 b1 c1 d1 e1 f1 g1 h1 i1 b3 a3 d3 c3 f3 e3 h3 g3 a5 i3 c5 b5 e5 d5 g5 f5 i5 h5"
#define MORE SOME " a7 b7 c7 d7 e7 f7 g7 h7 i7"
#define MOST MORE " a2 b2 c2 d2 e2 f2 g2 h2 i2 a4 b4 d4 c4 f4 e4 h4 g4 a6 i4 c6 b6 e6 d6 g6"

static const char *const kept[COUNT] = {
    "e5", "e5 d4 f6", "e5 d4 f6 a9 c3 i1 h2 b8", (SOME), (MORE), (MOST),
};

// In none, one, three and five stones, there a four that makes an open three; and a loss in two.
static const char *const wins[] = {
    "e5 a1", "c3 a1 d3 a9 e3 i9 f3 b3", "c3 a1 d3 a9 e3 i9", "c3 b3 d3 a9 e3 i9 f4 i1 f5 h8", "a1 d5 a9 e5 i1 f5 c1 g5",
};

// The last of these is no stone.
static const char *const wrong[] = {"e5", "e5 z9"};

static const PaperPositions kept_positions = {kept, COUNT, {0}};
static const PaperPositions win_positions = {wins, sizeof wins / sizeof wins[0], {0}};
static const PaperPositions wrong_positions = {wrong, 2, {0}};

static Status measure_interrupted(const PaperTrial *trial, const ExperimentOptions *args, PaperFigures *figures,
                                  Error *error)
{
    interrupt_catch();
    assert_int_equal(raise(SIGINT), 0);
    return paper_measure_run(&paper_measure_positions, trial, args, figures, error);
}

static const PaperMeasure interrupted = {.run = measure_interrupted};

#define TRIAL(how, agent, list, count, most, stones, first_unit, figure, ...)                                          \
    {                                                                                                                  \
        .label = "row", .unit = (first_unit), .published = (figure), .remark = "a remark", .measure = (how),           \
        .game = GAME, .agents = {(agent)}, .positions = (list), .searches = (count),                                   \
        .limits = {.nodes = (most), .depth = (stones)}, .further = (const PaperUnit[])                                 \
        {                                                                                                              \
            {__VA_ARGS__},                                                                                             \
            {                                                                                                          \
                0                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

static const PaperTrial whole_trials[] = {
    TRIAL(&paper_measure_positions, "alphabeta", &kept_positions, COUNT, 0, DEPTH, "nodes", 1, "ms", NAN),
    {0},
};
static const PaperTrial cut_trials[] = {
    TRIAL(&paper_measure_positions, "alphabeta", &kept_positions, COUNT, CUT, DEPTH, "nodes", 1, "ms", NAN),
    {0},
};
static const PaperTrial beyond_trials[] = {
    TRIAL(&paper_measure_positions, "connect5:moves=all", &win_positions, 5, 0, 1, "furthest", 7, "beyond", NAN),
    {0},
};
static const PaperTrial beyond_2_trials[] = {
    TRIAL(&paper_measure_positions, "connect5:moves=all", &win_positions, 5, 0, 2, "furthest", 7, "beyond", NAN),
    {0},
};
static const PaperTrial stopped_trials[] = {
    TRIAL(&interrupted, "alphabeta", &kept_positions, COUNT, 0, DEPTH, "nodes", 1, "ms", NAN),
    {0},
};
static const PaperTrial wrong_trials[] = {
    TRIAL(&paper_measure_positions, "alphabeta", &wrong_positions, 2, 0, DEPTH, "nodes", 1, "ms", NAN),
    {0},
};
static const PaperTrial missing_trials[] = {
    TRIAL(&paper_measure_positions, "missing", &kept_positions, COUNT, 0, DEPTH, "nodes", 1, "ms", NAN),
    {0},
};

static const PaperTable our_tables[] = {
    {"whole", "", whole_trials},     {"cut", "", cut_trials},
    {"beyond", "", beyond_trials},   {"beyond-2", "", beyond_2_trials},
    {"stopped", "", stopped_trials}, {"wrong", "", wrong_trials},
    {"missing", "", missing_trials}, {0},
};
static const Paper ours = {.name = "ours", .title = "", .tables = our_tables};

static const PaperTable *table_of(const char *name)
{
    const PaperTable *table = our_tables;
    while (strcmp(table->name, name) != 0)
        table++;
    return table;
}

static const PaperFigure *run(const char *table, double scale, unsigned jobs, Reproduction *done)
{
    ExperimentOptions args = {.seed = 1, .stop = interrupt_flag(), .scale = scale, .db = "none", .jobs = jobs};
    Error error = {0};
    assert_done(reproduce_run(&ours, table_of(table), &args, done, &error), error);
    assert_int_equal(done->tables[0].figures.count, 2);
    return done->tables[0].figures.list;
}

// --- The same searches, one by one ---

static NegamaxResult search(const char *stones, unsigned number, uint64_t nodes)
{
    Rules rules = rules_of(GAME);
    AlphabetaOptions options = {.eval = EVALUATION_SIMPLE, .order = ORDERING_HISTORY};
    Alphabeta *alphabeta = NULL;
    Error error = {0};
    Game game;
    game_init(&game, &rules);
    assert_done(game_read(&game, span_of(stones), &error), error);
    assert_done(alphabeta_open(&alphabeta, &options, &rules, &error), error);
    Rng rng = rng_make(rng_derive(1, number));
    NegamaxResult result;
    result = alphabeta_run(alphabeta, &game.board, &(Limits){.depth = DEPTH, .nodes = nodes}, &rng);
    alphabeta_close(alphabeta);
    return result;
}

static Sample sample_of(unsigned count, uint64_t nodes)
{
    Sample sample = {0};
    for (unsigned i = 0; i < count; i++)
        sample_add(&sample, (double)search(kept[i], i, nodes).nodes);
    return sample;
}

static void check_nodes(const PaperFigure *figure, const Sample *sample)
{
    Estimate mean = sample_mean(sample);
    assert_string_equal(figure->unit, "nodes");
    assert_true(fabs(figure->measured - mean.value) < 1e-6);
    assert_int_equal(isnan(figure->limits.low), isnan(mean.range.low)); // one alone has none
    assert_false(fabs(figure->limits.low - mean.range.low) > 1e-6 ||
                 fabs(figure->limits.high - mean.range.high) > 1e-6);
    assert_int_equal(figure->n, sample->n);
    assert_int_equal(figure->wanted, sample->n);
    assert_int_equal(figure->cut, 0);
    assert_false(figure->has_games);
}

static void test_nodes_of_finished_searches(void **state)
{
    (void)state;
    Sample sample = sample_of(COUNT, 0);
    for (unsigned jobs = 0; jobs <= 9; jobs += 3) {
        Reproduction done;
        const PaperFigure *figures = run("whole", 1, jobs, &done);
        check_nodes(&figures[0], &sample);
        assert_string_equal(figures[1].unit, "ms");
        assert_int_equal(figures[1].n, COUNT);
        assert_true(figures[1].measured > 0 && isnan(figures[1].published));
        assert_int_equal(paper_compare(&figures[0]), -1);
        reproduce_close(&done);
    }
}

static void test_scales_take_the_first_positions(void **state)
{
    (void)state;
    static const struct {
        double scale;
        unsigned count;
    } scales[] = {{1e-9, 1}, {0.34, 2}, {0.5, 3}, {1, COUNT}, {1.5, COUNT}, {3, COUNT}};
    for (unsigned i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        Reproduction done;
        Sample sample = sample_of(scales[i].count, 0);
        assert_int_equal(paper_trial_positions(&whole_trials[0], scales[i].scale), scales[i].count);
        check_nodes(&run("whole", scales[i].scale, 2, &done)[0], &sample);
        reproduce_close(&done);
    }
    assert_int_equal(paper_trial_games(&whole_trials[0], 1), 0);
}

// --- Searches that end at their limit ---

static const json_t *row_of(const json_t *object, size_t number)
{
    return json_array_get(json_object_get(json_array_get(json_object_get(object, "tables"), 0), "rows"), number);
}

static void test_searches_that_are_cut_are_a_lower_bound(void **state)
{
    (void)state;
    unsigned cut = 0;
    for (unsigned i = 0; i < COUNT; i++)
        cut += search(kept[i], i, 0).nodes > CUT;
    assert_true(cut > 0 && cut < COUNT);
    Sample sample = sample_of(COUNT, CUT);
    Reproduction done;
    const PaperFigure *figures = run("cut", 1, 2, &done);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(figures[i].cut, cut);
        assert_int_equal(figures[i].n, COUNT);
        assert_true(isinf(figures[i].limits.high) && isfinite(figures[i].limits.low));
    }
    assert_true(fabs(figures[0].measured - sample.sum / COUNT) < 1e-6);
    assert_true(figures[0].measured < sample_of(COUNT, 0).sum / COUNT);
    char note[64];
    (void)snprintf(note, sizeof note, "a lower bound: %u of %u finished", COUNT - cut, COUNT);
    json_t *object = reproduce_json(&done);
    const json_t *row = row_of(object, 0);
    assert_string_equal(json_string_value(json_object_get(row, "note")), note);
    assert_string_equal(json_string_value(json_object_get(row, "remark")), "a remark");
    assert_int_equal(json_integer_value(json_object_get(row, "cut")), cut);
    assert_true(json_is_null(json_object_get(row, "inside")) && json_is_null(json_object_get(row, "high")));
    json_decref(object);
    reproduce_close(&done);
}

static void test_finished_searches_are_compared(void **state)
{
    (void)state;
    Reproduction done;
    (void)run("whole", 1, 1, &done);
    json_t *object = reproduce_json(&done);
    // There are too few positions for more than that.
    assert_string_equal(json_string_value(json_object_get(row_of(object, 0), "verdict")), "too few");
    assert_true(json_is_null(json_object_get(row_of(object, 0), "note")));
    assert_true(json_is_null(json_object_get(row_of(object, 1), "published")));
    json_decref(object);
    reproduce_close(&done);
}

static double measure_saved(const char *folder, uint64_t seed)
{
    PaperTrial trial = whole_trials[0];
    trial.table = "000/some";
    trial.number = 1;
    ExperimentOptions args = {
        .seed = seed, .stop = interrupt_flag(), .scale = 1, .db = "none", .jobs = 2, .saved = folder};
    PaperFigures figures = {0};
    Error error = {0};
    assert_done(paper_measure_run(trial.measure, &trial, &args, &figures, &error), error);
    assert_int_equal(figures.list[0].n, COUNT);
    double nodes = figures.list[0].measured;
    paper_close_figures(&figures);
    return nodes;
}

// Saved searches are read instead of being repeated; half a line, which a kill leaves, and other seeds are not used.
static void test_saved_searches(void **state)
{
    (void)state;
    char folder[] = "/tmp/krow-saved-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/000-some-1.txt", folder);
    double nodes = measure_saved(folder, 1);
    Text text = {0}, changed = {0};
    Error error = {0};
    assert_done(file_read(path, 100000, &text, &error), error);
    Span rest = {text.data, text.length}, line = {0};
    assert_true(span_next_part(&rest, '\n', &line));
    text_add(&changed, "%.*s\n0 999000 1 0 0\n1 99", (int)line.length, line.at);
    assert_done(file_write(path, (Span){changed.data, changed.length}, &error), error);
    assert_true(measure_saved(folder, 1) > nodes + 50000);
    assert_true(measure_saved(folder, 1) > nodes + 50000);
    assert_true(fabs(measure_saved(folder, 2) - nodes) < 50000);
    text_close(&text);
    text_close(&changed);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

// --- Wins beyond the depth ---

// At depth 1 a win in three stones lies two beyond it, and one in five stones four.
static void test_wins_beyond_the_depth(void **state)
{
    (void)state;
    Reproduction done;
    const PaperFigure *figures = run("beyond", 1, 2, &done);
    assert_int_equal(figures[0].n, 2);
    assert_int_equal(figures[0].wanted, 5);
    assert_true(figures[0].measured == 4 && isnan(figures[0].limits.low));
    assert_true(figures[1].measured == 3 && figures[1].n == 2 && figures[1].limits.low < 3);
    json_t *object = reproduce_json(&done);
    assert_true(json_is_null(json_object_get(row_of(object, 0), "inside"))); // without limits
    json_decref(object);
    reproduce_close(&done);
    figures = run("beyond-2", 1, 1, &done);
    assert_true(figures[0].measured == 3 && figures[1].measured == 2 && figures[1].n == 2);
    reproduce_close(&done);
    figures = run("beyond", 0.4, 1, &done);
    assert_true(figures[0].n == 0 && isnan(figures[0].measured) && isnan(figures[1].measured));
    reproduce_close(&done);
}

// --- Positions ---

static void check_list(const Openings *list, const Openings *expected, unsigned from)
{
    assert_int_equal(list->count, expected->count);
    for (unsigned i = from; i < list->count; i++) {
        assert_int_equal(list->list[i].count, expected->list[i].count);
        assert_memory_equal(list->list[i].stones, expected->list[i].stones, list->list[i].count * sizeof(Cell));
    }
}

// After those that are kept come the ones that the recipe makes after them.
static void test_kept_positions_and_more(void **state)
{
    (void)state;
    PaperPositions positions = {.recipe = {.agent = "random", .chance = 1, .min_turns = 1, .max_turns = 9, .seed = 5}};
    Rules rules = rules_of(GAME);
    Openings made = {0}, list = {0}, few = {0};
    Error error = {0};
    assert_done(openings_make(&positions.recipe, &rules, 8, &made, &error), error);
    assert_done(paper_make_positions(&positions, &rules, 8, NULL, &list, &error), error);
    check_list(&list, &made, 0);
    openings_close(&list);
    positions.kept = kept;
    positions.kept_count = 3;
    assert_done(paper_make_positions(&positions, &rules, 8, NULL, &list, &error), error);
    check_list(&list, &made, 3);
    assert_int_equal(list.list[2].count, 8);
    assert_done(paper_make_positions(&positions, &rules, 2, NULL, &few, &error), error);
    assert_int_equal(few.count, 2);
    assert_int_equal(few.list[1].count, 3);
    openings_close(&made);
    openings_close(&list);
    openings_close(&few);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    ExperimentOptions args = {.seed = 1, .stop = interrupt_flag(), .scale = 1, .db = "none"};
    Reproduction done;
    Error error = {0};
    assert_refused(reproduce_run(&ours, table_of("wrong"), &args, &done, &error), error, "'z9'");
    reproduce_close(&done);
    assert_refused(reproduce_run(&ours, table_of("missing"), &args, &done, &error), error,
                   "table missing: there is no agent 'missing'");
    reproduce_close(&done);
    // Asked for without the check before: the thread that opens the agent says.
    PaperFigures figures = {0};
    assert_refused(paper_measure_run(&paper_measure_positions, &missing_trials[0], &args, &figures, &error), error,
                   "no agent 'missing'");
    assert_int_equal(figures.count, 0);
}

static void test_interrupted(void **state)
{
    (void)state;
    ExperimentOptions args = {.seed = 1, .stop = interrupt_flag(), .scale = 1, .db = "none", .jobs = 2};
    Reproduction done;
    Error error = {0};
    assert_int_equal(reproduce_run(&ours, table_of("stopped"), &args, &done, &error), STATUS_INTERRUPTED);
    assert_true(interrupt_take());
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(figures->list[i].n, 0);
        assert_int_equal(figures->list[i].wanted, COUNT);
        assert_true(isnan(figures->list[i].measured));
    }
    reproduce_close(&done);
    (void)signal(SIGINT, SIG_DFL);
}

TEST_GROUP(paper_positions)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_of_finished_searches),
        cmocka_unit_test(test_scales_take_the_first_positions),
        cmocka_unit_test(test_searches_that_are_cut_are_a_lower_bound),
        cmocka_unit_test(test_saved_searches),
        cmocka_unit_test(test_finished_searches_are_compared),
        cmocka_unit_test(test_wins_beyond_the_depth),
        cmocka_unit_test(test_kept_positions_and_more),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
