// The table of threat patterns of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6,
// section IV.A. The 2k-1 cells of a line around a cell form a number to the base 3, its key. For each key the table has
// the number of threats that the stone in the middle makes in this direction. Keys are updated with every stone.
//
// A digit is 0 for an empty cell, 1 for a stone of the second side (white) and 2 for one of the first (black). The cell
// at the lower end of the line has the weight 1, the next one 3 and so on. The attacker is the side of the stone in the
// middle; an empty middle makes no threats.
//
// Borders count as opposing stones, so their digit depends on the side. Keys are stored without them; the constant sum
// of the weights of the cells beyond the border, times the digit of the opponent, is added at each lookup.
//
// The number of threats in one direction is the number of stones that the defender needs to stop all windows through
// the stone that the attacker could complete in its next turn. It is 0, 1 or 2 for all k and p: of three such windows
// the middle one lies within the two others, so two stones stop all. A complete row is no threat. With `exact` a row
// that becomes too long is no threat, but the cell just beyond the 2k-1 is not examined.
//
// The count of a turn is the sum over its stones and directions, with the paper's correction if two stones share a
// line. It is not exact: threats of different lines that share an empty cell count twice, although one stone stops
// both.
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
    LINE_CORRECTION_ALL,    // every sum; the default
    LINE_CORRECTION_TWO,    // in case 3b only a sum of p; in case 3a every sum, as in example (a)
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

// Sets the keys to a position of the same rules.
void line_keys_set(LineKeys *keys, const Board *board);

// Adds or removes a stone; changes at most 4 * (2k-2) + 4 keys.
void line_keys_put(LineKeys *keys, Cell cell, Side side);
void line_keys_take(LineKeys *keys, Cell cell, Side side);

static inline uint32_t line_keys_digit(Side side)
{
    return side == SIDE_FIRST ? 2 : 1;
}

// The threats that a stone of this side would make on an empty cell in a direction (0 row, 1 column, 2 rising, 3
// falling), with another stone of the side on the cell of its line that has this weight.
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

// The cases of the paper's correction for two stones of a turn. Its distances, 6 and 11 for rows of six, count the
// cells from one stone to the other, including both. Two stones of case a can then be in one window; those of case b
// cannot, but their windows can overlap; those of case c are independent. Counted as differences, no limit would match
// these changes.
typedef enum {
    LINE_CASE_APART,   // 1: not on one line
    LINE_CASE_OPPOSED, // 2: on one line, opposing stones between them
    LINE_CASE_NEAR,    // 3a: within k cells
    LINE_CASE_MIDDLE,  // 3b: within 2k-1 cells
    LINE_CASE_FAR,     // 3c: further
} LineCase;

enum { LINE_CASES = 5 };

// The case of two empty cells, and the direction of their common line if there is one.
LineCase line_keys_case(const Board *board, Cell a, Cell b, Side side, unsigned *direction);

// The threats of a turn, whose stones are neither on the board nor in the keys yet. The table is asked as if all of
// them were there. In the direction of a line that two of them share, the chosen correction applies: case a takes half
// of their sum, rounded up, because the threats of one stone alone exist in any case; case b subtracts one, but not
// below 0; the other cases change nothing. With more than two stones on a line, neighbours form groups by case a, whose
// mean is taken, rounded up, and case b applies to neighbouring groups.
unsigned line_keys_turn(const LineKeys *keys, const Board *board, const CellSet *turn, Side side);

// The same for two stones; `alone` is the sum of the threats that each of them makes alone in all directions.
unsigned line_keys_pair(const LineKeys *keys, const Board *board, Cell a, Cell b, Side side, unsigned alone);
