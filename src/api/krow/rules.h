// Rules of the games Connect(m,n,k,p,q), with or without gravity.
#ifndef KROW_RULES_H
#define KROW_RULES_H

#include <krow/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KROW_SIDE_MAX = 64,                             // columns or rows of a board
    KROW_CELLS_MAX = KROW_SIDE_MAX * KROW_SIDE_MAX, // cells of a board
    KROW_RULES_TEXT_SIZE = 64,                      // buffer size for krow_rules_format
};

// Zero-initialise the struct if you fill it yourself: later versions may use the reserved bytes.
typedef struct {
    uint16_t width;  // columns, 1 to 64
    uint16_t height; // rows, 1 to 64
    uint16_t k;      // stones in a row that win
    uint16_t p;      // stones per turn
    uint16_t q;      // stones in the first turn
    bool gravity;    // stones fall to the lowest empty cell of their column
    bool exact;      // a row of more than k stones does not win
    uint8_t reserved[20];
} KrowRules;

// A named set of rules. The texts are in static storage.
typedef struct {
    const char *name;  // for example "gomoku"
    const char *text;  // for example "15x15:k=5"
    const char *about; // one line for people
} KrowPreset;

// Reads the name of a preset, or WxH:k=K[,p=P][,q=Q][,gravity][,exact].
KROW_API KrowStatus krow_rules_parse(const char *text, KrowRules *rules, KrowError *error);

// Checks that all fields are in range. Functions that take rules make this check themselves.
KROW_API KrowStatus krow_rules_check(const KrowRules *rules, KrowError *error);

// Writes the canonical text, which krow_rules_parse reads back.
KROW_API KrowStatus krow_rules_format(const KrowRules *rules, char text[KROW_RULES_TEXT_SIZE], KrowError *error);

KROW_API size_t krow_preset_count(void);

// The preset number `index`, from 0; false if there are not that many.
KROW_API bool krow_preset_at(size_t index, KrowPreset *preset);

#ifdef __cplusplus
}
#endif

#endif
