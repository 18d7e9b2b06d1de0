// Counting stone sequences: the standard check that rules are right, and a measure of speed.
#pragma once

#include "game/board.h"

#include <stdatomic.h>

enum { PERFT_DEPTH_MAX = 64 };

typedef struct {
    uint64_t counts[PERFT_DEPTH_MAX + 1]; // [d]: sequences of d stones; those that ended earlier are not among them
    uint64_t wins[PERFT_DEPTH_MAX + 1];   // of these, those whose last stone wins
    uint64_t key_sum;                     // sum of the keys after the deepest stones: every leaf is really played
} Perft;

// Counts up to `depth` stones (0 to 64) from a position; every stone is played and taken back, none is counted in bulk.
// False when `stop` was raised on the way, then the counts are partial. The board is as before afterwards.
bool perft_run(Board *board, unsigned depth, const atomic_bool *stop, Perft *perft);
