// Wins that the threat-space search of Liu and Lin claims (papers/kagami/threat_space.h), held against the exact
// search: it counts threats by a table that is sometimes too high.
#pragma once

#include "threats/search/double_threat.h"

typedef enum {
    CLAIM_HOLDS,
    CLAIM_REFUTED, // the turn leaves the defender a stone, or an answer after which there is no win by double threats
    CLAIM_OPEN,    // the exact search came to no end within its limits
} Claim;

// Plays the claimed first turn and every smallest answer to it, and looks for a win after each; the limits are those of
// one such search, with no deadline.
Claim claim_check(DoubleThreat *exact, const Board *board, const CellSet *turn, const Limits *limits);
