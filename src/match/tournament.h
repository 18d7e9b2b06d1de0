// The description of a match or tournament, from a file or the command line:
//
//     # a comment
//     game connect6
//     agents random adjacent adjacent:reach=2     (or an `agent` line for each, which may contain blanks)
//     format roundrobin                           (or gauntlet: the first against the others; or ladder: each
//                                                  against the next)
//     games 20                                    (for each pair)
//     openings 10                                 (number to generate: balanced ones, or `10 random`; or a file)
//     order random                                (of the openings; or sequential)
//     start 5                                     (the first opening to use, from 1)
//     time 0.5                                    (seconds per turn)
//     clock 60+1                                  (seconds per game + seconds added after each turn)
//     nodes 10000
//     depth 4
//     turns 120                                   (of both sides, then the game is a draw)
//     resign 4 10                                 (turns and score; see Adjudication)
//     draw 6 0.5 40                               (turns, score and, if wanted, turns before)
//     sprt 0 10 alpha=0.05 beta=0.05 model=normalised    (of a match of two)
//     seed 7
#pragma once

#include "match/runner.h"
#include "match/stats.h"

enum { TOURNAMENT_AGENTS_MAX = 200, TOURNAMENT_GAMES_MAX = 1000000 };

typedef struct {
    Rules rules;
    bool has_rules;
    char **agents; // owned; as on the command line
    char **names;  // owned; of the players, for tables and files (agent_player_name)
    unsigned agent_count;
    ScheduleFormat format;
    unsigned games;      // for each pair
    char *openings_file; // owned; NULL: none
    unsigned openings;   // to generate, 0: none
    bool balanced;       // generate openings that are balanced for both sides
    bool random_order;   // of the openings
    unsigned start;      // the first opening to use, from 1; 0 is the same as 1
    DuelLimits limits;
    bool has_sprt; // not part of tournament_write: it ends a match, but does not change its games
    Sprt sprt;
    uint64_t seed;
} Tournament;

void tournament_init(Tournament *event); // the defaults: round robin, 2 games per pair, seed 1
void tournament_close(Tournament *event);

const char *tournament_format_name(ScheduleFormat format); // "roundrobin", "gauntlet", "ladder"

Status tournament_add_agent(Tournament *event, Span name, Error *error);

// "60" or "60+0.5".
Status tournament_parse_clock(Span text, DuelLimits *limits, Error *error);

// The values of `resign`, `draw` and `sprt`; commas separate values like blanks.
Status tournament_parse_resign(Span text, Adjudication *rule, Error *error);
Status tournament_parse_draw(Span text, Adjudication *rule, Error *error);
Status tournament_parse_sprt(Span text, Sprt *sprt, Error *error);

// Reads a tournament file; its keys replace the event's values. Errors name the line and the word.
Status tournament_read(Tournament *event, Span text, Error *error);

// Whether it can be played: a game, at least two agents that can be opened, not too many games.
Status tournament_check(const Tournament *event, const AgentHost *host, Error *error);

// The event as one canonical text, in which a fingerprint of `openings` stands for them: two events with the same text
// play the same games.
void tournament_write(const Tournament *event, const Openings *openings, Text *text);
