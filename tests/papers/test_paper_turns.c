// Tests of measurements of every turn of games between other agents: the results are compared with the same games
// played here.
#include "support/check.h"
#include "support/extra_agent.h"

#include "base/file.h"
#include "cli/interrupt.h"
#include "match/referee.h"
#include "papers/experiment/paper_internal.h"
#include "papers/experiment/reproduce.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GAME "5x4:k=3,gravity"
#define SMALL "4x3:k=3,gravity" // which is soon searched to its end without a solver
#define FIRST "adjacent"
#define SECOND "random"
#define PRUNED "hybrid:detect=0,depth=4,nodes=0"
#define PLAIN "hybrid:detect=0,depth=4,nodes=0,pruning=0"

enum { GAMES = 8, TURNS = 20 };

// --- An agent of our own ---

// Somebody presses Ctrl-C in the fourth turn of a game.
static void decide_stopping(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    Cell cells[RULES_CELLS_MAX];
    decision->count = 1;
    decision->stones[0] = cells[rng_below(task->rng, board_legal_cells(&game->board, cells))];
    if (game->played == 3)
        interrupt_catch();
    assert_int_equal(raise(SIGINT), 0);
}

static const AgentKind stopping = {.name = "stopping", .summary = "", .source = "", .decide = decide_stopping};

// --- A paper of our own ---

static Status measure_interrupted(const PaperTrial *trial, const ExperimentOptions *args, PaperFigures *figures,
                                  Error *error)
{
    interrupt_catch();
    assert_int_equal(raise(SIGINT), 0);
    return paper_measure_run(&paper_measure_turns, trial, args, figures, error);
}

static const PaperMeasure interrupted = {.run = measure_interrupted};

static const PaperUnit further[] = {{"ms", NAN}, {"slowest", NAN}, {0}};

#define TRIAL(text, how, agent, title, name)                                                                           \
    {                                                                                                                  \
        .label = (text), .unit = "nodes", .published = 1, .source = "1", .measure = (how), .game = GAME,               \
        .agents = {FIRST, SECOND}, .games = GAMES, .start = PAPER_EMPTY_BOARD, .further = further, .asked = {(agent)}, \
        .panel = (title), .line = (name)                                                                               \
    }

static const PaperTrial drawn_trials[] = {
    TRIAL("plain", &paper_measure_turns, PLAIN, "above", "without"),
    TRIAL("pruned", &paper_measure_turns, PRUNED, "above", "with"),
    TRIAL("one stone", &paper_measure_turns, "hybrid:detect=0,depth=1,nodes=0,pruning=0", "below", "without"),
    {0},
};
static const PaperTrial undrawn_trials[] = {TRIAL("pruned", &paper_measure_turns, PRUNED, NULL, NULL), {0}};
static const PaperTrial stopped_trials[] = {TRIAL("pruned", &interrupted, PRUNED, "above", "with"), {0}};

// Judged, with agents of rows that are not in the order of how well they play.
static const PaperUnit kept_units[] = {
    {"kept_score/turns", NAN}, {"kept/critical", NAN}, {"critical/turns", NAN}, {"nodes", NAN}, {0}};

#define JUDGED(which, ...)                                                                                             \
    {                                                                                                                  \
        .label = "all", .unit = "kept/turns", .published = NAN, .measure = &paper_measure_turns, .game = (which),      \
        .agents = {FIRST, SECOND}, .games = GAMES, .start = PAPER_EMPTY_BOARD, .further = kept_units, .asked = {       \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static const char *const judged[] = {PRUNED, "perfect", "random"};
static const PaperTrial judged_trials[] = {JUDGED(SMALL, PRUNED, "perfect", "random"), {0}};
static const PaperTrial calm_trials[] = {JUDGED("3x1:k=3,gravity", "random"), {0}};
static const PaperTrial judged_stopped_trials[] = {JUDGED(SMALL, "stopping", "random"), {0}};
static const PaperTrial unjudged_trials[] = {JUDGED("4x4:k=3,p=2", "random"), JUDGED("4x4:k=3,q=2", "random"),
                                             JUDGED("9x9:k=5", "random")};

static const PaperTrial midway_trials[] = {TRIAL("midway", &paper_measure_turns, "stopping", "above", "with"), {0}};
static const PaperTrial missing_trials[] = {TRIAL("missing", &paper_measure_turns, "missing", "above", "with"), {0}};

static const PaperTable our_tables[] = {
    {"drawn", "Drawn", drawn_trials},
    {"undrawn", "", undrawn_trials},
    {"stopped", "", stopped_trials},
    {"missing", "", missing_trials},
    {"midway", "", midway_trials},
    {"judged", "", judged_trials},
    {"calm", "", calm_trials},
    {"judged-stopped", "", judged_stopped_trials},
    {0},
};
static const Paper ours = {.name = "ours", .title = "", .tables = our_tables};

static const PaperTable *table_of(const char *name)
{
    const PaperTable *table = our_tables;
    while (strcmp(table->name, name) != 0)
        table++;
    return table;
}

static ExperimentOptions args_at(double scale, unsigned jobs)
{
    interrupt_catch();
    return (ExperimentOptions){.seed = 1, .stop = interrupt_flag(), .scale = scale, .db = "none", .jobs = jobs};
}

static const PaperFigures *run(const char *table, const ExperimentOptions *args, Reproduction *done)
{
    Error error = {0};
    assert_done(reproduce_run(&ours, table_of(table), args, done, &error), error);
    return &done->tables[0].figures;
}

// --- The same games, played here ---

// How a stone stands beside exact play, found by brute force.
typedef struct {
    bool kept, kept_score, critical;
} Verdict;

typedef struct {
    unsigned turns;
    double nodes[TURNS];
    unsigned legal[TURNS];
    Verdict verdicts[TURNS]; // of games of SMALL
} Played;

// What a stone is worth: one more than the stones that the winner has left over, for the winner, seen from the side
// that plays it.
static int worth(Board *board, Cell cell)
{
    Cell cells[RULES_CELLS_MAX];
    int value = (int)(board->cells + 1 - board_count(board)) / 2, best = INT_MIN;
    BoardState before = board_play(board, cell);
    unsigned count = board_winner(board) == WINNER_NONE ? board_legal_cells(board, cells) : 0;
    for (unsigned i = 0; i < count; i++) {
        int reply = worth(board, cells[i]);
        best = reply > best ? reply : best;
    }
    if (board_winner(board) == WINNER_NONE)
        value = count > 0 ? -best : 0;
    board_undo(board, cell, before);
    return value;
}

static int sign(int value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

static Verdict judge(const Board *board, Cell stone)
{
    Board copy;
    Cell cells[RULES_CELLS_MAX];
    board_copy(&copy, board);
    int best = INT_MIN, worst = INT_MAX, asked = worth(&copy, stone);
    for (unsigned i = board_legal_cells(&copy, cells); i-- > 0;) {
        int value = worth(&copy, cells[i]);
        best = value > best ? value : best;
        worst = value < worst ? value : worst;
    }
    return (Verdict){sign(asked) == sign(best), asked == best, sign(worst) != sign(best)};
}

static void ask(Agent *agent, const Game *game, Rng *rng, Decision *decision)
{
    static const atomic_bool never = false;
    AgentTask task = {.rng = rng, .stop = &never};
    agent_decide(agent, game, &task, decision);
}

static Played play(const char *text, const char *asked, uint64_t master, unsigned number)
{
    Rules rules = rules_of(text);
    const char *names[] = {FIRST, SECOND, asked};
    Agent agents[3] = {0};
    Decision *decision = calloc(1, sizeof *decision);
    Error error = {0};
    Game game;
    Played played = {0};
    uint64_t seed = rng_derive(master, number);
    Rng rngs[2] = {rng_make(rng_derive(seed, 0)), rng_make(rng_derive(seed, 1))};
    game_init(&game, &rules);
    for (unsigned i = 0; i < 3; i++)
        assert_done(agent_open(&agents[i], span_of(names[i]), &rules, &error), error);
    for (; !game_is_over(&game); played.turns++) {
        Cell cells[RULES_CELLS_MAX];
        // The second-named agent begins every second game.
        unsigned who = (played.turns + number) % 2;
        Rng rng = rng_make(rng_derive(seed, 3 + played.turns));
        ask(&agents[2], &game, &rng, decision);
        played.nodes[played.turns] = (double)decision->nodes;
        played.legal[played.turns] = board_legal_cells(&game.board, cells);
        if (strcmp(text, SMALL) == 0)
            played.verdicts[played.turns] = judge(&game.board, decision->stones[0]);
        ask(&agents[who], &game, &rngs[who], decision);
        assert_done(referee_play(&game, decision, &error), error);
    }
    for (unsigned i = 0; i < 3; i++)
        agent_close(&agents[i]);
    free(decision);
    return played;
}

static Ratio nodes_of(const char *asked, uint64_t master, unsigned games)
{
    Ratio ratio = {0};
    for (unsigned i = 0; i < games; i++) {
        Played played = play(GAME, asked, master, i);
        double sum = 0;
        for (unsigned j = 0; j < played.turns; j++)
            sum += played.nodes[j];
        ratio_add(&ratio, sum, played.turns);
    }
    return ratio;
}

// --- Figures ---

static void check_nodes(const PaperFigure *figure, const Ratio *ratio, unsigned games)
{
    Estimate mean = ratio_value(ratio);
    assert_string_equal(figure->unit, "nodes");
    assert_true(fabs(figure->measured - mean.value) < 1e-9 && isfinite(mean.range.low));
    assert_true(fabs(figure->limits.low - mean.range.low) < 1e-9);
    assert_true(fabs(figure->limits.high - mean.range.high) < 1e-9);
    assert_int_equal(figure->n, games);
    assert_int_equal(figure->wanted, games);
    assert_false(figure->has_games);
}

static void test_nodes_of_turns(void **state)
{
    (void)state;
    Ratio plain = nodes_of(PLAIN, 1, GAMES), pruned = nodes_of(PRUNED, 1, GAMES);
    assert_true(plain.whole == pruned.whole && plain.part > 1.5 * pruned.part); // the same games
    for (unsigned jobs = 0; jobs <= 9; jobs += 3) {
        ExperimentOptions args = args_at(1, jobs);
        Reproduction done;
        const PaperFigures *figures = run("drawn", &args, &done);
        assert_int_equal(figures->count, 9);
        check_nodes(&figures->list[0], &plain, GAMES);
        check_nodes(&figures->list[3], &pruned, GAMES);
        assert_string_equal(figures->list[1].unit, "ms");
        assert_string_equal(figures->list[2].unit, "slowest");
        assert_true(figures->list[1].measured > 0 && figures->list[2].measured >= figures->list[1].measured);
        assert_true(isnan(figures->list[2].limits.low) && figures->list[2].n == GAMES);
        reproduce_close(&done);
    }
}

static void test_scales_and_seeds(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(0.5, 2);
    Reproduction done;
    Ratio half = nodes_of(PLAIN, 1, GAMES / 2), other = nodes_of(PLAIN, 7, GAMES / 2);
    check_nodes(&run("drawn", &args, &done)->list[0], &half, GAMES / 2);
    reproduce_close(&done);
    args.seed = 7;
    check_nodes(&run("drawn", &args, &done)->list[0], &other, GAMES / 2);
    reproduce_close(&done);
    assert_true(half.part != other.part);
    assert_int_equal(paper_trial_games(&drawn_trials[0], 0.5), GAMES / 2);
}

// --- Series ---

// A search of depth one makes one call plus one call for each cell.
static void test_series(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, 2);
    Reproduction done;
    const PaperFigures *figures = run("drawn", &args, &done);
    assert_int_equal(figures->series_count, 3);
    const PaperSeries *series = &figures->series[2];
    Sample expected[TURNS] = {0};
    unsigned longest = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        Played played = play(GAME, PLAIN, 1, i);
        longest = played.turns > longest ? played.turns : longest;
        for (unsigned j = 0; j < played.turns; j++)
            sample_add(&expected[j], 1 + played.legal[j]);
    }
    assert_string_equal(series->label, "one stone");
    assert_string_equal(series->unit, "nodes");
    assert_int_equal(series->games, GAMES);
    assert_int_equal(series->count, longest);
    bool differs = false;
    for (unsigned j = 0; j < longest; j++) {
        Estimate mean = sample_mean(&expected[j]);
        assert_int_equal(series->points[j].n, expected[j].n);
        assert_true(fabs(series->points[j].mean - mean.value) < 1e-9);
        assert_int_equal(isnan(series->points[j].limits.low), isnan(mean.range.low));
        differs = differs || isfinite(mean.range.low);
    }
    assert_true(differs && expected[longest - 1].n < GAMES);
    for (unsigned j = 0; j < longest; j++)
        assert_true(figures->series[0].points[j].mean >= figures->series[1].points[j].mean);
    json_t *object = reproduce_json(&done);
    const json_t *table = json_array_get(json_object_get(object, "tables"), 0);
    const json_t *first = json_array_get(json_object_get(table, "series"), 2);
    assert_int_equal(json_integer_value(json_object_get(first, "wanted")), GAMES);
    assert_int_equal(json_array_size(json_object_get(first, "points")), longest);
    const json_t *point = json_array_get(json_object_get(first, "points"), 0);
    assert_int_equal(json_integer_value(json_object_get(point, "turn")), 1);
    assert_int_equal(json_integer_value(json_object_get(point, "n")), GAMES);
    assert_true(json_number_value(json_object_get(point, "mean")) == 6); // of five columns
    assert_true(json_is_null(json_object_get(point, "low")));
    assert_null(json_object_get(table, "curves"));
    json_decref(object);
    reproduce_close(&done);
}

static void test_what_is_not_drawn_has_no_series(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, 1);
    Reproduction done;
    assert_int_equal(run("undrawn", &args, &done)->series_count, 0);
    // Its chart shows the rows.
    Text text = {0};
    paper_draw(table_of("undrawn"), &done.tables[0].figures, &args, &text);
    assert_non_null(strstr(text.data, "measured, with 95 % limits"));
    assert_null(strstr(text.data, "<polyline"));
    text_close(&text);
    reproduce_close(&done);
}

// --- Shares of what is kept ---

typedef struct {
    Ratio kept, kept_score, kept_critical, critical, nodes;
} Kept;

static Kept kept_of(const char *asked)
{
    Kept kept = {0};
    for (unsigned i = 0; i < GAMES; i++) {
        Played played = play(SMALL, asked, 1, i);
        double keeps = 0, scores = 0, critical = 0, both = 0, nodes = 0;
        for (unsigned j = 0; j < played.turns; j++) {
            const Verdict *verdict = &played.verdicts[j];
            keeps += verdict->kept;
            scores += verdict->kept_score;
            critical += verdict->critical;
            both += verdict->kept && verdict->critical;
            nodes += played.nodes[j];
        }
        ratio_add(&kept.kept, keeps, played.turns);
        ratio_add(&kept.kept_score, scores, played.turns);
        ratio_add(&kept.kept_critical, both, critical);
        ratio_add(&kept.critical, critical, played.turns);
        ratio_add(&kept.nodes, nodes, played.turns);
    }
    return kept;
}

static void check_share(const PaperFigure *figure, const char *label, const char *unit, const Ratio *ratio)
{
    Estimate share = ratio_value(ratio);
    assert_string_equal(figure->label, label);
    assert_string_equal(figure->unit, unit);
    assert_true(fabs(figure->measured - share.value) < 1e-9);
    assert_int_equal(isnan(figure->limits.low), isnan(share.range.low));
    assert_int_equal(isnan(figure->limits.high), isnan(share.range.high));
    if (!isnan(share.range.low)) {
        assert_true(fabs(figure->limits.low - share.range.low) < 1e-9);
        assert_true(fabs(figure->limits.high - fmin(share.range.high, 1)) < 1e-9);
    }
    assert_int_equal(figure->n, GAMES);
}

static void test_what_is_kept(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, 2);
    Reproduction done;
    const PaperFigures *figures = run("judged", &args, &done);
    assert_int_equal(figures->count, 15);
    assert_int_equal(figures->series_count, 0);
    for (unsigned i = 0; i < 3; i++) {
        Kept kept = kept_of(judged[i]);
        const PaperFigure *rows = figures->list + (size_t)5 * i;
        check_share(&rows[0], judged[i], "kept/turns", &kept.kept);
        check_share(&rows[1], judged[i], "kept_score/turns", &kept.kept_score);
        check_share(&rows[2], judged[i], "kept/critical", &kept.kept_critical);
        check_share(&rows[3], judged[i], "critical/turns", &kept.critical);
        // Nodes of `perfect` depend on what its table knows from other games.
        if (strcmp(judged[i], "perfect") != 0)
            assert_true(fabs(rows[4].measured - ratio_value(&kept.nodes).value) < 1e-6);
    }
    const PaperFigure *perfect = &figures->list[5], *random = &figures->list[10];
    for (unsigned i = 0; i < 3; i++)
        assert_true(perfect[i].measured == 1 && isnan(perfect[i].limits.low));
    // The games have turns of every kind, or little was seen here.
    assert_true(random[2].measured < random[0].measured && random[1].measured < random[0].measured);
    assert_true(random[0].measured < 1 && random[3].measured > 0 && random[3].measured < 1);
    for (unsigned i = 0; i < 4; i++)
        assert_true(paper_is_share(random[i].unit));
    reproduce_close(&done);
}

static void test_where_nothing_is_at_stake(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, 1);
    Reproduction done;
    const PaperFigure *rows = run("calm", &args, &done)->list;
    assert_string_equal(rows[0].label, "all");
    assert_true(rows[0].measured == 1 && rows[1].measured == 1 && rows[3].measured == 0);
    assert_true(isnan(rows[2].measured) && isnan(rows[2].limits.low) && isnan(rows[2].limits.high));
    reproduce_close(&done);
}

static void test_what_cannot_be_judged(void **state)
{
    (void)state;
    static const char *const words[] = {"only turns of one stone", "only turns of one stone", "too large to be solved"};
    ExperimentOptions args = args_at(1, 1);
    for (unsigned i = 0; i < 3; i++) {
        PaperFigures figures = {0};
        Error error = {0};
        assert_refused(paper_measure_run(&paper_measure_turns, &unjudged_trials[i], &args, &figures, &error), error,
                       words[i]);
        assert_int_equal(figures.count, 0);
    }
}

// --- Pictures ---

static unsigned occurrences(const char *text, const char *words)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

// Points of the n-th line of a picture.
static unsigned points_of(const char *text, unsigned line)
{
    const char *at = text;
    for (unsigned i = 0; i <= line; i++) {
        at = strstr(at, "<polyline");
        assert_non_null(at);
        at++;
    }
    unsigned count = 0;
    for (at = strstr(at, "points=\""); *at != '/'; at++)
        count += *at == ',';
    return count;
}

static void test_a_picture(void **state)
{
    (void)state;
    char folder[] = "/tmp/krow-turns-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/ours-drawn.svg", folder);
    ExperimentOptions args = args_at(1, 2);
    args.svg = folder;
    Reproduction done;
    Error error = {0};
    Text text = {0};
    const PaperFigures *figures = run("drawn", &args, &done);
    // A turn is drawn that a twentieth of the games reached: one of sixteen is enough, and of twenty times as many
    // games as there are it takes all.
    figures->series[0].games = 2 * GAMES;
    figures->series[0].points[2].n = 1;
    figures->series[1].games = 20 * figures->series[1].points[0].n;
    unsigned drawn = 0;
    for (unsigned i = 0; i < figures->series[1].count; i++)
        drawn += figures->series[1].points[i].n == GAMES;
    assert_done(paper_write_svg(&ours, table_of("drawn"), figures, &args, &error), error);
    assert_done(file_read(path, 1 << 20, &text, &error), error);
    assert_int_equal(occurrences(text.data, "class=\"panel\""), 2);
    assert_int_equal(occurrences(text.data, "<polyline"), 3);
    assert_int_equal(occurrences(text.data, ">without<"), 1); // the key has the lines of the first panel
    assert_int_equal(occurrences(text.data, ">turn of the game<"), 1);
    assert_int_equal(points_of(text.data, 0), figures->series[0].count);
    assert_int_equal(points_of(text.data, 1), drawn);
    text_close(&text);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    reproduce_close(&done);
}

// --- What goes wrong ---

static void test_who_is_asked_must_exist(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, 2);
    Reproduction done;
    Error error = {0};
    assert_refused(reproduce_run(&ours, table_of("missing"), &args, &done, &error), error,
                   "table missing: there is no agent 'missing'");
    reproduce_close(&done);
    PaperFigures figures = {0};
    assert_refused(paper_measure_run(&paper_measure_turns, &missing_trials[0], &args, &figures, &error), error,
                   "no agent 'missing'");
    assert_int_equal(figures.count, 0);
}

// An interrupted game and the games after it do not count.
static void check_interrupted(const char *table)
{
    ExperimentOptions args = args_at(1, 1);
    Reproduction done;
    Error error = {0};
    assert_int_equal(reproduce_run(&ours, table_of(table), &args, &done, &error), STATUS_INTERRUPTED);
    assert_true(interrupt_take());
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_true(figures->list[i].n == 0 && figures->list[i].wanted == GAMES && isnan(figures->list[i].measured));
    assert_int_equal(figures->series[0].count, 0);
    reproduce_close(&done);
    (void)signal(SIGINT, SIG_DFL);
}

static void test_interrupted(void **state)
{
    (void)state;
    check_interrupted("stopped");
    check_interrupted("midway");
}

static void test_judged_games_interrupted(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, 1);
    Reproduction done;
    Error error = {0};
    assert_int_equal(reproduce_run(&ours, table_of("judged-stopped"), &args, &done, &error), STATUS_INTERRUPTED);
    assert_true(interrupt_take());
    const PaperFigures *figures = &done.tables[0].figures;
    assert_int_equal(figures->count, 10);
    for (unsigned i = 0; i < figures->count; i++)
        assert_true(figures->list[i].n == 0 && isnan(figures->list[i].measured) && isnan(figures->list[i].limits.low));
    reproduce_close(&done);
    (void)signal(SIGINT, SIG_DFL);
}

TEST_GROUP(paper_turns)
{
    extra_agent_add(&stopping);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_of_turns),
        cmocka_unit_test(test_scales_and_seeds),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_what_is_not_drawn_has_no_series),
        cmocka_unit_test(test_a_picture),
        cmocka_unit_test(test_who_is_asked_must_exist),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_what_is_kept),
        cmocka_unit_test(test_where_nothing_is_at_stake),
        cmocka_unit_test(test_what_cannot_be_judged),
        cmocka_unit_test(test_judged_games_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
