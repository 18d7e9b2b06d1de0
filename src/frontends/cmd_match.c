// krow match: two agents head to head.
#include "frontends/commands.h"
#include "frontends/lab_args.h"
#include "frontends/output.h"
#include "frontends/report.h"

static Status write_files(const Lab *lab, const Args *args, Error *error)
{
    Status status = args->pgn != NULL ? report_pgn(lab, args->pgn, error) : STATUS_OK;
    if (status != STATUS_OK || args->report == NULL)
        return status;
    RatedAgents rated = {0};
    status = report_rate(lab, &rated, error);
    if (status == STATUS_OK)
        status = report_html(lab, &rated, args->report, error);
    report_rated_close(&rated);
    return status;
}

static Status report(const Lab *lab, const Args *args, Error *error)
{
    Status status = write_files(lab, args, error);
    if (args->json)
        return output_json(report_match_json(lab), status == STATUS_OK ? error : NULL) == STATUS_OK ? status
                                                                                                    : STATUS_IO;
    report_match_text(lab);
    return status;
}

static Status prepare(Lab *lab, const Args *args, Error *error)
{
    event_init(&lab->event);
    lab->event.games = 100;
    lab->event.has_rules = true;
    Status status = rules_parse(span_of("gomoku"), &lab->event.rules, error);
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = event_add_agent(&lab->event, span_of(args->words[i]), error);
    return status;
}

static Status run(const Args *args, Error *error)
{
    static const LabCommand match = {DATABASE_MATCH, prepare, report, "interrupted; what was played is kept"};
    return lab_command(&match, args, error);
}

static const struct argp_option options[] = {
    {"game", ARG_GAME, "GAME", 0, "What is played (gomoku unless given)", 0},
    {"games", ARG_GAMES, "N", 0, "How many games (100 unless given)", 0},
    {"openings", ARG_OPENINGS, "FILE|N", 0, "Begin from the openings of FILE, or from N made by krow", 0},
    {"sprt", ARG_SPRT, "E0,E1", 0, "Stop when the ratio test between these normalised Elo is decided", 0},
    OPTION_JOBS,
    OPTION_TIME,
    OPTION_CLOCK,
    OPTION_NODES,
    OPTION_DEPTH,
    {"turns", ARG_TURNS, "N", 0, "A draw after N turns of both together", 0},
    OPTION_SEED,
    {"resume", ARG_RESUME, NULL, 0, "Go on with the same match, if it was begun before", 0},
    OPTION_DB,
    OPTION_WORKERS,
    OPTION_UNIT,
    OPTION_LEASE,
    OPTION_REPORT,
    OPTION_PGN,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_match = {
    .name = "match",
    .words = "A B",
    .summary = "Play two agents head to head, with statistics",
    .about =
        "Every opening is played twice with colours reversed. The seed is 1 unless given, and a game depends on the "
        "seed and its number alone. Each game is kept in the database when it is finished.\n\n"
        "Examples:\n  krow match adjacent random --game connect6 --games 200 --openings 100 --jobs 2\n"
        "  krow match adjacent 'exec:./engine' --time 0.5 --sprt 0,20",
    .options = options,
    .min_words = 2,
    .max_words = 2,
    .run = run,
};
