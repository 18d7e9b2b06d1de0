// The df-pn solver's interface: a position, and every cell of a position.
#include "solver/dfpn/dfpn.h"

#include "base/memory.h"
#include "solver/dfpn/dfpn_internal.h"

#include <stdlib.h>

enum {
    FIRST_BUDGET = 1024, // nodes for one question before switching to the other
    GROWTH = 4,          // factor for the next budget
};

bool dfpn_suits(const Rules *rules)
{
    return rules_cells(rules) <= SOLVER_CELLS;
}

Status dfpn_open(Dfpn **solver, const Rules *rules, size_t table_bytes, Error *error)
{
    assert(dfpn_suits(rules));
    Dfpn *opened = memory_new(1, sizeof *opened);
    Status status = solver_table_open(&opened->table, table_bytes, error);
    if (status != STATUS_OK) {
        free(opened);
        return status;
    }
    solver_lines_init(&opened->lines, rules);
    *solver = opened;
    return STATUS_OK;
}

void dfpn_close(Dfpn *solver)
{
    if (solver == NULL)
        return;
    solver_table_close(&solver->table);
    free(solver);
}

void dfpn_clear(Dfpn *solver)
{
    solver_table_clear(&solver->table);
}

static SolverPosition position_of(const Board *board)
{
    SolverPosition position = {.left = (uint16_t)board_stones_left(board), .side = (uint8_t)board_side(board)};
    unsigned width = board->rules.width;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned side = 0; side < 2; side++)
            position.stones[side] |= board->line[row][side] << row * width;
    return position;
}

static void set_best(const Dfpn *solver, unsigned number, ExactResult *result)
{
    unsigned width = solver->lines.rules.width;
    result->has_best = true;
    result->best = cell_at(number % width, number / width);
}

// --- One position ---

static void know(ExactResult *result, int value)
{
    result->low = result->high = value;
}

// Handles games that are over or won with the next stones.
static bool is_plain(const Dfpn *solver, const Board *board, const SolverPosition *position, ExactResult *result)
{
    unsigned cell;
    Winner winner = board_winner(board);
    if (winner != WINNER_NONE) {
        know(result, (unsigned)winner - 1 == position->side ? 1 : -1);
    } else if (board_is_over(board)) {
        know(result, 0);
    } else if (solver_completing_cell(&solver->lines, position, &cell)) {
        know(result, 1);
        set_best(solver, cell, result);
    } else {
        return false;
    }
    return true;
}

// The questions to ask.
typedef enum { ASK_MOVER = 1, ASK_OTHER = 2, ASK_BOTH = 3 } Questions;

// "Does the side to move win?" is open while the upper bound is 1; for the other side, while the lower bound is -1.
static bool is_open(const ExactResult *result, Questions questions, bool asks_mover)
{
    if (exact_is_known(result) || !(questions & (asks_mover ? ASK_MOVER : ASK_OTHER)))
        return false;
    return asks_mover ? result->high == 1 : result->low == -1;
}

static void ask(Dfpn *solver, const SolverPosition *position, bool asks_mover, uint64_t budget, ExactResult *result)
{
    SolverChild root = {.position = *position};
    solver_search(solver, asks_mover ? position->side : position->side ^ 1u, budget, &root);
    bool yes = root.proof == 0, no = root.disproof == 0;
    if (yes)
        know(result, asks_mover ? 1 : -1);
    else if (no && asks_mover)
        result->high = 0;
    else if (no)
        result->low = 0;
    bool succeeds = asks_mover ? yes : no;
    if (succeeds || (result->low == -1 && (asks_mover || !result->has_best)))
        set_best(solver, root.cell, result);
}

// Alternates between both questions, since the easier one is not known beforehand; the last open one gets the rest.
static void ask_by_turns(Dfpn *solver, const SolverPosition *position, Questions questions, uint64_t nodes,
                         ExactResult *result)
{
    bool is_mover = false;
    for (uint64_t budget = FIRST_BUDGET; solver->nodes < nodes; budget *= is_mover ? 1 : GROWTH) {
        is_mover = !is_mover;
        bool open = is_open(result, questions, is_mover), is_last = !is_open(result, questions, !is_mover);
        if (!open && is_last)
            return;
        if (!open)
            continue;
        uint64_t until = is_last || nodes - solver->nodes < budget ? nodes : solver->nodes + budget;
        solver->out = false;
        ask(solver, position, is_mover, until, result);
        if (solver->out && solver->nodes < until)
            return;
    }
}

// `result` may already have bounds.
static void run(Dfpn *solver, const Board *board, Questions questions, const Limits *limits, ExactResult *result)
{
    assert(rules_equal(&board->rules, &solver->lines.rules));
    SolverPosition position = position_of(board);
    if (is_plain(solver, board, &position, result))
        return;
    solver->limits = *limits;
    solver->nodes = 0;
    ask_by_turns(solver, &position, questions, limits->nodes > 0 ? limits->nodes : UINT64_MAX, result);
    result->nodes = solver->nodes;
}

void dfpn_watch(Dfpn *solver, ExactWatch watch)
{
    solver->watch = watch;
}

void dfpn_run(Dfpn *solver, const Board *board, const Limits *limits, ExactResult *result)
{
    *result = (ExactResult){.low = -1, .high = 1};
    run(solver, board, ASK_BOTH, limits, result);
}

// --- All stones of a position ---

// If the other side is to move after the stone, questions and bounds are reversed.
static uint64_t run_cell(Dfpn *solver, const Board *board, Questions questions, const Limits *limits, ExactCell *cell)
{
    Board next;
    board_copy(&next, board);
    board_play(&next, cell->cell);
    bool same = board_side(&next) == board_side(board);
    ExactResult result = {.low = same ? cell->low : -cell->high, .high = same ? cell->high : -cell->low};
    if (!same && questions != ASK_BOTH)
        questions = questions == ASK_MOVER ? ASK_OTHER : ASK_MOVER;
    run(solver, &next, questions, limits, &result);
    cell->low = same ? result.low : -result.high;
    cell->high = same ? result.high : -result.low;
    return result.nodes;
}

void dfpn_cells(Dfpn *solver, const Board *board, const ExactResult *known, const Limits *limits, ExactCells *cells)
{
    cells->nodes = 0;
    Cell legal[RULES_CELLS_MAX];
    cells->count = board_legal_cells(board, legal);
    Questions questions = known == NULL || !exact_is_known(known) ? ASK_BOTH : known->high == 1 ? ASK_MOVER : ASK_OTHER;
    for (unsigned i = 0; i < cells->count; i++) {
        ExactCell *cell = &cells->list[i];
        *cell = (ExactCell){.cell = legal[i], .low = -1, .high = known != NULL ? known->high : 1};
        Limits rest = *limits;
        if (limits_take_nodes(&rest, cells->nodes) && !limits_expired(limits))
            cells->nodes += run_cell(solver, board, questions, &rest, cell);
    }
}
