// The agent Threats of Levin et al. §3.3: the generalised threats of §3.2 (papers/levin/generalised.h) are the utility.
//
// The value of a cell is the sum of what a stone there builds and blocks. The paper gives both the same weight;
// `defence` changes that of blocking. `priority` is the re-prioritisation that §3.2 calls optional and §6 suggests. It
// is on by default: without it the agent extends rows that cannot be won. `windows` selects between two readings of the
// backward window; docs/papers/000.md has the results of both options.
//
// Where the paper is silent: while no cell has a value, as on an empty board, the cells nearest to the centre are
// played. For large k the constant c is lowered until the sums of a cell fit into 64 bits, as the paper demands.
//
// The utility is a double, which is exact for sums below 2^53: with c = 6 for all sums of a cell up to k = 10. Beyond,
// differences below 2^-52 of the sum are lost, more than eight sizes of threats below the largest.
#include "agents/agent.h"
#include "papers/levin/generalised.h"
#include "threats/centre.h"

typedef struct {
    GeneralisedStyle style;
    double defence;
    Generalised threats;
} Threats;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    Threats *self = state;
    self->style.c = generalised_constant(&config->rules, (unsigned)options_int(&config->options, "c"));
    self->style.prioritise = options_bool(&config->options, "priority");
    self->style.windows = (GeneralisedWindows)options_choice(&config->options, "windows");
    self->defence = options_real(&config->options, "defence");
    return STATUS_OK;
}

static double utility(const Threats *self, const Board *board, Cell cell)
{
    const Generalised *threats = &self->threats;
    if (threats->total[0] == 0 && threats->total[1] == 0)
        return centre_nearness(&board->rules, cell);
    Side side = board_side(board);
    return (double)threats->value[side][cell] + self->defence * (double)threats->value[side_other(side)][cell];
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    Threats *self = state;
    const Board *board = &game->board;
    generalised_read(board, &self->style, &self->threats);
    ratings_add_legal(ratings, board);
    for (unsigned i = 0; i < ratings->count; i++)
        ratings->cells[i].utility = utility(self, board, ratings->cells[i].cell);
    ratings->value = generalised_utility(&self->threats, board_side(board));
}

static const AgentOption options[] = {
    {"c", OPTION_INT, "6", 1, 16, NULL, "bits between the weights of threats of t and of t + 1 stones"},
    {"windows", OPTION_CHOICE, "extended", 0, 0, "extended contiguous",
     "backward windows: extended through empty cells if k cells are missing, or only contiguous stones"},
    {"priority", OPTION_BOOL, "1", 0, 0, NULL,
     "prefer wins, and do not extend threats that cannot be won in this turn"},
    {"defence", OPTION_REAL, "1", 0, 10, NULL, "weight of blocking; building has weight 1"},
    {0},
};

const AgentKind agent_threats = {
    .name = "threats",
    .summary = "builds and blocks generalised threats",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, sections 3.2 and 3.3",
    .options = options,
    .state_size = sizeof(Threats),
    .open = open,
    .rate = rate,
};
