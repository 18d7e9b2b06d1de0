// Builds a turn from the principal variation of a search. The decision reports the score of the first search of the
// turn. If the variation has fewer stones than the turn, the agent searches again from there.
#pragma once

#include "agents/agent.h"
#include "agents/search/negamax.h"

// Adds the stones of the turn from the principal variation and plays them on `after`. `score` is the value of the
// result in the agent's own unit.
void expected_add(const NegamaxResult *result, double score, Board *after, Decision *decision);

// The nodes left for the next search of a turn, at least 1; 0 means no limit.
uint64_t expected_nodes_left(uint64_t nodes, const Decision *decision);
