#include "rules/perft.h"

// The legal cells, under gravity column by column: a column is rarely full, so its branch is foreseen, where a row has
// none, one or many.
static inline unsigned list_cells(const Board *board, Cell *cells)
{
    unsigned count = 0;
    if (board->rules.gravity) {
        for (unsigned column = 0; column < board->rules.width; column++) {
            unsigned row = board_drop_row(board, column);
            cells[count] = cell_at(column, row);
            count += row < board->rules.height;
        }
        return count;
    }
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            cells[count++] = cell_at(bits_lowest(legal), row);
    return count;
}

// Plays every leaf. Kept apart from the recursion so that the compiler holds the loop in registers.
__attribute__((noinline)) static void count_leaves(Board *board, unsigned depth, Perft *perft)
{
    Cell cells[RULES_CELLS_MAX + 1];
    unsigned count = list_cells(board, cells);
    uint64_t wins = 0, keys = 0;
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        wins += board_winner(board) != WINNER_NONE;
        keys += board_key(board);
        board_undo(board, cells[i], before);
    }
    perft->counts[depth] += count;
    perft->wins[depth] += wins;
    perft->key_sum += keys;
}

static bool walk(Board *board, unsigned done, unsigned depth, const atomic_bool *stop, Perft *perft);

// Plays one stone that is no leaf, and counts what follows it.
static bool descend(Board *board, Cell cell, unsigned done, unsigned depth, const atomic_bool *stop, Perft *perft)
{
    BoardState before = board_play(board, cell);
    perft->counts[done]++;
    perft->wins[done] += board_winner(board) != WINNER_NONE;
    bool go_on = board_is_over(board) || walk(board, done, depth, stop, perft);
    board_undo(board, cell, before);
    return go_on;
}

static bool walk(Board *board, unsigned done, unsigned depth, const atomic_bool *stop, Perft *perft)
{
    if (done + 1 == depth) {
        count_leaves(board, depth, perft);
        return true;
    }
    if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed))
        return false;
    Cell cells[RULES_CELLS_MAX + 1];
    unsigned count = list_cells(board, cells);
    for (unsigned i = 0; i < count; i++)
        if (!descend(board, cells[i], done + 1, depth, stop, perft))
            return false;
    return true;
}

bool perft_run(Board *board, unsigned depth, const atomic_bool *stop, Perft *perft)
{
    assert(depth <= PERFT_DEPTH_MAX);
    *perft = (Perft){.counts = {1}};
    return depth == 0 || board_is_over(board) || walk(board, 0, depth, stop, perft);
}
