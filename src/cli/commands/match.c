// krow match: two agents head to head.
#include "cli/commands.h"
#include "cli/lab_run.h"
#include "cli/output/report_text.h"

static Status write_files(const MatchRun *run, const LabArgs *args, Error *error)
{
    Status status = args->pgn != NULL ? report_pgn(run, args->pgn, error) : STATUS_OK;
    if (status != STATUS_OK || args->report == NULL)
        return status;
    RatedAgents rated = {0};
    status = report_rate(run, &rated, error);
    if (status == STATUS_OK)
        status = report_html(run, &rated, args->report, error);
    report_rated_close(&rated);
    return status;
}

static Status report(const MatchRun *run, const LabArgs *args, Error *error)
{
    // The results are printed also when a file cannot be written.
    Status written = write_files(run, args, error), printed = STATUS_OK;
    if (args->line.json)
        printed = output_json(report_match_json(run), written == STATUS_OK ? error : NULL);
    else if (args->openbench)
        report_openbench_print(run);
    else
        report_match_print(run);
    return printed == STATUS_OK ? written : printed;
}

static Status prepare_file(Tournament *event, const char *path, Error *error)
{
    Span rest = span_of(path), name = {0};
    (void)span_next_part(&rest, ':', &name);
    if (agent_find(name) != NULL)
        return error_set(error, STATUS_BAD_INPUT, "two agents are needed: krow match A B");
    Status status = lab_read_file(event, path, error);
    if (status == STATUS_OK && event->agent_count != 2)
        status = error_set(error, STATUS_BAD_INPUT, "'%s': a match has two agents, not %u; krow tournament takes more",
                           path, event->agent_count);
    return status;
}

static Status prepare(MatchRun *run, const LabArgs *args, Error *error)
{
    tournament_init(&run->event);
    run->event.games = 100;
    run->event.has_rules = true;
    Status status = rules_parse(span_of("gomoku"), &run->event.rules, error);
    if (args->line.word_count == 1)
        return status == STATUS_OK ? prepare_file(&run->event, args->line.words[0], error) : status;
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = tournament_add_agent(&run->event, span_of(args->line.words[i]), error);
    return status;
}

static Status run(const void *options, Error *error)
{
    static const LabCommand match = {DATABASE_MATCH, prepare, report, "interrupted; finished games are stored"};
    return lab_command(&match, options, error);
}

static const CliOption match_options[] = {
    CLI_OPTION(LabArgs, lab.game, "game", CLI_TEXT, "GAME", "Game to play (default gomoku)"),
    CLI_OPTION(LabArgs, lab.games, "games", CLI_WHOLE, "N", "Number of games (default 100)", .min = 1, .max = 1000000),
    CLI_OPTION(
        LabArgs, lab.openings, "openings", CLI_TEXT, "FILE|N",
        "Start from the openings in FILE, or from N generated ones, which are balanced (N,random: not balanced)"),
    CLI_OPTION(LabArgs, lab.sprt, "sprt", CLI_TEXT, "E0,E1[,alpha=A][,beta=B][,model=M]",
               "Stop when the sequential test (SPRT) between these differences is decided; errors A and B (default "
               "0.05); M is normalised (default) or logistic Elo"),
    CLI_OPTION(LabArgs, openbench, "openbench", CLI_FLAG, NULL, "Print the result as a block like those of OpenBench"),
    CLI_ROWS(LabArgs, lab, repeat_options),
    {.name = "", .type = CLI_TABLE, .table = lab_command_options},
    CLI_END(LabArgs),
};

const Command command_match = {
    .name = "match",
    .words = "A|FILE [B]",
    .summary = "Play two agents head to head, with statistics",
    .about =
        "Every opening is played twice with colours reversed. The seed is 1 by default, and a game depends only "
        "on the seed and its number. Each finished game is stored in the database. The same match is not stored "
        "twice: --resume continues it, and --again plays it with a new seed. FILE has the agents and settings of a "
        "match as `krow tournament --help` describes, and may have a line such as sprt 0 10; options replace what it "
        "says.\n\nEach agent may have a name and limits of its own: engine:name=Fast,time=0.1 or "
        "exec:./e,name=E,time=0.5,option.Hash=64.\n\nExamples:\n  krow match "
        "adjacent random --game connect6 --games 200 --openings 100 --jobs 2\n  krow match adjacent "
        "'exec:./engine,name=E' --time 0.5 --sprt 0,20",
    .options = match_options,
    .run = run,
};
