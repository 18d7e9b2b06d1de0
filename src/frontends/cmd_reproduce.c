// krow reproduce: a paper's experiments run again, beside its figures.
#include "frontends/commands.h"
#include "frontends/lab_args.h"
#include "frontends/output.h"
#include "frontends/reproduce.h"

#include <string.h>

static Status list(const Args *args, Error *error)
{
    if (args->json)
        return output_json(reproduce_list_json(papers, paper_count), error);
    reproduce_print_list(papers, paper_count);
    return STATUS_OK;
}

static bool has_searches(const Reproduction *done)
{
    for (unsigned i = 0; i < done->count; i++)
        for (unsigned j = 0; j < done->tables[i].figures.count; j++)
            if (done->tables[i].figures.list[j].trial->searches > 0 ||
                done->tables[i].figures.list[j].trial->asked[0] != NULL)
                return true;
    return false;
}

static Status write_curves(const Reproduction *done, const Args *args, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < done->count && status == STATUS_OK && args->svg != NULL; i++)
        status = paper_write_svg(done->paper, done->tables[i].table, &done->tables[i].figures, args, args->svg, error);
    return status;
}

// What was measured is told also when the run did not get to its end.
static Status report(const Reproduction *done, const Args *args, Status status, Error *error)
{
    Status reported = write_curves(done, args, error);
    if (args->json && output_json(reproduce_json(done), reported == STATUS_OK ? error : NULL) != STATUS_OK)
        reported = STATUS_IO;
    if (!args->json)
        reproduce_print(done);
    if (status == STATUS_OK || reported != STATUS_OK)
        return reported;
    bool kept = args->db == NULL || strcmp(args->db, "none") != 0;
    return error_set(error, STATUS_FAILED, "interrupted; %s%s%s", args->workers ? "the workers go on, and " : "",
                     !kept         ? "nothing is kept"
                     : args->fresh ? "the same command without --fresh goes on"
                                   : "the same command goes on",
                     kept && has_searches(done) && !args->workers ? ", but makes its searches of positions again" : "");
}

static Status run(const Args *args, Error *error)
{
    if (args->word_count == 0)
        return list(args, error);
    const Paper *paper = NULL;
    const PaperTable *table = NULL;
    Status status = paper_find(papers, paper_count, span_of(args->words[0]), &paper, &table, error);
    if (status == STATUS_OK)
        status = lab_check_workers(args, error);
    if (status != STATUS_OK)
        return status;
    Args scaled = *args;
    scaled.scale = args->scale > 0 ? args->scale : 1;
    Reproduction done;
    status = reproduce_run(paper, table, &scaled, &done, error);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        status = report(&done, &scaled, status, error);
    reproduce_close(&done);
    return status;
}

static const struct argp_option options[] = {
    {"scale", ARG_SCALE, "F", 0,
     "Play this part of the games (1 unless given), at least a pair a row; of positions to search, at least one", 0},
    {"opponent", ARG_OPPONENT, "AGENT", 0, "Who stands in for a program that is not to be had, such as exec:COMMAND",
     0},
    {"fresh", ARG_FRESH, NULL, 0, "Play all again, although the database has games of it", 0},
    {"svg", ARG_SVG, "FOLDER", 0, "Draw curves into FOLDER, a file for each table that has some", 0},
    OPTION_JOBS,
    OPTION_SEED,
    OPTION_DB,
    OPTION_WORKERS,
    OPTION_UNIT,
    OPTION_LEASE,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_reproduce = {
    .name = "reproduce",
    .words = "[PAPER[/TABLE]]",
    .summary = "Run a paper's experiment again, beside its figures",
    .about =
        "Without PAPER it lists what there is; 'levels' is the calibration of the levels of play. Each row shows the "
        "published figure, the one measured here with its "
        "95 % limits, and whether the published one lies inside. Games are kept in the database when they are "
        "finished: the same command goes on where it was stopped, and a larger --scale, up to 1, goes on from "
        "a smaller one. Above 1 other games are played. Searches of single positions are not kept, and come out the "
        "same again but for the time; neither are searches in turns of games that others play. With --workers both are "
        "kept as answers of their jobs: all trials are put up at once, workers do them, times are theirs, and only "
        "games "
        "of an agent that learns stay here. A search that ends at "
        "its limit of nodes makes its row a lower bound. Where an "
        "agent learns, its games are a sequence that one job plays; with --jobs several sequences run at once. Where "
        "turns have a time, --jobs must not be more than there are cores.\n\n"
        "Examples:\n  krow reproduce 000 --scale 0.05 --jobs 2\n  krow reproduce 000/agents --jobs 2\n"
        "  krow reproduce 000/nctu6 --opponent 'exec:./engine'\n  krow reproduce 002/plain --scale 0.1\n"
        "  krow reproduce 003 --jobs 2 --svg curves\n  krow reproduce 004/calls --svg curves\n"
        "  krow reproduce levels/connect4 --jobs 2",
    .options = options,
    .min_words = 0,
    .max_words = 1,
    .run = run,
};
