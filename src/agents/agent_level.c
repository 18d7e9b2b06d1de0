// An opponent of a chosen level (agents/levels.h). A turn is decided in these steps:
//
// 1. The underlying agent decides a turn within the search depth of the level.
// 2. Each stone of that turn is skipped with probability `slip` in favour of the next best cell by the rater, which may
//    be skipped as well, and so on. Once a stone differs, the following ones are the rater's too.
// 3. Above LEVELS_CARELESS, an error after which the opponent could complete a row is drawn again, and finally the
//    original turn is played. Above LEVELS_BLIND there are no errors if the turn completes a row.
// 4. If the original turn lets the opponent complete a row and another turn does not, that turn is played.
//
// It never searches longer than its budget and never waits. `slips` counts the stones that differ from the original
// turn.
#include "agents/agent.h"
#include "agents/levels.h"
#include "threats/holding.h"
#include "threats/immediate.h"

#include <stdlib.h>
#include <string.h>

// Attempts to replace an error that loses at once.
enum { DRAWS = 8 };

#define RATER "sequences"

typedef struct {
    LevelPlan plan;
    bool careful, sees_wins;
    Agent search, rater;
    Game game; // the game on which the turn is built
    Decision turn;
    WindowList windows;
    FinishCells finishing;
    Cell order[RULES_CELLS_MAX], stones[RULES_CELLS_MAX];
} Level;

static Status check_level(unsigned level, const Rules *rules, Error *error)
{
    unsigned count = levels_count(rules);
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    return level <= count ? STATUS_OK
                          : error_set(error, STATUS_BAD_INPUT, "%s has levels 1 to %u, not %u", game, count, level);
}

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Level *self = state;
    const OptionValues *values = &config->options;
    unsigned level = (unsigned)options_int(values, "n");
    Status status = check_level(level, &config->rules, error);
    if (status != STATUS_OK)
        return status;
    level = level > 0 ? level : levels_count(&config->rules);
    self->plan = levels_plan(&config->rules, level);
    immediate_windows(&config->rules, &self->windows);
    self->careful = level > LEVELS_CARELESS;
    self->sees_wins = level > LEVELS_BLIND || level == levels_count(&config->rules);
    double slip = options_real(values, "slip");
    self->plan.slip = slip >= 0 ? slip : self->plan.slip;
    const char *search = options_text(values, "thinker");
    if (search[0] != '\0') {
        self->plan.agent = search;
        self->plan.nodes = 0;
    }
    status = agent_open_inner(&self->search, self->plan.agent, config, error);
    return status == STATUS_OK ? agent_open_inner(&self->rater, RATER, config, error) : status;
}

static void new_game(void *state)
{
    Level *self = state;
    agent_new_game(&self->search);
    agent_new_game(&self->rater);
}

static void close(void *state)
{
    Level *self = state;
    agent_close(&self->search);
    agent_close(&self->rater);
}

// --- Errors ---

static bool slips(const Level *self, Rng *rng)
{
    return rng_below(rng, 1U << 24) < self->plan.slip * (1U << 24);
}

static void leave_out(Ratings *ratings, Cell cell)
{
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].cell == cell) {
            ratings->cells[i] = ratings->cells[--ratings->count];
            return;
        }
}

// The rater's best cell on self->game after skipping `thought`, or the next, and so on. CELL_NONE: nothing skipped yet.
// After the worst cell the best one follows again: an agent that skips nearly everything plays at random, not as badly
// as possible.
static Cell next_best(Level *self, Cell thought, Rng *rng)
{
    agent_rate(&self->rater, &self->game);
    Ratings *ratings = self->rater.ratings;
    unsigned cells = ratings->count, rank = thought != CELL_NONE;
    while (slips(self, rng))
        rank++;
    if (rank % cells == 0 && thought != CELL_NONE)
        return thought;
    leave_out(ratings, thought);
    for (rank = rank % cells - (thought != CELL_NONE); rank > 0; rank--)
        leave_out(ratings, ratings_choose(ratings, rng).cell);
    return ratings_choose(ratings, rng).cell;
}

// Builds a turn with errors from `thought` on self->game, into `decision`; returns the number of changed stones.
static unsigned err(Level *self, const Game *game, const Decision *thought, Rng *rng, Decision *decision)
{
    game_copy(&self->game, game);
    Side side = board_side(&game->board);
    unsigned others = 0;
    decision->count = 0;
    while (!game_is_over(&self->game) && board_side(&self->game.board) == side) {
        bool is_thought = others == 0 && !slips(self, rng);
        Cell planned = others == 0 ? thought->stones[decision->count] : (Cell)CELL_NONE;
        Cell cell = is_thought ? planned : next_best(self, planned, rng);
        others += cell != planned;
        decision->stones[decision->count++] = cell;
        game_play(&self->game, cell);
    }
    return others;
}

// --- Care ---

static void play_out(Level *self, const Game *game, const Decision *decision)
{
    game_copy(&self->game, game);
    for (unsigned i = 0; i < decision->count; i++)
        game_play(&self->game, decision->stones[i]);
}

static int compare_rated(const void *a, const void *b)
{
    const RatedCell *x = a, *y = b;
    if (x->utility != y->utility)
        return x->utility < y->utility ? 1 : -1;
    return cell_compare(&x->cell, &y->cell);
}

// All legal cells, best first.
static unsigned rated_order(Level *self, const Game *game)
{
    agent_rate(&self->rater, game);
    Ratings *ratings = self->rater.ratings;
    qsort(ratings->cells, ratings->count, sizeof ratings->cells[0], compare_rated);
    for (unsigned i = 0; i < ratings->count; i++)
        self->order[i] = ratings->cells[i].cell;
    return ratings->count;
}

// Replaces the original turn; nothing is known about the new one.
static void replace_turn(Decision *decision, const Cell *stones, unsigned count)
{
    memcpy(decision->stones, stones, count * sizeof(Cell));
    decision->count = count;
    decision->score = 0;
    decision->line_count = 0;
    decision->proven = PROVEN_NOTHING;
    decision->distance = -1;
}

// Replaces a turn that loses at once by one that does not.
static void hold(Level *self, const Game *game, Decision *decision)
{
    unsigned count = rated_order(self, game);
    unsigned stones = holding_find(&game->board, self->order, count, self->stones);
    if (stones > 0)
        replace_turn(decision, self->stones, stones);
}

static Cell most_often(const Board *board, const FinishCells cells)
{
    Cell list[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, list);
    Cell best = list[0];
    for (unsigned i = 1; i < count; i++)
        best = cells[list[i]] > cells[best] ? list[i] : best;
    return best;
}

// Replaces the turn by one that completes a row, if there is one. The underlying agent may know no win or another one.
static bool finish(Level *self, const Game *game, Decision *decision)
{
    Side side = board_side(&game->board);
    unsigned count = 0;
    game_copy(&self->game, game);
    while (!game_is_over(&self->game) && board_side(&self->game.board) == side) {
        const Board *board = &self->game.board;
        if (immediate_cells(board, &self->windows, side, board_stones_left(board), self->finishing) == 0)
            return false;
        self->stones[count] = most_often(board, self->finishing);
        game_play(&self->game, self->stones[count++]);
    }
    if (board_winner(&self->game.board) == WINNER_NONE)
        return false;
    replace_turn(decision, self->stones, count);
    decision->proven = PROVEN_WIN;
    decision->distance = (int)count;
    return true;
}

// --- A turn ---

static void think(Level *self, const Game *game, const AgentTask *task, Decision *decision)
{
    AgentTask limited = *task;
    limited.progress = NULL; // it would report a turn that an error may replace
    uint64_t *nodes = &limited.budget.nodes;
    if (self->plan.nodes > 0 && (*nodes == 0 || *nodes > self->plan.nodes))
        *nodes = self->plan.nodes;
    agent_decide(&self->search, game, &limited, decision);
    decision->counts = 0;
}

// Replaces the original turn by one with errors, if the level allows them.
static unsigned slip_turn(Level *self, const Game *game, Rng *rng, Decision *decision)
{
    Decision *turn = &self->turn;
    for (unsigned i = 0; i < DRAWS; i++) {
        unsigned others = err(self, game, decision, rng, turn);
        if (others == 0)
            return 0;
        if (self->careful && !holding_holds(&self->game.board))
            continue;
        replace_turn(decision, turn->stones, turn->count);
        return others;
    }
    return 0;
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Level *self = state;
    think(self, game, task, decision);
    if (decision->fault != FAULT_NONE)
        return;
    play_out(self, game, decision);
    bool wins = board_winner(&self->game.board) != WINNER_NONE;
    bool holds = holding_holds(&self->game.board);
    if (self->sees_wins && !wins)
        wins = finish(self, game, decision);
    unsigned others = wins && self->sees_wins ? 0 : slip_turn(self, game, task->rng, decision);
    if (self->careful && !wins && !holds && others == 0)
        hold(self, game, decision);
    decision->counts = 1;
    decision->count_list[0] = (DecisionCount){"slips", others};
}

static const AgentOption options[] = {
    {"n", OPTION_INT, "0", 0, LEVELS_MAX, NULL, "level from 1 (0: the highest)"},
    {"slip", OPTION_REAL, "-1", -1, 0.99, NULL, "probability of skipping a cell (below 0: that of the level)"},
    {"thinker", OPTION_INNER, "", 0, 0, NULL, "inner agent, its options separated by + (default: that of the level)"},
    {0},
};

const AgentKind agent_level = {
    .name = "level",
    .summary = "plays as well as you choose, with errors people make",
    .source = "krow, after the motive of Vasilchenko and Johnson",
    .options = options,
    .state_size = sizeof(Level),
    .open = open,
    .decide = decide,
    .new_game = new_game,
    .close = close,
};
