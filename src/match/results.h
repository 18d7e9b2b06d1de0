// The results of a match or tournament while it is played: tallies, pairs, faults, times.
#pragma once

#include "match/duel.h"
#include "match/schedule.h"
#include "match/stats.h"

typedef struct {
    unsigned illegal, timeout, crash;
} FaultCounts;

// One of an agent's own counts, sampled over the games that reported it.
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
    AgentSample own[DECISION_COUNTS_MAX]; // the agent's own counts
} AgentCounts;

// The data of a game that are counted; a Duel has more, a stored game has less.
typedef struct {
    unsigned number;
    Result result;
    Fault fault;
    Side faulty;
    bool by_score;   // adjudicated by the players' scores
    int64_t ended;   // in ms since 1970; 0: unknown
    unsigned length; // turns on the board, including the opening
    unsigned turns[2];
    double seconds[2], slowest[2];
    unsigned late[2];
    OwnCounts own[2];
} GameCounts;

typedef struct {
    Schedule schedule;
    unsigned games;    // counted so far
    HeadToHead *pairs; // of each pair of agents, from the view of the one with the lower index
    Tally *table;      // [i * agents + j]: i as first player against j, from i's view
    Sample *lengths;   // of the games of each pair
    AgentCounts *agents;
    unsigned resigned, agreed; // games won, or drawn, by the players' scores
    int64_t *ended;            // when each game ended, in ms since 1970; 0: unknown
    int8_t *half_points;       // of each game, for the agent with the lower index; -1 before it is played
} Results;

void results_open(Results *results, const Schedule *schedule);
void results_close(Results *results);

GameCounts results_counts_of(const Duel *duel);

// The number of turns of `stones` stones from the empty board; an incomplete turn counts.
unsigned results_length(const Rules *rules, unsigned stones);

// Counts a game; each number at most once.
void results_add(Results *results, const GameCounts *game);

bool results_has(const Results *results, unsigned number);

// One of an agent's own counts over its games; an empty sample if none reported it.
Sample results_own(const Results *results, unsigned agent, const char *name);

// All games of an agent against all others.
Tally results_of_agent(const Results *results, unsigned agent);
