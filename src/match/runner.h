// Plays the games of a schedule concurrently. A game depends only on the master seed and its number, so the records are
// the same for any number of jobs (with budgets in nodes or depth).
#pragma once

#include "match/duel.h"
#include "match/openings.h"
#include "match/schedule.h"

typedef struct {
    Rules rules;
    const char *const *agents; // schedule.agents texts, as on the command line
    Schedule schedule;
    const Openings *openings; // NULL or empty: start from the empty board
    DuelLimits limits;
    uint64_t seed;
    unsigned from, to; // only games from <= number < to; `to` 0: all
    unsigned jobs;     // concurrent games, at least 1
    AgentHost host;
    const atomic_bool *stop; // raised by the user; games in progress are abandoned
    const DuelWatch *watch;  // NULL: none
} RunnerConfig;

// Receives the games. The functions are never called concurrently.
typedef struct {
    void *context;
    // Whether a game has been played before (a resumed match); NULL: none has.
    bool (*is_played)(void *context, unsigned number);
    // Stores a game as soon as it is finished, in any order; a failure ends the match.
    Status (*finished)(void *context, const Duel *duel, Error *error);
    // Called in order of numbers for each finished game that was not played before. True ends the match.
    bool (*published)(void *context, const Duel *duel);
} RunnerSink;

// STATUS_INTERRUPTED if `stop` was raised.
Status runner_run(const RunnerConfig *config, const RunnerSink *sink, Error *error);
