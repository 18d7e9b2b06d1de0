// Plays whole games between agents, for tests of all agents in the registry. Needs no test library, so threads can use
// it.
#pragma once

#include "match/referee.h"

// Cheap enough that every agent can be played everywhere; counted in nodes, never in time, so that games repeat.
Budget play_budget(void);

// Plays a game to its end with one kind on both sides, through the referee. `game` must be started. The error says
// which turn was wrong.
Status play_to_the_end(Game *game, const AgentKind *kind, uint64_t seed, const atomic_bool *stop, Error *error);
