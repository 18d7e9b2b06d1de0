// JSON views that the command line and the web board share, and numbers and words as people read them.
#pragma once

#include "agents/agent.h"
#include "agents/book/book.h"
#include "game/game.h"

#include <jansson.h>

json_t *output_rules(const Rules *rules);                // "15x15:k=5"
json_t *output_cells(const Cell *cells, unsigned count); // ["h8", …]

// An opening book: what it is for, and `more` about it, which is taken.
json_t *output_book(const BookSpec *spec, json_t *more);

// An option of an agent: its name, type, default, help and limits. `type` and `help_key` are words of the caller, and
// `most` is the largest number it allows.
json_t *output_option(const AgentOption *option, const OptionValue *fallback, const char *type, const char *help_key,
                      double most);

// Adds the names of cells with `between` between them: h8 i9.
void output_add_cells(Text *text, const Cell *cells, unsigned count, const char *between);

// The board as a list of rows, top row first, as in a diagram without blanks.
json_t *output_rows(const Board *board);

// Everything `krow show --json` says about a position.
json_t *output_position(const Game *game);

// "win in 7", "draw", or "" where nothing is proven.
void output_proven(const Decision *decision, char *text, size_t size);

// A small number in words: no, one, … twelve, 13.
typedef struct {
    char text[16];
} NumberWord;

NumberWord output_number_word(unsigned number);

// The s of "turns", or nothing for one turn.
const char *output_plural(uint64_t count);

// A large number as people read it: 12 345 678.
const char *output_number(uint64_t number, char text[32]);

// A moment, as clock_unix_ms has it, in local time: 2024-05-31 18:07; "" where that is not known.
const char *output_date(int64_t ms, char text[32]);

// A text of others, as the database has it: whatever is no UTF-8 is replaced, and a very long one cut.
json_t *output_text(const char *text);
