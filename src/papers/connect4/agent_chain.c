// The Chained-Based Planning Algorithm of Vasilchenko and Johnson (section 2): alpha-beta of depth 5 where a position
// is worth 4^n for each valid chain of n stones, less twice as much for each of the opponent's.
// papers/connect5/chains.h says which chains are valid.
//
// Where the paper is silent:
// - "Continue searching until winning state is found": what such a state is worth is not said. By the evaluation alone,
//   a row of four that cannot be blocked would be worth nothing, and the agent would not see that it wins. A won game
//   is worth more than any chains, and the sooner the more; a draw is worth 0, which is what the evaluation says of a
//   full board.
// - Depth is counted in stones, with several stones a turn too. Cells are examined from a1 on, row by row; at the root
//   in a random order, and the first of the best is played.
// - Where the whole tree is larger than `nodes` (gomoku has 225^5 positions), or time is limited, the search deepens
//   stone by stone and the result is that of the last depth it finished.
#include "papers/connect5/alphabeta_agent.h"

static Status open(void *state, const AgentConfig *config, Error *error)
{
    AlphabetaOptions options = {
        .eval = EVALUATION_CHAINS,
        .plain = !options_bool(&config->options, "pruning"),
        .straight = true,
    };
    return alphabeta_agent_open_with(state, &options, config, error);
}

static const AgentOption options[] = {PLANNING_OPTIONS, {0}};

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
