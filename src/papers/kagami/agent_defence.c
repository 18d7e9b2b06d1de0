// The defensive strategy of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section
// III: follow the opponent wherever he goes, and take from him the cell where his next stone would have the most to do
// with the others.
//
// Candidates are the cells in the squares of 5 x 5 around the stones of the opponent's last turn. Each is ranked by the
// influence (papers/kagami/influence.h) that a stone of the opponent's colour would have there; the best is played, and
// for the next stone of the turn all is examined again, with the first stone on the board. No search, no thought of own
// rows: the paper says that such a player never wins unless the opponent blunders, and leaves all else to the program
// around it. A row of his own this one completes only where it happens to be in the way of the other.
//
// Where the paper is silent:
// - While the opponent has no stone, the cells nearest to the centre are played.
// - A position that was set up has no last turn, and squares may be full: influence_candidates says what is used then.
// - Other p and q: a square for each stone of the turn, however many there are.
// - Equals are chosen at random.
//
// The utility is the rank of the influence, a logarithm. Under a search the board is worth the rank of the best cell on
// the whole board to the side to move, less that to the opponent. Such a search sees different candidates in the same
// position when its last turn was another one; a table (table=...) keeps what was found for the first of them. A
// search sees no attacks but those near the last turn: with depth=4 it wins 5 games of 40 against the agent without one
// and draws 35, but draws only 1 of 40 against `threats`, where the agent without one draws 14.
//
// Beyond the paper, whose squares have a reach of 2, and in whose list nothing stands but their cells: `reach`, and
// `guard`. A row may be completed at an end that is further away than that from the stones of the last turn. With
// guard=1, while the opponent could complete a row in the next turn, the candidates are the cells that stand in the
// way, wherever they are. Of 200 games of Connect6 against `threats` 164 are draws with it and 67 without, against
// `sequences` 13 and none; the others are lost.
#include "agents/agent.h"
#include "papers/kagami/defending.h"
#include "papers/kagami/influence.h"
#include "threats/immediate.h"

typedef struct {
    unsigned reach;
    bool guard;
    bool searches; // the value of the board is asked for
    WindowList windows;
    FinishCells blocks;
} Defence;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    Defence *self = state;
    self->reach = (unsigned)options_int(&config->options, "reach");
    self->guard = options_bool(&config->options, "guard");
    if (self->guard)
        immediate_windows(&config->rules, &self->windows);
    self->searches = options_int(&config->options, "depth") > 0;
    return STATUS_OK;
}

// The cells that stand in the way of rows, if there are any, and the candidates otherwise.
static void find_cells(Defence *self, const Game *game, uint64_t rows[RULES_SIDE_MAX])
{
    const Board *board = &game->board;
    if (!self->guard || immediate_blocks(board, &self->windows, side_other(board_side(board)), self->blocks) == 0) {
        (void)influence_candidates(game, self->reach, rows);
        return;
    }
    for (unsigned row = 0; row < board->rules.height; row++) {
        rows[row] = board_legal_row(board, row);
        for (uint64_t cells = rows[row]; cells != 0; cells &= cells - 1)
            if (self->blocks[cell_at(bits_lowest(cells), row)] == 0)
                rows[row] ^= cells & -cells;
    }
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    Defence *self = state;
    const Board *board = &game->board;
    Side side = board_side(board);
    uint64_t rows[RULES_SIDE_MAX];
    find_cells(self, game, rows);
    defending_rate(board, rows, ratings);
    if (self->searches)
        ratings->value = influence_best(board, side) - influence_best(board, side_other(side));
}

static const AgentOption options[] = {
    {"reach", OPTION_INT, "2", 1, 63, NULL, "steps from the opponent's last stones within which cells are looked at"},
    {"guard", OPTION_BOOL, "0", 0, 0, NULL, "cells in the way of rows of the opponent's next turn before all others"},
    {0},
};

const AgentKind agent_defence = {
    .name = "defence",
    .summary = "follows the opponent and takes the cells where his stones would have the most influence",
    .source = "Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, sections II and III",
    .options = options,
    .state_size = sizeof(Defence),
    .open = open,
    .rate = rate,
};
