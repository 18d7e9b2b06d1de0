// krow analyze: what can be known about a position.
#include "frontends/analyze.h"
#include "frontends/commands.h"
#include "frontends/interrupt.h"

#include <limits.h>
#include <string.h>

static Status check(const Args *args, Error *error)
{
    if (args->view != NULL && strcmp(args->view, "first") != 0)
        return error_set(error, STATUS_BAD_INPUT, "--view: '%s' is not 'first'; without it the side to move is meant",
                         args->view);
    if (args->agent != NULL && (args->threads > 0 || args->memory > 0))
        return error_set(error, STATUS_BAD_INPUT,
                         "--threads and --memory are for the engine that thinks without --agent; agents have options, "
                         "as in engine:threads=2");
    return STATUS_OK;
}

static Status run(const Args *args, Error *error)
{
    Game game;
    Status status = check(args, error);
    if (status == STATUS_OK)
        status = args_position(args, &game, error);
    if (status != STATUS_OK)
        return status;
    if (game_is_over(&game))
        return error_set(error, STATUS_BAD_INPUT, "the game is over, there is nothing to analyze");
    AnalyzeOptions asked = {
        .budget = args->budget,
        .host = &args->host,
        .agent = args->agent,
        .lines = args->lines,
        .singles = args->singles,
        .threads = args->threads,
        .memory = args->memory,
        .seed = args_seed(args),
        .first_view = args->view != NULL,
        .streams = args->streams,
        .quiet = args->quiet,
        .stop = interrupt_flag(),
    };
    Analysis analysis;
    interrupt_catch();
    status = analyze(&analysis, &asked, &game, error);
    if (status == STATUS_OK && (args->json || args->streams))
        status = output_json(analyze_json(&analysis), error);
    else if (status == STATUS_OK)
        analyze_print(&analysis);
    analyze_close(&analysis);
    return status;
}

static const struct argp_option options[] = {
    OPTION_AGENT,
    OPTION_BOARD,
    {"lines", ARG_LINES, "N", 0, "Show the N best turns, 3 unless given", 0},
    {"time", ARG_TIME, "SECONDS", 0, "Think no longer than this, 5 unless given", 0},
    {"nodes", ARG_NODES, "N", 0, "Look at no more than N positions in each search", 0},
    OPTION_DEPTH,
    {"threads", ARG_THREADS, "N", 0, "Threads of the engine, 1 unless given", 0},
    {"memory", ARG_MEMORY, "MB", 0, "Megabytes for what the engine has found out, 64 unless given", 0},
    {"singles", ARG_SINGLES, "N", 0, "Try also wins with up to N turns in a line that leave free stones (0 to 4)", 0},
    OPTION_SEED,
    {"view", ARG_VIEW, "first", 0, "Scores as the first side sees them, whoever is to move", 0},
    OPTION_BOOKS,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    {"stream", ARG_STREAM, NULL, 0, "Print a JSON object a line while it thinks; the last one is that of --json", 0},
    {"quiet", ARG_QUIET, NULL, 0,
     "Only what was found and the best turns: no board, no threats, no answers, no progress", 0},
    {0},
};

const Command command_analyze = {
    .name = "analyze",
    .words = "GAME [MOVES...]",
    .summary = "Best turns, forced wins with all answers, threats",
    .about =
        "Thinks about the best turns and shows them meanwhile, with score, chance, depth and the play it expects; a "
        "forced win is drawn with the turns as numbers and listed with every answer; says what the other side "
        "threatens "
        "and which single stones stop it. The engine thinks, or an agent if --agent is given. Ctrl-C ends it and shows "
        "what there is.\n\n"
        "Examples:\n  krow analyze gomoku 'h8 i9 h9 h10 g8' --lines 5 --time 10\n"
        "  krow analyze connect6 'j10 i9 l12 k11 j12 i11 h12'\n  krow analyze connect6 --board - --stream",
    .options = options,
    .min_words = 1,
    .max_words = INT_MAX,
    .run = run,
};
