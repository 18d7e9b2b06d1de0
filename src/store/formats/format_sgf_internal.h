// An SGF game between syntax (format_sgf.c) and meaning (format_sgf_game.c).
#pragma once

#include "store/formats/formats_internal.h"
#include "store/formats/sgf.h"

typedef struct {
    Span value; // between the brackets
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
    bool main_is_over; // the rest of this game is variations
    uint32_t *opened;  // owned; number of stones before each parenthesis of the main line
    size_t opened_count, opened_capacity;
    const char *branch;  // start of the variation being read; NULL for none
    size_t branch_depth; // parentheses around it
    SgfPoints moves, setup;
    Text node; // properties of the current node that krow does not use
    bool is_root, has_move;
    int64_t node_ms;
    bool has_rules; // KR
    Span size;      // SZ
    size_t size_line;
    int player;    // PL: 'B', 'W', 0
    int64_t left;  // KL, 0 for none
    int64_t genre; // GM, default 4
} Sgf;

// Chooses the rules, sets up the position, and fills in the cells of the record's stones, after the main line was read.
// False for a damaged game.
bool sgf_build_game(Sgf *sgf);
