// A game as a small text file: a key and its value per line; # begins a comment line.
//
//     # krow game
//     game 19x19:k=6,p=2,q=1
//     first human
//     second adjacent
//     stones j10 k10 k11 …
//     result first        (or second, draw; absent for an unfinished game)
//     reason resigned     (if the board does not show it)
//     event, date         (if known)
//     times 120 - 3500    (milliseconds of each stone in order, - for unknown; later stones are unknown)
//
// A set-up position comes before the stones, a row per line, top row first: `row . . X O`, and `turn X 1`.
#pragma once

#include "game/game.h"
#include "match/outcome.h"

enum { GAMEFILE_NAME_SIZE = 256, GAMEFILE_WORD_SIZE = 64 };

typedef struct {
    char first[GAMEFILE_NAME_SIZE]; // players, as on the command line
    char second[GAMEFILE_NAME_SIZE];
    Game game;
    bool is_set_up; // the game began from the position in `setup`
    Board setup;
    Result result; // also if the board does not show it, as after a resignation
    char reason[GAMEFILE_WORD_SIZE];
    char event[GAMEFILE_NAME_SIZE];
    char date[GAMEFILE_WORD_SIZE];
    uint16_t timed;              // number of entries in `ms`
    int32_t ms[RULES_CELLS_MAX]; // milliseconds of each stone, -1 for unknown
} GameFile;

void gamefile_init(GameFile *file, const Game *start);

// Copies the position before the first stone; false if the game began from the empty board.
bool gamefile_set_up(const Game *game, Board *setup);

// Checks a result against that of the board if the game is over there, and fills it in if it is unknown.
Status gamefile_settle(Result *result, const Board *board, Error *error);

void gamefile_write(const GameFile *file, Text *text);

// Errors name the line.
Status gamefile_read(Span text, GameFile *file, Error *error);

// The same for a part of a larger text. `line_number` is that of its first line; after an error it is the line of the
// error, which the error's text does not name, or 0 if the error concerns the whole game.
Status gamefile_read_at(Span text, size_t *line_number, GameFile *file, Error *error);

// Only the owner can read the saved file.
Status gamefile_save(const GameFile *file, const char *path, Error *error);
Status gamefile_load(const char *path, GameFile *file, Error *error);
