// The agents that stand on papers/connect5/alphabeta.h: the same code under several names, with other defaults.
#pragma once

#include "agents/agent.h"
#include "papers/connect5/alphabeta.h"

enum { ALPHABETA_AGENT_THREATS_MAX = 2000 }; // a list of more takes too long for one node

typedef struct {
    Alphabeta *search;
    unsigned depth; // 0: only the budget limits the search
    uint64_t nodes; // of a turn where nothing else limits it; 0: no limit
    bool capped;    // `nodes` also limit a turn whose depth is limited
} AlphabetaAgent;

// The options of such an agent, with the defaults given. The choices stand in the order of the enums.
// clang-format off
#define ALPHABETA_AGENT_OPTIONS(eval, order, moves, threats)                                                                \
    {                                                                                                                  \
        {"eval", OPTION_CHOICE, eval, 0, 0,                                                                            \
         "random simple simpledef empty-neighbors-down empty-neighbors-up neighbors none chains",                      \
         "evaluation of the leaves"},                                                                                  \
        {"neighbors", OPTION_CHOICE, "empty", 0, 0, "empty pairs",                                                     \
         "what empty-neighbors-down and -up count: empty cells around each stone, or pairs of adjacent stones"},       \
        {"order", OPTION_CHOICE, order, 0, 0, "none simple neighbor history", "which cells are looked at first"},      \
        {"moves", OPTION_CHOICE, moves, 0, 0, "all radius2 line2", "which cells are looked at"},                       \
        {"threats", OPTION_INT, threats, 0, ALPHABETA_AGENT_THREATS_MAX, NULL,                                              \
         "forcing sequences listed at each node, in games of one stone a turn; 0: none"},                              \
        {"threes", OPTION_BOOL, "0", 0, 1, NULL, "look for wins by fours and threes; one stone a turn, no gravity"},   \
        {"depth", OPTION_INT, "0", 0, ALPHABETA_DEPTH_MAX, NULL, "stones to look ahead; 0: what the budget allows"},   \
        {0},                                                                                                           \
    }

// Options of agents that plan to a depth (Vasilchenko and Johnson): 5 stones, pruned, and a limit for boards on which
// that would take forever.
#define PLANNING_OPTIONS                                                                                               \
    {"depth", OPTION_INT, "5", 1, ALPHABETA_DEPTH_MAX, NULL, "stones to look ahead"},                                  \
    {"nodes", OPTION_INT, "500000", 0, 1e15, NULL, "positions of a turn where the budget has no limit; 0: any"},       \
    {"pruning", OPTION_BOOL, "1", 0, 1, NULL, "leave out what cannot change the choice"}
// clang-format on

// For agents with options of their own: those of the search are given, and `depth` and `nodes` are among the agent's.
Status alphabeta_agent_open_with(AlphabetaAgent *agent, const AlphabetaOptions *options, const AgentConfig *config,
                                 Error *error);

// What the searches of a turn may cost together.
Limits alphabeta_agent_limits(const AlphabetaAgent *agent, const AgentTask *task, const Board *board);

// One search, and the stones of the turn that it expects: at least one, placed on `after` and added to the decision.
void alphabeta_agent_search(AlphabetaAgent *agent, Board *after, const Limits *limits, Rng *rng, Decision *decision);

Status alphabeta_agent_open(void *state, const AgentConfig *config, Error *error);
void alphabeta_agent_decide(void *state, const Game *game, const AgentTask *task, Decision *decision);
void alphabeta_agent_close(void *state);
