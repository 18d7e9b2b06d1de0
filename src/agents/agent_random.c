// The random player of Vasilchenko and Johnson: any legal cell with equal probability; under gravity "a random column
// at every turn". It is the template of an agent that rates cells.
#include "agents/agent.h"

static void rate(void *state, const Game *game, Ratings *ratings)
{
    (void)state;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    for (unsigned i = 0; i < count; i++)
        ratings->cells[ratings->count++] = (RatedCell){cells[i], 0};
}

const AgentKind agent_random = {
    .name = "random",
    .summary = "plays any legal cell",
    .source = "Vasilchenko and Johnson, Intelligent Agent for Connect 4: the random agent",
    .rate = rate,
};
