// The agent Windows of Levin et al. §3.3: a window slides over every line, and the agent tries to block many windows
// that give the opponent chances.
//
// The paper has no formula; this is krow's. A window of k cells without own stones and with j > 0 stones of the
// opponent is worth 4^j to the side that blocks it: four windows of j stones weigh as much as one of j + 1. The value
// of a cell is the sum over the windows through it. Own windows, without stones of the opponent and with j > 0 own
// ones, count `offence` times that, so that the agent also builds rows. A row that the turn can complete is completed:
// its cells get 2k 4^k for each such window, more than all windows through a cell together, which are at most 4k of at
// most 4^(k-1). Under `exact`, a window does not count for a side that has a stone next to it, since the row would be
// longer. Under gravity windows are read as they are, and legal cells are rated. While no cell has a value, as on an
// empty board, the cells nearest to the centre are played.
//
// Example: three in a row on 3x3, O to move (X has 4 windows of one stone, O has 3 with a quarter of 4):
//
//     . . X     a3: row 4, column 4, diagonal 1 = 9     b3: row 4, column 1 = 5
//     . O .     a2: row 1, column 4 = 5                 c2: row 1, column 4 = 5
//     X . .     b1: row 4, column 1 = 5                 c1: row 4, column 4, diagonal 1 = 9
//
// The utility of the board is the same sum over all windows, own ones minus the opponent's: 3 - 16 = -13.
#include "agents/agent.h"
#include "threats/centre.h"
#include "threats/immediate.h"
#include "threats/lines.h"

#include <math.h>
#include <string.h>

typedef struct {
    double offence;
    WindowList list;
    FinishCells finish;
    double worth[RULES_CELLS_MAX];
} Windows;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    Windows *self = state;
    self->offence = options_real(&config->options, "offence");
    immediate_windows(&config->rules, &self->list);
    return STATUS_OK;
}

// The number of stones of a side in a window that it may still complete; 0 if it may not.
static unsigned chances(const Board *board, Window window, Side side)
{
    unsigned stones = bits_count(board->line[window.line][side] & window_bits(board, window));
    return stones > 0 && window_can_complete(board, window, side, RULES_CELLS_MAX) ? stones : 0;
}

// Adds a window to its empty cells and returns what it adds to the utility of the board for the side to move.
static double add_window(Windows *self, const Board *board, Window window)
{
    Side side = board_side(board);
    unsigned own = chances(board, window, side), other = chances(board, window, side_other(side));
    if (own == 0 && other == 0)
        return 0;
    double worth = own > 0 ? self->offence * ldexp(1, 2 * (int)own) : ldexp(1, 2 * (int)other);
    for (uint64_t empty = window_empty(board, window); empty != 0; empty &= empty - 1)
        self->worth[lines_cell(board, window.line, bits_lowest(empty))] += worth;
    return own > 0 ? worth : -worth;
}

// Returns the utility of the board and stores the value of each cell in `worth`.
static double slide(Windows *self, const Board *board)
{
    memset(self->worth, 0, (size_t)board->rules.height * RULES_SIDE_MAX * sizeof self->worth[0]);
    double value = 0;
    for (unsigned i = 0; i < self->list.count; i++)
        value += add_window(self, board, self->list.window[i]);
    return value;
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    Windows *self = state;
    const Board *board = &game->board;
    const Rules *rules = &board->rules;
    ratings->value = slide(self, board);
    (void)immediate_cells(board, &self->list, board_side(board), board_stones_left(board), self->finish);
    double row = ldexp(2 * rules->k, 2 * rules->k), sum = 0;
    ratings_add_legal(ratings, board);
    for (unsigned i = 0; i < ratings->count; i++) {
        RatedCell *rated = &ratings->cells[i];
        rated->utility = self->worth[rated->cell] + row * self->finish[rated->cell];
        sum += rated->utility;
    }
    for (unsigned i = 0; sum == 0 && i < ratings->count; i++)
        ratings->cells[i].utility = centre_nearness(rules, ratings->cells[i].cell);
}

static const AgentOption options[] = {
    {"offence", OPTION_REAL, "0.25", 0, 1, NULL, "weight of own windows; those of the opponent have weight 1"},
    {0},
};

const AgentKind agent_windows = {
    .name = "windows",
    .summary = "blocks windows in which the opponent has chances",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, section 3.3",
    .options = options,
    .state_size = sizeof(Windows),
    .open = open,
    .rate = rate,
};
