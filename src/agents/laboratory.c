#include "agents/laboratory.h"

#include "agents/expected.h"

// The nodes of a turn where neither the budget nor `depth` says anything: some tenths of a second.
enum { LABORATORY_NODES = 500000, LABORATORY_NODES_THREATS = 50000, LABORATORY_NODES_THREES = 2000 };

Status laboratory_open(void *state, const AgentConfig *config, Error *error)
{
    Laboratory *agent = state;
    const OptionValues *values = &config->options;
    AlphabetaOptions options = {
        .eval = (EvaluationKind)options_choice(values, "eval"),
        .order = (OrderingKind)options_choice(values, "order"),
        .moves = (CandidatesKind)options_choice(values, "moves"),
        .threats = (unsigned)options_int(values, "threats"),
        .threes = options_bool(values, "threes"),
    };
    agent->nodes = options.threes        ? LABORATORY_NODES_THREES
                   : options.threats > 0 ? LABORATORY_NODES_THREATS
                                         : LABORATORY_NODES;
    agent->depth = (unsigned)options_int(values, "depth");
    return alphabeta_open(&agent->search, &options, &config->rules, error);
}

Status laboratory_open_with(Laboratory *agent, const AlphabetaOptions *options, const AgentConfig *config, Error *error)
{
    agent->depth = (unsigned)options_int(&config->options, "depth");
    agent->nodes = (uint64_t)options_int(&config->options, "nodes");
    agent->capped = true;
    return alphabeta_open(&agent->search, options, &config->rules, error);
}

void laboratory_close(void *state)
{
    alphabeta_close(((Laboratory *)state)->search);
}

AlphabetaLimits laboratory_limits(const Laboratory *agent, const AgentTask *task, const Board *board)
{
    const Budget *budget = &task->budget;
    AlphabetaLimits limits = {budget_deadline(budget, board), budget->nodes, budget->depth, task->stop};
    if (agent->depth > 0 && (limits.depth == 0 || agent->depth < limits.depth))
        limits.depth = agent->depth;
    if (limits.deadline == 0 && limits.nodes == 0 && (limits.depth == 0 || agent->capped))
        limits.nodes = agent->nodes;
    return limits;
}

static Expected expect(const AlphabetaResult *result)
{
    static_assert((int)ALPHABETA_DEPTH_MAX <= (int)DECISION_LINE_MAX,
                  "a decision has room for the play a search expects");
    Proven proven = expected_proven(result->proven, alphabeta_is_win(result->value), alphabeta_is_win(-result->value));
    return (Expected){(double)result->value, result->depth, result->nodes,     proven,
                      result->distance,      result->line,  result->line_count};
}

void laboratory_search(Laboratory *agent, Board *after, const AlphabetaLimits *limits, Rng *rng, Decision *decision)
{
    AlphabetaLimits left = *limits;
    AlphabetaResult result;
    left.nodes = expected_nodes_left(limits->nodes, decision);
    alphabeta_run(agent->search, after, &left, rng, &result);
    Expected expected = expect(&result);
    expected_add(&expected, after, decision);
}

void laboratory_decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Laboratory *agent = state;
    Board after;
    board_copy(&after, &game->board);
    Side side = board_side(&after);
    AlphabetaLimits limits = laboratory_limits(agent, task, &after);
    while (!board_is_over(&after) && board_side(&after) == side)
        laboratory_search(agent, &after, &limits, task->rng, decision);
}
