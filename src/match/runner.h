// Plays the games of a schedule, several at a time. A game depends on the master seed and its number alone, so the
// records are the same whatever the number of jobs (with budgets in nodes or depth).
#pragma once

#include "match/duel.h"
#include "match/openings.h"
#include "match/schedule.h"

// Somebody who looks on while games are played, by the threads that play them: `slot` is the place of the thread, from
// 0 to jobs - 1, and plays one game after another. Unlike a RunnerSink it is called by all of them at once.
typedef struct {
    void *context;
    void (*told)(void *context, unsigned slot, const Duel *duel, const double clock[2]);
} RunnerWatch;

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
    const atomic_bool *stop;  // raised by the user; games in progress are given up
    const RunnerWatch *watch; // NULL: nobody
} RunnerConfig;

// Who is told. The runner locks: functions are never called at the same time.
typedef struct {
    void *context;
    // Whether a game has been played before (a match resumed); NULL: none has.
    bool (*is_played)(void *context, unsigned number);
    // Each game as soon as it is finished, in whatever order; a failure ends the match. This is the place to keep it.
    Status (*finished)(void *context, const Duel *duel, Error *error);
    // Called in order of numbers for each finished game that was not played before. True: enough, stop here.
    bool (*published)(void *context, const Duel *duel);
} RunnerSink;

// STATUS_INTERRUPTED when `stop` ended it.
Status runner_run(const RunnerConfig *config, const RunnerSink *sink, Error *error);
