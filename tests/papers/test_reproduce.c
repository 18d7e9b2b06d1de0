// Tests of papers as data: what the measures compute from games, and runs that are interrupted and resumed.
#include "support/check.h"
#include "support/extra_agent.h"

#include "cli/interrupt.h"
#include "game/notation.h"
#include "papers/experiment/reproduce.h"
#include "store/db/database.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

// --- An agent of our own ---

// Plays and counts at random: how often it thought again in a turn, at most twice, how often that would have
// been, and nothing at all under another name.
static void decide_counting(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    Cell cells[RULES_CELLS_MAX];
    unsigned legal = board_legal_cells(&game->board, cells);
    decision->count = 1;
    decision->stones[0] = cells[rng_below(task->rng, legal)];
    decision->counts = 3;
    decision->count_list[0] = (DecisionCount){"researches", rng_below(task->rng, 3)};
    decision->count_list[1] = (DecisionCount){"alternatives", 0};
    decision->count_list[2] = (DecisionCount){"twos", 2};
}

static const AgentKind counting = {.name = "counting", .summary = "", .source = "", .decide = decide_counting};

// --- A paper of our own ---

// With one in a row the first stone wins; a row of four cells has no room for four stones of one side.
#define FIRST_WINS "3x1:k=1"
#define ALWAYS_DRAWN "4x1:k=4"

#define TRIAL(a_unit, share, how, rules, ...)                                                                          \
    {                                                                                                                  \
        .unit = (a_unit), .published = (share), .source = "1", .measure = (how), .game = (rules),                      \
        .agents = {__VA_ARGS__}, .games = 20, .start = PAPER_EMPTY_BOARD                                               \
    }

static const PaperTrial known_trials[] = {
    TRIAL("wins", 0.5, &paper_measure_games, FIRST_WINS, "random", "adjacent"),
    TRIAL("wins", 0.2, &paper_measure_games, ALWAYS_DRAWN, "random", "adjacent"),
    TRIAL("score", NAN, &paper_measure_games, ALWAYS_DRAWN, "random", "adjacent"),
    TRIAL("score", 0.8, &paper_measure_first, FIRST_WINS, "random", "random"),
    {0},
};

// Rules under which games differ and draws occur.
static const PaperTrial played_trials[] = {
    {.unit = "wins",
     .published = 0.5,
     .measure = &paper_measure_games,
     .game = "5x5:k=4",
     .agents = {"adjacent", "random"},
     .games = 60},
    {0},
};

static const PaperTrial field_trials[] = {
    {.label = "all",
     .unit = "score",
     .published = NAN,
     .measure = &paper_measure_field,
     .game = "4x4:k=3",
     .agents = {"random", "adjacent", "adjacent:reach=2"},
     .games = 20},
    {0},
};

static const PaperTrial opponent_trials[] = {
    {.label = "random against somebody",
     .unit = "wins",
     .published = 0,
     .measure = &paper_measure_games,
     .game = "tictactoe",
     .agents = {"random", PAPER_OPPONENT},
     .games = 4},
    {0},
};

static const PaperTrial setting_trials[] = {
    {.label = "random against somebody",
     .unit = "wins",
     .published = NAN,
     .measure = &paper_measure_games,
     .game = "tictactoe",
     .agents = {"random", PAPER_OPPONENT},
     .setting = "reach=2 re=5",
     .games = 2},
    {0},
};

static const PaperUnit counted_units[] = {
    {"draws", NAN}, {"losses", NAN}, {"turns", 99}, {"researches", NAN}, {"alternatives", 0}, {0},
};

// Those of one colour, and shares of what is counted.
static const PaperUnit coloured_units[] = {
    {"as_second", 0},
    {"score", NAN},
    {"researches/twos", 0.9},
    {"twos/twos", NAN},
    {"researches/alternatives", NAN},
    {0},
};

static const PaperTrial counted_trials[] = {
    {.unit = "wins",
     .published = 0.5,
     .source = "1",
     .measure = &paper_measure_games,
     .game = "5x5:k=4",
     .agents = {"counting", "random"},
     .games = 40,
     .start = PAPER_FIRST_TURNS,
     .further = counted_units},
    {0},
};

static const PaperTrial coloured_trials[] = {
    {.unit = "as_first",
     .published = 1,
     .source = "1",
     .measure = &paper_measure_games,
     .game = "5x5:k=4",
     .agents = {"counting", "random"},
     .games = 40,
     .start = PAPER_EMPTY_BOARD,
     .further = coloured_units},
    {0},
};

// No agent counts that; and the second-named agent's counts are not the first's.
static const PaperUnit uncounted_units[] = {{"researches", NAN}, {0}};

static const PaperTrial uncounted_trials[] = {
    {.unit = "turns",
     .published = NAN,
     .measure = &paper_measure_games,
     .game = FIRST_WINS,
     .agents = {"random", "counting"},
     .games = 20,
     .start = PAPER_EMPTY_BOARD,
     .further = uncounted_units},
    {.label = "random against somebody",
     .unit = "draws",
     .published = 1,
     .measure = &paper_measure_games,
     .game = ALWAYS_DRAWN,
     .agents = {"random", PAPER_OPPONENT},
     .games = 20,
     .further = uncounted_units},
    {0},
};

// A measure of a paper's own.
static Status measure_seven(const PaperTrial *trial, const ExperimentOptions *args, PaperFigures *figures, Error *error)
{
    PaperFigure figure = {.trial = trial,
                          .label = paper_label(trial, args),
                          .unit = trial->unit,
                          .published = trial->published,
                          .measured = 7,
                          .limits = {6, 8},
                          .n = 30,
                          .wanted = 30};
    (void)error;
    paper_add_figure(figures, &figure);
    return STATUS_OK;
}

static const PaperMeasure seven = {.run = measure_seven};

// Somebody presses Ctrl-C when this row begins.
static Status measure_interrupted(const PaperTrial *trial, const ExperimentOptions *args, PaperFigures *figures,
                                  Error *error)
{
    interrupt_catch();
    assert_int_equal(raise(SIGINT), 0);
    return paper_measure_run(&paper_measure_games, trial, args, figures, error);
}

static const PaperMeasure interrupted = {.run = measure_interrupted};

static const PaperTrial other_trials[] = {
    {.label = "seven", .unit = "nodes", .published = 9, .measure = &seven},
    {0},
};

static const PaperTrial stopped_trials[] = {
    TRIAL("score", NAN, &paper_measure_games, ALWAYS_DRAWN, "random", "adjacent"),
    TRIAL("score", NAN, &interrupted, ALWAYS_DRAWN, "random", "adjacent"),
    TRIAL("score", NAN, &paper_measure_games, ALWAYS_DRAWN, "random", "adjacent"),
    {0},
};

static const char *const given[] = {"a1 b2 c3", "e5", "b1 d2"};
static const PaperPositions given_positions = {
    given, 3, {.agent = "random", .chance = 1, .min_turns = 4, .max_turns = 6, .keep_unquiet = true, .seed = 1}};

static const PaperTrial given_trials[] = {
    {.unit = "wins",
     .published = NAN,
     .measure = &paper_measure_games,
     .game = "5x5:k=4",
     .agents = {"adjacent", "random"},
     .games = 6,
     .start = PAPER_POSITIONS,
     .positions = &given_positions},
    {0},
};

static const PaperTrial bad_trials[] = {
    TRIAL("score", NAN, &paper_measure_games, ALWAYS_DRAWN, "random", "adjacent"),
    TRIAL("score", NAN, &paper_measure_games, ALWAYS_DRAWN, "random", "missing"),
    {0},
};

static const PaperTable our_tables[] = {
    {"known", "", known_trials},
    {"played", "", played_trials},
    {"field", "", field_trials},
    {"setting", "", setting_trials},
    {"opponent", "", opponent_trials},
    {"other", "", other_trials},
    {"stopped", "", stopped_trials},
    {"bad", "", bad_trials},
    {"counted", "", counted_trials},
    {"uncounted", "", uncounted_trials},
    {"coloured", "", coloured_trials},
    {"given", "", given_trials},
    {0},
};
static const Paper ours = {.name = "ours", .title = "", .tables = our_tables};
static const Paper *const our_papers[] = {&ours};

static const PaperTable *table_of(const char *name)
{
    const PaperTable *table = our_tables;
    while (table->name != NULL && strcmp(table->name, name) != 0)
        table++;
    assert_non_null(table->name);
    return table;
}

static ExperimentOptions args_at(double scale, const char *db)
{
    return (ExperimentOptions){.seed = 1, .stop = interrupt_flag(), .scale = scale, .db = db};
}

static void run(const char *table, const ExperimentOptions *args, Reproduction *done)
{
    Error error = {0};
    assert_done(reproduce_run(&ours, table_of(table), args, done, &error), error);
    assert_int_equal(done->count, 1);
}

// --- Arithmetic ---

static void test_scales_give_whole_pairs(void **state)
{
    (void)state;
    assert_int_equal(paper_games(640, 1), 640);
    assert_int_equal(paper_games(640, 0.1), 64);
    assert_int_equal(paper_games(640, 2), 1280);
    assert_int_equal(paper_games(100, 0.03), 4); // a pair and a half
    assert_int_equal(paper_games(100, 0.029), 2);
    assert_int_equal(paper_games(100, 1e-9), 2);
    assert_int_equal(paper_games(2, 0.5), 2);
    for (unsigned games = 2; games < 50; games += 2)
        for (unsigned i = 1; i < 230; i++) {
            double scale = i * 0.013;
            unsigned part = paper_games(games, scale);
            assert_true(part % 2 == 0 && part >= 2 && part <= paper_games(games, ceil(scale)));
            assert_true(part == 2 || fabs(part - games * scale) <= 1);
        }
    assert_int_equal(paper_trial_games(&field_trials[0], 0.5), 30);
    assert_int_equal(paper_trial_games(&other_trials[0], 1), 0);
}

static void test_where_the_published_figure_lies(void **state)
{
    (void)state;
    PaperFigure figure = {.published = 0.5, .limits = {0.5, 0.6}};
    assert_int_equal(paper_compare(&figure), 0);
    figure.published = 0.6;
    assert_int_equal(paper_compare(&figure), 0);
    figure.published = 0.49;
    assert_int_equal(paper_compare(&figure), -1);
    figure.published = 0.61;
    assert_int_equal(paper_compare(&figure), 1);
}

static void test_verdicts_need_enough_games(void **state)
{
    (void)state;
    // Two games contain almost every share; 100 games are enough; a figure outside of wide limits still is outside.
    PaperFigure share = {.unit = "wins", .published = 0.5, .measured = 0.5, .limits = {0.09, 0.91}, .n = 2};
    assert_int_equal(paper_verdict(&share), PAPER_TOO_FEW);
    share.limits = (Interval){0, 0.4};
    assert_int_equal(paper_verdict(&share), PAPER_TOO_FEW);
    share.n = 20;
    assert_int_equal(paper_verdict(&share), PAPER_ABOVE);
    share.limits = (Interval){0.3, 0.7};
    assert_int_equal(paper_verdict(&share), PAPER_TOO_FEW);
    share.limits = (Interval){0.4, 0.6};
    assert_int_equal(paper_verdict(&share), PAPER_INSIDE);
    share.is_partial = true;
    assert_int_equal(paper_verdict(&share), PAPER_SHORTER);
    PaperFigure mean = {.unit = "turns", .published = 100, .measured = 90, .limits = {60, 120}, .n = 50};
    assert_int_equal(paper_verdict(&mean), PAPER_TOO_FEW);
    mean.limits = (Interval){80, 110};
    assert_int_equal(paper_verdict(&mean), PAPER_INSIDE);
    mean.cut = 1;
    assert_int_equal(paper_verdict(&mean), PAPER_NO_VERDICT);
}

static void test_every_unit_has_a_meaning(void **state)
{
    (void)state;
    for (int i = 0; i < paper_count(); i++)
        for (const PaperTable *table = papers()[i]->tables; table->name != NULL; table++)
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
                for (unsigned j = 0; j < paper_units(trial); j++) {
                    const char *meaning = paper_unit_meaning(paper_unit(trial, j).unit);
                    assert_null(strstr(meaning, "count of the first-named agent"));
                    assert_null(strstr(meaning, "ratio of two counts"));
                }
}

static void test_names(void **state)
{
    (void)state;
    PaperPlace place = {0};
    Error error = {0};
    assert_done(paper_find(our_papers, 1, span_of("ours"), &place, &error), error);
    assert_ptr_equal(place.paper, &ours);
    assert_null(place.table);
    assert_done(paper_find(our_papers, 1, span_of("ours/field"), &place, &error), error);
    assert_ptr_equal(place.table, table_of("field"));
    assert_refused(paper_find(our_papers, 1, span_of("our"), &place, &error), error, "no paper 'our'");
    assert_refused(paper_find(our_papers, 1, span_of(""), &place, &error), error, "no paper ''; there is ours");
    assert_refused(paper_find(our_papers, 1, span_of("/field"), &place, &error), error, "no paper ''");
    assert_refused(paper_find(our_papers, 1, span_of("ours/"), &place, &error), error, "no table ''");
    assert_refused(paper_find(our_papers, 1, span_of("ours/fields"), &place, &error), error,
                   "no table 'fields'; it has known, played");
    assert_refused(paper_find(our_papers, 1, span_of("ours/field/x"), &place, &error), error, "no table 'field/x'");
}

// --- The papers that ship ---

// Where wins, draws and losses are published they are all games, or a remark says that they are not.
static void check_shares(const PaperTrial *trial)
{
    double sum = 0;
    unsigned shares = 0;
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperUnit unit = paper_unit(trial, i);
        shares += paper_is_share(unit.unit);
        sum += paper_is_share(unit.unit) ? unit.published : 0;
    }
    assert_true(shares < 3 || isnan(sum) || fabs(sum - 1) < 1e-9 || trial->remark != NULL);
}

// Stored positions can be read and are not finished.
static void check_positions(const PaperTrial *trial)
{
    Rules rules = rules_of(trial->game);
    Openings list = {0};
    Error error = {0};
    if (trial->positions != NULL)
        assert_done(paper_make_positions(trial->positions, &rules, trial->positions->kept_count, NULL, &list, &error),
                    error);
    for (unsigned i = 0; i < list.count; i++) {
        Game game;
        game_init(&game, &rules);
        assert_done(opening_play(&list.list[i], &game, &error), error);
    }
    openings_close(&list);
}

static void check_trial(const PaperTrial *trial)
{
    assert_true(isnan(trial->published) == (trial->source == NULL));
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperUnit unit = paper_unit(trial, i);
        bool is_share = paper_is_share(unit.unit);
        assert_true(isnan(unit.published) || (unit.published >= 0 && (!is_share || unit.published <= 1)));
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(unit.unit, paper_unit(trial, j).unit);
    }
    unsigned agents = paper_agents(trial);
    if (agents == 0)
        return;
    assert_true(agents == 1 ? trial->searches > 0 && trial->positions != NULL && trial->limits.depth > 0
                            : trial->games >= 2 && trial->games % 2 == 0 && trial->searches == 0);
    assert_true((trial->panel != NULL) == (trial->line != NULL) && (trial->panel == NULL || paper_asked(trial) == 1));
    assert_true(trial->start != PAPER_POSITIONS || trial->positions != NULL);
    check_shares(trial);
    check_positions(trial);
}

static void test_papers_make_sense(void **state)
{
    (void)state;
    static const ExperimentOptions nothing = {0};
    assert_true(paper_count() >= 1);
    for (int i = 0; i < paper_count(); i++)
        for (const PaperTable *table = papers()[i]->tables; table->name != NULL; table++) {
            assert_non_null(table->trials[0].measure);
            for (const PaperTable *other = papers()[i]->tables; other < table; other++)
                assert_string_not_equal(other->name, table->name);
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++) {
                check_trial(trial);
                char *label = paper_label(trial, &nothing);
                for (const PaperTrial *other = table->trials; other < trial; other++) {
                    char *before = paper_label(other, &nothing);
                    assert_string_not_equal(label, before);
                    free(before);
                }
                free(label);
            }
        }
}

// The agents of every row exist, take their options and play the row's game.
static void test_papers_can_be_run(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    args.opponent = "random";
    for (int i = 0; i < paper_count(); i++)
        for (const PaperTable *table = papers()[i]->tables; table->name != NULL; table++)
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++) {
                Error error = {0};
                assert_done(paper_check(trial, &args, &error), error);
            }
}

// --- What comes of games ---

static void check_figure(const PaperFigure *figure, double measured, Interval limits, Tally games)
{
    assert_near(figure->measured, measured);
    assert_true(isnan(limits.low) == isnan(figure->limits.low));
    if (!isnan(limits.low)) {
        assert_near(figure->limits.low, limits.low);
        assert_near(figure->limits.high, limits.high);
    }
    assert_true(figure->has_games);
    assert_int_equal(figure->n, figure->wanted);
    assert_int_equal(figure->n, (unsigned)tally_games(games));
    assert_memory_equal(&figure->games, &games, sizeof games);
}

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

// --- Stopped and gone on with ---

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/krow-reproduce-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    (void)snprintf(path, sizeof path, "%s/krow.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT(cert-env33-c): the path is our own
}

typedef struct {
    unsigned matches, finished, games;
} Kept;

static bool count_match(void *context, const DatabaseMatch *match)
{
    Kept *kept = context;
    kept->matches++;
    kept->finished += match->finished != 0;
    kept->games += (unsigned)match->games;
    return true;
}

static void check_kept(unsigned matches, unsigned finished, unsigned games)
{
    Database *db = NULL;
    Error error = {0};
    Kept kept = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_match(db, count_match, &kept, &error), error);
    database_close(db);
    assert_int_equal(kept.matches, matches);
    assert_int_equal(kept.finished, finished);
    assert_int_equal(kept.games, games);
}

// Games 2i and 2i + 1 begin from the same given stones, and other pairs from others.
typedef struct {
    unsigned games;
    unsigned given[60];
    Cell stones[60][RULES_CELLS_MAX];
} Begins;

static bool note_begin(void *context, const DatabaseGame *game)
{
    Begins *begins = context;
    begins->given[begins->games] = game->opening;
    for (unsigned i = 0; i < game->opening; i++)
        begins->stones[begins->games][i] = game->record->stones[i].cell;
    begins->games++;
    return true;
}

static void find_begins(Begins *begins)
{
    Database *db = NULL;
    Error error = {0};
    DatabaseFilter filter = {.match = 1};
    *begins = (Begins){0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_game(db, &filter, note_begin, begins, &error), error);
    database_close(db);
}

static bool begin_alike(const Begins *begins, unsigned a, unsigned b)
{
    return begins->given[a] == begins->given[b] &&
           memcmp(begins->stones[a], begins->stones[b], sizeof begins->stones[a]) == 0;
}

static void test_where_games_begin(void **state)
{
    (void)state;
    static Begins begins;
    ExperimentOptions args = args_at(1, path);
    Reproduction done;
    run("played", &args, &done);
    reproduce_close(&done);
    find_begins(&begins);
    assert_int_equal(begins.games, 60);
    for (unsigned i = 0; i < 60; i++) {
        assert_true(begins.given[i] > 0);
        for (unsigned j = 0; j < i; j++)
            assert_int_equal(begin_alike(&begins, i, j), i / 2 == j / 2);
    }
    (void)remove(path);
    run("known", &args, &done);
    reproduce_close(&done);
    find_begins(&begins);
    assert_int_equal(begins.games, 20);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(begins.given[i], 0);
}

// From the positions of the trial, in their order; a scale above 1 goes on with others.
static void test_games_from_given_positions(void **state)
{
    (void)state;
    static Begins begins;
    for (unsigned scale = 1; scale <= 2; scale++) {
        ExperimentOptions args = args_at(scale, path);
        Reproduction done;
        (void)remove(path);
        run("given", &args, &done);
        reproduce_close(&done);
        find_begins(&begins);
        assert_int_equal(begins.games, 6 * scale);
        for (unsigned i = 0; i < begins.games; i++) {
            Game game;
            Rules rules = rules_of("5x5:k=4");
            game_init(&game, &rules);
            if (i < 6)
                assert_int_equal(game_read(&game, span_of(given[i / 2]), NULL), STATUS_OK);
            assert_true(i < 6 ? begins.given[i] == game.played : begins.given[i] >= 4 && begins.given[i] <= 6);
            assert_memory_equal(begins.stones[i], game.stones, game.played * sizeof(Cell));
            for (unsigned j = 0; j < i; j++)
                assert_int_equal(begin_alike(&begins, i, j), i / 2 == j / 2);
        }
    }
}

static void test_so_do_games_from_given_positions(void **state)
{
    (void)state;
    ExperimentOptions part = args_at(0.34, path), all = args_at(1, path);
    Reproduction done;
    run("given", &part, &done);
    check_kept(1, 0, 2);
    reproduce_close(&done);
    run("given", &all, &done);
    check_kept(1, 1, 6);
    reproduce_close(&done);
}

static void check_same(const Reproduction *a, const Reproduction *b)
{
    const PaperFigures *one = &a->tables[0].figures, *other = &b->tables[0].figures;
    assert_int_equal(one->count, other->count);
    for (unsigned i = 0; i < one->count; i++)
        check_figure(&one->list[i], other->list[i].measured, other->list[i].limits, other->list[i].games);
}

// Games of a smaller scale are the beginning of a larger one, whatever the number of agents and jobs.
static void check_growing(const char *table, unsigned part, unsigned whole)
{
    ExperimentOptions none = args_at(1, "none"), half = args_at(0.5, path), all = args_at(1, path);
    all.jobs = 3;
    Reproduction done, undisturbed;
    run(table, &none, &undisturbed);
    run(table, &half, &done);
    check_kept(1, 0, part);
    reproduce_close(&done);
    run(table, &all, &done);
    check_kept(1, 1, whole);
    check_same(&done, &undisturbed);
    reproduce_close(&done);
    // Again: nothing is left to play. A smaller scale looks at its own games alone.
    run(table, &all, &done);
    check_kept(1, 1, whole);
    check_same(&done, &undisturbed);
    reproduce_close(&done);
    run(table, &half, &done);
    check_kept(1, 1, whole);
    assert_int_equal(done.tables[0].figures.list[0].n, done.tables[0].figures.list[0].wanted);
    assert_int_equal(done.tables[0].figures.list[0].n, undisturbed.tables[0].figures.list[0].n / 2);
    reproduce_close(&done);
    all.fresh = true;
    run(table, &all, &done);
    check_kept(2, 2, 2 * whole);
    check_same(&done, &undisturbed);
    reproduce_close(&done);
    reproduce_close(&undisturbed);
}

static void test_a_larger_scale_goes_on_from_a_smaller_one(void **state)
{
    (void)state;
    check_growing("played", 30, 60);
}

static void test_so_does_a_field(void **state)
{
    (void)state;
    check_growing("field", 30, 60);
}

// The sums over all games, straight from the database.
typedef struct {
    unsigned games, stones, researches;
    unsigned results[3]; // by half points of the counting agent
} Counted;

static bool count_counted(void *context, const DatabaseGame *game)
{
    Counted *counted = context;
    Side side = strcmp(game->first, "counting") == 0 ? SIDE_FIRST : SIDE_SECOND;
    const OwnCounts *own = &game->own[side];
    assert_int_equal(own->count, 3);
    assert_int_equal(game->own[side_other(side)].count, 0);
    assert_string_equal(own->list[1].name, "researches");
    assert_int_equal(own->list[0].value, 0);
    assert_true(game->opening == 1 || game->opening == 2);
    Result result = game->record->result;
    counted->games++;
    counted->stones += game->record->count;
    counted->researches += (unsigned)own->list[1].value;
    counted->results[result == RESULT_DRAW ? 1 : (result == RESULT_FIRST) == (side == SIDE_FIRST) ? 2 : 0]++;
    return true;
}

static void test_figures_of_games(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, path);
    Reproduction done;
    run("counted", &args, &done);
    Database *db = NULL;
    Error error = {0};
    Counted counted = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_game(db, NULL, count_counted, &counted, &error), error);
    database_close(db);
    const PaperFigure *figures = done.tables[0].figures.list;
    assert_int_equal(done.tables[0].figures.count, 6);
    assert_int_equal(counted.games, 40);
    assert_true(counted.results[0] > 0 && counted.results[1] > 0 && counted.results[2] > 0 && counted.researches > 40);
    assert_near(figures[0].measured, counted.results[2] / 40.0);
    assert_near(figures[1].measured, counted.results[1] / 40.0);
    assert_near(figures[2].measured, counted.results[0] / 40.0);
    assert_near(figures[3].measured, counted.stones / 40.0); // a stone a turn, those of the opening too
    assert_near(figures[4].measured, counted.researches / 40.0);
    assert_near(figures[5].measured, 0);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(figures[i].n, 40);
        assert_int_equal(figures[i].games.draws, counted.results[1]);
        if (i < 5)
            assert_true(figures[i].limits.low <= figures[i].measured && figures[i].measured < figures[i].limits.high);
    }
    assert_true(isnan(figures[5].limits.low) && !paper_compares(&figures[5])); // none in any game
    assert_int_equal(paper_compare(&figures[3]), 1);
    reproduce_close(&done);
}

// Tallies by first player and sums of counters, directly from the database.
typedef struct {
    Tally games[2]; // by the colour of the counting agent
    Ratio ratio;
} Coloured;

static bool count_coloured(void *context, const DatabaseGame *game)
{
    Coloured *coloured = context;
    Side side = strcmp(game->first, "counting") == 0 ? SIDE_FIRST : SIDE_SECOND;
    Result result = game->record->result;
    tally_add(&coloured->games[side], result == RESULT_DRAW                              ? 1
                                      : (result == RESULT_FIRST) == (side == SIDE_FIRST) ? 2
                                                                                         : 0);
    const OwnCounts *own = &game->own[side];
    ratio_add(&coloured->ratio, (double)own_counts_value(own, "researches"), (double)own_counts_value(own, "twos"));
    return true;
}

static void check_colour(const PaperFigure *figure, Tally games)
{
    HeadToHead alone = {.games = games};
    assert_int_equal(tally_games(games), 20);
    check_figure(figure, tally_score(games), stats_score_wilson(&alone), games);
}

static void check_coloured(const Reproduction *done, const Coloured *coloured)
{
    const PaperFigure *figures = done->tables[0].figures.list;
    assert_int_equal(done->tables[0].figures.count, 6);
    check_colour(&figures[0], coloured->games[SIDE_FIRST]);
    check_colour(&figures[1], coloured->games[SIDE_SECOND]);
    assert_near(figures[2].measured, (figures[0].measured + figures[1].measured) / 2);
    assert_int_equal(figures[2].n, 40);
    Estimate share = ratio_value(&coloured->ratio);
    check_figure(&figures[3], share.value, share.range, figures[2].games);
    assert_true(share.value > 0.3 && share.value < 0.7 && paper_compare(&figures[3]) == 1);
    assert_near(figures[4].measured, 1); // of all games, and so without limits
    assert_true(isnan(figures[4].limits.low) && figures[4].n == 40);
    assert_true(isnan(figures[5].measured) && isnan(figures[5].limits.low) && figures[5].n == 0); // a share of nothing
}

static void test_colours_and_shares(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, path);
    Reproduction done;
    run("coloured", &args, &done);
    Database *db = NULL;
    Error error = {0};
    Coloured coloured = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_game(db, NULL, count_coloured, &coloured, &error), error);
    database_close(db);
    check_coloured(&done, &coloured);
    reproduce_close(&done);
    run("coloured", &args, &done); // from the database alone
    check_coloured(&done, &coloured);
    reproduce_close(&done);
    assert_true(paper_is_share("researches/twos") && paper_is_share("as_first") && paper_is_share("as_second"));
    assert_false(paper_is_share("researches"));
}

static void test_so_does_what_agents_count(void **state)
{
    (void)state;
    check_growing("counted", 20, 40);
}

static void test_another_seed_plays_other_games(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, path);
    Reproduction one, other;
    run("played", &args, &one);
    args.seed = 1;
    run("played", &args, &other);
    check_kept(1, 1, 60);
    reproduce_close(&other);
    args.seed = 2;
    run("played", &args, &other);
    check_kept(2, 2, 120);
    reproduce_close(&one);
    reproduce_close(&other);
}

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
        cmocka_unit_test(test_scales_give_whole_pairs),
        cmocka_unit_test(test_where_the_published_figure_lies),
        cmocka_unit_test(test_verdicts_need_enough_games),
        cmocka_unit_test(test_every_unit_has_a_meaning),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_papers_make_sense),
        cmocka_unit_test(test_papers_can_be_run),
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
        cmocka_unit_test_setup_teardown(test_where_games_begin, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_larger_scale_goes_on_from_a_smaller_one, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_games_from_given_positions, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_so_do_games_from_given_positions, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_so_does_a_field, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_colours_and_shares, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_figures_of_games, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_so_does_what_agents_count, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_another_seed_plays_other_games, make_folder, remove_folder),
        cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
