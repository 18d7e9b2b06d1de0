// The agent "constant" of Szóts and Harmati, section 3.1. It plays the cell with the largest potential of both sides:
// the sum over all rows that can still be made through it, where a row with more stones counts more.
// papers/patterns/potential.h has the formula, also for other games than Gomoku.
//
// Where the paper is silent: the agent chooses at random among equal cells, so on an empty board of 15x15 it plays any
// of the 49 cells in the middle; with `ties=first` it plays the first of them, row by row from a1. It does not check
// whether it can complete a row: it completes and stops rows because a window counts ten times as much as one with a
// stone less.
//
// For a search on top of this agent, the value of the board is the sum over all empty cells of the potential of the
// side to move minus that of the other side. The utility of a cell does not say which side it matters to.
#include "agents/agent.h"
#include "papers/patterns/potential.h"

#include <math.h>

enum { TIES_LOT, TIES_FIRST }; // in the order of the choices

typedef struct {
    Potential *potential;
    bool takes_first; // of equals
} Constant;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Constant *self = state;
    self->takes_first = options_choice(&config->options, "ties") == TIES_FIRST;
    (void)error;
    self->potential = potential_open(&config->rules, (unsigned)options_int(&config->options, "m"));
    return STATUS_OK;
}

static void close(void *state)
{
    potential_close(((Constant *)state)->potential);
}

static double board_value(const Potential *potential)
{
    const Board *board = potential_board(potential);
    Side side = board_side(board);
    double value = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t cells = board->row_mask & ~board_occupied_row(board, row); cells != 0; cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            value += potential_of(potential, cell, side) - potential_of(potential, cell, side_other(side));
        }
    return value;
}

// Lowers all cells that are equal to the first of the best ones by the smallest possible amount.
static void break_ties(Ratings *ratings)
{
    double best = -INFINITY;
    unsigned first = 0;
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].utility > best) {
            best = ratings->cells[i].utility;
            first = i;
        }
    for (unsigned i = first + 1; i < ratings->count; i++)
        if (ratings->cells[i].utility == best)
            ratings->cells[i].utility = nextafter(best, -INFINITY);
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    const Constant *self = state;
    Potential *potential = self->potential;
    potential_set(potential, &game->board);
    ratings->value = board_value(potential);
    ratings_add_legal(ratings, &game->board);
    for (unsigned i = 0; i < ratings->count; i++)
        ratings->cells[i].utility = potential_sum(potential, ratings->cells[i].cell);
    if (self->takes_first)
        break_ties(ratings);
}

static const AgentOption options[] = {
    {"m", OPTION_INT, "10", 1, POTENTIAL_BASE_MAX, NULL,
     "ratio of the value of a window to that of one with a stone less"},
    {"ties", OPTION_CHOICE, "lot", 0, 0, "lot first", "choice among equal cells: at random or the first"},
    {0},
};

const AgentKind agent_constant = {
    .name = "constant",
    .summary = "plays where the most rows can be made, by either side",
    .source = "Szóts and Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent, section 3.1",
    .options = options,
    .state_size = sizeof(Constant),
    .open = open,
    .rate = rate,
    .close = close,
};
