// Boards as text for people: coordinates around, the last turn marked, the winning row shown.
#pragma once

#include "game/game.h"

#include <stdio.h>

typedef struct {
    bool colours;
    unsigned columns; // of the terminal; a board too wide for it is drawn closer. 0: any
} DrawStyle;

// The style for stdout as it is now: colours or not, and how wide the window is.
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

// The same with numbers. Where there is no room for two digits, letters stand for them, and a line below says which.
void draw_numbered(const Game *game, const DrawNumbers *numbers, DrawStyle style, FILE *out);

// One line about whose turn it is, or how the game ended.
void draw_state(const Game *game, FILE *out);
