// krow bench --load and --fleet.
#include "cli/commands/bench_workers.h"

#include "bench/fleet/fleet.h"
#include "bench/fleet/unit_load.h"
#include "cli/interrupt.h"
#include "cli/output/output.h"
#include "view/json_view.h"

// OPTIONS of --load or --fleet.
static Status read_options(const char *name, const AgentOption *list, const char *text, OptionValues *options,
                           Error *error)
{
    Status status = options_parse((OptionList){list, NULL}, span_of(text), options, error);
    if (status != STATUS_OK)
        error_prefix(error, "--%s: ", name);
    return status;
}

Status bench_load(const char *text, const char *db, bool json, Error *error)
{
    OptionValues options;
    UnitLoad load;
    if (db == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--load needs a database made for it: --db says which");
    Status status = read_options("load", unit_load_options, text, &options, error);
    if (status == STATUS_OK)
        status = unit_load_run(db, &options, interrupt_flag(), &load, error);
    if (status != STATUS_OK)
        return status;
    double rate = load.seconds > 0 ? (double)load.operations / load.seconds : 0;
    if (json)
        return output_json(json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "job", (json_int_t)load.job,
                                     "operations", (json_int_t)load.operations, "games", (json_int_t)load.games,
                                     "misses", (json_int_t)load.misses, "seconds", load.seconds, "per_second", rate,
                                     "median_ms", load.median_ms, "p99_ms", load.p99_ms),
                           error);
    (void)printf("job         %lld\n", (long long)load.job);
    (void)printf("operations  %llu in %.2f s, %.1f a second; %llu games\n", (unsigned long long)load.operations,
                 load.seconds, rate, (unsigned long long)load.games);
    (void)printf("time        median %.2f ms, 99 %% below %.2f ms\n", load.median_ms, load.p99_ms);
    (void)printf("misses      %llu claims found all that is open locked\n", (unsigned long long)load.misses);
    return STATUS_OK;
}

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
    (void)printf("time        %.1f s, %.1f s if nobody ever waited: %.2f times as long\n", found->seconds, found->ideal,
                 found->ideal > 0 ? found->seconds / found->ideal : 0);
    (void)printf("busy        %.1f %% of the slots until the last minute, %.1f %% in it\n", 100 * found->busy,
                 100 * found->busy_last);
    (void)printf("units       %llu, %.1f a second, %.2f s of play each; %llu games of %.3g s\n",
                 (unsigned long long)found->units, found->units_a_second, found->seconds_a_unit,
                 (unsigned long long)found->games, found->mean_game);
    (void)printf("server      cores %.1f %% busy, %.1f %% in the busiest second; disk %.1f %%\n", 100 * found->cpu,
                 100 * found->cpu_peak, 100 * found->disk);
    (void)printf("next unit   median %.2f ms, 99 %% below %.2f ms\n", found->claim_median_ms, found->claim_p99_ms);
    (void)printf("lost        %.1f s of play, %llu workers, %llu leases; %llu games set aside\n", found->lost,
                 (unsigned long long)found->losses, (unsigned long long)found->expired,
                 (unsigned long long)found->aside);
    (void)printf("besides     %llu signs of life, %llu looks for work, %llu of them too late, %llu not answered\n",
                 (unsigned long long)found->beats, (unsigned long long)found->polls, (unsigned long long)found->lates,
                 (unsigned long long)found->failed);
}

Status bench_fleet(const char *text, bool json, Error *error)
{
    OptionValues options;
    FleetResult found;
    Status status = read_options("fleet", fleet_options, text, &options, error);
    if (status == STATUS_OK)
        status = fleet_run(&options, interrupt_flag(), &found, error);
    if (status == STATUS_OK && json)
        return print_fleet_json(&found, error);
    if (status == STATUS_OK)
        print_fleet(&found);
    return status;
}
