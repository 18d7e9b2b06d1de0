// Tests of learning runs: stored patterns, the curve, and runs that are interrupted and resumed.
#include "support/check.h"
#include "support/extra_agent.h"

#include "base/clock.h"
#include "cli/interrupt.h"
#include "lab/learn/learn.h"
#include "papers/experiment/reproduce.h"
#include "store/db/database.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAME "5x5:k=4"

// --- An agent that learns ---

// An agent that plays and learns at random.
typedef struct {
    const AgentPatterns *patterns;
    char set[OPTION_TEXT_SIZE];
    Rules rules;
    bool learns;
    unsigned meets; // which run it is of two that wait for one another; 0: neither
    unsigned known; // when it was opened
} Learner;

// Runs 1 and 2 wait for one another in their turns; where one follows the other, no partner comes and it continues
// alone.
static atomic_bool has_come[3], was_alone;

static void assert_scores_equal(const LearningScore *one, const LearningScore *other)
{
    assert_true(one->value == other->value || (isnan(one->value) && isnan(other->value)));
    assert_true(one->limits.low == other->limits.low || (isnan(one->limits.low) && isnan(other->limits.low)));
    assert_true(one->limits.high == other->limits.high || (isnan(one->limits.high) && isnan(other->limits.high)));
}

// Field by field: there are padding bytes that are never set.
static void assert_points_equal(const LearningPoint *one, const LearningPoint *other)
{
    assert_memory_equal(&one->games, &other->games, sizeof one->games);
    assert_scores_equal(&one->score, &other->score);
    assert_scores_equal(&one->recent, &other->recent);
    assert_int_equal(one->learned, other->learned);
    assert_int_equal(one->refuted, other->refuted);
    assert_int_equal(one->undecided, other->undecided);
    assert_int_equal(one->unsaved, other->unsaved);
}

static void meet(unsigned run)
{
    atomic_store(&has_come[run], true);
    for (unsigned i = 0; i < 10000 && !atomic_load(&has_come[3 - run]) && !atomic_load(&was_alone); i++)
        clock_sleep(0.001);
    if (!atomic_load(&has_come[3 - run]))
        atomic_store(&was_alone, true);
}

// Stops the run in the n-th turn from now, in the middle of its game, as Ctrl-C would; 0: never.
static unsigned stop_in;

static bool count_one(void *context, int64_t number, const Pattern *pattern)
{
    (void)number;
    (void)pattern;
    ++*(unsigned *)context;
    return true;
}

static Status open_learner(void *state, const AgentConfig *config, Error *error)
{
    Learner *learner = state;
    learner->patterns = config->host.patterns;
    learner->rules = config->rules;
    learner->learns = options_bool(&config->options, "learn");
    learner->meets = (unsigned)options_int(&config->options, "meets");
    (void)snprintf(learner->set, sizeof learner->set, "%s", options_text(&config->options, "set"));
    AgentPatternRange all = {learner->set, &learner->rules, 0};
    return learner->patterns != NULL
               ? learner->patterns->each(learner->patterns->context, &all, count_one, &learner->known, error)
               : STATUS_OK;
}

enum { PATTERNS = 90 };

// Two own stones with an empty cell between them and some that do not matter: none of them is a part of another, but
// some are others mirrored.
static Pattern some_pattern(unsigned number)
{
    char text[PATTERN_TEXT_SIZE];
    Pattern pattern;
    unsigned width = 3 + number % 18, at = 1 + number / 18;
    for (unsigned i = 0; i < width; i++)
        text[i] = i == 0 || i + 1 == width ? 'x' : i == at || width < at + 2 ? '.' : '-';
    text[width] = '\0';
    assert_int_equal(pattern_parse(span_of(text), 1, &pattern, NULL), STATUS_OK);
    return pattern;
}

static void decide_learner(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Learner *learner = state;
    Cell cells[RULES_CELLS_MAX];
    unsigned legal = board_legal_cells(&game->board, cells);
    decision->count = 1;
    decision->stones[0] = cells[rng_below(task->rng, legal)];
    bool kept = false;
    if (learner->meets > 0)
        meet(learner->meets);
    Pattern pattern = some_pattern(rng_below(task->rng, PATTERNS));
    if (learner->learns)
        assert_int_equal(learner->patterns->learn(learner->patterns->context,
                                                  &(AgentLearned){learner->set, &learner->rules, &pattern}, &kept,
                                                  NULL),
                         STATUS_OK);
    decision->counts = 2;
    decision->count_list[0] = (DecisionCount){"learned", kept};
    decision->count_list[1] = (DecisionCount){"refuted", 1};
    if (stop_in > 0 && --stop_in == 0) {
        assert_int_equal(raise(SIGINT), 0);
        while (!atomic_load(task->stop))
            clock_sleep(0.001);
    }
}

static const AgentOption learner_options[] = {
    {.name = "learn", .type = OPTION_BOOL, .fallback = "0", .help = ""},
    {.name = "meets", .type = OPTION_INT, .fallback = "0", .min = 0, .max = 2, .help = ""},
    {.name = "set", .type = OPTION_TEXT, .fallback = "default", .help = ""},
    {0},
};

static const AgentKind learner = {
    .name = "learner",
    .summary = "",
    .source = "",
    .options = learner_options,
    .state_size = sizeof(Learner),
    .open = open_learner,
    .decide = decide_learner,
};

// --- A database ---

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/krow-learning-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    (void)snprintf(path, sizeof path, "%s/krow.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT: the name is ours
}

static bool count_match(void *context, const DatabaseMatch *match)
{
    unsigned *counts = context;
    counts[0]++;
    counts[1] += (unsigned)match->games;
    return true;
}

static void check_kept(unsigned matches, unsigned games)
{
    Database *db = NULL;
    Error error = {0};
    unsigned counts[2] = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_match(db, count_match, counts, &error), error);
    database_close(db);
    assert_int_equal(counts[0], matches);
    assert_int_equal(counts[1], games);
}

// --- Runs ---

// Where a run is stored.
typedef struct {
    const char *db;
    bool resumes;
    const AgentPatterns *patterns; // NULL: in memory
} Where;

static void open_run(Learning *learning, const Where *how, unsigned games, bool has_own_set)
{
    Text text = {0};
    Error error = {0};
    LearningStyle style = {.has_own_set = has_own_set};
    *learning = (Learning){0};
    tournament_init(&learning->run.event);
    learning->run.event.games = games;
    learning->run.event.has_rules = true;
    learning->run.event.rules = rules_of(GAME);
    learning_agent("learner", "some", &text);
    assert_string_equal(text.data, "learner:learn=1,set=some");
    assert_done(tournament_add_agent(&learning->run.event, span_of(text.data), &error), error);
    assert_done(tournament_add_agent(&learning->run.event, span_of("random"), &error), error);
    text_close(&text);
    MatchRunStore store = {.path = how->db, .repeat = how->resumes ? MATCH_RESUME : MATCH_REPEAT};
    learning->run.event.seed = 5;
    learning->run.jobs = 3;
    learning->run.host.patterns = how->patterns;
    learning->run.stop = interrupt_flag();
    interrupt_catch();
    assert_done(learning_open(learning, &store, &style, &error), error);
}

// What the curve says is what the results and the patterns say.
static void check_run(const Learning *learning, unsigned games)
{
    const LearningCurve *curve = &learning->curve;
    LearningPoint end = learning_curve_end(curve);
    assert_int_equal(curve->count, games);
    assert_memory_equal(&end.games, &learning->run.results.pairs[0].games, sizeof end.games);
    assert_int_equal(learning_curve_patterns(curve, games), learning->known);
    assert_true(learning->versions >= learning->known);
    // A refuted one a turn: the turns of the learner, on either side.
    assert_int_equal(end.refuted, learning->run.results.agents[0].turns);
    for (unsigned i = 0; i < games; i++)
        assert_int_equal(curve->half_points[i], learning->run.results.half_points[i]);
}

static void run_without_a_database(void **state)
{
    (void)state;
    Where where = {.db = "none", .resumes = false};
    Learning *learning = calloc(1, sizeof *learning);
    Error error = {0};
    open_run(learning, &where, 31, false);
    assert_string_equal(learning_set(learning), "some");
    assert_int_equal(learning->run.jobs, 1); // three were asked for
    assert_done(learning_run(learning, &error), error);
    check_run(learning, 31);
    assert_int_equal(learning->curve.before, 0);
    assert_true(learning->known > 5);
    // What was learned in one game is there in the next: nothing is learned twice.
    assert_int_equal(learning_curve_end(&learning->curve).learned, learning->known);
    learning_close(learning);
    free(learning);
}

static void a_run_that_is_stopped_goes_on_with_the_next_game(void **state)
{
    (void)state;
    Error error = {0};
    PatternMemory memory;
    pattern_memory_open(&memory);
    Where where = {.db = path, .resumes = true};
    where.patterns = &memory.lent;
    Learning *learning = calloc(1, sizeof *learning);
    open_run(learning, &where, 30, false);
    stop_in = 60;
    assert_int_equal(learning_run(learning, &error), STATUS_INTERRUPTED);
    assert_true(interrupt_take());
    unsigned played = learning->curve.count;
    assert_true(played > 2 && played < 30);
    LearningPoint before = learning_curve_end(&learning->curve);
    // Something was learned in the game that was cut off.
    uint64_t lost = memory.count - before.learned;
    assert_true(lost > 0);
    learning_close(learning);

    open_run(learning, &where, 30, false);
    assert_int_equal(learning->curve.count, played);
    assert_done(learning_run(learning, &error), error);
    check_run(learning, 30);
    assert_points_equal(&learning->curve.points[played - 1], &before);
    // It is known, though no game records it.
    assert_int_equal(learning->curve.before, lost);
    assert_int_equal(learning->known, memory.count);
    learning_close(learning);
    check_kept(1, 30);

    // Asked for once more it is only reported again.
    open_run(learning, &where, 30, false);
    assert_int_equal(learning->curve.count, 30);
    assert_done(learning_run(learning, &error), error);
    check_run(learning, 30);
    learning_close(learning);
    check_kept(1, 30);
    free(learning);
    pattern_memory_close(&memory);
}

static void a_set_of_its_own_has_the_number_of_the_match(void **state)
{
    (void)state;
    char set[2][64];
    Where where = {.db = path, .resumes = false};
    Learning *learning = calloc(1, sizeof *learning);
    for (unsigned i = 0; i < 2; i++) {
        open_run(learning, &where, 4, true);
        (void)snprintf(set[i], sizeof set[i], "%s", learning_set(learning));
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted, "some-%lld", (long long)learning->run.match);
        assert_string_equal(set[i], wanted);
        learning_close(learning);
    }
    assert_string_not_equal(set[0], set[1]);
    // The match is found again by what it was before it had a number.
    where.resumes = true;
    open_run(learning, &where, 4, true);
    assert_string_equal(learning_set(learning), set[1]);
    learning_close(learning);
    free(learning);
}

// --- Patterns in memory ---

static Pattern pattern_of(const char *text)
{
    Pattern pattern;
    Error error = {0};
    assert_done(pattern_parse(span_of(text), 1, &pattern, &error), error);
    return pattern;
}

static bool learn_text(PatternMemory *memory, const char *text)
{
    Rules rules = rules_of("gomoku");
    Pattern pattern = pattern_of(text);
    bool kept = false;
    Error error = {0};
    assert_done(memory->lent.learn(memory, &(AgentLearned){"a", &rules, &pattern}, &kept, &error), error);
    return kept;
}

static void a_pattern_is_kept_unless_a_part_of_it_is_known(void **state)
{
    (void)state;
    PatternMemory memory;
    Rules rules = rules_of("gomoku");
    Error error = {0};
    pattern_memory_open(&memory);
    assert_true(learn_text(&memory, ".xxxx."));
    assert_false(learn_text(&memory, ".xxxx."));
    assert_false(learn_text(&memory, "./x/x/x/x/."));
    assert_false(learn_text(&memory, ".xxxx.-x"));
    assert_true(learn_text(&memory, "xxx/x--/.--"));
    assert_false(learn_text(&memory, "--./--x/xxx"));
    assert_true(learn_text(&memory, ".xx"));
    unsigned count = 0;
    assert_done(memory.lent.each(&memory, &(AgentPatternRange){"b", &rules, 0}, count_one, &count, &error), error);
    assert_int_equal(count, 3);
    count = 0;
    assert_done(memory.lent.each(&memory, &(AgentPatternRange){"b", &rules, 2}, count_one, &count, &error), error);
    assert_int_equal(count, 1);
    pattern_memory_close(&memory);
}

// --- As part of a paper ---

#define CURVE(name, learner_text, into)                                                                                \
    {                                                                                                                  \
        .label = (name), .unit = "score", .published = 0.5, .source = "1", .measure = &paper_measure_learning,         \
        .game = GAME, .agents = {(learner_text), "random"}, .games = 20, .start = PAPER_EMPTY_BOARD,                   \
        .further = learning_units, .set = (into)                                                                       \
    }

static const PaperUnit learning_units[] = {
    {"wins", NAN}, {"recent", NAN}, {"patterns", 7}, {"versions", NAN}, {"refuted", NAN}, {"ms", NAN}, {0},
};

static const PaperTrial curve_trials[] = {
    CURVE("one", "learner", "one"),
    {.label = "between",
     .unit = "score",
     .published = NAN,
     .measure = &paper_measure_games,
     .game = GAME,
     .agents = {"random", "adjacent"},
     .games = 10,
     .start = PAPER_EMPTY_BOARD},
    CURVE("two", "learner:learn=1", "two"),
    CURVE("three", "learner", "three"),
    {0},
};

static const PaperTable paper_tables[] = {{"curves", "learning", curve_trials}, {0}};
static const Paper paper = {.name = "ours", .title = "", .tables = paper_tables};

// The option is there already: whether an agent learns is set once.
static void an_agent_with_the_same_option_is_refused(void **state)
{
    (void)state;
    ExperimentOptions args = {.seed = 1, .stop = interrupt_flag(), .scale = 1, .db = "none"};
    Reproduction done;
    Error error = {0};
    assert_refused(reproduce_run(&paper, NULL, &args, &done, &error), error, "'learn' is given twice");
    reproduce_close(&done);
}

static const PaperTrial good_trials[] = {
    CURVE("one", "learner", "one"),
    {.label = "between",
     .unit = "score",
     .published = NAN,
     .measure = &paper_measure_games,
     .game = GAME,
     .agents = {"random", "adjacent"},
     .games = 10,
     .start = PAPER_EMPTY_BOARD},
    CURVE("two", "learner", "two"),
    CURVE("three", "learner", "three"),
    {0},
};
static const PaperTable good_tables[] = {{"curves", "learning", good_trials}, {0}};
static const Paper good_paper = {.name = "ours", .title = "", .tables = good_tables};

static void curves_of_a_paper_are_the_same_with_more_jobs(void **state)
{
    (void)state;
    Reproduction done[2];
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        ExperimentOptions args = {
            .seed = 1, .stop = interrupt_flag(), .scale = 0.5, .db = "none", .jobs = 2 * jobs - 1};
        Error error = {0};
        assert_done(reproduce_run(&good_paper, NULL, &args, &done[jobs - 1], &error), error);
    }
    const PaperFigures *one = &done[0].tables[0].figures, *other = &done[1].tables[0].figures;
    assert_true(done[0].count == 1 && one->count == 22 && one->curve_count == 3 && other->count == one->count);
    for (unsigned i = 0; i < one->count; i++) {
        assert_string_equal(one->list[i].label, other->list[i].label);
        assert_string_equal(one->list[i].unit, other->list[i].unit);
        assert_int_equal(one->list[i].n, i == 7 ? 6 : 10); // two pairs and a half
        if (strcmp(one->list[i].unit, "ms") != 0)
            assert_true(one->list[i].measured == other->list[i].measured);
    }
    assert_string_equal(one->list[7].label, "between");
    assert_string_equal(one->list[8].label, "two");
    for (unsigned i = 0; i < 3; i++) {
        const LearningCurve *curve = &one->curves[i].curve;
        LearningPoint end = learning_curve_end(curve);
        for (unsigned j = 0; j < 10; j++)
            assert_points_equal(&curve->points[j], &other->curves[i].curve.points[j]);
        const PaperFigure *rows = &one->list[i == 0 ? 0 : 1 + 7 * i];
        assert_true(rows[0].measured == end.score.value && rows[0].limits.low == end.score.limits.low);
        assert_true(rows[1].measured == end.games.wins / 10.0);
        assert_true(rows[2].measured == end.recent.value && rows[3].measured == (double)end.learned);
        assert_true(rows[3].published == 7 && isnan(rows[3].limits.low) && rows[5].measured == (double)end.refuted);
    }
    reproduce_close(&done[0]);
    reproduce_close(&done[1]);
}

static const PaperTrial meeting_trials[] = {
    CURVE("one", "learner:meets=1", "one"),
    CURVE("two", "learner:meets=2", "two"),
    {0},
};
static const PaperTable meeting_tables[] = {{"meeting", "", meeting_trials}, {0}};
static const Paper meeting_paper = {.name = "ours", .title = "", .tables = meeting_tables};

static void curves_grow_at_the_same_time(void **state)
{
    (void)state;
    ExperimentOptions args = {.seed = 1, .stop = interrupt_flag(), .scale = 1e-9, .db = "none", .jobs = 2};
    Reproduction done;
    Error error = {0};
    assert_done(reproduce_run(&meeting_paper, NULL, &args, &done, &error), error);
    assert_false(atomic_load(&was_alone));
    reproduce_close(&done);
}

TEST_GROUP(learning)
{
    extra_agent_add(&learner);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_without_a_database),
        cmocka_unit_test_setup_teardown(a_run_that_is_stopped_goes_on_with_the_next_game, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_set_of_its_own_has_the_number_of_the_match, make_folder, remove_folder),
        cmocka_unit_test(a_pattern_is_kept_unless_a_part_of_it_is_known),
        cmocka_unit_test(an_agent_with_the_same_option_is_refused),
        cmocka_unit_test(curves_of_a_paper_are_the_same_with_more_jobs),
        cmocka_unit_test(curves_grow_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
