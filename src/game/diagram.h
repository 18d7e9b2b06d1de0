// Positions as diagrams: top row first, `.` empty, X first player, O second, blanks optional, and an optional last line
// "turn X 1" with the side to move and the stones left in the turn.
//
// Without a turn line the numbers of stones must be those of a game, and the turn follows from them. With one, any
// stones are allowed (a study, a handicap) except floating stones and two winners.
#pragma once

#include "game/game.h"

// Empty lines and lines that begin with # are skipped. Errors give the line and the column.
Status diagram_read(Span text, const Rules *rules, Game *game, Error *error);

// Writes a diagram with a turn line, for diagram_read.
void diagram_write(const Board *board, Text *text);
