// krow evolve: options of an agent, optimised by playing.
#include "base/clock.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "cli/output/report_text.h"
#include "lab/evolve/evolve_report.h"
#include "view/text_curve.h"

#include <string.h>

typedef struct {
    CommandLine line;
    LabOptions lab;
    EvolvePlan plan;
    const char *ranges, *algorithm, *svg; // svg NULL: none
} EvolveArgs;

// --- Reports ---

enum { CURVE_COLUMNS = 60, CURVE_ROWS = 5 };

// The score of a check, counted from 0 for the start itself.
static double score_at(const void *context, unsigned i)
{
    const Evolve *evolve = context;
    return i == 0 ? 0.5 : tally_score(evolve->checks[i - 1].pair.games);
}

static void print_curve(const Evolve *evolve)
{
    static const char *const edges[CURVE_ROWS] = {[0] = "100 %", [2] = " 50 %", [CURVE_ROWS - 1] = "  0 %"};
    unsigned checks = evolve->check_count + 1;
    TextCurve curve = {CURVE_COLUMNS, CURVE_ROWS, checks, 1, score_at, evolve, checks};
    (void)printf("score of the estimate against %s, generations 0 to %u\n", evolve->space.start,
                 evolve->optimiser.generation);
    for (unsigned row = 0; row < CURVE_ROWS; row++) {
        Text text = {0};
        text_curve_row(&curve, row, &text);
        (void)printf("%s %s\n", edges[row] != NULL ? edges[row] : "     ", text.data);
        text_close(&text);
    }
    for (unsigned i = 0; i < evolve->check_count; i++) {
        const EvolveCheck *check = &evolve->checks[i];
        Estimate score = stats_score(&check->pair);
        Text values = {0};
        option_space_add_values(&evolve->space, &check->estimate, &values);
        (void)printf("%5u  %5.1f %% (%.1f to %.1f)  %s\n", check->generation, 100 * score.value, 100 * score.range.low,
                     100 * score.range.high, values.data);
        text_close(&values);
    }
}

static void print(const Evolve *evolve)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&evolve->event.rules, game);
    (void)printf("%s, %s: %s, %u of %u generations, %llu games of candidates, seed %llu\n", evolve->space.start, game,
                 evolve_algorithm_name(evolve->plan.algorithm), evolve->optimiser.generation, evolve->plan.generations,
                 (unsigned long long)evolve->games, (unsigned long long)evolve->event.seed);
    if (evolve->check_count > 0)
        print_curve(evolve);
    if (evolve->winner == NULL)
        return;
    (void)printf("\nwinner: %s\n", evolve->winner);
    if (evolve->against_defaults.event.agent_count == 0)
        (void)printf("These are the defaults.\n");
    else
        report_match_print(&evolve->against_defaults);
    if (evolve->against_start.event.agent_count > 0)
        report_match_print(&evolve->against_start);
}

static Status write_svg(const Evolve *evolve, const char *path, Error *error)
{
    Text text = {0};
    evolve_svg(evolve, &text);
    Status status = file_write(path, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status report(const Evolve *evolve, const EvolveArgs *args, Error *error)
{
    Status written = args->svg != NULL && evolve->path != NULL ? write_svg(evolve, args->svg, error) : STATUS_OK;
    if (args->line.json) {
        Status printed = output_json(evolve_json(evolve), written == STATUS_OK ? error : NULL);
        return printed == STATUS_OK ? written : printed;
    }
    print(evolve);
    return written;
}

// --- The call ---

static Status read_algorithm(const EvolveArgs *args, EvolvePlan *plan, Error *error)
{
    *plan = args->plan;
    bool genetic = strcmp(args->algorithm, "genetic") == 0;
    if (!genetic && strcmp(args->algorithm, "spsa") != 0)
        return error_set(error, STATUS_BAD_INPUT, "--algorithm: '%s' is neither genetic nor spsa", args->algorithm);
    plan->algorithm = genetic ? OPTIMISER_GENETIC : OPTIMISER_SPSA;
    if (!genetic && plan->candidates > 0)
        return error_set(error, STATUS_BAD_INPUT, "--population: spsa compares two candidates");
    plan->candidates = !genetic ? 2 : plan->candidates > 0 ? plan->candidates : 10;
    plan->generations = plan->generations > 0 ? plan->generations : genetic ? 25 : 150;
    plan->games = plan->games > 0 ? plan->games : genetic ? 4 : 16;
    const struct {
        const char *name;
        unsigned games;
    } counts[] = {{"games", plan->games}, {"check", plan->check_games}, {"final", plan->final_games}};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].games % 2 == 1)
            return error_set(error, STATUS_BAD_INPUT, "--%s: %u is odd; every opening is played with both colours",
                             counts[i].name, counts[i].games);
    return STATUS_OK;
}

static bool has_database(const EvolveArgs *args)
{
    return args->line.db == NULL || strcmp(args->line.db, "none") != 0;
}

// Reads the settings of games as krow match does.
static Status read_games(Evolve *evolve, const EvolveArgs *args, Error *error)
{
    MatchRun run = {.event = evolve->event};
    LabOptions options = args->lab;
    if (options.openings == NULL)
        options.openings = "200";
    Status status = rules_parse(span_of("gomoku"), &run.event.rules, error);
    run.event.has_rules = true;
    if (status == STATUS_OK)
        status = lab_apply(&run, &args->line, &options, error);
    if (status == STATUS_OK && options.resumes && !has_database(args))
        status = error_set(error, STATUS_BAD_INPUT, "--resume needs a database; --db is none");
    evolve->event = run.event;
    evolve->host = run.host;
    evolve->jobs = run.jobs;
    evolve->by_workers = run.by_workers;
    evolve->how = options.workers.how;
    evolve->reporter = run.reporter;
    if (options.again) {
        evolve->event.seed = (uint64_t)clock_unix_ms();
        reporter_note(evolve->reporter, "Playing with --seed %llu.", (unsigned long long)evolve->event.seed);
    }
    evolve->store = (MatchRunStore){.path = args->line.db, .repeat = options.resumes ? MATCH_RESUME : MATCH_ONCE};
    return status;
}

static Status prepare(Evolve *evolve, const EvolveArgs *args, Error *error)
{
    tournament_init(&evolve->event);
    Status status = read_algorithm(args, &evolve->plan, error);
    if (status == STATUS_OK)
        status =
            option_space_open(&evolve->space, args->line.words[0], args->ranges != NULL ? args->ranges : "", error);
    if (status == STATUS_OK)
        status = read_games(evolve, args, error);
    Agent agent;
    if (status == STATUS_OK)
        status = agent_open_with(&agent, span_of(evolve->space.start), &evolve->event.rules, &evolve->host, error);
    if (status != STATUS_OK)
        return status;
    agent_close(&agent);
    evolve->stop = interrupt_catch();
    return args->svg != NULL ? file_check_writable(args->svg, error) : STATUS_OK;
}

static Status play(Evolve *evolve, const EvolveArgs *args, Error *error)
{
    Status status = prepare(evolve, args, error);
    if (status == STATUS_OK)
        status = evolve_run(evolve, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    Status reported = report(evolve, args, error);
    if (status == STATUS_OK || reported != STATUS_OK)
        return reported;
    return error_set(error, STATUS_FAILED, "%s",
                     evolve->by_workers   ? LAB_WORKERS_CONTINUE
                     : has_database(args) ? "interrupted; finished games are stored, and --resume continues"
                                          : "interrupted; nothing is stored");
}

static Status run(const void *options, Error *error)
{
    Evolve evolve = {0};
    Status status = play(&evolve, options, error);
    evolve_close(&evolve);
    return status;
}

static const CliOption evolve_options[] = {
    CLI_OPTION(EvolveArgs, ranges, "options", CLI_TEXT, "O=A..B,...", "Options to optimise, and their ranges"),
    CLI_OPTION(EvolveArgs, lab.game, "game", CLI_TEXT, "GAME", "Game to play (default gomoku)"),
    CLI_OPTION(EvolveArgs, algorithm, "algorithm", CLI_TEXT, "NAME",
               "genetic (a genetic algorithm) or spsa (stochastic approximation)", .fallback = "genetic"),
    CLI_OPTION(EvolveArgs, plan.generations, "generations", CLI_WHOLE, "N",
               "Number of generations (default 25; spsa 150)", .min = 1, .max = OPTIMISER_GENERATIONS_MAX),
    CLI_OPTION(EvolveArgs, plan.candidates, "population", CLI_WHOLE, "N", "Candidates per generation (default 10)",
               .min = 4, .max = OPTIMISER_POINTS_MAX),
    CLI_OPTION(EvolveArgs, plan.games, "games", CLI_WHOLE, "N",
               "Games of each pair of candidates per generation (default 4; spsa 16)", .min = 2, .max = 10000),
    CLI_OPTION(EvolveArgs, plan.check_games, "check", CLI_WHOLE, "N",
               "Games of the estimate against AGENT for each point of the curve", .min = 2, .max = 10000,
               .fallback = "40"),
    CLI_OPTION(EvolveArgs, plan.final_games, "final", CLI_WHOLE, "N", "Games of the final matches", .min = 2,
               .max = 100000, .fallback = "200"),
    CLI_OPTION(EvolveArgs, lab.openings, "openings", CLI_TEXT, "FILE|N",
               "Start from the openings in FILE, or from N generated ones (default 200), which are balanced (N,random: "
               "not balanced)"),
    CLI_OPTION(EvolveArgs, svg, "svg", CLI_TEXT, "FILE", "Draw the curves into FILE"),
    CLI_ROWS(EvolveArgs, lab, repeat_options),
    OPTION_DB,
    CLI_ROWS(EvolveArgs, lab, lab_options),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(EvolveArgs),
};

const Command command_evolve = {
    .name = "evolve",
    .words = "AGENT",
    .summary = "Optimise options of an agent by playing",
    .about = "The candidates of each generation, AGENT with other values of the options, play each other from balanced "
             "openings, every opening with both colours. About twenty matches of the current estimate against AGENT "
             "show the progress, and final matches compare the winner with the defaults, and with AGENT if that starts "
             "elsewhere; these matches use other openings than the candidates. All games are stored, and --resume "
             "continues after an interruption with the same result. The same seed gives the same result unless turns "
             "have a time limit.\n\nExamples:\n  krow evolve sequences:c=0 --options c=0..3 --game connect6 --jobs 2\n "
             " krow evolve threats --options 'c=1..16,defence=0..4' --algorithm spsa --svg curve.svg",
    .options = evolve_options,
    .run = run,
};
