// Claimed wins with free stones, checked by plain rules: what the walk of a double-threat search shows is taken as a
// strategy, positions with a turn for each, and played against the replies of the defender. It knows nothing of zones
// and shares nothing with the search but the board.
//
// Two boards are kept. One has all stones. The other has those that the strategy knows of: after a reply these are some
// of its cells, and the rest is left out. The attacker may take any part of a reply that leads to a position with a
// turn, and one that works is enough. As stones only come, such a strategy wins.
#pragma once

#include "threats/search/double_threat.h"

typedef struct {
    uint64_t positions; // that the strategy has
    uint64_t replies;   // of the defender that were tried
    const char *fault;  // what is wrong, NULL: nothing
    bool is_unfinished; // there was no fault up to the greatest number of replies
} StrategyCheck;

typedef enum {
    REPLIES_ALL,      // every set of empty cells
    REPLIES_STOPPING, // those that stop all threats, which is what large boards have time for
} StrategyReplies;

// Checks the win that the search found last, on the board it was given, with at most this many replies; 0: no limit.
StrategyCheck strategy_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result,
                             StrategyReplies replies, uint64_t most);
