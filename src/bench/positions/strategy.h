// Checks claimed wins with free stones by plain rules: the walk of a double-threat search is a strategy, positions with
// a turn each, which is played against the replies of the defender. It knows nothing of zones and shares only the board
// with the search.
//
// There are two boards. One has all stones, the other those that the strategy knows: after a reply these are some of
// its cells. The attacker may choose any part of a reply that leads to a position with a turn; one that works suffices.
// Stones are never removed, so such a strategy wins.
#pragma once

#include "threats/search/double_threat.h"

typedef struct {
    uint64_t positions; // that the strategy has
    uint64_t replies;   // of the defender that were tried
    const char *fault;  // the fault; NULL: none
    bool is_unfinished; // no fault up to the limit of replies
} StrategyCheck;

typedef enum {
    REPLIES_ALL,      // every set of empty cells
    REPLIES_STOPPING, // those that stop all threats, for large boards
} StrategyReplies;

// Checks the last win that the search found on the board, with at most this many replies; 0: no limit.
StrategyCheck strategy_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result,
                             StrategyReplies replies, uint64_t most);
