// Fours and threes, as they are called for k = 5: windows that lack one stone, and the two empty cells of windows that
// lack two. For games with p = 1, computed from the line words of the board.
//
// A target of a side is a cell whose stone completes a row: under gravity a cell that can be played now, under `exact`
// a row of k stones and no more.
#pragma once

#include "threats/lines.h"

// Consecutive lines.
typedef struct {
    uint16_t begin, end;
} FourRange;

enum { FOUR_RANGES = 5 }; // rows, columns, rising and falling diagonals, and the end

// Depends on the rules only: filled once, used for every position.
typedef struct {
    unsigned k;
    bool gravity;
    FourRange ranges[FOUR_RANGES];  // lines of at least k cells; an empty range ends the list
    uint64_t mask[BOARD_LINES_MAX]; // the cells of each line
} Fours;

void fours_init(Fours *fours, const Rules *rules);

// Targets as far as a search for continuous fours needs them: one stone cannot stop two different ones.
typedef struct {
    unsigned count; // 0, 1, or 2 for two and more
    Cell cell;      // the first one
} FourTargets;

// Adds the targets of a side in windows through a cell that holds its stone.
void fours_targets(const Fours *fours, const Board *board, Cell cell, Side side, FourTargets *targets);

// Whether a stone of this side on an empty cell completes a row.
bool fours_completes(const Fours *fours, const Board *board, Cell cell, Side side);

// The empty cells of a window that lacks two stones: a stone on one makes the other a target, if it can be played.
typedef struct {
    Cell cell[2];
} FourPair;

// Stores up to `most` pairs of windows through a cell; returns how many. `with` has bits of the lines through the cell
// (row, column, rising, falling), one of which the window must contain; NULL: any window.
unsigned fours_pairs(const Fours *fours, const Board *board, Cell cell, Side side, const uint64_t with[4],
                     FourPair *pairs, unsigned most);

typedef struct {
    FourTargets own, other; // of the side, and of the other one
    unsigned count;         // pairs of the side
} FoursFound;

// Examines the whole board, in the order of lines.
FoursFound fours_all(const Fours *fours, const Board *board, Side side, FourPair *pairs, unsigned most);

// The empty cells of all windows that a side can complete with up to `stones` stones (at most FOURS_LACKING_MAX), as
// bits of the board's rows.
enum { FOURS_LACKING_MAX = 3 };
void fours_cells(const Fours *fours, const Board *board, Side side, unsigned stones, uint64_t rows[RULES_SIDE_MAX]);

// Whether a cell can be played now, even if the game is over.
static inline bool fours_can_play(const Board *board, Cell cell)
{
    return (board_legal_row(board, cell_row(cell)) & cell_bit_in_row(cell)) != 0;
}

// Places a stone on the lines or removes it. Ignores turns: the searches that use it know whose turn it is.
static inline void fours_flip(Board *board, Cell cell, Side side)
{
    CellLines at = board_lines_of(board, cell);
    uint64_t in_row = cell_bit_in_row(cell);
    board->line[at.row][side] ^= in_row;
    board->line[at.column][side] ^= cell_bit_in_column(cell);
    board->line[at.rising][side] ^= in_row;
    board->line[at.falling][side] ^= in_row;
}
