#include "search/exact.h"

#include "base/clock.h"
#include "search/board_solver.h"
#include "search/drop_openings.h"
#include "search/drop_solver.h"

#include <stdlib.h>

struct Exact {
    Rules rules;
    DropSolver *drop; // one of the two is there
    BoardSolver *board;
    DropOpenings *openings;    // NULL: none are used
    const ExactLimits *limits; // of the search under way
    bool is_used;              // since it was opened or cleared
};

// --- Which solver ---

static bool falls(const Rules *rules)
{
    return drop_solver_check(rules, NULL) == STATUS_OK;
}

bool exact_has_scores(const Rules *rules)
{
    return falls(rules);
}

// What is said is about the solver the rules are nearest to.
Status exact_check(const Rules *rules, Error *error)
{
    if (falls(rules) || board_solver_suits(rules))
        return STATUS_OK;
    if (rules->gravity && rules->p == 1 && rules->q == 1 && !rules->exact)
        return drop_solver_check(rules, error);
    return error_set(error, STATUS_BAD_INPUT, "the board is too large to be solved: %u cells are more than %d",
                     (unsigned)rules->width * rules->height, BOARD_SOLVER_CELLS_MAX);
}

Status exact_open(Exact **exact, const ExactOptions *options, const Rules *rules, Error *error)
{
    *exact = NULL;
    Status status = exact_check(rules, error);
    Exact *opened = status == STATUS_OK ? calloc(1, sizeof *opened) : NULL;
    if (status == STATUS_OK && opened == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a solver");
    if (status != STATUS_OK)
        return status;
    opened->rules = *rules;
    size_t megabytes = options->megabytes > 0 ? options->megabytes : EXACT_MEGABYTES;
    DropSolverOptions drop = {.megabytes = megabytes, .threads = options->threads};
    status = falls(rules) ? drop_solver_open(&opened->drop, &drop, rules, error)
                          : board_solver_open(&opened->board, rules, megabytes << 20, error);
    if (status == STATUS_OK && options->openings && drop_openings_suits(rules))
        status = drop_openings_open(&opened->openings, error);
    if (status == STATUS_OK)
        *exact = opened;
    else
        exact_close(opened);
    return status;
}

void exact_close(Exact *exact)
{
    if (exact == NULL)
        return;
    drop_solver_close(exact->drop);
    board_solver_close(exact->board);
    drop_openings_close(exact->openings);
    free(exact);
}

void exact_clear(Exact *exact)
{
    if (exact->is_used && exact->drop != NULL)
        drop_solver_clear(exact->drop);
    else if (exact->is_used)
        board_solver_clear(exact->board);
    exact->is_used = false;
}

// --- The opening table ---

static int of_aim(ExactAim aim, int score)
{
    return aim == EXACT_SCORE ? score : score > 0 ? 1 : score < 0 ? -1 : 0;
}

static bool look_up(const Exact *exact, const Board *board, ExactAim aim, int *value)
{
    if (exact->openings == NULL || !drop_openings_look_up(exact->openings, board, value))
        return false;
    *value = of_aim(aim, *value);
    return true;
}

bool exact_looks_up(const Exact *exact, const Board *board)
{
    return exact->openings != NULL && board_count(board) < drop_openings_stones();
}

// All cells at once, if every one of them is in the table or wins.
static bool look_up_cells(const Exact *exact, const Board *board, ExactAim aim, ExactCells *cells)
{
    if (!exact_looks_up(exact, board))
        return false;
    Cell list[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, list);
    Board after;
    board_copy(&after, board);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&after, list[i]);
        int value = 0;
        bool won = board_winner(&after) != WINNER_NONE, found = won || look_up(exact, &after, aim, &value);
        board_undo(&after, list[i], before);
        if (!found)
            return false;
        value = won ? of_aim(aim, (int)(board->cells + 1 - board_count(board)) / 2) : -value;
        cells->list[i] = (ExactCell){list[i], value, value};
    }
    cells->count = count;
    return true;
}

// --- One position ---

static void tell_drop(void *context, const DropSolverResult *so_far)
{
    const Exact *exact = context;
    ExactResult result = {.low = so_far->low, .high = so_far->high, .nodes = so_far->nodes};
    exact->limits->progress(exact->limits->context, &result);
}

static DropSolverLimits drop_limits(Exact *exact, const ExactLimits *limits)
{
    exact->is_used = true;
    exact->limits = limits;
    return (DropSolverLimits){
        .deadline = limits->deadline,
        .nodes = limits->nodes,
        .stop = limits->stop,
        .progress = limits->progress != NULL ? tell_drop : NULL,
        .context = exact,
        .alive = limits->alive,
    };
}

// Bounds are told at the end; on the way it is how much has been looked at.
static void tell_board(void *context, const BoardSolverProgress *so_far)
{
    const ExactLimits *limits = ((const Exact *)context)->limits;
    ExactResult result = {.low = -1, .high = 1, .nodes = so_far->nodes};
    if (limits->alive != NULL)
        (void)atomic_fetch_add_explicit(limits->alive, 1, memory_order_relaxed);
    if (limits->progress != NULL)
        limits->progress(limits->context, &result);
}

static BoardSolverLimits board_limits(Exact *exact, const ExactLimits *limits)
{
    exact->is_used = true;
    exact->limits = limits;
    return (BoardSolverLimits){
        .deadline = limits->deadline,
        .nodes = limits->nodes,
        .stop = limits->stop,
        .progress = limits->progress != NULL || limits->alive != NULL ? tell_board : NULL,
        .context = exact,
    };
}

Status exact_run(Exact *exact, const Board *board, ExactAim aim, const ExactLimits *limits, ExactResult *result,
                 Error *error)
{
    assert(!board_is_over(board) && rules_equal(&board->rules, &exact->rules));
    if (exact->drop == NULL) {
        BoardSolverLimits asked = board_limits(exact, limits);
        BoardSolverResult found;
        board_solver_run(exact->board, board, &asked, &found);
        *result = (ExactResult){found.lower, found.upper, found.nodes, found.best != CELL_NONE, found.best};
        return STATUS_OK;
    }
    int value = 0;
    if (look_up(exact, board, aim, &value)) {
        *result = (ExactResult){.low = value, .high = value};
        return STATUS_OK;
    }
    DropSolverLimits asked = drop_limits(exact, limits);
    DropSolverResult found = {0};
    DropSolverAim how = aim == EXACT_SCORE ? DROP_SOLVER_STRONG : DROP_SOLVER_WEAK;
    Status status = drop_solver_run(exact->drop, board, how, &asked, &found, error);
    *result = (ExactResult){.low = found.low, .high = found.high, .nodes = found.nodes};
    return status;
}

// --- Every cell ---

static Status drop_cells(Exact *exact, const Board *board, ExactAim aim, const ExactLimits *limits, ExactCells *cells,
                         Error *error)
{
    DropSolverLimits asked = drop_limits(exact, limits);
    asked.progress = NULL; // it would be that of some cell
    DropSolverResult results[RULES_SIDE_MAX];
    uint64_t legal = 0;
    DropSolverAim how = aim == EXACT_SCORE ? DROP_SOLVER_STRONG : DROP_SOLVER_WEAK;
    Status status = drop_solver_columns(exact->drop, board, how, &asked, results, &legal, error);
    Cell list[RULES_CELLS_MAX];
    unsigned count = status == STATUS_OK ? board_legal_cells(board, list) : 0;
    for (unsigned i = 0; i < count; i++) {
        const DropSolverResult *found = &results[cell_column(list[i])];
        cells->list[cells->count++] = (ExactCell){list[i], found->low, found->high};
        cells->nodes += found->nodes;
    }
    return status;
}

Status exact_cells(Exact *exact, const Board *board, ExactAim aim, const ExactResult *known, const ExactLimits *limits,
                   ExactCells *cells, Error *error)
{
    assert(!board_is_over(board) && rules_equal(&board->rules, &exact->rules));
    cells->count = 0;
    cells->nodes = 0;
    if (look_up_cells(exact, board, aim, cells))
        return STATUS_OK;
    if (exact->drop != NULL)
        return drop_cells(exact, board, aim, limits, cells, error);
    BoardSolverLimits asked = board_limits(exact, limits);
    BoardSolverResult value = {.best = CELL_NONE};
    if (known != NULL)
        value = (BoardSolverResult){.lower = known->low, .upper = known->high, .best = CELL_NONE};
    BoardSolverCells found;
    board_solver_cells(exact->board, board, known != NULL && exact_is_known(known) ? &value : NULL, &asked, &found);
    for (unsigned i = 0; i < found.count; i++)
        cells->list[i] = (ExactCell){found.cell[i].cell, found.cell[i].lower, found.cell[i].upper};
    cells->count = found.count;
    cells->nodes = found.nodes;
    return STATUS_OK;
}

// The worst that the best cell can be worth.
static int best_low(const ExactCells *cells)
{
    int best = cells->list[0].low;
    for (unsigned i = 1; i < cells->count; i++)
        best = cells->list[i].low > best ? cells->list[i].low : best;
    return best;
}

// Whether no cell can be worth more.
static bool is_settled(const ExactCells *cells, int best)
{
    for (unsigned i = 0; i < cells->count; i++)
        if (cells->list[i].high > best)
            return false;
    return true;
}

static void keep_best(ExactCells *cells, int best)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < cells->count; i++)
        if (cells->list[i].low == best)
            cells->list[kept++] = cells->list[i];
    cells->count = kept;
}

static bool best_scores(Exact *exact, const Board *board, const ExactLimits *limits, ExactCells *cells)
{
    if (exact_cells(exact, board, EXACT_SCORE, NULL, limits, cells, NULL) != STATUS_OK)
        return false;
    int best = best_low(cells);
    if (!is_settled(cells, best))
        return false;
    keep_best(cells, best);
    return true;
}

// What is left of limits, of which nodes have been used; one part of so many of it.
static ExactLimits part_of(const ExactLimits *limits, uint64_t used, unsigned parts)
{
    ExactLimits part = {.deadline = limits->deadline, .stop = limits->stop};
    double now = clock_seconds();
    if (limits->deadline > now)
        part.deadline = now + (limits->deadline - now) / parts;
    if (limits->nodes > 0)
        part.nodes = (limits->nodes > used ? limits->nodes - used : 1) / parts + 1;
    return part;
}

// Whether a stone there keeps at least the value.
static bool keeps(Exact *exact, Board *board, Cell cell, int value, const ExactLimits *limits, uint64_t *nodes)
{
    BoardState before = board_play(board, cell);
    ExactResult after = {.high = board_winner(board) != WINNER_NONE ? -1 : 0};
    bool known = board_is_over(board) || exact_run(exact, board, EXACT_VALUE, limits, &after, NULL) == STATUS_OK;
    board_undo(board, cell, before);
    *nodes += after.nodes;
    return known && -after.high >= value;
}

// The stone that proves the value is in the table, so that it is found quickly, and so are most that are as good. Cells
// that are not may take long to refute: each gets a small part of what is left.
static bool best_values(Exact *exact, const Board *board, const ExactLimits *limits, ExactCells *cells)
{
    enum { PARTS = 16 };
    ExactResult value = {0};
    Status status = exact_run(exact, board, EXACT_VALUE, limits, &value, NULL);
    cells->nodes = value.nodes;
    if (status != STATUS_OK || !exact_is_known(&value))
        return false;
    Cell list[RULES_CELLS_MAX];
    Board after;
    board_copy(&after, board);
    unsigned count = board_legal_cells(board, list);
    for (unsigned i = 0; i < count; i++) {
        ExactLimits part = part_of(limits, cells->nodes, PARTS);
        if (keeps(exact, &after, list[i], value.low, &part, &cells->nodes))
            cells->list[cells->count++] = (ExactCell){list[i], value.low, value.low};
    }
    return cells->count > 0;
}

static bool best_of_board(Exact *exact, const Board *board, const ExactLimits *limits, ExactCells *cells)
{
    ExactResult value = {0};
    Status status = exact_run(exact, board, EXACT_VALUE, limits, &value, NULL);
    cells->nodes = value.nodes;
    if (status != STATUS_OK || !exact_is_known(&value))
        return false;
    status = exact_cells(exact, board, EXACT_VALUE, &value, limits, cells, NULL);
    cells->nodes += value.nodes;
    if (status == STATUS_OK)
        keep_best(cells, value.low);
    return status == STATUS_OK && cells->count > 0;
}

bool exact_best(Exact *exact, const Board *board, ExactAim aim, const ExactLimits *limits, ExactCells *cells)
{
    cells->count = 0;
    cells->nodes = 0;
    if (exact->drop == NULL)
        return best_of_board(exact, board, limits, cells);
    return aim == EXACT_SCORE ? best_scores(exact, board, limits, cells) : best_values(exact, board, limits, cells);
}

bool exact_lists(const ExactCells *cells, Cell cell)
{
    for (unsigned i = 0; i < cells->count; i++)
        if (cells->list[i].cell == cell)
            return true;
    return false;
}

// The winner's own stones that are left before the one that wins are what the score leaves of those it could place.
unsigned exact_distance(const Board *board, int score)
{
    assert(score != 0);
    unsigned empty = board->cells - board_count(board);
    if (score > 0)
        return 2 * ((empty + 1) / 2 - (unsigned)score + 1) - 1;
    return 2 * (empty / 2 - (unsigned)-score + 1);
}
