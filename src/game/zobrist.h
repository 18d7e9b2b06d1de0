// A random number for each stone on each cell; the key of a position is the exclusive or of those of its stones.
#pragma once

#include "game/rules.h"

// [cell][side]. Written out at compile time from a fixed formula, so keys are the same in every build and may be kept
// in files and databases.
extern const uint64_t zobrist_stone[RULES_CELLS_MAX][2];
