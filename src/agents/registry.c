// The registry of agents, made from agents.def, or from another list if the build defines KROW_AGENTS.
#include "agents/agent.h"

#define AGENT(name, folder) &agent_##name,
const AgentKind *const agent_kinds[] = {
#include KROW_AGENTS
};
#undef AGENT

const int agent_kind_count = (int)(sizeof agent_kinds / sizeof agent_kinds[0]);

const AgentKind *agent_find(Span name)
{
    for (int i = 0; i < agent_kind_count; i++)
        if (span_is(name, agent_kinds[i]->name))
            return agent_kinds[i];
    return NULL;
}

bool agent_plays_alone(const AgentKind *kind, const Rules *rules)
{
    return !kind->takes_command && (kind->plays == NULL || kind->plays(rules));
}

const AgentKind *agent_best(const Rules *rules)
{
    for (int i = agent_kind_count - 1; i > 0; i--)
        if (agent_plays_alone(agent_kinds[i], rules))
            return agent_kinds[i];
    return agent_kinds[0];
}
