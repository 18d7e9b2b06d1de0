// krow tournament: many agents, from a file, resumable.
#include "base/file.h"
#include "frontends/commands.h"
#include "frontends/lab_args.h"
#include "frontends/output.h"
#include "frontends/report.h"

enum { EVENT_FILE_MAX = 1 << 20 };

static Status report(const Lab *lab, const Args *args, Error *error)
{
    RatedAgents rated = {0};
    Status status = report_rate(lab, &rated, error);
    if (status == STATUS_OK && args->json)
        status = output_json(report_tournament_json(lab, &rated), error);
    else if (status == STATUS_OK)
        report_tournament_text(lab, &rated);
    if (status == STATUS_OK && args->report != NULL)
        status = report_html(lab, &rated, args->report, error);
    if (status == STATUS_OK && args->pgn != NULL)
        status = report_pgn(lab, args->pgn, error);
    report_rated_close(&rated);
    return status;
}

// The event of the file; the command line may name more agents.
static Status prepare(Lab *lab, const Args *args, Error *error)
{
    const char *path = args->words[0];
    event_init(&lab->event);
    Text text = {0};
    Status status = file_read(path, EVENT_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = event_read(&lab->event, (Span){text.data, text.length}, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    for (int i = 1; status == STATUS_OK && i < args->word_count; i++)
        status = event_add_agent(&lab->event, span_of(args->words[i]), error);
    return status;
}

static Status run(const Args *args, Error *error)
{
    static const LabCommand tournament = {DATABASE_TOURNAMENT, prepare, report, "interrupted; --resume goes on"};
    return lab_command(&tournament, args, error);
}

static const struct argp_option options[] = {
    {"resume", ARG_RESUME, NULL, 0, "Go on where the same tournament stopped", 0},
    {"games", ARG_GAMES, "N", 0, "Games for each pair, instead of the file's", 0},
    OPTION_JOBS,
    OPTION_TIME,
    OPTION_CLOCK,
    OPTION_NODES,
    OPTION_DEPTH,
    {"turns", ARG_TURNS, "N", 0, "A draw after N turns of both together", 0},
    OPTION_SEED,
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

const Command command_tournament = {
    .name = "tournament",
    .words = "FILE [AGENT...]",
    .summary = "Play many agents against each other, resumable",
    .about =
        "FILE has a key and its values a line, # begins a comment:\n"
        "  game connect6\n  agents random adjacent adjacent:reach=2\n  format roundrobin   (or gauntlet: the first "
        "against the others; or ladder: each against the next)\n  games 20            (for each pair)\n  openings 10   "
        "      (made by krow, or a "
        "file)\n  time 0.5  clock 60+1  nodes 10000  depth 4  turns 120  seed 7   (each on a line of its own)\n\n"
        "Every finished game is kept; after Ctrl-C or a kill, --resume plays what is missing.",
    .options = options,
    .min_words = 1,
    .max_words = 200,
    .run = run,
};
