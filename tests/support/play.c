#include "support/play.h"

Budget play_budget(void)
{
    return (Budget){.nodes = 300, .depth = 2};
}

static Status play_turn(Game *game, Agent *agent, const AgentTask *task, Decision *decision, Error *error)
{
    unsigned played = game->played;
    agent_decide(agent, game, task, decision);
    if (game->played != played)
        return error_set(error, STATUS_FAILED, "the agent '%s' has changed the game", agent->kind->name);
    Status status = referee_play(game, decision, error);
    if (status != STATUS_OK)
        error_prefix(error, "the agent '%s' after %u stones: ", agent->kind->name, played);
    return status;
}

Status play_to_the_end(Game *game, const AgentKind *kind, uint64_t seed, const atomic_bool *stop, Error *error)
{
    Agent agents[2] = {0};
    Rng rngs[2] = {rng_make(rng_derive(seed, 0)), rng_make(rng_derive(seed, 1))};
    Decision decision;
    Status status = STATUS_OK;
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = agent_open(&agents[i], span_of(kind->name), &game->board.rules, error);
    while (status == STATUS_OK && !game_is_over(game)) {
        Side side = board_side(&game->board);
        AgentTask task = {.budget = play_budget(), .rng = &rngs[side], .stop = stop};
        status = play_turn(game, &agents[side], &task, &decision, error);
    }
    for (int i = 0; i < 2; i++)
        agent_close(&agents[i]);
    return status;
}
