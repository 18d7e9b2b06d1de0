// krow train: trains the network of a family of rules on games of the engine against itself.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "engine/eval/weights.h"
#include "lab/report.h"
#include "lab/train/train_run.h"

#include <stdlib.h>

enum { GAMES_USUAL = 20000, GAMES_MOST = 100000000 }; // of each generation

typedef struct {
    CommandLine line;
    TrainRunOptions how;
    const char *sizes, *output, *svg; // NULL: not given
} TrainArgs;

static Status read_sizes(const char *text, TrainRunOptions *how, Error *error)
{
    Span rest = span_of(text), low = {0};
    int64_t smallest, largest;
    if (!span_next_part(&rest, '-', &low) || !span_to_int(low, 1, RULES_SIDE_MAX, &smallest) ||
        !span_to_int(rest, smallest, RULES_SIDE_MAX, &largest))
        return error_set(error, STATUS_BAD_INPUT, "--sizes: '%s' is not a range of sizes such as 13-20", text);
    how->smallest = (unsigned)smallest;
    how->largest = (unsigned)largest;
    return STATUS_OK;
}

static void print_match(const char *what, const HeadToHead *results)
{
    char elo[REPORT_ESTIMATE_SIZE];
    (void)printf("  %s: %u-%u-%u (wins-draws-losses), Elo %s\n", what, results->games.wins, results->games.draws,
                 results->games.losses, report_estimate(stats_elo(results), elo));
}

static void print_results(const TrainRun *run)
{
    for (unsigned i = 0; i < run->count; i++) {
        const TrainGeneration *generation = &run->generations[i];
        (void)printf("generation %u: %u games", i + 1, generation->games);
        if (generation->epochs > 0)
            (void)printf(", loss over held-out games %.4f, without a network %.4f",
                         generation->epoch[generation->epochs - 1].result,
                         generation->epoch[generation->epochs - 1].simple);
        (void)printf("%s\n", generation->is_best ? ", accepted" : generation->is_finished ? ", rejected" : "");
        if (generation->has_nodes)
            print_match("at equal nodes", &generation->nodes);
        if (generation->has_seconds)
            print_match("at equal time", &generation->seconds);
    }
    if (run->best > 0)
        (void)printf("the best network is that of generation %u: %s/network.net\n", run->best, run->options->folder);
    else if (run->count > 0 && run->generations[run->count - 1].is_finished)
        (void)printf("no network was better than the one before\n");
}

static Status write_files(const TrainRun *run, const TrainArgs *args, Error *error)
{
    Status status = STATUS_OK;
    Text text = {0};
    if (args->svg != NULL) {
        train_run_plot(run, &text);
        status = file_write(args->svg, (Span){text.data, text.length}, error);
        text_close(&text);
    }
    if (status != STATUS_OK || args->output == NULL || run->best == 0)
        return status;
    static const size_t NETWORK_FILE_MOST = (size_t)64 << 20;
    Text path = {0};
    text_add(&path, "%s/network.net", args->how.folder);
    status = file_read(path.data, NETWORK_FILE_MOST, &text, error);
    if (status == STATUS_OK)
        status = file_write(args->output, (Span){text.data, text.length}, error);
    text_close(&path);
    text_close(&text);
    return status;
}

static Status prepare(const TrainArgs *args, TrainRunOptions *how, Error *error)
{
    Status status = rules_parse(span_of(args->line.words[0]), &how->rules, error);
    if (status == STATUS_OK && args->sizes != NULL)
        status = read_sizes(args->sizes, how, error);
    if (status == STATUS_OK && how->folder == NULL)
        status =
            error_set(error, STATUS_BAD_INPUT, "--folder DIR is needed: games, networks and results are kept there");
    if (status == STATUS_OK && args->output != NULL)
        status = file_check_writable(args->output, error);
    if (status == STATUS_OK && args->svg != NULL)
        status = file_check_writable(args->svg, error);
    if (how->games == 0)
        how->games = how->hours > 0 ? GAMES_MOST : GAMES_USUAL;
    how->jobs = how->jobs > 0 ? how->jobs : 1;
    how->reporter = args->line.reporter;
    how->stop = interrupt_catch();
    return status;
}

static Status run(const void *options, Error *error)
{
    const TrainArgs *args = options;
    TrainRunOptions how = args->how;
    Status status = prepare(args, &how, error);
    if (status != STATUS_OK)
        return status;
    TrainRun *training = malloc(sizeof *training);
    if (training == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the results");
    status = train_run(training, &how, error);
    if (status == STATUS_OK)
        status = write_files(training, args, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(train_run_json(training), error);
    else if (status == STATUS_OK)
        print_results(training);
    if (status == STATUS_INTERRUPTED)
        status = error_set(error, STATUS_FAILED, "interrupted; the same command continues");
    free(training);
    return status;
}

static const CliOption train_options_table[] = {
    CLI_OPTION(TrainArgs, how.folder, "folder", CLI_TEXT, "DIR", "Keep games, networks and results in DIR"),
    CLI_OPTION(TrainArgs, how.games, "games", CLI_WHOLE, "N", "Games of each generation (default 20000)", .min = 40,
               .max = GAMES_MOST),
    CLI_OPTION(TrainArgs, how.generations, "generations", CLI_WHOLE, "N", "Number of generations", .min = 1,
               .max = TRAIN_GENERATIONS_MAX, .fallback = "1"),
    CLI_OPTION(TrainArgs, how.hours, "hours", CLI_SCALE, "H",
               "Play for 60 % of H hours, divided among the generations, instead of 20000 games each"),
    CLI_OPTION(TrainArgs, how.nodes, "nodes", CLI_WHOLE, "N", "Positions searched per turn of these games", .min = 1,
               .max = 1000000000, .fallback = "800"),
    CLI_OPTION(
        TrainArgs, how.varied, "varied", CLI_WHOLE, "PERCENT",
        "Share of turns in every other game that are one of the six best by a shorter search, so that networks see "
        "more than good play",
        .max = 100, .fallback = "15"),
    CLI_OPTION(TrainArgs, sizes, "sizes", CLI_TEXT, "A-B", "Play on square boards of random sizes from A to B"),
    CLI_OPTION(TrainArgs, how.epochs, "epochs", CLI_WHOLE, "N", "Passes over all games", .min = 1,
               .max = TRAIN_EPOCHS_MAX, .fallback = "4"),
    CLI_OPTION(TrainArgs, how.rate, "rate", CLI_SCALE, "F", "Learning rate at the beginning", .fallback = "0.002"),
    CLI_OPTION(TrainArgs, how.results, "results", CLI_WHOLE, "PERCENT",
               "Share of the loss for the results of the games; the rest is for the scores of the search", .max = 100,
               .fallback = "0"),
    CLI_OPTION(TrainArgs, how.from, "from", CLI_TEXT, "FILE",
               "Network of the first games, and opponent of the first generation (none: patterns only; default: the "
               "network of the family)",
               .fallback = ""),
    CLI_OPTION(TrainArgs, how.gate_games, "gate-games", CLI_WHOLE, "N",
               "Most games of the first match against the best network; half as many of the second, in time; 0 accepts "
               "every network",
               .max = 100000, .fallback = "400"),
    CLI_OPTION(TrainArgs, how.gate_seconds, "gate-time", CLI_SECONDS, "SECONDS", "Time per turn of the second match",
               .fallback = "0.1"),
    CLI_OPTION(TrainArgs, how.jobs, "jobs", CLI_WHOLE, "J", "Number of games played at the same time, and of threads",
               .min = 1, .max = 256),
    CLI_OPTION(TrainArgs, how.seed, "seed", CLI_WHOLE, "N", "Random seed", .max = INT64_MAX, .fallback = "1"),
    CLI_OPTION(TrainArgs, output, "output", CLI_TEXT, "FILE", "Also write the best network to FILE", .letter = 'o'),
    CLI_OPTION(TrainArgs, svg, "svg", CLI_TEXT, "FILE", "Write the losses by epoch as a picture"),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(TrainArgs),
};

const Command command_train = {
    .name = "train",
    .words = "GAME",
    .summary = "Train the network of a family of rules",
    .about =
        "The network belongs to the family of GAME: its k, p, exact and gravity. Each generation plays games with the "
        "best network so far, trains a network on the games of all generations, and plays it against the best one, "
        "first with equal nodes, until a sequential test decides, then with equal time. Only a winner becomes the "
        "best: DIR/network.net. The same command continues an interrupted training, after a kill too; without --hours, "
        "the same options and the same seed give the same networks.\n\nExamples:\n  krow train gomoku --folder five "
        "--games 100000 --jobs 2\n  krow train gomoku --folder five13to20 --sizes 13-20 --hours 10 --generations 3 "
        "--jobs 2 -o k5.net\n  krow match engine:network=k5.net engine:network=none --time 0.1 --openings 100",
    .options = train_options_table,
    .run = run,
};
