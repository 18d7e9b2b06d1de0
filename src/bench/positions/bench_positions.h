// Positions of Connect6 with known wins: how many of them the double-threat search proves, how fast, and whether every
// win it claims holds when it is played through.
//
// The file has a position a line, `ID SIDE RESULT TURN | STONES`: any id, black or white to move, win_in_turns=N or
// another word where no win is known, a first turn or anything else, and the stones in order, separated by commas.
// Lines that begin with # are remarks.
#pragma once

#include "base/status.h"

#include <stdatomic.h>
#include <stdint.h>

// The same for the threat-space search of Liu and Lin, with its conservative defence. What it claims is held against
// the exact search (bench/positions/claim.h).
typedef struct {
    unsigned found;      // of the known wins
    unsigned same_turns; // of these, in as many turns as the file says
    unsigned more;       // found where no win was known
    unsigned refuted;    // claims
    unsigned open;       // claims
    double median_ms;    // over the known wins, as the next
    double longest_ms;
    uint64_t nodes;
} BenchConservative;

typedef struct {
    unsigned positions;
    unsigned wins;       // known
    unsigned proven;     // of these
    unsigned same_turns; // of these, in as many turns as the file says
    unsigned shorter;    // of these, in fewer
    unsigned more;       // proven where no win was known
    unsigned singles;    // proven, of either kind, with turns that leave free stones
    unsigned none;       // positions, of either kind, where there is surely no win by double threats
    unsigned refuted;    // claims that do not hold
    double median_ms;    // over the known wins, as the next
    double longest_ms;
    uint64_t nodes;
    uint64_t checked;    // positions of the attacker played through
    unsigned unfinished; // claims with free stones that have too many replies to be played through to the end
    BenchConservative conservative;
} BenchPositions;

typedef struct {
    const char *path;
    double seconds;          // for each position and each of the two searches
    unsigned singles;        // turns in a line of the exact search that may leave free stones
    const atomic_bool *stop; // NULL: not interrupted
} BenchPositionsOptions;

Status bench_positions(const BenchPositionsOptions *options, BenchPositions *found, Error *error);
