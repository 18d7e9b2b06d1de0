// Describes the effects of a turn for players in at most three short sentences, the most important first. They state
// facts of the position (analysis/effects.h), whichever agent recommends the turn.
#pragma once

#include "agents/agent.h"

enum { EXPLAIN_SENTENCES = 3 };

// Adds sentences on a legal whole turn of an agent and on what it has proven, with `between` between them: a blank or a
// line end. Adds at least one.
void explain_decision(const Game *game, const Decision *decision, const char *between, Text *text);

// The same, with other names for the sides than X and O.
void explain_decision_as(const Game *game, const Decision *decision, const char *const names[2], const char *between,
                         Text *text);
