#include "analysis/window_tally.h"

#include "analysis/lines.h"

bool window_tally_suits(const Rules *rules)
{
    return !rules->gravity && rules->p <= WINDOW_TALLY_P_MAX;
}

// --- Windows ---

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

bool window_tally_row_fits(const WindowTally *tally, unsigned window, Side side)
{
    const Board *board = &tally->board;
    Window at = tally->window[window];
    uint64_t bits = window_bits(board, at), own = board->line[at.line][side];
    return (own & (bits << 1 | bits >> 1) & ~bits) == 0;
}

unsigned window_tally_empty(const WindowTally *tally, unsigned window, Cell cells[RULES_SIDE_MAX])
{
    Window at = tally->window[window];
    unsigned count = 0;
    for (uint64_t empty = window_empty(&tally->board, at); empty != 0; empty &= empty - 1)
        cells[count++] = lines_cell(&tally->board, at.line, bits_lowest(empty));
    return count;
}

// Cells of a line come in ascending order but for falling diagonals, which come in descending order.
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

unsigned window_tally_threats_through(const WindowTally *tally, Cell cell, Side side, CellSet *targets, unsigned count,
                                      unsigned most)
{
    for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
        WindowRange range = tally->through[cell][direction];
        for (unsigned i = range.first; i < range.first + (unsigned)range.count; i++)
            if (window_tally_need(tally, i, side) <= tally->board.rules.p && window_tally_is_clear(tally, i, side)) {
                if (count >= most)
                    return most + 1;
                targets[count++] = window_tally_target(tally, i);
            }
    }
    return count;
}

unsigned window_tally_threats(const WindowTally *tally, Side side, CellSet *targets, unsigned most)
{
    unsigned count = 0;
    for (unsigned i = 0; i < tally->count; i++)
        if (window_tally_need(tally, i, side) <= tally->board.rules.p && window_tally_is_clear(tally, i, side)) {
            if (count >= most)
                return most + 1;
            targets[count++] = window_tally_target(tally, i);
        }
    return count;
}

// --- Sets of cells ---

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

unsigned targets_first_unmet(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned from)
{
    while (from < count && cell_sets_meet(chosen, &targets[from]))
        from++;
    return from;
}

// From here on, `chosen` is a list in no order.
static bool can_be_met(const CellSet *targets, unsigned count, unsigned from, CellSet *chosen, unsigned size,
                       unsigned stones)
{
    unsigned at = targets_first_unmet(targets, count, chosen, from);
    if (at == count || stones == 0)
        return at == count;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && targets[at].cell[i] != CELL_NONE; i++) {
        chosen->cell[size] = targets[at].cell[i];
        if (can_be_met(targets, count, at + 1, chosen, size + 1, stones - 1))
            return true;
    }
    chosen->cell[size] = CELL_NONE;
    return false;
}

bool targets_can_be_met(const CellSet *targets, unsigned count, const CellSet *chosen, unsigned stones)
{
    CellSet list = *chosen;
    unsigned size = cell_set_count(chosen);
    assert(size + stones <= WINDOW_TALLY_P_MAX);
    return can_be_met(targets, count, 0, &list, size, stones);
}

unsigned targets_least(const CellSet *targets, unsigned count, unsigned most)
{
    unsigned stones = 0;
    while (stones <= most && !targets_can_be_met(targets, count, &cell_set_none, stones))
        stones++;
    return stones;
}

// Every set has a cell of the first target that is not met: each in turn is chosen, and afterwards excluded, so that no
// set comes twice.
typedef struct {
    const CellSet *targets;
    unsigned count;
    CellSet *answers;
    unsigned found, most;
    Cell excluded[WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX];
    unsigned excluded_count;
} AnswerSearch;

static bool is_excluded(const AnswerSearch *search, Cell cell)
{
    for (unsigned i = 0; i < search->excluded_count; i++)
        if (search->excluded[i] == cell)
            return true;
    return false;
}

static void find_answers(AnswerSearch *search, const CellSet *chosen, unsigned from, unsigned stones)
{
    unsigned at = targets_first_unmet(search->targets, search->count, chosen, from);
    if (at == search->count) {
        assert(stones == 0);
        if (search->found < search->most)
            search->answers[search->found] = *chosen;
        search->found += search->found <= search->most;
        return;
    }
    if (stones == 0)
        return;
    unsigned before = search->excluded_count;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && search->targets[at].cell[i] != CELL_NONE; i++) {
        Cell cell = search->targets[at].cell[i];
        if (is_excluded(search, cell))
            continue;
        CellSet with = cell_set_with(chosen, cell);
        find_answers(search, &with, at + 1, stones - 1);
        search->excluded[search->excluded_count++] = cell;
    }
    search->excluded_count = before;
}

unsigned targets_answers(const CellSet *targets, unsigned count, unsigned stones, CellSet *answers, unsigned most)
{
    AnswerSearch search = {.targets = targets, .count = count, .answers = answers, .most = most};
    find_answers(&search, &cell_set_none, 0, stones);
    return search.found;
}
