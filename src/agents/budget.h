// What a turn may cost, and how long it should take: one rule, which agents ask with the limits of a match and
// protocols with those of a manager (protocols/engine.h).
#pragma once

#include "game/board.h"

// What a turn may cost; 0 is no limit. An agent keeps to those limits that mean something to it.
typedef struct {
    double seconds;   // wall-clock time of the whole turn
    uint64_t nodes;   // positions examined
    unsigned depth;   // stones looked ahead
    double clock[2];  // seconds each side has left for the whole game
    double increment; // seconds the clock gains with each turn
} Budget;

// Seconds of a turn; INFINITY is no limit.
typedef struct {
    double usual; // what a turn like any other gets
    double most;  // what one may take that needs it
} BudgetSeconds;

// What the budget means for a turn of the side to move, at least BUDGET_LEAST.
//
// 1. Of every limit a margin is kept back, for what a search does between two looks at the clock: 2 ms and 2 % of it,
//    at most 0.3 s and at most half of it.
// 2. Of a clock for the whole game a turn gets an equal share of the turns to come, and most of the increment. Games
// end
//    long before the board is full: it is shared by 20 turns at most, and the share of what is left grows again when
//    the game continues. A turn that needs it may take three shares, as long as a good part of the clock is left.
// 3. A turn with a limit of its own takes that, or what the clock gives if it is less. A limit as large as the clock is
//    none of its own.
#define BUDGET_LEAST 0.0005
BudgetSeconds budget_seconds(const Budget *budget, const Board *board);

// The moment (clock_seconds) at which a turn that begins now should be given; 0 is no limit.
double budget_deadline(const Budget *budget, const Board *board);
