// Questions for workers that are no games: each has a number and is answered by a text. The asking process puts them up
// as a job, waits, and receives the answers in the order of their numbers; a worker reads the job and answers. A kind
// of question is one const struct, in the file of what it is about.
#pragma once

#include "agents/agent.h"
#include "lab/jobs/job_agents.h"
#include "store/db/jobs/database_jobs.h"
#include "view/progress.h"

// --- What a worker does ---

// What the world lends to a worker that answers.
typedef struct {
    uint64_t signature; // of this build (build_identity.h)
    const AgentHost *host;
    const atomic_bool *stop;  // raised: what is under way is given up
    atomic_ullong *alive;     // increased while the work makes progress
    const AllowList *engines; // that this worker may start
} JobWorld;

typedef struct {
    // Reads a job and gets ready. STATUS_FAILED or STATUS_BAD_INPUT, with the reason, where it is not for this
    // build or cannot be read. `state` is NULL before, and closed also when it fails.
    Status (*open)(void **state, const DatabaseJob *job, const JobWorld *world, Error *error);
    unsigned (*count)(const void *state); // questions
    // Answers one; `is_done` is false before and stays so where the work was stopped.
    Status (*answer)(void *state, unsigned number, Text *answer, bool *is_done, Error *error);
    void (*close)(void *state); // safe on NULL
} JobItemKind;

// NULL for games.
const JobItemKind *job_item_kind(JobKind kind);

extern const JobItemKind solve_items, paper_items;

// --- The asking side ---

typedef struct {
    Database *db;
    DatabaseJob job;    // what to submit: work, title, spec, openings, build, unit, lease
    unsigned count;     // questions
    const char *things; // what they are, for people: positions
    bool resumes;       // continue the newest job with the same questions, if there is one
    bool puts_up;       // and do not wait
    const atomic_bool *stop;
    Reporter *reporter;  // NULL: nothing is shown
    bool hides_progress; // only remarks are shown
    // Called for each answer, in order. NULL is the answer to one that was set aside; the others follow all the same.
    Status (*on_answer)(void *context, unsigned number, const char *answer, Error *error);
    void *context;
} JobItems;

// STATUS_FAILED, with the reason, where some were set aside or the job was cancelled; STATUS_INTERRUPTED when `stop`
// was raised: the workers continue.
Status job_items_run(const JobItems *items, Error *error);

// A spec of such a job is a line for each key, "key value"; the first of this key, or an empty span.
Span job_spec_value(const char *spec, const char *key);
