// Results of random games, stored by position: what Levin et al. §6 suggest to make Monte Carlo cheaper. A random game
// from a position is also one from every position that it passes through, so the results of the first stones of each
// game can serve later turns.
//
// This saves little. With b legal cells, a random game passes through one given position s stones further with
// probability b^-s. The next comparison is one stone further within a turn, and two or more in the next own turn. So of
// n games for each candidate, about n / b serve the next stone of a turn of two (0.3 % on 19x19), n / b^2 the next turn
// with one stone per turn (2 % in Connect Four, nothing on large boards). Results of deeper positions are rarer still,
// and results of the opponent's turns would be, for the same reason.
//
// The memory is bounded: each position has one place, and replaces another one only if that one cannot be reached any
// more or has no more results than the new one.
#pragma once

#include "base/status.h"
#include "game/board.h"

// The results of a position: games played, and games won by each side.
typedef struct {
    uint32_t games;
    uint32_t wins[2];
} PlayoutSample;

typedef struct {
    uint64_t key;
    PlayoutSample sample;
    uint32_t age; // of the store when the entry was made
    uint16_t stones;
} SampleEntry;

typedef struct {
    SampleEntry *entries;
    uint64_t mask; // number of entries, a power of two, less 1
    uint32_t age;
} Samples;

// Opens a store of as many entries as fit into these bytes, at least one.
Status samples_open(Samples *samples, size_t bytes, Error *error);

// The results of the position with this key; zeros if there are none.
PlayoutSample samples_find(const Samples *samples, uint64_t key);

// Adds results to a position with `stones` stones. `now` is the number of stones on the current board: positions with
// no more than that are in the past.
void samples_add(Samples *samples, uint64_t key, unsigned stones, unsigned now, PlayoutSample results);

// Removes all results.
void samples_clear(Samples *samples);

// Safe on a zeroed store.
void samples_close(Samples *samples);
