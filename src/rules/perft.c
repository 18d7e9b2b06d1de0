#include "rules/perft.h"

// Plays one leaf. Kept apart from the recursion so that the compiler holds the loop in registers.
static inline void visit_leaf(Board *board, Cell cell, uint64_t *wins, uint64_t *keys)
{
    BoardState before = board_play(board, cell);
    *wins += board_winner(board) != WINNER_NONE;
    *keys += board_key(board);
    board_undo(board, cell, before);
}

__attribute__((noinline)) static void count_leaves(Board *board, unsigned depth, Perft *perft)
{
    uint64_t count = 0, wins = 0, keys = 0;
    if (board->rules.gravity) {
        for (unsigned column = 0; column < board->rules.width; column++) {
            unsigned row = board_drop_row(board, column);
            if (row >= board->rules.height)
                continue;
            visit_leaf(board, cell_at(column, row), &wins, &keys);
            count++;
        }
    } else {
        for (unsigned row = 0; row < board->rules.height; row++)
            for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1) {
                visit_leaf(board, cell_at(bits_lowest(legal), row), &wins, &keys);
                count++;
            }
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
    if (board->rules.gravity) {
        for (unsigned column = 0; column < board->rules.width; column++) {
            unsigned row = board_drop_row(board, column);
            if (row < board->rules.height && !descend(board, cell_at(column, row), done + 1, depth, stop, perft))
                return false;
        }
        return true;
    }
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            if (!descend(board, cell_at(bits_lowest(legal), row), done + 1, depth, stop, perft))
                return false;
    return true;
}

bool perft_run(Board *board, unsigned depth, const atomic_bool *stop, Perft *perft)
{
    assert(depth <= PERFT_DEPTH_MAX);
    *perft = (Perft){.counts = {1}};
    return depth == 0 || board_is_over(board) || walk(board, 0, depth, stop, perft);
}
