// Boards to measure on: what games of an agent against itself look like after some stones.
#pragma once

#include "agents/agent.h"

// Fills `boards` with `count` games of so many stones that nobody has won yet; false when they cannot be had.
bool boards_play(Agent *agent, const Rules *rules, unsigned stones, Game *boards, unsigned count);
