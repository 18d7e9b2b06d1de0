// krow reproduce: repeats a paper's experiments and compares the figures.
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "cli/output/reproduce_text.h"

#include <string.h>

typedef struct {
    CommandLine line;
    ExperimentOptions experiment;
    WorkersOption workers;
} ReproduceArgs;

static bool has_searches(const Reproduction *done)
{
    for (unsigned i = 0; i < done->count; i++)
        for (unsigned j = 0; j < done->tables[i].figures.count; j++)
            if (done->tables[i].figures.list[j].trial->searches > 0 ||
                done->tables[i].figures.list[j].trial->asked[0] != NULL)
                return true;
    return false;
}

static Status write_curves(const Reproduction *done, const ExperimentOptions *options, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < done->count && status == STATUS_OK && options->svg != NULL; i++)
        status = paper_write_svg(done->paper, done->tables[i].table, &done->tables[i].figures, options, error);
    return status;
}

// What was measured is reported also when the run did not get to its end.
static Status report(const Reproduction *done, const ExperimentOptions *options, bool json, Status status, Error *error)
{
    Status reported = write_curves(done, options, error);
    if (json && output_json(reproduce_json(done), reported == STATUS_OK ? error : NULL) != STATUS_OK)
        reported = STATUS_IO;
    if (!json)
        reproduce_print(done);
    if (status == STATUS_OK || reported != STATUS_OK)
        return reported;
    bool kept = options->db == NULL || strcmp(options->db, "none") != 0;
    return error_set(error, STATUS_FAILED, "interrupted; %s%s%s", options->workers ? "the workers continue; " : "",
                     !kept            ? "nothing is stored"
                     : options->fresh ? "run the same command without --fresh to continue"
                                      : "run the same command again to continue",
                     kept && has_searches(done) && !options->workers ? "; its searches of positions are repeated" : "");
}

static Status run(const void *options, Error *error)
{
    const ReproduceArgs *args = options;
    if (args->line.word_count == 0 && args->line.json)
        return output_json(reproduce_list_json(papers(), paper_count()), error);
    if (args->line.word_count == 0) {
        reproduce_print_list(papers(), paper_count());
        return STATUS_OK;
    }
    PaperPlace place;
    Status status = paper_find(papers(), paper_count(), span_of(args->line.words[0]), &place, error);
    if (status == STATUS_OK)
        status = lab_check_workers(&args->workers, args->line.db, error);
    if (status != STATUS_OK)
        return status;
    ExperimentOptions experiment = args->experiment;
    experiment.db = args->line.db;
    experiment.workers = args->workers.is_used;
    experiment.workers_how = args->workers.how;
    experiment.host = args->line.host;
    experiment.reporter = args->line.reporter;
    experiment.stop = interrupt_catch();
    Reproduction done;
    status = reproduce_run(place.paper, place.table, &experiment, &done, error);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        status = report(&done, &experiment, args->line.json, status, error);
    reproduce_close(&done);
    return status;
}

static const CliOption reproduce_options[] = {
    CLI_OPTION(ReproduceArgs, experiment.scale, "scale", CLI_SCALE, "F",
               "Play this part of the games, at least a pair per row; search this part of the positions, at least one",
               .fallback = "1"),
    CLI_OPTION(
        ReproduceArgs, experiment.opponent, "opponent", CLI_TEXT, "AGENT",
        "Agent to use for a program that is not available, such as exec:COMMAND; {NAME} stands for a setting of the "
        "row, such as {depth}"),
    CLI_OPTION(ReproduceArgs, experiment.fresh, "fresh", CLI_FLAG, NULL,
               "Play all games again, although some are stored"),
    CLI_OPTION(ReproduceArgs, experiment.svg, "svg", CLI_TEXT, "FOLDER",
               "Draw curves into FOLDER, a file for each table that has some"),
    CLI_OPTION(ReproduceArgs, experiment.jobs, "jobs", CLI_WHOLE, "J", "Number of games played at the same time",
               .min = 1, .max = 256),
    CLI_OPTION(ReproduceArgs, experiment.seed, "seed", CLI_SEED, "N",
               "Random seed; the same seed replays the same games", .max = INT64_MAX, .fallback = "1"),
    OPTION_DB,
    CLI_ROWS(ReproduceArgs, workers, workers_options),
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(ReproduceArgs),
};

const Command command_reproduce = {
    .name = "reproduce",
    .words = "[PAPER[/TABLE]]",
    .summary = "Repeat a paper's experiments and compare the figures",
    .about = "Without PAPER it lists the papers and their tables; 'levels' is the calibration of the levels of play. "
             "Each row shows the published figure, the measured one with its 95 % limits, and whether the published "
             "one lies inside.\n\nGames are stored when they are finished: the same command continues where it was "
             "stopped, and a larger --scale, up to 1, continues a smaller one. Above 1 other games are played. "
             "Searches of single positions, and searches in turns of games that others play, are not stored; they give "
             "the same results again, except for the time. A search that ends at its limit of nodes makes its row a "
             "lower bound.\n\nThe games of an agent that learns are a sequence that one job plays; with --jobs several "
             "sequences run at once. Where turns have a time limit, --jobs must not exceed the number of "
             "cores.\n\nWith --workers all trials are submitted at once and workers do them; searches are then stored "
             "as answers of their jobs. Only games of an agent that learns are played here.\n\nExamples:\n  krow "
             "reproduce 000 --scale 0.05 --jobs 2\n  krow reproduce 000/agents --jobs 2\n  krow reproduce 000/nctu6 "
             "--opponent 'exec:./engine'\n  krow reproduce 002/plain --scale 0.1\n  krow reproduce 003 --jobs 2 --svg "
             "curves\n  krow reproduce 004/calls --svg curves\n  krow reproduce levels/connect4 --jobs 2",
    .options = reproduce_options,
    .run = run,
};
