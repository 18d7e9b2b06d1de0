// The engine: the strongest player of krow, for every game of the family. It plays
//
// 1. what the opening book has (engine/book/engine_book.h);
// 2. where an exact solver (solver/exact.h) finds the value of the position in a part of the time: a stone that keeps
//    it, and of these the one the search likes best. So it makes progress where only won, drawn and lost are known,
//    and sets problems where nothing better can be had;
// 3. else what the search (engine/search/search.h) finds. Turns of more stones than the search takes are left to
//    another agent.
//
// A turn may cost what the task says and what the options say, whichever is less; where neither says anything it costs
// NODES positions, which is a fraction of a second on every board. How the time is shared out stands in
// agents/budget.h. Where the look-ahead is limited the solver is not asked, since it knows no such limit.
//
// A solver that did not come to an end is not asked again before PATIENCE more stones. `solved` counts stones played by
// exact values, `unsolved` how often the solver was asked in vain, `book` the stones of the book.
#include "agents/expected.h"
#include "base/clock.h"
#include "engine/book/engine_book.h"
#include "engine/search/search.h"
#include "engine/solver_reach.h"
#include "solver/exact.h"

#include <math.h>
#include <string.h>

// Who plays turns that the search does not take.
#define LARGE_TURNS "sequences:depth=4+width=8"

enum {
    NODES = 20000,
    PATIENCE = 4,      // stones
    FALLING_SHARE = 2, // the solver gets one part in this many of the limits that are left
    FREE_SHARE = 3,
    TRIAL_SHARE = 8,  // where it may well not come to an end
    CHOICE_SHARE = 4, // likewise the choice among stones that keep a known value
    HOPE_SHARE = 2,   // and where stones fall and it is not won: the other side may not find what it has
};

// Scores are reported in hundreds of the search's unit, since protocols report hundredths of a score.
#define SCORE_UNIT 100.0

typedef struct {
    uint64_t nodes;
    unsigned depth;
    double seconds;
    bool falls;       // the solver is that of stones that fall
    double speed;     // nodes a second of the solver, where time limits it
    Exact *exact;     // NULL: not supported for these rules, or not wanted
    Search *search;   // NULL: the rules do not suit it, and the other agent plays
    EngineBook *book; // NULL: no book
    Agent other;
    unsigned patience; // the solver is asked from this number of stones on
    unsigned stones;   // on the board at the last turn

    // The current turn.
    const AgentTask *task;
    Budget budget;
    double soft, hard; // moments; 0: none
    Game game;         // with the stones of the turn so far
    Decision result;   // of the search, for the rest of the turn
    unsigned followed; // stones of the result that have been played
    unsigned solved, unsolved;
    ExactCells cells;  // that are best
    ExactCells scored; // work space
    bool has_scores;   // of `cells`: how soon is known
    SearchInfo report;
    uint64_t nodes_before; // of the turn, before the search began
    Decision progress;     // work space
} EngineAgent;

// --- Opening ---

// The memory is for all tables together.
static Status open(void *state, const AgentConfig *config, Error *error)
{
    EngineAgent *self = state;
    const OptionValues *values = &config->options;
    self->nodes = (uint64_t)options_int(values, "nodes");
    self->depth = (unsigned)options_int(values, "depth");
    self->seconds = options_real(values, "time");
    size_t megabytes = (size_t)options_int(values, "memory");
    Status status = STATUS_OK;
    if (options_bool(values, "exact") && exact_check(&config->rules, NULL) == STATUS_OK) {
        megabytes = megabytes > 1 ? megabytes / 2 : 1;
        ExactOptions exact = {
            .megabytes = megabytes, .threads = (unsigned)options_int(values, "threads"), .openings = true};
        self->falls = exact_has_scores(&config->rules);
        self->speed = solver_reach_speed(&config->rules, self->falls);
        status = exact_open(&self->exact, &exact, &config->rules, error);
    }
    if (status == STATUS_OK && options_bool(values, "book"))
        status = engine_book_open(&self->book, &config->rules, error);
    if (status != STATUS_OK)
        return status;
    if (!search_suits(&config->rules))
        return agent_open_inner(&self->other, LARGE_TURNS, config, error);
    Weights weights;
    status = weights_read(&weights, options_text(values, "weights"), &config->rules, error);
    if (status != STATUS_OK)
        return status;
    SearchOptions options = {
        .threads = (unsigned)options_int(values, "threads"), .megabytes = megabytes, .weights = &weights};
    return search_open(&self->search, &options, &config->rules, error);
}

// What is found out about the other side's position stays in the table.
static void ponder(void *state, const Game *game, const atomic_bool *stop)
{
    EngineAgent *self = state;
    SearchLimits limits = {.limits.stop = stop};
    if (self->search != NULL)
        search_run(self->search, &game->board, &limits, &self->report);
}

static void new_game(void *state)
{
    EngineAgent *self = state;
    self->patience = self->stones = 0;
    exact_clear(self->exact);
    if (self->search != NULL)
        search_new_game(self->search);
    else
        agent_new_game(&self->other);
}

static void close(void *state)
{
    EngineAgent *self = state;
    exact_close(self->exact);
    search_close(self->search);
    engine_book_close(self->book);
    agent_close(&self->other);
}

// --- Limits ---

// What the task and the options allow together.
static Budget budget_of(const EngineAgent *self, const Budget *given)
{
    Budget budget = *given;
    if (self->seconds > 0 && (given->seconds <= 0 || self->seconds < given->seconds))
        budget.seconds = self->seconds;
    if (self->nodes > 0 && (given->nodes == 0 || self->nodes < given->nodes))
        budget.nodes = self->nodes;
    if (self->depth > 0 && (given->depth == 0 || self->depth < given->depth))
        budget.depth = self->depth;
    return budget;
}

static void begin(EngineAgent *self, const Game *game, const AgentTask *task)
{
    self->task = task;
    self->budget = budget_of(self, &task->budget);
    BudgetSeconds seconds = budget_seconds(&self->budget, &game->board);
    double now = clock_seconds();
    self->hard = isfinite(seconds.most) ? now + seconds.most : 0;
    self->soft = seconds.usual < seconds.most ? now + seconds.usual : 0;
    if (self->budget.nodes == 0 && self->budget.depth == 0 && self->hard <= 0)
        self->budget.nodes = NODES;
    game_copy(&self->game, game);
    // A board with no more stones than at the last turn is one of another game.
    unsigned stones = board_count(&game->board);
    if (stones <= self->stones)
        self->patience = 0;
    self->stones = stones;
    self->result.count = self->followed = self->solved = self->unsolved = 0;
}

// Stones of the next turns, the first of which may have begun, in whole turns.
static unsigned turns_of(const Board *board, unsigned stones)
{
    unsigned first = board_stones_left(board), p = board->rules.p;
    return stones <= first ? 1 : 1 + (stones - first + p - 1) / p;
}

static unsigned stones_of(const Board *board, unsigned turns)
{
    unsigned stones = turns == 0 ? 0 : board_stones_left(board) + (turns - 1) * board->rules.p;
    unsigned empty = board->cells - board_count(board);
    return stones < empty ? stones : empty;
}

// --- Thinking ---

static void take_line(const Board *board, const SearchLine *line, Decision *decision)
{
    decision->count = line->turn.count;
    memcpy(decision->stones, line->turn.stones, line->turn.count * sizeof(Cell));
    decision->score = line->score / SCORE_UNIT;
    decision->depth = stones_of(board, line->depth);
    decision->line_count = line->pv_count < DECISION_LINE_MAX ? line->pv_count : DECISION_LINE_MAX;
    memcpy(decision->line, line->pv, decision->line_count * sizeof(Cell));
    decision->distance = search_distance(line->score);
    if (decision->distance >= 0)
        decision->proven = line->score > 0 ? PROVEN_WIN : PROVEN_LOSS;
}

static void report_progress(void *context, const SearchInfo *report)
{
    EngineAgent *self = context;
    self->progress = (Decision){.nodes = self->nodes_before + report->nodes, .distance = -1};
    take_line(&self->game.board, &report->lines[0], &self->progress);
    self->task->progress(self->task->progress_context, &self->progress);
}

static void run_search(EngineAgent *self, unsigned parts, unsigned lines, Decision *decision)
{
    const Board *board = &self->game.board;
    uint64_t nodes = expected_nodes_left(self->budget.nodes, decision);
    SearchLimits limits = {
        .soft_deadline = limits_part_of(self->soft, parts),
        .limits.deadline = limits_part_of(self->hard, parts),
        .limits.nodes = nodes > 0 ? (nodes + parts - 1) / parts : 0,
        .limits.depth = self->budget.depth > 0 ? turns_of(board, self->budget.depth) : 0,
        .lines = lines,
        .limits.stop = self->task->stop,
    };
    if (self->task->progress != NULL && decision->count == 0) {
        limits.progress = report_progress;
        limits.context = self;
        self->nodes_before = decision->nodes;
    }
    search_run(self->search, board, &limits, &self->report);
    decision->nodes += self->report.nodes;
    self->result = (Decision){.distance = -1};
    take_line(board, &self->report.lines[0], &self->result);
}

static void ask_other(EngineAgent *self, unsigned parts, Decision *decision)
{
    AgentTask rest = *self->task;
    rest.progress = decision->count == 0 ? rest.progress : NULL;
    double now = clock_seconds();
    rest.budget = (Budget){.nodes = expected_nodes_left(self->budget.nodes, decision), .depth = self->budget.depth};
    if (self->hard > 0)
        rest.budget.seconds = fmax(limits_part_of(self->soft > 0 ? self->soft : self->hard, parts) - now, BUDGET_LEAST);
    agent_decide(&self->other, &self->game, &rest, &self->result);
    decision->nodes += self->result.nodes;
}

// Searches for the rest of the turn with one part in `parts` of the limits that are left; sets self->result.
static void think(EngineAgent *self, unsigned parts, Decision *decision)
{
    if (self->search != NULL)
        run_search(self, parts, 1, decision);
    else
        ask_other(self, parts, decision);
    self->followed = 0;
}

// --- A turn ---

static void place(EngineAgent *self, Cell cell, Decision *decision)
{
    decision->stones[decision->count++] = cell;
    game_play(&self->game, cell);
    bool was_expected = self->followed < self->result.count && self->result.stones[self->followed] == cell;
    self->followed = was_expected ? self->followed + 1 : self->result.count;
}

// The rest of the turn as the search has it.
static void play_result(EngineAgent *self, Decision *decision)
{
    think(self, 1, decision);
    if (decision->count == 0)
        decision_take_report(decision, &self->result);
    while (self->followed < self->result.count)
        place(self, self->result.stones[self->followed], decision);
}

// --- Exact values ---

static Limits exact_limits(const EngineAgent *self, const Decision *decision, unsigned share)
{
    return (Limits){
        .deadline = limits_part_of(self->soft > 0 ? self->soft : self->hard, share),
        .nodes = (expected_nodes_left(self->budget.nodes, decision) + share - 1) / share,
        .stop = self->task->stop,
    };
}

// The solver gets one part in this many of the limits that are left; 0: the position is too far from the end.
static unsigned share_of_solver(const EngineAgent *self, const Decision *decision)
{
    const Board *board = &self->game.board;
    unsigned share = self->falls ? FALLING_SHARE : FREE_SHARE;
    Limits limits = exact_limits(self, decision, share);
    SolverReach reach = solver_reach(board, self->falls, &limits, self->speed);
    if (reach == REACH_LIKELY || exact_looks_up(self->exact, board))
        return share;
    return reach == REACH_POSSIBLE ? TRIAL_SHARE : 0;
}

static bool may_be_solved(const EngineAgent *self)
{
    return self->exact != NULL && self->budget.depth == 0 && board_count(&self->game.board) >= self->patience;
}

// How fast the solver is depends on the machine and the size of the board; a search that is too short does not show it.
static void note_speed(EngineAgent *self, double seconds)
{
    static const double least = 0.005;
    if (self->falls && seconds > least && self->cells.nodes > 0)
        self->speed = (double)self->cells.nodes / seconds;
}

// Once the winner is known, asks how soon the game is won or lost. All draws are equal.
static void score(EngineAgent *self, const Limits *limits, Decision *decision)
{
    bool found = exact_best(self->exact, &self->game.board, EXACT_SCORE, limits, &self->scored);
    decision->nodes += self->scored.nodes;
    if (found)
        self->cells = self->scored;
    self->has_scores = found;
}

// Leaves the best cells in self->cells.
static bool solve(EngineAgent *self, Decision *decision)
{
    unsigned share = may_be_solved(self) ? share_of_solver(self, decision) : 0;
    if (share == 0)
        return false;
    Limits limits = exact_limits(self, decision, share);
    const Board *board = &self->game.board;
    double begin = clock_seconds();
    bool found = exact_best(self->exact, board, EXACT_VALUE, &limits, &self->cells);
    note_speed(self, clock_seconds() - begin);
    decision->nodes += self->cells.nodes;
    self->patience = found ? 0 : board_count(board) + PATIENCE;
    self->unsolved += !found;
    self->has_scores = false;
    if (found && self->falls && self->cells.list[0].low != 0) {
        limits.nodes = exact_limits(self, decision, share).nodes;
        score(self, &limits, decision);
    }
    return found;
}

// The best of the cells as the search has it: its own choice, or the first of the next best turns that begins with one
// of them. CELL_NONE: it has none of them among its best.
static Cell preferred(EngineAgent *self, Decision *decision)
{
    unsigned share = self->falls && self->cells.list[0].low <= 0 ? HOPE_SHARE : CHOICE_SHARE;
    if (self->followed == self->result.count)
        think(self, share, decision);
    if (exact_lists(&self->cells, self->result.stones[self->followed]))
        return self->result.stones[self->followed];
    if (self->search == NULL)
        return CELL_NONE;
    run_search(self, share, SEARCH_LINES_MAX, decision);
    for (unsigned i = 0; i < self->report.line_count; i++)
        if (exact_lists(&self->cells, self->report.lines[i].turn.stones[0])) {
            take_line(&self->game.board, &self->report.lines[i], &self->result);
            self->followed = 0;
            return self->result.stones[0];
        }
    return CELL_NONE;
}

// With scores every stone that wins as soon as possible is as good.
static Cell choose(EngineAgent *self, Decision *decision)
{
    if (self->cells.count == 1)
        return self->cells.list[0].cell;
    bool is_won_soonest = self->has_scores && self->cells.list[0].low > 0;
    Cell cell = is_won_soonest ? (Cell)CELL_NONE : preferred(self, decision);
    return cell != CELL_NONE ? cell : self->cells.list[rng_below(self->task->rng, self->cells.count)].cell;
}

// What is known of the turn by its first stone. Where the solver has no scores, how long a win takes is what the
// search knows of it.
static void report_value(EngineAgent *self, const Board *board, int value, Decision *decision)
{
    Proven proven = value > 0 ? PROVEN_WIN : value < 0 ? PROVEN_LOSS : PROVEN_DRAW;
    const Decision *result = &self->result;
    bool is_expected = self->followed == 1;
    if (is_expected)
        decision_take_report(decision, result);
    else
        decision->line[decision->line_count++] = decision->stones[0];
    decision->distance = -1;
    if (value != 0 && self->has_scores)
        decision->distance = (int)exact_distance(board, value);
    else if (is_expected && result->proven == proven)
        decision->distance = result->distance;
    int score = decision->distance >= 0 ? SEARCH_WIN - decision->distance : SEARCH_PROVEN;
    decision->score = (value > 0 ? score : value < 0 ? -score : 0) / SCORE_UNIT;
    decision->proven = proven;
}

static void play_solved(EngineAgent *self, const Board *before, Decision *decision)
{
    int value = self->cells.list[0].low;
    place(self, choose(self, decision), decision);
    self->solved++;
    if (decision->count == 1)
        report_value(self, before, value, decision);
}

// --- The book ---

static unsigned play_book(EngineAgent *self, Decision *decision)
{
    EngineBookTurn turn;
    if (self->book == NULL || !engine_book_find(self->book, &self->game.board, self->task->rng, &turn))
        return 0;
    for (unsigned i = 0; i < turn.count; i++)
        place(self, turn.stones[i], decision);
    decision->line_count = turn.count;
    memcpy(decision->line, turn.stones, turn.count * sizeof(Cell));
    decision->score = turn.score / SCORE_UNIT;
    return turn.count;
}

// --- All of it ---

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    EngineAgent *self = state;
    const Board *board = &self->game.board;
    Side side = board_side(&game->board);
    begin(self, game, task);
    unsigned from_book = play_book(self, decision);
    while (!board_is_over(board) && board_side(board) == side) {
        Cell legal[RULES_CELLS_MAX];
        if (board_legal_cells(board, legal) == 1)
            place(self, legal[0], decision);
        else if (solve(self, decision))
            play_solved(self, &game->board, decision);
        else
            play_result(self, decision);
    }
    decision->counts = 3;
    decision->count_list[0] = (DecisionCount){"solved", self->solved};
    decision->count_list[1] = (DecisionCount){"unsolved", self->unsolved};
    decision->count_list[2] = (DecisionCount){"book", from_book};
}

static const AgentOption options[] = {
    {"threads", OPTION_INT, "1", 1, SEARCH_THREADS_MAX, NULL, "threads that think about a turn"},
    {"memory", OPTION_INT, "64", 1, 65536, NULL, "megabytes for what has been found out"},
    {"time", OPTION_REAL, "0", 0, 1e6, NULL, "seconds of a turn at most; 0: as the match has it"},
    {"nodes", OPTION_INT, "0", 0, 1e15, NULL, "positions of a turn at most; 0: as the match has it"},
    {"depth", OPTION_INT, "0", 0, RULES_CELLS_MAX, NULL, "stones to look ahead at most; 0: as the match has it"},
    {"exact", OPTION_BOOL, "1", 0, 1, NULL, "ask an exact solver where it may come to an end"},
    {"book", OPTION_BOOL, "1", 0, 1, NULL, "use the opening book"},
    {"weights", OPTION_PATH, "", 0, 0, NULL, "file with weights; none: the formula; else those of the family"},
    {0},
};

const AgentKind agent_engine = {
    .name = "engine",
    .summary = "the strongest: looks far ahead, with an opening book and exact values",
    .source = "krow",
    .options = options,
    .state_size = sizeof(EngineAgent),
    .open = open,
    .decide = decide,
    .ponder = ponder,
    .new_game = new_game,
    .close = close,
};
