// The engine: the strongest player of krow, for every game of the family. It plays
//
// 1. what the opening book has (agents/engine_book.h);
// 2. where an exact solver (search/exact.h) finds the value of the position in a part of the time: a stone that keeps
//    it, and of these the one the thinker likes best. So it makes progress where only won, drawn and lost are known,
//    and sets problems where nothing better can be had;
// 3. else what the thinker (search/thinker.h) finds. Turns of more stones than the thinker takes are left to another
//    agent.
//
// A turn may cost what the task says and what the options say, whichever is less; where neither says anything it costs
// NODES positions, which is a fraction of a second on every board. How the time is shared out stands in
// agents/budget.h. Where the look-ahead is limited the solver is not asked, since it knows no such limit.
//
// A solver that did not come to an end is not asked again before PATIENCE more stones. `solved` counts stones played by
// exact values, `unsolved` how often the solver was asked in vain, `book` the stones of the book.
#include "agents/agent.h"
#include "agents/engine_book.h"
#include "base/clock.h"
#include "search/exact.h"
#include "search/thinker.h"

#include <math.h>
#include <string.h>

// Who plays turns that the thinker does not take.
#define LARGE_TURNS "sequences:depth=4+width=8"

enum {
    NODES = 20000,
    PATIENCE = 4,      // stones
    FALLING_SHARE = 2, // the solver has one part in so many of what is left
    FREE_SHARE = 3,
    TRIAL_SHARE = 8,  // where it may well not come to an end
    CHOICE_SHARE = 4, // likewise the choice among stones that keep a known value
    HOPE_SHARE = 2,   // and where stones fall and it is not won: the other side may not find what it has
};

// Scores are told in hundreds of the thinker's unit, as protocols tell hundredths of a score.
#define SCORE_UNIT 100.0

// How far from the end a solver is asked: with so many nodes it often ends where so many cells are empty, and a cell
// more takes about 1.75 times as many. Where stones fall it is fast; elsewhere it looks long at each node. Measured on
// empty boards: 6x6:k=4,gravity five million nodes, 5x5:k=4 45 thousand, 6x5:k=4 157 thousand.
//
// With fewer nodes than that the thinker, too, sees little, and half of the time is much to lose. So where stones fall
// it is counted on only if a cell more took `caution` times as many: it then comes to an end in two of three cases. In
// games of 8x8:k=5 and 7x7:k=5 with 90 thousand nodes it does in 53 and 28 of 100 positions with 30 empty cells, in 80
// and 68 with 28. Between the two it is given a trial: a few positions are easy, and take few nodes even far away.
typedef struct {
    double nodes, cells, nodes_a_second, caution;
} Reach;
static const double reach_growth = 1.75;
static const Reach reach_falling = {4194304, 37.4, 1e7, 1.55}, reach_free = {16384, 29, 1e5, 1.75};

typedef struct {
    uint64_t nodes;
    unsigned depth;
    double seconds;
    bool falls;       // the solver is that of stones that fall
    double speed;     // nodes a second of the solver, where time limits it
    Exact *exact;     // NULL: there is none for these rules, or it is not wanted
    Thinker *thinker; // NULL: the rules do not suit it, and the other agent plays
    EngineBook *book; // NULL: there is none
    Agent other;
    unsigned patience; // the solver is asked from so many stones on
    unsigned stones;   // on the board at the last turn

    // The turn under way.
    const AgentTask *task;
    Budget budget;
    double soft, hard; // moments; 0: none
    Game game;         // with the stones of the turn so far
    Decision guess;    // what is thought of the rest of it
    unsigned guessed;  // stones of the guess that have been played
    unsigned solved, unsolved;
    ExactCells cells;  // that are best
    ExactCells scored; // work space
    bool has_scores;   // of `cells`: how soon is known
    ThinkerReport report;
    uint64_t told_nodes; // of the turn, before the thinker was asked
    Decision told;       // work space
} Engine;

// --- Opening ---

// Nodes a second of the solver before it has been asked. Where stones fall it is that of the board it is made for, and
// less with rows of other lengths, which it counts by a loop, and where a board does not fit one word of the machine.
static double usual_speed(const Rules *rules, bool falls)
{
    if (!falls)
        return reach_free.nodes_a_second;
    if ((rules->height + 1) * rules->width > 64)
        return reach_falling.nodes_a_second / 10;
    return rules->k == 4 ? reach_falling.nodes_a_second : reach_falling.nodes_a_second / 2;
}

static Status open_exact(Engine *self, const AgentConfig *config, size_t megabytes, Error *error)
{
    ExactOptions options = {
        .megabytes = megabytes, .threads = (unsigned)options_int(&config->options, "threads"), .openings = true};
    self->falls = exact_has_scores(&config->rules);
    self->speed = usual_speed(&config->rules, self->falls);
    return exact_open(&self->exact, &options, &config->rules, error);
}

// The memory is for all tables together.
static Status open(void *state, const AgentConfig *config, Error *error)
{
    Engine *self = state;
    const OptionValues *values = &config->options;
    self->nodes = (uint64_t)options_int(values, "nodes");
    self->depth = (unsigned)options_int(values, "depth");
    self->seconds = options_real(values, "time");
    size_t megabytes = (size_t)options_int(values, "memory");
    Status status = STATUS_OK;
    if (options_bool(values, "exact") && exact_check(&config->rules, NULL) == STATUS_OK) {
        size_t half = megabytes > 1 ? megabytes / 2 : 1;
        status = open_exact(self, config, half, error);
        megabytes = half;
    }
    if (status == STATUS_OK && options_bool(values, "book"))
        status = engine_book_open(&self->book, &config->rules, error);
    if (status != STATUS_OK)
        return status;
    if (!thinker_suits(&config->rules))
        return agent_open_inner(&self->other, LARGE_TURNS, config, error);
    Weights weights;
    status = weights_read(&weights, options_text(values, "weights"), &config->rules, error);
    if (status != STATUS_OK)
        return status;
    ThinkerOptions options = {
        .threads = (unsigned)options_int(values, "threads"), .megabytes = megabytes, .weights = &weights};
    return thinker_open(&self->thinker, &options, &config->rules, error);
}

// What is found out about the other side's position stays in the table.
static void ponder(void *state, const Game *game, const atomic_bool *stop)
{
    Engine *self = state;
    ThinkerLimits limits = {.stop = stop};
    if (self->thinker != NULL)
        thinker_run(self->thinker, &game->board, &limits, &self->report);
}

static void new_game(void *state)
{
    Engine *self = state;
    self->patience = self->stones = 0;
    if (self->exact != NULL)
        exact_clear(self->exact);
    if (self->thinker != NULL)
        thinker_new_game(self->thinker);
    else
        agent_new_game(&self->other);
}

static void close(void *state)
{
    Engine *self = state;
    exact_close(self->exact);
    thinker_close(self->thinker);
    engine_book_close(self->book);
    agent_close(&self->other);
}

// --- Limits ---

// What the task and the options allow together.
static Budget budget_of(const Engine *self, const Budget *given)
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

static void begin(Engine *self, const Game *game, const AgentTask *task)
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
    self->guess.count = self->guessed = self->solved = self->unsolved = 0;
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

// What is left of the nodes of the turn, at least 1; 0 if they have no limit.
static uint64_t nodes_left(const Engine *self, const Decision *decision)
{
    uint64_t all = self->budget.nodes;
    return all == 0 ? 0 : all > decision->nodes ? all - decision->nodes : 1;
}

// The moment after one part in `parts` of what is left until `moment`; 0 stays no limit.
static double part_of(double moment, unsigned parts)
{
    double now = clock_seconds();
    return moment > now ? now + (moment - now) / parts : moment;
}

// --- Thinking ---

static void take_line(const Board *board, const ThinkerLine *line, Decision *decision)
{
    decision->count = line->turn.count;
    memcpy(decision->stones, line->turn.stones, line->turn.count * sizeof(Cell));
    decision->score = line->score / SCORE_UNIT;
    decision->depth = stones_of(board, line->depth);
    decision->line_count = line->pv_count < DECISION_LINE_MAX ? line->pv_count : DECISION_LINE_MAX;
    memcpy(decision->line, line->pv, decision->line_count * sizeof(Cell));
    decision->distance = thinker_distance(line->score);
    if (decision->distance >= 0)
        decision->proven = line->score > 0 ? PROVEN_WIN : PROVEN_LOSS;
}

static void tell_progress(void *context, const ThinkerReport *report)
{
    Engine *self = context;
    self->told = (Decision){.nodes = self->told_nodes + report->nodes, .distance = -1};
    take_line(&self->game.board, &report->lines[0], &self->told);
    self->task->progress(self->task->progress_context, &self->told);
}

static void run_thinker(Engine *self, unsigned parts, unsigned lines, Decision *decision)
{
    const Board *board = &self->game.board;
    uint64_t nodes = nodes_left(self, decision);
    ThinkerLimits limits = {
        .soft = part_of(self->soft, parts),
        .hard = part_of(self->hard, parts),
        .nodes = nodes > 0 ? (nodes + parts - 1) / parts : 0,
        .depth = self->budget.depth > 0 ? turns_of(board, self->budget.depth) : 0,
        .lines = lines,
        .stop = self->task->stop,
    };
    if (self->task->progress != NULL && decision->count == 0) {
        limits.progress = tell_progress;
        limits.context = self;
        self->told_nodes = decision->nodes;
    }
    thinker_run(self->thinker, board, &limits, &self->report);
    decision->nodes += self->report.nodes;
    self->guess = (Decision){.distance = -1};
    take_line(board, &self->report.lines[0], &self->guess);
}

static void ask_other(Engine *self, unsigned parts, Decision *decision)
{
    AgentTask rest = *self->task;
    rest.progress = decision->count == 0 ? rest.progress : NULL;
    double now = clock_seconds();
    rest.budget = (Budget){.nodes = nodes_left(self, decision), .depth = self->budget.depth};
    if (self->hard > 0)
        rest.budget.seconds = fmax(part_of(self->soft > 0 ? self->soft : self->hard, parts) - now, BUDGET_LEAST);
    agent_decide(&self->other, &self->game, &rest, &self->guess);
    decision->nodes += self->guess.nodes;
}

// Puts what is thought of the rest of the turn into self->guess, in one part of so many of what is left of the limits.
static void think(Engine *self, unsigned parts, Decision *decision)
{
    if (self->thinker != NULL)
        run_thinker(self, parts, 1, decision);
    else
        ask_other(self, parts, decision);
    self->guessed = 0;
}

// --- A turn ---

static void place(Engine *self, Cell cell, Decision *decision)
{
    decision->stones[decision->count++] = cell;
    game_play(&self->game, cell);
    bool was_guessed = self->guessed < self->guess.count && self->guess.stones[self->guessed] == cell;
    self->guessed = was_guessed ? self->guessed + 1 : self->guess.count;
}

static void tell_guess(const Engine *self, Decision *decision)
{
    const Decision *guess = &self->guess;
    decision->score = guess->score;
    decision->depth = guess->depth;
    decision->proven = guess->proven;
    decision->distance = guess->distance;
    decision->line_count = guess->line_count;
    memcpy(decision->line, guess->line, guess->line_count * sizeof(Cell));
}

// The rest of the turn as it is thought.
static void play_guess(Engine *self, Decision *decision)
{
    think(self, 1, decision);
    if (decision->count == 0)
        tell_guess(self, decision);
    while (self->guessed < self->guess.count)
        place(self, self->guess.stones[self->guessed], decision);
}

// --- Exact values ---

// How far from the end, in empty cells, the solver gets there with so many nodes if each cell takes `growth` times
// more.
static double cells_within(const Reach *reach, double nodes, double growth)
{
    return reach->cells + log(nodes / reach->nodes) / log(growth);
}

static double nodes_within(const ExactLimits *limits, double nodes_a_second)
{
    double nodes = limits->nodes > 0 ? (double)limits->nodes : INFINITY;
    if (limits->deadline > 0)
        nodes = fmin(nodes, fmax(limits->deadline - clock_seconds(), 0) * nodes_a_second);
    return nodes;
}

static ExactLimits exact_limits(const Engine *self, const Decision *decision, unsigned share)
{
    return (ExactLimits){
        .deadline = part_of(self->soft > 0 ? self->soft : self->hard, share),
        .nodes = (nodes_left(self, decision) + share - 1) / share,
        .stop = self->task->stop,
    };
}

// The solver is to have one part in so many of what is left; 0: the position is too far from the end.
static unsigned share_of_solver(const Engine *self, const Decision *decision)
{
    const Board *board = &self->game.board;
    const Reach *reach = self->falls ? &reach_falling : &reach_free;
    unsigned share = self->falls ? FALLING_SHARE : FREE_SHARE, empty = board->cells - board_count(board);
    ExactLimits limits = exact_limits(self, decision, share);
    double nodes = nodes_within(&limits, self->speed);
    double growth = nodes < reach->nodes ? reach->caution : reach_growth;
    if (exact_looks_up(self->exact, board) || empty <= cells_within(reach, nodes, growth))
        return share;
    nodes = nodes_within(&limits, reach->nodes_a_second);
    return empty <= cells_within(reach, nodes, reach_growth) ? TRIAL_SHARE : 0;
}

static bool may_be_solved(const Engine *self)
{
    return self->exact != NULL && self->budget.depth == 0 && board_count(&self->game.board) >= self->patience;
}

// How fast the solver is depends on the machine and the size of the board; too short a search does not tell.
static void note_speed(Engine *self, double seconds)
{
    static const double least = 0.005;
    if (self->falls && seconds > least && self->cells.nodes > 0)
        self->speed = (double)self->cells.nodes / seconds;
}

// How soon a game is won or lost, where that can be told, is asked once it is known who wins. All draws are one.
static void score(Engine *self, const ExactLimits *limits, Decision *decision)
{
    bool found = exact_best(self->exact, &self->game.board, EXACT_SCORE, limits, &self->scored);
    decision->nodes += self->scored.nodes;
    if (found)
        self->cells = self->scored;
    self->has_scores = found;
}

// Leaves the best cells in self->cells.
static bool solve(Engine *self, Decision *decision)
{
    unsigned share = may_be_solved(self) ? share_of_solver(self, decision) : 0;
    if (share == 0)
        return false;
    ExactLimits limits = exact_limits(self, decision, share);
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

// The best of the cells as the thinker has it: its own choice, or the first of the next best turns that begins with one
// of them. CELL_NONE: it has none of them among its best.
static Cell preferred(Engine *self, Decision *decision)
{
    unsigned share = self->falls && self->cells.list[0].low <= 0 ? HOPE_SHARE : CHOICE_SHARE;
    if (self->guessed == self->guess.count)
        think(self, share, decision);
    if (exact_lists(&self->cells, self->guess.stones[self->guessed]))
        return self->guess.stones[self->guessed];
    if (self->thinker == NULL)
        return CELL_NONE;
    run_thinker(self, share, THINKER_LINES_MAX, decision);
    for (unsigned i = 0; i < self->report.line_count; i++)
        if (exact_lists(&self->cells, self->report.lines[i].turn.stones[0])) {
            take_line(&self->game.board, &self->report.lines[i], &self->guess);
            self->guessed = 0;
            return self->guess.stones[0];
        }
    return CELL_NONE;
}

// With scores every stone that wins as soon as possible is as good.
static Cell choose(Engine *self, Decision *decision)
{
    if (self->cells.count == 1)
        return self->cells.list[0].cell;
    bool is_won_soonest = self->has_scores && self->cells.list[0].low > 0;
    Cell cell = is_won_soonest ? (Cell)CELL_NONE : preferred(self, decision);
    return cell != CELL_NONE ? cell : self->cells.list[rng_below(self->task->rng, self->cells.count)].cell;
}

// What is known of the turn by its first stone. Where the solver has no scores, how long a win takes is what the
// thinker knows of it.
static void tell_value(Engine *self, const Board *board, int value, Decision *decision)
{
    Proven proven = value > 0 ? PROVEN_WIN : value < 0 ? PROVEN_LOSS : PROVEN_DRAW;
    const Decision *guess = &self->guess;
    bool is_guessed = self->guessed == 1;
    if (is_guessed)
        tell_guess(self, decision);
    else
        decision->line[decision->line_count++] = decision->stones[0];
    decision->distance = -1;
    if (value != 0 && self->has_scores)
        decision->distance = (int)exact_distance(board, value);
    else if (is_guessed && guess->proven == proven)
        decision->distance = guess->distance;
    int score = decision->distance >= 0 ? THINKER_WIN - decision->distance : THINKER_PROVEN;
    decision->score = (value > 0 ? score : value < 0 ? -score : 0) / SCORE_UNIT;
    decision->proven = proven;
}

static void play_solved(Engine *self, const Board *before, Decision *decision)
{
    int value = self->cells.list[0].low;
    place(self, choose(self, decision), decision);
    self->solved++;
    if (decision->count == 1)
        tell_value(self, before, value, decision);
}

// --- The book ---

static unsigned play_book(Engine *self, Decision *decision)
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
    Engine *self = state;
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
            play_guess(self, decision);
    }
    decision->counts = 3;
    decision->count_list[0] = (DecisionCount){"solved", self->solved};
    decision->count_list[1] = (DecisionCount){"unsolved", self->unsolved};
    decision->count_list[2] = (DecisionCount){"book", from_book};
}

static const AgentOption options[] = {
    {"threads", OPTION_INT, "1", 1, THINKER_THREADS_MAX, NULL, "threads that think about a turn"},
    {"memory", OPTION_INT, "64", 1, 65536, NULL, "megabytes for what has been found out"},
    {"time", OPTION_REAL, "0", 0, 1e6, NULL, "seconds of a turn at most; 0: as the match has it"},
    {"nodes", OPTION_INT, "0", 0, 1e15, NULL, "positions of a turn at most; 0: as the match has it"},
    {"depth", OPTION_INT, "0", 0, RULES_CELLS_MAX, NULL, "stones to look ahead at most; 0: as the match has it"},
    {"exact", OPTION_BOOL, "1", 0, 1, NULL, "ask an exact solver where it may come to an end"},
    {"book", OPTION_BOOL, "1", 0, 1, NULL, "use the opening book"},
    {"weights", OPTION_PATH, "", 0, 0, NULL, "file with weights; none: the law; else those of the family"},
    {0},
};

extern const AgentKind agent_engine;
const AgentKind agent_engine = {
    .name = "engine",
    .summary = "the strongest: looks far ahead, with an opening book and exact values",
    .source = "krow",
    .options = options,
    .state_size = sizeof(Engine),
    .open = open,
    .decide = decide,
    .ponder = ponder,
    .new_game = new_game,
    .close = close,
};
