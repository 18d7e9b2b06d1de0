// Results of random games, kept by the position they passed through: what Levin et al. §6 suggest to make Monte Carlo
// cheaper. A random game from a position is also one from every position on its way, so the first stones of each game
// leave results behind that later turns need not play for.
//
// The memory is bounded: a position has one place, and takes it from another only if that one can not be reached any
// more, or has no more results than the newcomer.
#pragma once

#include "base/status.h"
#include "game/board.h"

// What is known of a position: games played, and how many each side won.
typedef struct {
    uint32_t games;
    uint32_t wins[2];
} PlayoutSample;

typedef struct {
    uint64_t key;
    PlayoutSample sample;
    uint32_t age; // of the store when it was put there
    uint16_t stones;
} SampleEntry;

typedef struct {
    SampleEntry *entries;
    uint64_t mask; // number of entries, a power of two, less 1
    uint32_t age;
} Samples;

// As many entries as go into these bytes, at least one.
Status samples_open(Samples *samples, size_t bytes, Error *error);

// What is known of a position with this key; nothing is a PlayoutSample of zeros.
PlayoutSample samples_find(const Samples *samples, uint64_t key);

// Adds results to those of a position with that many stones. `now` are the stones of the board that is thought about:
// positions with no more than that are past.
void samples_add(Samples *samples, uint64_t key, unsigned stones, unsigned now, PlayoutSample results);

// Forgets everything.
void samples_clear(Samples *samples);

// Safe on zeroed ones.
void samples_close(Samples *samples);
