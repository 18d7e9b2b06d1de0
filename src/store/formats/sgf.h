// The syntax of SGF, and the parts of SGF text that code needs which keeps the variations of a game as text
// (store/files/record.h). store/formats/format_sgf.c describes the points.
#pragma once

#include "game/game.h"

// --- Syntax ---

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

// Takes a value, whose opening bracket is next; a backslash escapes the character after it. False when the value is not
// closed: it then extends to the end.
bool sgf_take_value(SgfCursor *cursor, Span *value);

// Takes the name of a property and the blanks after it. Small letters, allowed by older versions of SGF, do not count.
// False when the name is too long; it is then cut.
bool sgf_take_ident(SgfCursor *cursor, char ident[SGF_IDENT_SIZE]);

// --- Nodes and variations ---

// A point of a board; false for anything else.
bool sgf_point(Span value, const Rules *rules, Cell *cell);

// The first value of a property among those of a node, as written; false when the node has none.
bool sgf_property(Span properties, const char *ident, Span *value);

// Adds the properties of a node without those of this name.
void sgf_add_others(Span properties, const char *ident, Text *text);

// Adds a value without its escapes, lines as they are.
void sgf_add_plain(Span value, Text *text);

// Adds a property, with the escapes it needs.
void sgf_add_property(Text *text, const char *ident, const char *value);

// Adds a node with a stone.
void sgf_add_stone(Text *text, const Rules *rules, Side side, Cell cell);

// Visits the nodes of variations, `(;B[aa];W[bb](;B[cc])(;B[dd]))`.
typedef struct {
    void *context;
    // A stone after the last one, with the rest of its node as written. False: it is not legal, and the moves after it
    // are skipped.
    bool (*stone)(void *context, Side side, Cell cell, Span properties);
    // Properties of a node without a stone, which belong to the last stone.
    void (*more)(void *context, Span properties);
    // Takes back this number of stones.
    void (*back)(void *context, unsigned stones);
} SgfVisitor;

// Text that is not SGF is skipped.
void sgf_walk(Span text, const Rules *rules, const SgfVisitor *visitor);
