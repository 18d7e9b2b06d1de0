// Detection of chains before a search (Vasilchenko and Johnson, section 1a; the agents of Sarhan et al. in its related
// work): the cells that complete an own three, block a three of the opponent, or extend or block a two.
//
// In other games a three is a chain that becomes k in a row within a turn, and a two lacks one stone more: k - 1 and
// k - 2 stones with one stone per turn, k - p and k - p - 1 with p. For own chains the stones left in the turn count.
//
// Where the paper is silent:
// - Each cell is listed once, however many chains end there: "all columns where a legal move would …" are a set.
// - A two needs no room for k in a row.
#pragma once

#include "papers/connect5/chains.h"

// The step that found cells, in the paper's order of priority from last to first.
typedef enum { DETECTION_NOTHING, DETECTION_TWO, DETECTION_BLOCK, DETECTION_WIN } DetectionStep;

typedef struct {
    bool twos; // also extend and block twos
    bool gaps; // threes need not be consecutive ("Indirect Actions"); twos always are
} DetectionStyle;

// The legal cells of the first step that has any, for the side to move.
DetectionStep detection_find(const DetectionStyle *style, const Board *board, ChainCells *cells);

// The cells of each step.
void detection_wins(const Board *board, bool gaps, ChainCells *cells);
void detection_blocks(const Board *board, bool gaps, ChainCells *cells);
void detection_twos(const Board *board, ChainCells *cells);
