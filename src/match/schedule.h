// Who plays whom: games of a match or tournament in a fixed order, each known by its number alone.
#pragma once

#include <stdbool.h>

typedef enum {
    SCHEDULE_ROUND_ROBIN, // everybody against everybody
    SCHEDULE_GAUNTLET,    // the first against the others
    SCHEDULE_LADDER,      // each against the next
} ScheduleFormat;

typedef struct {
    ScheduleFormat format;
    unsigned agents;   // at least 2
    unsigned games;    // for each pair, at least 1
    unsigned openings; // how many there are; pairs of games take them in turn, 0 is as 1
} Schedule;

typedef struct {
    unsigned pair;    // which two agents, from 0
    unsigned a, b;    // the agents; a < b
    bool reversed;    // b plays first
    unsigned opening; // from 0
} ScheduledGame;

unsigned schedule_pairs(const Schedule *schedule);
unsigned schedule_games(const Schedule *schedule); // in all

// Game number n, from 0. Games 2i and 2i + 1 of a pair of agents are one opening with colours reversed and come one
// after the other; then the next pair of agents has its turn, so that all advance together.
ScheduledGame schedule_game(const Schedule *schedule, unsigned number);
