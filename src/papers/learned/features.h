// Features of a stone on a cell, for agents that learn: what the position after the stone looks like to the side that
// placed it, and what the stone builds or blocks. They come from the agents Sequences and Threats of Levin et al.
//
//   windows    own and opposing windows with n stones of one side only, for n = 1 to k - 1, after the stone
//   threats    threats by marks of both sides after the stone; whether a row can be completed in this turn, or by the
//              opponent in the next one
//   builds     generalised threats of the cell by tier, own and opposing, and whether a tier occurs twice
//   place      nearness to the centre; stones of both sides next to the cell
//   rows       under gravity: windows that lack one stone, by the parity of the row of that stone. The first side
//              profits from odd rows, the second from even ones.
//
// Weights differ by stage: 0, 1, or at least 2 stones of the turn are left after the stone.
#pragma once

#include "papers/levin/generalised.h"
#include "papers/levin/sequences.h"

enum {
    FEATURES_STAGES = 3,
    FEATURES_THREATS = 4, // larger numbers of threats count as 4
    FEATURES_FIXED = 12 + 2 * FEATURES_THREATS,
    FEATURES_GROUPS = 6, // of k - 1 features each
    FEATURES_MAX = FEATURES_FIXED + FEATURES_GROUPS * RULES_SIDE_MAX,
    FEATURES_NAME_SIZE = 32,
};

typedef struct {
    unsigned stage;
    bool wins; // the stone completes a row; then there are no values
    float value[FEATURES_MAX];
} FeatureVector;

// The facts about a position that all of its cells share.
typedef struct {
    unsigned count; // of features
    GeneralisedStyle style;
    Sequences now;
    Generalised threats;
    int windows[2][RULES_SIDE_MAX + 1]; // with n stones of one side only
    unsigned number_of_threats[2];
    unsigned needed[2]; // stones to complete a row; p + 1 stands for more than p
} Features;

// The number of features for rules with this k.
unsigned features_count(unsigned k);

// `windows` is the reading of generalised threats from which the builds come: weights hold for one reading only.
void features_init(Features *features, const Rules *rules, GeneralisedWindows windows);

// Reads a position; before features_of.
void features_read(Features *features, const Board *board);

// The features of a stone of the side to move on an empty cell of that position.
void features_of(Features *features, const Board *board, Cell cell, FeatureVector *vector);

// The name of a feature in files of weights, such as own3 or winning.
void features_name(unsigned feature, unsigned k, char name[FEATURES_NAME_SIZE]);

// Cells worth rating: all legal ones under gravity, otherwise those within two steps of a stone, or those nearest to
// the centre if there are none. Returns how many.
unsigned features_candidates(const Board *board, Cell cells[RULES_CELLS_MAX]);
