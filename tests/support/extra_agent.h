// Adds a test agent to the registry, for code that finds agents by name. Only for executables linked with
// --wrap=agent_find (tests/meson.build).
#pragma once

#include "agents/agent.h"

// From now on agent_find finds this agent, too. It must live as long as the test.
void extra_agent_add(const AgentKind *kind);
