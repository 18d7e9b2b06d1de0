// Cells and games as text: h8, aa12; "h8 i9, j10"; for gravity also columns, "4453" or "dd ec".
//
// Column letters go a to z, then aa, ab, … bl; row 1 is at the bottom. Letters are read in either case and written
// small.
#pragma once

#include "game/game.h"

enum { CELL_TEXT_SIZE = 8 };

void cell_format(Cell cell, char text[CELL_TEXT_SIZE]);

// Adds cells with a text between them.
void cell_write_list(Text *text, const Cell *cells, unsigned count, const char *between);
void column_format(unsigned column, char text[CELL_TEXT_SIZE]);

// Parses a cell. The error quotes the word and gives the range of cells.
Status cell_parse(Span word, const Rules *rules, Cell *cell, Error *error);

// Plays the stones of a text. After an error the stones before the wrong word have been played; the error gives the
// word, its place, and what is valid.
Status game_read(Game *game, Span text, Error *error);

// Writes the stones played, separated by blanks, for game_read.
void game_write(const Game *game, Text *text);
