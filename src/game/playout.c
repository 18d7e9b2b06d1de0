// Random games.
#include "game/playout.h"

// Without gravity a random game is a random order of the empty cells.
static unsigned play_cells(Board *board, Rng *rng, Cell *trace, unsigned wanted)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned left = board_legal_cells(board, cells), played = 0;
    while (left > 0 && board_winner(board) == WINNER_NONE) {
        unsigned i = rng_below(rng, left);
        Cell cell = cells[i];
        cells[i] = cells[--left];
        (void)board_play(board, cell);
        if (played < wanted)
            trace[played] = cell;
        played++;
    }
    return played;
}

// With gravity, a random column that is not full.
static unsigned play_columns(Board *board, Rng *rng, Cell *trace, unsigned wanted)
{
    uint8_t columns[RULES_SIDE_MAX];
    unsigned open = 0, played = 0;
    for (unsigned column = 0; column < board->rules.width; column++)
        if (board_drop_row(board, column) < board->rules.height)
            columns[open++] = (uint8_t)column;
    while (open > 0 && board_winner(board) == WINNER_NONE) {
        unsigned i = rng_below(rng, open);
        unsigned column = columns[i], row = board_drop_row(board, column);
        if (row + 1u == board->rules.height)
            columns[i] = columns[--open];
        (void)board_play(board, cell_at(column, row));
        if (played < wanted)
            trace[played] = cell_at(column, row);
        played++;
    }
    return played;
}

unsigned playout_traced(Board *board, Rng *rng, Cell *trace, unsigned wanted)
{
    return board->rules.gravity ? play_columns(board, rng, trace, wanted) : play_cells(board, rng, trace, wanted);
}

Winner playout_random(Board *board, Rng *rng, uint64_t *stones)
{
    unsigned played = playout_traced(board, rng, NULL, 0);
    if (stones != NULL)
        *stones += played;
    return board_winner(board);
}
