// What the tests of reproductions share: an agent that counts at random, a paper of their own, and a check of figures.
#pragma once

#include "cli/interrupt.h"
#include "papers/experiment/reproduce.h"
#include "support/check.h"
#include "support/extra_agent.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

// --- An agent of our own ---

// Plays and counts at random: how often it thought again in a turn, at most twice, how often that would have
// been, and nothing at all under another name.
static inline void decide_counting(void *state, const Game *game, const AgentTask *task, Decision *decision)
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
    {"researches/twos@first", NAN},
    {"researches/twos@second", NAN},
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
static inline Status measure_seven(const PaperTrial *trial, const ExperimentOptions *args, PaperFigures *figures,
                                   Error *error)
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
static inline Status measure_interrupted(const PaperTrial *trial, const ExperimentOptions *args, PaperFigures *figures,
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

static inline const PaperTable *table_of(const char *name)
{
    const PaperTable *table = our_tables;
    while (table->name != NULL && strcmp(table->name, name) != 0)
        table++;
    assert_non_null(table->name);
    return table;
}

static inline ExperimentOptions args_at(double scale, const char *db)
{
    return (ExperimentOptions){.seed = 1, .stop = interrupt_flag(), .scale = scale, .db = db};
}

static inline void run(const char *table, const ExperimentOptions *args, Reproduction *done)
{
    Error error = {0};
    assert_done(reproduce_run(&ours, table_of(table), args, done, &error), error);
    assert_int_equal(done->count, 1);
}

static inline void check_figure(const PaperFigure *figure, double measured, Interval limits, Tally games)
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
