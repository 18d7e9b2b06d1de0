// What is to be played: a tournament file, or the same from a command line.
//
//     # a comment
//     game connect6
//     agents random adjacent adjacent:reach=2     (or an `agent` line each, which may have blanks)
//     format roundrobin                           (or gauntlet: the first against the others; or ladder: each
//                                                  against the next)
//     games 20                                    (for each pair)
//     openings 10                                 (made by krow, or the name of a file)
//     time 0.5                                    (seconds a turn)
//     clock 60+1                                  (seconds a game, and what a turn adds)
//     nodes 10000
//     depth 4
//     turns 120                                   (a draw after that many turns of both)
//     seed 7
#pragma once

#include "match/runner.h"

enum { TOURNAMENT_AGENTS_MAX = 200, TOURNAMENT_GAMES_MAX = 1000000 };

typedef struct {
    Rules rules;
    bool has_rules;
    char **agents; // owned
    unsigned agent_count;
    ScheduleFormat format;
    unsigned games;      // for each pair
    char *openings_file; // owned; NULL: none
    unsigned openings;   // to be made, 0: none
    DuelLimits limits;
    uint64_t seed;
} Tournament;

void tournament_init(Tournament *event); // everything as where nothing is said: round robin, 2 games a pair, seed 1
void tournament_close(Tournament *event);

const char *tournament_format_name(ScheduleFormat format); // "roundrobin", "gauntlet", "ladder"

Status tournament_add_agent(Tournament *event, Span name, Error *error);

// "60" or "60+0.5".
Status tournament_parse_clock(Span text, DuelLimits *limits, Error *error);

// Reads a tournament file over what the event says already. Errors name the line and the word.
Status tournament_read(Tournament *event, Span text, Error *error);

// Whether it can be played: a game, at least two agents that exist and play it, something to play.
Status tournament_check(const Tournament *event, const AgentHost *host, Error *error);

// The event in one canonical text, in which `openings` stands for those that are played: two events with the same text
// play the same games.
void tournament_write(const Tournament *event, const Openings *openings, Text *text);
