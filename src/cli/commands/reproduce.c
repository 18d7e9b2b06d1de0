// krow reproduce: repeats a paper's experiments and compares the figures.
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "cli/output/reproduce_text.h"

#include "base/file.h"

#include <string.h>

typedef struct {
    CommandLine line;
    ExperimentOptions experiment;
    WorkersOption workers;
    const char *html;
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

// Reports the measurements also after an interruption or a failure.
static Status report(const Reproduction *done, const ExperimentOptions *options, const ReproduceArgs *args,
                     Status status, Error *error)
{
    bool json = args->line.json;
    Status reported = reproduce_write_charts(done, options, error);
    if (reported == STATUS_OK && args->html != NULL)
        reported = reproduce_write_page(done, options, args->html, error);
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

static Status list_papers(const ReproduceArgs *args, Error *error)
{
    if (args->html != NULL)
        return error_set(error, STATUS_BAD_INPUT, "--html: name a paper, or 'all'");
    if (args->line.json)
        return output_json(reproduce_list_json(papers(), paper_count()), error);
    reproduce_print_list(papers(), paper_count());
    return STATUS_OK;
}

static Status run_all(const ReproduceArgs *args, const ExperimentOptions *experiment, Error *error)
{
    if (args->html == NULL)
        return error_set(error, STATUS_BAD_INPUT, "reproduce all: name a folder for the pages with --html");
    PaperStates states;
    Status status = experiment->svg != NULL ? file_make_folder(experiment->svg, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = reproduce_all(papers(), paper_count(), experiment, args->html, &states, error);
    else
        return status;
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    if (args->line.json && output_json(reproduce_all_json(&states), NULL) != STATUS_OK)
        return error_set(error, STATUS_IO, "cannot write the result");
    if (!args->line.json)
        reproduce_print_all(&states);
    return status == STATUS_OK ? status
                               : error_set(error, STATUS_FAILED, "interrupted; run the same command again to continue");
}

static Status run_one(const ReproduceArgs *args, const ExperimentOptions *experiment, Error *error)
{
    PaperPlace place;
    Status status = paper_find(papers(), paper_count(), span_of(args->line.words[0]), &place, error);
    if (status == STATUS_OK && args->html != NULL)
        status = file_check_writable(args->html, error);
    if (status != STATUS_OK)
        return status;
    Reproduction done;
    status = reproduce_run(place.paper, place.table, experiment, &done, error);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        status = report(&done, experiment, args, status, error);
    reproduce_close(&done);
    return status;
}

static Status run(const void *options, Error *error)
{
    const ReproduceArgs *args = options;
    if (args->line.word_count == 0)
        return list_papers(args, error);
    Status status = lab_check_workers(&args->workers, args->line.db, error);
    if (status != STATUS_OK)
        return status;
    ExperimentOptions experiment = args->experiment;
    experiment.db = args->line.db;
    experiment.workers = args->workers.is_used;
    experiment.workers_how = args->workers.how;
    experiment.host = args->line.host;
    experiment.reporter = args->line.reporter;
    experiment.stop = interrupt_catch();
    return strcmp(args->line.words[0], "all") == 0 ? run_all(args, &experiment, error)
                                                   : run_one(args, &experiment, error);
}

static const CliOption reproduce_options[] = {
    CLI_OPTION(ReproduceArgs, experiment.scale, "scale", CLI_SCALE, "F",
               "Share of the games to play (at least a pair per row) and of the positions to search (at least one)",
               .fallback = "1"),
    CLI_OPTION(ReproduceArgs, experiment.opponent, "opponent", CLI_TEXT, "AGENT",
               "Agent to use for a program that is not available, such as exec:COMMAND; {NAME} stands for a setting of "
               "the row, such as {depth}"),
    CLI_OPTION(ReproduceArgs, experiment.fresh, "fresh", CLI_FLAG, NULL, "Play all games again, including stored ones"),
    CLI_OPTION(ReproduceArgs, experiment.svg, "svg", CLI_TEXT, "FOLDER", "Draw charts into FOLDER, one file per table"),
    CLI_OPTION(ReproduceArgs, html, "html", CLI_TEXT, "FILE",
               "Write the tables and charts as one page; with 'all', a folder for a page per paper and an index"),
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
             "'all' runs all papers one after another.\n\nEach row shows the published figure, the measured one with "
             "its 95 % limits, and whether the published "
             "one lies inside.\n\nFinished games are stored: the same command continues where it stopped, and a larger "
             "--scale, up to 1, continues a smaller one. Above 1 other games are played. Searches of single positions, "
             "and searches during games of other agents, are stored by 'all' only, in its folder; when repeated they "
             "give the same results, except for the time. A row is a lower bound if one of its searches ends at the "
             "node limit.\n\nThe games "
             "of an agent that learns are a sequence that one job plays; with --jobs several "
             "sequences run at once. Where turns have a time limit, --jobs must not exceed the number of "
             "cores.\n\nWith --workers all trials are submitted at once and workers do them; searches are then stored "
             "as answers of their jobs. Only games of an agent that learns are played here.\n\nExamples:\n  krow "
             "reproduce 000 --scale 0.05 --jobs 2\n  krow reproduce 000/agents --jobs 2\n  krow reproduce 000/nctu6 "
             "--opponent 'exec:./engine'\n  krow reproduce 002/plain --scale 0.1\n  krow reproduce 003 --jobs 2 --svg "
             "curves\n  krow reproduce 004/calls --svg curves\n  krow reproduce 001 --html 001.html\n  krow "
             "reproduce all --html pages --jobs 2\n  krow reproduce levels/connect4 --jobs 2",
    .options = reproduce_options,
    .run = run,
};
