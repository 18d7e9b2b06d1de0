// Verification of workers. Units that are done are drawn at random, after they have been submitted, and computed again
// by a worker with another label; the program that submitted the job compares both results. Workers that submitted
// false results are put in quarantine: they get no units, and results of theirs that were not confirmed are computed
// again. Each function is one transaction, so that verification can stop and continue at any point.
#pragma once

#include "base/rng.h"
#include "store/db/jobs/database_jobs.h"

// --- Quarantine ---

typedef struct {
    const char *label, *reason; // of the workers; why
    int64_t since;
} DatabaseQuarantine;

typedef bool DatabaseQuarantineSink(void *context, const DatabaseQuarantine *quarantine);

// Units that workers with this label hold are requeued. `is_new` is false if they were in quarantine before.
Status database_quarantine(Database *db, const char *label, const char *reason, bool *is_new, Error *error);

// The same for all workers with the label of this one, which is filled in for people; STATUS_FAILED if there is no such
// worker.
enum { DATABASE_LABEL_SIZE = 128 };
Status database_quarantine_worker(Database *db, int64_t worker, const char *reason, char label[DATABASE_LABEL_SIZE],
                                  bool *is_new, Error *error);

Status database_lift_quarantine(Database *db, const char *label, bool *was_there, Error *error);
Status database_each_quarantine(Database *db, DatabaseQuarantineSink *sink, void *context, Error *error);

// Whether workers with this label are in quarantine, and why.
Status database_is_quarantined(Database *db, const char *label, char reason[ERROR_TEXT_SIZE], bool *found,
                               Error *error);

// --- Verification of a job ---

// Decides for all units that are done whether they are computed again, each with the probability `share`, and hands
// those out; a job that has ended is opened again. `drawn` is the number of units that were decided.
Status database_draw_units(Database *db, int64_t job, double share, Rng *rng, unsigned *drawn, Error *error);

// Discards the results of workers in quarantine that were not confirmed, in all jobs of the same match; those of this
// job are handed out again. What these workers have confirmed is drawn again. `games` is the number of results.
Status database_invalidate(Database *db, int64_t job, uint64_t *games, Error *error);

// Stops waiting for workers that verify if there is none for a unit: the caller computes it itself.
Status database_take_over_units(Database *db, int64_t job, Error *error);

// A unit that was computed again, or that no worker can compute again.
typedef struct {
    int64_t id; // 0: none
    unsigned first, games;
    int64_t worker; // 0: not known
} DatabasePendingUnit;

// The first one above the unit `after`.
Status database_pending_unit(Database *db, int64_t job, int64_t after, DatabasePendingUnit *unit, Error *error);

// What workers computed again, in the order of the numbers; with the worker. The sink may not use the database.
typedef bool DatabaseCheckSink(void *context, unsigned number, const char *answer, int64_t worker);
Status database_each_check(Database *db, int64_t unit, DatabaseCheckSink *sink, void *context, Error *error);

// Both results of a pending unit agree.
Status database_agree(Database *db, int64_t unit, Error *error);

// Hands out a unit again whose results are not all there; the others are discarded.
Status database_redo_unit(Database *db, int64_t job, const DatabasePendingUnit *unit, Error *error);

// The number of units that are done and neither confirmed nor left out.
Status database_count_unsettled(Database *db, int64_t job, int64_t *units, Error *error);

// A job of this match with such units, unfinished ones first; 0 if there is none.
Status database_unsettled_job(Database *db, int64_t match, int64_t *job, Error *error);

// The share that the newest job of a match was submitted with.
Status database_share_of_match(Database *db, int64_t match, double *share, Error *error);

// Drops the units that are not done, except those that verify others.
Status database_drop_rest(Database *db, int64_t job, Error *error);

// The worker that submitted a game; 0 if it is not known.
Status database_submitter(Database *db, int64_t match, int64_t number, int64_t *worker, Error *error);
