// Plays exact values if it finds them in time, and leaves the turn to another agent if not.
//
// With scores (gravity games with one stone per turn) it wins as soon as possible and loses as late as possible. In
// other games it keeps the value and prefers the stone of the fallback among those that do, so that it makes progress.
// Remaining ties are broken at random.
//
// Limits: without any limit, `nodes` per turn; with a limit of time or nodes, half of what is left, so that the
// fallback has the other half. A cell is played as soon as it is certainly as good as every other one, even if others
// are not fully known.
//
// `solved` counts stones played by exact values, `guessed` those of the fallback.
#include "agents/expected.h"
#include "base/clock.h"
#include "solver/exact.h"

#include <string.h>

typedef struct {
    uint64_t nodes;
    Exact *exact; // NULL: no solver for these rules
    Agent fallback;
    ExactCells cells;
    Decision guess;
    Game game;
    double deadline; // of the turn; 0: none
    unsigned solved, guessed;
} Perfect;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Perfect *self = state;
    self->nodes = (uint64_t)options_int(&config->options, "nodes");
    ExactOptions options = {
        .megabytes = (size_t)options_int(&config->options, "table"),
        .openings = options_bool(&config->options, "openings"),
    };
    Status status = exact_check(&config->rules, NULL) == STATUS_OK
                        ? exact_open(&self->exact, &options, &config->rules, error)
                        : STATUS_OK;
    if (status == STATUS_OK)
        status = agent_open_inner(&self->fallback, options_text(&config->options, "fallback"), config, error);
    return status;
}

static void new_game(void *state)
{
    Perfect *self = state;
    exact_clear(self->exact);
    agent_new_game(&self->fallback);
}

static void close(void *state)
{
    Perfect *self = state;
    exact_close(self->exact);
    agent_close(&self->fallback);
}

// --- Exact values ---

static Limits limits_of(const Perfect *self, const AgentTask *task, const Decision *decision)
{
    Limits limits = {.deadline = limits_part_of(self->deadline, 2), .stop = task->stop};
    if (task->budget.nodes > 0)
        limits.nodes = (expected_nodes_left(task->budget.nodes, decision) + 1) / 2;
    else if (self->deadline <= 0)
        limits.nodes = expected_nodes_left(self->nodes, decision);
    return limits;
}

// Finds the best cells; false if they are not known.
static bool find_best(Perfect *self, const Board *board, const Limits *limits, uint64_t *nodes)
{
    bool found = self->exact != NULL && exact_best(self->exact, board, EXACT_SCORE, limits, &self->cells);
    *nodes += self->exact != NULL ? self->cells.nodes : 0;
    return found;
}

// --- A turn ---

// Lets the fallback decide the rest of the turn within the remaining budget.
static void guess(Perfect *self, const AgentTask *task, Decision *decision)
{
    AgentTask rest = *task;
    double left = self->deadline - clock_seconds(), least = 0.001;
    if (self->deadline > 0) {
        rest.budget.seconds = left > least ? left : least;
        rest.budget.clock[0] = rest.budget.clock[1] = rest.budget.increment = 0;
    }
    rest.budget.nodes = expected_nodes_left(task->budget.nodes, decision);
    agent_decide(&self->fallback, &self->game, &rest, &self->guess);
    decision->nodes += self->guess.nodes;
}

// Chooses one of the best cells. With scores all are equal; otherwise the fallback's choice is preferred.
static Cell choose(Perfect *self, const AgentTask *task, Decision *decision)
{
    if (self->cells.count > 1 && !exact_has_scores(&self->game.board.rules)) {
        guess(self, task, decision);
        if (self->guess.fault == FAULT_NONE && exact_lists(&self->cells, self->guess.stones[0]))
            return self->guess.stones[0];
    }
    return self->cells.list[rng_below(task->rng, self->cells.count)].cell;
}

// Reports the value of the turn from its first stone.
static void report_value(const Board *board, int value, Decision *decision)
{
    decision->score = value;
    decision->proven = value > 0 ? PROVEN_WIN : value < 0 ? PROVEN_LOSS : PROVEN_DRAW;
    decision->distance = value != 0 && exact_has_scores(&board->rules) ? (int)exact_distance(board, value) : -1;
}

static void place(Perfect *self, Cell cell, Decision *decision)
{
    decision->stones[decision->count++] = cell;
    game_play(&self->game, cell);
}

// Plays the rest of the turn of the fallback, and its report if the whole turn is its own.
static void leave_to_fallback(Perfect *self, const AgentTask *task, Decision *decision)
{
    guess(self, task, decision);
    decision->fault = self->guess.fault;
    if (self->guess.fault != FAULT_NONE) {
        memcpy(decision->fault_text, self->guess.fault_text, sizeof decision->fault_text);
        return;
    }
    if (decision->count == 0)
        decision_take_report(decision, &self->guess);
    self->guessed += self->guess.count;
    for (unsigned i = 0; i < self->guess.count; i++)
        place(self, self->guess.stones[i], decision);
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Perfect *self = state;
    Side side = board_side(&game->board);
    game_copy(&self->game, game);
    self->deadline = budget_deadline(&task->budget, &game->board);
    self->solved = self->guessed = 0;
    while (!game_is_over(&self->game) && board_side(&self->game.board) == side && decision->fault == FAULT_NONE) {
        Limits limits = limits_of(self, task, decision);
        if (!find_best(self, &self->game.board, &limits, &decision->nodes)) {
            leave_to_fallback(self, task, decision);
            continue;
        }
        if (decision->count == 0)
            report_value(&game->board, self->cells.list[0].low, decision);
        self->solved++;
        place(self, choose(self, task, decision), decision);
    }
    decision->counts = 2;
    decision->count_list[0] = (DecisionCount){"solved", self->solved};
    decision->count_list[1] = (DecisionCount){"guessed", self->guessed};
}

static const AgentOption options[] = {
    {"nodes", OPTION_INT, "2000000", 1, 1e15, NULL, "nodes per turn if the budget has no limit"},
    {"table", OPTION_INT, "16", 1, 65536, NULL, "size of the transposition table in MB"},
    {"openings", OPTION_BOOL, "1", 0, 1, NULL, "use the opening table of connect4"},
    {"fallback", OPTION_INNER, "sequences:depth=6+width=8", 0, 0, NULL,
     "agent that plays if values are not found in time; its options separated by +"},
    {0},
};

const AgentKind agent_perfect = {
    .name = "perfect",
    .summary = "plays exact values if it finds them in time",
    .source = "krow",
    .options = options,
    .state_size = sizeof(Perfect),
    .open = open,
    .decide = decide,
    .new_game = new_game,
    .close = close,
};
