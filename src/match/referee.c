// Plays the stones of a decision, and rejects illegal ones.
#include "match/referee.h"

Status referee_play(Game *game, const Decision *decision, Error *error)
{
    if (decision->fault != FAULT_NONE)
        return error_set(error, STATUS_BAD_INPUT, "%s", decision->fault_text);
    unsigned wanted = board_stones_left(&game->board);
    for (unsigned i = 0; i < decision->count; i++) {
        if (i == wanted || game_is_over(game))
            return error_set(error, STATUS_BAD_INPUT, "the turn has %u stones instead of %u", decision->count, i);
        Status status = game_try(game, decision->stones[i], error);
        if (status != STATUS_OK) {
            error_prefix(error, "stone %u of the turn: ", i + 1);
            return status;
        }
    }
    if (decision->count < wanted && !game_is_over(game))
        return error_set(error, STATUS_BAD_INPUT, "the turn has %u stones instead of %u", decision->count, wanted);
    return STATUS_OK;
}

Status referee_ask(Agent *agent, const Game *game, const AgentTask *task, Decision *decision, Error *error)
{
    Game after;
    game_copy(&after, game);
    agent_decide(agent, game, task, decision);
    if (referee_play(&after, decision, error) == STATUS_OK)
        return STATUS_OK;
    error_prefix(error, "agent '%s'%s: ", agent->kind->name, decision->fault ? "" : " broke the rules");
    return STATUS_FAILED;
}
