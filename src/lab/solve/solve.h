// The exact values of a position and of its cells; and of many positions, one per line.
#pragma once

#include "lab/lab_workers.h"
#include "solver/exact.h"

#include <jansson.h>

// How positions are solved.
typedef struct {
    bool weak;               // only who wins, not how soon
    Budget budget;           // for each position; 0: no limit
    unsigned threads;        // for one position; 0: 1
    unsigned memory;         // megabytes; 0: the default
    const char *proof;       // file for a proof of the value; NULL: none
    Reporter *reporter;      // NULL: nothing is shown
    const atomic_bool *stop; // ends the search when raised; NULL: it cannot be stopped
} SolveOptions;

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

// Opens a solver with these threads and this memory.
Status solve_open(const SolveOptions *options, const Rules *rules, Exact **exact, Error *error);

// The value of a position and of its cells, as far as the budget and `stop` allow.
Status solve_run(Solving *solving, Exact *exact, const SolveOptions *options, const Game *game, Error *error);

// Whether a cell is among the best, as far as is known: surely, that is.
bool solve_is_best(const Solving *solving, unsigned cell);

// "first", "second", "draw" or "unknown".
const char *solve_value(const Solving *solving);

json_t *solve_json(const Solving *solving);

// What the exact values of a position say, in a line or two, for a player: the score of every cell where
// there are scores, the best cells elsewhere. Looks for at most that many seconds, and says so if that was too little.
Status solve_say(const Game *game, double seconds, const atomic_bool *stop, Text *text, Error *error);

// Many positions.
typedef struct {
    SolveOptions each; // `stop` is not NULL
    const char *game;  // as the user named it, for the title of a job
    bool check;        // the last word of a line is the expected score
    bool workers;      // let workers of the database solve them
    LabWorkers how;    // if `workers`
    bool resumes;      // continue a job with the same positions
    const char *db;    // of the workers; NULL: the default database
    // Prints an answer, and a complaint if that is not NULL: a score that differs, a position that was set aside (then
    // without an answer).
    void (*tell)(const char *answer, const char *complaint);
} SolveBatchOptions;

// Reads one position per line from standard input and answers each with `position score`. STATUS_FAILED when scores
// differ from the expected ones.
Status solve_batch(const SolveBatchOptions *options, const Rules *rules, Error *error);

// Writes a proof of a known value to a file.
Status solve_prove(const Solving *solving, Exact *exact, const SolveOptions *options, Error *error);
