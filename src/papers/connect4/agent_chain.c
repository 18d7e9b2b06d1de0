// The Chained-Based Planning Algorithm of Vasilchenko and Johnson (section 2): alpha-beta of depth 5. A position is
// worth 4^n for each valid chain of n own stones, minus `weight` times the same for the opponent's chains. The paper
// doubles them, and weight 2 is the default. papers/connect5/chains.h defines valid chains.
//
// Where the paper is silent:
// - "Continue searching until winning state is found" does not state the value of such a position. By the evaluation
//   alone, a row of four that cannot be blocked would be worth nothing, and the agent would not see that it wins.
//   Therefore a won game is worth more than any chains, and an early win more than a late one. A draw is worth 0, which
//   is the value of a full board.
// - Depth counts stones, also with several stones per turn. Cells are examined row by row from a1, at the root in
//   random order; the first of the best is played.
// - If the tree of that depth has more than `nodes` positions (gomoku has 225^5), or time is limited, the search
//   deepens stone by stone and uses the last completed depth.
#include "papers/connect5/alphabeta_agent.h"

static Status open(void *state, const AgentConfig *config, Error *error)
{
    AlphabetaOptions options = {
        .eval = EVALUATION_CHAINS,
        .chain_weight = (unsigned)options_int(&config->options, "weight"),
        .has_chain_weight = true,
        .plain = !options_bool(&config->options, "pruning"),
        .straight = true,
    };
    return alphabeta_agent_open_with(state, &options, config, error);
}

static const AgentOption options[] = {
    PLANNING_OPTIONS,
    {"weight", OPTION_INT, "2", 0, EVALUATION_CHAIN_WEIGHT_MAX, NULL,
     "weight of the opponent's chains; own ones have 1"},
    {0},
};

const AgentKind agent_chain = {
    .name = "chain",
    .summary = "looks five stones ahead and counts chains, the opponent's twice",
    .source = "Vasilchenko and Johnson, Intelligent Agent for Connect 4, section 2",
    .options = options,
    .state_size = sizeof(AlphabetaAgent),
    .open = open,
    .decide = alphabeta_agent_decide,
    .close = alphabeta_agent_close,
};
