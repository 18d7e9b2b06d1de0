// The agent Adjacent of Levin et al. §3.3: a random cell among those that touch a stone, in one of eight directions.
//
// Where the paper is silent: on an empty board the cells nearest to the centre are played; the paper's section on
// openings says that most players do so. Under gravity only cells that can be played count. If no such cell touches a
// stone, every legal cell is a candidate.
//
// `reach` goes beyond the paper: cells within that many steps of a stone, as move generators of searches often use.
#include "agents/agent.h"
#include "threats/centre.h"
#include "threats/near.h"

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    unsigned *reach = state;
    *reach = (unsigned)options_int(&config->options, "reach");
    return STATUS_OK;
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    const Board *board = &game->board;
    unsigned reach = *(const unsigned *)state;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t cells = board_legal_row(board, row) & near_stones_row(board, row, reach); cells != 0;
             cells &= cells - 1)
            ratings->cells[ratings->count++] = (RatedCell){cell_at(bits_lowest(cells), row), 0};
    if (ratings->count > 0)
        return;
    ratings_add_legal(ratings, board);
    for (unsigned i = 0; i < ratings->count; i++)
        ratings->cells[i].utility = centre_nearness(&board->rules, ratings->cells[i].cell);
}

static const AgentOption options[] = {
    {"reach", OPTION_INT, "1", 1, 63, NULL, "steps from a stone within which a cell counts as adjacent"},
    {0},
};

const AgentKind agent_adjacent = {
    .name = "adjacent",
    .summary = "plays any cell that touches a stone",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, section 3.3",
    .options = options,
    .state_size = sizeof(unsigned),
    .open = open,
    .rate = rate,
};
