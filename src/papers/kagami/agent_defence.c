// The agent `defence`: the defensive strategy of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in
// Connect6, section III. It follows the opponent and takes the cells where the opponent's next stone would have the
// most influence.
//
// Candidates are the cells in the squares of 5 x 5 around the stones of the opponent's last turn. Each is ranked by the
// influence (papers/kagami/influence.h) that a stone of the opponent would have there. The best is played; for the next
// stone of the turn the candidates are ranked again with the first stone on the board. There is no search, and own rows
// do not count: the paper says that such a player wins only if the opponent blunders badly.
//
// Where the paper is silent:
// - While the opponent has no stone, the cells nearest to the centre are played.
// - A position that was set up has no last turn, and squares can be full: see influence_candidates.
// - Other p and q: one square for each stone of the turn.
// - Equals are chosen at random.
// - influence=both adds the influence of an own stone to that of the opponent's.
//
// The utility is the rank of the influence, a logarithm. For a search (option `depth`) the value of the board is the
// rank of the best cell on the whole board for the side to move, minus that for the opponent. Candidates depend on the
// last turn, so the same position can have different ones; a transposition table (`table`) keeps the first result. A
// search sees only attacks near the last turn: with depth=4 the agent wins 5 games of 40 against the one without a
// search and draws 35, but draws only 1 of 40 against `threats`, where the one without a search draws 14.
//
// Beyond the paper: `reach`, the half side of the squares, 2 in the paper, and `guard`. The end of a row can be further
// than 2 steps from the stones of the last turn. With guard=1, if the opponent could complete a row in the next turn,
// the candidates are the cells that block it, wherever they are. Of 200 games of Connect6 against `threats`, 164 are
// drawn with it and 67 without; against `sequences`, 13 and none. All others are lost.
#include "agents/agent.h"
#include "papers/kagami/defending.h"
#include "papers/kagami/influence.h"
#include "threats/immediate.h"

typedef struct {
    unsigned reach;
    bool guard;
    DefendingReading reading;
    bool searches; // a search needs the value of the board
    WindowList windows;
    FinishCells blocks;
} Defence;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    Defence *self = state;
    self->reach = (unsigned)options_int(&config->options, "reach");
    self->guard = options_bool(&config->options, "guard");
    self->reading.both = options_choice(&config->options, "influence") == 1;
    if (self->guard)
        immediate_windows(&config->rules, &self->windows);
    self->searches = options_int(&config->options, "depth") > 0;
    return STATUS_OK;
}

// The cells that block rows of the opponent, if there are any with guard=1; otherwise the candidates.
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
    defending_rate(board, rows, self->reading, ratings);
    if (self->searches)
        ratings->value = influence_best(board, side) - influence_best(board, side_other(side));
}

static const AgentOption options[] = {
    {"reach", OPTION_INT, "2", 1, 63, NULL, "steps from the opponent's last stones within which cells are candidates"},
    {"guard", OPTION_BOOL, "0", 0, 0, NULL, "first block rows that the opponent can complete in its next turn"},
    {"influence", OPTION_CHOICE, "opponent", 0, 0, "opponent both", "whose influence rates a cell"},
    {0},
};

const AgentKind agent_defence = {
    .name = "defence",
    .summary = "follows the opponent and takes the cells where its stones would have the most influence",
    .source = "Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, sections II and III",
    .options = options,
    .state_size = sizeof(Defence),
    .open = open,
    .rate = rate,
};
