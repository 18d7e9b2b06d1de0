// krow bench: speed on this machine, and the functional signature.
#include "bench/bench.h"
#include "frontends/commands.h"
#include "frontends/interrupt.h"
#include "frontends/output.h"

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

static Status run(const Args *args, Error *error)
{
    interrupt_catch();
    char signature[24];
    (void)snprintf(signature, sizeof signature, "%016llx", (unsigned long long)bench_signature());
    if (!args->json)
        (void)printf("%-24s %s\n", "signature", signature);
    BenchResult results[BENCH_RESULTS_MAX];
    bool json = args->json;
    double seconds = args->has_time ? args->budget.seconds : 2;
    unsigned count = bench_run(seconds, interrupt_flag(), results, print_result, &json);
    if (atomic_load(interrupt_flag()))
        return error_set(error, STATUS_FAILED, "interrupted");
    if (!args->json)
        return STATUS_OK;
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:f, s:s, s:s}", "name", results[i].name, "value",
                                              results[i].value, "unit", results[i].unit, "about", results[i].about));
    return output_json(json_pack("{s:s, s:o}", "signature", signature, "benchmarks", list), error);
}

static const struct argp_option options[] = {
    {"time", ARG_TIME, "SECONDS", 0, "Measure each benchmark this long (2 unless given)", 0},
    OPTION_JSON,
    {0},
};

const Command command_bench = {
    .name = "bench",
    .words = "",
    .summary = "Measure speed, and print the functional signature",
    .about =
        "Speeds are medians over short slices on one core; each stands beside its ratio to a deliberately plain board "
        "measured in the same run. The signature changes only when rules or agents behave differently.",
    .options = options,
    .min_words = 0,
    .max_words = 0,
    .run = run,
};
