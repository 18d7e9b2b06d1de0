// Pieces of SGF text, for those who keep variations of a game (store/record.h has them as text): stones and properties
// in and out. Points are as store/format_sgf.c says.
#pragma once

#include "rules/game.h"

// A point of a board; false where it is none.
bool sgf_point(Span value, const Rules *rules, Cell *cell);

// The first value of a property among those of a node, as written; false where there is none.
bool sgf_property(Span properties, const char *ident, Span *value);

// Adds the properties of a node without those of this name.
void sgf_add_others(Span properties, const char *ident, Text *text);

// Adds a value without its escapes, lines as they are.
void sgf_add_plain(Span value, Text *text);

// Adds a property, with the escapes it needs.
void sgf_add_property(Text *text, const char *ident, const char *value);

// Adds a node with a stone.
void sgf_add_stone(Text *text, const Rules *rules, Side side, Cell cell);

// Those who walk through variations, `(;B[aa];W[bb](;B[cc])(;B[dd]))`.
typedef struct {
    void *context;
    // A stone after the one told last, with the rest of its node as written. False: it cannot stand there, and what
    // follows it is left out.
    bool (*stone)(void *context, Side side, Cell cell, Span properties);
    // Properties of a node without a stone, which belong to the stone told last.
    void (*more)(void *context, Span properties);
    // Goes back so many stones.
    void (*back)(void *context, unsigned stones);
} SgfVisitor;

// Fails where memory runs out; what is no SGF is passed over.
Status sgf_walk(Span text, const Rules *rules, const SgfVisitor *visitor, Error *error);
