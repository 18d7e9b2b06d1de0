// Boards as text for people: coordinates around, the last turn marked, the winning row shown.
#pragma once

#include "rules/game.h"

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

// One line about whose turn it is, or how the game ended.
void draw_state(const Game *game, FILE *out);
