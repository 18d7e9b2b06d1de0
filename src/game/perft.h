// Perft, the count of stone sequences: the standard check of the rules, and a measure of speed.
#pragma once

#include "game/board.h"

#include <stdatomic.h>

enum { PERFT_DEPTH_MAX = 64 };

typedef struct {
    uint64_t counts[PERFT_DEPTH_MAX + 1]; // [d]: sequences of d stones, without those that ended earlier
    uint64_t wins[PERFT_DEPTH_MAX + 1];   // of these, those whose last stone wins
    uint64_t key_sum;                     // sum of the keys of all leaves, so that every leaf is really played
} Perft;

// Counts sequences of up to `depth` stones (0 to 64); every stone is played and taken back. False if `stop` was raised;
// then the counts are partial. The board is unchanged afterwards.
bool perft_run(Board *board, unsigned depth, const atomic_bool *stop, Perft *perft);
