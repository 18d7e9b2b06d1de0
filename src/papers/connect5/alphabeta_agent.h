// Agents based on papers/connect5/alphabeta.h: the same code under several names with different defaults.
#pragma once

#include "agents/agent.h"
#include "papers/connect5/alphabeta.h"

enum { ALPHABETA_AGENT_THREATS_MAX = 2000 }; // longer lists take too long for one node

typedef struct {
    Alphabeta *search;
    unsigned depth; // 0: limited by the budget only
    uint64_t nodes; // limit of a turn without any other limit; 0: no limit
    bool capped;    // `nodes` also limits turns with limited depth
} AlphabetaAgent;

// The options of such an agent with these defaults. The choices are in the order of the enums.
// clang-format off
#define ALPHABETA_AGENT_OPTIONS(eval, order, moves, threats)                                                           \
    {                                                                                                                  \
        {"eval", OPTION_CHOICE, eval, 0, 0,                                                                            \
         "random simple simpledef empty-neighbors-down empty-neighbors-up neighbors none chains",                      \
         "evaluation of the leaves"},                                                                                  \
        {"neighbors", OPTION_CHOICE, "empty", 0, 0, "empty pairs",                                                     \
         "what empty-neighbors-down and -up count: empty cells around each stone, or pairs of adjacent stones"},       \
        {"order", OPTION_CHOICE, order, 0, 0, "none simple neighbor history", "move ordering"},                        \
        {"moves", OPTION_CHOICE, moves, 0, 0, "all radius2 line2", "move generator"},                                  \
        {"threats", OPTION_INT, threats, 0, ALPHABETA_AGENT_THREATS_MAX, NULL,                                         \
         "maximum number of forcing sequences at each node, in games with one stone per turn; 0: off"},                \
        {"listing", OPTION_CHOICE, "distinct", 0, 0, "distinct every",                                                 \
         "forcing sequences to list: each set of stones once, or every permutation"},                                  \
        {"threes", OPTION_BOOL, "0", 0, 1, NULL,                                                                       \
         "search for wins by fours and threes, in games with one stone per turn and no gravity"},                      \
        {"depth", OPTION_INT, "0", 0, ALPHABETA_DEPTH_MAX, NULL,                                                       \
         "search depth in stones; 0: limited by the budget only"},                                                     \
        {0},                                                                                                           \
    }

// Options of agents that search to a fixed depth (Vasilchenko and Johnson): 5 stones with pruning, and a node limit for
// boards on which this would take too long.
#define PLANNING_OPTIONS                                                                                               \
    {"depth", OPTION_INT, "5", 1, ALPHABETA_DEPTH_MAX, NULL, "search depth in stones"},                                \
    {"nodes", OPTION_INT, "500000", 0, 1e15, NULL, "maximum positions of a turn without a budget; 0: no limit"},       \
    {"pruning", OPTION_BOOL, "1", 0, 1, NULL, "alpha-beta pruning"}
// clang-format on

// For agents with their own options, which include `depth` and `nodes`: the options of the search are given.
Status alphabeta_agent_open_with(AlphabetaAgent *agent, const AlphabetaOptions *options, const AgentConfig *config,
                                 Error *error);

// The limits for all searches of a turn together.
Limits alphabeta_agent_limits(const AlphabetaAgent *agent, const AgentTask *task, const Board *board);

// Searches once and plays the stones of the turn from the principal variation, at least one, on `after`; adds them to
// the decision.
void alphabeta_agent_search(AlphabetaAgent *agent, Board *after, const Limits *limits, Rng *rng, Decision *decision);

Status alphabeta_agent_open(void *state, const AgentConfig *config, Error *error);
void alphabeta_agent_decide(void *state, const Game *game, const AgentTask *task, Decision *decision);
void alphabeta_agent_close(void *state);
