// krow analyze: best turns, forced wins and threats of a position.
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output/analyze_text.h"

#include <string.h>

typedef struct {
    CommandLine line;
    const char *agent, *view; // NULL: not given
    bool streams;
    unsigned lines, threads, memory, singles;
    uint64_t seed;
    Budget budget;
} AnalyzeArgs;

static Status check(const AnalyzeArgs *args, Error *error)
{
    if (args->view != NULL && strcmp(args->view, "first") != 0)
        return error_set(error, STATUS_BAD_INPUT, "--view: '%s' is not supported; use 'first' or omit the option",
                         args->view);
    if (args->agent != NULL && (args->threads > 0 || args->memory > 0))
        return error_set(
            error, STATUS_BAD_INPUT,
            "--threads and --memory cannot be combined with --agent; use agent options such as engine:threads=2");
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const AnalyzeArgs *args = options;
    Game game;
    Status status = check(args, error);
    if (status == STATUS_OK)
        status = line_position(&args->line, &game, error);
    if (status != STATUS_OK)
        return status;
    if (game_is_over(&game))
        return error_set(error, STATUS_BAD_INPUT, "the game is over; there is nothing to analyze");
    Live live = {.streams = args->streams, .quiet = args->line.quiet};
    AnalyzeOptions asked = {
        .budget = args->budget,
        .host = &args->line.host,
        .agent = args->agent,
        .lines = args->lines,
        .singles = args->singles,
        .threads = args->threads,
        .memory = args->memory,
        .seed = args->seed,
        .first_view = args->view != NULL,
        .watch = live_watch(&live),
        .stop = interrupt_catch(),
    };
    Analysis analysis;
    status = analyze(&analysis, &asked, &game, error);
    if (status == STATUS_OK && (args->line.json || args->streams))
        status = output_json(analyze_json(&analysis), error);
    else if (status == STATUS_OK)
        analyze_print(&analysis, args->line.quiet);
    analyze_close(&analysis);
    return status;
}

static const CliOption options[] = {
    OPTION_AGENT(AnalyzeArgs),
    OPTION_BOARD,
    CLI_OPTION(AnalyzeArgs, lines, "lines", CLI_WHOLE, "N", "Number of best turns to show (default 3)", .min = 1,
               .max = 100),
    CLI_OPTION(AnalyzeArgs, budget.seconds, "time", CLI_SECONDS, "SECONDS", "Search at most SECONDS (default 5)"),
    CLI_OPTION(AnalyzeArgs, budget.nodes, "nodes", CLI_WHOLE, "N", "Search at most N positions in each search",
               .min = 1, .max = INT64_MAX),
    OPTION_DEPTH(AnalyzeArgs),
    CLI_OPTION(AnalyzeArgs, threads, "threads", CLI_WHOLE, "N", "Threads of the engine (default 1)", .min = 1,
               .max = 256),
    CLI_OPTION(AnalyzeArgs, memory, "memory", CLI_WHOLE, "MB",
               "Size of the transposition table in megabytes (default 64)", .min = 1, .max = 1 << 20),
    CLI_OPTION(AnalyzeArgs, singles, "singles", CLI_WHOLE, "N",
               "Also try wins in which up to N turns of a line leave free stones (0 to 4)",
               .max = DOUBLE_THREAT_SINGLES_MAX),
    OPTION_RANDOM_SEED(AnalyzeArgs),
    CLI_OPTION(AnalyzeArgs, view, "view", CLI_TEXT, "first",
               "Print scores from the first side's point of view (default: the side to move)"),
    OPTION_BOOKS,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    CLI_OPTION(AnalyzeArgs, streams, "stream", CLI_FLAG, NULL,
               "Print a JSON object per line while searching; the last one is that of --json"),
    CLI_OPTION(AnalyzeArgs, line.quiet, "quiet", CLI_FLAG, NULL,
               "Print only wins and best turns: no board, threats, answers or progress", .letter = 'q'),
    CLI_END(AnalyzeArgs),
};

const Command command_analyze = {
    .name = "analyze",
    .words = "GAME [MOVES...]",
    .summary = "Find the best turns, forced wins with all answers, and threats",
    .about =
        "Searches for the best turns and shows them while it searches, with score, winning chance, depth and "
        "principal variation. A forced win is drawn with its turns as numbers and listed with every answer. Also "
        "reports the threats of the other side and the single stones that stop them. Without --agent the engine "
        "searches. Ctrl-C ends the search and prints the results so far.\n\nExamples:\n  krow analyze gomoku 'h8 i9 "
        "h9 h10 g8' --lines 5 --time 10\n  krow analyze connect6 'j10 i9 l12 k11 j12 i11 h12'\n  krow analyze "
        "connect6 --board - --stream",
    .options = options,
    .run = run,
};
