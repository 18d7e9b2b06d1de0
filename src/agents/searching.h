// The search that can be put under every agent that rates cells (Levin et al. §4), by options all of them have:
// adjacent:depth=4,width=8. agents/search/minimax.h says how it searches.
#pragma once

#include "agents/agent.h"

// depth, width, deepening, table: after an agent's own options.
extern const AgentOption searching_options[];

// Opens the search if the options want one; depth=0 is none.
Status searching_open(Agent *agent, Error *error);

// Decides a turn: the stones of the turn in the play that the search expects. Where it does not see the end of the
// turn, it searches again from there.
void searching_decide(Agent *agent, const Game *game, const AgentTask *task, Decision *decision);
