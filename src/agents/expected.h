// A turn made of the principal variation of a search: its first stones are those of the turn, and the decision reports
// the score of the turn's first search. Where the variation has fewer stones than the turn, the agent searches again
// from there.
#pragma once

#include "agents/agent.h"
#include "agents/search/negamax.h"

// Adds the stones of the turn from the principal variation, and plays them on `after`, where the side moves. The score
// is the value of the result in the agent's own unit.
void expected_add(const NegamaxResult *result, double score, Board *after, Decision *decision);

// The nodes left for the next search of a turn, at least 1; 0 if they have no limit.
uint64_t expected_nodes_left(uint64_t nodes, const Decision *decision);
