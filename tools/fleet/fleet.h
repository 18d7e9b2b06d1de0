// A simulation of many workers and one server: how long they would wait for each other if there were thousands of
// workers. Events are simulated without a clock, so the same options give the same numbers everywhere. Unit sizes,
// leases, heartbeats and pauses are those of store/db/jobs/unit_policy.h; the costs of operations on the server were
// measured. docs/scaling.md describes the model, the measurements and the results.
#pragma once

#include "agents/options.h"

#include <stdatomic.h>

// The job ends when every game is stored or has failed finally.
typedef struct {
    double seconds;          // duration of the job
    double ideal;            // duration if all slots had played all the time
    double mean_game;        // seconds of play
    double busy, busy_last;  // share of the time slots played: until the last minute, and in it
    uint64_t games, units;   // stored
    uint64_t aside, doubled; // games that failed finally, games stored twice (must be 0)
    double units_a_second;   // mean
    double seconds_a_unit;   // mean of those stored
    double cpu, disk;        // share of the time that all cores, or the disk with the log, were busy
    double cpu_peak;         // cpu in the busiest second
    double claim_median_ms;  // from a unit's end to the next one
    double claim_p99_ms;
    double lost;                  // seconds of play that were not stored
    uint64_t losses, expired;     // lost workers, expired leases
    uint64_t beats, polls, lates; // heartbeats; polls for work, and polls that found all work locked
    uint64_t failed;              // operations without an answer of the server
} FleetResult;

// The options of a fleet, for options_parse.
extern const AgentOption fleet_options[];

// STATUS_INTERRUPTED if `stop` was set; STATUS_FAILED if the job does not end.
Status fleet_run(const OptionValues *options, const atomic_bool *stop, FleetResult *result, Error *error);
