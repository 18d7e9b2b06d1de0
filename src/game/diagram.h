// Positions drawn as text: top row first, `.` empty, X first player, O second, blanks optional, and an optional last
// line "turn X 1" that says who moves and how many stones are left in the turn.
//
// Without a turn line the numbers of stones must be those of a game, and the turn follows from them. With one, any
// stones may stand on the board (a study, a handicap); only floating stones and two winners are refused.
#pragma once

#include "game/game.h"

// Empty lines and lines that begin with # are passed over. Errors name the line and the column of the text.
Status diagram_read(Span text, const Rules *rules, Game *game, Error *error);

// What diagram_read reads, with a turn line.
void diagram_write(const Board *board, Text *text);
