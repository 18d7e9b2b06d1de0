// The experiments of Kulev and Wu (sections 3 and 4) as an agent: alpha-beta with iterative deepening, any combination
// of evaluation, move ordering and generator, and a search for wins by threats at every node. The choices where the
// paper is silent are described in papers/connect5/alphabeta.h, evaluation.h, ordering.h, candidates.h and forcing.h.
#include "papers/connect5/alphabeta_agent.h"

static const AgentOption options[] = ALPHABETA_AGENT_OPTIONS("simple", "history", "all", "0");

const AgentKind agent_alphabeta = {
    .name = "alphabeta",
    .summary = "alpha-beta with a choice of evaluations, orderings and generators",
    .source = "Kulev and Wu, Heuristics and Threat-Space-Search in Connect 5, sections 3 and 4",
    .options = options,
    .state_size = sizeof(AlphabetaAgent),
    .open = alphabeta_agent_open,
    .decide = alphabeta_agent_decide,
    .close = alphabeta_agent_close,
};
