// The rules of a game of the family Connect(m,n,k,p,q), with or without gravity, and their notation.
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RULES_SIDE_MAX = 64, // longest side of a board
    RULES_CELLS_MAX = RULES_SIDE_MAX * RULES_SIDE_MAX,
    RULES_TEXT_SIZE = 64, // room for rules_format
};

typedef struct {
    uint8_t width;  // columns, 1 to 64
    uint8_t height; // rows, 1 to 64
    uint8_t k;      // stones in a row that win
    uint16_t p;     // stones per turn
    uint16_t q;     // stones of the first turn
    bool gravity;   // stones fall to the lowest empty cell of their column
    bool exact;     // a row of more than k stones does not win
} Rules;

typedef struct {
    const char *name;
    const char *text; // the canonical specification
    const char *about;
} RulesPreset;

extern const RulesPreset rules_presets[];
extern const int rules_preset_count;

// Whether the rules are valid; the error names the wrong number and the valid range.
Status rules_check(const Rules *rules, Error *error);

// Parses the name of a preset, or WxH:k=K[,p=P][,q=Q][,gravity][,exact]. The error gives the word and its place.
Status rules_parse(Span text, Rules *rules, Error *error);

// The canonical text; p and q appear unless both are 1.
void rules_format(const Rules *rules, char text[RULES_TEXT_SIZE]);

bool rules_equal(const Rules *a, const Rules *b);

static inline unsigned rules_cells(const Rules *rules)
{
    return (unsigned)rules->width * rules->height;
}

// Whether a column and a row, possibly beyond the edges, are on the board.
static inline bool rules_have_cell(const Rules *rules, int column, int row)
{
    return column >= 0 && row >= 0 && column < rules->width && row < rules->height;
}
