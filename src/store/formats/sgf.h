// Parts of SGF text, for code that keeps the variations of a game (store/files/record.h has them as text): reads and
// writes stones and properties. store/formats/format_sgf.c describes the points.
#pragma once

#include "game/game.h"

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
