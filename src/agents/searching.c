#include "agents/searching.h"

#include <string.h>

const AgentOption searching_options[] = {
    {"depth", OPTION_INT, "0", 0, MINIMAX_DEPTH_MAX, NULL, "stones to look ahead by minimax; 0: no search"},
    {"width", OPTION_INT, "8", 0, RULES_CELLS_MAX, NULL, "best rated cells to look at for each stone; 0: all"},
    {"deepening", OPTION_BOOL, "0", 0, 1, NULL, "search to depth 1, 2, 3 … until depth or a limit is reached"},
    {"table", OPTION_INT, "0", 0, 1024, NULL, "megabytes to remember positions reached in several ways; 0: none"},
    {0},
};

Status searching_open(Agent *agent, Error *error)
{
    const OptionValues *values = &agent->config.options;
    MinimaxOptions options = {
        .depth = (unsigned)options_int(values, "depth"),
        .width = (unsigned)options_int(values, "width"),
        .deepening = options_bool(values, "deepening"),
        .table_bytes = (size_t)options_int(values, "table") << 20,
    };
    return options.depth > 0 ? minimax_open(&agent->search, &options, &agent->config.rules, error) : STATUS_OK;
}

static void rate(void *context, const Game *game, Ratings *ratings)
{
    const Agent *agent = context;
    agent->kind->rate(agent->state, game, ratings);
}

// What the first search of a turn says is told with the turn; later ones only add stones.
static void tell(const MinimaxResult *result, Decision *decision)
{
    static_assert((int)MINIMAX_DEPTH_MAX <= (int)DECISION_LINE_MAX,
                  "a decision has room for the play a search expects");
    decision->score = result->value;
    decision->depth = result->depth;
    decision->line_count = result->line_count;
    memcpy(decision->line, result->line, result->line_count * sizeof(Cell));
    if (!result->proven)
        return;
    decision->proven = minimax_is_win(result->value)    ? PROVEN_WIN
                       : minimax_is_win(-result->value) ? PROVEN_LOSS
                                                        : PROVEN_DRAW;
    decision->distance = result->distance;
}

// The stones of the expected play that belong to the turn.
static void take_stones(const MinimaxResult *result, Game *after, Side side, Decision *decision)
{
    for (unsigned i = 0; i < result->line_count && !game_is_over(after) && board_side(&after->board) == side; i++) {
        decision->stones[decision->count++] = result->line[i];
        game_play(after, result->line[i]);
    }
}

void searching_decide(Agent *agent, const Game *game, const AgentTask *task, Decision *decision)
{
    Game after;
    game_copy(&after, game);
    Side side = board_side(&game->board);
    Rater rater = {rate, agent};
    MinimaxLimits limits = {budget_deadline(&task->budget, side), 0, task->budget.depth, task->stop};
    MinimaxResult result;
    while (!game_is_over(&after) && board_side(&after.board) == side) {
        uint64_t nodes = task->budget.nodes;
        limits.nodes = nodes == 0 ? 0 : nodes > decision->nodes ? nodes - decision->nodes : 1;
        minimax_run(agent->search, &after, &rater, &limits, task->rng, &result);
        decision->nodes += result.nodes;
        if (decision->count == 0)
            tell(&result, decision);
        take_stones(&result, &after, side, decision);
    }
}
