// A game as read from a file: the rules, the players, the stones in order with their times, the result.
//
// A record is legal only after record_check. Cells are those of the board: column 0 is left, row 0 is at the bottom;
// each format converts its own orientation.
#pragma once

#include "base/utf8.h"
#include "store/files/gamefile.h"

enum { RECORD_MS_UNKNOWN = -1, RECORD_VARIATIONS_MAX = 10000 };

typedef struct {
    Cell cell;
    int32_t ms;    // milliseconds it took, or RECORD_MS_UNKNOWN
    uint32_t line; // in the file it was read from, 0 for none
    uint32_t kept; // length of the record's `kept` when the stone was added
} RecordStone;

// A variation: SGF text such as (;W[bb];B[cc]), not checked for legality.
typedef struct {
    uint32_t after;      // stones of the game before it
    uint32_t begin, end; // in the record's `branches`
} RecordVariation;

// Zeroed is empty. Texts are clean UTF-8 without control characters (record_set_text), "" if unknown.
typedef struct {
    Rules rules;
    char first[GAMEFILE_NAME_SIZE];
    char second[GAMEFILE_NAME_SIZE];
    char event[GAMEFILE_NAME_SIZE];
    char date[GAMEFILE_WORD_SIZE];
    char reason[GAMEFILE_WORD_SIZE]; // why the game ended, if the board does not show it
    Result result;
    Board *setup;        // owned; the position before the first stone, NULL for the empty board
    RecordStone *stones; // owned
    unsigned count;
    size_t capacity;
    Text branches;               // the text of all variations
    RecordVariation *variations; // owned; in the order of output
    unsigned variation_count;
    size_t variation_capacity;
    Text kept; // SGF properties that krow does not use, unchanged: first those of the root, then those after each stone
} GameRecord;

void record_close(GameRecord *record);

// Empties a record for the next game and keeps its memory for reuse.
void record_clear(GameRecord *record);

#define record_set_text(field, span) utf8_clean((span), (field), sizeof(field))

// Adds a stone; fails after RULES_CELLS_MAX stones.
Status record_add(GameRecord *record, RecordStone stone, Error *error);

// Copies the position before the first stone.
void record_set_up(GameRecord *record, const Board *board);

// Fills a zeroed record from a game: rules, set-up position, stones and the board's result; times are unknown.
Status record_from_game(GameRecord *record, const Game *game, Error *error);

// Plays the stones on `game`, up to an illegal one; `stone` (if not NULL) is then its index.
Status record_replay(const GameRecord *record, Game *game, unsigned *stone, Error *error);

// Replays the stones and compares the result: one that the board decides must be equal, and is filled in if unknown.
// `stone` is the number of stones if the result is wrong.
Status record_check(GameRecord *record, Game *game, unsigned *stone, Error *error);

// Adds a variation after `after` stones of the game.
Status record_add_variation(GameRecord *record, unsigned after, Span text, Error *error);

static inline Span record_variation(const GameRecord *record, unsigned n)
{
    const RecordVariation *variation = &record->variations[n];
    return (Span){record->branches.data + variation->begin, variation->end - variation->begin};
}

// The SGF properties that follow the first `stones` stones (0: of the root).
Span record_kept(const GameRecord *record, unsigned stones);
