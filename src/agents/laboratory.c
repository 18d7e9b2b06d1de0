#include "agents/laboratory.h"

#include <string.h>

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

void laboratory_close(void *state)
{
    alphabeta_close(((Laboratory *)state)->search);
}

static AlphabetaLimits limits_of(const Laboratory *agent, const AgentTask *task, Side side)
{
    const Budget *budget = &task->budget;
    AlphabetaLimits limits = {budget_deadline(budget, side), budget->nodes, budget->depth, task->stop};
    if (agent->depth > 0 && (limits.depth == 0 || agent->depth < limits.depth))
        limits.depth = agent->depth;
    if (limits.deadline == 0 && limits.nodes == 0 && limits.depth == 0)
        limits.nodes = agent->nodes;
    return limits;
}

// What the first search of a turn says is told with the turn; later ones only add stones.
static void tell(const AlphabetaResult *result, Decision *decision)
{
    static_assert((int)ALPHABETA_DEPTH_MAX <= (int)DECISION_LINE_MAX,
                  "a decision has room for the play a search expects");
    decision->score = (double)result->value;
    decision->depth = result->depth;
    decision->line_count = result->line_count;
    memcpy(decision->line, result->line, result->line_count * sizeof(Cell));
    if (!result->proven)
        return;
    decision->proven = alphabeta_is_win(result->value)    ? PROVEN_WIN
                       : alphabeta_is_win(-result->value) ? PROVEN_LOSS
                                                          : PROVEN_DRAW;
    decision->distance = result->distance;
}

// The stones of the expected play that belong to the turn.
static void take_stones(const AlphabetaResult *result, Board *after, Side side, Decision *decision)
{
    for (unsigned i = 0; i < result->line_count && !board_is_over(after) && board_side(after) == side; i++) {
        decision->stones[decision->count++] = result->line[i];
        (void)board_play(after, result->line[i]);
    }
}

// A turn of several stones is the beginning of the play that the search expects; where it expects fewer stones than the
// turn has, it searches again from there.
void laboratory_decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Laboratory *agent = state;
    Board after;
    board_copy(&after, &game->board);
    Side side = board_side(&after);
    AlphabetaLimits limits = limits_of(agent, task, side);
    uint64_t nodes = limits.nodes;
    while (!board_is_over(&after) && board_side(&after) == side) {
        AlphabetaResult result;
        limits.nodes = nodes == 0 ? 0 : nodes > decision->nodes ? nodes - decision->nodes : 1;
        alphabeta_run(agent->search, &after, &limits, task->rng, &result);
        decision->nodes += result.nodes;
        if (decision->count == 0)
            tell(&result, decision);
        take_stones(&result, &after, side, decision);
    }
}
