// Positions for benchmarks: undecided games that an agent plays against itself.
#include "bench/common/boards.h"

#include "base/memory.h"
#include "match/referee.h"

#include <stdlib.h>

enum { SEEDS_MAX = 1000 };

// A game up to the wanted number of stones; false when it was won before.
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

bool boards_play(Agent *agent, const Rules *rules, unsigned stones, Game *boards, unsigned count)
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
