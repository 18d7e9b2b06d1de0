// Measures a fast and a plain function on boards from games that an agent plays against itself.
#include "bench/common/boards.h"

#include "base/memory.h"
#include "match/referee.h"

#include <stdlib.h>

enum { SEEDS_MAX = 1000 };

// Plays a game up to the number of stones; false if it ends before.
static bool play_board(Agent *agent, uint64_t seed, unsigned stones, Game *game, Decision *decision)
{
    Rng rng = rng_make(seed);
    AgentTask task = {.rng = &rng};
    while (!game_is_over(game) && game->played < stones) {
        agent_decide(agent, game, &task, decision);
        if (referee_play(game, decision, NULL) != STATUS_OK)
            return false;
    }
    return !game_is_over(game);
}

// Fills `boards` with undecided games of this many stones; false if they cannot be made.
static bool play_boards(Agent *agent, const Rules *rules, unsigned stones, Game *boards, unsigned count)
{
    Decision *decision = memory_new(1, sizeof *decision);
    unsigned played = 0;
    for (uint64_t seed = 0; played < count && seed < SEEDS_MAX; seed++) {
        game_init(&boards[played], rules);
        played += play_board(agent, seed, stones, &boards[played], decision);
    }
    free(decision);
    return played == count;
}

Rules bench_rules(const char *game)
{
    Rules rules = {0};
    (void)rules_parse(span_of(game), &rules, NULL);
    return rules;
}

unsigned bench_boards(const BoardsBench *bench, void *work, double seconds, const atomic_bool *stop,
                      BenchResult results[2])
{
    Rules rules = bench_rules(bench->game);
    Agent agent = {0};
    SliceMedians found = {0};
    if (agent_open(&agent, span_of(bench->agent), &rules, NULL) == STATUS_OK &&
        play_boards(&agent, &rules, bench->stones, work, bench->count))
        found = slices_measure(seconds, stop, work, bench->fast, bench->plain);
    agent_close(&agent);
    if (found.speed <= 0 || stop_is_raised(stop))
        return 0;
    for (int i = 0; i < 2; i++)
        results[i] = bench->results[i];
    results[0].value = bench->is_time ? 1e6 / found.speed : found.speed;
    results[1].value = found.ratio;
    return 2;
}
