// The laboratory of Kulev and Wu (sections 3 and 4): alpha-beta with iterative deepening, and evaluations, move
// orderings and generators to be combined freely, with a search for wins by threats at every node. What was decided
// where the paper is silent stands in search/alphabeta.h, analysis/evaluation.h, search/ordering.h and
// analysis/candidates.h.
#include "agents/laboratory.h"

static const AgentOption options[] = LABORATORY_OPTIONS("simple", "history", "all", "0");

extern const AgentKind agent_alphabeta;
const AgentKind agent_alphabeta = {
    .name = "alphabeta",
    .summary = "looks ahead as far as it can, with a choice of heuristics",
    .source = "Kulev and Wu, Heuristics and Threat-Space-Search in Connect 5, sections 3 and 4",
    .options = options,
    .state_size = sizeof(Laboratory),
    .open = laboratory_open,
    .decide = laboratory_decide,
    .close = laboratory_close,
};
