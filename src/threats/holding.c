// Search for a turn after which the other side cannot complete a row.
#include "threats/holding.h"

#include "threats/hitting_set.h"
#include "threats/lines.h"

#include <string.h>

typedef struct {
    Board board;
    Side side; // that searches for a turn
    const Cell *order;
    unsigned order_count;
    unsigned steps; // left
    Cell stones[RULES_CELLS_MAX];
    unsigned count;
    unsigned window_count;
    Window windows[WINDOWS_MAX];
} Holding;

bool holding_holds(const Board *board)
{
    return board_is_over(board) || !lines_can_complete(board, board_side(board), board_stones_left(board));
}

static bool search(Holding *holding);

static bool try_cell(Holding *holding, Cell cell)
{
    if (!board_is_legal(&holding->board, cell))
        return false;
    BoardState before = board_play(&holding->board, cell);
    holding->stones[holding->count++] = cell;
    if (search(holding))
        return true;
    board_undo(&holding->board, cell, before);
    holding->count--;
    return false;
}

// Tries the cells of `order`, then those that became playable above stones of this turn.
static bool try_all(Holding *holding)
{
    for (unsigned i = 0; i < holding->order_count; i++)
        if (try_cell(holding, holding->order[i]))
            return true;
    for (unsigned i = 0; holding->board.rules.gravity && i < holding->count; i++)
        if (try_cell(holding, (Cell)(holding->stones[i] + cell_at(0, 1))))
            return true;
    return false;
}

// A window that the other side can complete in a turn; false if there is none.
static bool find_threat(const Holding *holding, Window *threat)
{
    const Board *board = &holding->board;
    for (unsigned i = 0; i < holding->window_count; i++)
        if (window_is_threat(board, holding->windows[i], side_other(holding->side))) {
            *threat = holding->windows[i];
            return true;
        }
    return false;
}

// Without gravity every turn that holds has a stone in each threat window, and own stones make no new threats for the
// other side: so it is enough to try the cells of one window.
static bool try_window(Holding *holding, Window threat)
{
    Marks cells = {0};
    for (uint64_t empty = window_empty(&holding->board, threat); empty != 0; empty &= empty - 1)
        marks_add(&cells, lines_cell(&holding->board, threat.line, bits_lowest(empty)));
    for (unsigned i = 0; i < holding->order_count; i++)
        if (marks_has(&cells, holding->order[i]) && try_cell(holding, holding->order[i]))
            return true;
    return false;
}

static bool search(Holding *holding)
{
    if (holding->steps == 0)
        return false;
    holding->steps--;
    const Board *board = &holding->board;
    if (board_is_over(board) || board_side(board) != holding->side)
        return holding_holds(board);
    Window threat;
    if (!board->rules.gravity && find_threat(holding, &threat))
        return try_window(holding, threat);
    return try_all(holding);
}

unsigned holding_find(const Board *board, const Cell *order, unsigned count, Cell stones[RULES_CELLS_MAX])
{
    Holding holding = {.order = order, .order_count = count, .steps = HOLDING_STEPS};
    if (board_is_over(board))
        return 0;
    board_copy(&holding.board, board);
    holding.side = board_side(board);
    holding.window_count = windows_all(board, holding.windows);
    unsigned found = search(&holding) ? holding.count : 0;
    memcpy(stones, holding.stones, found * sizeof(Cell));
    return found;
}
