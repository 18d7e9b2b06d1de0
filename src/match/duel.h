// One game between two agents, with clocks, faults and adjudication.
#pragma once

#include "match/outcome.h"
#include "match/own_counts.h"

// Wall-clock time an answer may come late before it is a loss on time: the noise of a scheduler. Turns over the limit
// but within the tolerance are counted.
#define DUEL_TOLERANCE 0.1

typedef struct {
    double turn_seconds;  // a turn; 0: no limit
    double clock_seconds; // a game and side; 0: no clock
    double increment;     // what the clock gains with each turn
    uint64_t nodes;       // a turn; 0: no limit
    unsigned depth;       // stones; 0: no limit
    unsigned max_turns;   // of both together, then the game is a draw; 0: no limit
} DuelLimits;

// One game.
typedef struct {
    unsigned number;    // in its match
    unsigned agents[2]; // first and second player, as numbers of the match's agents
    unsigned opening;   // number of the opening, counted from 0
    uint64_t seed;      // of the game
    Result result;
    Reason reason;
    Fault fault;                 // of the loser
    Side faulty;                 // the side at fault
    char words[FAULT_TEXT_SIZE]; // details of the fault
    Game game;                   // with the stones of the opening
    unsigned opening_stones;     // how many of the stones were given
    int32_t ms[RULES_CELLS_MAX]; // of each stone; the whole turn counts for its first stone, -1 for given ones
    unsigned turns[2];           // decided by each side
    double seconds[2];           // taken by each side
    double slowest[2];           // longest turn of each side
    unsigned late[2];            // turns over the limit, but within the tolerance
    OwnCounts own[2];            // what each side's agent counted about its turns
} Duel;

// Follows games. It is called by the threads that play them, several at once, after the opening, after every turn and
// at the end, with the seconds left on the clocks, if the game has clocks. `slot` is the number of the thread, from 0
// to jobs - 1. The duel is borrowed.
typedef struct {
    void *context;
    void (*update)(void *context, unsigned slot, const Duel *duel, const double clock[2]);
} DuelWatch;

typedef struct {
    Agent *agents[2]; // first and second player
    const DuelLimits *limits;
    const atomic_bool *stop; // NULL: never stopped
    const DuelWatch *watch;  // NULL: none
    unsigned slot;           // for the watch
} DuelSetup;

// Plays from duel->game (the opening) to the end; number, agents, opening and seed are kept. Agents get their random
// numbers from duel->seed. RESULT_NONE with REASON_STOPPED when `stop` was raised.
void duel_play(Duel *duel, const DuelSetup *setup);

// The game is over before it began: this side could not be started.
void duel_forfeit(Duel *duel, Side side, Fault fault, const char *words);
