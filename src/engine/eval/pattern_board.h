// The pattern board: a position with the line patterns of every empty cell in all four directions for both sides, their
// sums, the side to move and its stones left; updated with every stone and taken back as cheaply. The engine searches
// on it in all games; engine/eval/line_patterns.h defines line patterns.
//
// A stone changes the line patterns of the empty cells within `reach` in its four lines. Each line is stored as two
// words, "empty or first" and "empty or second", so that zeros are walls and borders cost nothing; and again with both
// bits of a cell side by side, as the table of line patterns requires. A cell is one word: 16 bits per side, four per
// direction (its code). A table gives for each code what the cell adds to the side's sums: six counters and an
// evaluation, packed so that one addition updates all.
//
// If the tables of line patterns allow it, every stone takes the same work: the words of all cells within reach, stones
// and walls included, are logged and rewritten. These are a third more cells than the empty ones, but there are no
// branches, and undo needs no list of cells.
//
// For each side, cells are counted by cell pattern: what a stone of that side there would make. A four needs one more
// stone to complete a row, an open three one more to become an open four, a threat (p > 1) p more stones. A cell is
// counted once, by the first pattern that holds. Gravity does not change cell patterns; whether a cell can be reached
// is a separate question.
#pragma once

#include "engine/eval/line_patterns.h"
#include "engine/eval/weights.h"

typedef struct Network Network; // engine/eval/network.h

enum {
    PATTERN_BOARD_CODES = 1 << 16,
    PATTERN_BOARD_COUNTERS = 6,
    // Words around those of the board, always 0, for writes near a border.
    PATTERN_BOARD_MARGIN = (LINE_PATTERNS_PAIRS_REACH + 1) * RULES_SIDE_MAX,
    // Walls at both ends of a line of pairs, and its words.
    PATTERN_BOARD_WALLS = 2 * LINE_PATTERNS_PAIRS_REACH,
    PATTERN_BOARD_PAIR_WORDS = 4,
};

// The numbers are shared; each set of names is for its own p.
typedef enum {
    CELL_COMPLETES,

    // One stone per turn.
    CELL_OPEN_FOUR = 1, // or two fours
    CELL_FOUR_THREE,    // a four and an open three
    CELL_DOUBLE_THREE,  // two open threes or more
    CELL_FOUR,
    CELL_THREE, // an open three

    // Several stones per turn: how many stones the row then lacks.
    CELL_LACKS_ONE = 1,
    CELL_LACKS_TWO,
    CELL_LACKS_THREE, // or more, but fewer than p
    CELL_OPEN_THREAT, // a threat that one stone does not stop
    CELL_THREAT,      // p stones

    CELL_QUIET,
} CellPattern;

// Six counters of 16 bits, and the evaluation in the upper half of the second word.
typedef int64_t PatternSums __attribute__((vector_size(16)));

// The meaning of codes under one family of rules with one set of weights: read-only, shared by all threads.
typedef struct {
    LinePatterns line_patterns;
    // What a cell adds to the sums of the side: six counters of seven bits, and the evaluation above them.
    int64_t adds[PATTERN_BOARD_CODES];
    uint32_t part[4][256];              // bits of a word by direction and by line patterns: first side | second << 4
    int16_t move[PATTERN_BOARD_CODES];  // move score for the owner
    int16_t block[PATTERN_BOARD_CODES]; // move score for the other side
    uint8_t kind[PATTERN_BOARD_CODES];  // a CellPattern
    uint16_t unordered[PATTERN_BOARD_CODES]; // number of the code without the order of directions, for weights
    int16_t situation[WEIGHTS_SITUATIONS];
    const Network *network; // borrowed, for evaluator_network; NULL: none
} PatternTables;

Status pattern_tables_open(PatternTables **tables, const Rules *rules, const Weights *weights, Error *error);
void pattern_tables_close(PatternTables *tables); // NULL is fine

typedef struct {
    PatternSums sums[2];
    uint64_t stones_key;
    uint32_t log_count;
    uint16_t turn_left; // stones left in the turn
    uint16_t count;     // stones on the board
    uint8_t side, won;  // won: the stone before completed a row
} PatternState;

typedef struct {
    const PatternTables *tables;
    uint64_t row_mask;
    uint32_t *log;        // owned; overwritten words
    PatternState *before; // owned; states before each stone since pattern_board_set
    Cell *played;         // owned; those stones
    unsigned played_count;
    uint16_t cells, column_lines, rising_lines, falling_lines;
    Rules rules;
    uint8_t variant; // variant of placing stones: the reach, if all stones take the same work
    PatternState state;
    uint64_t plane[BOARD_LINES_MAX][2]; // as lines of a board (game/board.h): empty or first, empty or second
    // The same with two bits per cell, after PATTERN_BOARD_WALLS walls.
    uint64_t pairs[BOARD_LINES_MAX][PATTERN_BOARD_PAIR_WORDS];
    // The code of the first side and, << 16, of the second for an empty cell; else 0. The cells follow a margin.
    uint32_t words[PATTERN_BOARD_MARGIN + RULES_CELLS_MAX + PATTERN_BOARD_MARGIN];
} PatternBoard;

// Allocates all memory for games of these rules; the tables are borrowed and must be of the same family.
void pattern_board_open(PatternBoard *patterns, const PatternTables *tables, const Rules *rules);
void pattern_board_close(PatternBoard *patterns); // safe on a zeroed one

// Sets a position.
void pattern_board_set(PatternBoard *patterns, const Board *board);

// Places a stone of the side to move on an empty cell (under gravity one that can be reached), and takes it back.
void pattern_board_play(PatternBoard *patterns, Cell cell);
void pattern_board_undo(PatternBoard *patterns);

// A pass: the other side gets a turn of p stones without a stone being placed.
void pattern_board_pass(PatternBoard *patterns);
void pattern_board_unpass(PatternBoard *patterns);

// The empty cells in reach of a stone in its four lines, whose line patterns it changes. Returns their number.
enum { PATTERN_BOARD_REACH_MAX = 8 * RULES_SIDE_MAX };
unsigned pattern_board_in_reach(const PatternBoard *patterns, Cell stone, Cell cells[PATTERN_BOARD_REACH_MAX]);

// Whether neither side can complete a row within a turn, as far as the line patterns show, and the side to move cannot
// make an open four: positions that a search evaluates without looking ahead, and values are learned from.
bool pattern_board_is_quiet(const PatternBoard *patterns);

// Whether all data equal a plain recomputation from the stones; for debug builds and tests.
bool pattern_board_is_right(const PatternBoard *patterns);

static inline Side pattern_board_side(const PatternBoard *patterns)
{
    return (Side)patterns->state.side;
}

// The code of an empty cell; all dead for a stone.
static inline unsigned pattern_board_code(const PatternBoard *patterns, Cell cell, Side side)
{
    return patterns->words[PATTERN_BOARD_MARGIN + cell] >> (side * 16) & 0xffff;
}

static inline CellPattern pattern_board_cell_pattern(const PatternBoard *patterns, Cell cell, Side side)
{
    return (CellPattern)patterns->tables->kind[pattern_board_code(patterns, cell, side)];
}

// The number of cells with a pattern.
static inline unsigned pattern_board_count(const PatternBoard *patterns, Side side, unsigned kind)
{
    return (unsigned)(patterns->state.sums[side][kind >> 2] >> ((kind & 3) * 16) & 0xffff);
}

// The evaluation of the line patterns of a side.
static inline int pattern_board_patterns_value(const PatternBoard *patterns, Side side)
{
    return (int)(patterns->state.sums[side][1] >> 32);
}

// The evaluation for the side to move; in the unit of weights.h.
int pattern_board_value(const PatternBoard *patterns);

// The counters above 0: six bits for the side to move and above them six for the other.
unsigned pattern_board_situation(const PatternBoard *patterns);

// The move score of a stone of the side to move on an empty cell.
static inline int pattern_board_order(const PatternBoard *patterns, Cell cell)
{
    Side side = pattern_board_side(patterns);
    return patterns->tables->move[pattern_board_code(patterns, cell, side)] +
           patterns->tables->block[pattern_board_code(patterns, cell, side_other(side))];
}

static inline uint64_t pattern_board_empty_row(const PatternBoard *patterns, unsigned row)
{
    return patterns->plane[row][0] & patterns->plane[row][1];
}

static inline bool pattern_board_is_empty(const PatternBoard *patterns, Cell cell)
{
    return (pattern_board_empty_row(patterns, cell_row(cell)) >> cell_column(cell) & 1) != 0;
}

static inline bool pattern_board_is_full(const PatternBoard *patterns)
{
    return patterns->state.count == patterns->cells;
}

// Stones that the side to move places in this turn: those left, or fewer if the board gets full.
static inline unsigned pattern_board_stones_left(const PatternBoard *patterns)
{
    unsigned empty = (unsigned)patterns->cells - patterns->state.count;
    return patterns->state.turn_left < empty ? patterns->state.turn_left : empty;
}

// The lowest empty row of a column; at least the height of the board if the column is full.
static inline unsigned pattern_board_height(const PatternBoard *patterns, unsigned column)
{
    const uint64_t *planes = patterns->plane[patterns->column_lines + column];
    return bits_lowest(planes[0] & planes[1]);
}

// The cells of a row on which a stone may be placed now.
static inline uint64_t pattern_board_legal_row(const PatternBoard *patterns, unsigned row)
{
    uint64_t empty = pattern_board_empty_row(patterns, row);
    return row == 0 ? empty : rule_legal_row(&patterns->rules, empty, ~pattern_board_empty_row(patterns, row - 1));
}

// The key of the position: stones, side to move and stones left, as board_key.
static inline uint64_t pattern_board_key(const PatternBoard *patterns)
{
    uint64_t turn = (uint64_t)patterns->state.side << 32 | patterns->state.turn_left;
    return patterns->state.stones_key ^ turn * UINT64_C(0x9e6c63d0876a9a63);
}

// The distance in cells between neighbours in each direction: rows, columns, rising, falling diagonals.
extern const int pattern_board_step[4];

// The line of a cell in a direction (0 rows, 1 columns, 2 rising, 3 falling), and the place of the cell in it.
static inline unsigned pattern_board_line(const PatternBoard *patterns, Cell cell, unsigned direction)
{
    unsigned x = cell_column(cell), y = cell_row(cell);
    return direction == 0   ? y
           : direction == 1 ? patterns->column_lines + x
           : direction == 2 ? patterns->rising_lines + x - y
                            : patterns->falling_lines + x + y;
}

static inline unsigned pattern_board_place(Cell cell, unsigned direction)
{
    return direction == 1 ? cell_row(cell) : cell_column(cell);
}

// The cell at a place of the line of another cell.
static inline Cell pattern_board_cell_at(Cell cell, unsigned direction, unsigned place)
{
    int steps = (int)place - (int)pattern_board_place(cell, direction);
    return (Cell)(cell + steps * pattern_board_step[direction]);
}

// The empty cells of a line within reach of a cell, other than itself, as bits of the line.
static inline uint64_t pattern_board_near(const PatternBoard *patterns, Cell cell, unsigned direction)
{
    const uint64_t *planes = patterns->plane[pattern_board_line(patterns, cell, direction)];
    unsigned place = pattern_board_place(cell, direction), reach = patterns->tables->line_patterns.reach;
    uint64_t range = bits_low(place + reach + 1) & ~bits_low(place > reach ? place - reach : 0);
    return planes[0] & planes[1] & range & ~(UINT64_C(1) << place);
}
