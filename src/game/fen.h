// A position in one line, for protocols: rows from the top separated by '/', X and O, numbers for runs of empty cells,
// then the side to move and the stones left in its turn: "3/1X1/3 O 1".
#pragma once

#include "game/game.h"

// Accepts the same positions as a diagram with a turn line. Errors give row and place.
Status fen_read(Span text, const Rules *rules, Game *game, Error *error);

void fen_write(const Board *board, Text *text);
