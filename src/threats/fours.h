// Fours, by the name they have where five win: rows that lack one stone, and the pairs of cells of those that lack two.
// For games of one stone a turn, straight from the words of a board's lines.
//
// A target of a side is a cell on which its next stone would complete a row: under gravity one that can be reached now,
// under `exact` a row of no more than k.
#pragma once

#include "threats/lines.h"

// Lines one after another.
typedef struct {
    uint16_t begin, end;
} FourRange;

enum { FOUR_RANGES = 5 }; // rows, columns, two kinds of diagonals, and the end

// What the rules alone say: filled once, used for every position.
typedef struct {
    unsigned k;
    bool gravity;
    FourRange ranges[FOUR_RANGES];  // of lines long enough for a row, ended by an empty one
    uint64_t mask[BOARD_LINES_MAX]; // of every line, its cells
} Fours;

void fours_init(Fours *fours, const Rules *rules);

// Targets as far as a search through fours needs them: two different ones cannot both be met.
typedef struct {
    unsigned count; // 0, 1, or 2 for two and more
    Cell cell;      // the first one
} Targets;

// Adds the targets of a side in windows through a cell that carries its stone.
void fours_targets(const Fours *fours, const Board *board, Cell cell, Side side, Targets *targets);

// Whether a stone of this side on an empty cell would complete a row.
bool fours_completes(const Fours *fours, const Board *board, Cell cell, Side side);

// The cells of a window that lacks two stones: one of them played makes the other a target, if it can be reached.
typedef struct {
    Cell cell[2];
} FourPair;

// The pairs of windows through a cell; `with` are further bits of each line of which the window must have one, in the
// order row, column, rising, falling; NULL: nothing more is asked. Up to `most`; returns how many.
unsigned fours_pairs(const Fours *fours, const Board *board, Cell cell, Side side, const uint64_t with[4],
                     FourPair *pairs, unsigned most);

// All of the board, in the order of lines.
typedef struct {
    Targets own, other; // of the side, and of the other one
    unsigned count;     // pairs of the side
} FoursFound;

FoursFound fours_all(const Fours *fours, const Board *board, Side side, FourPair *pairs, unsigned most);

// The empty cells of all windows that a side can make a row of with up to `stones` stones, at most FOURS_LACKING_MAX,
// as bits of the rows; rows of the board that have none are 0.
enum { FOURS_LACKING_MAX = 3 };
void fours_cells(const Fours *fours, const Board *board, Side side, unsigned stones, uint64_t rows[RULES_SIDE_MAX]);

// --- Shared bits ---

// A cell that can be played now, also after the end of the game.
static inline bool fours_can_play(const Board *board, Cell cell)
{
    return (board_legal_row(board, cell_row(cell)) & cell_bit_in_row(cell)) != 0;
}

// Puts a stone on the lines or takes it off, without regard to turns: these searches know whose turn it is.
static inline void fours_flip(Board *board, Cell cell, Side side)
{
    CellLines at = board_lines_of(board, cell);
    uint64_t in_row = cell_bit_in_row(cell);
    board->line[at.row][side] ^= in_row;
    board->line[at.column][side] ^= cell_bit_in_column(cell);
    board->line[at.rising][side] ^= in_row;
    board->line[at.falling][side] ^= in_row;
}
