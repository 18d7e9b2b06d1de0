// The referee: puts a decided turn on the board, or says why it cannot be.
#pragma once

#include "agents/agent.h"

// Plays the stones of a turn. A turn must have exactly the stones that are left in it, or end with a win. On a fault
// (of the agent itself, or found here) the stones before it stay on the board and the error says what was wrong: an
// event of the game, not of the program.
Status referee_play(Game *game, const Decision *decision, Error *error);
