// What a match reports about single games: a line for each on the screen, and the games as SGF.
#pragma once

#include "store/db/database.h"

typedef struct MatchRun MatchRun;

enum { MATCH_DATE_SIZE = 16 };

// The day of a moment, in milliseconds since 1970, as "2026-11-19" in UTC.
const char *match_date(int64_t moment, char text[MATCH_DATE_SIZE]);

// Notes a finished game: "game 3/100: A – B 1-0, k in a row, 23 stones".
void match_game_note(const MatchRun *run, const DatabaseGame *game);

// Keeps a game for report_sgf if run->keeps_sgf is set.
void match_game_keep(MatchRun *run, const DatabaseGame *game);

// All of a game that its seed and its number determine, as one line: two computations of the same game have equal
// texts. Without times, and without the details of a fault.
void match_game_outcome(const DatabaseGame *game, Text *text);

// A game with its players and, unless it has one, the day when it began; borrows from the game.
GameRecord match_game_record(const DatabaseGame *game);
