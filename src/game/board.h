// The board: plain data for any rules of the family; play and undo take constant time.
//
// Each row, column and diagonal is a line of two 64-bit words, one per side, and a stone is a bit in its four lines.
// The lines are stored without gaps: rows, columns, rising diagonals, falling diagonals. A bit of a row or a diagonal
// is the column of its cell, a bit of a column is its row. Column 0 is left (a), row 0 is at the bottom (1); a rising
// diagonal goes up to the right.
//
// A board is copied by assignment; board_copy copies only the part in use, which is much smaller on small boards.
#pragma once

#include "base/bits.h"
#include "game/row_rule.h"
#include "game/zobrist.h"

#include <assert.h>
#include <stddef.h>

// Play and undo are inlined wherever they are used: left to the compiler, perft takes 35 to 40 % more instructions.
#define BOARD_HOT static inline __attribute__((always_inline))

// A cell: row * 64 + column, whatever the size of the board.
typedef uint16_t Cell;
enum { CELL_NONE = UINT16_MAX };

static inline Cell cell_at(unsigned column, unsigned row)
{
    return (Cell)(row << 6 | column);
}

static inline unsigned cell_column(Cell cell)
{
    return cell & 63u;
}

static inline unsigned cell_row(Cell cell)
{
    return cell >> 6;
}

// Ascending order, for qsort.
static inline int cell_compare(const void *a, const void *b)
{
    return (int)*(const Cell *)a - (int)*(const Cell *)b;
}

// The bit of a cell in its row and diagonals, and in its column.
static inline uint64_t cell_bit_in_row(Cell cell)
{
    return UINT64_C(1) << cell_column(cell);
}

static inline uint64_t cell_bit_in_column(Cell cell)
{
    return UINT64_C(1) << (cell_row(cell) & 63);
}

typedef enum { SIDE_FIRST = 0, SIDE_SECOND = 1 } Side;
typedef enum { STONE_FIRST = 0, STONE_SECOND = 1, STONE_NONE = 2 } Stone;
typedef enum { WINNER_NONE = 0, WINNER_FIRST = 1, WINNER_SECOND = 2 } Winner;

static inline Side side_other(Side side)
{
    return side == SIDE_FIRST ? SIDE_SECOND : SIDE_FIRST;
}

enum {
    BOARD_SHIFTS = 6, // doubling steps that reach a row of 64
    BOARD_LINES_MAX = 2 * (RULES_SIDE_MAX + RULES_SIDE_MAX) + 2 * (2 * RULES_SIDE_MAX - 1),
};

// The state that a stone changes besides the lines; the caller keeps it between play and undo. `turn` packs four
// fields, so that a stone costs one addition: bits 0-15 stones left in the turn, 16-31 stones on the board, 32 the side
// to move, 33 and 34 the winner.
typedef struct {
    uint64_t stones_key; // exclusive or of zobrist_stone over all stones
    uint64_t turn;
} BoardState;

typedef struct {
    Rules rules;
    uint16_t cells;         // width * height
    uint16_t column_lines;  // index of the line of column 0
    uint16_t rising_lines;  // index of the rising diagonal through column 0, row 0
    uint16_t falling_lines; // index of the falling diagonal through column 0, row 0
    uint16_t line_count;
    // A row of k stones is found by `lines & lines >> shift[0]`, and so on with the next shift: a bit is left where k
    // stones in a row begin. Wider than bytes, which the compiler would have to assume alias `line`.
    uint16_t shift[BOARD_SHIFTS];
    uint16_t shift_count;
    uint16_t needs_more; // k > 8 or rows can be too long: more than three shifts are needed
    uint64_t row_mask;   // the columns of the board
    uint64_t next_turn;  // exclusive or into `turn` when a turn ends: other side, p stones
    BoardState state;
    uint64_t line[BOARD_LINES_MAX][2];
} Board;

// The empty board; `rules` must have passed rules_check.
void board_init(Board *board, const Rules *rules);

// Copies the part of a board that its rules use.
void board_copy(Board *to, const Board *from);

// --- Facts ---

static inline Side board_side(const Board *board)
{
    return (Side)(board->state.turn >> 32 & 1);
}

// Stones on the board.
static inline unsigned board_count(const Board *board)
{
    return (unsigned)(board->state.turn >> 16 & 0xffff);
}

static inline Winner board_winner(const Board *board)
{
    return (Winner)(board->state.turn >> 33);
}

static inline bool board_is_over(const Board *board)
{
    return board_winner(board) != WINNER_NONE || board_count(board) == board->cells;
}

// Stones the side to move still places in this turn: fewer than the rules state if the board is nearly full, 0 if the
// game is over.
static inline unsigned board_stones_left(const Board *board)
{
    unsigned left = (unsigned)(board->state.turn & 0xffff), empty = board->cells - board_count(board);
    return board_winner(board) != WINNER_NONE ? 0 : left < empty ? left : empty;
}

// The key of a position: its stones, the side to move and the stones left in the turn. The turn is multiplied by an odd
// number, so that different turns give different keys.
static inline uint64_t board_key(const Board *board)
{
    return board->state.stones_key ^ (board->state.turn & UINT64_C(0x10000ffff)) * UINT64_C(0x9e6c63d0876a9a63);
}

static inline uint64_t board_occupied_row(const Board *board, unsigned row)
{
    return board->line[row][0] | board->line[row][1];
}

// Stones that only one of two boards of the same rules has.
unsigned board_differences(const Board *a, const Board *b);

// The columns in which a stone may be placed on this row, one bit each; also after the end of the game.
static inline uint64_t board_legal_row(const Board *board, unsigned row)
{
    uint64_t empty = board->row_mask & ~board_occupied_row(board, row);
    return row == 0 ? empty : rule_legal_row(&board->rules, empty, board_occupied_row(board, row - 1));
}

// The lowest empty row of a column under gravity; the height of the board if it is full.
static inline unsigned board_drop_row(const Board *board, unsigned column)
{
    const uint64_t *line = board->line[board->column_lines + column];
    return bits_lowest(~(line[0] | line[1]));
}

static inline bool board_has(const Board *board, Cell cell)
{
    return cell < RULES_CELLS_MAX && cell_column(cell) < board->rules.width && cell_row(cell) < board->rules.height;
}

static inline Stone board_stone(const Board *board, Cell cell)
{
    const uint64_t *row = board->line[cell_row(cell)];
    uint64_t bit = cell_bit_in_row(cell);
    return row[0] & bit ? STONE_FIRST : row[1] & bit ? STONE_SECOND : STONE_NONE;
}

// Whether a stone may be placed on the cell now.
static inline bool board_is_legal(const Board *board, Cell cell)
{
    return board_has(board, cell) && !board_is_over(board) &&
           (board_legal_row(board, cell_row(cell)) >> cell_column(cell) & 1) != 0;
}

// Lists all legal cells, row by row from a1; returns their number, 0 if the game is over.
unsigned board_legal_cells(const Board *board, Cell cells[RULES_CELLS_MAX]);

// --- Play and undo ---

// The four lines of a cell.
typedef struct {
    unsigned row, column, rising, falling;
} CellLines;

BOARD_HOT CellLines board_lines_of(const Board *board, Cell cell)
{
    unsigned x = cell_column(cell), y = cell_row(cell);
    return (CellLines){y, board->column_lines + x, board->rising_lines + x - y, board->falling_lines + x + y};
}

// Four words in a vector: with AVX2 the four lines through a stone are examined at once, which made play and undo about
// twice as fast as one line after the other (docs/adr/0001-board.md). board_wins_at is the plain version, and a
// test compares the two.
typedef uint64_t FourLines __attribute__((vector_size(32)));
typedef long long FourLinesSigned __attribute__((vector_size(32))); // type of the builtin

// Whether one of four lines of one side holds a winning row. A bit that survives the shifts has k stones from itself
// upwards; under `exact` its row must also end there and begin there.
BOARD_HOT bool board_lines_win(const Board *board, const FourLines *lines)
{
    FourLines runs = *lines;
    runs &= runs >> board->shift[0];
    runs &= runs >> board->shift[1];
    runs &= runs >> board->shift[2];
    if (board->needs_more) {
        for (unsigned i = 3; i < board->shift_count; i++)
            runs &= runs >> board->shift[i];
        if (row_has_limit(&board->rules))
            runs &= ~ROW_STARTS_BESIDE(*lines, board->rules.k);
    }
#ifdef __AVX__
    return __builtin_ia32_ptestz256((FourLinesSigned)runs, (FourLinesSigned)runs) == 0;
#else
    return (runs[0] | runs[1] | runs[2] | runs[3]) != 0;
#endif
}

// Whether a stone of `side` on `cell` is part of a winning row, or would be if the cell is still empty.
bool board_wins_at(const Board *board, Cell cell, Side side);

// Places a stone of the side to move on a legal cell, and returns the state before, which board_undo needs.
BOARD_HOT BoardState board_play(Board *board, Cell cell)
{
    assert(board_is_legal(board, cell));
    BoardState before = board->state;
    unsigned side = (unsigned)board_side(board);
    CellLines at = board_lines_of(board, cell);
    uint64_t in_row = cell_bit_in_row(cell), in_column = cell_bit_in_column(cell);
    FourLines lines = {
        board->line[at.row][side] |= in_row,
        board->line[at.column][side] |= in_column,
        board->line[at.rising][side] |= in_row,
        board->line[at.falling][side] |= in_row,
    };
    uint64_t won = board_lines_win(board, &lines);
    uint64_t turn = before.turn + 0xffff; // one stone more on the board, one less left in the turn
    turn ^= (turn & 0xffff) != 0 ? 0 : board->next_turn;
    board->state.turn = turn | won << (33 + side);
    board->state.stones_key = before.stones_key ^ zobrist_stone[cell][side];
    return before;
}

// Takes back the last stone; `before` is what board_play returned for it.
BOARD_HOT void board_undo(Board *board, Cell cell, BoardState before)
{
    board->state = before;
    unsigned side = (unsigned)board_side(board);
    CellLines at = board_lines_of(board, cell);
    uint64_t in_row = cell_bit_in_row(cell), in_column = cell_bit_in_column(cell);
    board->line[at.row][side] ^= in_row;
    board->line[at.column][side] ^= in_column;
    board->line[at.rising][side] ^= in_row;
    board->line[at.falling][side] ^= in_row;
}

// --- Positions that were not played ---

// Puts a stone on an empty cell without regard to turns and wins; end with board_set_turn.
void board_put(Board *board, Cell cell, Side side);

// The inverse of board_put.
void board_take(Board *board, Cell cell, Side side);

// Sets the side to move and the stones left in the turn (1 to 4096), and finds rows that are already complete. Returns
// the sides that have one, as bits 1 and 2; sets the winner unless both have.
unsigned board_set_turn(Board *board, Side side, unsigned stones_left);

// The state of turns after `stones` more stones, as board_play would compute it, without winners. Uses divisions, so
// not for hot paths.
uint64_t board_turn_after(const Board *board, uint64_t turn, unsigned stones);

// The cells of all winning rows of the winner, row by row; returns their number, 0 if neither side has won.
unsigned board_winning_cells(const Board *board, Cell cells[RULES_CELLS_MAX]);
