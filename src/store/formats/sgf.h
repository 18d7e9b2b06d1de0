// The syntax of SGF, and functions for code that stores the variations of a game as SGF text (store/files/record.h).
// store/formats/format_sgf.c describes the points.
#pragma once

#include "game/game.h"

enum { SGF_IDENT_SIZE = 16 };

typedef struct {
    Span rest;
    size_t line; // of its first character
} SgfCursor;

// The next character, -1 at the end.
static inline int sgf_peek(const SgfCursor *cursor)
{
    return cursor->rest.length > 0 ? (unsigned char)cursor->rest.at[0] : -1;
}

// Skips one character; there must be one.
static inline void sgf_skip(SgfCursor *cursor)
{
    cursor->line += cursor->rest.at[0] == '\n';
    cursor->rest = (Span){cursor->rest.at + 1, cursor->rest.length - 1};
}

static inline bool sgf_is_letter(int c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

void sgf_skip_blanks(SgfCursor *cursor);

// Takes a value, whose opening bracket is next; a backslash escapes the character after it. False for an unclosed
// value, which then extends to the end.
bool sgf_take_value(SgfCursor *cursor, Span *value);

// Takes the name of a property and the blanks after it. Ignores small letters, which older versions of SGF allow. False
// for a name that is too long, which is then truncated.
bool sgf_take_ident(SgfCursor *cursor, char ident[SGF_IDENT_SIZE]);

// The cell of a point; false if the value is not a point of the board.
bool sgf_point(Span value, const Rules *rules, Cell *cell);

// The first value of a property of a node, with its escapes; false if the node does not have it.
bool sgf_property(Span properties, const char *ident, Span *value);

// Adds the properties of a node except this one.
void sgf_add_others(Span properties, const char *ident, Text *text);

// Adds a value without its escapes.
void sgf_add_plain(Span value, Text *text);

// Adds a property, escaping its value.
void sgf_add_property(Text *text, const char *ident, const char *value);

// Adds a node with a stone.
void sgf_add_stone(Text *text, const Rules *rules, Side side, Cell cell);

// Visits the nodes of variations, `(;B[aa];W[bb](;B[cc])(;B[dd]))`.
typedef struct {
    void *context;
    // A stone, with the other properties of its node. Returns false if it is illegal, to skip the following moves.
    bool (*stone)(void *context, Side side, Cell cell, Span properties);
    // Properties of a node without a stone, which belong to the last stone.
    void (*more)(void *context, Span properties);
    // Undoes this number of stones.
    void (*back)(void *context, unsigned stones);
} SgfVisitor;

// Text that is not SGF is skipped.
void sgf_walk(Span text, const Rules *rules, const SgfVisitor *visitor);
