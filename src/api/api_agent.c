// Public library: agents and their decisions.
#include "api/api_internal.h"

#include "base/memory.h"
#include "match/referee.h"

#include <stdlib.h>
#include <string.h>

static_assert((int)KROW_PROVEN_WIN == PROVEN_WIN && (int)KROW_PROVEN_LOSS == PROVEN_LOSS &&
                  (int)KROW_PROVEN_DRAW == PROVEN_DRAW && (int)KROW_LINE_MAX == DECISION_LINE_MAX,
              "public and internal decisions are equal");

struct KrowAgent {
    Agent agent;
    Rng rng;
    atomic_bool stop;
    Game game; // a copy on which a decision is checked
    Decision decision;
};

size_t krow_agent_count(void)
{
    return (size_t)agent_kind_count;
}

bool krow_agent_at(size_t index, const char **name, const char **summary)
{
    if (index >= krow_agent_count())
        return false;
    *name = agent_kinds[index]->name;
    *summary = agent_kinds[index]->summary;
    return true;
}

const char *krow_agent_default(const KrowRules *rules, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) == STATUS_OK)
        return agent_best(&checked)->name;
    (void)api_error(error, &failure);
    return NULL;
}

KrowAgent *krow_agent_open(const char *text, const KrowRules *rules, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) == STATUS_OK) {
        KrowAgent *agent = memory_new(1, sizeof *agent);
        if (text == NULL)
            text = agent_best(&checked)->name;
        if (agent_open(&agent->agent, span_of(text), &checked, &failure) == STATUS_OK) {
            krow_agent_seed(agent, 1);
            return agent;
        }
        free(agent);
    }
    (void)api_error(error, &failure);
    return NULL;
}

void krow_agent_close(KrowAgent *agent)
{
    if (agent != NULL)
        agent_close(&agent->agent);
    free(agent);
}

void krow_agent_seed(KrowAgent *agent, uint64_t seed)
{
    agent->rng = rng_make(seed);
}

void krow_agent_new_game(KrowAgent *agent)
{
    agent_new_game(&agent->agent);
}

void krow_agent_stop(KrowAgent *agent, bool stop)
{
    atomic_store(&agent->stop, stop);
}

KrowStatus krow_agent_decide(KrowAgent *agent, const KrowGame *game, const KrowLimits *limits, KrowDecision *decision,
                             KrowError *error)
{
    KrowStatus status = api_check_game(game, &agent->agent.config.rules, error);
    if (status != KROW_OK)
        return status;
    AgentTask task = {.rng = &agent->rng, .stop = &agent->stop};
    if (limits != NULL)
        task.budget = (Budget){.seconds = limits->seconds, .nodes = limits->nodes, .depth = limits->depth};
    Decision *found = &agent->decision;
    agent_decide(&agent->agent, &game->game, &task, found);
    Error failure = {0};
    game_copy(&agent->game, &game->game);
    if (referee_play(&agent->game, found, &failure) != STATUS_OK)
        return api_refuse(error, KROW_FAILED, failure.text);
    *decision = (KrowDecision){.count = found->count,
                               .score = found->score,
                               .depth = found->depth,
                               .nodes = found->nodes,
                               .line_count = found->line_count,
                               .proven = (KrowProven)found->proven,
                               .distance = found->distance};
    memcpy(decision->stones, found->stones, found->count * sizeof found->stones[0]);
    memcpy(decision->line, found->line, found->line_count * sizeof found->line[0]);
    return KROW_OK;
}

KrowStatus krow_game_play_turn(KrowGame *game, const KrowDecision *decision, KrowError *error)
{
    if (decision->count > krow_game_stones_left(game))
        return api_refuse(error, KROW_BAD_INPUT, "more stones than the turn has");
    for (unsigned i = 0; i < decision->count; i++) {
        KrowStatus status = krow_game_play(game, decision->stones[i], error);
        if (status != KROW_OK)
            return status;
    }
    return KROW_OK;
}
