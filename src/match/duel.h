// One game between two agents, with clocks, faults and adjudication.
#pragma once

#include "match/outcome.h"
#include "match/own_counts.h"

// Wall-clock time in seconds by which an answer may be late before it loses on time, for the noise of a scheduler. Late
// turns within the tolerance are counted.
#define DUEL_TOLERANCE 0.1

// Ends games early when both players agree about the result by their scores, each in its own unit. 0 turns: off.
typedef struct {
    unsigned
        resign_turns;    // a side loses if in so many of its turns its score is at most -resign_score, and that of the
    double resign_score; // other side at least resign_score
    unsigned draw_turns; // a draw if in so many turns of each side its score is from -draw_score to draw_score
    double draw_score;
    unsigned draw_from; // not before this many turns of both sides together
} Adjudication;

typedef struct {
    double turn_seconds;  // per turn; 0: no limit
    double clock_seconds; // per game and side; 0: no clock
    double increment;     // seconds added to the clock after each turn
    uint64_t nodes;       // per turn; 0: no limit
    unsigned depth;       // in stones; 0: no limit
    unsigned max_turns;   // of both sides together, then the game is a draw; 0: no limit
    Adjudication adjudication;
} DuelLimits;

typedef struct {
    unsigned number;    // in its match
    unsigned agents[2]; // first and second player, as indices of the match's agents
    unsigned opening;   // from 0
    uint64_t seed;      // of the game
    Result result;
    Reason reason;
    Fault fault;                 // of the loser
    Side faulty;                 // the loser
    char words[FAULT_TEXT_SIZE]; // details of the fault
    Game game;                   // including the opening
    unsigned opening_stones;     // number of stones of the opening
    int32_t ms[RULES_CELLS_MAX]; // of each stone: the first of a turn has the time of the turn, rounded so that the sum
                                 // of a side is right; -1 for the opening
    unsigned turns[2];           // decided by each side
    double seconds[2];           // taken by each side
    double slowest[2];           // longest turn of each side
    unsigned late[2];            // turns over the limit, but within the tolerance
    int64_t ended;               // when the game ended, in ms since 1970
    OwnCounts own[2];            // counts that each agent reported about its turns
} Duel;

// Observes games. The threads that play call `update` concurrently: after the opening, after every turn and at the end,
// with the seconds left on the clocks, if there are clocks. `slot` is the number of the thread, from 0 to jobs - 1. The
// duel is borrowed.
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

// Plays from duel->game (the opening) to the end; number, agents, opening and seed are inputs. The agents' random
// numbers derive from duel->seed. RESULT_NONE with REASON_STOPPED if `stop` was raised.
void duel_play(Duel *duel, const DuelSetup *setup);

// Ends the game before its first turn because this side could not be started.
void duel_forfeit(Duel *duel, Side side, Fault fault, const char *words);
