// Games with the scores of a search, from which networks are trained: a compact file that grows game by game.
//
// A file is a text header, an empty line, and the games. Numbers are little-endian.
//
//     krow scored games 1
//     rules 15x15:k=5             (of the family; games may have boards of other sizes)
//     source ...                  (origin; any number of lines)
//
// A game:
//
//     u8 width, u8 height
//     u8 result                   (0: the second side won, 1: a draw, 2: the first side won)
//     u8 0
//     u16 stones, u16 opening     (how many stones the game has; the first `opening` of them were not chosen)
//     u16 cell                    (for each stone: row * width + column, from the bottom left)
//     i16 score                   (for each stone: the score of the search for the side that places it: 200 times the
//                                 logarithm of the odds of winning; -32768: of the opening, or varied)
//     u32 checksum                (CRC-32 of the game up to here)
//
// A file that was cut off in the middle of a game, for example by a kill, is complete up to the game before.
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "game/board.h"

enum { SCORED_NONE = INT16_MIN, SCORED_VERSION = 1 };

typedef struct {
    uint8_t width, height;
    uint8_t doubled;         // the result for the first side, doubled: 0, 1 or 2
    uint16_t count, opening; // stones; those of the opening
    Cell stones[RULES_CELLS_MAX];
    int16_t scores[RULES_CELLS_MAX]; // in the unit of weights.h, for the side that places the stone; or SCORED_NONE
} ScoredGame;

// Games of a file in memory.
typedef struct {
    Rules rules;
    Text source;
    Text data;        // the games as in the file
    size_t *at;       // owned; where each game begins
    size_t capacity;  // of `at`
    unsigned count;   // games
    bool was_cut;     // the file ended within a game
    size_t file_size; // of the header and the complete games
} ScoredGames;

// Reads a file; a missing file is an error. Damage is reported with the number of the game.
Status scored_games_read(ScoredGames *games, const char *path, Error *error);

// The same for bytes in memory.
Status scored_games_parse(ScoredGames *games, Span content, Error *error);
void scored_games_close(ScoredGames *games); // safe on a zeroed one

// One of the games.
void scored_games_get(const ScoredGames *games, unsigned number, ScoredGame *game);

// The header of a file, and a game.
void scored_games_header(const Rules *rules, Span source, Text *text);
void scored_games_add(const ScoredGame *game, Text *text);

// Appends games to a file and flushes them to the disk. A file with `size` bytes of complete games is cut to this size
// first; 0 creates the file.
Status scored_games_append(const char *path, size_t size, Span games, Error *error);
