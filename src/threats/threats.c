// Threat counts by marks, and exact counts and answers by hitting sets.
#include "threats/threats.h"

#include "base/memory.h"
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

// --- Counting by marks ---

typedef struct {
    uint64_t row[RULES_SIDE_MAX];
} Marks;

static bool marks_has(const Marks *marks, Cell cell)
{
    return (marks->row[cell_row(cell)] & cell_bit_in_row(cell)) != 0;
}

static void marks_add(Marks *marks, Cell cell)
{
    marks->row[cell_row(cell)] |= cell_bit_in_row(cell);
}

static bool marks_meet(const Marks *marks, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (marks_has(marks, cells[i]))
            return true;
    return false;
}

// The bit of a cell in a line that it is part of.
static uint64_t bit_in_line(const Board *board, unsigned line, Cell cell)
{
    return line == board_lines_of(board, cell).column ? cell_bit_in_column(cell) : cell_bit_in_row(cell);
}

// Marks are always on empty cells, so only those of a window are examined.
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

// --- Hitting sets ---

// A window is a set of empty cells of one line. Those not yet met stand first in `windows`; a deeper level changes only
// the order of those that were first at its own beginning, so nothing has to be put back.
typedef struct {
    uint16_t line;
    uint64_t empty;
} Target;

typedef struct {
    const Board *board;
    Target *targets;        // of WINDOWS_MAX
    Marks excluded;         // cells whose sets have all been examined
    unsigned steps;         // left
    unsigned chosen;        // cells so far
    Cell *cells;            // room for p of them
    ThreatAnswers *answers; // NULL: the first set is enough
} HittingSearch;

static bool target_has(const Board *board, const Target *target, Cell cell)
{
    CellLines at = board_lines_of(board, cell);
    if (target->line == at.column)
        return (target->empty & cell_bit_in_column(cell)) != 0;
    return (target->line == at.row || target->line == at.rising || target->line == at.falling) &&
           (target->empty & cell_bit_in_row(cell)) != 0;
}

// Moves targets without the cell to the front; returns how many they are.
static unsigned keep_unmet(HittingSearch *search, unsigned count, Cell cell)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (!target_has(search->board, &search->targets[i], cell)) {
            Target target = search->targets[i];
            search->targets[i] = search->targets[kept];
            search->targets[kept++] = target;
        }
    return kept;
}

// The cells of a target that may still be chosen.
static unsigned free_cells(const HittingSearch *search, const Target *target, Cell cells[RULES_SIDE_MAX])
{
    unsigned count = window_cells(search->board, target->line, target->empty, cells), kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (!marks_has(&search->excluded, cells[i]))
            cells[kept++] = cells[i];
    return kept;
}

// What a look at the unmet targets says: how many surely separate stones they take, and the one with fewest cells.
typedef struct {
    unsigned at_least; // targets that share no free cell, taken as they come
    unsigned narrowest;
    unsigned cells; // free ones of the narrowest
} Outlook;

static Outlook look_at(const HittingSearch *search, unsigned count)
{
    Outlook outlook = {.cells = UINT32_MAX};
    Marks taken = {0};
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned free = free_cells(search, &search->targets[i], cells);
        if (free < outlook.cells)
            outlook = (Outlook){outlook.at_least, i, free};
        if (marks_meet(&taken, cells, free))
            continue;
        outlook.at_least++;
        for (unsigned j = 0; j < free; j++)
            marks_add(&taken, cells[j]);
    }
    return outlook;
}

// A set was found; true when no more are wanted.
static bool take_answer(HittingSearch *search)
{
    ThreatAnswers *answers = search->answers;
    if (answers == NULL)
        return true;
    if (answers->count == THREATS_ANSWERS) {
        answers->is_truncated = true;
        return true;
    }
    Cell *answer = answers->cells + (size_t)answers->count++ * answers->size;
    memcpy(answer, search->cells, answers->size * sizeof answer[0]);
    qsort(answer, answers->size, sizeof answer[0], cell_compare);
    return false;
}

// Looks for sets of at most `stones` more cells that meet the first `count` targets; true when it may stop. Every set
// has a cell of the narrowest target: each in turn is chosen, and afterwards excluded, so that no set comes twice.
static bool search_sets(HittingSearch *search, unsigned count, unsigned stones)
{
    if (count == 0)
        return take_answer(search);
    if (search->steps < count) {
        search->steps = 0;
        return true;
    }
    search->steps -= count;
    Outlook outlook = look_at(search, count);
    if (outlook.at_least > stones || outlook.cells == 0)
        return false;
    Cell cells[RULES_SIDE_MAX];
    unsigned free = free_cells(search, &search->targets[outlook.narrowest], cells);
    Marks before = search->excluded;
    bool done = false;
    for (unsigned i = 0; i < free && !done; i++) {
        search->cells[search->chosen++] = cells[i];
        done = search_sets(search, keep_unmet(search, count, cells[i]), stones - 1);
        search->chosen--;
        marks_add(&search->excluded, cells[i]);
    }
    search->excluded = before;
    return done;
}

// Fills the targets with the threats of a side; returns how many.
static unsigned find_targets(const Board *board, Side side, Target targets[WINDOWS_MAX])
{
    Window windows[WINDOWS_MAX];
    unsigned count = threats_windows(board, side, windows);
    for (unsigned i = 0; i < count; i++)
        targets[i] = (Target){windows[i].line, window_empty(board, windows[i])};
    return count;
}

// The smallest number of stones, by trying one after another from what is surely needed. A row that stands has no cell
// to choose, so no number is enough.
static ExactThreats find_smallest(HittingSearch *search, unsigned count)
{
    unsigned most = search->board->rules.p;
    unsigned stones = count > 0 ? look_at(search, count).at_least : 0;
    for (; stones <= most; stones++) {
        bool found = search_sets(search, count, stones);
        if (search->steps == 0)
            return (ExactThreats){stones, true};
        if (found)
            break;
    }
    return (ExactThreats){stones <= most ? stones : most + 1, false};
}

ExactThreats threats_exact(const Board *board, Side side)
{
    Target targets[WINDOWS_MAX];
    Cell cells[RULES_CELLS_MAX];
    HittingSearch search = {.board = board, .targets = targets, .steps = THREATS_STEPS, .cells = cells};
    return find_smallest(&search, find_targets(board, side, targets));
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
    Target targets[WINDOWS_MAX];
    Cell cells[RULES_CELLS_MAX];
    HittingSearch search = {.board = board, .targets = targets, .steps = THREATS_STEPS, .cells = cells};
    unsigned count = find_targets(board, side, targets);
    answers->exact = find_smallest(&search, count);
    answers->size = answers->exact.count;
    if (count == 0 || answers->exact.is_uncertain || answers->size > board->rules.p)
        return;
    answers->cells = memory_new((size_t)THREATS_ANSWERS * answers->size, sizeof answers->cells[0]);
    search.answers = answers;
    search.steps = THREATS_STEPS;
    (void)search_sets(&search, count, answers->size);
    answers->is_truncated |= search.steps == 0;
    qsort_r(answers->cells, answers->count, answers->size * sizeof answers->cells[0], compare_answers, &answers->size);
}

void threats_answers_close(ThreatAnswers *answers)
{
    free(answers->cells);
    *answers = (ThreatAnswers){0};
}

// --- With gravity ---

// Whether `stones` more stones of the other side, in this column or those to the right, leave nothing to complete. The
// order in which they fall into different columns does not matter, so each number in each column is tried once.
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

// Stones that leave nothing to complete meet every window that is a threat now: one that they do not meet has its empty
// cells still, and needs no more stones below. So the exact count is where to begin.
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
