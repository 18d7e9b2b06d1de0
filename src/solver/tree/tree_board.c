// Tables of rows, and placing and taking stones.
#include "solver/tree/tree_board.h"

#include "base/memory.h"
#include "game/zobrist.h"

#include <stdlib.h>
#include <string.h>

static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static unsigned cell_number(const Rules *rules, int x, int y)
{
    return rules_have_cell(rules, x, y) ? (unsigned)y * rules->width + (unsigned)x : TREE_NONE;
}

// Calls for every row of k cells: stores it, or counts it if the tables are NULL.
static unsigned make_rows(TreeBoard *board, bool stores)
{
    const Rules *rules = &board->rules;
    unsigned count = 0;
    int k = rules->k;
    for (unsigned d = 0; d < 4; d++)
        for (unsigned number = 0; number < board->cell_count; number++) {
            int x = (int)(number % rules->width), y = (int)(number / rules->width);
            int dx = directions[d][0], dy = directions[d][1];
            if (!rules_have_cell(rules, x + (k - 1) * dx, y + (k - 1) * dy))
                continue;
            if (stores) {
                for (int i = 0; i < k; i++)
                    board->row_cells[(size_t)count * board->k + (size_t)i] =
                        (uint16_t)cell_number(rules, x + i * dx, y + i * dy);
                board->row_next[(size_t)count * 2] = (uint16_t)cell_number(rules, x - dx, y - dy);
                board->row_next[(size_t)count * 2 + 1] = (uint16_t)cell_number(rules, x + k * dx, y + k * dy);
            }
            count++;
        }
    return count;
}

static void make_through(TreeBoard *board)
{
    size_t size = (size_t)board->row_count * board->k;
    board->through = memory_new(size, sizeof *board->through);
    for (size_t i = 0; i < size; i++)
        board->first_through[board->row_cells[i] + 1]++;
    for (unsigned i = 0; i < board->cell_count; i++)
        board->first_through[i + 1] += board->first_through[i];
    uint32_t *at = memory_new(board->cell_count, sizeof *at);
    for (unsigned row = 0; row < board->row_count; row++)
        for (unsigned i = 0; i < board->k; i++) {
            unsigned cell = tree_row(board, row)[i];
            board->through[board->first_through[cell] + at[cell]++] = (uint16_t)row;
        }
    free(at);
}

void tree_board_open(TreeBoard *board, const Rules *rules)
{
    assert(!rules->gravity);
    *board = (TreeBoard){.rules = *rules, .k = rules->k, .cell_count = rules_cells(rules)};
    board->row_count = make_rows(board, false);
    board->padded_rows = (board->row_count + TREE_GROUP - 1) / TREE_GROUP * TREE_GROUP;
    board->row_cells = memory_new((size_t)board->row_count * board->k, sizeof *board->row_cells);
    board->row_next = memory_new((size_t)board->row_count * 2, sizeof *board->row_next);
    (void)make_rows(board, true);
    make_through(board);
    for (unsigned side = 0; side < 2; side++) {
        board->count[side] = memory_aligned(TREE_GROUP, board->padded_rows);
        if (board->count[side] == NULL)
            memory_exhausted();
        memset(board->count[side], 0, board->row_count);
        memset(board->count[side] + board->row_count, TREE_NO_ROW, board->padded_rows - board->row_count);
    }
    memset(board->stone, TREE_EMPTY, sizeof board->stone);
}

void tree_board_close(TreeBoard *board)
{
    free(board->row_cells);
    free(board->row_next);
    free(board->through);
    memory_aligned_free(board->count[0]);
    memory_aligned_free(board->count[1]);
    *board = (TreeBoard){0};
}

void tree_board_set(TreeBoard *board, const Board *from, Side owner)
{
    for (unsigned number = 0; number < board->cell_count; number++)
        if (board->stone[number] != TREE_EMPTY)
            tree_board_take(board, number);
    for (unsigned number = 0; number < board->cell_count; number++) {
        Stone stone = board_stone(from, tree_cell(board, number));
        if (stone != STONE_NONE)
            tree_board_place(board, number, (Side)stone == owner ? TREE_OWNER : TREE_OPPONENT);
    }
}

void tree_board_place(TreeBoard *board, unsigned cell, TreeStone stone)
{
    assert(board->stone[cell] == TREE_EMPTY && stone != TREE_EMPTY);
    board->stone[cell] = (uint8_t)stone;
    board->stones++;
    board->key ^= zobrist_stone[tree_cell(board, cell)][stone];
    uint8_t *count = board->count[stone];
    for (uint32_t i = board->first_through[cell]; i < board->first_through[cell + 1]; i++)
        count[board->through[i]]++;
}

void tree_board_take(TreeBoard *board, unsigned cell)
{
    unsigned stone = board->stone[cell];
    assert(stone != TREE_EMPTY);
    board->stone[cell] = TREE_EMPTY;
    board->stones--;
    board->key ^= zobrist_stone[tree_cell(board, cell)][stone];
    uint8_t *count = board->count[stone];
    for (uint32_t i = board->first_through[cell]; i < board->first_through[cell + 1]; i++)
        count[board->through[i]]--;
}

bool tree_board_counts(const TreeBoard *board, TreeStone side, unsigned row)
{
    const uint16_t *next = board->row_next + (size_t)row * 2;
    return !board->rules.exact || ((next[0] == TREE_NONE || board->stone[next[0]] != side) &&
                                   (next[1] == TREE_NONE || board->stone[next[1]] != side));
}

unsigned tree_board_completes(const TreeBoard *board, TreeStone side, unsigned stones)
{
    unsigned first = board->row_count;
    for (unsigned lacks = 1; lacks <= stones && lacks <= board->k; lacks++)
        for (unsigned group = 0; group * TREE_GROUP < first; group++)
            for (uint32_t rows = tree_rows_with(board, side, group, board->k - lacks); rows != 0; rows &= rows - 1) {
                unsigned row = group * TREE_GROUP + bits_lowest(rows);
                if (row < first && tree_board_counts(board, side, row))
                    first = row;
            }
    return first;
}

unsigned tree_board_empty_cell(const TreeBoard *board, unsigned n)
{
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        if (board->stone[cell] == TREE_EMPTY && n-- == 0)
            return cell;
    return TREE_NONE;
}

unsigned tree_board_empty_rank(const TreeBoard *board, unsigned cell)
{
    unsigned rank = 0;
    for (unsigned i = 0; i < cell; i++)
        rank += board->stone[i] == TREE_EMPTY;
    return rank;
}
