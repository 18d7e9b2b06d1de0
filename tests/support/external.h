// External engines in tests: opened, asked and closed. The engine is support/fake_engine.c.
#pragma once

#include "external/external.h"

static const double ample = 60; // seconds that are never used up

Status open_engine(Agent *agent, const char *game, const char *arguments, bool sandboxed, Error *error);
ExternalEngine *engine_of(const Agent *agent);
void decide(Agent *agent, const Game *game, Budget budget, Decision *decision);

// Plays on with the agent on both sides, or only on one while the last legal cells are played for the other.
void play_out(Agent *agent, Game *game, bool both, unsigned most);

// Closes the agent, and makes sure that no process of the engine is left.
void close_agent(Agent *agent);
