// The laboratory of Kulev and Wu (sections 3 and 4): alpha-beta with iterative deepening, and evaluations, move
// orderings and generators to be combined freely, with a search for wins by threats at every node. What was decided
// where the paper is silent stands in papers/connect5/alphabeta.h, papers/connect5/evaluation.h,
// papers/connect5/ordering.h and papers/connect5/candidates.h.
#include "papers/connect5/alphabeta_agent.h"

static const AgentOption options[] = ALPHABETA_AGENT_OPTIONS("simple", "history", "all", "0");

const AgentKind agent_alphabeta = {
    .name = "alphabeta",
    .summary = "looks ahead as far as it can, with a choice of heuristics",
    .source = "Kulev and Wu, Heuristics and Threat-Space-Search in Connect 5, sections 3 and 4",
    .options = options,
    .state_size = sizeof(AlphabetaAgent),
    .open = alphabeta_agent_open,
    .decide = alphabeta_agent_decide,
    .close = alphabeta_agent_close,
};
