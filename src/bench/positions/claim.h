// Checks wins claimed by the threat-space search of Liu and Lin (papers/kagami/threat_space.h) with the exact search:
// that search counts threats by a table that is sometimes too high.
#pragma once

#include "threats/search/double_threat.h"

typedef enum {
    CLAIM_HOLDS,
    CLAIM_REFUTED, // the turn leaves the defender a stone, or an answer after which there is no win by double threats
    CLAIM_OPEN,    // the exact search reached its limits
} Claim;

// Plays the claimed first turn and every smallest answer to it, and searches for a win after each; the limits are those
// of one search, without deadline.
Claim claim_check(DoubleThreat *exact, const Board *board, const CellSet *turn, const Limits *limits);
