// Boards to measure on: what games of an agent against itself look like after some stones.
#pragma once

#include "agents/agent.h"

// Fills `boards` with `count` undecided games of this many stones; false if they cannot be made.
bool boards_play(Agent *agent, const Rules *rules, unsigned stones, Game *boards, unsigned count);
