// A game played in the terminal, by any mix of people and agents.
#pragma once

#include "agents/agent.h"
#include "cli/prompt.h"
#include "store/files/gamefile.h"

typedef struct {
    bool is_human;
    Agent agent;
    Rng rng;
} Player;

typedef struct {
    GameFile file; // the game, and who plays it
    Player players[2];
    Budget budget; // of each turn of an agent
    AgentHost host;
    uint64_t seed;    // each agent of each game derives its own random numbers from it
    unsigned changes; // how often the game or its players were replaced
    Prompt prompt;
    Text autosave;  // file of the game after every turn; empty: none
    bool quiet;     // no messages during the game
    unsigned drawn; // stones on the board when it was last drawn, UINT_MAX before
    bool left;      // a person said quit
    bool silent;    // not even the last board: the caller reports the game
    unsigned undone_count;
    Cell undone[RULES_CELLS_MAX]; // stones that were taken back; the last one is played again first
} Session;

// Opens the players named in session->file.
Status session_open(Session *session, Error *error);

// Plays to the end, or until a human quits; an unfinished game is saved. On a terminal a person can go on after the end
// with another game. STATUS_INTERRUPTED after Ctrl-C, STATUS_IO at the end of the input.
Status session_run(Session *session, Error *error);

void session_close(Session *session);

// The level that people play against unless they choose another opponent: the middle one.
unsigned session_level(const Rules *rules);
