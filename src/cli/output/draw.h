// Boards as text, with coordinates, the last turn and the winning row.
#pragma once

#include "game/game.h"

#include <stdio.h>

typedef struct {
    bool colours;
    bool discs;       // red and yellow discs instead of X and O in games with gravity; needs colours and UTF-8
    unsigned columns; // of the terminal, which limits the gaps between cells; 0: no limit
} DrawStyle;

// The style for stdout: colours, discs and the width of the window.
DrawStyle draw_style(void);

// Draws the board. Stones of the last turn stand in parentheses, with colours also reversed; a winning row is drawn
// with colours underlined, and named in words below.
void draw_board(const Game *game, DrawStyle style, FILE *out);

// Turns that are not played yet, as numbers on the empty cells they would take: 1 is the first, 2 the answer to it.
typedef struct {
    uint8_t number[RULES_CELLS_MAX]; // 0: none
    uint8_t first, highest;          // first: number with which this board begins, if it continues another one; 0 is 1
    Side side;                       // of the odd numbers
} DrawNumbers;

void draw_number(DrawNumbers *numbers, Cell cell, unsigned number);

// The same with numbers. If two digits do not fit, letters replace them, and a line below lists them.
void draw_numbered(const Game *game, const DrawNumbers *numbers, DrawStyle style, FILE *out);

// One line about whose turn it is, or how the game ended.
void draw_state(const Game *game, FILE *out);
