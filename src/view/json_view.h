// JSON views that the command line and the web board share, and numbers and words as people read them.
#pragma once

#include "agents/agent.h"
#include "agents/book/book.h"
#include "game/game.h"

#include <jansson.h>

json_t *view_rules(const Rules *rules);                // "15x15:k=5"
json_t *view_cells(const Cell *cells, unsigned count); // ["h8", …]

// An opening book: what it is for, and `more` about it, which is taken.
json_t *view_book(const BookSpec *spec, json_t *more);

// An option of an agent: its name, type, default, help and limits. The caller chooses the words `type` and `help_key`,
// and `most`, the largest number it allows.
json_t *view_option(const AgentOption *option, const OptionValue *fallback, const char *type, const char *help_key,
                    double most);

// Adds the names of cells with `between` between them: h8 i9.
void view_add_cells(Text *text, const Cell *cells, unsigned count, const char *between);

// The board as a list of rows, top row first, as in a diagram without blanks.
json_t *view_rows(const Board *board);

// Everything `krow show --json` says about a position.
json_t *view_position(const Game *game);

// "win in 7", "draw", or "" if nothing is proven.
void view_proven(const Decision *decision, char *text, size_t size);

// A small number in words: no, one, … twelve, 13.
typedef struct {
    char text[16];
} NumberWord;

NumberWord view_number_word(unsigned number);

// Adds what wins, on which board, and how many stones a turn has: "Five in a row wins on 15 × 15. One stone a turn."
void view_rules_words(const Rules *rules, Text *text);

// The s of "turns", or nothing for one turn.
const char *view_plural(uint64_t count);

// A number with separators: 12 345 678.
const char *view_number(uint64_t number, char text[32]);

// A moment of clock_unix_ms in local time: 2024-05-31 18:07; "" if unknown.
const char *view_date(int64_t ms, char text[32]);

// An untrusted text of the database: replaces invalid UTF-8 and cuts very long texts.
json_t *view_text(const char *text);
