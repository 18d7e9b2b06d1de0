// The field: a position with the shapes of every empty cell in all four directions for both sides, what they sum up to,
// and who is to place how many stones; followed stone by stone and taken back as cheaply. This is what the engine
// thinks on, for every game of the family; analysis/shapes.h says what a shape is.
//
// A stone changes the shapes of the empty cells within `reach` in its four lines. Each line is two words, "empty or
// first" and "empty or second", so that zeros are walls and borders cost nothing; and the same once more with both bits
// of a cell side by side, as a shape table wants them. A cell is one word: sixteen bits a side, four a direction (its
// code). A code looked up in a table gives what the cell adds to the side's sums: six counters and an evaluation,
// packed so that one addition does for all.
//
// Where the tables of shapes allow it, a stone does the same work whatever stands around it: the words of all cells
// within reach, stones and walls among them, are kept in a log and written anew. That is a third more cells than there
// are empty ones, but nothing has to be asked or guessed, and taking back needs no list of cells.
//
// What is counted, for each side, is cells by what a stone of that side there would do. With one stone a turn:
//   0 completes a row; 1 an open four or two fours; 2 a four and an open three; 3 two open threes or more;
//   4 a four; 5 an open three  (four: one more stone completes a row; open three: one more makes an open four)
// With more stones a turn (p > 1):
//   0 completes a row; 1 to 3: a row then needs 1, 2, 3 (or more) stones, and this is less than p;
//   4 makes a threat that one stone does not stop; 5 makes a threat (threat: p more stones complete a row)
// A cell is counted once, by the first that holds. Gravity changes nothing of it: whether a cell can be reached is to
// be asked besides.
#pragma once

#include "analysis/shapes.h"
#include "analysis/weights.h"

enum {
    FIELD_CODES = 1 << 16,
    FIELD_COUNTERS = 6,
    // Words around those of the board, always 0: what a stone on a border writes to.
    FIELD_MARGIN = (SHAPES_PAIRS_REACH + 1) * RULES_SIDE_MAX,
    // Walls at both ends of a line of pairs, and its words.
    FIELD_WALLS = 2 * SHAPES_PAIRS_REACH,
    FIELD_PAIR_WORDS = 4,
};

typedef enum {
    CELL_COMPLETES,
    CELL_OPEN_FOUR, // p > 1: then one more stone completes
    CELL_FOUR_THREE,
    CELL_DOUBLE_THREE,
    CELL_FOUR,  // p > 1: makes an open threat
    CELL_THREE, // p > 1: makes a threat
    CELL_QUIET,
} CellKind;

// Six counters of 16 bits, and the evaluation in the upper half of the second word.
typedef int64_t FieldSums __attribute__((vector_size(16)));

// What the codes mean under one family of rules with one set of weights: read only, shared by all threads.
typedef struct {
    Shapes shapes;
    // What a cell adds to the sums of the side: six counters of seven bits, and the evaluation above them.
    int64_t adds[FIELD_CODES];
    uint32_t part[4][256];           // what a shape of the first side | of the second << 4 is in a word, by direction
    int16_t move[FIELD_CODES];       // how good it is to play there, for ordering: for the side
    int16_t block[FIELD_CODES];      // likewise, to take the cell from the other side
    uint8_t kind[FIELD_CODES];       // a CellKind
    uint16_t unordered[FIELD_CODES]; // the number of the code, whatever the order of directions: for weights
    int16_t situation[WEIGHTS_SITUATIONS];
} FieldTables;

Status field_tables_open(FieldTables **tables, const Rules *rules, const Weights *weights, Error *error);
void field_tables_close(FieldTables *tables); // NULL is fine

typedef struct {
    FieldSums sums[2];
    uint64_t stones_key;
    uint32_t log_count;
    uint16_t turn_left; // stones left in the turn
    uint16_t count;     // stones on the board
    uint8_t side, won;  // won: the stone before completed a row
} FieldState;

typedef struct {
    const FieldTables *tables;
    uint64_t row_mask;
    uint32_t *log;      // owned; what stones overwrote
    FieldState *before; // owned; states before each stone since field_set
    Cell *played;       // owned; those stones
    unsigned played_count;
    uint16_t cells, column_lines, rising_lines, falling_lines;
    Rules rules;
    uint8_t way; // how stones are placed: the reach, if all do the same work
    FieldState state;
    uint64_t plane[BOARD_LINES_MAX][2]; // as lines of a board (rules/board.h): empty or first, empty or second
    // The same with two bits a cell, after FIELD_WALLS walls.
    uint64_t pairs[BOARD_LINES_MAX][FIELD_PAIR_WORDS];
    // Of an empty cell: the code of the first side, and that of the second << 16; else 0. The cells come after a
    // margin.
    uint32_t words[FIELD_MARGIN + RULES_CELLS_MAX + FIELD_MARGIN];
} Field;

// Takes all memory for games of these rules; the tables are borrowed and must be of the same family.
Status field_open(Field *field, const FieldTables *tables, const Rules *rules, Error *error);
void field_close(Field *field); // safe on a zeroed one

// Begins with a position.
void field_set(Field *field, const Board *board);

// Places a stone of the side to move on an empty cell (under gravity one that can be reached), and takes it back.
void field_play(Field *field, Cell cell);
void field_undo(Field *field);

// The other way round: the turn goes to the other side with p stones, without a stone being placed.
void field_pass(Field *field);
void field_unpass(Field *field);

// The empty cells in reach of a stone in its four lines: those whose shapes it changes. Returns how many.
enum { FIELD_REACH_MAX = 8 * RULES_SIDE_MAX };
unsigned field_in_reach(const Field *field, Cell stone, Cell cells[FIELD_REACH_MAX]);

// Whether everything is as a plain recomputation from the stones has it; for debug builds and tests.
bool field_is_right(const Field *field);

// --- Facts ---

static inline Side field_side(const Field *field)
{
    return (Side)field->state.side;
}

// Of an empty cell; all dead where there is a stone.
static inline unsigned field_code(const Field *field, Cell cell, Side side)
{
    return field->words[FIELD_MARGIN + cell] >> (side * 16) & 0xffff;
}

static inline CellKind field_kind(const Field *field, Cell cell, Side side)
{
    return (CellKind)field->tables->kind[field_code(field, cell, side)];
}

// Cells of a kind.
static inline unsigned field_count(const Field *field, Side side, unsigned kind)
{
    return (unsigned)(field->state.sums[side][kind >> 2] >> ((kind & 3) * 16) & 0xffff);
}

// The evaluation of the shapes of a side.
static inline int field_shapes_value(const Field *field, Side side)
{
    return (int)(field->state.sums[side][1] >> 32);
}

// The evaluation for the side to move; in the unit of weights.h.
int field_value(const Field *field);

// Which counters are above 0, six bits for the side to move and six above them for the other.
unsigned field_situation(const Field *field);

static inline uint64_t field_empty_row(const Field *field, unsigned row)
{
    return field->plane[row][0] & field->plane[row][1];
}

static inline bool field_is_empty(const Field *field, Cell cell)
{
    return (field_empty_row(field, cell_row(cell)) >> cell_column(cell) & 1) != 0;
}

static inline bool field_is_full(const Field *field)
{
    return field->state.count == field->cells;
}

// The cells of a row on which a stone may be placed now.
static inline uint64_t field_legal_row(const Field *field, unsigned row)
{
    uint64_t empty = field_empty_row(field, row);
    return field->rules.gravity && row > 0 ? empty & ~field_empty_row(field, row - 1) : empty;
}

// The key of the position: stones, side to move and stones left, as board_key.
static inline uint64_t field_key(const Field *field)
{
    uint64_t turn = (uint64_t)field->state.side << 32 | field->state.turn_left;
    return field->state.stones_key ^ turn * UINT64_C(0x9e6c63d0876a9a63);
}

// The distance in cells between neighbours in each direction: rows, columns, rising, falling diagonals.
extern const int field_step[4];

// The line of a cell in a direction (0 rows, 1 columns, 2 rising, 3 falling), and the place of the cell in it.
static inline unsigned field_line(const Field *field, Cell cell, unsigned direction)
{
    unsigned x = cell_column(cell), y = cell_row(cell);
    return direction == 0   ? y
           : direction == 1 ? field->column_lines + x
           : direction == 2 ? field->rising_lines + x - y
                            : field->falling_lines + x + y;
}

static inline unsigned field_place(Cell cell, unsigned direction)
{
    return direction == 1 ? cell_row(cell) : cell_column(cell);
}
