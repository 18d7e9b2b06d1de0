// Positions of games with scores as a NumPy archive (.npz): a zip file of arrays, without compression.
//
// One row per position in which the search chose a stone, in the order of the games:
//
//     board        uint8   (positions, height, width)   0 empty, 1 a stone of the side to move, 2 of the other side,
//                                                       3 outside of a smaller board; row 0 is at the bottom
//     stones_left  uint16  (positions)                  of the turn
//     score        int16   (positions)                  by the search, for the side to move: 200 times the logarithm of
//                                                       the odds of winning; from 23806 on a proven win
//     result       int8    (positions)                  of the game for the side to move: 1, 0 or -1
//     game         uint32  (positions)                  number of the game, from 0
#pragma once

#include "engine/train/scored_games.h"

typedef struct {
    uint64_t positions;
    unsigned games;
} PositionsReport;

// Writes the positions of several files of games, which must be of the same family. Replaces the file when it is
// complete.
Status positions_write_npz(const ScoredGames *files, unsigned count, const char *path, PositionsReport *report,
                           Error *error);
