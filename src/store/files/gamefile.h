// A game as a small text file: a key and its value a line, # begins a comment.
//
//     # krow game
//     game 19x19:k=6,p=2,q=1
//     first human
//     second adjacent
//     stones j10 k10 k11 …
//     result first        (or second, draw; left out for an unfinished game)
//     reason resigned     (if the board does not show it)
//     event, date         (where they are known)
//     times 120 - 3500    (milliseconds of each stone in order, - unknown; stones after the last are unknown)
//
// A position that was set up stands before the stones, a row a line: `row . . X O`, top row first, and `turn X 1`.
#pragma once

#include "game/game.h"
#include "match/outcome.h"

enum { GAMEFILE_NAME_SIZE = 256, GAMEFILE_WORD_SIZE = 64 };

typedef struct {
    char first[GAMEFILE_NAME_SIZE]; // who plays, as on the command line
    char second[GAMEFILE_NAME_SIZE];
    Game game;
    bool is_set_up; // the game began from a position that was set up, kept in `setup`
    Board setup;
    Result result; // also if the board does not show it: resigned
    char reason[GAMEFILE_WORD_SIZE];
    char event[GAMEFILE_NAME_SIZE];
    char date[GAMEFILE_WORD_SIZE];
    uint16_t timed;              // how many stones have an entry in `ms`
    int32_t ms[RULES_CELLS_MAX]; // milliseconds a stone took, -1 unknown
} GameFile;

void gamefile_init(GameFile *file, const Game *start);

// Copies the position before the first stone; false if the game began from the empty board.
bool gamefile_set_up(const Game *game, Board *setup);

// Compares a result with that of the board if the game is over there, or fills it in if it is unknown.
Status gamefile_settle(Result *result, const Board *board, Error *error);

void gamefile_write(const GameFile *file, Text *text);

// Errors name the line.
Status gamefile_read(Span text, GameFile *file, Error *error);

// The same for a piece of a larger text. `line_number` is that of its first line; after an error it is the line the
// error is about, which the text then does not name, or 0 where the whole game is meant.
Status gamefile_read_at(Span text, size_t *line_number, GameFile *file, Error *error);

Status gamefile_save(const GameFile *file, const char *path, Error *error);
Status gamefile_load(const char *path, GameFile *file, Error *error);
