// Many workers and one server, simulated: who would wait for whom if there were a thousand or ten thousand of them.
// Events follow each other without a clock, so the same options give the same numbers everywhere. Sizes of units,
// leases, signs of life and pauses are those of store/db/jobs/unit_law.h; what an operation costs the server was
// measured. docs/scaling.md has the model, what was measured, and what comes out.
#pragma once

#include "agents/options.h"

#include <stdatomic.h>

// Ends at the same moment for all: when every game is stored, or was set aside.
typedef struct {
    double seconds;          // until then
    double ideal;            // if all slots had played all the time
    double mean_game;        // seconds of play
    double busy, busy_last;  // part of the time slots played: until the last minute, and in it
    uint64_t games, units;   // stored
    uint64_t aside, doubled; // games set aside, and stored twice: never
    double units_a_second;   // mean
    double seconds_a_unit;   // mean of those stored
    double cpu, disk;        // part of the time all cores, or the disk that takes the log, were busy
    double cpu_peak;         // cpu in the busiest second
    double claim_median_ms;  // from a unit's end to the next one
    double claim_p99_ms;
    double lost;                  // seconds of play that were not stored
    uint64_t losses, expired;     // workers that were lost, leases that ran out
    uint64_t beats, polls, lates; // signs of life; looks for work, and those of them that found all of it locked
    uint64_t failed;              // operations that the server did not answer
} FleetResult;

// What can be said of a fleet, for options_parse.
extern const AgentOption fleet_options[];

// STATUS_INTERRUPTED when `stop` was raised; STATUS_FAILED where the job does not come to an end.
Status fleet_run(const OptionValues *options, const atomic_bool *stop, FleetResult *result, Error *error);
