// The gravity solver's interface: scores of positions and of columns.
#include "solver/gravity/gravity_solver_internal.h"

#include "base/memory.h"

#include <stdlib.h>

enum {
    GRAVITY_BITS_MAX = 128,
    GRAVITY_TABLE_MB = 8,
    GRAVITY_LATE_BYTES = 1 << 20,
    GRAVITY_LATE_EMPTY = 17,      // positions with at most this many empty cells use the small table
    GRAVITY_EXTREME_FIRST = 4000, // nodes for near wins and losses, first and last
    GRAVITY_EXTREME_LAST = 16000,
};

struct GravitySolver {
    Rules rules;
    const GravityEngine *engine;
    void *shape;
    GravityTable early, late;
    GravityCrew crew;
    ExactWatch watch;
};

// A search for one score.
typedef struct {
    GravitySolver *solver;
    GravityPosition position;
    ExactAim aim;
    const Limits *limits;
    bool reports; // progress
    ExactResult *result;
    uint64_t nodes_before; // of the solver
    unsigned extremes;     // questions asked from the extreme scores
} Task;

// --- Open and close ---

Status gravity_solver_check(const Rules *rules, Error *error)
{
    if (!rules->gravity)
        return error_set(error, STATUS_BAD_INPUT, "this solver supports only games with gravity");
    if (rules->p != 1 || rules->q != 1)
        return error_set(error, STATUS_BAD_INPUT, "this solver supports only games with one stone per turn");
    if (rules->exact)
        return error_set(error, STATUS_BAD_INPUT, "this solver does not support 'exact'");
    if ((rules->height + 1) * rules->width > GRAVITY_BITS_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "the board is too large to be solved: %d columns of %d rows and a spare one are more than %d",
                         rules->width, rules->height, GRAVITY_BITS_MAX);
    return STATUS_OK;
}

static const GravityEngine *engine_for(const Rules *rules)
{
    if (rules->width == 7 && rules->height == 6 && rules->k == 4)
        return &gravity_engine_7x6;
    bool fours = rules->k == 4 && rules->width >= 4 && rules->height >= 4;
    if ((rules->height + 1) * rules->width <= 64)
        return fours ? &gravity_engine_64_fours : &gravity_engine_64;
    return fours ? &gravity_engine_128_fours : &gravity_engine_128;
}

static Status open_crew(GravitySolver *solver, unsigned threads, Error *error)
{
    solver->engine->shape_init(solver->shape, &solver->rules);
    GravitySearch search = {
        .shape = solver->shape,
        .early = &solver->early,
        .late = &solver->late,
        .late_empty = GRAVITY_LATE_EMPTY,
    };
    return gravity_threads_open(&solver->crew, solver->engine, &search, threads, error);
}

Status gravity_solver_open(GravitySolver **solver, const Rules *rules, size_t megabytes, unsigned threads, Error *error)
{
    *solver = NULL;
    Status status = gravity_solver_check(rules, error);
    if (status != STATUS_OK)
        return status;
    GravitySolver *opened = memory_new(1, sizeof *opened);
    opened->rules = *rules;
    opened->engine = engine_for(rules);
    size_t size = (opened->engine->shape_size + 63) / 64 * 64;
    opened->shape = memory_aligned(64, size);
    megabytes = megabytes != 0 ? megabytes : GRAVITY_TABLE_MB;
    status = opened->shape == NULL ? error_set(error, STATUS_NO_MEMORY, "no memory for the solver")
                                   : gravity_table_open(&opened->early, rules, megabytes << 20, error);
    if (status == STATUS_OK)
        status = gravity_table_open(&opened->late, rules, GRAVITY_LATE_BYTES, error);
    if (status == STATUS_OK)
        status = open_crew(opened, threads, error);
    if (status != STATUS_OK) {
        gravity_solver_close(opened);
        return status;
    }
    *solver = opened;
    return STATUS_OK;
}

void gravity_solver_clear(GravitySolver *solver)
{
    gravity_table_clear(&solver->early);
    gravity_table_clear(&solver->late);
}

void gravity_solver_close(GravitySolver *solver)
{
    if (solver == NULL)
        return;
    gravity_threads_close(&solver->crew);
    gravity_table_close(&solver->early);
    gravity_table_close(&solver->late);
    memory_aligned_free(solver->shape);
    free(solver);
}

// --- Positions ---

static Status read_position(const GravitySolver *solver, const Board *board, GravityPosition *position, Error *error)
{
    if (!rules_equal(&board->rules, &solver->rules))
        return error_set(error, STATUS_BAD_INPUT, "the solver was opened for other rules");
    if (board_is_over(board))
        return error_set(error, STATUS_BAD_INPUT, "the game is over");
    *position = (GravityPosition){0};
    const Side side = board_side(board);
    for (unsigned column = 0; column < board->rules.width; column++) {
        const uint64_t *line = board->line[board->column_lines + column];
        uint64_t all = line[0] | line[1];
        if ((all & (all + 1)) != 0)
            return error_set(error, STATUS_BAD_INPUT, "a stone of column %u has nothing below it", column + 1);
        unsigned at = (board->rules.height + 1u) * column;
        position->own |= (GravityWide)line[side] << at;
        position->mask |= (GravityWide)all << at;
    }
    return STATUS_OK;
}

// --- Searching ---

// Nodes left for a task.
static uint64_t nodes_left(const Task *task)
{
    uint64_t spent = gravity_threads_nodes(&task->solver->crew) - task->nodes_before;
    if (task->limits->nodes == 0)
        return UINT64_MAX;
    return task->limits->nodes > spent ? task->limits->nodes - spent : 0;
}

// Asks whether the score is above alpha, within `nodes` nodes. False if there was no answer.
static bool ask(Task *task, int alpha, uint64_t nodes, bool alone)
{
    ExactResult *result = task->result;
    GravityQuestion question = {.position = task->position,
                                .alpha = alpha,
                                .alone = alone,
                                .limits = task->limits,
                                .alive = task->solver->watch.alive};
    question.nodes = nodes < nodes_left(task) ? nodes : nodes_left(task);
    int score = 0;
    bool answered = gravity_threads_ask(&task->solver->crew, &question, &score);
    result->nodes = gravity_threads_nodes(&task->solver->crew) - task->nodes_before;
    if (answered && score > alpha)
        result->low = score > result->low ? score : result->low;
    else if (answered)
        result->high = score < result->high ? score : result->high;
    const ExactWatch *watch = &task->solver->watch;
    if (answered && task->reports && watch->progress != NULL)
        watch->progress(watch->context, result);
    return answered;
}

static bool is_found(const Task *task)
{
    const ExactResult *result = task->result;
    return result->low == result->high || (task->aim == EXACT_VALUE && (result->low > 0 || result->high < 0));
}

// The next question from the extreme scores, false if there is none: alternately the shortest win and the shortest
// loss, in steps that double.
static bool next_extreme(Task *task, int *alpha)
{
    const ExactResult *result = task->result;
    for (unsigned tries = 0; tries < 2; tries++, task->extremes++) {
        int step = 1 << task->extremes / 2;
        *alpha = task->extremes % 2 == 0 ? result->high - step : result->low + step - 1;
        if (task->extremes % 2 == 0 ? *alpha > 0 : *alpha < -1)
            return true;
    }
    return false;
}

// Searches for near wins and losses within `nodes` nodes.
static void ask_extremes(Task *task, uint64_t nodes)
{
    const uint64_t end = task->result->nodes + nodes;
    int alpha;
    while (!is_found(task) && task->result->nodes < end && next_extreme(task, &alpha)) {
        if (!ask(task, alpha, end - task->result->nodes, true))
            return;
        task->extremes++;
    }
}

// The next question from 0: the winner first, then the score by thirds.
static int next_from_zero(const Task *task)
{
    const ExactResult *result = task->result;
    if (result->high > 0 && result->low <= 0)
        return 0;
    if (result->high == 0)
        return -1;
    if (result->low > 0)
        return result->low + (result->high - result->low) / 3;
    return result->high - 1 - (result->high - result->low) / 3;
}

static void ask_from_zero(Task *task, uint64_t nodes)
{
    const uint64_t end = nodes == UINT64_MAX ? nodes : task->result->nodes + nodes;
    while (!is_found(task) && task->result->nodes < end)
        if (!ask(task, next_from_zero(task), end == UINT64_MAX ? end : end - task->result->nodes, nodes != UINT64_MAX))
            return;
}

static int sign(int score)
{
    return score > 0 ? 1 : score < 0 ? -1 : 0;
}

// The bounds of a position before any search.
static ExactResult unknown(unsigned empty, ExactAim aim)
{
    ExactResult result = {.low = -(int)(empty / 2), .high = (int)(empty + 1) / 2};
    return aim == EXACT_SCORE ? result : (ExactResult){.low = sign(result.low), .high = sign(result.high)};
}

static void solve(Task *task, unsigned empty)
{
    *task->result = unknown(empty, EXACT_SCORE);
    task->nodes_before = gravity_threads_nodes(&task->solver->crew);
    // A near end is found fast from the extreme scores and slowly from 0, a distant one the other way round. Both get
    // more and more nodes until it is clear that no end is near.
    for (uint64_t nodes = GRAVITY_EXTREME_FIRST; task->aim == EXACT_SCORE && nodes <= GRAVITY_EXTREME_LAST;
         nodes *= 4) {
        ask_extremes(task, nodes);
        ask_from_zero(task, 4 * nodes);
    }
    ask_from_zero(task, UINT64_MAX);
    if (task->aim == EXACT_VALUE) {
        task->result->low = sign(task->result->low);
        task->result->high = sign(task->result->high);
    }
}

static Status run(Task *task, const Board *board, Error *error)
{
    Status status = read_position(task->solver, board, &task->position, error);
    if (status == STATUS_OK)
        solve(task, board->cells - board_count(board));
    return status;
}

void gravity_solver_watch(GravitySolver *solver, ExactWatch watch)
{
    solver->watch = watch;
}

Status gravity_solver_run(GravitySolver *solver, const ExactQuery *query, ExactResult *result, Error *error)
{
    Task task = {.solver = solver, .aim = query->aim, .limits = query->limits, .reports = true, .result = result};
    return run(&task, query->board, error);
}

// --- All columns ---

// A search for the scores of all columns.
typedef struct {
    GravitySolver *solver;
    ExactAim aim;
    Limits left;
    bool spent; // no limits are left
} Columns;

// The score of the stone that led to this board, for the side that placed it.
static Status solve_after(Columns *columns, const Board *board, ExactResult *result, Error *error)
{
    ExactAim aim = columns->aim;
    unsigned empty = board->cells - board_count(board);
    if (board_is_over(board)) {
        int won = board_winner(board) == WINNER_NONE ? 0 : (int)(empty + 2) / 2;
        won = aim == EXACT_SCORE ? won : sign(won);
        *result = (ExactResult){.low = won, .high = won};
        return STATUS_OK;
    }
    ExactResult after = unknown(empty, aim);
    Task task = {.solver = columns->solver, .aim = aim, .limits = &columns->left, .result = &after};
    Status status = columns->spent ? STATUS_OK : run(&task, board, error);
    columns->spent = columns->spent || !limits_take_nodes(&columns->left, after.nodes);
    *result = (ExactResult){.low = -after.high, .high = -after.low, .nodes = after.nodes};
    return status;
}

// Solves column by column; the results are listed row by row.
Status gravity_solver_cells(GravitySolver *solver, const ExactQuery *query, ExactCells *cells, Error *error)
{
    const Board *board = query->board;
    GravityPosition position;
    ExactResult results[RULES_SIDE_MAX];
    Columns columns = {.solver = solver, .aim = query->aim, .left = *query->limits};
    cells->count = 0;
    cells->nodes = 0;
    Board after;
    board_copy(&after, board);
    Status status = read_position(solver, board, &position, error);
    for (unsigned column = 0; status == STATUS_OK && column < board->rules.width; column++) {
        Cell cell = cell_at(column, board_drop_row(board, column));
        if (!board_is_legal(board, cell))
            continue;
        BoardState before = board_play(&after, cell);
        status = solve_after(&columns, &after, &results[column], error);
        board_undo(&after, cell, before);
        cells->nodes += results[column].nodes;
    }
    Cell list[RULES_CELLS_MAX];
    unsigned count = status == STATUS_OK ? board_legal_cells(board, list) : 0;
    for (; cells->count < count; cells->count++) {
        const ExactResult *found = &results[cell_column(list[cells->count])];
        cells->list[cells->count] = (ExactCell){list[cells->count], found->low, found->high};
    }
    return status;
}
