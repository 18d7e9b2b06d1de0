// The board of tree proofs: a position as stone counts of all rows of k cells, for the owner of the proof and the
// opponent. Includes only base and game, as the checker trusts the rules alone. Not for gravity.
//
// Cells are numbered row by row from a1: column x and row y of a board of w columns have the number y * w + x. Rows of
// k cells are numbered by direction (rows, columns, rising, falling diagonals) and then by their lowest cell.
#pragma once

#include "game/board.h"

typedef enum { TREE_OWNER = 0, TREE_OPPONENT = 1, TREE_EMPTY = 2 } TreeStone;

enum { TREE_NONE = UINT16_MAX };

typedef struct {
    Rules rules;
    unsigned k, cell_count, row_count;
    unsigned padded_rows;                        // a multiple of 32, for whole vectors
    uint16_t *row_cells;                         // k for each row
    uint16_t *row_next;                          // two for each row: the cells next to its ends, or TREE_NONE
    uint16_t *through;                           // the rows through each cell, one cell after another
    uint32_t first_through[RULES_CELLS_MAX + 1]; // where those of a cell begin
    uint8_t *count[2];              // stones of the owner and of the opponent in each row; TREE_NO_ROW in padding
    uint8_t stone[RULES_CELLS_MAX]; // TreeStone by cell
    unsigned stones;                // on the board
    uint64_t key;                   // of the stones
} TreeBoard;

enum { TREE_NO_ROW = 200 };

// Prepares for games of these rules; the board is empty.
void tree_board_open(TreeBoard *board, const Rules *rules);
void tree_board_close(TreeBoard *board); // safe on a zeroed one

// Sets the stones of a position.
void tree_board_set(TreeBoard *board, const Board *from, Side owner);

// Places a stone on an empty cell, and takes it back.
void tree_board_place(TreeBoard *board, unsigned cell, TreeStone stone);
void tree_board_take(TreeBoard *board, unsigned cell);

// Whether a row without stones of the other side, once complete, is a win for this side: under `exact` it must not be
// part of a longer one.
bool tree_board_counts(const TreeBoard *board, TreeStone side, unsigned row);

// The lowest row that this side completes with at most `stones` more stones, by the rules; row_count if no row
// qualifies.
unsigned tree_board_completes(const TreeBoard *board, TreeStone side, unsigned stones);

// Rows are searched in groups of this many.
enum { TREE_GROUP = 32 };
typedef uint8_t TreeGroup __attribute__((vector_size(TREE_GROUP)));

// The rows of a group in which a side has this many stones and the other none, as bits.
static inline uint32_t tree_rows_with(const TreeBoard *board, TreeStone side, unsigned group, unsigned stones)
{
    const TreeGroup *own = (const TreeGroup *)board->count[side], *other = (const TreeGroup *)board->count[side ^ 1];
    TreeGroup found = (TreeGroup)(own[group] == (uint8_t)stones) & (TreeGroup)(other[group] == 0);
#ifdef __AVX2__
    typedef char Bytes __attribute__((vector_size(TREE_GROUP)));
    return (uint32_t)__builtin_ia32_pmovmskb256((Bytes)found);
#else
    typedef uint64_t Parts __attribute__((vector_size(TREE_GROUP)));
    Parts parts = (Parts)found;
    uint32_t bits = 0;
    if ((parts[0] | parts[1] | parts[2] | parts[3]) == 0)
        return 0;
    for (unsigned i = 0; i < TREE_GROUP; i++)
        bits |= (uint32_t)(found[i] & 1) << i;
    return bits;
#endif
}

static inline const uint16_t *tree_row(const TreeBoard *board, unsigned row)
{
    return board->row_cells + (size_t)row * board->k;
}

// The n-th empty cell, from 0, or TREE_NONE; and the number of empty cells before one.
unsigned tree_board_empty_cell(const TreeBoard *board, unsigned n);
unsigned tree_board_empty_rank(const TreeBoard *board, unsigned cell);

static inline Cell tree_cell(const TreeBoard *board, unsigned number)
{
    return cell_at(number % board->rules.width, number / board->rules.width);
}

static inline unsigned tree_number(const TreeBoard *board, Cell cell)
{
    return cell_row(cell) * board->rules.width + cell_column(cell);
}
