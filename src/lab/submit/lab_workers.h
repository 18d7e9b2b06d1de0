// A match or tournament that workers play: its games are submitted to the database, and counted as they arrive.
#pragma once

#include "lab/match_run.h"

typedef struct {
    unsigned unit;    // pairs of games in a unit; 0: automatic
    double lease;     // seconds without a turn after which a worker loses a unit; 0: from the limits of the games
    double verify;    // share of the units that other workers play again
    bool submit_only; // submit the work and do not wait for it
} LabWorkers;

// The message when the user stops waiting for workers.
#define LAB_WORKERS_CONTINUE "interrupted; the workers continue, and --resume waits for them again; see krow jobs"

// Plays the missing games: in this process, or by workers if run->by_workers. For workers they are submitted, unless an
// unfinished job has them already. Games are counted in the order of their numbers, so an SPRT ends at the same game as
// in one process; the other games are then cancelled. STATUS_INTERRUPTED if `stop` was raised: the workers continue.
Status lab_play(MatchRun *run, const LabWorkers *how, Error *error);
