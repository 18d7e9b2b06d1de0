// Cells and games as text: h8, aa12; "h8 i9, j10"; for gravity also columns, "4453" or "dd ec".
//
// Column letters go a to z, then aa, ab, … bl; row 1 is at the bottom. Letters are read in either case and written
// small.
#pragma once

#include "game/game.h"

enum { CELL_TEXT_SIZE = 8 };

void cell_format(Cell cell, char text[CELL_TEXT_SIZE]);
void column_format(unsigned column, char text[CELL_TEXT_SIZE]);

// A cell of a board of these rules. The error names the word and says which cells there are.
Status cell_parse(Span word, const Rules *rules, Cell *cell, Error *error);

// Plays the stones of a text on a game. On an error those before the offending word have been played; the error names
// the word, its place, and what would be right.
Status game_read(Game *game, Span text, Error *error);

// The stones played, separated by blanks: what game_read reads.
void game_write(const Game *game, Text *text);
