// Exact values: of one position with its cells, and of many positions, one per line.
#pragma once

#include "lab/submit/lab_workers.h"
#include "solver/exact.h"

#include <jansson.h>

// How positions are solved.
typedef struct {
    bool weak;               // only who wins, not how soon
    Budget budget;           // for each position; 0: no limit
    unsigned threads;        // for one position; 0: 1
    unsigned memory;         // megabytes; 0: the default
    const char *proof;       // file for a proof of the value; NULL: none
    Reporter *reporter;      // NULL: no output
    const atomic_bool *stop; // ends the search when raised; NULL: never
} SolveOptions;

// A solved position, or the bounds found.
typedef struct {
    const Game *game;
    bool has_scores;    // whether the values are scores
    ExactResult result; // for the side to move; for a finished game its result
    ExactCells cells;   // empty for a finished game
    uint64_t nodes;
    double seconds;
    bool interrupted;
} Solving;

// Opens a solver with these threads and this memory.
Status solve_open(const SolveOptions *options, const Rules *rules, Exact **exact, Error *error);

// Finds the value of a position and of its cells, within the budget.
Status solve_run(Solving *solving, Exact *exact, const SolveOptions *options, const Game *game, Error *error);

// Whether a cell is proven to be among the best.
bool solve_is_best(const Solving *solving, unsigned cell);

json_t *solve_json(const Solving *solving);

// Adds the exact values for a player: the score of every cell if there are scores, else the best cells. Searches at
// most this many seconds, and reports if that was too little.
Status solve_report(const Game *game, double seconds, const atomic_bool *stop, Text *text, Error *error);

// Many positions.
typedef struct {
    SolveOptions each; // `stop` is not NULL
    const char *game;  // as the user named it, for the title of a job
    bool check;        // the last word of a line is the expected score
    bool workers;      // workers of the database solve them
    LabWorkers how;    // if `workers`
    bool resumes;      // continue a job with the same positions
    const char *db;    // the workers' database; NULL: the default database
    // Prints an answer, and a complaint unless it is NULL: a score differs, or a position was set aside (without an
    // answer).
    void (*print)(const char *answer, const char *complaint);
} SolveBatchOptions;

// Reads one position per line from standard input and answers each with `position score`. STATUS_FAILED if scores
// differ from the expected ones.
Status solve_batch(const SolveBatchOptions *options, const Rules *rules, Error *error);

// Writes a proof of a known value to a file.
Status solve_prove(const Solving *solving, Exact *exact, const SolveOptions *options, Error *error);
