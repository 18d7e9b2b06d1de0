// The results of a match or tournament as they come in: tallies, pairs, faults, times.
#pragma once

#include "match/duel.h"
#include "match/schedule.h"
#include "match/stats.h"

typedef struct {
    unsigned illegal, timeout, crash;
} FaultCounts;

// A number of an agent's own in each of its games that reported it.
typedef struct {
    char name[OWN_COUNT_NAME_SIZE];
    Sample sample;
} AgentSample;

typedef struct {
    FaultCounts faults;
    uint64_t turns;
    double seconds;
    double slowest; // longest turn
    uint64_t late;  // turns over the limit, within the tolerance
    unsigned own_count;
    AgentSample own[DECISION_COUNTS_MAX]; // what the agent counts about its own turns, by name
} AgentCounts;

// What is counted of a game; a Duel has more, and a stored game has less.
typedef struct {
    unsigned number;
    Result result;
    Fault fault;
    Side faulty;
    unsigned length; // turns on the board, also those that were given
    unsigned turns[2];
    double seconds[2], slowest[2];
    unsigned late[2];
    OwnCounts own[2];
} GameCounts;

typedef struct {
    Schedule schedule;
    unsigned games;    // counted so far
    HeadToHead *pairs; // of each pair of agents, seen from the one that comes first
    Tally *table;      // [i * agents + j]: i as first player against j, seen from i
    Sample *lengths;   // of the games of each pair
    AgentCounts *agents;
    int8_t *half_points; // of each game, the first-named agent's; -1 before it is played
} Results;

void results_open(Results *results, const Schedule *schedule);
void results_close(Results *results);

GameCounts results_counts_of(const Duel *duel);

// The number of turns of that many stones from the empty board; the last may not be whole.
unsigned results_length(const Rules *rules, unsigned stones);

// Counts a game; each number once.
void results_add(Results *results, const GameCounts *game);

bool results_has(const Results *results, unsigned number);

// A number of an agent's own over its games; no games where none reported it.
Sample results_own(const Results *results, unsigned agent, const char *name);

// All games of an agent against all others.
Tally results_of_agent(const Results *results, unsigned agent);
