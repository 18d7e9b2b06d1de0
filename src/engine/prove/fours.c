// Depth-first search with increasing depth, and a table of positions without a win.
#include "engine/prove/fours.h"

#include "base/memory.h"

#include <stdlib.h>

enum {
    TABLE = 1 << 15, // small enough for a cache of the processor
    FOURS_MAX = 60,  // depth
    DEPTH_BITS = 63,
};

struct FoursSearch {
    TreeBoard *board;
    unsigned left;  // positions
    bool is_cut;    // the depth ended a line
    uint64_t salt;  // changes keys, so that results do not depend on earlier searches
    uint64_t *lost; // keys of positions without a win, with the depth in the lowest bits
    uint16_t line[FOURS_MAX];
    unsigned length;
};

FoursSearch *fours_search_open(TreeBoard *board)
{
    FoursSearch *search = memory_new(1, sizeof *search);
    search->board = board;
    search->lost = memory_new(TABLE, sizeof *search->lost);
    return search;
}

void fours_search_close(FoursSearch *search)
{
    if (search == NULL)
        return;
    free(search->lost);
    free(search);
}

unsigned fours_completing(const TreeBoard *board, TreeStone side, unsigned *cell)
{
    unsigned first = TREE_NONE;
    for (unsigned group = 0; group < board->padded_rows / TREE_GROUP; group++)
        for (uint32_t rows = tree_rows_with(board, side, group, board->k - 1); rows != 0; rows &= rows - 1) {
            unsigned row = group * TREE_GROUP + bits_lowest(rows), at = 0;
            if (!tree_board_counts(board, side, row))
                continue;
            const uint16_t *cells = tree_row(board, row);
            while (board->stone[cells[at]] != TREE_EMPTY)
                at++;
            if (first != TREE_NONE && cells[at] != first)
                return 2;
            first = cells[at];
        }
    *cell = first;
    return first != TREE_NONE;
}

static bool attack(FoursSearch *search, unsigned depth);

// A four on this cell, and the reply.
static bool try_four(FoursSearch *search, unsigned cell, unsigned depth)
{
    TreeBoard *board = search->board;
    unsigned reply;
    search->line[search->length++] = (uint16_t)cell;
    tree_board_place(board, cell, TREE_OWNER);
    unsigned targets = fours_completing(board, TREE_OWNER, &reply);
    bool wins = targets > 1;
    if (targets == 1 && depth > 1) {
        tree_board_place(board, reply, TREE_OPPONENT);
        wins = attack(search, depth - 1);
        tree_board_take(board, reply);
    } else if (targets == 1) {
        search->is_cut = true;
    }
    tree_board_take(board, cell);
    search->length -= !wins;
    return wins;
}

// Tries the empty cells of rows that lack two stones; only this cell, unless it is TREE_NONE.
static bool try_fours(FoursSearch *search, unsigned only, unsigned depth)
{
    TreeBoard *board = search->board;
    for (unsigned group = 0; group < board->padded_rows / TREE_GROUP; group++)
        for (uint32_t rows = tree_rows_with(board, TREE_OWNER, group, board->k - 2); rows != 0; rows &= rows - 1) {
            unsigned row = group * TREE_GROUP + bits_lowest(rows);
            const uint16_t *cells = tree_row(board, row);
            for (unsigned i = 0; i < board->k; i++)
                if (board->stone[cells[i]] == TREE_EMPTY && (only == TREE_NONE || cells[i] == only) &&
                    tree_board_counts(board, TREE_OWNER, row) && try_four(search, cells[i], depth))
                    return true;
        }
    return false;
}

static bool has_fours(const TreeBoard *board)
{
    unsigned groups = board->padded_rows / TREE_GROUP, group = 0;
    while (group < groups && tree_rows_with(board, TREE_OWNER, group, board->k - 2) == 0)
        group++;
    return group < groups;
}

static bool attack(FoursSearch *search, unsigned depth)
{
    TreeBoard *board = search->board;
    unsigned cell, only;
    if (search->left == 0)
        return false;
    search->left--;
    if (fours_completing(board, TREE_OWNER, &cell) > 0)
        return true;
    if (!has_fours(board))
        return false;
    uint64_t key = (board->key ^ search->salt) & ~(uint64_t)DEPTH_BITS;
    uint64_t *entry = &search->lost[key >> 6 & (TABLE - 1)];
    if ((*entry & ~(uint64_t)DEPTH_BITS) == key && (*entry & DEPTH_BITS) >= depth) {
        search->is_cut |= (*entry & DEPTH_BITS) < DEPTH_BITS;
        return false;
    }
    unsigned held = fours_completing(board, TREE_OPPONENT, &only);
    bool was_cut = search->is_cut;
    search->is_cut = false;
    if (held < 2 && try_fours(search, only, depth))
        return true;
    if (search->left > 0)
        *entry = key | (search->is_cut ? depth : DEPTH_BITS);
    search->is_cut |= was_cut;
    return false;
}

void fours_search_clear(FoursSearch *search)
{
    search->salt += UINT64_C(0x9e3779b97f4a7c15);
}

bool fours_search_run(FoursSearch *search, unsigned depth, unsigned nodes, TreeWords *win)
{
    search->left = nodes;
    search->length = 0;
    if (depth > FOURS_MAX)
        depth = FOURS_MAX;
    for (unsigned i = 1; i <= depth; i++) {
        search->is_cut = false;
        if (attack(search, i)) {
            for (unsigned j = 0; j < search->length; j++)
                tree_words_add(win, search->line[j]);
            return true;
        }
        if (!search->is_cut || search->left == 0)
            return false;
    }
    return false;
}
