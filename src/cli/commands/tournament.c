// krow tournament: many agents, from a file, resumable.
#include "cli/commands.h"
#include "cli/lab_run.h"
#include "cli/output/report_text.h"

static Status report(const MatchRun *run, const LabArgs *args, Error *error)
{
    RatedAgents rated = {0};
    Status status = report_rate(run, &rated, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(report_tournament_json(run, &rated), error);
    else if (status == STATUS_OK)
        report_tournament_print(run, &rated);
    if (status == STATUS_OK && args->report != NULL)
        status = report_html(run, &rated, args->report, error);
    if (status == STATUS_OK && args->pgn != NULL)
        status = report_pgn(run, args->pgn, error);
    report_rated_close(&rated);
    return status;
}

// The event of the file; the command line may name more agents.
static Status prepare(MatchRun *run, const LabArgs *args, Error *error)
{
    const char *path = args->line.words[0];
    tournament_init(&run->event);
    Status status = lab_read_file(&run->event, path, error);
    for (int i = 1; status == STATUS_OK && i < args->line.word_count; i++)
        status = tournament_add_agent(&run->event, span_of(args->line.words[i]), error);
    return status;
}

static Status run(const void *options, Error *error)
{
    static const LabCommand tournament = {DATABASE_TOURNAMENT, prepare, report, "interrupted; --resume continues"};
    return lab_command(&tournament, options, error);
}

static const CliOption tournament_options[] = {
    CLI_ROWS(LabArgs, lab, repeat_options),
    CLI_OPTION(LabArgs, lab.games, "games", CLI_WHOLE, "N", "Games for each pair, instead of those in the file",
               .min = 1, .max = 1000000),
    {.name = "", .type = CLI_TABLE, .table = lab_command_options},
    CLI_END(LabArgs),
};

const Command command_tournament = {
    .name = "tournament",
    .words = "FILE [AGENT...]",
    .summary = "Play many agents against each other, resumable",
    .about = "Each line of FILE has a key and its values; # begins a comment:\n  game connect6\n  agents random "
             "adjacent adjacent:reach=2\n  format roundrobin   (or gauntlet: the first against the others; or ladder: "
             "each against the next)\n  games 20            (for each pair)\n  openings 10         (generated and "
             "balanced, or a "
             "file)\n  order random  start 5   (of the openings)\n  time 0.5  clock 60+1  nodes 10000  depth 4  turns "
             "120  resign 4 10  draw 6 0.5 40  seed 7   (each on a line of its own)\n\nEvery finished game is stored; "
             "after Ctrl-C or a kill, --resume plays the missing ones.",
    .options = tournament_options,
    .run = run,
};
