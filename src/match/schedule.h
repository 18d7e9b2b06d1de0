// Pairings: the games of a match or tournament in a fixed order, each determined by its number.
#pragma once

#include <stdbool.h>

typedef enum {
    SCHEDULE_ROUND_ROBIN, // each agent against all others
    SCHEDULE_GAUNTLET,    // the first against each of the others
    SCHEDULE_LADDER,      // each against the next
} ScheduleFormat;

typedef struct {
    ScheduleFormat format;
    unsigned agents;   // at least 2
    unsigned games;    // for each pair, at least 1
    unsigned openings; // number available; pairs of games use them in rotation, 0 is the same as 1
} Schedule;

typedef struct {
    unsigned pair;    // index of the pair of agents
    unsigned a, b;    // the agents; a < b
    bool reversed;    // b plays first
    unsigned opening; // from 0
} ScheduledGame;

unsigned schedule_pairs(const Schedule *schedule);
unsigned schedule_games(const Schedule *schedule); // total

// Game number n, from 0. Games 2i and 2i + 1 have the same agents and opening with colours reversed. The pairs of
// agents take turns, so that all advance together.
ScheduledGame schedule_game(const Schedule *schedule, unsigned number);
