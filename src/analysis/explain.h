// What a turn does, in words for players: at most three short sentences, the most important first. All of it are facts
// of the position (analysis/effects.h), for any recommending agent.
#pragma once

#include "agents/agent.h"

enum { EXPLAIN_SENTENCES = 3 };

// Adds the sentences on a whole turn of an agent, which is legal, and on what the agent has proven about the game, with
// `between` between two of them: a blank or a line end. There is always one at least.
void explain_decision(const Game *game, const Decision *decision, const char *between, Text *text);

// The same, with other names for the sides than X and O.
void explain_decision_as(const Game *game, const Decision *decision, const char *const names[2], const char *between,
                         Text *text);
