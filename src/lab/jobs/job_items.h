// Questions for workers: numbered items of work that are not games and are answered by texts. The submitting process
// creates a job, waits, and receives the answers in the order of their numbers. Each kind of question is one const
// struct.
#pragma once

#include "agents/agent.h"
#include "lab/jobs/job_agents.h"
#include "store/db/jobs/database_jobs.h"
#include "view/progress.h"

// The environment of a worker.
typedef struct {
    uint64_t signature; // of this build (build_identity.h)
    const AgentHost *host;
    const atomic_bool *stop;  // raised to abandon current work
    atomic_ullong *alive;     // increased while the work makes progress
    const AllowList *engines; // that this worker may start
} JobWorld;

typedef struct {
    // Prepares for a job. STATUS_FAILED or STATUS_BAD_INPUT, with the reason, if it is for another build or invalid.
    // `state` is NULL before; close it also after a failure.
    Status (*open)(void **state, const DatabaseJob *job, const JobWorld *world, Error *error);
    unsigned (*count)(const void *state); // number of questions
    // Answers one question; `is_done` is false before and stays false if the work was stopped.
    Status (*answer)(void *state, unsigned number, Text *answer, bool *is_done, Error *error);
    void (*close)(void *state); // safe on NULL
    // Whether two answers may both be right; NULL: if they are equal. `job` has the spec.
    bool (*agrees)(const DatabaseJob *job, const char *a, const char *b);
} JobItemKind;

// NULL for games.
const JobItemKind *job_item_kind(JobKind kind);

extern const JobItemKind solve_items, paper_items;

typedef struct {
    Database *db;
    DatabaseJob job;    // work, title, spec, openings, build, unit, lease, verify
    unsigned count;     // number of questions
    const char *things; // plural noun for messages: positions
    const char *thing;  // singular: position
    bool varies;        // the answers cannot be computed again: job_agent_is_repeatable
    AgentHost host;     // to compute answers here, with job.verify
    bool resumes;       // continue the newest job with the same questions, if there is one
    bool submit_only;   // do not wait
    const atomic_bool *stop;
    Reporter *reporter;  // NULL: no output
    bool hides_progress; // notes only
    // Called for each answer, in order; NULL for a question that was set aside.
    Status (*on_answer)(void *context, unsigned number, const char *answer, Error *error);
    void *context;
} JobItems;

// STATUS_FAILED, with the reason, if questions were set aside or the job was cancelled; STATUS_INTERRUPTED if `stop`
// was raised: the workers continue.
Status job_items_run(const JobItems *items, Error *error);

// The value of a key in a spec with lines "key value"; the first one, or an empty span.
Span job_spec_value(const char *spec, const char *key);
