// An SGF game between its syntax (format_sgf.c) and its meaning (format_sgf_game.c).
#pragma once

#include "store/formats/formats_internal.h"
#include "store/formats/sgf.h"

typedef struct {
    Span value; // as written, between the brackets
    bool white;
    size_t line;
} SgfPoint;

typedef struct {
    SgfPoint *list; // owned
    size_t count, capacity;
} SgfPoints;

typedef struct {
    FormatReader *reader;
    SgfCursor cursor;
    size_t depth;      // open parentheses
    bool main_is_over; // what follows in this game is variations
    uint32_t *opened;  // owned; stones before each parenthesis of the main line
    size_t opened_count, opened_capacity;
    const char *branch;  // where the variation begins that is being read; NULL for none
    size_t branch_depth; // parentheses around it
    SgfPoints moves, setup;
    Text node; // properties of the node that are kept
    bool is_root, has_move;
    int64_t node_ms;
    bool has_rules; // KR
    Span size;      // SZ
    size_t size_line;
    int player;    // PL: 'B', 'W', 0
    int64_t left;  // KL, 0 for none
    int64_t genre; // GM, 4 where it is not said
} Sgf;

// After the main line has been read: chooses the rules, sets the position up, and turns the points of the moves into
// stones of the reader's record. False when the game is damaged.
bool sgf_build_game(Sgf *sgf);
