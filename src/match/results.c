// Counts the results of games by pairs, colours and agents.
#include "match/results.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void results_open(Results *results, const Schedule *schedule)
{
    unsigned n = schedule->agents, games = schedule_games(schedule);
    *results = (Results){.schedule = *schedule};
    results->pairs = memory_new(schedule_pairs(schedule), sizeof *results->pairs);
    results->table = memory_new((size_t)n * n, sizeof *results->table);
    results->lengths = memory_new(schedule_pairs(schedule), sizeof *results->lengths);
    results->agents = memory_new(n, sizeof *results->agents);
    results->ended = memory_new(games, sizeof *results->ended);
    results->half_points = memory_new(games, sizeof *results->half_points);
    memset(results->half_points, -1, games);
}

void results_close(Results *results)
{
    free(results->pairs);
    free(results->table);
    free(results->lengths);
    free(results->agents);
    free(results->ended);
    free(results->half_points);
    *results = (Results){0};
}

unsigned results_length(const Rules *rules, unsigned stones)
{
    if (stones <= rules->q)
        return stones > 0;
    return 1 + (stones - rules->q + rules->p - 1) / rules->p;
}

GameCounts results_counts_of(const Duel *duel)
{
    GameCounts counts = {.number = duel->number, .result = duel->result, .fault = duel->fault, .faulty = duel->faulty};
    counts.by_score = duel->reason == REASON_RESIGNED || duel->reason == REASON_AGREED;
    counts.ended = duel->ended;
    counts.length = results_length(&duel->game.board.rules, duel->game.played);
    for (int side = 0; side < 2; side++) {
        counts.turns[side] = duel->turns[side];
        counts.seconds[side] = duel->seconds[side];
        counts.slowest[side] = duel->slowest[side];
        counts.late[side] = duel->late[side];
        counts.own[side] = duel->own[side];
    }
    return counts;
}

// The sample of this name, added if necessary; NULL if there is no room.
static AgentSample *sample_of(AgentCounts *agent, const char *name)
{
    unsigned i = 0;
    while (i < agent->own_count && strcmp(agent->own[i].name, name) != 0)
        i++;
    if (i == agent->own_count && i < DECISION_COUNTS_MAX) {
        memcpy(agent->own[i].name, name, strlen(name) + 1);
        agent->own_count++;
    }
    return i < DECISION_COUNTS_MAX ? &agent->own[i] : NULL;
}

static void count_agent(AgentCounts *agent, const GameCounts *game, Side side)
{
    agent->turns += game->turns[side];
    agent->seconds += game->seconds[side];
    agent->slowest = game->slowest[side] > agent->slowest ? game->slowest[side] : agent->slowest;
    agent->late += game->late[side];
    for (unsigned i = 0; i < game->own[side].count; i++) {
        AgentSample *sample = sample_of(agent, game->own[side].list[i].name);
        if (sample != NULL)
            sample_add(&sample->sample, (double)game->own[side].list[i].value);
    }
    if (game->fault == FAULT_NONE || game->faulty != side)
        return;
    agent->faults.illegal += game->fault == FAULT_ILLEGAL;
    agent->faults.timeout += game->fault == FAULT_TIMEOUT;
    agent->faults.crash += game->fault == FAULT_CRASH;
}

// The other game of the pair, or the game itself if it is unpaired.
static unsigned twin_of(const Results *results, unsigned number)
{
    unsigned paired = results->schedule.games / 2 * 2 * schedule_pairs(&results->schedule);
    return number < paired ? number ^ 1u : number;
}

void results_add(Results *results, const GameCounts *game)
{
    assert(!results_has(results, game->number) && game->result != RESULT_NONE);
    ScheduledGame scheduled = schedule_game(&results->schedule, game->number);
    unsigned first = scheduled.reversed ? scheduled.b : scheduled.a;
    unsigned second = scheduled.reversed ? scheduled.a : scheduled.b;
    unsigned first_half = game->result == RESULT_FIRST ? 2 : game->result == RESULT_DRAW ? 1 : 0;
    unsigned half = scheduled.reversed ? 2 - first_half : first_half;
    HeadToHead *pair = &results->pairs[scheduled.pair];
    tally_add(&pair->games, half);
    sample_add(&results->lengths[scheduled.pair], game->length);
    tally_add(&results->table[first * results->schedule.agents + second], first_half);
    results->half_points[game->number] = (int8_t)half;
    unsigned twin = twin_of(results, game->number);
    if (twin != game->number && results_has(results, twin))
        pair->pairs[half + (unsigned)results->half_points[twin]]++;
    count_agent(&results->agents[first], game, SIDE_FIRST);
    count_agent(&results->agents[second], game, SIDE_SECOND);
    results->resigned += game->by_score && game->result != RESULT_DRAW;
    results->agreed += game->by_score && game->result == RESULT_DRAW;
    results->ended[game->number] = game->ended;
    results->games++;
}

bool results_has(const Results *results, unsigned number)
{
    return results->half_points[number] >= 0;
}

Sample results_own(const Results *results, unsigned agent, const char *name)
{
    const AgentCounts *counts = &results->agents[agent];
    for (unsigned i = 0; i < counts->own_count; i++)
        if (strcmp(counts->own[i].name, name) == 0)
            return counts->own[i].sample;
    return (Sample){0};
}

Tally results_of_agent(const Results *results, unsigned agent)
{
    return tally_of_agent(results->table, results->schedule.agents, agent);
}
