// The final agent of Kulev and Wu (section 6): `alphabeta` with the authors' final settings.
#include "papers/connect5/alphabeta_agent.h"

static const AgentOption options[] = ALPHABETA_AGENT_OPTIONS("simple", "simple", "line2", "150");

const AgentKind agent_connect5 = {
    .name = "connect5",
    .summary = "alphabeta with its authors' final settings",
    .source = "Kulev and Wu, Heuristics and Threat-Space-Search in Connect 5, section 6",
    .options = options,
    .state_size = sizeof(AlphabetaAgent),
    .open = alphabeta_agent_open,
    .decide = alphabeta_agent_decide,
    .close = alphabeta_agent_close,
};
