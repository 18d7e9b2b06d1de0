// What `krow solve` finds out about a position, before it is told; and many positions, a line each.
#pragma once

#include "frontends/args.h"
#include "search/exact.h"

#include <jansson.h>

// A position solved, or as much as was found out.
typedef struct {
    const Game *game;
    bool has_scores;    // of this game, by these options
    ExactResult result; // for the side to move; of a game that is over what it came to
    ExactCells cells;   // none where the game is over
    uint64_t nodes;
    double seconds;
    bool interrupted;
} Solving;

// Opens a solver as the arguments want it.
Status solving_open(const Args *args, const Rules *rules, Exact **exact, Error *error);

// The value of a position and of its cells, as far as --time, --nodes and Ctrl-C allow.
Status solving_run(Solving *solving, Exact *exact, const Args *args, const Game *game, Error *error);

// Whether a cell is among the best, as far as is known: surely, that is.
bool solving_is_best(const Solving *solving, unsigned cell);

// "first", "second", "draw" or "unknown".
const char *solving_value(const Solving *solving);

void solving_print(const Solving *solving);
json_t *solving_json(const Solving *solving);

// What the exact values of a position say, in a line or two, for somebody who plays: the score of every cell where
// there are scores, the best cells elsewhere. Looks for at most so many seconds, and says so if that was too little.
Status solving_say(const Game *game, double seconds, Text *text, Error *error);

// A position a line on standard input, answered by `position score`; with --check the last word of a line is the score
// that is expected, and STATUS_FAILED tells of differences.
Status solving_batch(const Args *args, const Rules *rules, Error *error);

// Writes a proof of a known value to a file.
Status solving_prove(const Solving *solving, Exact *exact, const Args *args, Error *error);
