// The engine: the strongest player of krow, for every game of the family. It plays, in this order:
//
// 1. the turn of the opening book (engine/book/engine_book.h);
// 2. if an exact solver (solver/exact.h) finds the value of the position in part of the time: a stone that keeps the
//    value, and of these the one that the search prefers, which makes progress if only won, drawn and lost are known,
//    and sets problems if nothing better is possible;
// 3. otherwise the result of the search (engine/search/search.h). Turns with more stones than the search supports are
//    left to another agent.
//
// The limits of a turn are the smaller of the task's and the options'; without any limit a turn gets NODES nodes, a
// fraction of a second on every board. agents/budget.h defines how time is divided. With a depth limit the solver is
// not used, since it has none.
//
// After an unsuccessful attempt the solver is used again only after PATIENCE more stones. `solved` counts stones played
// by exact values, `unsolved` the unsuccessful attempts, `book` the stones of the book.
#include "agents/expected.h"
#include "base/clock.h"
#include "engine/book/engine_book.h"
#include "engine/search/search.h"
#include "engine/solver_reach.h"
#include "solver/exact.h"

#include <math.h>
#include <string.h>

// The agent for turns that the search does not support.
#define LARGE_TURNS "sequences:depth=4+width=8"

enum {
    NODES = 20000,
    PATIENCE = 4,      // stones
    FALLING_SHARE = 2, // one part in this many of the remaining limits is for the solver
    FREE_SHARE = 3,
    TRIAL_SHARE = 8,  // if success is uncertain
    CHOICE_SHARE = 4, // for the choice among stones that keep a known value
    HOPE_SHARE = 2,   // the same for gravity games that are not won: the opponent may err
};

// Scores are reported in hundreds of the search's unit, since protocols use hundredths of a score.
#define SCORE_UNIT 100.0

typedef struct {
    uint64_t nodes;
    unsigned depth;
    double seconds;
    bool falls;       // the solver is that of gravity games
    double speed;     // of the solver, in nodes per second
    Exact *exact;     // NULL: rules not supported, or switched off
    Search *search;   // NULL: rules not supported; `other` plays
    EngineBook *book; // NULL: no book
    Agent other;
    unsigned patience; // number of stones from which the solver is used
    unsigned stones;   // on the board at the last turn

    // The current turn.
    const AgentTask *task;
    Budget budget;
    double soft, hard; // moments; 0: none
    Game game;         // with the stones of the turn so far
    Decision result;   // of the search for the rest of the turn
    unsigned followed; // stones of the result that have been played
    unsigned solved, unsolved;
    ExactCells cells;  // the best ones
    ExactCells scored; // working memory
    bool has_scores;   // the distances of `cells` are known
    SearchInfo report;
    uint64_t nodes_before; // of the turn before the current search
    Decision progress;     // working memory
} EngineAgent;

// --- Opening ---

// The memory limit is for all tables together.
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
    SearchOptions options = {.threads = (unsigned)options_int(values, "threads"),
                             .megabytes = megabytes,
                             .weights = &weights,
                             .network = options_text(values, "network")};
    return search_open(&self->search, &options, &config->rules, error);
}

// Results about the opponent's positions stay in the transposition table.
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

// The smaller limits of the task and the options.
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
    // A board with no more stones than at the last turn belongs to another game.
    unsigned stones = board_count(&game->board);
    if (stones <= self->stones)
        self->patience = 0;
    self->stones = stones;
    self->result.count = self->followed = self->solved = self->unsolved = 0;
}

// The number of turns that hold `stones` further stones, rounded up. The current turn may have begun.
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

static void take_line(const Board *board, const SearchInfo *report, unsigned i, Decision *decision)
{
    const SearchLine *line = &report->lines[i];
    decision->count = line->turn.count;
    memcpy(decision->stones, line->turn.stones, line->turn.count * sizeof(Cell));
    decision->score = line->score / SCORE_UNIT;
    decision->depth = stones_of(board, line->depth);
    decision->deepest = stones_of(board, line->depth > report->deepest ? line->depth : report->deepest);
    decision->line_count = line->pv_count < DECISION_LINE_MAX ? line->pv_count : DECISION_LINE_MAX;
    memcpy(decision->line, line->pv, decision->line_count * sizeof(Cell));
    decision->distance = search_distance(line->score);
    if (decision->distance >= 0)
        decision->proven = line->score > 0 ? PROVEN_WIN : PROVEN_LOSS;
}

// Whether several best turns are wanted. Then neither the book nor the solver decides, which know only one.
static bool lists_turns(const EngineAgent *self)
{
    return self->task->lines > 1 && self->search != NULL;
}

static void report_progress(void *context, const SearchInfo *report)
{
    EngineAgent *self = context;
    SearchInfo sorted = *report;
    bool lists = lists_turns(self);
    if (lists)
        search_sort_lines(&sorted);
    for (unsigned i = 0; i < sorted.line_count && (i == 0 || lists); i++) {
        self->progress =
            (Decision){.nodes = self->nodes_before + report->nodes, .distance = -1, .rank = lists ? i + 1 : 0};
        take_line(&self->game.board, &sorted, i, &self->progress);
        self->task->progress(self->task->progress_context, &self->progress);
    }
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
    if (lists_turns(self) && self->report.lines[0].depth > 0)
        search_sort_lines(&self->report);
    if (limits.progress != NULL && lists_turns(self))
        report_progress(self, &self->report);
    decision->nodes += self->report.nodes;
    self->result = (Decision){.distance = -1};
    take_line(board, &self->report, 0, &self->result);
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

// Searches for the rest of the turn with one part in `parts` of the remaining limits; sets self->result.
static void think(EngineAgent *self, unsigned parts, Decision *decision)
{
    if (self->search != NULL)
        run_search(self, parts, lists_turns(self) ? self->task->lines : 1, decision);
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

// Plays the rest of the turn by the search.
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

// The solver gets one part in this many of the remaining limits; 0: the position is too far from the end.
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

// The speed of the solver depends on the machine and the board; very short searches do not show it.
static void note_speed(EngineAgent *self, double seconds)
{
    static const double least = 0.005;
    if (self->falls && seconds > least && self->cells.nodes > 0)
        self->speed = (double)self->cells.nodes / seconds;
}

// Once the winner is known, finds out how soon the game is won or lost. All draws are equal.
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

// The cell that the search prefers among the best: its own choice, or the first stone of the best further turn that
// begins with one of them. CELL_NONE: its turns contain none of them.
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
            take_line(&self->game.board, &self->report, i, &self->result);
            self->followed = 0;
            return self->result.stones[0];
        }
    return CELL_NONE;
}

// With scores, all stones that win soonest are equal.
static Cell choose(EngineAgent *self, Decision *decision)
{
    if (self->cells.count == 1)
        return self->cells.list[0].cell;
    bool is_won_soonest = self->has_scores && self->cells.list[0].low > 0;
    Cell cell = is_won_soonest ? (Cell)CELL_NONE : preferred(self, decision);
    return cell != CELL_NONE ? cell : self->cells.list[rng_below(self->task->rng, self->cells.count)].cell;
}

// Reports the value of the turn from its first stone. If the solver has no scores, the distance is that of the search.
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
    decision->score = turn.score / ENGINE_BOOK_UNIT;
    return turn.count;
}

// --- All of it ---

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    EngineAgent *self = state;
    const Board *board = &self->game.board;
    Side side = board_side(&game->board);
    begin(self, game, task);
    unsigned from_book = lists_turns(self) ? 0 : play_book(self, decision);
    while (!board_is_over(board) && board_side(board) == side) {
        Cell legal[RULES_CELLS_MAX];
        if (board_legal_cells(board, legal) == 1)
            place(self, legal[0], decision);
        else if (!lists_turns(self) && solve(self, decision))
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
    {"threads", OPTION_INT, "1", 1, SEARCH_THREADS_MAX, NULL, "number of search threads"},
    {"memory", OPTION_INT, "64", 1, 65536, NULL, "size of the transposition tables in MB"},
    {"time", OPTION_REAL, "0", 0, 1e6, NULL, "time limit per turn in seconds (0: the limit of the match)"},
    {"nodes", OPTION_INT, "0", 0, 1e15, NULL, "node limit per turn (0: the limit of the match)"},
    {"depth", OPTION_INT, "0", 0, RULES_CELLS_MAX, NULL, "depth limit in stones (0: the limit of the match)"},
    {"exact", OPTION_BOOL, "1", 0, 1, NULL, "use an exact solver if it may finish in time"},
    {"book", OPTION_BOOL, "1", 0, 1, NULL, "use the opening book"},
    {"weights", OPTION_PATH, "", 0, 0, NULL, "weights file (none: the formula; default: the weights of the family)"},
    {"network", OPTION_PATH, "", 0, 0, NULL, "network file (none: patterns only; default: the network of the family)"},
    {0},
};

const AgentKind agent_engine = {
    .name = "engine",
    .summary = "the strongest agent: deep search, an opening book and exact values",
    .source = "krow",
    .options = options,
    .state_size = sizeof(EngineAgent),
    .open = open,
    .decide = decide,
    .ponder = ponder,
    .new_game = new_game,
    .close = close,
};
