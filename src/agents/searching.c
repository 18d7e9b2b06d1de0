// Agents that search on top of another agent's ratings.
#include "agents/searching.h"

#include "agents/expected.h"

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

void searching_decide(Agent *agent, const Game *game, const AgentTask *task, Decision *decision)
{
    Game after;
    game_copy(&after, game);
    Side side = board_side(&game->board);
    Rater rater = {rate, agent};
    Limits limits = {budget_deadline(&task->budget, &game->board), 0, task->budget.depth, task->stop};
    while (!game_is_over(&after) && board_side(&after.board) == side) {
        Board board;
        board_copy(&board, &after.board);
        limits.nodes = expected_nodes_left(task->budget.nodes, decision);
        NegamaxResult result = minimax_run(agent->search, &after, &rater, &limits, task->rng);
        unsigned placed = decision->count;
        expected_add(&result, minimax_utility(result.value), &board, decision);
        for (; placed < decision->count; placed++)
            game_play(&after, decision->stones[placed]);
    }
}
