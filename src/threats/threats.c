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

// --- With gravity ---

// A search for turns of the other side: those that meet all targets, or without targets those after which nothing is
// left to complete.
typedef struct {
    Side side; // of the threats
    const CellTargets *targets;
    unsigned steps;         // ways to place stones that may still be examined
    ThreatAnswers *answers; // receives the turns; NULL: one is enough
    unsigned count;
    Cell cells[RULES_CELLS_MAX];
} Falls;

static bool stops_all(const Falls *falls, const Board *board)
{
    const CellTargets *targets = falls->targets;
    return targets == NULL ? !lines_can_complete(board, falls->side, board->rules.p)
                           : hitting_set_first_unmet(targets, falls->cells, falls->count, 0) == targets->count;
}

// Drops `stones` more stones into this column and those to the right; true when the search may stop. The order in which
// stones fall into different columns does not matter, so each number in each column is tried once.
static bool drop_stones(Falls *falls, const Board *board, unsigned column, unsigned stones)
{
    falls->steps -= falls->steps > 0;
    if (stones == 0 || column == board->rules.width) {
        if (stones > 0 || !stops_all(falls, board))
            return false;
        return falls->answers == NULL || take_answer(falls->answers, falls->cells, falls->count);
    }
    Board next;
    board_copy(&next, board);
    unsigned before = falls->count;
    bool done = false;
    for (unsigned placed = 0; falls->steps > 0; placed++) {
        done = drop_stones(falls, &next, column + 1, stones - placed);
        unsigned row = board_drop_row(&next, column);
        if (done || placed == stones || row >= board->rules.height)
            break;
        falls->cells[falls->count++] = cell_at(column, row);
        board_put(&next, cell_at(column, row), side_other(falls->side));
    }
    falls->count = before;
    return done;
}

// The smallest number of stones of such a turn, from `exact` on: no turn has fewer stones than cells are needed to meet
// the windows. That holds without targets too: a window that is not met still has its empty cells, and needs no more
// stones below.
static ExactThreats count_falls(const Board *board, Side side, const CellTargets *targets, ExactThreats exact)
{
    Falls falls = {.side = side, .targets = targets, .steps = THREATS_FALLS};
    unsigned stones = exact.count;
    if (!board->rules.gravity || stones > board->rules.p)
        return exact;
    while (stones <= board->rules.p && !drop_stones(&falls, board, 0, stones)) {
        if (falls.steps == 0)
            return (ExactThreats){stones, true};
        stones++;
    }
    return (ExactThreats){stones, false};
}

ExactThreats threats_in_play(const Board *board, Side side)
{
    return count_falls(board, side, NULL, threats_exact(board, side));
}

// --- Answers ---

static void list_turns(const ThreatTargets *targets, const Board *board, Side side, ThreatAnswers *answers)
{
    Falls falls = {.side = side, .targets = &targets->all, .steps = THREATS_FALLS, .answers = answers};
    (void)drop_stones(&falls, board, 0, answers->size);
    answers->is_truncated |= falls.steps == 0;
}

static void list_hitting_sets(ThreatTargets *targets, ThreatAnswers *answers)
{
    targets->bounds.steps = THREATS_STEPS;
    hitting_set_all(&targets->all, answers->size, answers->size, take_answer, answers);
    answers->is_truncated |= targets->bounds.steps == 0;
}

void threats_answers(const Board *board, Side side, ThreatAnswers *answers)
{
    *answers = (ThreatAnswers){0};
    ThreatTargets targets;
    targets_open(&targets, board, side);
    answers->exact = find_smallest(&targets, board->rules.p);
    ExactThreats needed = count_falls(board, side, &targets.all, answers->exact);
    answers->size = needed.count;
    if (targets.all.count > 0 && !answers->exact.is_uncertain && !needed.is_uncertain &&
        needed.count <= board->rules.p) {
        answers->cells = memory_new((size_t)THREATS_ANSWERS * answers->size, sizeof answers->cells[0]);
        if (board->rules.gravity)
            list_turns(&targets, board, side, answers);
        else
            list_hitting_sets(&targets, answers);
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
