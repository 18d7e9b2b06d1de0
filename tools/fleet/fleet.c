// Simulates many workers and one server: options, set-up and the summary of a run.
#include "base/memory.h"
#include "fleet/fleet_internal.h"

#include <stdlib.h>

// --- Options ---

// Costs of the server are medians of tools/measure-units with 16 connections (docs/scaling.md), in milliseconds of CPU
// time; round trips are those of a local network.
const AgentOption fleet_options[] = {
    {"workers", OPTION_INT, "1000", 1, 100000, NULL, "processes, each with a connection"},
    {"slots", OPTION_INT, "1", 1, 1024, NULL, "games that a worker plays at the same time"},
    {"game", OPTION_CHOICE, "gomoku", 0, 0, "gomoku connect6 connect4 fixed", "distribution of game lengths"},
    {"length", OPTION_REAL, "1", 0, 1e6, NULL, "factor for these lengths; for game=fixed the seconds of a game"},
    {"minutes", OPTION_REAL, "10", 0, 1e5, NULL, "duration of the job without waiting"},
    {"games", OPTION_INT, "0", 0, 1e9, NULL, "number of games, instead of minutes"},
    {"unit", OPTION_INT, "0", 0, 1e6, NULL, "pairs of games in a unit; 0: chosen by the workers"},
    {"seconds", OPTION_REAL, "0", 0, 1e6, NULL, "seconds of play in a unit; 0: chosen by the workers"},
    {"lease", OPTION_REAL, "30", 0.1, 1e6, NULL, "seconds without a heartbeat after which a unit is free again"},
    {"loss", OPTION_REAL, "0", 0, 1e6, NULL, "losses of a worker per hour"},
    {"back", OPTION_REAL, "60", 0, 1e6, NULL, "seconds until a lost worker is restarted"},
    {"pause", OPTION_REAL, "0", 0, 1e6, NULL, "seconds for which the server is unavailable in the middle of the job"},
    {"cores", OPTION_REAL, "8", 0.01, 1024, NULL, "cores of the server"},
    {"shared", OPTION_BOOL, "0", 0, 0, NULL, "1: workers play on the cores of the server"},
    {"unit-ms", OPTION_REAL, "1.05", 0, 1e6, NULL, "CPU time of a unit submitted and the next one claimed"},
    {"game-ms", OPTION_REAL, "0.145", 0, 1e6, NULL, "CPU time of a stored game"},
    {"beat-ms", OPTION_REAL, "0.27", 0, 1e6, NULL, "CPU time of a heartbeat"},
    {"slot-ms", OPTION_REAL, "0.2", 0, 1e6, NULL, "CPU time of each unit in a heartbeat"},
    {"poll-ms", OPTION_REAL, "0.25", 0, 1e6, NULL, "CPU time of a poll for work"},
    {"connect-ms", OPTION_REAL, "12.8", 0, 1e6, NULL, "CPU time of a new connection"},
    {"flush-ms", OPTION_REAL, "2", 0, 1e6, NULL, "duration of a log flush"},
    {"trip-ms", OPTION_REAL, "0.2", 0, 1e6, NULL, "duration of a network round trip"},
    {"own-ms", OPTION_REAL, "0.35", 0, 1e6, NULL, "time of the worker per unit, apart from its games"},
    {"seed", OPTION_INT, "1", 0, 1e15, NULL, "random seed of lengths and losses"},
    {0},
};

static double claim_ms(const Fleet *fleet, double part)
{
    uint64_t sum = 0;
    for (size_t bin = 0; bin < FLEET_BINS; bin++) {
        sum += fleet->claims[bin];
        if (fleet->claim_count > 0 && (double)sum >= part * (double)fleet->claim_count)
            return pow(10, ((double)bin + 0.5) / FLEET_BINS_A_DECADE) * 1e-3;
    }
    return 0;
}

// --- From options to a result ---

static double milliseconds(const OptionValues *options, const char *name)
{
    return options_real(options, name) / 1000;
}

static Status open_fleet(Fleet *fleet, const OptionValues *options, Error *error)
{
    uint64_t seed = (uint64_t)options_int(options, "seed");
    fleet->worker_count = (uint32_t)options_int(options, "workers");
    fleet->slots_each = (uint32_t)options_int(options, "slots");
    uint64_t slots = (uint64_t)fleet->worker_count * fleet->slots_each;
    fleet->seconds = options_real(options, "seconds");
    fleet->loss = options_real(options, "loss") / 3600;
    fleet->back = options_real(options, "back");
    fleet->pause = options_real(options, "pause");
    fleet->shares = options_bool(options, "shared");
    fleet->rng = rng_make(rng_derive(seed, 1));
    fleet->costs = (Costs){.unit = milliseconds(options, "unit-ms"),
                           .game = milliseconds(options, "game-ms"),
                           .beat = milliseconds(options, "beat-ms"),
                           .slot = milliseconds(options, "slot-ms"),
                           .poll = milliseconds(options, "poll-ms"),
                           .connect = milliseconds(options, "connect-ms"),
                           .trip = milliseconds(options, "trip-ms"),
                           .own = milliseconds(options, "own-ms")};
    fleet->lengths = game_lengths(options_choice(options, "game"), options_real(options, "length"), seed);
    double mean = game_length_mean(&fleet->lengths);
    double games = options_int(options, "games") > 0 ? (double)options_int(options, "games")
                   : mean > 0 ? ceil(options_real(options, "minutes") * 60 * (double)slots / mean / 2) * 2
                              : 0;
    if (games < 1 || games > 1e9 || slots > 1000000)
        return error_set(error, STATUS_BAD_INPUT,
                         "%.0f games on %llu slots: a fleet needs 1 to 1000000000 games and at most 1000000 slots",
                         games, (unsigned long long)slots);
    if (fleet->shares && fleet->loss > 0) // games of a lost worker would continue
        return error_set(error, STATUS_BAD_INPUT, "shared=1 cannot be combined with loss");
    fleet->slot_count = (uint32_t)slots;
    fleet->workers = memory_new(fleet->worker_count, sizeof *fleet->workers);
    fleet->slots = memory_new(fleet->slot_count, sizeof *fleet->slots);
    fleet->claims = memory_new(FLEET_BINS, sizeof *fleet->claims);
    units_open(&fleet->units, (uint32_t)games, (uint32_t)options_int(options, "unit"), options_real(options, "lease"));
    server_open(&fleet->server, options_real(options, "cores"), milliseconds(options, "flush-ms"), fleet->worker_count);
    return STATUS_OK;
}

static void close_fleet(Fleet *fleet)
{
    heap_close(&fleet->events);
    server_close(&fleet->server);
    units_close(&fleet->units);
    free(fleet->workers);
    free(fleet->slots);
    free(fleet->claims);
    seconds_close(&fleet->playing);
}

static void sum_up(Fleet *fleet)
{
    FleetResult *result = &fleet->result;
    double last = fleet->now > 120 ? fleet->now - 60 : fleet->now / 2, slots = fleet->slot_count;
    for (uint32_t i = 0; i < fleet->slot_count; i++) // useless units, or units without an owner
        if (fleet->slots[i].is_playing)
            seconds_add(&fleet->playing, fleet->slots[i].begun, fleet->now, 1);
    result->seconds = fleet->now;
    result->games = fleet->units.done;
    result->units = fleet->units.units;
    result->aside = fleet->units.aside;
    result->doubled = fleet->units.doubled;
    result->expired = fleet->units.expired;
    if (fleet->now <= 0)
        return;
    result->busy = seconds_between(&fleet->playing, 0, last) / (slots * last);
    result->busy_last = seconds_between(&fleet->playing, last, fleet->now) / (slots * (fleet->now - last));
    result->units_a_second = (double)result->units / fleet->now;
    result->seconds_a_unit = (double)result->games * result->mean_game / (double)result->units;
    result->cpu = fleet->server.cpu_seconds / (fleet->server.cores * fleet->now);
    result->disk = fleet->server.disk_seconds / fleet->now;
    for (size_t bin = 0; bin < fleet->server.cores_busy.count; bin++)
        result->cpu_peak = fmax(result->cpu_peak, fleet->server.cores_busy.list[bin] / fleet->server.cores);
    result->claim_median_ms = claim_ms(fleet, 0.5);
    result->claim_p99_ms = claim_ms(fleet, 0.99);
}

Status fleet_run(const OptionValues *options, const atomic_bool *stop, FleetResult *result, Error *error)
{
    Fleet fleet = {0};
    Status status = open_fleet(&fleet, options, error);
    if (status == STATUS_OK) {
        fleet_begin(&fleet);
        status = fleet_go(&fleet, stop, error);
    }
    if (status == STATUS_OK)
        sum_up(&fleet);
    *result = fleet.result;
    close_fleet(&fleet);
    return status;
}
