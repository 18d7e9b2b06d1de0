// The agent Mesh of Levin et al. §3.3: plays where the board, an elastic surface with stones on it, is deepest
// (papers/levin/mesh.h), and so builds clumps of stones.
//
// Where the paper is silent: it wants clumps "belonging to one player", so only own stones have weight; `opponent`
// gives the opponent's stones a weight as well, a negative one to avoid them. While the surface is flat, as before the
// first own stone, the cells nearest to the centre are played.
//
// `tactics` is the basic defence and offence suggested in §6. A row that the turn can complete is completed; otherwise
// windows that the opponent could complete in its next turn are blocked, first the cell that is in most of them. Depth
// decides among equals and in all other positions.
#include "agents/agent.h"
#include "papers/levin/mesh.h"
#include "threats/centre.h"
#include "threats/immediate.h"

#include <math.h>

typedef struct {
    MeshSettings settings;
    bool tactics;
    Mesh mesh;
    WindowList list;
    FinishCells wins, blocks;
} MeshAgent;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    MeshAgent *self = state;
    const OptionValues *values = &config->options;
    self->settings = (MeshSettings){
        .own = MESH_STONE,
        .other = (int64_t)(options_real(values, "opponent") * (double)MESH_STONE),
        .elasticity = (unsigned)lround(options_real(values, "elasticity") * MESH_ELASTICITY_ONE),
        .epsilon = (int64_t)(options_real(values, "epsilon") * (double)MESH_STONE),
        .steps = (unsigned)options_int(values, "iterations"),
    };
    self->tactics = options_bool(values, "tactics");
    immediate_windows(&config->rules, &self->list);
    return STATUS_OK;
}

// What tactics add to a cell for each window: more than any depth, at most 117 (e = 1 on a full board of 64x64).
enum { WORTH_WINDOW = 1000 };

static void add_tactics(MeshAgent *self, const Board *board, Ratings *ratings)
{
    Side side = board_side(board);
    bool can_win = immediate_cells(board, &self->list, side, board_stones_left(board), self->wins) > 0;
    if (!can_win)
        (void)immediate_blocks(board, &self->list, side_other(side), self->blocks);
    for (unsigned i = 0; i < ratings->count; i++) {
        Cell cell = ratings->cells[i].cell;
        double windows = can_win ? self->wins[cell] : self->blocks[cell];
        ratings->cells[i].utility += WORTH_WINDOW * windows;
    }
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    MeshAgent *self = state;
    const Board *board = &game->board;
    (void)mesh_solve(&self->mesh, board, board_side(board), &self->settings);
    bool flat = true;
    ratings_add_legal(ratings, board);
    for (unsigned i = 0; i < ratings->count; i++) {
        int64_t depth = mesh_depth(&self->mesh, ratings->cells[i].cell);
        flat = flat && depth == 0;
        ratings->cells[i].utility = (double)depth / (double)MESH_STONE;
    }
    for (unsigned i = 0; flat && i < ratings->count; i++)
        ratings->cells[i].utility = centre_nearness(&board->rules, ratings->cells[i].cell);
    if (self->tactics)
        add_tactics(self, board, ratings);
}

static const AgentOption options[] = {
    {"tactics", OPTION_BOOL, "0", 0, 0, NULL, "complete rows, and block those the opponent could complete"},
    {"opponent", OPTION_REAL, "0", -1, 1, NULL, "weight of the opponent's stones; own ones weigh 1"},
    {"elasticity", OPTION_REAL, "1", 0, 1, NULL, "weight of the average depth around a tile"},
    {"epsilon", OPTION_REAL, "0.000001", 0, 1, NULL, "change of depth below which the iteration ends"},
    {"iterations", OPTION_INT, "2000", 1, 10000, NULL, "maximum number of steps"},
    {0},
};

const AgentKind agent_mesh = {
    .name = "mesh",
    .summary = "gathers its stones where the board is deepest",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, section 3.3",
    .options = options,
    .state_size = sizeof(MeshAgent),
    .open = open,
    .rate = rate,
};
