// krow analyze: what can be known about a position.
#include "frontends/analyze.h"
#include "frontends/commands.h"

#include <limits.h>
#include <string.h>

static Status run(const Args *args, Error *error)
{
    Game game;
    if (args->view != NULL && strcmp(args->view, "first") != 0)
        return error_set(error, STATUS_BAD_INPUT, "--view: '%s' is not 'first'; without it the side to move is meant",
                         args->view);
    Status status = args_position(args, &game, error);
    if (status != STATUS_OK)
        return status;
    if (game_is_over(&game))
        return error_set(error, STATUS_BAD_INPUT, "the game is over, there is nothing to analyze");
    Analysis analysis;
    status = analyze(&analysis, args, &game, error);
    if (status == STATUS_OK && args->json)
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
    {"time", ARG_TIME, "SECONDS", 0, "Search for forced wins no longer than this, 5 unless given", 0},
    {"nodes", ARG_NODES, "N", 0, "Look at no more than N positions in each search", 0},
    OPTION_DEPTH,
    {"singles", ARG_SINGLES, "N", 0, "Try also wins with up to N turns in a line that leave free stones (0 to 4)", 0},
    OPTION_SEED,
    {"view", ARG_VIEW, "first", 0, "Scores as the first side sees them, whoever is to move", 0},
    OPTION_BOOKS,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    {"quiet", ARG_QUIET, NULL, 0, "Only what was found and the best turns: no board, no threats, no answers", 0},
    {0},
};

const Command command_analyze = {
    .name = "analyze",
    .words = "GAME [MOVES...]",
    .summary = "Forced wins with all answers, threats, best turns",
    .about =
        "Searches for a win by double threats of the side to move, draws it with the turns as numbers, and lists every "
        "answer; says what the other side threatens and which single stones stop it; then the best turns and cells as "
        "an agent sees them, the strongest unless --agent is given. Ctrl-C ends a search and shows what there is.\n\n"
        "Examples:\n  krow analyze gomoku 'e8 d8 f8 a1 g8 o1 h9 a15 h10 o15'\n  krow analyze connect6 --board - --json",
    .options = options,
    .min_words = 1,
    .max_words = INT_MAX,
    .run = run,
};
