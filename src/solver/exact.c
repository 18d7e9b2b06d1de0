// Chooses the exact solver for the rules and gives both one interface.
#include "solver/exact.h"

#include "base/memory.h"
#include "solver/dfpn/dfpn.h"
#include "solver/gravity/gravity_openings.h"
#include "solver/gravity/gravity_solver.h"

#include <limits.h>
#include <stdlib.h>

struct Exact {
    Rules rules;
    GravitySolver *drop; // one of the two is set
    Dfpn *board;
    GravityOpenings *openings; // NULL: not used
    bool is_used;              // since it was opened or cleared
};

// --- Which solver ---

bool exact_has_scores(const Rules *rules)
{
    return gravity_solver_check(rules, NULL) == STATUS_OK;
}

// The error is about the solver that suits the rules best.
Status exact_check(const Rules *rules, Error *error)
{
    if (exact_has_scores(rules) || dfpn_suits(rules))
        return STATUS_OK;
    if (rules->gravity && rules->p == 1 && rules->q == 1 && !rules->exact)
        return gravity_solver_check(rules, error);
    return error_set(error, STATUS_BAD_INPUT, "the board is too large to be solved: %u cells are more than %d",
                     (unsigned)rules->width * rules->height, DFPN_CELLS_MAX);
}

Status exact_open(Exact **exact, const ExactOptions *options, const Rules *rules, Error *error)
{
    *exact = NULL;
    Status status = exact_check(rules, error);
    if (status != STATUS_OK)
        return status;
    Exact *opened = memory_new(1, sizeof *opened);
    opened->rules = *rules;
    size_t megabytes = options->megabytes > 0 ? options->megabytes : EXACT_MEGABYTES;
    status = exact_has_scores(rules) ? gravity_solver_open(&opened->drop, rules, megabytes, options->threads, error)
                                     : dfpn_open(&opened->board, rules, megabytes << 20, error);
    if (status == STATUS_OK && options->openings && gravity_openings_suits(rules))
        status = gravity_openings_open(&opened->openings, error);
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
    gravity_solver_close(exact->drop);
    dfpn_close(exact->board);
    gravity_openings_close(exact->openings);
    free(exact);
}

void exact_clear(Exact *exact)
{
    if (exact == NULL || !exact->is_used)
        return;
    if (exact->drop != NULL)
        gravity_solver_clear(exact->drop);
    else
        dfpn_clear(exact->board);
    exact->is_used = false;
}

// --- The opening table ---

static int of_aim(ExactAim aim, int score)
{
    return aim == EXACT_SCORE ? score : score > 0 ? 1 : score < 0 ? -1 : 0;
}

static bool look_up(const Exact *exact, const Board *board, ExactAim aim, int *value)
{
    if (exact->openings == NULL || !gravity_openings_look_up(exact->openings, board, value))
        return false;
    *value = of_aim(aim, *value);
    return true;
}

bool exact_looks_up(const Exact *exact, const Board *board)
{
    return exact->openings != NULL && board_count(board) < gravity_openings_stones();
}

// Looks up all cells, if every one of them is in the table or wins.
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

void exact_watch(Exact *exact, ExactWatch watch)
{
    if (exact->drop != NULL)
        gravity_solver_watch(exact->drop, watch);
    else
        dfpn_watch(exact->board, watch);
}

Status exact_run(Exact *exact, const ExactQuery *query, ExactResult *result, Error *error)
{
    const Board *board = query->board;
    assert(!board_is_over(board) && rules_equal(&board->rules, &exact->rules));
    if (exact->drop == NULL) {
        exact->is_used = true;
        dfpn_run(exact->board, board, query->limits, result);
        return STATUS_OK;
    }
    int value = 0;
    if (look_up(exact, board, query->aim, &value)) {
        *result = (ExactResult){.low = value, .high = value};
        return STATUS_OK;
    }
    *result = (ExactResult){0};
    exact->is_used = true;
    return gravity_solver_run(exact->drop, query, result, error);
}

// --- Every cell ---

Status exact_cells(Exact *exact, const ExactQuery *query, ExactCells *cells, Error *error)
{
    const Board *board = query->board;
    const ExactResult *known = query->known;
    assert(!board_is_over(board) && rules_equal(&board->rules, &exact->rules));
    cells->count = 0;
    cells->nodes = 0;
    if (look_up_cells(exact, board, query->aim, cells))
        return STATUS_OK;
    exact->is_used = true;
    if (exact->drop != NULL)
        return gravity_solver_cells(exact->drop, query, cells, error);
    dfpn_cells(exact->board, board, known != NULL && exact_is_known(known) ? known : NULL, query->limits, cells);
    return STATUS_OK;
}

// The highest lower bound.
static int best_low(const ExactCells *cells)
{
    int best = cells->list[0].low;
    for (unsigned i = 1; i < cells->count; i++)
        best = cells->list[i].low > best ? cells->list[i].low : best;
    return best;
}

// Whether no cell can have a higher value.
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

static bool best_scores(Exact *exact, const Board *board, const Limits *limits, ExactCells *cells)
{
    ExactQuery query = {.board = board, .aim = EXACT_SCORE, .limits = limits};
    if (exact_cells(exact, &query, cells, NULL) != STATUS_OK)
        return false;
    int best = best_low(cells);
    if (!is_settled(cells, best))
        return false;
    keep_best(cells, best);
    return true;
}

// One part in `parts` of the remaining limits after `used` nodes.
static Limits part_of(const Limits *limits, uint64_t used, unsigned parts)
{
    Limits part = {.deadline = limits_part_of(limits->deadline, parts), .stop = limits->stop};
    if (limits->nodes > 0)
        part.nodes = (limits->nodes > used ? limits->nodes - used : 1) / parts + 1;
    return part;
}

// The lower bound of the value of a stone on a cell.
static int worth_of(Exact *exact, Board *board, Cell cell, const Limits *limits, uint64_t *nodes)
{
    BoardState before = board_play(board, cell);
    ExactResult after = {.high = board_winner(board) != WINNER_NONE ? -1 : 0};
    ExactQuery query = {.board = board, .aim = EXACT_VALUE, .limits = limits};
    bool known = board_is_over(board) || exact_run(exact, &query, &after, NULL) == STATUS_OK;
    board_undo(board, cell, before);
    *nodes += after.nodes;
    return known ? -after.high : INT_MIN;
}

// The value of a position; false if it is not found within the limits.
static bool find_value(Exact *exact, const ExactQuery *query, ExactResult *value, ExactCells *cells)
{
    *value = (ExactResult){0};
    Status status = exact_run(exact, query, value, NULL);
    cells->nodes = value->nodes;
    return status == STATUS_OK && exact_is_known(value);
}

// The stone that proves the value is in the table, so it is found quickly, as are most equal ones. Worse cells may take
// long to refute: each gets a small part of the remaining limits.
static bool best_values(Exact *exact, const Board *board, const Limits *limits, ExactCells *cells)
{
    enum { PARTS = 16 };
    ExactResult value;
    if (!find_value(exact, &(ExactQuery){.board = board, .aim = EXACT_VALUE, .limits = limits}, &value, cells))
        return false;
    Cell list[RULES_CELLS_MAX];
    Board after;
    board_copy(&after, board);
    unsigned count = board_legal_cells(board, list);
    for (unsigned i = 0; i < count; i++) {
        Limits part = part_of(limits, cells->nodes, PARTS);
        if (worth_of(exact, &after, list[i], &part, &cells->nodes) >= value.low)
            cells->list[cells->count++] = (ExactCell){list[i], value.low, value.low};
    }
    return cells->count > 0;
}

static bool best_of_board(Exact *exact, const Board *board, const Limits *limits, ExactCells *cells)
{
    ExactResult value;
    ExactQuery query = {.board = board, .aim = EXACT_VALUE, .limits = limits};
    if (!find_value(exact, &query, &value, cells))
        return false;
    query.known = &value;
    Status status = exact_cells(exact, &query, cells, NULL);
    cells->nodes += value.nodes;
    if (status == STATUS_OK)
        keep_best(cells, value.low);
    return status == STATUS_OK && cells->count > 0;
}

bool exact_best(Exact *exact, const Board *board, ExactAim aim, const Limits *limits, ExactCells *cells)
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

// The score counts the winner's stones not yet placed before the winning one.
unsigned exact_distance(const Board *board, int score)
{
    assert(score != 0);
    unsigned empty = board->cells - board_count(board);
    if (score > 0)
        return 2 * ((empty + 1) / 2 - (unsigned)score + 1) - 1;
    return 2 * (empty / 2 - (unsigned)-score + 1);
}
