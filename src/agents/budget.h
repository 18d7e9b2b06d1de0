// The budget of a turn and the time to use for it: one rule for the limits of a match and for those that a protocol
// receives (protocols/engine.h).
#pragma once

#include "game/board.h"

// The budget of a turn; 0 means no limit.
typedef struct {
    double seconds;   // wall-clock time of the whole turn
    uint64_t nodes;   // positions to examine
    unsigned depth;   // search depth in stones
    double clock[2];  // seconds each side has left for the whole game
    double increment; // seconds the clock gains with each turn
} Budget;

// Seconds for a turn; INFINITY means no limit.
typedef struct {
    double usual; // time for a normal turn
    double most;  // upper limit for a turn that needs more
} BudgetSeconds;

// The time for a turn of the side to move, at least BUDGET_LEAST.
//
// 1. A margin is subtracted from every limit, for the time between two checks of the clock: 2 ms plus 2 %, at most 0.3
//    s and at most half of the limit.
// 2. From a clock for the whole game, a turn gets an equal share of the expected turns, plus most of the increment.
//    Games end long before the board is full, so the clock is divided by at most 20 turns. A turn that needs more may
//    take three shares, at most 30 % of the clock.
// 3. A limit per turn that is shorter than the clock bounds both times.
#define BUDGET_LEAST 0.0005
BudgetSeconds budget_seconds(const Budget *budget, const Board *board);

// The moment (clock_seconds) by which a turn that starts now should be decided; 0 means no limit.
double budget_deadline(const Budget *budget, const Board *board);
