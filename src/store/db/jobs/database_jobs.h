// Jobs: matches and tournaments that workers on many machines play together, and questions that they answer. A job is
// divided into units, ranges of games or questions. A worker holds a unit under a lease with a token. Storing the games
// or answers and finishing their unit is one transaction, so a unit counts once even if a worker or the server fails.
// docs/many-machines.md describes it for users.
#pragma once

#include "store/db/database.h"

// --- Jobs ---

typedef enum { JOB_OPEN, JOB_PAUSED, JOB_CANCELLED, JOB_DONE, JOB_STATES } JobState;

const char *job_state_name(JobState state); // "open", "paused", "cancelled", "done"

// The work of a job. Games are those of a match; the other kinds have questions, each answered by a text. The comments
// below speak of games, and apply to questions as well.
typedef enum {
    JOB_GAMES,
    JOB_SOLVE, // positions to be solved
    JOB_PAPER, // parts of a paper's experiment that are not games of a match
    JOB_KINDS
} JobKind;

const char *job_kind_name(JobKind kind); // "games", "solve", "paper"

// Games of a match from `first` on.
typedef struct {
    unsigned first, games;
} DatabaseRange;

typedef struct {
    int64_t id; // filled when read
    JobKind work;
    int64_t match;        // whose games are played; 0 where there are none
    const char *title;    // what it is, for people
    const char *spec;     // of games the event as text (match/tournament.h), without its openings
    const char *openings; // a line each, stones as in a game; of JOB_SOLVE the positions; "" for none
    const char *build;    // what a worker's own build must say of itself to play it
    unsigned unit;        // pairs of games, or questions, in a unit; 0: as many as suits the speed of the worker
    int64_t lease;        // ms without a turn after which a worker loses its unit
    double verify;        // share of the units that are computed again by other workers (database_verify.h)
    // Filled when read.
    DatabaseKind kind; // of its match
    JobState state;
    int64_t created, finished;
    int64_t games, done, held, aside; // of its units: in all, finished, in the hands of workers, set aside
    int64_t units, failures;          // finished units, and how often one failed or was lost
    int64_t recent;                   // games finished within the last minute
    int64_t agreed, pending;          // of `done`: computed again with the same result; to be computed again
    const char *reason;               // of a unit that failed, NULL: none did
} DatabaseJob;

typedef bool DatabaseJobSink(void *context, const DatabaseJob *job);

// The games of a job as ranges of numbers, and the agents that play them.
typedef struct {
    const DatabaseRange *ranges;
    size_t count;
    const char *const *agents;
    unsigned agent_count;
} DatabaseJobUnits;

// Submits games of a match to workers and wakes them. A match has one job at a time: STATUS_FAILED if it has an open
// one.
Status database_add_job(Database *db, const DatabaseJob *job, const DatabaseJobUnits *units, int64_t *id, Error *error);

// The unfinished job of a match, 0 if it has none.
Status database_find_job(Database *db, int64_t match, int64_t *id, Error *error);

// The newest job, whatever its state, with the same kind of work, build, spec and openings; 0 if there is no such job.
Status database_find_same_job(Database *db, const DatabaseJob *job, int64_t *id, Error *error);

// All jobs, oldest first; or one, and then the sink is not called if it does not exist.
Status database_each_job(Database *db, DatabaseJobSink *sink, void *context, Error *error);
Status database_read_job(Database *db, int64_t id, DatabaseJobSink *sink, void *context, Error *error);

// Unfinished jobs in the order in which they are played, then the newest finished ones; at most `most` in all.
Status database_newest_jobs(Database *db, unsigned most, DatabaseJobSink *sink, void *context, Error *error);

// One job without its openings, which may be long: they are NULL here and in the lists of jobs.
Status database_look_at_job(Database *db, int64_t id, DatabaseJobSink *sink, void *context, Error *error);

// Only the state, which is fast even for a job with a million units; `found` is false if the job does not exist.
Status database_job_state(Database *db, int64_t id, JobState *state, bool *found, Error *error);

// Pause: workers get no new units of the job. Continue: they get units again. Cancel: unfinished units are dropped,
// also those that workers hold. Retry: units that were set aside or cancelled are requeued. STATUS_FAILED without a
// change if the state of the job does not allow it.
typedef enum { JOB_PAUSE, JOB_CONTINUE, JOB_CANCEL, JOB_RETRY } JobChange;
Status database_change_job(Database *db, int64_t id, JobChange change, Error *error);

// Marks jobs without open or held units as done.
Status database_close_jobs(Database *db, Error *error);

// At most `most` answers of a job in order of their numbers, from the number `from`.
typedef struct {
    int64_t job;
    unsigned from, most;
} DatabaseAnswerRange;

// This sink may not use the database.
typedef bool DatabaseAnswerSink(void *context, unsigned number, const char *answer);
Status database_each_answer_from(Database *db, const DatabaseAnswerRange *range, DatabaseAnswerSink *sink,
                                 void *context, Error *error);

// --- Workers ---

typedef struct {
    int64_t id;        // filled when read
    const char *name;  // of the machine and the process
    const char *label; // the name without the process, which distinguishes workers; NULL: not known
    unsigned slots;    // units at once
    const char *build;
    const char *words; // its last message, "" for none
    int64_t games;     // finished games
    // Filled when read.
    int64_t started, seen, ended; // ended 0: it has not reported its end
    int64_t held;                 // games of the units it holds
    bool is_alive;                // it was seen a short while ago
    const char *quarantine;       // why it gets no units; NULL: it gets some
} DatabaseWorker;

typedef bool DatabaseWorkerSink(void *context, const DatabaseWorker *worker);

Status database_add_worker(Database *db, const DatabaseWorker *worker, int64_t *id, Error *error);
Status database_end_worker(Database *db, int64_t id, Error *error);

// Those that are alive, or all.
Status database_each_worker(Database *db, bool all, DatabaseWorkerSink *sink, void *context, Error *error);

// At most `most` workers that were seen within the last `within` milliseconds.
typedef struct {
    int64_t within;
    unsigned most;
} DatabaseWorkerRange;

// First those that are alive, then those that disappeared, then those that ended, the newest of each first.
Status database_newest_workers(Database *db, const DatabaseWorkerRange *range, DatabaseWorkerSink *sink, void *context,
                               Error *error);

// --- Units ---

// What a worker holds.
typedef struct {
    int64_t id; // 0: none
    int64_t job;
    uint64_t token; // of this attempt: no other process can hand it in
    unsigned first, games;
    int64_t lease;
    int64_t verifies; // the unit that this one computes again; 0: it is an ordinary unit
    unsigned slots;   // of all workers, as the claim said or as they were counted for it; 0: not known
} DatabaseUnit;

// A claim of a worker.
typedef struct {
    int64_t worker, job;
    uint64_t token; // a random number that was never used
    unsigned most;  // games
    unsigned slots; // of all workers, as counted a short while ago; 0: they are counted, which is slow with thousands
    bool was_asked; // a repetition, since the answer to the first was lost: the same unit is returned
} DatabaseClaim;

// Claims a unit of the job. unit->id is 0 if no unit is open or other workers have locked all open ones.
Status database_claim_unit(Database *db, const DatabaseClaim *claim, DatabaseUnit *unit, Error *error);

// The result of a unit: the first `count` of its games or answers. The missing ones are requeued. With a reason this
// counts as a failure; after UNIT_FAILURES_MAX failures they are set aside.
typedef struct {
    DatabaseUnit unit;
    const DatabaseGame *games;  // NULL: it is about answers
    const char *const *answers; // NULL: it is about games; also of a unit that verifies, whatever its job
    size_t count;
    const char *failure; // NULL: none
    bool was_accepted;   // filled: false if the unit was lost meanwhile, and then its games are not kept
} DatabaseUnitResult;

// Hands in a unit and, in the same transaction, claims the next one (unless `claim` is NULL). Handing in the same
// result twice is allowed.
Status database_finish_unit(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim, DatabaseUnit *next,
                            Error *error);

// A heartbeat: the number of turns played in a unit since it was claimed, or another measure of progress. The lease is
// extended only if the number has grown since the last heartbeat. Fills `is_lost`.
typedef struct {
    DatabaseUnit unit;
    uint64_t progress;
    bool is_lost;
} DatabaseBeat;

// Reports the progress of all held units, the worker's games and its message. Also expires the units of workers whose
// lease has run out.
Status database_beat(Database *db, const DatabaseWorker *worker, DatabaseBeat *beats, size_t count, Error *error);

// Jobs that have open units for this worker, oldest first, after the job `after`; 0 if there is no other.
Status database_next_job(Database *db, int64_t worker, int64_t after, int64_t *id, Error *error);
