// The referee: plays a decided turn, or reports why it is illegal.
#pragma once

#include "agents/agent.h"

// Plays the stones of a turn. A turn must have all remaining stones, or end with a win. On a fault (the agent's own, or
// found here) earlier stones stay on the board and the error describes it: an event of the game, not of the program.
Status referee_play(Game *game, const Decision *decision, Error *error);

// Asks an agent for its turn and tries it on a copy of the game. STATUS_FAILED for a fault; the error names the agent.
Status referee_ask(Agent *agent, const Game *game, const AgentTask *task, Decision *decision, Error *error);
