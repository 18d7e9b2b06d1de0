// Weights of the evaluation: values of the line patterns of a cell, for a family of rules (k, p, exact, gravity).
//
// The value of a position for the side to move is the sum over empty cells of the values of its line patterns there,
// minus the same for the opponent, plus the value of the situation: which kinds of cells (engine/eval/pattern_board.h)
// exist. WEIGHTS_UNIT more multiplies the odds of winning by e.
//
// Tuned families (`krow tune`, docs/tuning.md) have their weights in data/weights, compiled into the program; others
// use a formula based on the line patterns.
//
// Weights as text; lines that begin with # are comments:
//
//     version 1
//     family k=6,p=2              (k=K[,p=P][,gravity][,exact])
//     shapes 13                   (number of line patterns; weights for another number are invalid)
//     source 3000 games of ...    (origin; any number of lines)
//     code b510 123               (the line patterns of the four directions, largest first, as hexadecimal digits)
//     situation 45/3 -20          (kinds of cells of the side to move, and of the other side; - for none)
//     move b510 300 210           (for ordering: for the owner of the line patterns, and for the other side)
//
// Entries that are missing have the value of the formula.
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

// The value of playing on a cell for move ordering: for the owner of the line patterns, and for the other side, which
// takes the cell away.
typedef struct {
    int16_t own, block;
} WeightsMove;

typedef struct {
    int16_t code[WEIGHTS_CODES];           // by weights_unordered
    int16_t situation[WEIGHTS_SITUATIONS]; // by pattern_board_situation
    WeightsMove move[WEIGHTS_CODES];       // by weights_unordered
} Weights;

// The number of four line patterns in any order; the code has four bits per direction.
unsigned weights_unordered(unsigned code);

// Iterates over the sorted codes, which represent all orders: the first is 0; returns the next one, 0 after the last.
unsigned weights_next_code(unsigned code);

// The formula: patterns are worth more the closer they are to a row and the harder to stop.
void weights_formula(Weights *weights, const LinePatterns *line_patterns);

// The tuned weights of the family of these rules (true), or the formula (false).
bool weights_find(Weights *weights, const LinePatterns *line_patterns, const Rules *rules);

// "k=6,p=2": the part of the rules that weights depend on.
void weights_family(const Rules *rules, char text[WEIGHTS_FAMILY_SIZE]);

// Parses weights, which must be for the family of these rules. Errors give the line.
Status weights_parse(Weights *weights, const LinePatterns *line_patterns, const Rules *rules, Span text, Error *error);

// Writes the differences from the formula. `source` has lines of text and may be empty.
void weights_format(const Weights *weights, const LinePatterns *line_patterns, const Rules *rules, Span source,
                    Text *text);

// Reads weights by name: "" is the family's (weights_find), "none" the formula, anything else a file.
Status weights_read(Weights *weights, const char *name, const Rules *rules, Error *error);
