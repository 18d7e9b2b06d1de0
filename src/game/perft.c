// Counts of stone sequences to a depth.
#include "game/perft.h"

#include "base/limits.h"

// Lists the legal cells, under gravity column by column: columns are rarely full, so the branch is predictable, unlike
// that of rows.
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

// Plays every leaf. Separate from the recursion so that the compiler keeps the loop in registers.
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

// Counts the sequences after `done` stones; false if stopped.
static bool walk(Board *board, unsigned done, unsigned depth, const atomic_bool *stop, Perft *perft)
{
    if (done + 1 == depth) {
        count_leaves(board, depth, perft);
        return true;
    }
    if (stop_is_raised(stop))
        return false;
    Cell cells[RULES_CELLS_MAX + 1];
    unsigned count = list_cells(board, cells);
    bool continues = true;
    for (unsigned i = 0; i < count && continues; i++) {
        BoardState before = board_play(board, cells[i]);
        perft->counts[done + 1]++;
        perft->wins[done + 1] += board_winner(board) != WINNER_NONE;
        continues = board_is_over(board) || walk(board, done + 1, depth, stop, perft);
        board_undo(board, cells[i], before);
    }
    return continues;
}

bool perft_run(Board *board, unsigned depth, const atomic_bool *stop, Perft *perft)
{
    assert(depth <= PERFT_DEPTH_MAX);
    *perft = (Perft){.counts = {1}};
    return depth == 0 || board_is_over(board) || walk(board, 0, depth, stop, perft);
}
