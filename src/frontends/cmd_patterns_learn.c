// krow patterns learn: an agent learns patterns by playing against another, with a curve of how it gets on.
#include "base/file.h"
#include "frontends/commands.h"
#include "frontends/learning.h"
#include "frontends/output.h"
#include "frontends/report.h"
#include "store/patternfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Section 5.1 of the paper: "each player has got at most five seconds to act in each turn. Time limit for the whole
// match was set to two minutes." 200 games as in its figures 5 and 6.
enum { GAMES = 200, TURN_SECONDS = 5, GAME_SECONDS = 120, TABLE_ROWS = 10 };

static const char *agent_of(const Args *args)
{
    return args->agent != NULL ? args->agent : "patterns";
}

static const char *set_of(const Args *args)
{
    return args->set != NULL ? args->set : PATTERNFILE_SET;
}

// The set becomes an option of the agent: what is no name of a set could be further options. A picture that cannot be
// written would be found out after hours of games.
static Status check_args(const Args *args, Error *error)
{
    Span rest = span_of(agent_of(args)), name = {0};
    if (args->against == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--against AGENT: whom to learn from");
    (void)span_next_part(&rest, ':', &name);
    if (!span_is(name, "patterns"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--agent: '%.*s' does not learn; it must be patterns, or patterns:prove=none and the like",
                         SPAN_PRINT(name));
    Status status = pattern_set_check_name(span_of(set_of(args)), error);
    if (status == STATUS_OK && args->svg != NULL)
        status = file_check_writable(args->svg, error);
    return status;
}

static Status add_agents(const Args *args, Event *event, Error *error)
{
    Text learner = {0};
    learning_agent(agent_of(args), set_of(args), &learner);
    Status status = learner.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the name of an agent")
                                   : event_add_agent(event, (Span){learner.data, learner.length}, error);
    if (status == STATUS_OK)
        status = event_add_agent(event, span_of(args->against), error);
    text_close(&learner);
    return status;
}

static Status fill_event(const Args *args, Event *event, Error *error)
{
    event_init(event);
    event->games = GAMES;
    event->has_rules = true;
    event->limits = (DuelLimits){.turn_seconds = TURN_SECONDS, .clock_seconds = GAME_SECONDS};
    Status status = rules_parse(span_of("gomoku"), &event->rules, error);
    return status == STATUS_OK ? add_agents(args, event, error) : status;
}

// --- What came out ---

static json_t *faults_json(const FaultCounts *faults)
{
    return json_pack("{s:i, s:i, s:i}", "illegal", (int)faults->illegal, "timeout", (int)faults->timeout, "crash",
                     (int)faults->crash);
}

static double turn_ms(const AgentCounts *counts)
{
    return counts->turns > 0 ? 1000 * counts->seconds / (double)counts->turns : NAN;
}

static json_t *result_json(const Learning *learning)
{
    const Lab *lab = &learning->lab;
    const LearningCurve *curve = &learning->curve;
    LearningPoint end = learning_curve_end(curve);
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:i, s:i, s:i}", "game", game, "agent", lab->event.agents[0],
                  "against", lab->event.agents[1], "set", learning_set(learning), "seed", (json_int_t)lab->event.seed,
                  "wanted", (int)curve->capacity, "games", (int)curve->count, "wins", (int)end.games.wins, "draws",
                  (int)end.games.draws, "losses", (int)end.games.losses);
    json_t *figures = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "score", report_number(end.score.value),
        "low", report_number(end.score.limits.low), "high", report_number(end.score.limits.high), "recent",
        report_number(end.recent.value), "recent_low", report_number(end.recent.limits.low), "recent_high",
        report_number(end.recent.limits.high), "patterns_before", (json_int_t)curve->before, "patterns",
        (json_int_t)learning->known, "versions", (json_int_t)learning->versions, "learned", (json_int_t)end.learned,
        "refuted", (json_int_t)end.refuted, "undecided", (json_int_t)end.undecided, "unsaved", (json_int_t)end.unsaved);
    json_t *rest = json_pack("{s:[o, o], s:[o, o], s:o}", "faults", faults_json(&lab->results.agents[0].faults),
                             faults_json(&lab->results.agents[1].faults), "ms_per_turn",
                             report_number(turn_ms(&lab->results.agents[0])),
                             report_number(turn_ms(&lab->results.agents[1])), "curve", learning_curve_json(curve));
    (void)json_object_update(json, figures);
    (void)json_object_update(json, rest);
    json_decref(figures);
    json_decref(rest);
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

static void print_faults(const Lab *lab)
{
    for (unsigned i = 0; i < 2; i++) {
        const AgentCounts *counts = &lab->results.agents[i];
        if (counts->faults.illegal + counts->faults.timeout + counts->faults.crash > 0)
            (void)printf("faults of %s: %u illegal, %u on time, %u crashes\n", lab->names[i], counts->faults.illegal,
                         counts->faults.timeout, counts->faults.crash);
    }
}

static void print_result(const Learning *learning)
{
    const Lab *lab = &learning->lab;
    const LearningCurve *curve = &learning->curve;
    LearningPoint end = learning_curve_end(curve);
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    (void)printf("%s against %s, %s, %u game%s\n", lab->names[0], lab->names[1], game, curve->count,
                 output_plural(curve->count));
    (void)printf("wins %u, draws %u, losses %u\n", end.games.wins, end.games.draws, end.games.losses);
    (void)printf("%llu pattern%s, %llu with turned and mirrored versions\n", (unsigned long long)learning->known,
                 output_plural(learning->known), (unsigned long long)learning->versions);
    (void)printf("in these games: %llu learned, %llu refuted, %llu undecided\n", (unsigned long long)end.learned,
                 (unsigned long long)end.refuted, (unsigned long long)end.undecided);
    if (end.unsaved > 0)
        (void)printf("%llu could not be saved\n", (unsigned long long)end.unsaved);
    print_faults(lab);
    if (curve->count > 0)
        print_table(curve);
}

static Status write_plot(const Learning *learning, const char *path, Error *error)
{
    const Lab *lab = &learning->lab;
    LearningPlotLine line = {lab->names[0], &learning->curve};
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    char *title = NULL, *subtitle = NULL;
    Status status = STATUS_OK;
    if (asprintf(&title, "Learning against %s", lab->names[1]) < 0)
        title = NULL;
    if (asprintf(&subtitle, "%s, %u of %u games, seed %llu, krow " KROW_VERSION, game, learning->curve.count,
                 learning->curve.capacity, (unsigned long long)lab->event.seed) < 0)
        subtitle = NULL;
    if (title != NULL && subtitle != NULL) {
        LearningPlot plot = {.title = title, .subtitle = subtitle, .lines = &line, .count = 1, .published = NAN};
        plot.published_patterns = NAN;
        plot.games = learning->curve.capacity;
        status = learning_write_svg(&plot, path, error);
    } else {
        status = error_set(error, STATUS_NO_MEMORY, "no memory for a plot");
    }
    free(title);
    free(subtitle);
    return status;
}

static Status report(const Learning *learning, const Args *args, Error *error)
{
    Status status = args->svg != NULL ? write_plot(learning, args->svg, error) : STATUS_OK;
    if (args->json)
        return output_json(result_json(learning), status == STATUS_OK ? error : NULL) == STATUS_OK ? status : STATUS_IO;
    print_result(learning);
    return status;
}

// --- The command ---

// Patterns that could not be written are lost: the run has failed, though its games are there.
static Status check_saved(const Learning *learning, Error *error)
{
    uint64_t unsaved = learning_curve_end(&learning->curve).unsaved;
    if (unsaved == 0)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "%llu pattern%s could not be saved in the set '%s'",
                     (unsigned long long)unsaved, output_plural(unsaved), learning_set(learning));
}

static Status play(Learning *learning, const Args *args, Error *error)
{
    static const LearningStyle style = {.is_alone = true, .keeps_the_log = true};
    Status status = fill_event(args, &learning->lab.event, error);
    if (status == STATUS_OK)
        status = lab_read_args(&learning->lab, args, error);
    if (status == STATUS_OK)
        status = learning_open(learning, args, &style, error);
    if (status == STATUS_OK && args->resumes && !learning->lab.is_found && !args->quiet)
        status = learning_tell_new(learning, error);
    if (status == STATUS_OK)
        status = learning_run(learning, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    Status reported = report(learning, args, error);
    if (reported == STATUS_OK && status == STATUS_OK)
        return check_saved(learning, error);
    if (reported != STATUS_OK)
        return reported;
    if (learning->lab.db == NULL)
        return error_set(error, STATUS_FAILED, "interrupted; nothing is kept");
    return error_set(error, STATUS_FAILED, "interrupted; what was played%s is kept, and --resume goes on",
                     learning_curve_end(&learning->curve).unsaved > 0 ? "" : " and learned");
}

static Status run(const Args *args, Error *error)
{
    Status status = check_args(args, error);
    if (status != STATUS_OK)
        return status;
    Learning *learning = calloc(1, sizeof *learning);
    if (learning == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a match");
    status = play(learning, args, error);
    learning_close(learning);
    free(learning);
    return status;
}

static const struct argp_option options[] = {
    {"against", ARG_AGAINST, "AGENT", 0, "Whom to play, such as constant or exec:COMMAND", 0},
    {"games", ARG_GAMES, "N", 0, "How many games (200 unless given)", 0},
    {"game", ARG_GAME, "GAME", 0, "What is played (gomoku unless given)", 0},
    {"set", ARG_SET, "NAME", 0, "The set of patterns to learn into (default unless given)", 0},
    {"agent", ARG_AGENT, "AGENT", 0, "Who learns, such as patterns:prove=none (patterns unless given)", 0},
    {"svg", ARG_SVG, "FILE", 0, "Draw the curves into FILE", 0},
    OPTION_TIME,
    OPTION_CLOCK,
    OPTION_NODES,
    {"turns", ARG_TURNS, "N", 0, "A draw after N turns of both together", 0},
    OPTION_SEED,
    {"resume", ARG_RESUME, NULL, 0, "Go on with the same run of as many games, if it was begun before", 0},
    OPTION_DB,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_patterns_learn = {
    .name = "learn",
    .words = "",
    .summary = "Learn patterns by playing, with a curve of score and patterns",
    .about =
        "The games are a sequence: each begins with what the ones before have taught, and the other side plays first "
        "in every second one. A turn has 5 seconds and a side 120 for a game, unless --time and --clock say otherwise. "
        "A "
        "pattern is kept as soon as it is learned, a game when it is finished; after a kill the game that was cut off "
        "is played again, with what had been learned in it.\n\n"
        "Examples:\n  krow patterns learn --against constant\n"
        "  krow patterns learn --against incremental --set mine --svg curve.svg\n"
        "  krow patterns learn --against exec:./engine --agent patterns:prove=none",
    .options = options,
    .run = run,
};
