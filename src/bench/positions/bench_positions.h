// Positions of Connect6 with known wins: how many the double-threat search proves, how fast, and whether every claimed
// win holds in play.
//
// The file has one position per line, `ID SIDE RESULT TURN
// STONES`: any id, black or white to move, win_in_turns=N or another word if no win is known, a first turn or anything
// else, and the stones in order, separated by commas. Lines that begin with # are comments.
#pragma once

#include "base/status.h"

#include <stdatomic.h>
#include <stdint.h>

// What one of the two searches found.
typedef struct {
    unsigned found;      // of the known wins
    unsigned same_turns; // of these, in as many turns as the file says
    unsigned shorter;    // of these, in fewer
    unsigned more;       // found where no win was known
    unsigned refuted;    // claims that do not hold
    double median_ms;    // over the known wins, as the next
    double longest_ms;
    uint64_t nodes;
} BenchTally;

typedef struct {
    unsigned positions;
    unsigned wins;           // known
    BenchTally exact;        // the double-threat search
    unsigned singles;        // its wins, known or not, with turns that leave free stones
    unsigned none;           // positions where there is surely no win by double threats
    uint64_t checked;        // positions of the attacker played through
    unsigned unfinished;     // claims with free stones that have too many replies to be played through to the end
    BenchTally conservative; // the threat-space search of Liu and Lin, with its conservative defence
    unsigned open;           // its claims that the exact search (bench/positions/claim.h) could not decide
} BenchPositions;

typedef struct {
    const char *path;
    double seconds;          // for each position and each of the two searches
    unsigned singles;        // turns in a line of the exact search that may leave free stones
    const atomic_bool *stop; // NULL: not interrupted
} BenchPositionsOptions;

Status bench_positions(const BenchPositionsOptions *options, BenchPositions *found, Error *error);
