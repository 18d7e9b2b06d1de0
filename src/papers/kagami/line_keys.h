// Threats looked up in a table of patterns, as Liu and Lin do it ("A Defensive Strategy Combined with Threat-Space
// Search in Connect6", section IV.A): the 2k-1 cells of a line around a cell are a number to the base of 3, and a table
// has for each of these the number of threats that the stone in the middle makes in this direction. The numbers of all
// cells are followed stone by stone.
//
// A digit is 0 for an empty cell, 1 for a stone of the second side (white) and 2 for one of the first (black); the cell
// at the lower end of the line has the weight 1, the next one 3 and so on. The side that attacks is the one whose stone
// stands in the middle, and an empty middle makes nothing.
//
// Borders are opposing stones, so they are one thing to the one side and another to the other. A key is therefore kept
// without them, and with it the weights of its cells beyond the border, which never change: their sum times the digit
// of the opponent is added when the table is asked.
//
// The number of threats in one direction: how many stones the other side needs to stop all windows through the stone
// that the side could complete in its next turn. That is 0, 1 or 2, whatever k and p: of three such windows the middle
// one has no cell outside of the two others, so that two stones are enough for all. A complete row is no threat any
// more. Under `exact` a row that gets too long is no threat; only the cell just beyond the 2k-1 is not seen.
//
// The count of a turn is the sum over its stones and directions, with the paper's correction where two of them stand on
// one line. It is not exact, nor meant to be: threats that cross at an empty cell are two for the sum and one for the
// defender.
#pragma once

#include "base/status.h"
#include "threats/window_tally.h"

enum {
    LINE_KEYS_K_MAX = 8, // 3^15 bytes
    LINE_KEYS_DIRECTIONS = 4,
};

// Which sums of two stones on one line are corrected. The rules of section IV.A correct every sum. The text below them
// adds that "we only need to deal with the patterns which the sum of the threats is 2", that is p: a larger sum wins in
// any case. Its example (a) contradicts this, since there a sum of 4 is corrected to 2.
typedef enum {
    LINE_CORRECTION_TWO,    // in case 3b only a sum of p; in case 3a every sum, as in example (a); the default
    LINE_CORRECTION_ALL,    // every sum
    LINE_CORRECTION_STRICT, // in both cases only a sum of p, which takes a Live4 for four threats
} LineCorrection;

enum { LINE_CORRECTIONS = 3 };

typedef struct {
    unsigned k, p, width, height;
    LineCorrection correction; // of line_keys_turn and line_keys_pair; may be changed at any time
    uint32_t weight[2 * LINE_KEYS_K_MAX - 1];
    uint8_t *threats; // by key; owned
    uint32_t border[RULES_CELLS_MAX][LINE_KEYS_DIRECTIONS];
    uint32_t key[RULES_CELLS_MAX][LINE_KEYS_DIRECTIONS];
} LineKeys;

bool line_keys_suits(const Rules *rules);

// The table, and the keys of the empty board. The rules must suit.
Status line_keys_open(LineKeys *keys, const Rules *rules, Error *error);
void line_keys_close(LineKeys *keys); // safe on zeroed memory

// Takes over a position of the same rules.
void line_keys_set(LineKeys *keys, const Board *board);

// A stone comes, or goes again: 4 * (2k-2) + 4 keys at most.
void line_keys_put(LineKeys *keys, Cell cell, Side side);
void line_keys_take(LineKeys *keys, Cell cell, Side side);

static inline uint32_t line_keys_digit(Side side)
{
    return side == SIDE_FIRST ? 2 : 1;
}

// The threats that a stone of this side makes on an empty cell in a direction (0 row, 1 column, 2 rising, 3 falling),
// with another stone of the side on the cell of its line that has this weight.
static inline unsigned line_keys_seeing(const LineKeys *keys, Cell cell, unsigned direction, Side side, uint32_t weight)
{
    uint32_t own = (keys->weight[keys->k - 1] + weight) * line_keys_digit(side);
    uint32_t borders = keys->border[cell][direction] * (3 - line_keys_digit(side));
    return keys->threats[keys->key[cell][direction] + own + borders];
}

static inline unsigned line_keys_stone(const LineKeys *keys, Cell cell, unsigned direction, Side side)
{
    return line_keys_seeing(keys, cell, direction, side, 0);
}

// How two stones of a turn stand to each other: the cases of the paper's correction. Its distances, 6 and 11 for rows
// of six, are cells from one stone to the other with both of them counted. So two stones of case a can be in one
// window, those of case b cannot, but their windows meet, and those of case c are out of each other's sight; counted as
// differences, none of the limits would fall where something changes.
typedef enum {
    LINE_CASE_APART,   // 1: not on one line
    LINE_CASE_OPPOSED, // 2: on one line, opposing stones between them
    LINE_CASE_NEAR,    // 3a: within k cells
    LINE_CASE_MIDDLE,  // 3b: within 2k-1 cells
    LINE_CASE_FAR,     // 3c: further
} LineCase;

enum { LINE_CASES = 5 };

// The case of two empty cells, and the direction of their line unless they are apart.
LineCase line_keys_case(const Board *board, Cell a, Cell b, Side side, unsigned *direction);

// The threats of a turn, whose stones are neither on the board nor in the keys yet. The table is asked as if all of
// them were there. In the direction of a line that two of them share, the chosen correction applies: case a takes half
// of their sum, rounded up, because the threats of one stone alone exist in any case; case b subtracts one, but not
// below 0; the other cases change nothing. With more than two stones on a line, neighbours form groups by case a, whose
// mean is taken, rounded up, and case b applies to neighbouring groups.
unsigned line_keys_turn(const LineKeys *keys, const Board *board, const CellSet *turn, Side side);

// The same for two stones; `alone` is the sum of the threats that each of them makes alone in all directions.
unsigned line_keys_pair(const LineKeys *keys, const Board *board, Cell a, Cell b, Side side, unsigned alone);
