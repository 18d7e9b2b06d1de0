// Weights of the evaluation: what the line patterns of a cell are worth, for a family of rules (k, p, exact, gravity).
//
// A position is worth, for the side to move, the sum over empty cells of what the line patterns there are worth for it,
// less the same for the other side, and what the situation is worth: which kinds of cells (engine/eval/pattern_board.h)
// there are at all. The unit is such that WEIGHTS_UNIT more make the odds of winning e times as good.
//
// Families that were tuned (`krow tune`, docs/tuning.md) have their weights in data/weights, compiled into the program;
// others have a formula that is built from the line patterns.
//
// Weights as text, # begins a comment line:
//
//     version 1
//     family k=6,p=2              (k=K[,p=P][,gravity][,exact])
//     shapes 13                   (how many line patterns there are; weights for other line patterns mean nothing)
//     source 3000 games of ...    (where they come from; any number of lines)
//     code b510 123               (the line patterns of the four directions, the largest first, as hexadecimal digits)
//     situation 45/3 -20          (kinds of cells that the side to move has, and the other side; - for none)
//     move b510 300 210           (for ordering: for the side whose line patterns they are, and for the other)
//
// What is not named is as the formula has it.
#pragma once

#include "engine/eval/line_patterns.h"

enum {
    WEIGHTS_VERSION = 1,
    WEIGHTS_UNIT = 200,
    WEIGHTS_KINDS = 6, // of cells, for each side
    WEIGHTS_SITUATIONS = 1 << 2 * WEIGHTS_KINDS,
    // Ways to put four line patterns on a cell whatever the order of directions: C(16 + 3, 4).
    WEIGHTS_CODES = 3876,
    WEIGHTS_VALUE_MAX = 4000, // of one cell or situation
    WEIGHTS_MOVE_MAX = 15000,
    WEIGHTS_FAMILY_SIZE = 40, // room for weights_family
};

// How good it is to play on a cell, for ordering: for the side whose line patterns they are, and for the other, which
// takes the cell from it.
typedef struct {
    int16_t own, block;
} WeightsMove;

typedef struct {
    int16_t code[WEIGHTS_CODES];           // by weights_unordered
    int16_t situation[WEIGHTS_SITUATIONS]; // by pattern_board_situation
    WeightsMove move[WEIGHTS_CODES];       // by weights_unordered
} Weights;

// The number of four line patterns without regard to order; the code has four bits a direction.
unsigned weights_unordered(unsigned code);

// The sorted codes, which stand for all in any order: the first is 0, after it comes the next one; 0 after the last.
unsigned weights_next_code(unsigned code);

// The formula: what is worth more the nearer it is to a row and the harder to stop.
void weights_formula(Weights *weights, const LinePatterns *line_patterns);

// The tuned weights of the family of these rules, if there are any, else the formula. Says which.
bool weights_find(Weights *weights, const LinePatterns *line_patterns, const Rules *rules);

// --- Text ---

// "k=6,p=2": all that weights know of rules.
void weights_family(const Rules *rules, char text[WEIGHTS_FAMILY_SIZE]);

// Reads weights, which must be for the family of these rules. Errors name the line.
Status weights_parse(Weights *weights, const LinePatterns *line_patterns, const Rules *rules, Span text, Error *error);

// Writes what differs from the formula. `source` are lines of text, which may be empty.
void weights_format(const Weights *weights, const LinePatterns *line_patterns, const Rules *rules, Span source,
                    Text *text);

// Weights by name: "" are those of the family (weights_find), "none" is the formula, all else is a file.
Status weights_read(Weights *weights, const char *name, const Rules *rules, Error *error);
