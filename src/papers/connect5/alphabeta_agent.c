// The common code of the agents that use alpha-beta: options, limits and the stones of a turn.
#include "papers/connect5/alphabeta_agent.h"

#include "agents/expected.h"
#include "papers/connect5/threes.h"

enum { NEIGHBORS_EMPTY, NEIGHBORS_PAIRS }; // the choices of `neighbors`

// The nodes of a turn that neither the budget nor `depth` limits: some tenths of a second.
enum { ALPHABETA_AGENT_NODES = 500000, ALPHABETA_AGENT_NODES_THREATS = 50000, ALPHABETA_AGENT_NODES_THREES = 2000 };

// The evaluation of the options `eval` and `neighbors`.
static EvaluationKind evaluation_of(const OptionValues *values)
{
    EvaluationKind kind = (EvaluationKind)options_choice(values, "eval");
    bool counts_pairs = options_choice(values, "neighbors") == NEIGHBORS_PAIRS;
    if (kind == EVALUATION_EMPTY_NEIGHBORS_DOWN && !counts_pairs)
        return EVALUATION_EMPTY_CELLS_DOWN;
    return kind == EVALUATION_EMPTY_NEIGHBORS_UP && !counts_pairs ? EVALUATION_EMPTY_CELLS_UP : kind;
}

// A search for wins by threats lowers the default limit only under rules for which it runs.
static uint64_t default_nodes(const AlphabetaOptions *options, const Rules *rules)
{
    if (options->threes && threes_suits(rules))
        return ALPHABETA_AGENT_NODES_THREES;
    return options->threats > 0 && forcing_suits(rules) ? ALPHABETA_AGENT_NODES_THREATS : ALPHABETA_AGENT_NODES;
}

Status alphabeta_agent_open(void *state, const AgentConfig *config, Error *error)
{
    AlphabetaAgent *agent = state;
    const OptionValues *values = &config->options;
    AlphabetaOptions options = {
        .eval = evaluation_of(values),
        .order = (OrderingKind)options_choice(values, "order"),
        .moves = (CandidatesKind)options_choice(values, "moves"),
        .threats = (unsigned)options_int(values, "threats"),
        .listing = (ForcingListing)options_choice(values, "listing"),
        .threes = options_bool(values, "threes"),
    };
    agent->nodes = default_nodes(&options, &config->rules);
    agent->depth = (unsigned)options_int(values, "depth");
    return alphabeta_open(&agent->search, &options, &config->rules, error);
}

Status alphabeta_agent_open_with(AlphabetaAgent *agent, const AlphabetaOptions *options, const AgentConfig *config,
                                 Error *error)
{
    agent->depth = (unsigned)options_int(&config->options, "depth");
    agent->nodes = (uint64_t)options_int(&config->options, "nodes");
    agent->capped = true;
    return alphabeta_open(&agent->search, options, &config->rules, error);
}

void alphabeta_agent_close(void *state)
{
    alphabeta_close(((AlphabetaAgent *)state)->search);
}

Limits alphabeta_agent_limits(const AlphabetaAgent *agent, const AgentTask *task, const Board *board)
{
    const Budget *budget = &task->budget;
    Limits limits = {budget_deadline(budget, board), budget->nodes, budget->depth, task->stop};
    if (agent->depth > 0 && (limits.depth == 0 || agent->depth < limits.depth))
        limits.depth = agent->depth;
    if (limits.deadline == 0 && limits.nodes == 0 && (limits.depth == 0 || agent->capped))
        limits.nodes = agent->nodes;
    return limits;
}

void alphabeta_agent_search(AlphabetaAgent *agent, Board *after, const Limits *limits, Rng *rng, Decision *decision)
{
    Limits left = *limits;
    left.nodes = expected_nodes_left(limits->nodes, decision);
    NegamaxResult result = alphabeta_run(agent->search, after, &left, rng);
    expected_add(&result, (double)result.value, after, decision);
}

void alphabeta_agent_decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    AlphabetaAgent *agent = state;
    Board after;
    board_copy(&after, &game->board);
    Side side = board_side(&after);
    Limits limits = alphabeta_agent_limits(agent, task, &after);
    while (!board_is_over(&after) && board_side(&after) == side)
        alphabeta_agent_search(agent, &after, &limits, task->rng, decision);
}
