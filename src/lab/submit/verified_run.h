// Games of workers that are verified: a sample is played again by other workers, and games count when that is done.
#pragma once

#include "lab/submit/lab_workers.h"

// Submits the missing games of `run` as a job, or finds its unfinished job; `id` is 0 if no game is missing.
typedef Status LabSubmit(MatchRun *run, const LabWorkers *how, int64_t *id, bool *is_found, Error *error);

// Submits the missing games only.
Status verified_submit(MatchRun *run, const LabWorkers *how, LabSubmit *submit, Error *error);

// Plays the missing games, verifies the workers, and counts all games at the end. STATUS_INTERRUPTED if `stop` was
// raised: the workers continue.
Status verified_play(MatchRun *run, const LabWorkers *how, LabSubmit *submit, Error *error);
