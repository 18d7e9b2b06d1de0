// A match or tournament that workers play: its games are put up in the database, and counted as they come in.
#pragma once

#include "frontends/lab.h"

typedef struct {
    unsigned unit; // pairs of games in a unit; 0: as it suits the workers
    double lease;  // seconds without a turn after which a worker loses a unit; 0: by the limits of the games
} LabWorkers;

// Puts up what is missing, unless that was done before and goes on; does not wait for it.
Status lab_put_up(Lab *lab, const LabWorkers *how, Error *error);

// In the place of lab_run. Games are counted in the order of their numbers, so a SPRT ends at the same game as in one
// process; what is outstanding is then cancelled. STATUS_INTERRUPTED when `stop` was raised: the workers go on.
Status lab_run_by_workers(Lab *lab, const LabWorkers *how, Error *error);
