#include "search/drop_solver_internal.h"

#include <stdlib.h>

enum {
    DROP_BITS_MAX = 128,
    DROP_TABLE_MB = 8,
    DROP_LATE_BYTES = 1 << 20,
    DROP_LATE_EMPTY = 17,      // positions with no more empty cells are kept in the small table
    DROP_EXTREME_FIRST = 4000, // nodes spent on wins and losses that are near, the first time and the last
    DROP_EXTREME_LAST = 16000,
};

struct DropSolver {
    Rules rules;
    const DropEngine *engine;
    void *shape;
    DropTable early, late;
    DropCrew crew;
};

// A search for one score.
typedef struct {
    DropSolver *solver;
    DropPosition position;
    DropSolverAim aim;
    const DropSolverLimits *limits;
    DropSolverResult *result;
    uint64_t nodes_before; // of the solver
    unsigned extremes;     // questions asked from the ends of what is possible
} Task;

// --- Open and close ---

Status drop_solver_check(const Rules *rules, Error *error)
{
    if (!rules->gravity)
        return error_set(error, STATUS_BAD_INPUT, "the solver is for games with gravity");
    if (rules->p != 1 || rules->q != 1)
        return error_set(error, STATUS_BAD_INPUT, "the solver is for games with one stone a turn");
    if (rules->exact)
        return error_set(error, STATUS_BAD_INPUT, "the solver is for games in which longer rows win too");
    if ((rules->height + 1) * rules->width > DROP_BITS_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "the board is too large to be solved: %d columns of %d rows and a spare one are more than %d",
                         rules->width, rules->height, DROP_BITS_MAX);
    return STATUS_OK;
}

static const DropEngine *engine_for(const Rules *rules)
{
    if (rules->width == 7 && rules->height == 6 && rules->k == 4)
        return &drop_engine_7x6;
    bool fours = rules->k == 4 && rules->width >= 4 && rules->height >= 4;
    if ((rules->height + 1) * rules->width <= 64)
        return fours ? &drop_engine_64_fours : &drop_engine_64;
    return fours ? &drop_engine_128_fours : &drop_engine_128;
}

static Status open_crew(DropSolver *solver, unsigned threads, Error *error)
{
    solver->engine->shape_init(solver->shape, &solver->rules);
    DropSearch search = {
        .shape = solver->shape,
        .early = &solver->early,
        .late = &solver->late,
        .late_empty = DROP_LATE_EMPTY,
    };
    return drop_crew_open(&solver->crew, solver->engine, &search, threads, error);
}

Status drop_solver_open(DropSolver **solver, const DropSolverOptions *options, const Rules *rules, Error *error)
{
    *solver = NULL;
    Status status = drop_solver_check(rules, error);
    if (status != STATUS_OK)
        return status;
    DropSolver *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the solver");
    opened->rules = *rules;
    opened->engine = engine_for(rules);
    size_t size = (opened->engine->shape_size + 63) / 64 * 64;
    opened->shape = aligned_alloc(64, size);
    size_t megabytes = options->megabytes != 0 ? options->megabytes : DROP_TABLE_MB;
    status = opened->shape == NULL ? error_set(error, STATUS_NO_MEMORY, "no memory for the solver")
                                   : drop_table_open(&opened->early, rules, megabytes << 20, error);
    if (status == STATUS_OK)
        status = drop_table_open(&opened->late, rules, DROP_LATE_BYTES, error);
    if (status == STATUS_OK)
        status = open_crew(opened, options->threads, error);
    if (status != STATUS_OK) {
        drop_solver_close(opened);
        return status;
    }
    *solver = opened;
    return STATUS_OK;
}

void drop_solver_clear(DropSolver *solver)
{
    drop_table_clear(&solver->early);
    drop_table_clear(&solver->late);
}

void drop_solver_close(DropSolver *solver)
{
    if (solver == NULL)
        return;
    drop_crew_close(&solver->crew);
    drop_table_close(&solver->early);
    drop_table_close(&solver->late);
    free(solver->shape);
    free(solver);
}

// --- Positions ---

static Status read_position(const DropSolver *solver, const Board *board, DropPosition *position, Error *error)
{
    if (!rules_equal(&board->rules, &solver->rules))
        return error_set(error, STATUS_BAD_INPUT, "the solver was opened for other rules");
    if (board_is_over(board))
        return error_set(error, STATUS_BAD_INPUT, "the game is over");
    *position = (DropPosition){0};
    const Side side = board_side(board);
    for (unsigned column = 0; column < board->rules.width; column++) {
        const uint64_t *line = board->line[board->column_lines + column];
        uint64_t all = line[0] | line[1];
        if ((all & (all + 1)) != 0)
            return error_set(error, STATUS_BAD_INPUT, "a stone of column %u has nothing below it", column + 1);
        unsigned at = (board->rules.height + 1u) * column;
        position->own |= (DropWide)line[side] << at;
        position->mask |= (DropWide)all << at;
    }
    return STATUS_OK;
}

static unsigned position_empty(const DropSolver *solver, const DropPosition *position)
{
    return rules_cells(&solver->rules) - bits_count((uint64_t)position->mask) -
           bits_count((uint64_t)(position->mask >> 64));
}

// --- Searching ---

// Nodes that may still be spent on a task.
static uint64_t nodes_left(const Task *task)
{
    uint64_t spent = drop_crew_nodes(&task->solver->crew) - task->nodes_before;
    if (task->limits->nodes == 0)
        return UINT64_MAX;
    return task->limits->nodes > spent ? task->limits->nodes - spent : 0;
}

// Asks whether the score is above alpha, within so many nodes. False when there was no answer.
static bool ask(Task *task, int alpha, uint64_t nodes, bool alone)
{
    DropSolverResult *result = task->result;
    DropQuestion question = {.position = task->position, .alpha = alpha, .alone = alone, .limits = task->limits};
    question.nodes = nodes < nodes_left(task) ? nodes : nodes_left(task);
    int score = 0;
    bool answered = drop_crew_ask(&task->solver->crew, &question, &score);
    result->nodes = drop_crew_nodes(&task->solver->crew) - task->nodes_before;
    if (answered && score > alpha)
        result->low = score > result->low ? score : result->low;
    else if (answered)
        result->high = score < result->high ? score : result->high;
    if (answered && task->limits->progress != NULL)
        task->limits->progress(task->limits->context, result);
    return answered;
}

static bool is_found(const Task *task)
{
    const DropSolverResult *result = task->result;
    return result->low == result->high || (task->aim == DROP_SOLVER_WEAK && (result->low > 0 || result->high < 0));
}

// The next question from the ends of what is possible, or false if there is none: by turns at the shortest win and at
// the shortest loss, in steps that double.
static bool next_extreme(Task *task, int *alpha)
{
    const DropSolverResult *result = task->result;
    for (unsigned tries = 0; tries < 2; tries++, task->extremes++) {
        int step = 1 << task->extremes / 2;
        *alpha = task->extremes % 2 == 0 ? result->high - step : result->low + step - 1;
        if (task->extremes % 2 == 0 ? *alpha > 0 : *alpha < -1)
            return true;
    }
    return false;
}

// Finds wins and losses that are near, within so many nodes.
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

// Who wins, and then, from a draw away, the score by thirds.
static int next_from_zero(const Task *task)
{
    const DropSolverResult *result = task->result;
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

static void solve(Task *task)
{
    unsigned empty = position_empty(task->solver, &task->position);
    *task->result = (DropSolverResult){.low = -(int)(empty / 2), .high = (int)(empty + 1) / 2};
    task->nodes_before = drop_crew_nodes(&task->solver->crew);
    // A near end is found fast from the extremes and slowly from zero, and the other way round. What is the case is not
    // known, so both get more and more nodes, until it is plain that no end is near.
    for (uint64_t nodes = DROP_EXTREME_FIRST; task->aim == DROP_SOLVER_STRONG && nodes <= DROP_EXTREME_LAST;
         nodes *= 4) {
        ask_extremes(task, nodes);
        ask_from_zero(task, 4 * nodes);
    }
    ask_from_zero(task, UINT64_MAX);
    if (task->aim == DROP_SOLVER_WEAK) {
        task->result->low = sign(task->result->low);
        task->result->high = sign(task->result->high);
    }
}

Status drop_solver_run(DropSolver *solver, const Board *board, DropSolverAim aim, const DropSolverLimits *limits,
                       DropSolverResult *result, Error *error)
{
    Task task = {.solver = solver, .aim = aim, .limits = limits, .result = result};
    Status status = read_position(solver, board, &task.position, error);
    if (status == STATUS_OK)
        solve(&task);
    return status;
}

// --- All columns, and the best line ---

// The limits with what has been spent taken off: true when nothing is left.
static bool take_nodes(DropSolverLimits *limits, uint64_t nodes)
{
    if (limits->nodes == 0)
        return false;
    limits->nodes = limits->nodes > nodes ? limits->nodes - nodes : 0;
    return limits->nodes == 0;
}

// What is known of a position before anything has been searched.
static DropSolverResult unknown(unsigned empty, DropSolverAim aim)
{
    DropSolverResult result = {.low = -(int)(empty / 2), .high = (int)(empty + 1) / 2};
    return aim == DROP_SOLVER_STRONG ? result : (DropSolverResult){.low = sign(result.low), .high = sign(result.high)};
}

// The score of the stone that led to this board, for the side that placed it.
static Status solve_after(DropSolver *solver, const Board *board, DropSolverAim aim, DropSolverLimits *limits,
                          bool *spent, DropSolverResult *result, Error *error)
{
    unsigned empty = board->cells - board_count(board);
    if (board_is_over(board)) {
        int won = board_winner(board) == WINNER_NONE ? 0 : (int)(empty + 2) / 2;
        won = aim == DROP_SOLVER_STRONG ? won : sign(won);
        *result = (DropSolverResult){.low = won, .high = won};
        return STATUS_OK;
    }
    DropSolverResult after = unknown(empty, aim);
    Status status = *spent ? STATUS_OK : drop_solver_run(solver, board, aim, limits, &after, error);
    *spent = *spent || take_nodes(limits, after.nodes);
    *result = (DropSolverResult){.low = -after.high, .high = -after.low, .nodes = after.nodes};
    return status;
}

Status drop_solver_columns(DropSolver *solver, const Board *board, DropSolverAim aim, const DropSolverLimits *limits,
                           DropSolverResult results[RULES_SIDE_MAX], uint64_t *legal, Error *error)
{
    DropPosition position;
    DropSolverLimits left = *limits;
    left.progress = NULL;
    *legal = 0;
    Board after;
    board_copy(&after, board);
    Status status = read_position(solver, board, &position, error);
    bool spent = false;
    for (unsigned column = 0; status == STATUS_OK && column < board->rules.width; column++) {
        unsigned row = board_drop_row(board, column);
        results[column] = (DropSolverResult){0};
        if (row == board->rules.height)
            continue;
        *legal |= UINT64_C(1) << column;
        BoardState before = board_play(&after, cell_at(column, row));
        status = solve_after(solver, &after, aim, &left, &spent, &results[column], error);
        board_undo(&after, cell_at(column, row), before);
    }
    return status;
}

// Whether a stone keeps this score; it is on the board already.
static bool keeps(DropSolver *solver, const Board *after, int score, DropSolverLimits *limits, bool *spent)
{
    unsigned empty = after->cells - board_count(after);
    if (board_is_over(after))
        return score == (board_winner(after) == WINNER_NONE ? 0 : (int)(empty + 2) / 2);
    DropSolverResult result = unknown(empty, DROP_SOLVER_STRONG);
    Task task = {.solver = solver, .limits = limits, .result = &result};
    task.nodes_before = drop_crew_nodes(&solver->crew);
    if (read_position(solver, after, &task.position, NULL) != STATUS_OK || !ask(&task, -score, UINT64_MAX, false))
        *spent = true;
    *spent = take_nodes(limits, result.nodes) || *spent;
    return result.high <= -score;
}

// Plays a stone that keeps the score, from the centre outwards; false if none was found within the limits.
static bool play_best(DropSolver *solver, Board *board, int score, DropSolverLimits *limits, Cell *best)
{
    bool spent = false;
    const unsigned width = board->rules.width;
    for (unsigned i = 0; i < width && !spent; i++) {
        unsigned column = i % 2 == 0 ? (width - 1) / 2 - i / 2 : (width - 1) / 2 + (i + 1) / 2;
        unsigned row = board_drop_row(board, column);
        if (row == board->rules.height)
            continue;
        *best = cell_at(column, row);
        BoardState before = board_play(board, *best);
        if (keeps(solver, board, score, limits, &spent))
            return true;
        board_undo(board, *best, before);
    }
    return false;
}

Status drop_solver_line(DropSolver *solver, const Board *board, const DropSolverLimits *limits, Cell *line,
                        unsigned *count, Error *error)
{
    DropSolverResult result;
    *count = 0;
    DropSolverLimits left = *limits;
    Status status = drop_solver_run(solver, board, DROP_SOLVER_STRONG, limits, &result, error);
    if (status != STATUS_OK || result.low != result.high || take_nodes(&left, result.nodes))
        return status;
    left.progress = NULL;
    Board now;
    board_copy(&now, board);
    for (int score = result.low; !board_is_over(&now) && play_best(solver, &now, score, &left, &line[*count]);
         (*count)++)
        score = -score;
    return STATUS_OK;
}
