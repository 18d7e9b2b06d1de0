// The referee: puts a decided turn on the board, or says why it cannot be.
#pragma once

#include "agents/agent.h"

// Plays the stones of a turn. A turn must have exactly the stones that are left in it, or end with a win. On a fault
// (of the agent itself, or found here) the stones before it stay on the board and the error says what was wrong: an
// event of the game, not of the program.
Status referee_play(Game *game, const Decision *decision, Error *error);

// Asks an agent for its turn, and tries it on a copy of the game. STATUS_FAILED on a fault; the error names the agent.
Status referee_ask(Agent *agent, const Game *game, const AgentTask *task, Decision *decision, Error *error);
