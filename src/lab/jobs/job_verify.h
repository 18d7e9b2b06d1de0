// Verifies the workers of a job, in the program that submitted it: draws units, compares the results of two workers,
// computes what they disagree about here, and puts workers that submitted false results in quarantine.
#pragma once

#include "base/rng.h"
#include "store/db/jobs/database_verify.h"
#include "view/progress.h"

// What a verification has found in this process.
typedef struct {
    double share;       // of the units that are computed again
    bool varies;        // the results depend on more than the job: nothing was computed again
    uint64_t checked;   // results that were computed again with the same outcome
    uint64_t discarded; // results of workers in quarantine
    struct {
        char label[DATABASE_LABEL_SIZE];
        char reason[ERROR_TEXT_SIZE];
    } * quarantined; // owned
    size_t quarantined_count;
} JobVerification;

// Reports what was computed again; `things` is a plural noun.
void job_verification_note(const JobVerification *verification, const char *things, Reporter *reporter);

void job_verification_close(JobVerification *verification);

typedef struct {
    Database *db;
    int64_t job;
    double share;      // of the units that are drawn; 0: units of workers in quarantine are discarded, nothing is drawn
    const char *thing; // game, position
    Reporter *reporter; // NULL: no messages
    JobVerification *found;
    void *context;
    // The stored result of a number as text; `is_found` is false before.
    Status (*stored)(void *context, unsigned number, Text *text, bool *is_found, Error *error);
    // Computes it here; `is_done` is false before and stays false if the user stops the program.
    Status (*compute)(void *context, unsigned number, Text *text, bool *is_done, Error *error);
    bool (*agrees)(void *context, const char *a, const char *b);
    Rng rng; // that workers cannot predict; job_verify_begin
} JobVerifier;

void job_verify_begin(JobVerifier *verifier);

// Does what can be done now. `is_settled`: all units that are done were drawn, and those that were chosen are
// confirmed.
Status job_verify_step(JobVerifier *verifier, bool *is_settled, Error *error);

// Puts the workers with the label of this one in quarantine and reports it. 0: the worker is not known.
Status job_verify_blame(JobVerifier *verifier, int64_t worker, const char *reason, Error *error);
