// Plays the games of a schedule, several at a time. A game depends on the master seed and its number alone, so the
// records are the same for any number of jobs (with budgets in nodes or depth).
#pragma once

#include "match/duel.h"
#include "match/openings.h"
#include "match/schedule.h"

typedef struct {
    Rules rules;
    const char *const *agents; // schedule.agents names, as on the command line
    Schedule schedule;
    const Openings *openings; // NULL or empty: the empty board
    DuelLimits limits;
    uint64_t seed;
    unsigned from, to; // only the games from one number to before another; `to` 0: all
    unsigned jobs;     // games at once, at least 1
    AgentHost host;
    const atomic_bool *stop; // raised by the user; games in progress are given up
    const DuelWatch *watch;  // NULL: none
} RunnerConfig;

// Receives the games. The runner locks: functions are never called at the same time.
typedef struct {
    void *context;
    // Whether a game has been played before (a match resumed); NULL: none has.
    bool (*is_played)(void *context, unsigned number);
    // Each game as soon as it is finished, in any order; a failure ends the match. This is the place to store it.
    Status (*finished)(void *context, const Duel *duel, Error *error);
    // Called in order of numbers for each finished game that was not played before. True: enough, stop here.
    bool (*published)(void *context, const Duel *duel);
} RunnerSink;

// STATUS_INTERRUPTED when `stop` ended it.
Status runner_run(const RunnerConfig *config, const RunnerSink *sink, Error *error);
