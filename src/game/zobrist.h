// A random number for each stone on each cell; the key of a position is the exclusive or over its stones.
#pragma once

#include "game/rules.h"

// [cell][side]. Computed at compile time from a fixed formula, so keys are the same in every build and may be stored.
extern const uint64_t zobrist_stone[RULES_CELLS_MAX][2];
