// Threat counts by marks, and exact counts and answers by hitting sets.
#include "threats/threats.h"

#include "base/memory.h"
#include "threats/hitting_set.h"
#include "threats/lines.h"

#include <stdlib.h>
#include <string.h>

unsigned threats_windows(const Board *board, Side side, Window windows[WINDOWS_MAX])
{
    unsigned all = windows_all(board, windows), count = 0;
    for (unsigned i = 0; i < all; i++)
        if (window_is_threat(board, windows[i], side))
            windows[count++] = windows[i];
    return count;
}

static bool marks_meet(const Marks *marks, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (marks_has(marks, cells[i]))
            return true;
    return false;
}

static uint64_t bit_in_line(const Board *board, unsigned line, Cell cell)
{
    return line == board_lines_of(board, cell).column ? cell_bit_in_column(cell) : cell_bit_in_row(cell);
}

// Marks are always on empty cells, so only the empty cells of a window are examined.
unsigned threats_scan(const Board *board, Side side, ThreatsMarking marking, ThreatScanStep *steps)
{
    Window windows[WINDOWS_MAX];
    unsigned count = windows_all(board, windows), threats = 0;
    Marks marks = {0};
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        if (!window_is_threat(board, windows[i], side))
            continue;
        unsigned empty = window_cells(board, windows[i].line, window_empty(board, windows[i]), cells);
        if (marks_meet(&marks, cells, empty))
            continue;
        ThreatScanStep step = {windows[i], i, 0};
        for (unsigned j = marking == THREATS_MARK_LAST && empty > 0 ? empty - 1 : 0; j < empty; j++) {
            marks_add(&marks, cells[j]);
            step.marks |= bit_in_line(board, windows[i].line, cells[j]);
        }
        if (steps != NULL)
            steps[threats] = step;
        threats++;
    }
    return threats;
}

typedef struct {
    CellTargets all;
    Cell *cells;
    HittingBounds bounds;
} ThreatTargets;

static void targets_open(ThreatTargets *targets, const Board *board, Side side)
{
    Window windows[WINDOWS_MAX];
    unsigned count = threats_windows(board, side, windows), width = board->rules.p;
    width = width < board->rules.k ? width : board->rules.k;
    targets->cells = memory_new((size_t)count * width, sizeof targets->cells[0]);
    for (unsigned i = 0; i < count; i++) {
        Cell empty[RULES_SIDE_MAX], *target = targets->cells + (size_t)i * width;
        unsigned size = window_cells(board, windows[i].line, window_empty(board, windows[i]), empty);
        for (unsigned j = 0; j < width; j++)
            target[j] = j < size ? empty[j] : CELL_NONE;
        targets->bounds.order[i] = (uint16_t)i;
    }
    targets->all = (CellTargets){targets->cells, width, width, count, &targets->bounds};
}

// A complete row is a target without a cell, so no number of stones is enough.
static ExactThreats find_smallest(ThreatTargets *targets, unsigned most)
{
    targets->bounds.steps = THREATS_STEPS;
    unsigned stones = hitting_set_least(&targets->all, NULL, 0, most);
    return (ExactThreats){stones, targets->bounds.steps == 0};
}

ExactThreats threats_exact(const Board *board, Side side)
{
    ThreatTargets targets;
    targets_open(&targets, board, side);
    ExactThreats exact = find_smallest(&targets, board->rules.p);
    free(targets.cells);
    return exact;
}

static bool take_answer(void *context, const Cell *cells, unsigned count)
{
    ThreatAnswers *answers = context;
    if (answers->count == THREATS_ANSWERS) {
        answers->is_truncated = true;
        return true;
    }
    Cell *answer = answers->cells + (size_t)answers->count++ * count;
    memcpy(answer, cells, count * sizeof answer[0]);
    qsort(answer, count, sizeof answer[0], cell_compare);
    return false;
}

static int compare_answers(const void *a, const void *b, void *size)
{
    const Cell *x = a, *y = b;
    unsigned i = 0;
    while (i + 1 < *(const unsigned *)size && x[i] == y[i])
        i++;
    return (int)x[i] - (int)y[i];
}

void threats_answers(const Board *board, Side side, ThreatAnswers *answers)
{
    *answers = (ThreatAnswers){0};
    ThreatTargets targets;
    targets_open(&targets, board, side);
    answers->exact = find_smallest(&targets, board->rules.p);
    answers->size = answers->exact.count;
    if (targets.all.count > 0 && !answers->exact.is_uncertain && answers->size <= board->rules.p) {
        answers->cells = memory_new((size_t)THREATS_ANSWERS * answers->size, sizeof answers->cells[0]);
        targets.bounds.steps = THREATS_STEPS;
        hitting_set_all(&targets.all, answers->size, answers->size, take_answer, answers);
        answers->is_truncated |= targets.bounds.steps == 0;
        qsort_r(answers->cells, answers->count, answers->size * sizeof answers->cells[0], compare_answers,
                &answers->size);
    }
    free(targets.cells);
}

void threats_answers_close(ThreatAnswers *answers)
{
    free(answers->cells);
    *answers = (ThreatAnswers){0};
}

// Whether `stones` more stones of the other side, in this column or those to the right, leave no row to complete. The
// order of drops in different columns does not matter, so each number of stones per column is tried once.
static bool can_be_stopped(const Board *board, Side side, unsigned column, unsigned stones, unsigned *steps)
{
    *steps -= *steps > 0;
    if (stones == 0 || column == board->rules.width)
        return stones == 0 && !lines_can_complete(board, side, board->rules.p);
    Board next;
    board_copy(&next, board);
    for (unsigned placed = 0; *steps > 0; placed++) {
        if (can_be_stopped(&next, side, column + 1, stones - placed, steps))
            return true;
        unsigned row = board_drop_row(&next, column);
        if (placed == stones || row >= board->rules.height)
            break;
        board_put(&next, cell_at(column, row), side_other(side));
    }
    return false;
}

// Starts at the exact count: stones that leave no row to complete meet every current threat window, since a window that
// they miss keeps its empty cells and needs no more stones below.
ExactThreats threats_in_play(const Board *board, Side side)
{
    ExactThreats exact = threats_exact(board, side);
    unsigned steps = THREATS_FALLS, stones = exact.count;
    if (!board->rules.gravity || stones > board->rules.p)
        return exact;
    while (stones <= board->rules.p && !can_be_stopped(board, side, 0, stones, &steps)) {
        if (steps == 0)
            return (ExactThreats){stones, true};
        stones++;
    }
    return (ExactThreats){stones, false};
}
