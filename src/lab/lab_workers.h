// A match or tournament that workers play: its games are submitted to the database, and counted as they arrive.
#pragma once

#include "lab/match_run.h"

typedef struct {
    unsigned unit;    // pairs of games in a unit; 0: as it suits the workers
    double lease;     // seconds without a turn after which a worker loses a unit; 0: by the limits of the games
    bool submit_only; // submit the work and do not wait for it
} LabWorkers;

// What is said when the user stops waiting for workers.
#define LAB_WORKERS_GO_ON "interrupted; the workers continue, and --resume waits for them again; see krow jobs"

// Plays the missing games: in this process, or by workers if run->by_workers. For workers they are submitted, unless an
// unfinished job has them already. Games are counted in the order of their numbers, so an SPRT ends at the same game as
// in one process; the other games are then cancelled. STATUS_INTERRUPTED when `stop` was raised: the workers continue.
Status lab_play(MatchRun *run, const LabWorkers *how, Error *error);
