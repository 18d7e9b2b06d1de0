// A game as read from a file: the rules, the players, the stones in order with their times, the result.
//
// A record is legal only after record_check. Cells are those of the board: column 0 left, row 0 at the bottom; each
// format turns its own orientation into this one.
#pragma once

#include "store/charset.h"
#include "store/files/gamefile.h"

enum { RECORD_MS_UNKNOWN = -1, RECORD_VARIATIONS_MAX = 10000 };

typedef struct {
    Cell cell;
    int32_t ms;    // milliseconds it took, or RECORD_MS_UNKNOWN
    uint32_t line; // of the file it was read from, 0 for none
    uint32_t kept; // length of the record's `kept` when the stone was added
} RecordStone;

// A variation: SGF text such as (;W[bb];B[cc]), not checked for legality.
typedef struct {
    uint32_t after;      // stones of the game before it
    uint32_t begin, end; // in the record's `branches`
} RecordVariation;

// Zeroed is empty. Texts are clean UTF-8 without control characters (record_set_text), "" where unknown.
typedef struct {
    Rules rules;
    char first[GAMEFILE_NAME_SIZE];
    char second[GAMEFILE_NAME_SIZE];
    char event[GAMEFILE_NAME_SIZE];
    char date[GAMEFILE_WORD_SIZE];
    char reason[GAMEFILE_WORD_SIZE]; // why the game ended, when the board does not show it
    Result result;
    Board *setup;        // owned; the position before the first stone, NULL for the empty board
    RecordStone *stones; // owned
    unsigned count;
    size_t capacity;
    Text branches;               // the text of all variations
    RecordVariation *variations; // owned; in the order in which they are to be written
    unsigned variation_count;
    size_t variation_capacity;
    Text kept; // SGF properties that krow does not use, unchanged: first those of the root, then those after each stone
} GameRecord;

void record_close(GameRecord *record);

// Empties a record for the next game; its memory stays for reuse.
void record_clear(GameRecord *record);

#define record_set_text(field, span) utf8_clean((span), (field), sizeof(field))

// Adds a stone; fails after 4096, the cells of the largest board.
Status record_add(GameRecord *record, RecordStone stone, Error *error);

// The position before the first stone: copies the board.
void record_set_up(GameRecord *record, const Board *board);

// A game that was played here: rules, set-up position, stones and the result of the board, times unknown.
Status record_from_game(GameRecord *record, const Game *game, Error *error);

// Plays the stones on `game`. On an error `stone` (if not NULL) is the index of the stone that is not legal, and those
// before it have been played.
Status record_replay(const GameRecord *record, Game *game, unsigned *stone, Error *error);

// Replays and compares the result: if the board decides it, it must be the same, and is filled in if it was unknown.
// `stone` is the number of stones when the result is wrong.
Status record_check(GameRecord *record, Game *game, unsigned *stone, Error *error);

// Adds a variation after `after` stones of the game.
Status record_add_variation(GameRecord *record, unsigned after, Span text, Error *error);

static inline Span record_variation(const GameRecord *record, unsigned n)
{
    const RecordVariation *variation = &record->variations[n];
    return (Span){record->branches.data + variation->begin, variation->end - variation->begin};
}

// The SGF text kept after the first `stones` stones (0: of the root).
Span record_kept(const GameRecord *record, unsigned stones);
