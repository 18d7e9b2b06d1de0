// JSON views that the command line and the web board share, and numbers and words as people read them.
#pragma once

#include "agents/agent.h"
#include "game/game.h"

#include <jansson.h>

json_t *output_cells(const Cell *cells, unsigned count); // ["h8", …]

// Adds the names of cells with `between` between them: h8 i9.
void output_add_cells(Text *text, const Cell *cells, unsigned count, const char *between);

// The board as a list of rows, top row first, as in a diagram without blanks.
json_t *output_rows(const Board *board);

// Who has won, "draw", or null before the end of the game.
json_t *output_winner(const Board *board);

// Everything `krow show --json` says about a position.
json_t *output_position(const Game *game);

// "win in 7", "draw", or "" where nothing is proven.
void output_proven(const Decision *decision, char *text, size_t size);

// The s of "turns", or nothing for one turn.
const char *output_plural(uint64_t count);

// A large number as people read it: 12 345 678.
const char *output_number(uint64_t number, char text[32]);

// A text of others, as the database has it: whatever is no UTF-8 is replaced, and a very long one cut.
json_t *output_text(const char *text);
