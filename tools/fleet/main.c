// krow-fleet, a program for developers: `simulate` simulates many workers and their server, `load` generates the load
// of workers on a database.
#include "base/memory.h"
#include "cli/common_options.h"
#include "cli/interrupt.h"
#include "cli/output/output.h"
#include "fleet/fleet.h"
#include "fleet/unit_load.h"

#include <string.h>

// Reads OPTIONS, the argument of both commands.
static Status read_options(const CommandLine *args, const AgentOption *list, OptionValues *options, Error *error)
{
    const char *text = args->word_count > 0 ? args->words[0] : "";
    return options_parse((OptionList){list, NULL}, span_of(text), options, error);
}

// --- krow-fleet simulate ---

static Status print_fleet_json(const FleetResult *found, Error *error)
{
    const struct {
        const char *name;
        double value;
    } reals[] = {{"seconds", found->seconds},
                 {"ideal", found->ideal},
                 {"mean_game", found->mean_game},
                 {"busy", found->busy},
                 {"busy_last", found->busy_last},
                 {"units_a_second", found->units_a_second},
                 {"seconds_a_unit", found->seconds_a_unit},
                 {"cpu", found->cpu},
                 {"cpu_peak", found->cpu_peak},
                 {"disk", found->disk},
                 {"claim_median_ms", found->claim_median_ms},
                 {"claim_p99_ms", found->claim_p99_ms},
                 {"lost", found->lost}};
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"games", found->games},   {"units", found->units},     {"aside", found->aside},
                  {"losses", found->losses}, {"expired", found->expired}, {"beats", found->beats},
                  {"polls", found->polls},   {"lates", found->lates},     {"failed", found->failed}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        (void)json_object_set_new(object, reals[i].name, json_real(reals[i].value));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        (void)json_object_set_new(object, counts[i].name, json_integer((json_int_t)counts[i].value));
    return output_json(object, error);
}

static void print_fleet(const FleetResult *found)
{
    (void)printf("time        %.1f s; without waiting %.1f s; ratio %.2f\n", found->seconds, found->ideal,
                 found->ideal > 0 ? found->seconds / found->ideal : 0);
    (void)printf("busy        %.1f %% of the slots until the last minute, %.1f %% in it\n", 100 * found->busy,
                 100 * found->busy_last);
    (void)printf("units       %llu, %.1f per second, %.2f s of play each; %llu games of %.3g s\n",
                 (unsigned long long)found->units, found->units_a_second, found->seconds_a_unit,
                 (unsigned long long)found->games, found->mean_game);
    (void)printf("server      cores %.1f %% busy, %.1f %% in the busiest second; disk %.1f %%\n", 100 * found->cpu,
                 100 * found->cpu_peak, 100 * found->disk);
    (void)printf("next unit   median %.2f ms, 99 %% below %.2f ms\n", found->claim_median_ms, found->claim_p99_ms);
    (void)printf("lost        %.1f s of play, %llu workers, %llu leases; %llu failed games\n", found->lost,
                 (unsigned long long)found->losses, (unsigned long long)found->expired,
                 (unsigned long long)found->aside);
    (void)printf(
        "other       %llu heartbeats, %llu polls for work (%llu found all work locked), %llu unanswered operations\n",
        (unsigned long long)found->beats, (unsigned long long)found->polls, (unsigned long long)found->lates,
        (unsigned long long)found->failed);
}

static Status run_simulate(const void *context, Error *error)
{
    const CommandLine *args = context;
    OptionValues options;
    FleetResult found;
    Status status = read_options(args, fleet_options, &options, error);
    if (status == STATUS_OK)
        status = fleet_run(&options, interrupt_flag(), &found, error);
    if (status == STATUS_OK && args->json)
        return print_fleet_json(&found, error);
    if (status == STATUS_OK)
        print_fleet(&found);
    return status;
}

// --- krow-fleet load ---

static Status run_load(const void *context, Error *error)
{
    const CommandLine *args = context;
    OptionValues options;
    UnitLoad load;
    if (args->db == NULL)
        return error_set(error, STATUS_BAD_INPUT, "a load needs a separate database; name it with --db");
    Status status = read_options(args, unit_load_options, &options, error);
    if (status == STATUS_OK)
        status = unit_load_run(args->db, &options, interrupt_flag(), &load, error);
    if (status != STATUS_OK)
        return status;
    double rate = load.seconds > 0 ? (double)load.operations / load.seconds : 0;
    if (args->json)
        return output_json(json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "job", (json_int_t)load.job,
                                     "operations", (json_int_t)load.operations, "games", (json_int_t)load.games,
                                     "misses", (json_int_t)load.misses, "seconds", load.seconds, "per_second", rate,
                                     "median_ms", load.median_ms, "p99_ms", load.p99_ms),
                           error);
    (void)printf("job         %lld\n", (long long)load.job);
    (void)printf("operations  %llu in %.2f s, %.1f per second; %llu games\n", (unsigned long long)load.operations,
                 load.seconds, rate, (unsigned long long)load.games);
    (void)printf("time        median %.2f ms, 99 %% below %.2f ms\n", load.median_ms, load.p99_ms);
    (void)printf("misses      %llu claims found every open unit locked\n", (unsigned long long)load.misses);
    return STATUS_OK;
}

// --- The program ---

static const CliOption simulate_options[] = {OPTION_JSON, CLI_END(CommandLine)};

static const CliOption load_options[] = {
    CLI_OPTION(CommandLine, db, "db", CLI_DATABASE, "DB", "Database for the load; it must have no other jobs"),
    OPTION_JSON,
    CLI_END(CommandLine),
};

typedef struct {
    Command command;
    const AgentOption *keys; // of the argument OPTIONS
} FleetCommand;

static const FleetCommand commands[] = {
    {{.name = "simulate",
      .words = "[OPTIONS]",
      .summary = "Simulate many workers and their server: utilisation and waiting times",
      .about = "The same options give the same numbers on every machine.",
      .options = simulate_options,
      .run = run_simulate},
     fleet_options},
    {{.name = "load",
      .words = "[OPTIONS]",
      .summary = "Generate the load of workers on a database, as fast as possible",
      .about = "The load stores artificial games, so use a separate database; one with other jobs is refused.",
      .options = load_options,
      .run = run_load},
     unit_load_options},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

// The help of a command: its text and the keys of OPTIONS.
static void add_help(Text *text, const FleetCommand *found)
{
    text_add(text, "%s\nOPTIONS are key=value pairs separated by commas:\n", found->command.about);
    for (const AgentOption *key = found->keys; key->name != NULL; key++)
        text_add(text, "  %-12s %s%s%s (default %s)\n", key->name, key->help, key->choices != NULL ? ": " : "",
                 key->choices != NULL ? key->choices : "", key->fallback);
}

static int run(const FleetCommand *found, int argc, char **argv)
{
    char name[32];
    (void)snprintf(name, sizeof name, "krow-fleet %s", found->command.name);
    argv[0] = name;
    Text help = {0};
    add_help(&help, found);
    Command command = found->command;
    command.about = help.data;
    ParsedCommand parsed;
    options_read(&command, argc, argv, &parsed);
    (void)interrupt_catch();
    Error error = {0};
    Status status = command.run(parsed.options, &error);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "%s: %s\n", name, error.text);
    options_close(&parsed);
    text_close(&help);
    return status_exit(status);
}

int main(int argc, char **argv)
{
    json_set_alloc_funcs(memory_malloc, free);
    for (int i = 0; argc > 1 && i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].command.name) == 0)
            return run(&commands[i], argc - 1, argv + 1);
    bool asks_help = argc > 1 && strcmp(argv[1], "--help") == 0;
    FILE *out = asks_help ? stdout : stderr;
    (void)fprintf(out, "Usage: krow-fleet COMMAND [OPTIONS] [--json]\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        (void)fprintf(out, "  %-10s %s\n", commands[i].command.name, commands[i].command.summary);
    return asks_help ? 0 : 2;
}
