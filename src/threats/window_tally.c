// Stone counts of all windows, and the targets derived from them.
#include "threats/window_tally.h"

#include "threats/hitting_set.h"
#include "threats/lines.h"

bool window_tally_suits(const Rules *rules)
{
    return !rules->gravity && rules->p <= WINDOW_TALLY_P_MAX;
}

void window_tally_init(WindowTally *tally, const Rules *rules)
{
    assert(window_tally_suits(rules));
    board_init(&tally->board, rules);
    tally->count = windows_all(&tally->board, tally->window);
    windows_through(&tally->board, tally->window, tally->count, tally->through);
    memset(tally->stones, 0, sizeof tally->stones);
}

static void add(WindowTally *tally, Cell cell, unsigned stones)
{
    for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
        WindowRange range = tally->through[cell][direction];
        uint16_t *at = &tally->stones[range.first];
        for (unsigned i = 0; i < range.count; i++)
            at[i] = (uint16_t)(at[i] + stones);
    }
}

static unsigned stones_of(Side side)
{
    return side == SIDE_FIRST ? 1 : 256;
}

void window_tally_set(WindowTally *tally, const Board *board)
{
    assert(rules_equal(&tally->board.rules, &board->rules));
    board_copy(&tally->board, board);
    memset(tally->stones, 0, tally->count * sizeof tally->stones[0]);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t taken = board_occupied_row(board, row); taken != 0; taken &= taken - 1) {
            Cell cell = cell_at(bits_lowest(taken), row);
            add(tally, cell, stones_of((Side)board_stone(board, cell)));
        }
}

BoardState window_tally_play(WindowTally *tally, Cell cell)
{
    add(tally, cell, stones_of(board_side(&tally->board)));
    return board_play(&tally->board, cell);
}

void window_tally_undo(WindowTally *tally, Cell cell, BoardState before)
{
    board_undo(&tally->board, cell, before);
    add(tally, cell, 0u - stones_of(board_side(&tally->board)));
}

void window_tally_put(WindowTally *tally, Cell cell, Side side)
{
    board_put(&tally->board, cell, side);
    add(tally, cell, stones_of(side));
}

void window_tally_take(WindowTally *tally, Cell cell, Side side)
{
    board_take(&tally->board, cell, side);
    add(tally, cell, 0u - stones_of(side));
}

unsigned window_tally_empty(const WindowTally *tally, unsigned window, Cell cells[RULES_SIDE_MAX])
{
    Window at = tally->window[window];
    unsigned count = 0;
    for (uint64_t empty = window_empty(&tally->board, at); empty != 0; empty &= empty - 1)
        cells[count++] = lines_cell(&tally->board, at.line, bits_lowest(empty));
    return count;
}

// Cells of a line are in ascending order; on falling diagonals they are in descending order.
CellSet window_tally_target(const WindowTally *tally, unsigned window)
{
    CellSet target = cell_set_none;
    Cell cells[RULES_SIDE_MAX];
    unsigned count = window_tally_empty(tally, window, cells);
    assert(count >= 1 && count <= WINDOW_TALLY_P_MAX);
    bool descending = count > 1 && cells[0] > cells[1];
    for (unsigned i = 0; i < count; i++)
        target.cell[i] = cells[descending ? count - 1 - i : i];
    return target;
}

static unsigned add_threats(const WindowTally *tally, WindowRange range, Side side, CellSet *targets, unsigned count,
                            unsigned most)
{
    for (unsigned i = range.first; i < range.first + (unsigned)range.count && count <= most; i++)
        if (window_tally_need(tally, i, side) <= tally->board.rules.p && window_tally_wins(tally, i, side)) {
            if (count < most)
                targets[count] = window_tally_target(tally, i);
            count++;
        }
    return count;
}

unsigned window_tally_threats_through(const WindowTally *tally, Cell cell, Side side, CellSet *targets, unsigned count,
                                      unsigned most)
{
    for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++)
        count = add_threats(tally, tally->through[cell][direction], side, targets, count, most);
    return count;
}

unsigned window_tally_threats(const WindowTally *tally, Side side, CellSet *targets, unsigned most)
{
    return add_threats(tally, (WindowRange){0, (uint16_t)tally->count}, side, targets, 0, most);
}

unsigned cell_set_count(const CellSet *set)
{
    unsigned count = 0;
    while (count < WINDOW_TALLY_P_MAX && set->cell[count] != CELL_NONE)
        count++;
    return count;
}

CellSet cell_set_with(const CellSet *set, Cell cell)
{
    CellSet with = *set;
    unsigned at = cell_set_count(set);
    assert(at < WINDOW_TALLY_P_MAX);
    for (; at > 0 && with.cell[at - 1] > cell; at--)
        with.cell[at] = with.cell[at - 1];
    with.cell[at] = cell;
    return with;
}

static CellTargets targets_of(const CellSet *targets, unsigned count)
{
    return (CellTargets){(const Cell *)targets, WINDOW_TALLY_P_MAX, WINDOW_TALLY_P_MAX, count, NULL};
}

unsigned targets_first_unmet(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned from)
{
    while (from < count && cell_sets_meet(chosen, &targets[from]))
        from++;
    return from;
}

bool targets_can_be_met(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned stones)
{
    CellTargets all = targets_of(targets, count);
    return hitting_set_exists(&all, chosen->cell, cell_set_count(chosen), stones);
}

unsigned targets_least(const CellSet *targets, unsigned count, unsigned most)
{
    CellTargets all = targets_of(targets, count);
    return hitting_set_least(&all, NULL, 0, most);
}

// Whether each cell of a set is needed to meet all targets.
static bool is_minimal(const CellTargets *targets, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        Cell without[WINDOW_TALLY_P_MAX];
        for (unsigned j = 0; j + 1 < count; j++)
            without[j] = cells[j < i ? j : j + 1];
        if (hitting_set_first_unmet(targets, without, count - 1, 0) == targets->count)
            return false;
    }
    return true;
}

typedef struct {
    const CellTargets *targets;
    CellSet *answers;
    unsigned found, room;
    bool is_minimal; // whether every set is
} AnswerList;

static bool take_answer(void *context, const Cell *cells, unsigned count)
{
    AnswerList *list = context;
    if (!list->is_minimal && !is_minimal(list->targets, cells, count))
        return false;
    if (list->found < list->room) {
        CellSet answer = cell_set_none;
        for (unsigned i = 0; i < count; i++)
            answer = cell_set_with(&answer, cells[i]);
        list->answers[list->found] = answer;
    }
    list->found += list->found <= list->room;
    return false;
}

unsigned targets_answers(const CellSet *targets, unsigned count, unsigned least, unsigned most, CellSet *answers,
                         unsigned room)
{
    CellTargets all = targets_of(targets, count);
    AnswerList list = {&all, answers, 0, room, least == most};
    hitting_set_all(&all, least, most, take_answer, &list);
    return list.found;
}
