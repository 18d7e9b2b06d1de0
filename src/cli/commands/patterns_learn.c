// krow patterns learn: an agent learns patterns by playing another one; reports the curve of its score.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "cli/output/report_text.h"
#include "lab/learn/learn.h"
#include "lab/report.h"
#include "store/files/patternfile.h"
#include "view/json_view.h"

#include <math.h>

// Section 5.1 of the paper: "each player has got at most five seconds to act in each turn. Time limit for the whole
// match was set to two minutes." 200 games as in its figures 5 and 6.
enum { GAMES = 200, TURN_SECONDS = 5, GAME_SECONDS = 120, TABLE_ROWS = 10 };

typedef struct {
    CommandLine line;
    LabOptions lab;
    const char *agent, *set;
    const char *against, *svg; // NULL: not given
} LearnArgs;

// The set becomes an option of the agent, so an invalid name could add options. An unwritable --svg file would
// otherwise be noticed only after hours of games.
static Status check_args(const LearnArgs *args, Error *error)
{
    Span rest = span_of(args->agent), name = {0};
    if (args->against == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--against AGENT is needed: the opponent to learn from");
    (void)span_next_part(&rest, ':', &name);
    if (!span_is(name, "patterns"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--agent: '%.*s' does not learn; use patterns with options, such as patterns:prove=none",
                         SPAN_PRINT(name));
    Status status = pattern_set_check_name(span_of(args->set), error);
    if (status == STATUS_OK && args->svg != NULL)
        status = file_check_writable(args->svg, error);
    return status;
}

static Status add_agents(const LearnArgs *args, Tournament *event, Error *error)
{
    Text learner = {0};
    learning_agent(args->agent, args->set, &learner);
    Status status = tournament_add_agent(event, (Span){learner.data, learner.length}, error);
    if (status == STATUS_OK)
        status = tournament_add_agent(event, span_of(args->against), error);
    text_close(&learner);
    return status;
}

static Status fill_event(const LearnArgs *args, Tournament *event, Error *error)
{
    tournament_init(event);
    event->games = GAMES;
    event->has_rules = true;
    event->limits = (DuelLimits){.turn_seconds = TURN_SECONDS, .clock_seconds = GAME_SECONDS};
    Status status = rules_parse(span_of("gomoku"), &event->rules, error);
    return status == STATUS_OK ? add_agents(args, event, error) : status;
}

// --- Report ---

static double turn_ms(const AgentCounts *counts)
{
    return counts->turns > 0 ? 1000 * counts->seconds / (double)counts->turns : NAN;
}

static json_t *result_json(const Learning *learning)
{
    const MatchRun *run = &learning->run;
    const LearningCurve *curve = &learning->curve;
    LearningPoint end = learning_curve_end(curve);
    json_t *json =
        json_pack("{s:o, s:s, s:s, s:s, s:I, s:i, s:i, s:i, s:i, s:i}", "game", view_rules(&run->event.rules), "agent",
                  run->event.agents[0], "against", run->event.agents[1], "set", learning_set(learning), "seed",
                  (json_int_t)run->event.seed, "wanted", (int)curve->capacity, "games", (int)curve->count, "wins",
                  (int)end.games.wins, "draws", (int)end.games.draws, "losses", (int)end.games.losses);
    json_t *figures = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "score", report_number(end.score.value),
        "low", report_number(end.score.limits.low), "high", report_number(end.score.limits.high), "recent",
        report_number(end.recent.value), "recent_low", report_number(end.recent.limits.low), "recent_high",
        report_number(end.recent.limits.high), "patterns_before", (json_int_t)curve->before, "patterns",
        (json_int_t)learning->known, "versions", (json_int_t)learning->versions, "learned", (json_int_t)end.learned,
        "refuted", (json_int_t)end.refuted, "undecided", (json_int_t)end.undecided, "unsaved", (json_int_t)end.unsaved);
    json_t *rest = json_pack("{s:[o, o], s:[o, o], s:o}", "faults", report_faults_json(run->results.agents[0].faults),
                             report_faults_json(run->results.agents[1].faults), "ms_per_turn",
                             report_number(turn_ms(&run->results.agents[0])),
                             report_number(turn_ms(&run->results.agents[1])), "curve", learning_curve_json(curve));
    (void)json_object_update_new(json, figures);
    (void)json_object_update_new(json, rest);
    return json;
}

static void print_row(const LearningCurve *curve, unsigned game)
{
    const LearningPoint *point = &curve->points[game - 1];
    (void)printf("%6u %7.1f %% %7.1f %% %7.1f %% %7.1f %% %9llu %8llu %10llu\n", game, 100 * point->score.value,
                 100 * point->score.limits.low, 100 * point->score.limits.high, 100 * point->recent.value,
                 (unsigned long long)learning_curve_patterns(curve, game), (unsigned long long)point->refuted,
                 (unsigned long long)point->undecided);
}

static void print_table(const LearningCurve *curve)
{
    (void)printf("\n%6s %9s %9s %9s %9s %9s %8s %10s\n", "game", "score", "95 % from", "to", "last 100", "patterns",
                 "refuted", "undecided");
    unsigned step = (curve->capacity + TABLE_ROWS - 1) / TABLE_ROWS;
    for (unsigned game = step; game < curve->count; game += step)
        print_row(curve, game);
    print_row(curve, curve->count);
}

static void print_result(const Learning *learning)
{
    const MatchRun *run = &learning->run;
    const LearningCurve *curve = &learning->curve;
    LearningPoint end = learning_curve_end(curve);
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    (void)printf("%s against %s, %s, %u game%s\n", run->names[0], run->names[1], game, curve->count,
                 view_plural(curve->count));
    (void)printf("wins %u, draws %u, losses %u\n", end.games.wins, end.games.draws, end.games.losses);
    (void)printf("%llu pattern%s, %llu with turned and mirrored versions\n", (unsigned long long)learning->known,
                 view_plural(learning->known), (unsigned long long)learning->versions);
    (void)printf("in these games: %llu learned, %llu refuted, %llu undecided\n", (unsigned long long)end.learned,
                 (unsigned long long)end.refuted, (unsigned long long)end.undecided);
    if (end.unsaved > 0)
        (void)printf("%llu could not be saved\n", (unsigned long long)end.unsaved);
    for (unsigned i = 0; i < 2; i++)
        (void)report_faults_print(run->names[i], &run->results.agents[i].faults);
    if (curve->count > 0)
        print_table(curve);
}

static Status write_plot(const Learning *learning, const char *path, Error *error)
{
    const MatchRun *run = &learning->run;
    LearningPlotLine line = {run->names[0], &learning->curve};
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    Text title = {0}, subtitle = {0};
    text_add(&title, "Learning against %s", run->names[1]);
    text_add(&subtitle, "%s, %u of %u games, seed %llu, krow " KROW_VERSION, game, learning->curve.count,
             learning->curve.capacity, (unsigned long long)run->event.seed);
    LearningPlot plot = {.title = title.data, .subtitle = subtitle.data, .lines = &line, .count = 1, .published = NAN};
    plot.published_versions = NAN;
    plot.games = learning->curve.capacity;
    Status status = learning_write_svg(&plot, path, error);
    text_close(&title);
    text_close(&subtitle);
    return status;
}

static Status report(const Learning *learning, const LearnArgs *args, Error *error)
{
    Status status = args->svg != NULL ? write_plot(learning, args->svg, error) : STATUS_OK;
    if (args->line.json)
        return output_json(result_json(learning), status == STATUS_OK ? error : NULL) == STATUS_OK ? status : STATUS_IO;
    print_result(learning);
    return status;
}

// --- The command ---

// Patterns that could not be written are lost, so the run has failed although its games are stored.
static Status check_saved(const Learning *learning, Error *error)
{
    uint64_t unsaved = learning_curve_end(&learning->curve).unsaved;
    if (unsaved == 0)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "%llu pattern%s could not be saved in the set '%s'",
                     (unsigned long long)unsaved, view_plural(unsaved), learning_set(learning));
}

static Status play(Learning *learning, const LearnArgs *args, Error *error)
{
    static const LearningStyle style = {.is_alone = true, .keeps_the_log = true};
    MatchRunStore store = {.path = args->line.db, .repeat = args->lab.resumes ? MATCH_RESUME : MATCH_REPEAT};
    learning->run.stop = interrupt_catch();
    Status status = fill_event(args, &learning->run.event, error);
    if (status == STATUS_OK)
        status = lab_apply(&learning->run, &args->line, &args->lab, error);
    if (status == STATUS_OK)
        status = learning_open(learning, &store, &style, error);
    if (status == STATUS_OK && args->lab.resumes && !learning->run.is_found && !args->line.quiet)
        status = learning_report_new(learning, error);
    if (status == STATUS_OK)
        status = learning_run(learning, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    Status reported = report(learning, args, error);
    if (reported == STATUS_OK && status == STATUS_OK)
        return check_saved(learning, error);
    if (reported != STATUS_OK)
        return reported;
    if (learning->run.db == NULL)
        return error_set(error, STATUS_FAILED, "interrupted; nothing is stored");
    return error_set(error, STATUS_FAILED, "interrupted; finished games%s are stored; --resume continues",
                     learning_curve_end(&learning->curve).unsaved > 0 ? "" : " and learned patterns");
}

static Status run(const void *options, Error *error)
{
    const LearnArgs *args = options;
    Status status = check_args(args, error);
    if (status != STATUS_OK)
        return status;
    Learning learning = {0};
    status = play(&learning, args, error);
    learning_close(&learning);
    return status;
}

static const CliOption learn_options[] = {
    CLI_OPTION(LearnArgs, against, "against", CLI_TEXT, "AGENT", "Opponent, such as constant or exec:COMMAND"),
    CLI_OPTION(LearnArgs, lab.games, "games", CLI_WHOLE, "N", "Number of games (default 200)", .min = 1,
               .max = 1000000),
    CLI_OPTION(LearnArgs, lab.game, "game", CLI_TEXT, "GAME", "Game to play (default gomoku)"),
    CLI_OPTION(LearnArgs, set, "set", CLI_TEXT, "NAME", "Set of patterns to learn into", .fallback = PATTERNFILE_SET),
    CLI_OPTION(LearnArgs, agent, "agent", CLI_TEXT, "AGENT", "Agent that learns, such as patterns:prove=none",
               .fallback = "patterns"),
    CLI_OPTION(LearnArgs, svg, "svg", CLI_TEXT, "FILE", "Draw the curves into FILE"),
    CLI_OPTION(LearnArgs, lab.budget.seconds, "time", CLI_SECONDS, "SECONDS", "Time limit per turn"),
    CLI_OPTION(LearnArgs, lab.clock, "clock", CLI_TEXT, "SECONDS+INCREMENT", "Time of a side for a whole game"),
    CLI_OPTION(LearnArgs, lab.budget.nodes, "nodes", CLI_WHOLE, "N", "Search at most N positions per turn", .min = 1,
               .max = INT64_MAX),
    CLI_OPTION(LearnArgs, lab.turns, "turns", CLI_WHOLE, "N", "Call the game a draw after N turns, counting both sides",
               .min = 1, .max = RULES_CELLS_MAX),
    CLI_OPTION(LearnArgs, lab.seed, "seed", CLI_WHOLE, "N", "Random seed (default 1)", .max = INT64_MAX,
               .given = offsetof(LearnArgs, lab.has_seed)),
    CLI_OPTION(LearnArgs, lab.resumes, "resume", CLI_FLAG, NULL,
               "Continue the same run of the same number of games if it was started before"),
    OPTION_DB,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(LearnArgs),
};

const Command command_patterns_learn = {
    .name = "learn",
    .summary = "Learn patterns by playing, with a curve of score and patterns",
    .about = "Plays a sequence of games; each uses the patterns learned before it. The sides alternate in playing "
             "first. By default a turn has 5 seconds (--time) and a side 120 seconds per game (--clock). A pattern is "
             "stored as soon as it is learned, a game when it is finished; after a kill, the unfinished game is "
             "replayed with the patterns already learned in it.\n\nExamples:\n  krow patterns learn "
             "--against constant\n  krow patterns learn --against incremental --set mine --svg curve.svg\n  krow "
             "patterns learn --against exec:./engine --agent patterns:prove=none",
    .options = learn_options,
    .run = run,
};
