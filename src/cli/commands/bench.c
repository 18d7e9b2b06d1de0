// krow bench: speed on this machine, and the functional signature.
#include "bench/bench.h"
#include "bench/positions/bench_positions.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "match/signature.h"
#include "threats/search/double_threat.h"

typedef struct {
    CommandLine line;
    const char *positions; // NULL: not given
    unsigned singles;
    Budget budget;
} BenchArgs;

static void print_result(void *context, const BenchResult *result)
{
    if (*(const bool *)context)
        return;
    if (result->value < 1e5)
        (void)printf("%-24s %10.2f %-9s %s\n", result->name, result->value, result->unit, result->about);
    else
        (void)printf("%-24s %10.2f M%-8s %s\n", result->name, result->value / 1e6, result->unit, result->about);
    (void)fflush(stdout);
}

static Status print_positions_json(const BenchPositions *found, Error *error)
{
    const BenchTally *exact = &found->exact, *paper = &found->conservative;
    json_t *conservative = json_pack("{s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:I}", "found", (int)paper->found,
                                     "same_turns", (int)paper->same_turns, "more", (int)paper->more, "refuted",
                                     (int)paper->refuted, "open", (int)found->open, "median_ms", paper->median_ms,
                                     "longest_ms", paper->longest_ms, "nodes", (json_int_t)paper->nodes);
    return output_json(
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:I, s:I, s:o}", "positions",
                  (int)found->positions, "wins", (int)found->wins, "proven", (int)exact->found, "same_turns",
                  (int)exact->same_turns, "shorter", (int)exact->shorter, "more", (int)exact->more, "singles",
                  (int)found->singles, "unfinished", (int)found->unfinished, "none", (int)found->none, "refuted",
                  (int)exact->refuted, "median_ms", exact->median_ms, "longest_ms", exact->longest_ms, "nodes",
                  (json_int_t)exact->nodes, "checked", (json_int_t)found->checked, "conservative", conservative),
        error);
}

// The lines that both searches have; `verb` is what a search does with a win.
static void print_tally(const BenchPositions *found, const BenchTally *tally, const char *verb, const char *others)
{
    (void)printf("%-11s %u of %u known wins (%.1f %%), %u in as many turns\n", verb, tally->found, found->wins,
                 found->wins > 0 ? 100.0 * tally->found / found->wins : 0, tally->same_turns);
    (void)printf("time        median %.2f ms, longest %.1f ms\n", tally->median_ms, tally->longest_ms);
    (void)printf("others      %u of %u %s\n", tally->more, found->positions - found->wins, others);
}

// Measures the double-threat search and the paper's search on the positions of a file.
static Status run_positions(const BenchArgs *args, Error *error)
{
    BenchPositions found;
    double seconds = args->budget.seconds > 0 ? args->budget.seconds : 1;
    BenchPositionsOptions options = {args->positions, seconds, args->singles, interrupt_flag()};
    Status status = bench_positions(&options, &found, error);
    if (status != STATUS_OK)
        return status;
    if (args->line.json)
        return print_positions_json(&found, error);
    (void)printf("The double-threat search, at most %g s for each position\n", seconds);
    print_tally(&found, &found.exact, "proven", "proven");
    (void)printf("none        %u positions surely have no win by double threats\n", found.none);
    (void)printf("refuted     %u claims, %llu positions played through\n", found.exact.refuted,
                 (unsigned long long)found.checked);
    if (args->singles > 0)
        (void)printf("singles     %u wins leave free stones, %u not played through to the end; %u wins are shorter\n",
                     found.singles, found.unfinished, found.exact.shorter);
    (void)printf("nodes       %llu\n", (unsigned long long)found.exact.nodes);
    (void)printf("\nThe search of Liu and Lin, conservative defence\n");
    print_tally(&found, &found.conservative, "found", "claimed");
    (void)printf("refuted     %u claims; %u more could not be decided\n", found.conservative.refuted, found.open);
    (void)printf("nodes       %llu\n", (unsigned long long)found.conservative.nodes);
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const BenchArgs *args = options;
    (void)interrupt_catch();
    if (args->positions != NULL)
        return run_positions(args, error);
    char signature[24];
    (void)snprintf(signature, sizeof signature, "%016llx", (unsigned long long)signature_build());
    if (!args->line.json)
        (void)printf("%-24s %s\n", "signature", signature);
    BenchResult results[BENCH_RESULTS_MAX];
    bool json = args->line.json;
    double seconds = args->budget.seconds > 0 ? args->budget.seconds : 2;
    unsigned count = bench_run(seconds, interrupt_flag(), results, print_result, &json);
    if (atomic_load(interrupt_flag()))
        return error_set(error, STATUS_FAILED, "interrupted");
    if (!args->line.json)
        return STATUS_OK;
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:f, s:s, s:s}", "name", results[i].name, "value",
                                              results[i].value, "unit", results[i].unit, "about", results[i].about));
    return output_json(json_pack("{s:s, s:o}", "signature", signature, "benchmarks", list), error);
}

static const CliOption options[] = {
    CLI_OPTION(BenchArgs, positions, "positions", CLI_TEXT, "FILE",
               "Instead, prove the wins of FILE by double threats"),
    CLI_OPTION(BenchArgs, singles, "singles", CLI_WHOLE, "N",
               "With --positions: turns of a line that may leave the defender free stones",
               .max = DOUBLE_THREAT_SINGLES_MAX),
    CLI_OPTION(BenchArgs, budget.seconds, "time", CLI_SECONDS, "SECONDS",
               "Time per benchmark (default 2), or per position (default 1)"),
    OPTION_JSON,
    CLI_END(BenchArgs),
};

const Command command_bench = {
    .name = "bench",
    .summary = "Measure speed, and print the functional signature",
    .about = "Speeds are medians over short slices on one core, each with its ratio to a deliberately plain board "
             "measured in the same run. The signature changes only when rules or agents behave differently.",
    .options = options,
    .run = run,
};
